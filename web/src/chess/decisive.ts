// What decided a game, by the rules of `luft analyse --report` (docs/analyse.md).

import type { Color } from "./position";
import { verdictsOf, type Report } from "./report";
import { isMistake, type GameTree, type TreeNode } from "./tree";

const CLOSE = 0.25; // of the expected score to the result
const LOST = 0.05; // expected score; a side below it can lose too little for a mistake
const LOST_MOVES = 3;

export interface Decision {
    node?: TreeNode; // the mistake after which the expected score stayed close to the result
    ahead?: Color | "neither"; // at the end, where that is not close to the result
}

/** White's expected score before each move of the report and at the end, with the nodes after which it is so. */
const expectedScores = (tree: GameTree, report: Report): [TreeNode, number][] =>
    [...verdictsOf(tree, report)].map(([node, { evaluation }]) => [node, evaluation.expected]);

/** undefined: the game has no result. */
export function decisionOf(tree: GameTree, report: Report): Decision | undefined {
    const result = { "1-0": 1, "0-1": 0, "1/2-1/2": 0.5 }[tree.headers.get("Result") ?? ""];
    const scores = expectedScores(tree, report), last = scores.at(-1)?.[1];
    if (result === undefined || last === undefined) return undefined;
    const before = scores.findLastIndex(([, expected]) => Math.abs(expected - result) > CLOSE);
    if (before === scores.length - 1)
        return { ahead: Math.abs(last - 0.5) < 0.5 - CLOSE ? "neither" : last > 0.5 ? "white" : "black" };
    const node = before >= 0 ? scores[before + 1]![0] : undefined;
    return node && isMistake(report.verdicts[before + 1]!.nag) ? { node } : {};
}

/** The first of at least three moves of a side that was lost before each of them and is to the end. */
export function lostFrom(tree: GameTree, report: Report): TreeNode | undefined {
    const scores = expectedScores(tree, report), loser = (scores.at(-1)?.[1] ?? 0.5) < 0.5 ? "white" : "black";
    const begin = scores.findLastIndex(([, expected]) => (loser === "white" ? expected : 1 - expected) >= LOST) + 1;
    const own = scores.slice(begin + 1).map(([node]) => node).filter(node => node.isWhitesMove === (loser === "white"));
    return own.length >= LOST_MOVES ? own[0] : undefined;
}
