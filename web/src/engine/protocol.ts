// Messages between the page and the engine's worker. Every call is answered by `result`, or by `error` with the reason.

import type { Best, Info, JudgedLine, Limits, Verdict } from "../../../bindings/wasm/luft.mjs";
import type { Explanation, Finding, Overview, Trees } from "./answers";

export type { Best, Info, JudgedLine, Limits, Verdict };

export interface StartArguments {
    module: WebAssembly.Module;
    network: Uint8Array<ArrayBuffer>; // transferred, not copied
    language: string; // of explanations
    hash: number; // megabytes; halved until the browser grants the memory
    suspend?: boolean; // false: search in slices even if the browser can suspend a search
}

export interface Started {
    version: string;
    hash: number;
    suspends: boolean;
    techniques: { name: string; summary: string }[];
}

export interface UciPosition {
    fen: string;
    moves: string[]; // in UCI notation, castling as king takes rook
}

/** An opponent of limited strength: docs/levels.md. */
export interface Level { elo: number; seed: number }

export interface SearchArguments extends UciPosition {
    lines: number;
    limits: Limits; // {}: until stopped
    level?: Level | undefined; // none: full strength
    newGame?: boolean; // clears what earlier searches have learned
    every?: boolean; // reports every line, not only the latest of each rank
}

export interface JudgeArguments {
    before: JudgedLine;
    second: JudgedLine | null;
    after: JudgedLine;
    is: { best: boolean; obvious: boolean; hidden: boolean };
}

/** What luft_read finds in a text: include/luft.h. */
export interface ReadText { games: ReadGame[]; problems: string[]; lost: number }
export interface ReadLine { comments: string[]; line: ReadMove[] }
export interface ReadGame extends ReadLine { tags: [string, string][]; fen: string; result: string; problems: string[] }
export interface ReadMove { uci: string; san: string; nags: number[]; comments: string[]; variations: ReadLine[] }

/** The calls: arguments and result of each. */
export interface Calls {
    start: [StartArguments, Started];
    search: [SearchArguments, Best];
    read: [{ bytes: Uint8Array<ArrayBuffer>; most: number }, ReadText]; // at most so many games and positions of a text
    judge: [JudgeArguments, Verdict];
    accuracy: [{ losses: number[] }, number];
    bench: [{ depth: number }, { nodes: number; milliseconds: number }];
    explain: [UciPosition & { move: string; nodes: number }, Explanation];
    overview: [UciPosition & { nodes: number }, Overview];
    without: [UciPosition & { off: string[]; nodes: number; depth: number }, Finding];
    tree: [UciPosition & { depth: number; off: string[]; rows: number }, Trees];
}

export type CallName = keyof Calls;

/** The text of anything that was thrown. */
export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** These calls block the worker's thread: it answers no ping until they are done. */
export const BLOCKING: readonly CallName[] = ["start", "bench", "explain", "overview", "without", "tree"];

export type ToWorker =
    | { [Name in CallName]: { what: Name; id: number; args: Calls[Name][0] } }[CallName]
    | { what: "stop"; id: number }
    | { what: "ping" };

export type FromWorker =
    | { what: "result"; id: number; result: unknown }
    | { what: "error"; id: number; error: string }
    | { what: "lines"; id: number; lines: Info[] }
    | { what: "pong" };
