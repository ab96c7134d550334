// A challenge: a position in which a technique costs the right move. A link holds it, and the search judges it as
// lessons/challenge/template.txt claims.

import { exercises, template } from "virtual:challenge";
import { searchesOf, type Lesson } from "./lesson";

export interface Challenge { technique: string; depth: number; fen: string }

export { exercises };
export const NAME = "challenge";
export const DEPTHS = { low: 2, high: 12 }; // of the search that goes wrong
const DEEPER = 4; // plies more: the search that decides which move is right

export const isChallenge = (name: string): boolean => name === NAME || name.startsWith(`${NAME}?`);

/** The name under which the view "Learn" opens it: what stands in the link. */
export const nameOf = ({ technique, depth, fen }: Challenge): string =>
    `${NAME}?technique=${technique}&depth=${depth}&position=${fen.replaceAll(" ", "_")}`;

/** Undefined for a link that holds none. What it holds is checked by the engine. */
export function challengeOf(name: string): Challenge | undefined {
    const query = new URLSearchParams(name.split("?")[1] ?? "");
    const technique = query.get("technique") ?? "", depth = Number(query.get("depth")), fen = (query.get("position") ?? "").replaceAll("_", " ").trim();
    const isSound = /^\w+$/.test(technique) && depth >= DEPTHS.low && depth <= DEPTHS.high && Number.isInteger(depth) && /^[\w/ -]+$/.test(fen);
    return isSound ? { technique, depth, fen } : undefined;
}

/** The lesson that shows and checks it. */
export function textOf({ technique, depth, fen }: Challenge): string {
    const values: Record<string, string> = { TECHNIQUE: technique, DEPTH: String(depth), DEEPER: String(depth + DEEPER), FEN: fen };
    return template.replace(/\$(\w+)/g, (_, name: string) => values[name] ?? "");
}

export type Flaw = "same" | "wrong" | "cheap";

/** Why the technique costs nothing here; undefined: it costs the right move. The claims stand in this order. */
export function flawOf(lesson: Lesson): Flaw | undefined {
    const at = lesson.items.filter(({ kind }) => kind === "claim").findIndex(({ holds }) => !holds);
    return (["same", "wrong", "cheap"] as const)[at];
}

/** The moves of the search with the technique, of the one without it, and of the longer one. */
export const movesOf = (lesson: Lesson): string[] => searchesOf(lesson, "with without longer").map(({ best }) => best.san);
