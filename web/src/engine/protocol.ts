// What the page and the engine's worker say to each other. Every call has an answer: `result`, or `error` with the reason.

import type { Best, Info, JudgedLine, Limits, Verdict } from "../../../bindings/wasm/luft.mjs";
import type { Explanation, Finding, Trees } from "./answers";

export type { Best, Info, JudgedLine, Limits, Verdict };

export interface StartArguments {
    module: WebAssembly.Module;
    network: Uint8Array<ArrayBuffer>; // handed over, not copied
    hash: number; // megabytes; halved as long as the memory is refused
    suspend?: boolean; // false: search in slices although the browser could suspend the search
}

export interface Started {
    version: string;
    hash: number;
    suspends: boolean;
    techniques: { name: string; summary: string }[];
}

export interface Place {
    fen: string;
    moves: string[]; // as in UCI, castling as king takes rook
}

export interface SearchArguments extends Place {
    lines: number;
    limits: Limits; // none: until stopped
    forget?: boolean; // what earlier searches have taught
    every?: boolean; // tells every line, not only the last ones
}

export interface JudgeArguments {
    before: JudgedLine;
    second: JudgedLine | null;
    after: JudgedLine;
    is: { best: boolean; obvious: boolean; hidden: boolean };
}

/** The calls, by name: what they take and what they answer. */
export interface Calls {
    start: [StartArguments, Started];
    search: [SearchArguments, Best];
    check: [{ fen: string }, { fen: string }]; // refuses what is no position, with the engine's reason
    judge: [JudgeArguments, Verdict];
    accuracy: [{ losses: number[] }, number];
    bench: [{ depth: number }, { nodes: number; milliseconds: number }];
    explain: [Place & { move: string; nodes: number }, Explanation];
    without: [Place & { off: string[]; nodes: number; depth: number }, Finding];
    tree: [Place & { depth: number; off: string[]; rows: number }, Trees];
}

export type CallName = keyof Calls;

/** These keep the worker's thread until they are done: it answers no ping meanwhile. */
export const BLOCKING: readonly CallName[] = ["start", "bench", "explain", "without", "tree"];

export type ToWorker =
    | { [Name in CallName]: { what: Name; id: number; args: Calls[Name][0] } }[CallName]
    | { what: "stop"; id: number }
    | { what: "ping" };

export type FromWorker =
    | { what: "result"; id: number; result: unknown }
    | { what: "error"; id: number; error: string }
    | { what: "lines"; id: number; lines: Info[] }
    | { what: "pong" };
