// A position whose continuation is hidden until a good move is found: which moves are good.

import { mistakeOf, verdictsOf, type Verdict } from "./report";
import { isMistake, type GameTree, type TreeNode } from "./tree";

/** Whether the game has this move without a sign of a mistake, or the report calls it the better one. */
export function isSolution(tree: GameTree, { children }: TreeNode, uci: string): boolean {
    const verdicts: Map<TreeNode, Verdict> = tree.report ? verdictsOf(tree, tree.report) : new Map();
    const move = children.find(child => child.uci === uci);
    if (move) return !move.nags.some(isMistake) && !mistakeOf(move, verdicts.get(move));
    return children[0] !== undefined && verdicts.get(children[0])?.better[0] === uci;
}

/** The position after a good move and the reply to it; undefined where no further move is to be found. */
export function nextPuzzle(tree: GameTree, { children }: TreeNode, uci: string): TreeNode | undefined {
    const reply = children.find(child => child.uci === uci)?.children[0];
    return reply?.children.some(move => isSolution(tree, reply, move.uci)) ? reply : undefined;
}

/** The positions in which a move is asked for, along the first solutions. */
export function puzzlesFrom(tree: GameTree, first: TreeNode): TreeNode[] {
    const found = [first];
    for (;;) {
        const at = found.at(-1)!, solution = at.children.find(({ uci }) => isSolution(tree, at, uci));
        const next = solution && nextPuzzle(tree, at, solution.uci);
        if (!next) return found;
        found.push(next);
    }
}
