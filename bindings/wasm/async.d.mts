// Types of async.mjs.

import type { Best, Bytes, Explanation, Finding, GameEnd, Given, Info, JudgedAs, JudgedLine, Limits, Option, Options, Overview, ReadText,
              Technique, Trees, Verdict, WasmModule } from "./luft.d.mts";

export type * from "./luft.d.mts";
export { LuftError } from "./luft.mjs";

/** The address of a file (in Node also file:), or its bytes. */
export type Source = string | URL | Bytes;

export interface EngineFiles {
    module: WasmModule;
    /** A copy for one worker, to which its buffer is transferred. */
    network(): Uint8Array<ArrayBuffer> | Promise<Uint8Array<ArrayBuffer>>;
    /** Whether this host runs `wasm`, not `plain`. */
    simd: boolean;
}
export function loadFiles(files: { wasm: Source | WasmModule; plain?: Source | WasmModule; network: Source }): Promise<EngineFiles>;

export interface Settings extends Given<{
    hash: number; // megabytes; halved until the host grants the memory. Of a search: options: { Hash: 64 }
    language: string; // of explanations: "en" or "de"
    options: Options;
    suspend: boolean; // false: search in slices even if the host can suspend a search
}> {}

export interface About { version: string; hash: number; suspends: boolean; techniques: Technique[]; options: Option[] }

export interface Position extends Given<{
    fen: string; // "": the initial position
    moves: string | readonly string[]; // played from it, in UCI or SAN
}> {}

export interface SearchArguments extends Position, Given<{
    limits: Limits; // {}: until stopped
    options: Options; // of this search; those that are not named are the engine's own
    newGame: boolean; // clears what earlier searches have learned
    every: boolean; // reports every line, not only the latest of each rank at intervals
}> {}

/** What the rules say. `legalMoves` in UCI; `san`: the moves of `line`, which begins in the position. */
export interface PositionFacts { fen: string; legalMoves: string[]; inCheck: boolean; gameEnd: GameEnd | null; san: string[] }

/** The calls: argument and result of each. */
export interface Calls {
    about: [Record<never, never>, About];
    explain: [Position & { move: string } & Given<{ nodes: number }>, Explanation]; // nodes: 400,000 if not named, which take seconds
    overview: [Position & Given<{ nodes: number }>, Overview];
    without: [Position & { techniques: string | readonly string[]; limits: Pick<Limits, "nodes" | "depth"> }, Finding];
    tree: [Position & { depth: number } & Given<{ without: string | readonly string[]; rows: number }>, Trees];
    bench: [{ depth: number }, { nodes: number; milliseconds: number }];
    read: [{ text: string | Bytes } & Given<{ most: number }>, ReadText]; // at most so many games and positions of a text
    judge: [{ before: JudgedLine; second: JudgedLine | null; after: JudgedLine } & Given<{ is: JudgedAs }>, Verdict];
    accuracy: [{ losses: readonly number[] }, number];
    position: [Position & Given<{ line: string | readonly string[] }>, PositionFacts];
}
export type CallName = keyof Calls;
export type Methods = { [Name in CallName]: (args: Calls[Name][0], how?: Given<{ signal: AbortSignal }>) => Promise<Calls[Name][1]> };

/** Why a search ended: by itself; by stop(), its signal, or because its loop was left; because a later call took its place. Where it
 *  had not begun by then, `best` is "". */
export interface Ended extends Best { ended: "finished" | "stopped" | "replaced" }

export interface Search extends AsyncIterable<Info> {
    /** The best move, when the search has ended. */
    best: Promise<Ended>;
    stop(): Promise<Ended>;
    /** Of a search with the limit `ponder`: the opponent played the expected move. */
    ponderHit(): void;
}
export interface SearchListener extends Given<{
    onLines: (lines: Info[]) => void;
    signal: AbortSignal;
}> {}

export interface EngineListener {
    started?(about: About): void;
    restarted?(): void;
    failed?(reason: string): void;
}

export interface AsyncEngine extends Omit<Methods, "about"> {}
export class AsyncEngine implements Disposable {
    constructor(files: EngineFiles | Promise<EngineFiles>, settings?: Settings, listener?: EngineListener);
    about(): Promise<About>;
    analyse(args?: SearchArguments, how?: SearchListener): Search;
    go(args?: SearchArguments, how?: SearchListener): Promise<Ended>;
    /** Ends all calls: a search with the best move so far, another with a LuftError. */
    stop(): Promise<void>;
    close(reason?: string): void;
    [Symbol.dispose](): void;
}
