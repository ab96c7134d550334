// What decided a game, by its report.

import { verdictsOf, type Report } from "./report";
import type { GameTree, TreeNode } from "./tree";

const AHEAD = 0.75; // expected score from which a side is ahead

/** The move after which the winner was ahead to the end; of a draw, or where the winner was ahead from the start, the move that
 *  lost most. undefined when nothing on the board decided the game. */
export function decisiveMove(tree: GameTree, report: Report): TreeNode | undefined {
    const verdicts = verdictsOf(tree, report), nodes = tree.mainline.filter(node => verdicts.has(node));
    const result = tree.headers.get("Result"), winner = { "1-0": "white", "0-1": "black" }[result ?? ""];
    const isAhead = (node: TreeNode) => {
        const { expected } = verdicts.get(node)!.evaluation;
        return (winner === "white" ? expected : 1 - expected) >= AHEAD;
    };
    const turned = winner ? nodes.findLastIndex(node => !isAhead(node)) + 1 : 0;
    if (turned > 0) return nodes[turned];
    const lost = (node: TreeNode) => ((winner === "white") === node.isWhitesMove && winner ? 0 : verdicts.get(node)!.loss);
    const worst = nodes.toSorted((a, b) => lost(b) - lost(a))[0];
    return worst && verdicts.get(worst)!.nag ? worst : undefined;
}
