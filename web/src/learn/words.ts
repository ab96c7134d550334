// The words of the view "Learn". The lessons are in English only, so these are, too.

import { languages } from "../texts";

const plural = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

const spaced = (name: string) => name.replaceAll("_", " ");

export const words = {
    title: "How a chess engine thinks",
    intro: "These lessons are about the engine, not about playing chess: how it decides what not to look at. Each one shows a technique with real "
        + "searches, which run in your browser: what it skips, what happens without it, where it fails, and what it is worth in games.",
    instead: "To become better at chess:", order: "In this order each lesson needs only those before it.",
    levels: ["easy", "medium", "advanced"], // difficulty
    /** By lesson; a new one counts as difficult. */
    level: { "bare-engine": 0, "move-ordering": 0, "quiescence": 0, "table": 0, "null-move": 1, "reverse-futility": 1, "futility": 1,
             "aspiration-windows": 1 } as Record<string, number>,
    seen: (steps: number, all: number) => `${steps} of ${plural(all, "step", "steps")}`, done: "done",
    answered: (right: number, all: number) => `${right} of ${plural(all, "answer", "answers")} right at once`,
    list: "All lessons",
    steps: "Steps",
    kinds: { predict: "Predict", see: "See", off: "Turn it off", knob: "Turn the knob", fail: "See it fail", worth: "What is it worth?",
             code: "The code", check: "Check yourself" } as Record<string, string>,
    next: "Next step", nextLesson: "Next lesson", previous: "Previous step",
    loading: "Searching …",
    unknown: (name: string) => `There is no lesson “${name}”. The link may be from another version.`,
    failed: (reason: string) => `This lesson cannot be shown: ${reason}.`,
    notSo: "The text describes Luft with its large network. This page has a smaller one, and with it the numbers above come out another way.",
    show: (name: string) => `Show “${name}” on the board`,
    source: "Source of the idea",
    // --- the board ---
    places: "What the board shows", onBoard: "On the board:", searched: "the position that is searched",
    nodeAfter: (line: string) => `the node after ${line}`, turn: (turn: string) => `${turn === "white" ? "White" : "Black"} to move`,
    // --- predict ---
    guessOne: "Your guess", isRight: "Right.", isWrong: (right: string) => `Not so: ${right}.`,
    guess: "Tap the moves on the board or in the list.",
    guessed: ["skips"], // effects whose moves can be guessed
    moves: "Legal moves", reveal: "Show", again: "Try again",
    result: (right: number, wrong: number, missed: number) =>
        `${plural(right, "move", "moves")} right, ${wrong} wrong, ${missed} not found.`,
    unguessed: "You guessed no move.",
    right: (moves: string) => `The moves: ${moves}.`,
    think: "Decide for yourself, then look.", solution: "Show the answer",
    // --- see ---
    pruned: (skipped: number, legal: number) => `Pruned ${skipped} of ${plural(legal, "move", "moves")}.`,
    acted: (count: number, legal: number) => `It acted on ${count} of ${plural(legal, "move", "moves")}.`,
    inPawns: (scores: string) => `In pawns: ${scores}.`,
    treePart: "The tree of the last iteration, as far as it is drawn, with scores in pawns. Numbers in the texts count the whole search.",
    scale: "What the rule compares, in units for the side to move",
    tree: "The tree, with this rule lit", treeAlone: "The tree",
    grow: "Draw the tree",
    // --- tables ---
    columns: { search: "Search", move: "Move", score: "Score in pawns", depth: "Depth", nodes: "Nodes", since: "Same move since", acted: "Rule acted" } as Record<string, string>,
    sinceHelp: "Same move since: the iteration from which on the best move was the same. Rule acted: how often it skipped, cut, reduced or extended.",
    asItIs: "as it is", elsewhere: "another position",
    sameNodes: "With the same number of nodes",
    added: (techniques: readonly string[]) => `and ${techniques.map(spaced).join(", ")}`,
    changed: (changes: string) => {
        const parts = changes.split(", "), numbers = parts.filter(part => part.includes("="));
        const on = parts.filter(part => part.startsWith("+")).map(part => part.slice(1)), off = parts.filter(part => /^\w+$/.test(part));
        const techniques = on.length > 0 ? `with nothing but ${on.map(spaced).join(", ")}` : off.includes("all") ? "without all of them" : `without ${off.map(spaced).join(", ")}`;
        return [...(off.length > 0 ? [techniques] : []), ...(numbers.length > 0 ? [`with ${numbers.map(number => spaced(number).replace("=", " = ")).join(", ")}`] : [])].join("; ");
    },
    // --- knob ---
    knob: (name: string) => `${name.replaceAll("_", " ")}, from its lowest to its highest value`,
    standard: "as it is",
    knobAxis: "Each dot is a search: to the right the number, upward its nodes.",
    knobHelp: "Neighbouring values can need quite different nodes: one move that is skipped changes the order of all that follows.",
    turned: (value: number, nodes: string, move: string, score: string) => `${value}: ${nodes} nodes, best ${move} ${score}`,
    // --- worth ---
    match: "A match in your browser",
    matchHelp: "Luft with all techniques against Luft without one, pairs of games from the same opening with colours reversed.",
    without: "Without", nodes: "Nodes a move", start: "Start", stop: "Stop",
    games: (wins: number, draws: number, losses: number, speed: number) =>
        `${plural(wins + draws + losses, "game", "games")}: ${wins} won, ${draws} drawn, ${losses} lost with it. ${speed.toFixed(0)} games a second.`,
    elo: (elo: string, error: string) => `Worth ${elo} ± ${error} Elo (95 %).`,
    eloUnknown: "Too few games for an Elo yet.",
    llr: "Likelihood ratio: 20 Elo against 0",
    pairs: "Pairs of games, from two losses to two wins",
    verdicts: { "continues": "Not decided yet.", "stronger": "Decided: it makes the engine stronger.",
                "not stronger": "Decided: it does not make the engine 20 Elo stronger." } as Record<string, string>,
    rungs: "The ladder, as measured",
    rungsHelp: (limit: string) => `The rows of the step “Turn it off”, each against the one before, with the 95 % error, at ${limit.replace("nodes=", "")} nodes a move.`,
    rungsColumns: ["With", "Against", "Elo", "Games"],
    ladder: "Measured worths",
    ladderHelp: "Elo that the engine loses without it, with the 95 % error, as last measured.",
    ladderColumns: { technique: "Technique", elo: "Elo", limit: "Limit", games: "Games" },
    // --- code ---
    line: (file: string, line: number) => `${file}, line ${line}`,
    values: "Values here",
    // --- check ---
    question: (number: number) => `Question ${number}`,
    answer: "Answer",
    run: "More of it, in a terminal with Luft on your computer",
    // --- challenge ---
    challenge: "Challenge: find a position in which a rule costs the right move",
    challengeIntro: "Every rule saves work nearly everywhere, and costs the right move somewhere. In the exercises you look for the move "
        + "that the engine does not see. Then find a position of your own, and send its link to a friend.",
    own: "A position of your own",
    ownHelp: "The engine searches it with the rule and without it to the same depth, and once more to a greater depth, which decides "
        + "what the right move is.",
    groups: languages[0]!.explain.groups, meanings: languages[0]!.explain.words, terms: languages[0]!.explain.terms,
    checkOwn: "Check", exercises: "Exercises",
    exercise: (technique: string, depth: number) => `${technique}, depth ${depth}`,
    noChallenge: (low: number, high: number) =>
        `This link holds no challenge: it needs a technique, a depth from ${low} to ${high}, and a position.`,
    holds: "It holds: here the rule costs the right move. The link in the address bar shares it.",
    flaws: {
        same: ([mine]: string[]) => `With the rule and without it the engine plays the same move: ${mine}. Try another rule or depth.`,
        wrong: ([mine, other, longer]: string[]) =>
            `With the rule it plays ${mine}, without it ${other}. A longer search plays ${longer}, so the rule does not cost the right move.`,
        cheap: ([mine, other]: string[]) => `Without the rule it plays ${other}, but ${mine} is less than half a pawn worse.`,
    },
};
