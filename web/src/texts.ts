// Every word of the page in English. A translation is a file like texts_de.ts: what it lacks does not compile.

import type { Color } from "./chess/position";
import { settings } from "./state/settings.svelte";
import { german } from "./texts_de";

const side = (color: Color): string => (color === "white" ? "White" : "Black");
const plural = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

const english = {
    side,
    name: "Luft",
    title: "Luft – analyse, play, and see why",
    notices: "Messages",
    close: "Close",
    cancel: "Cancel",
    views: { analyse: "Analyse", play: "Play", explain: "Explain" },
    menu: { settings: "Settings", keys: "Keyboard shortcuts", about: "About", skip: "Skip to the board" },
    pieces: { pawn: "pawn", knight: "knight", bishop: "bishop", rook: "rook", queen: "queen", king: "king" },

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
        chancesBar: "Winning chances",
    },

    spoken: {
        start: "Start position",
        move: (number: number, white: boolean, san: string, score: string) =>
            `${number}${white ? "." : " …"} ${san}${score ? `, ${score}` : ""}`,
    },

    moves: {
        title: "Moves",
        none: "Make a move on the board, paste a game, or drop a file here.",
        promote: "Promote variation",
        remove: "Delete from here",
        comment: "Comment",
        commentLabel: (san: string) => `Comment on ${san}`,
        nags: { 1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!", 7: "□" } as Record<number, string>,
        nagNames: { 1: "good move", 2: "mistake", 3: "brilliant move", 4: "blunder", 5: "interesting move", 6: "inaccuracy",
                    7: "only move" } as Record<number, string>,
        ended: {
            checkmate: "Checkmate", stalemate: "Draw: stalemate", material: "Draw: neither side has enough material to checkmate",
            fifty: "A draw can be claimed: 50 moves without a capture or a pawn move",
            repetition: "A draw can be claimed: this position has occurred three times",
        },
    },

    io: {
        open: "Open",
        openTitle: "Open a game or a position",
        paste: "Paste a PGN or a FEN",
        file: "Choose a file",
        drop: "… or drop a file anywhere on the page.",
        load: "Load",
        fresh: "New",
        share: "Share",
        shareTitle: "Share and save",
        kept: "Saved",
        keptTitle: "Saved analyses",
        notKept: "The browser could not save this analysis. Choose “Share” to copy or download it.",
        keptNone: "Nothing is saved yet. Luft saves each analysis in this browser as soon as it has a move.",
        remove: "Delete",
        pgn: "PGN", fen: "FEN", link: "Link",
        copy: "Copy", copied: "Copied.", notCopied: "The browser did not allow copying. The text is selected, so you can copy it yourself.",
        download: "Download PGN",
        noGame: "This text is neither a game (PGN) nor a position (FEN).",
        notShown: (fen: string) => `The page cannot show this position: ${fen}.`,
        notRead: (reason: string) => `The text cannot be read: ${reason}.`,
        skipped: (problem: string) => `Not read: ${problem}.`,
        tooLong: "The game has more moves than the page can show. The others are not opened.",
        tooLarge: (megabytes: number) => `Only the first ${megabytes} MB of the file are read.`,
        notDrawn: "The page could not show this game the last time, so it is not opened again by itself. It may be in “Saved”.",
        games: (count: number) => `The file has ${count} games. The first one is open. Choose another:`,
        linkBroken: "The link cannot be read: it is damaged, or holds more than the page opens.",
        moves: (plies: number) => plural(Math.ceil(plies / 2), "move", "moves"),
    },

    report: {
        title: "Report",
        make: "Review the game",
        stop: "Stop",
        progress: (done: number, all: number) => `${done} of ${all} positions`,
        accuracy: "Accuracy",
        next: "Next mistake",
        graph: "White's chances during the game",
        graphPoint: (move: string, score: string) => `${move}: ${score}`,
        kinds: [[6, "Inaccuracies"], [2, "Mistakes"], [4, "Blunders"]] as [number, string][],
        done: (white: number, black: number) => `Accuracy: White ${Math.round(white)} percent, Black ${Math.round(black)} percent`,
        why: "Why?",
    },

    play: {
        event: "Game against Luft", you: "You",
        title: "Play against Luft",
        color: "You play", random: "Random",
        strength: "Strength", full: "Full strength", nodes: (count: number) => `${count.toLocaleString("en")} nodes a move`,
        levels: "Levels by rating", levelsLater: "Not available yet",
        odds: "Luft starts without", oddsNone: "nothing (even game)",
        clock: "Clock", clockNone: "No clock", clockOf: (minutes: string, seconds: string) => `${minutes} min + ${seconds} s`,
        chess960: "Chess960", array: "Start position (0 to 959)", shuffle: "Random",
        start: "Start the game",
        begins: (color: Color) => `The game begins. You play ${side(color)}.`,
        yourTurn: "Your turn", thinking: "Luft is thinking …",
        takeBack: "Take back", hint: "Hint", resign: "Resign", resignSure: "Resign?", draw: "Offer a draw", again: "New game",
        hintIs: (san: string) => `Hint: ${san}`,
        drawRefused: "Luft declines the draw.",
        analyse: "Analyse this game",
        won: "You won", lost: "Luft won", drawn: "Draw",
        over: (winner: Color | null, reason: string) => `${winner ? `${side(winner)} wins` : "Draw"}: ${reason}`,
        ends: {
            checkmate: "checkmate", stalemate: "stalemate", material: "neither side has enough material to checkmate",
            fifty: "50 moves without a capture or a pawn move", repetition: "threefold repetition",
            resigned: "resignation", agreed: "agreement", time: "time ran out", timeBare: "time ran out, but the opponent has only a king",
        },
    },

    explain: {
        tabs: { move: "A move", techniques: "Techniques", tree: "Search tree" },
        intro: "Which move shall Luft explain? Play it on the board, or choose it below.",
        anyMove: "Why not …", mistakes: "Mistakes in this game", searchWithout: "search without it",
        last: (san: string) => `Why ${san}?`,
        pick: "Ask about",
        again: "New question",
        played: "After the move", better: "Better",
        lost: (percent: string) => `Loses ${percent} % of the expected score`,
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
        units: "Scores of the rules are in pawns for the side to move in that node.",
        times: (count: number) => `${count} times, first`,
        techniques: "Switch techniques off to see what the same search finds in this position without them.",
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
        treeSize: (nodes: string, depth: number, best: string) => `${nodes} nodes to depth ${depth}, best ${best}`,
        treeWith: "With all techniques", treeOff: (names: string) => `Without ${names}`,
        zoomIn: "Zoom in", zoomOut: "Zoom out", zoomFit: "Fit",
        legend: { line: "best line", exact: "searched", cut: "ended by a rule", quiescence: "quiescence", skipped: "skipped moves" },
        treeHelp: "Arrow keys move from node to node. Enter, a double click or a second tap shows only that node and what follows it. "
            + "Backspace goes back up. Drag to scroll. Zoom with Ctrl and the mouse wheel, with two fingers, or with + and −.",
        treeOpen: "Open this node", treeWhole: "Whole tree", treeBelow: "Next nodes",
        treeRules: "Rules in this tree. Press one to see where it acted.",
        ruleCount: (ended: number, skipped: number) => `${plural(ended, "node", "nodes")} ended, ${plural(skipped, "move", "moves")} skipped.`,
        compareRule: "Compare without it",
        purposes: { "move": "", "move again": "searched again", "null move": "a pass", "verification": "verification",
                    "probcut": "probcut", "singular": "singular test", "razoring": "razoring" } as Record<string, string>,
        folded: (count: number, nodes: number) => `${count} nodes not shown (${nodes} nodes of the search)`,
        over: "The game is over in this position.",
        busy: "Computing …",
    },

    settings: {
        title: "Settings",
        language: "Language", languages: { en: "English", de: "Deutsch" },
        theme: "Colours", themes: { auto: "Same as the system", light: "Light", dark: "Dark" },
        board: "Board", boards: { brown: "Brown", blue: "Blue", green: "Green", grey: "Grey" },
        pieces: "Pieces", pieceSets: { cburnett: "Cburnett", outline: "Outline" },
        coordinates: "Coordinates", animation: "Animated moves", sound: "Sound", arrows: "Arrows for the best moves",
        hash: "Engine memory", megabytes: (count: number) => `${count} MB`, hashLater: "Takes effect when you reload the page.",
        report: "Effort for reports and explanations", efforts: [[50_000, "Quick"], [100_000, "Normal"], [400_000, "Thorough"]] as [number, string][],
        engine: "Engine",
        nodes: (count: number) => plural(count, "node", "nodes"),
    },

    keys: {
        title: "Keyboard shortcuts",
        rows: [
            ["← →", "Back and forward"], ["↑ ↓", "Previous and next variation"], ["Home End", "To the start, to the end"],
            ["m", "Type a move: Nf3, g1f3, O-O"], ["f", "Flip the board"], ["Space", "Engine on or off"],
            ["1 … 5", "Number of lines"], ["t", "Threat"], ["n", "Next mistake"], ["x", "Explain the last move"],
            ["Enter", "Play the best move"], ["Ctrl+V", "Paste a game or a position"], ["Delete", "Delete from here"],
            ["a p e", "Analyse, play, explain"], [", ?", "Settings, this list"], ["Esc", "Close a dialog"],
        ] as [string, string][],
    },

    about: {
        title: "About Luft",
        lines: [
            "Luft is a chess engine that learned from its own games. It runs in your browser: nothing you do on this page leaves "
            + "your computer.",
            "Free software under the GNU General Public License, version 3 or later. The network is in the public domain (CC0).",
            "Board: chessground; rules: chessops, both by Lichess (GPL-3.0-or-later). Pieces: Cburnett by Colin M. L. Burnett "
            + "(GPL-2.0-or-later); Outline: part of Luft.",
        ],
        version: (version: string, build: string, hash: number) => `Engine ${version} (${build}), ${hash} MB of memory`,
        licences: "All licences",
    },

    offline: {
        ready: "The page now works offline, too.",
        newer: "There is a new version of the page.",
        update: "Update",
        outdated: "The page was updated in another tab. This tab is out of date and may fail to save analyses.",
        reload: "Load the new version",
    },
};

export type Texts = typeof english;
export const texts: Texts = settings.language === "de" ? german : english;
