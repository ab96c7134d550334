// A position that is being set up: anything may stand anywhere. What it says besides its pieces is kept possible.

import type { Setup } from "chessops/setup";
import type { Color, Piece, Square } from "chessops/types";
import { squareFile, squareRank } from "chessops/util";
import { otherColor } from "./position";

export type { Piece, Setup, Square };
export { defaultSetup } from "chessops/setup";

/** A right to castle: by the rook that has it, else by the outermost one on that side of the king. */
export interface Castling { color: Color; side: "king" | "queen"; rook: Square }

const backRank = (color: Color): number => (color === "white" ? 0 : 7);

/** The rights that the kings and rooks allow. */
export function castlingOf({ board, castlingRights }: Setup): Castling[] {
    const found: Castling[] = [];
    for (const color of ["white", "black"] as const) {
        const king = board.kingOf(color), onRank = (square: Square) => squareRank(square) === backRank(color);
        if (king === undefined || !onRank(king)) continue;
        const rooks = [...board.pieces(color, "rook")].filter(onRank);
        for (const side of ["king", "queen"] as const) {
            const there = rooks.filter(rook => (side === "king" ? rook > king : rook < king));
            const rook = there.find(square => castlingRights.has(square)) ?? there.at(side === "king" ? -1 : 0);
            if (rook !== undefined) found.push({ color, side, rook });
        }
    }
    return found;
}

/** The squares over which a pawn may just have passed, and can be captured. */
export function enPassantOf({ board, turn }: Setup): Square[] {
    const [from, step] = turn === "white" ? [40, -8] : [16, 8]; // the rank that is passed over, and where the pawn stands then
    const theirs = board.pieces(otherColor(turn), "pawn"), ours = board.pieces(turn, "pawn");
    return Array.from({ length: 8 }, (_, file) => from + file).filter(square => {
        const pawn = square + step, file = squareFile(square);
        const canBeCaptured = (file > 0 && ours.has(pawn - 1)) || (file < 7 && ours.has(pawn + 1));
        return theirs.has(pawn) && !board.occupied.has(square) && !board.occupied.has(square - step) && canBeCaptured;
    });
}

/** A setup with some changes, of which nothing impossible remains. */
export function changed(setup: Setup, changes: Partial<Setup>): Setup {
    const next = { ...setup, ...changes };
    let castlingRights = next.castlingRights;
    const possible = castlingOf(next).map(({ rook }) => rook);
    for (const rook of castlingRights) if (!possible.includes(rook)) castlingRights = castlingRights.without(rook);
    const epSquare = enPassantOf(next).find(square => square === next.epSquare);
    return { ...next, castlingRights, epSquare };
}

/** A setup with a piece, or none, on a square. */
export function withPiece(setup: Setup, square: Square, piece: Piece | undefined): Setup {
    const board = setup.board.clone();
    if (piece) board.set(square, piece);
    else board.take(square);
    return changed(setup, { board });
}
