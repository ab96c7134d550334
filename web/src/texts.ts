// Every word of the page in English. A translation is a file like texts_de.ts: what it lacks does not compile.

import type { Color, Role } from "./chess/position";
import { ratingOf, type Odds, type Opponent } from "./play/opponents";
import { locale, settings } from "./state/settings.svelte";
import { german } from "./texts_de";

const side = (color: Color): string => (color === "white" ? "White" : "Black");
const NAMES: Record<Opponent, string> = {
    700: "Ada", 800: "Ben", 900: "Clara", 1000: "David", 1200: "Emma", 1400: "Felix", 1600: "Greta", 1800: "Hugo", master: "Ida", full: "Luft",
};
const levelOf = (who: Opponent): string =>
    ratingOf(who) ? `about ${ratingOf(who)}` : who === "master" ? "master" : "full strength";
const plural = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

const english = {
    side,
    san: (san: string): string => san, // a move in the letters of the language
    name: "Luft",
    title: "Luft – analyse, play, and see why",
    notices: "Messages",
    close: "Close",
    cancel: "Cancel",
    views: { analyse: "Analyse", play: "Play", explain: "Explain", train: "Train", learn: "Learn" },
    inEnglish: "The lessons are in English.",
    menu: { settings: "Settings", keys: "Keyboard shortcuts", about: "About", skip: "Skip to the board" },
    pieces: { pawn: "pawn", knight: "knight", bishop: "bishop", rook: "rook", queen: "queen", king: "king" },

    /** Moves as they are heard: chess/speech.ts. */
    speech: {
        pieces: { K: "king", Q: "queen", R: "rook", B: "bishop", N: "knight" } as Record<string, string>,
        takes: "takes", to: "to", check: "check", mate: "checkmate", castles: { "O-O": "castles short", "O-O-O": "castles long" },
        becomes: (piece: string) => `becomes a ${piece}`,
    },

    engine: {
        on: "Engine on",
        off: "Engine off",
        noWebAssembly: "This browser has no WebAssembly, so the engine cannot run, and no game can be opened. The board still works.",
        failed: (reason: string) => `The engine cannot run: ${reason}. No game can be opened; the board still works.`,
        refused: (reason: string) => `The engine cannot analyse this position: ${reason}.`,
        restarted: "The engine stopped answering and was restarted.",
        lessMemory: (wanted: number, got: number) =>
            `The browser refused to give the engine ${wanted} MB of memory. The engine uses ${got} MB.`,
        /** How the engine runs in this browser, for fault reports. */
        build: (simd: boolean, suspends: boolean, isolated: boolean) =>
            [simd ? "SIMD" : "without SIMD", suspends ? "suspends" : "in slices", ...(isolated ? ["isolated"] : [])].join(", "),
        loading: "Loading the engine …",
        thinking: "Thinking …",
        kept: (day: string) => `kept from ${day}`,
        depth: (depth: number, selective: number) => `Depth ${depth}/${selective}`,
        speed: (nodes: string) => `${nodes} nodes/s`,
        lines: "Number of lines",
        linesCount: (count: number) => plural(count, "line", "lines"),
        threat: "Threat",
        threatTitle: "What would the opponent play if it were their turn?",
        noThreat: "The side to move is in check, so there is no threat to show.",
        play: (line: string) => `Play ${line}`,
        chances: (win: number, draw: number, loss: number) =>
            `White wins ${win} %, draw ${draw} %, Black wins ${loss} %`,
        bench: "Measure speed",
        benchDone: (nodes: string, speed: string) => `${nodes} nodes, ${speed} nodes a second`,
    },

    board: {
        label: (turn: Color, last: string) => `Chess board, ${side(turn)} to move${last ? `, last move ${last}` : ""}`,
        list: "The position as a list",
        empty: "no pieces",
        promote: "Promote to",
        move: "Your move",
        moveHint: "Nf3 or g1f3",
        noMove: (text: string) => `“${text}” is not a legal move here.`,
        first: "To the start",
        back: "Back",
        forward: "Forward",
        last: "To the end",
        flip: "Flip the board",
        turn: (turn: Color) => `${side(turn)} to move`,
        title: "Board",
        piece: (color: Color, role: Role) => `${side(color).toLowerCase()} ${role}`,
        square: (name: string, piece: string | undefined, canMove: boolean) => `${name}, ${piece ?? "empty"}${canMove ? ", can move here" : ""}`,
        picked: (piece: string, to: readonly string[]) => `${piece}: ${to.length > 0 ? to.join(", ") : "no move"}`,
        notPicked: "Nothing to move here",
        keys: "Arrow keys go from square to square, Enter picks a piece up and puts it down, p n b r q k lead to the next such piece, "
            + "s says the evaluation, in a game against Luft the last move and the clocks, in the training the task; so does s, typed as a move.",
        draw: "Draw arrows and circles",
        brushes: { green: "Green", red: "Red", yellow: "Yellow", blue: "Blue" },
        chancesBar: "Winning chances", chancesUnknown: "Winning chances: not known while the engine is off",
    },

    spoken: {
        start: "Start position",
        move: (number: number, white: boolean, san: string, value: string) =>
            `${white ? `${number}.` : `${number}, ${side("black")}:`} ${san}${value ? `, ${value}` : ""}`,
        mates: (winner: Color, moves: number) => `${side(winner)} mates in ${moves}`,
        better: (who: Color, pawns: string) => `${side(who)} is better by ${pawns}`,
        equal: "The position is even",
        searched: (value: string, depth: number, line: string) => `${value}, depth ${depth}, ${line}`,
        clocks: (white: string, black: string) => `White's clock ${white || "unknown"}, Black's ${black || "unknown"}`,
        before: (san: string) => `Before ${san}`, none: "No evaluation yet", instead: (san: string) => `better ${san}`,
        setUp: (turn: Color) => `A position, ${side(turn)} to move`,
        opened: (name: string, plies: number) => `${name || "Game"}, ${plural(Math.ceil(plies / 2), "move", "moves")}`,
    },

    moves: {
        title: "Moves",
        none: "Make a move on the board, paste a game, or drop a file here.",
        promote: "Promote variation",
        remove: "Delete from here",
        removed: (san: string) => `${san} was deleted, with all that followed.`,
        undo: "Undo", redo: "Redo", undone: "Undone", redone: "Done again",
        comment: "Comment",
        commentLabel: (san: string) => `Comment on ${san || "the position"}`,
        nags: { 1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!", 7: "□" } as Record<number, string>,
        nagNames: { 1: "good move", 2: "mistake", 3: "brilliant move", 4: "blunder", 5: "interesting move", 6: "inaccuracy",
                    7: "only move" } as Record<number, string>,
        /** Signs for positions and plans: the symbol, and how it is read. */
        values: {
            10: ["=", "equal"], 13: ["∞", "unclear"], 14: ["+=", "White is slightly better"], 15: ["=+", "Black is slightly better"],
            16: ["±", "White is better"], 17: ["∓", "Black is better"], 18: ["+−", "White is winning"], 19: ["−+", "Black is winning"],
            22: ["⊙", "zugzwang"], 23: ["⊙", "zugzwang"], 36: ["↑", "initiative"], 37: ["↑", "initiative"], 40: ["→", "attack"], 41: ["→", "attack"],
            132: ["⇆", "counterplay"], 133: ["⇆", "counterplay"], 138: ["⊕", "time trouble"], 139: ["⊕", "time trouble"], 146: ["N", "novelty"],
        } as Record<number, readonly [string, string]>,
        ended: {
            checkmate: "Checkmate", stalemate: "Draw: stalemate", material: "Draw: neither side has enough material to checkmate",
            fifty: "A draw can be claimed: 50 moves without a capture or a pawn move",
            repetition: "A draw can be claimed: this position has occurred three times",
        },
    },

    io: {
        open: "Open",
        openTitle: "Open a game or a position",
        paste: "Paste a game, a position or an address: PGN, FEN, EPD, UCI moves, a link",
        file: "Choose a file",
        drop: "… or drop a file anywhere on the page.",
        load: "Load",
        fresh: "New",
        share: "Share",
        shareTitle: "Share and save",
        kept: "Saved games",
        keptTitle: "Saved analyses",
        notKept: "The browser could not save this analysis. Choose “Share” to copy or download it.",
        keptNone: "Nothing is saved yet. Luft saves each analysis in this browser as soon as it has a move.",
        notKeptOld: "The browser could not save the game that was open.",
        joined: "This game was changed in another tab, too. Both changes are here now.",
        remove: "Delete",
        removed: (title: string) => `“${title}” was deleted.`,
        played: "played here", playing: "not over yet",
        pgn: "PGN", fen: "FEN", link: "Link",
        corrected: "The sender has corrected this game: this is the new one.", keepBoth: "Keep the earlier one, too",
        correctedJoined: "The sender has corrected this game. What you had added to it is still there.",
        allGames: (games: number) => `All ${games} games`,
        longLink: (letters: string, hasReport: boolean) => `The link has ${letters} characters. Browsers open it, but some chats cut or refuse it (Discord takes `
            + `2,000 in a message, Telegram 4,096): send the PGN there.${hasReport ? " Without Luft's report the link is shorter." : ""}`,
        copy: "Copy", copied: "Copied.", notCopied: "The browser did not allow copying. The text is selected, so you can copy it yourself.",
        download: "Download PGN", print: "Print", send: "Send …",
        noGame: "This text is neither a game (PGN) nor a position (FEN).",
        address: "The page fetches nothing from this site: share or copy the game itself (its PGN) instead.",
        addressOf: {
            lichess: "This address of Lichess names neither a game nor a study: open the game there, and copy its PGN with “Share & export”.",
            chesscom: "chess.com gives out no game by its address: choose “Share” there, then “PGN”, and copy the text.",
        },
        mayFetch: "This game is at Lichess: allow the page to fetch it, or copy its PGN there with “Share & export”.",
        notShown: (fen: string) => `The page cannot show this position: ${fen}.`,
        notRead: (reason: string) => `The text cannot be read: ${reason}.`,
        problem: (problem: string) => `Problem in the text: ${problem}.`,
        moreProblems: (count: number) => `${plural(count, "more problem", "more problems")} in the text.`,
        tooLong: (count: number) => `The game has more moves than the page can show. ${plural(count, "move is", "moves are")} not opened.`,
        tooLarge: (megabytes: number, rest: number) =>
            `Only the first ${megabytes} MB of the file are read. ${Math.ceil(rest / 1000).toLocaleString(locale)} kB follow.`,
        tooMany: (count: number) => `Only the first ${count} games and positions of the text are read: there are more.`,
        notDrawn: "The page could not show this game the last time, so it is not opened again by itself. It may be in “Saved games”.",
        games: (count: number) => `The file has ${count} games. Choose one:`,
        list: "Games of the file", gameOf: (place: number, count: number) => `Game ${place} of ${count}`,
        gameBefore: "Previous game", gameAfter: "Next game",
        severalGames: (count: number) => `There are ${count} games. The first one is open.`,
        showGames: "Show all",
        another: "Another file", closeList: "Close the list", listClosed: "The list was closed.",
        toList: (count: number) => `The list of ${count} games`,
        listNotKept: "The browser could not keep the list of games: after a reload, open the file again.",
        search: "Search players, events, dates",
        moreGames: (count: number) => `${plural(count, "more game", "more games")}: search to find them.`,
        unnamed: "A game without names",
        withReport: "With Luft's report",
        quiet: "The link opens with the engine off",
        hides: "The link hides what follows until a good move is found",
        shareOne: (all: number) => `Only the game on the board is shared, one of ${all} in the file.`,
        hidesNone: "For a puzzle, make the moves of the solution on the board, then come back to this position",
        linkBroken: "The link cannot be read: it is damaged, or holds more than the page opens.",
        moves: (plies: number) => plural(Math.ceil(plies / 2), "move", "moves"),
    },

    saved: {
        silent: "the browser's storage does not answer", unread: (reason: string) => `The saved games cannot be read: ${reason}.`, again: "Try again",
        found: (games: number) => (games > 0 ? `${plural(games, "game", "games")} found.` : "No saved game has these words."),
        exportAll: (games: number) => (games === 1 ? "Download it as PGN" : `Download these ${games} as one PGN`), bring: "Bring in a file",
        withReports: "With Luft's reports (for other programs: brought in again, they would be your own comments)",
        help: "A file that was downloaded here can be brought in again, in any browser. What is there already is not saved twice.",
        progress: (done: number, all: number) => `${done} of ${all} games`,
        brought: (added: number, known: number) => (added > 0 ? `${plural(added, "game was", "games were")} saved.` : "No game is new.")
            + (known > 0 ? ` ${known} ${known === 1 ? "was" : "were"} there already.` : ""),
        tooMany: (games: number) => `The file has more games than are saved at once: the first ${games} are. Open it to read the others.`,
    },

    puzzle: {
        title: "Puzzle",
        ask: (turn: Color) => `${side(turn)} to move. Find a good move.`,
        wrong: (san: string) => `${san} is not the move that is looked for. Try another one.`,
        alsoGood: (san: string) => `${san} is good, too, but another move is looked for here.`,
        goOn: (reply: string) => `The answer is ${reply}. Go on.`,
        looking: "Luft looks for other good moves …",
        rivals: (solution: string, others: readonly string[], isBetter: boolean) => isBetter
            ? `Luft prefers ${others.join(", ")} to ${solution}: is the solution right?`
            : `Besides ${solution}, ${others.join(", ")} ${others.length > 1 ? "are" : "is"} as good. Who plays that is told so, and asked to go on looking.`,
        alone: "Luft finds no other move that is as good.",
        back: "Back to the puzzle", show: "Show the solution",
    },

    report: {
        title: "Report",
        make: "Review the game", more: "More on this report",
        stop: "Stop",
        begins: (positions: number) => `The review begins: ${plural(positions, "position", "positions")}.`,
        progress: { positions: (done: number, all: number) => `${done} of ${all} positions`,
                    mistakes: (done: number, all: number) => `${done} of ${all} mistakes explained` },
        rewording: (done: number, all: number) => `The reasons are written in English: ${done} of ${all}.`,
        accuracy: "Accuracy",
        next: "Next mistake",
        graph: "White's chances during the game",
        graphPoint: (move: string, score: string) => `${move}: ${score}`,
        kinds: [[6, "Inaccuracies"], [2, "Mistakes"], [4, "Blunders"]] as [number, string][],
        signs: "Winning chances lost: ?! from 5 %, ? from 10 %, ?? from 20 %",
        done: (white: number, black: number) => `Accuracy: White ${Math.round(white)} percent, Black ${Math.round(black)} percent`,
        why: "Why?",
        before: "Previous mistake",
        mistakes: "Mistakes",
        sign: (name: string) => `Luft: ${name}`,
        better: "Better",
        decided: "What decided it:",
        slowly: "No single move decided the game.",
        undecided: (ahead: Color | "neither") =>
            `${ahead === "neither" ? "Neither side" : side(ahead)} was ahead when the game ended: the board did not decide it.`,
        lost: (who: Color, move: number) =>
            `From move ${move} on ${side(who)} was lost: what was given away after that changed nothing and has no sign.`,
        given: (count: number) => `Given away while the game was decided: ${plural(count, "piece", "pieces")}. “Next mistake” leads there, too.`,
        learn: "Learn from your mistakes",
        praise: { 1: "Hard to see, and the only good move: every other would have been a mistake.",
                  7: "The only move: every other would have been a blunder." } as Record<number, string>,
        own: (who: Color) => `Only ${side(who)}'s mistakes`,
        deeper: "Review deeper", deeperTitle: "Searches every position again, with four times the nodes. It takes about four times as long.",
        searched: (nodes: string, least: number, most: number) =>
            `Depth ${least} to ${most}, ${nodes} nodes`,
        searchedTitle: "Nodes of each search, and how deep they went. Where the score jumped, four times as many were searched.",
        remove: "Remove the report",
        removed: "The report was removed. Your own signs and comments stay.",
    },

    play: {
        event: "Game against Luft", you: "You",
        title: "Play against Luft",
        goOn: (who: Opponent) => `Go on with the game against ${NAMES[who]}`,
        first: (who: Opponent) => `Play a first game against ${NAMES[who]}, the easiest opponent`,
        color: "You play", random: "Random",
        strength: "Opponent",
        label: (who: Opponent): string => `${NAMES[who]}, ${levelOf(who)}`,
        /** What each opponent sees and overlooks, and who it is for: no more than docs/levels.md says of the levels. */
        sees: {
            700: "Overlooks many captures and most quiet moves, and seldom finds a defence. For your first games.",
            800: "Overlooks many captures, above all of pawns, and most quiet moves. For those who know the rules.",
            900: "Mostly takes a queen or a rook when it can; misses quiet moves more often than not. For beginners with some games.",
            1000: "Sees many captures and checks, but only about half of the quiet moves, and fewer that defend. For casual players.",
            1200: "Sees most captures and checks; overlooks moves that defend, go backward or far away. For regular players.",
            1400: "Misses few captures; overlooks quiet defences, and what follows two or three moves later. For those who play every week.",
            1600: "Overlooks little that can be played at once; misses longer lines. For club players.",
            1800: "Overlooks hardly anything in the next moves, but looks at few positions. For strong club players.",
            master: "Overlooks nearly nothing, but looks at few positions. No rating of people is known for it. For strong players.",
            full: "Sees all that the engine finds in a second and a half, or in the time of its clock. To see how long you can hold out.",
        } as Record<Opponent, string>,
        estimate: "The numbers are estimates: ratings of people in blitz at Lichess, give or take 100 and more.",
        puzzles: (rating: number) => `By the puzzles that it solves, this opponent is nearer to ${rating}.`,
        premoveIs: (text: string) => `Premove: ${text}`, premoveCancel: "Cancel the premove",
        premoveGone: (text: string) => `The premove ${text} is not possible.`,
        decided: "What decided it?",
        opponent: (who: Opponent, odds: Odds) => {
            const words = [...(who === "full" ? [] : ["Luft"]), levelOf(who), ...(odds === "none" ? [] : [`without a ${odds}`])];
            return `${NAMES[who]} (${words.join(", ")})`;
        },
        odds: "Handicap",
        oddsNames: { none: "None", pawn: "♟ Luft plays without a pawn", knight: "♞ Luft plays without a knight",
                     rook: "♜ Luft plays without a rook", queen: "♛ Luft plays without its queen" },
        practise: "Practise this", practiseTitle: "A game from this position begins at once; you have the side to move.",
        fromHere: "Play from here", from: "The game begins with the position on the board.", fromStart: "From the start instead",
        looking: "You are looking at an earlier position.", lookEnd: "Back to the game",
        elsewhere: "This game is being played in another tab. Here is a copy.",
        clock: "Clock", clockNone: "No clock", clockOf: (minutes: string, seconds: string) => `${minutes} min + ${seconds} s`,
        chess960: "Chess960", array: "Start position (0 to 959)", shuffle: "Random",
        start: "Start the game",
        begins: (color: Color) => `The game begins. You play ${side(color)}.`,
        refused: { never: "That piece cannot go there.", check: "You are in check: find a move that ends it.",
                   exposed: "Your king would be in check after that." },
        ahead: (points: number) => `${points} ahead in material`,
        yourTurn: "Your turn", thinking: (who: Opponent) => `${NAMES[who]} is thinking …`,
        takeBack: "Take back", hint: "Hint", resign: "Resign", resignSure: "Resign? Press again", draw: "Offer a draw", again: "New game",
        hintStep: (given: number, all: number) => `Hint ${given + 1} of ${all}`, hintThink: "A hint is looked for …",
        hintWhy: "The reason is looked for …", takenBack: "Taken back", timeLeft: (seconds: number) => `${seconds} seconds left`,
        drawRefused: (who: Opponent) => `${NAMES[who]} declines the draw.`,
        analyse: "Analyse this game",
        won: "You won", lost: (who: Opponent) => `${NAMES[who]} won`, drawn: "Draw",
        ends: {
            checkmate: "checkmate", stalemate: "stalemate", material: "neither side has enough material to checkmate",
            fifty: "50 moves without a capture or a pawn move", repetition: "threefold repetition",
            resigned: "you resigned", agreed: "by agreement", time: "your time ran out", timeOf: (who: Opponent) => `${NAMES[who]}'s time ran out`,
            timeBare: "time ran out, but the opponent has only a king",
        },
    },

    editor: {
        title: "Set up a position", open: "Set up",
        board: "Position", tools: "Pieces",
        move: "Move pieces", remove: "Remove pieces",
        turn: "To move", enPassant: "En passant", castling: "May still castle",
        start: "Start position", clear: "Empty board", again: "As it was",
        help: "Drag pieces, off the board to remove them, or choose one and press squares. Keys: arrows, K Q R B N P (White), "
            + "k q r b n p (Black), Delete.",
        noFen: "This is not a FEN.",
        analyse: "Analyse the position",
    },

    remote: {
        title: "Lichess and chess.com", open: "Allow …",
        words: "Luft can fetch games from lichess.org and api.chess.com. No other request ever leaves this page, and these are off until "
            + "you allow them. They tell the site what you ask for and your network address, as every visit there does.",
        allow: "Allow requests to lichess.org and api.chess.com",
        site: "Site", player: "Name of the player", count: "Latest games", get: "Fetch the games",
        received: (kilobytes: number) => `${kilobytes} kB received`,
        address: "With the same consent, a game or study of Lichess is fetched when you paste its address.",
        none: (player: string) => `There are no games of “${player}”.`,
        noName: (player: string) => `“${player}” is no name of a player: names have letters, digits, - and _.`,
        notAllowed: "Allow the requests first.",
        refused: (host: string, status: number) => ({
            401: `${host} does not give this out.`, 403: `${host} does not give this out.`, 404: `${host} knows no such player or game.`,
            429: `${host} asks to wait: try again in a minute.`,
        } as Record<number, string>)[status] ?? `${host} refused the request (${status}).`,
        tooLarge: (host: string, megabytes: number) => `${host} sent more than ${megabytes} MB: ask for fewer games.`,
        notReached: (host: string) => `${host} cannot be reached.`,
        notUnderstood: (host: string) => `The answer of ${host} cannot be read.`,
        cancelled: "Cancelled.",
        bookmarklet: "From any other page",
        bookmarkletWords: "Drag this link to the bookmarks bar, and press it there on a page with a game: the selected text, or else "
            + "the first PGN on the page, opens in Luft.",
        bookmark: "Open in Luft",
        drag: "Drag this link to the bookmarks bar. Here it does nothing.",
    },

    overview: {
        title: "What is going on here?",
        quiet: "Whoever sent the link wants you to think for yourself. Switch the engine on to see it.",
    },

    train: {
        title: "Learn from your mistakes",
        scope: "Which games", scopes: { game: "This game", all: "All saved games" },
        side: "Whose mistakes", both: "Both sides",
        unreviewed: (count: number) => `${plural(count, "saved game has", "saved games have")} no report yet.`, review: "Review them",
        reviewBegins: (games: number) => `The review begins: ${plural(games, "game", "games")}.`,
        noReport: "This game has no report yet: a review finds what can be practised in it.",
        noReports: "Your games have no report yet: a review finds what can be practised in them.",
        noMistakes: "Nothing to practise: the reports show no mistake of this side.",
        noGame: "There is no game to learn from yet. Open one of yours, fetch some from Lichess or chess.com, or play against Luft.",
        allLearned: "Everything is learned. New mistakes come from new games.",
        nothing: "There is nothing to practise now: all positions come back later.",
        ways: "What now", ahead: "Practise them today", open: "Open a game", play: "Play against Luft",
        place: (place: number, all: number, repeats: number) => `Position ${place} of ${all}`
            + (repeats > 0 ? `, then ${plural(repeats, "position", "positions")} once more` : ""),
        repeat: (place: number, all: number) => `Once more: position ${place} of ${all}`,
        ask: (turn: Color) => `${side(turn)} to move. Find a good move.`,
        intro: "Any move that is about as good as the best one counts.", introQuiet: "In some positions nothing special is to be found: nobody warns you in a game, either.",
        decoys: "With quiet positions among them", hinting: "The hint is looked for …",
        judging: "Looking at your move …", done: "Solved already. n: next",
        wrong: (san: string, loss: number) => `${san} loses ${Math.round(100 * loss)} % of the winning chances. Try another move.`,
        reply: (who: Color, sans: readonly string[]) => `${side(who)} answers ${sans.join(" ")}.`,
        right: (san: string) => `${san} is right.`, shown: "The solution:",
        costs: (loss: number) => `It costs ${(100 * loss).toFixed(1)} %: about as good as the best.`,
        best: (san: string) => `Best: ${san}`,
        gives: (san: string) => `${san} gives too much away. Try another move.`,
        inGame: (san: string, loss: number, isGiven: boolean) => isGiven ? `In the game: ${san}, which gives material away. The game was decided before.`
            : `In the game: ${san}, which loses ${Math.round(100 * loss)} % of the winning chances.`,
        quiet: "A quiet position: in the game, too, a good move was played here.",
        hint: (given: number, all: number) => (given < all ? `Hint ${given + 1} of ${all}` : "No more hints"),
        hintPiece: (piece: string, square: string) => `Look at the ${piece} on ${square}.`,
        isBest: (san: string) => [`${san} is the best move.`, `No better move than ${san} was found.`], // as the engine says it
        hintMove: (san: string) => `The move is ${san}.`,
        hintLine: (sans: readonly string[]) => sans.length > 1 ? `Play can go on: ${sans.join(" ")}.` : "Nothing else is known of it: it keeps what there is.",
        solve: "Show the solution", next: "Next", skip: "Skip", inItsGame: "Show in the game", again: "Go on",
        print: "Print the positions", solutions: "Solutions",
        over: "That was all for now.",
        score: (atOnce: number, all: number) => `${atOnce} of ${plural(all, "mistake", "mistakes")} solved at once.`,
        learned: (count: number) => `${plural(count, "position is", "positions are")} learned: solved after 1, 3 and 10 days.`,
        nextDue: (day: string) => `The next position comes back on ${day}.`,
        notLoaded: "This part of the page could not be loaded. Reload the page.",
    },

    weaknesses: {
        title: "What goes wrong?", inSaved: "What goes wrong in these games?",
        head: (who: string, games: number, moves: number, mistakes: number, explained: number) =>
            `${who}: ${plural(games, "game", "games")}, ${plural(moves, "move", "moves")} judged. ${plural(mistakes, "mistake", "mistakes")}, `
            + `${explained} of them explained.`,
        cost: (lost: number) => `All moves together cost as much as ${lost.toFixed(1)} lost games.`,
        number: (value: number) => value.toFixed(1),
        by: { phase: "Phase", cause: "Cause", motif: "Motif", piece: "Piece" },
        mistakes: "Mistakes", missed: "Missed", lost: "Cost", positions: "Practise", print: "Print the report",
        practise: (count: number) => `Practise ${plural(count, "position", "positions")}`,
        help: "Missed: the better move mates, wins material or draws. Cost: in lost games. Numbers lead to the costliest positions, names to all.",
        noneExplained: "No cause is known of these mistakes, so there are no tables.",
        few: 20, tooFew: "So few mistakes say little.",
        /** Those of docs/explain.md, where other words are clearer. */
        names: { fact: "worse position", harms: "worse than to pass", none: "nothing in particular" } as Record<string, string>,
    },

    game: {
        title: "The game", edit: "Players, event and result", none: "Add players and event", untitled: "Game without names",
        headers: { White: "White", WhiteElo: "White's rating", Black: "Black", BlackElo: "Black's rating", Event: "Event", Site: "Place",
                   Date: "Date", Result: "Result" },
        results: { "*": "Not known", "1-0": "1-0, White won", "1/2-1/2": "1/2-1/2, draw", "0-1": "0-1, Black won" } as Record<string, string>,
    },

    explain: {
        tabs: { move: "A move", techniques: "Techniques", tree: "Search tree" },
        words: "What the words mean",
        terms: [
            ["winning chances", "The points that the engine expects of a game, on average: a win is 100 %, a draw 50 %. Less than 5 % is hardly a loss."],
            ["node", "One position in the tree of moves and replies that the search looks at."],
            ["depth", "How many moves of either side, called plies, are still to be searched below a node."],
            ["static value", "What the network says of a position without searching further, in pawns for the side to move."],
            ["alpha", "What the side to move has for sure elsewhere. A move that gives no more than alpha changes nothing."],
            ["beta", "What the opponent has for sure elsewhere. Where a move gives beta or more, the opponent avoids the position: "
                + "its other moves need no look. That is a cut."],
            ["pruning", "Not to search a move or a node, because a rule says that it hardly reaches alpha, or stays above beta. "
                + "The margin is how sure the rule wants to be. It saves time, and is wrong now and then."],
            ["reduction, extension", "To search a move less or more deep than the others."],
            ["quiescence", "The search below depth 0: only captures, promotions and replies to check, until the position is quiet."],
            ["history", "How often a move has caused cuts before: such moves are tried early, others are searched less."],
            ["transposition table", "The memory of positions already searched, which other orders of moves reach again."],
        ] as readonly (readonly [string, string])[],
        intro: "Which move shall Luft explain? Play it on the board, or choose it below.",
        anyMove: "Why not …", mistakes: "Mistakes in this game", searchWithout: "search without it",
        last: (san: string) => `Why ${san}?`,
        pick: "Ask about",
        again: "New question", more: "How the search saw it",
        bounds: "In between, a score is often only a bound: ≥ at least, ≤ at most. The last row counts.",
        played: "After the move", better: "Better",
        lost: (percent: string) => `Loses ${percent} % of the winning chances`,
        facts: (depth: number, nodes: string) => `depth ${depth}, ${nodes} nodes`,
        step: "Step through the line",
        play: "Add to the game",
        treatment: "How the search handled this move",
        treated: (san: string, iteration: number, place: number, moves: number, depth: number, deepest: number, nodes: string) =>
            `In the last iteration (${iteration}), ${san} was move ${place} of ${moves}. It was searched to depth ${depth}`
            + `${deepest > depth ? `, then to ${deepest}` : ""}${deepest < iteration ? ` instead of ${iteration}` : ""}, `
            + `and took ${nodes} ${nodes === "1" ? "node" : "nodes"}.`,
        never: "The search never reached this move: an earlier move caused a cutoff.",
        columns: { iteration: "Iteration", place: "Order", depth: "Depth", times: "Searches", nodes: "Nodes", score: "Score" },
        rules: "What the rules of the search did",
        root: "At the root",
        after: (san: string) => `After ${san}`,
        node: (depth: number, searched: number) =>
            `${depth === 0 ? "quiescence" : `depth ${depth}`}, ${plural(searched, "move", "moves")} searched`,
        nodes: (count: number) => plural(count, "node", "nodes"),
        units: "Scores of the rules are in pawns for the side to move in that node.",
        times: (count: number) => `${count} times, first`,
        techniques: "Switch techniques off to see what the same search finds in this position without them.",
        groups: { positions: "Leave a whole position unsearched", moves: "Skip moves", depth: "Search a move less or more deep", order: "Which move comes first",
                  value: "What a position is worth", quiescence: "At the end of the lines: captures only", others: "Everything else" },
        each: "Try each one", eachTitle: "Repeats the search once for each technique, without it. This takes about a minute.",
        eachDone: (done: number, all: number) => `${done} of ${all} techniques`,
        run: "Search without them", clear: "Switch all on", runAll: "with all",
        columnsCompared: { without: "Without", nodes: "Nodes", depth: "Depth", move: "Move", score: "Score" },
        sameDepth: "At the same depth", sameNodes: "With the same number of nodes",
        notReached: (factor: number) => `> ${factor} times`,
        nothingOff: "Switch at least one technique off.",
        chosen: (count: number) => `${count} switched off`,
        tree: "The tree of a small search from this position. Each node names the rule that ended it.",
        grow: "Draw the tree", treeDepth: "Depth", treeWithout: "Compare without", treeNoComparison: "(no comparison)",
        treeSize: (nodes: string, depth: number, best: string, drawn: string) =>
            (drawn === nodes ? `${nodes} nodes to depth ${depth}` : `Depths 1 to ${depth}: ${nodes} nodes. Drawn, depth ${depth} alone: ${drawn}`) + `, best ${best}`,
        treeWith: "With all techniques", treeOff: (names: string) => `Without ${names}`,
        zoomIn: "Zoom in", zoomOut: "Zoom out", zoomFit: "Fit",
        legend: { line: "best line", exact: "searched", cut: "ended by a rule", quiescence: "quiescence", skipped: "skipped moves" },
        treeHelp: "Arrow keys move from node to node. Enter, a double click or a second tap shows only that node and what follows it. "
            + "Backspace goes back up. Drag to scroll. Zoom with Ctrl and the mouse wheel, with two fingers, or with + and −.",
        treeOpen: "Open this node", treeWhole: "Whole tree", treeBelow: "Next nodes",
        treeRules: "Rules in this tree. Press one to see where it acted.",
        moreRules: (count: number) => plural(count, "more rule", "more rules"), inTree: "In this tree: ", treeScores: "+ is good for White", forBlack: "for Black",
        traceLink: "Link to this trace", traceOpen: "Open a trace", traceHelp: "A file in which any engine wrote its tree: docs/trace.md has the format.",
        traceLine: (line: number, what: string) => `line ${line} (${what})`,
        traceProblem: (count: number, first: string) => `${plural(count, "line", "lines")} of the trace could not be read, first ${first}.`,
        traceEmpty: (first: string) => `There is no tree in this trace: it has no line with ply 0${first ? `. The first one that could not be read is ${first}` : ""}.`,
        ruleCount: (ended: number, skipped: number, touched: number) => `${[...(ended > 0 ? [`${plural(ended, "node", "nodes")} ended`] : []),
            ...(skipped > 0 ? [`${plural(skipped, "move", "moves")} skipped`] : []),
            ...(touched > 0 ? [`something tried or changed at ${plural(touched, "node", "nodes")}`] : [])].join(", ") || "nothing done here"}.`,
        compareRule: "Compare without it",
        purposes: { "move": "", "move again": "searched again", "null move": "a pass", "verification": "verification",
                    "probcut": "probcut", "singular": "singular test", "razoring": "razoring" } as Record<string, string>,
        folded: (count: number, nodes: number) => `${count} nodes not shown (${nodes} nodes of the search)`,
        over: "The game is over in this position.",
        busy: "Computing …",
    },

    legend: {
        title: "Arrows and circles on the board", asked: "the move asked about", line: "the next move of the line", following: "the reply",
        best: "the best move", others: "other good moves", threat: "the threat", trouble: "a piece in trouble",
        drawn: "You draw with the right mouse button: green; with Shift red, with Alt blue, with both yellow. By touch: the pencil below the board.",
    },

    settings: {
        title: "Settings",
        language: "Language", languages: { en: "English", de: "Deutsch" },
        theme: "Colours", themes: { auto: "Same as the system", light: "Light", dark: "Dark" },
        board: "Board", boards: { brown: "Brown", blue: "Blue", green: "Green", grey: "Grey" },
        pieces: "Pieces", pieceSets: { cburnett: "Cburnett", outline: "Outline" },
        coordinates: "Coordinates", animation: "Animated moves", sound: "Sound", letters: "Keys of one letter as shortcuts",
        moveWords: "For screen readers: moves in words (“knight takes h5”)", arrows: "Arrows for the best moves",
        hash: "Engine memory", megabytes: (count: number) => `${count} MB`, hashLater: "Takes effect when you reload the page.",
        report: "Effort for reports and explanations", efforts: [[50_000, "Quick"], [100_000, "Normal"], [400_000, "Thorough"]] as [number, string][],
        engine: "Engine",
    },

    keys: {
        title: "Keyboard shortcuts",
        rows: [
            ["← →", "Back and forward"], ["↑ ↓", "Previous and next variation"], ["Home End", "To the start, to the end"],
            ["m", "Type a move: Nf3, g1f3, O-O"], ["b", "To the board: arrow keys, Enter, p n b r q k"], ["s", "Say the evaluation, in Play the last move and the clocks; typed as a move and Enter, too"], ["f", "Flip the board"], ["Space", "Engine on or off"],
            ["1 … 5", "Number of lines"], ["t", "Threat"], ["n", "Next mistake"], ["x", "Explain the last move"],
            ["Enter", "Play the best move"], ["Ctrl+V", "Paste a game or a position"], ["Delete", "Delete from here"], ["Ctrl+Z Ctrl+Y", "Undo, redo"],
            ["a p e l o", "Analyse, play, explain, learn from mistakes, lessons"],
            ["h s n", "In training: hint, solution, next; on the board s says the task"], ["u", "Set up a position"], [", ?", "Settings, this list"], ["Esc", "Close a dialog"],
        ] as [string, string][],
    },

    about: {
        title: "About Luft",
        lines: [
            "Luft is a chess engine that learned from its own games. It runs in your browser: nothing you do on this page leaves "
            + "your computer, unless you allow it to fetch games from Lichess or chess.com.",
            "Free software under the GNU General Public License, version 3 or later. The network is in the public domain (CC0).",
            "Board: chessground; rules: chessops, both by Lichess (GPL-3.0-or-later). Pieces: Cburnett by Colin M. L. Burnett "
            + "(GPL-2.0-or-later); Outline: part of Luft.",
        ],
        version: (version: string, build: string, hash: number) => `Engine ${version} (${build}), ${hash} MB of memory`,
        licences: "All licences",
        downloads: "Luft for your computer",
    },

    offline: {
        ready: "The page now works offline, too.",
        newer: "There is a new version of the page.",
        update: "Update",
        outdated: "The page was updated in another tab. This tab is out of date and may fail to save analyses.",
        reload: "Load the new version",
        missing: "This part of the page could not be loaded. Reload the page.",
    },
};

export type Texts = typeof english;
export const languages: readonly Texts[] = [english, german];
export const texts: Texts = settings.language === "de" ? german : english;
