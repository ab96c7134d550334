// Positions and moves, built on chessops. Castling is always written as king takes rook, as UCI_Chess960 does.

import { attacks } from "chessops/attacks";
import { Chess, normalizeMove } from "chessops/chess";
import { chessgroundDests } from "chessops/compat";
import { makeFen, parseFen } from "chessops/fen";
import { makeSan } from "chessops/san";
import { isNormal, type Color, type Move, type NormalMove, type Role, type Square, type SquareName } from "chessops/types";
import { kingCastlesTo, makeSquare, makeUci, parseSquare, parseUci, squareFile } from "chessops/util";

export { INITIAL_FEN } from "chessops/fen";
export type { Chess, Color, Move, NormalMove, Role, SquareName };

export const otherColor = (color: Color): Color => (color === "white" ? "black" : "white");

/** Throws on an invalid position. Check user input with the engine first: its errors give the reason. */
export function positionOf(fen: string): Chess {
    return Chess.fromSetup(parseFen(fen).unwrap()).unwrap();
}

/** Rights to castle in Chess960 are named by the files of the rooks, as by the engine: K and Q are those of standard chess. */
export function fenOf(pos: Chess): string {
    const fen = makeFen(pos.toSetup());
    if (!isChess960(pos)) return fen;
    const letters = (color: Color) =>
        [...pos.castles.castlingRights.intersect(pos.board[color])].reverse().map(square => makeSquare(square)[0]!);
    const fields = fen.split(" ");
    fields[2] = letters("white").join("").toUpperCase() + letters("black").join("");
    return fields.join(" ");
}

/** Whether castling in this position needs Chess960's rules. */
export function isChess960(pos: Chess): boolean {
    for (const square of pos.castles.castlingRights)
        if (squareFile(square) !== 0 && squareFile(square) !== 7) return true;
    const kings = [pos.board.kingOf("white"), pos.board.kingOf("black")];
    return !pos.castles.castlingRights.isEmpty() && kings.some((king, i) =>
        king !== undefined && pos.castles.castlingRights.intersects(pos.board[i === 0 ? "white" : "black"])
        && squareFile(king) !== 4);
}

/** Reads a legal move in UCI, or in SAN exactly as it is written; undefined for anything else. What people write besides is for
 *  the engine's reader: state/reader.ts. */
export function readMove(pos: Chess, text: string): NormalMove | undefined {
    const uci = parseUci(text);
    if (!uci) return legalMoves(pos).find(move => bare(makeSan(pos, move)) === bare(text));
    const move = isNormal(uci) ? normalizeMove(pos, uci) : uci;
    return isNormal(move) && pos.isLegal(move) ? move : undefined;
}

const bare = (san: string): string => san.replace(/[+#]$/, "");

export function sanOf(pos: Chess, move: Move): string { return makeSan(pos, move); }
export const uciOf = (move: Move): string => makeUci(move);

/** A line of UCI moves as SAN; ends where a move is not legal. */
export function sansOf(pos: Chess, moves: readonly string[], most = Infinity): string[] {
    const at = pos.clone(), sans: string[] = [];
    for (const uci of moves.slice(0, most)) {
        const move = readMove(at, uci);
        if (!move) break;
        sans.push(makeSan(at, move));
        at.play(move);
    }
    return sans;
}

/** The position after a line of UCI moves, as far as they are legal. */
export function after(pos: Chess, moves: readonly string[]): Chess {
    const at = pos.clone();
    for (const uci of moves) {
        const move = readMove(at, uci);
        if (!move) break;
        at.play(move);
    }
    return at;
}

export const destinations = (pos: Chess): Map<SquareName, SquareName[]> =>
    chessgroundDests(pos, { chess960: isChess960(pos) });

/** All legal moves; each promotion is a move of its own. */
export function legalMoves(pos: Chess): NormalMove[] {
    const found: NormalMove[] = [];
    for (const [from, squares] of pos.allDests())
        for (const to of squares) {
            const promotes = pos.board.pawn.has(from) && (to >> 3 === 0 || to >> 3 === 7);
            if (!promotes) found.push({ from, to });
            else for (const promotion of PROMOTIONS) found.push({ from, to, promotion });
        }
    return found;
}

export const PROMOTIONS: readonly Role[] = ["queen", "knight", "rook", "bishop"];

/** The legal move between two squares. Castling is accepted in both forms: king takes rook, and king to its target square. */
export function moveBetween(pos: Chess, from: SquareName, to: SquareName, promotion?: Role): NormalMove | undefined {
    const move: NormalMove = { from: parseSquare(from), to: parseSquare(to) };
    if (promotion) move.promotion = promotion;
    const normal = normalizeMove(pos, move);
    return isNormal(normal) && pos.isLegal(normal) ? normal : undefined;
}

export function needsPromotion(pos: Chess, from: SquareName, to: SquareName): boolean {
    const rank = parseSquare(to) >> 3;
    return pos.board.pawn.has(parseSquare(from)) && (rank === 0 || rank === 7);
}

/** Why a piece of the side to move cannot go to a square: it never could, the king is in check, or it would be. */
export function reasonIllegal(pos: Chess, from: SquareName, to: SquareName): "never" | "check" | "exposed" {
    const [origin, target] = [parseSquare(from), parseSquare(to)], piece = pos.board.get(origin)!, { occupied } = pos.board;
    let reaches = attacks(piece, origin, occupied).has(target);
    if (piece.role === "pawn") {
        const ahead = piece.color === "white" ? 8 : -8, isFirst = origin >> 3 === (piece.color === "white" ? 1 : 6);
        const isFree = !occupied.has(origin + ahead) && (target === origin + ahead || (isFirst && target === origin + 2 * ahead && !occupied.has(target)));
        reaches = reaches ? occupied.has(target) : isFree;
    }
    return !reaches ? "never" : pos.isCheck() && piece.role !== "king" ? "check" : "exposed";
}

/** From and target square of a move, for arrows and highlights. For castling, the target is where the king lands. */
export function squaresOf(pos: Chess, uci: string): [SquareName, SquareName] | undefined {
    const move = parseUci(uci);
    if (!move || !isNormal(move)) return undefined;
    const castles = pos.board.king.has(move.from) && pos.board[pos.turn].has(move.to);
    const to: Square = castles ? kingCastlesTo(pos.turn, move.to > move.from ? "h" : "a") : move.to;
    return [makeSquare(move.from), makeSquare(to)];
}

/** Whether a move recaptures on the square of the last capture. */
export function takesBack(last: { san: string; uci: string } | undefined, uci: string): boolean {
    return last !== undefined && last.san.includes("x") && last.uci.slice(2, 4) === uci.slice(2, 4);
}

/** The position after a null move; undefined when the side to move is in check. */
export function passed(pos: Chess): Chess | undefined {
    if (pos.isCheck()) return undefined;
    const setup = pos.toSetup();
    setup.turn = otherColor(setup.turn);
    delete setup.epSquare;
    const flipped = Chess.fromSetup(setup);
    return flipped.isOk ? flipped.value : undefined;
}

/** The start position with a given Scharnagl number, 0 to 959; 518 is standard chess. */
export function chess960Fen(number: number): string {
    const row: string[] = Array(8).fill("");
    const put = (piece: string, nth: number) => {
        const free = row.flatMap((taken, file) => (taken ? [] : [file]));
        row[free[nth]!] = piece;
    };
    let rest = number;
    row[(rest % 4) * 2 + 1] = "B";
    rest = Math.floor(rest / 4);
    row[(rest % 4) * 2] = "B";
    rest = Math.floor(rest / 4);
    put("Q", rest % 6);
    rest = Math.floor(rest / 6);
    const knights = [[0, 1], [0, 2], [0, 3], [0, 4], [1, 2], [1, 3], [1, 4], [2, 3], [2, 4], [3, 4]][rest]!;
    put("N", knights[0]!);
    put("N", knights[1]! - 1); // one square fewer is free
    for (const piece of ["R", "K", "R"]) put(piece, 0);
    const rank = row.join("");
    return `${rank.toLowerCase()}/pppppppp/8/8/8/8/PPPPPPPP/${rank} w KQkq - 0 1`;
}

const VALUES = [["queen", "♕", 9], ["rook", "♖", 5], ["bishop", "♗", 3], ["knight", "♘", 3], ["pawn", "♙", 1]] as const;

/** What each side has more than the other, as figurines, and how many points that is in all. */
export function materialOf({ board }: Chess): { more: Record<Color, string>; points: Record<Color, number> } {
    const more = { white: "", black: "" }, points = { white: 0, black: 0 };
    for (const [role, figurine, value] of VALUES) {
        const extra = board.pieces("white", role).size() - board.pieces("black", role).size();
        more[extra > 0 ? "white" : "black"] += figurine.repeat(Math.abs(extra));
        points.white += extra * value;
    }
    points.black = -points.white;
    return { more, points };
}
