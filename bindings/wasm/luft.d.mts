// Types of luft.mjs.

/// <reference lib="esnext.disposable" />

import type { Explanation, Finding, Overview, ReadText, Trees } from "./answers.d.mts";

export type * from "./answers.d.mts";

/** One line of play. `rank`: from 1; above 1 only with MultiPV. `score`: centipawns for the side to move or, where `isMate`, moves to
 *  mate, negative when being mated. `bound`: 0 exact, 1 at least `score`, -1 at most. `win`, `draw`, `loss`, `hashFull`: permille.
 *  `time`: milliseconds. `line`: moves in UCI. */
export interface Info {
    depth: number; selectiveDepth: number; rank: number; isMate: boolean; score: number; bound: number;
    win: number; draw: number; loss: number; nodes: number; time: number; hashFull: number; line: string[];
}

/** The type of arguments that may be absent, or undefined, which is the same. */
export type Given<Names> = { [Name in keyof Names]?: Names[Name] | undefined };

/** Times in milliseconds. What is undefined is no limit, nor is 0; but a clock at 0 has run out. */
export interface Limits extends Given<{
    depth: number; nodes: number; moveTime: number; whiteClock: number; blackClock: number;
    whiteIncrement: number; blackIncrement: number; movesToGo: number; mate: number; ponder: number | boolean;
    searchMoves: string | readonly string[];
}> {}

/** Moves in UCI; what takes moves reads SAN, too. `best` is "" where there is no legal move, and of a search that was stopped before it began. */
export interface Best { best: string; ponder: string }
/** `loss`, `before` and `after`: expected score of the side that moved, 0 to 1. `accuracy`: percent. */
export interface Verdict { nag: number; loss: number; accuracy: number; before: number; after: number }
/** Judged by `win`, `draw` and `loss` (permille) or a mate; without them the line is refused. */
export type JudgedLine = Given<Pick<Info, "isMate" | "score" | "win" | "draw" | "loss">>;
export type JudgedAs = Given<{ best: boolean; obvious: boolean; hidden: boolean }>;

export interface Option {
    name: string; type: "flag" | "number" | "text" | "button" | "choice"; help: string; standard: string; low?: number; high?: number;
    choices?: string[];
}
/** Options by their names in UCI. */
export type Options = Record<string, string | number | boolean | undefined>;
export interface Technique { name: string; summary: string }
export type GameEnd = "checkmate" | "stalemate" | "repetition" | "fifty moves" | "dead position";

/** Luft refused a call; the message says why. */
export class LuftError extends Error {
    readonly name: "LuftError";
}

/** The names of both in the DOM's types, which a project for Node need not have. */
export type Bytes = ArrayBuffer | ArrayBufferView;
export type WasmModule = object; // a WebAssembly.Module

export class Luft {
    private constructor();
    static load(wasm: Bytes | WasmModule, network: Bytes, how?: Given<{ suspend: boolean }>): Promise<Luft>;
    readonly version: string;
    readonly suspends: boolean;
    readonly options: Option[];
    readonly techniques: Technique[];
    bench(depth: number): number;
    judge(before: JudgedLine, second: JudgedLine | null, after: JudgedLine, is?: JudgedAs): Verdict;
    accuracy(losses: readonly number[]): number;
    engine(options?: Options): Engine;
    // For modules with more functions than luft.h has: calls one, with texts and numbers; what is in the module's memory.
    call(name: string, ...values: (string | number | bigint)[]): number;
    text(address: number): string | null;
    allocate(size: number): number;
    release(...addresses: number[]): void;
    view(): DataView;
}

export interface Engine extends Disposable {
    readonly fen: string;
    readonly legalMoves: string[];
    readonly inCheck: boolean;
    readonly gameEnd: GameEnd | null;
    readonly techniques: Technique[];
    setLanguage(code: string): void;
    setOption(name: string, value: string | number | boolean): void;
    setPosition(fen?: string, moves?: string | readonly string[]): void;
    loadNetwork(network: Bytes): void;
    makeMove(move: string): void;
    takeBack(): void;
    newGame(): void;
    san(move: string | readonly string[]): string | null;
    moveFromSan(san: string): string | null;
    evaluate(): number;
    read(text: string | Bytes, most?: number): ReadText;
    explain(move?: "", nodes?: number): Overview;
    explain(move: string, nodes?: number): Explanation;
    without(techniques: string | readonly string[], limits?: Pick<Limits, "nodes" | "depth">): Finding;
    tree(depth: number, without?: string | readonly string[], rows?: number): Trees;
    go(limits?: Limits, onInfo?: (info: Info) => void, how?: Given<{ poll: () => boolean; slice: number }>): Promise<Best>;
    stop(): Promise<void>;
    ponderHit(): void;
    close(): void;
}
