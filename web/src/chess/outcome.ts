// How a game ends by the rules of chess.

import { otherColor, type Color } from "./position";
import type { TreeNode } from "./tree";

export interface Outcome {
    kind: "checkmate" | "stalemate" | "material" | "fifty" | "repetition";
    winner?: Color;
    byClaim: boolean; // a draw that can be claimed; play may go on
}

/** The part of a FEN that must occur again for a repetition. */
const withoutCounters = (fen: string): string => fen.split(" ").slice(0, 4).join(" ");

export function outcomeOf(node: TreeNode): Outcome | undefined {
    const pos = node.position;
    if (pos.isCheckmate()) return { kind: "checkmate", winner: otherColor(pos.turn), byClaim: false };
    if (pos.isStalemate()) return { kind: "stalemate", byClaim: false };
    if (pos.isInsufficientMaterial()) return { kind: "material", byClaim: false };
    if (pos.halfmoves >= 100) return { kind: "fifty", byClaim: true };
    let seen = 1;
    for (let at = node.parent, left = pos.halfmoves; at && left > 0; at = at.parent, left--)
        if (withoutCounters(at.fen) === withoutCounters(node.fen)) seen++;
    return seen >= 3 ? { kind: "repetition", byClaim: true } : undefined;
}
