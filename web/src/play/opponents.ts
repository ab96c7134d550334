// The opponents in Play: levels of the engine (docs/levels.md), named by the rating of people whom they resemble.

import type { Options } from "luft/async.mjs";

export const OPPONENTS = ["700", "800", "900", "1000", "1200", "1400", "1600", "1800", "master", "full"] as const;
export type Opponent = (typeof OPPONENTS)[number];

/** What Luft plays without. */
export const ODDS = ["none", "pawn", "knight", "rook", "queen"] as const;
export type Odds = (typeof ODDS)[number];

const MASTER_ELO = 3000; // the strongest level; no rating of people is known for it
const MOST_SEED = 2 ** 31 - 1;

/** The UCI_Elo of an opponent: names are ratings of people in blitz at Lichess. Undefined at full strength. */
export function eloOf(opponent: Opponent): number | undefined {
    if (opponent === "full") return undefined;
    return opponent === "master" ? MASTER_ELO : Math.round((Number(opponent) - 350) / 0.556);
}

/** The options with which the engine plays as this opponent; undefined at full strength. */
export function levelOf(opponent: Opponent, seed: number): Options | undefined {
    const elo = eloOf(opponent);
    return elo === undefined ? undefined : { UCI_Elo: elo, "Level Seed": seed, UCI_LimitStrength: true };
}

/** The rating of people whom an opponent resembles; undefined where none is known. */
export const ratingOf = (opponent: Opponent): number | undefined => Number(opponent) || undefined;

/** The ratings of people by whose puzzles an opponent was measured, where they differ by more than 150: interpolated in the table
 *  of docs/levels.md. */
export const BY_PUZZLES: Partial<Record<Opponent, number>> = { 1200: 1400, 1400: 1700, 1600: 2100, 1800: 2650 };

/** The same seed gives the same opponent: what it overlooks depends on nothing else. */
export const newSeed = (): number => 1 + Math.floor(Math.random() * MOST_SEED);

const LEAST_PAUSE = 700, MOST_PAUSE = 8000; // milliseconds before an answer

/** Milliseconds after which a level answers: soon without a clock, or where it has no choice; else it takes a share of its time,
 *  as people do. The engine itself keeps no pace where it has no threads. */
export function paceOf(left: number | undefined, increment: number, isChosen: boolean): number {
    if (left === undefined) return LEAST_PAUSE;
    const share = isChosen ? (left / 50 + increment / 2) * (0.4 + Math.random()) : 0;
    return Math.min(Math.max(share, LEAST_PAUSE), MOST_PAUSE, left / 5);
}
