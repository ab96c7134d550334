// Scores as the page shows them, always from White's view.

import type { Info, Score } from "luft/async.mjs";
import type { Evaluation } from "./tree";
import type { Color } from "./position";

/** "+0.35", "-1.20", "#4", "#-2". */
export function scoreText(score: { cp?: number | undefined; mate?: number | undefined }): string {
    if (score.mate !== undefined) return `#${score.mate}`;
    const pawns = (score.cp ?? 0) / 100;
    return `${pawns > 0 ? "+" : pawns < 0 ? "−" : ""}${Math.abs(pawns).toFixed(2)}`;
}

/** Converts a score of the side to move to White's view. */
export function forWhite(score: Score, turn: Color): Score {
    if (turn === "white") return score;
    return score.mate !== undefined ? { mate: -score.mate } : { cp: -score.cp };
}

export function evaluationOf(info: Info, turn: Color): Evaluation {
    const sign = turn === "white" ? 1 : -1;
    const own = info.isMate ? (info.score > 0 ? 1 : 0) : (info.win + info.draw / 2) / 1000;
    const expected = turn === "white" ? own : 1 - own;
    return info.isMate ? { mate: sign * info.score, expected, depth: info.depth }
                       : { cp: sign * info.score, expected, depth: info.depth };
}

/** Win, draw, loss for White in permille. */
export function chancesOf(info: Info, turn: Color): [number, number, number] {
    if (info.isMate) return (info.score > 0) === (turn === "white") ? [1000, 0, 0] : [0, 0, 1000];
    return turn === "white" ? [info.win, info.draw, info.loss] : [info.loss, info.draw, info.win];
}

/** The same at the end of a game. */
export const chancesOfEnd = (winner: Color | undefined): [number, number, number] =>
    winner === undefined ? [0, 1000, 0] : winner === "white" ? [1000, 0, 0] : [0, 0, 1000];

/** For evaluations that another program wrote to a PGN: the logistic curve that Lichess uses for centipawns. */
export function expectedOfCentipawns(cp: number): number {
    return 1 / (1 + Math.exp(-0.00368208 * cp));
}

const MATERIAL: Record<string, number> = { p: 1, n: 3, b: 3, r: 5, q: 9 };

/** The centipawns to which the engine gives this expected score, 0 to 1 without both, in this position: its model of the chances
 *  (src/engine/chances.h, whose numbers the build reads), solved for the score. With u = exp(beta * score) and a = exp(-alpha),
 *  win - loss = a (u^2 - 1) / ((1 + a u) (u + a)). */
export function centipawnsOf(expected: number, fen: string): number {
    const counted = [...fen.split(" ")[0]!.toLowerCase()].reduce((sum, letter) => sum + (MATERIAL[letter] ?? 0), 0);
    const x = Math.min(Math.max(counted, 17), 78) / 58, polynomial = (terms: number[]) => terms.reduceRight((sum, term) => sum * x + term);
    const a = Math.exp(-polynomial(CHANCE_ALPHA)), margin = 2 * expected - 1, half = (margin * (1 + a * a)) / 2;
    const u = (half + Math.sqrt(half * half + a * a * (1 - margin * margin))) / (a * (1 - margin));
    return Math.round(((Math.log(u) / polynomial(CHANCE_BETA)) * 100) / UNITS_PER_PAWN);
}

/** A score in the search's own units as text; mates without their distance. */
export const unitsText = (units: number): string =>
    Math.abs(units) > 31000 ? (units > 0 ? "mate" : "−mate") : scoreText({ cp: Math.trunc((units * 100) / UNITS_PER_PAWN) + 0 }); // as the engine does it, and without -0

/** The time on a clock: "9:30", "1:02:03"; "" where it is not known. */
export function clockText(clock: number | undefined): string {
    if (clock === undefined) return "";
    const seconds = Math.floor(clock), two = (count: number) => String(count).padStart(2, "0"), minutes = Math.floor(seconds / 60);
    return seconds < 3600 ? `${minutes}:${two(seconds % 60)}` : `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`;
}

export function countText(count: number): string {
    if (count < 10_000) return String(count);
    if (count < 1_000_000) return `${(count / 1000).toFixed(count < 100_000 ? 1 : 0)} k`;
    return `${(count / 1e6).toFixed(1)} M`;
}
