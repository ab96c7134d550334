// Messages between the view "Learn" and its worker, which runs the module of the lessons: bindings/wasm/lessons.c.

import type { Finding, Trees } from "luft/async.mjs";
import type { Lesson } from "./lesson";

export interface MatchState {
    wins: number; draws: number; losses: number; pairs: number[]; elo: number | null; error: number | null;
    llr: number | null; lower: number; upper: number; verdict: string;
}

export interface LearnCalls {
    start: [{ module: WebAssembly.Module; network: Uint8Array<ArrayBuffer> }, null];
    lesson: [{ text: string }, Lesson];
    tree: [{ fen: string; depth: number; changes: string[]; rows: number }, Trees];
    without: [{ fen: string; changes: string[]; nodes: number; depth: number }, Finding];
    techniques: [object, { name: string; summary: string }[]];
    beginMatch: [{ technique: string; nodes: number }, null];
    playPair: [{ opening: string }, MatchState];
}

export type LearnCall = { [Name in keyof LearnCalls]: { id: number; what: Name; args: LearnCalls[Name][0] } }[keyof LearnCalls];
export interface LearnAnswer { id: number; result?: unknown; error?: string }
