// Types of luft.mjs.

/** One line of play, with the fields of LuftInfo in include/luft.h; times in microseconds. */
export interface Info {
    depth: number; selectiveDepth: number; rank: number; isMate: boolean; score: number; bound: number;
    win: number; draw: number; loss: number; nodes: number; time: number; hashFull: number; line: string[];
}

export interface Limits {
    depth?: number; nodes?: number; moveTime?: number; whiteClock?: number; blackClock?: number;
    whiteIncrement?: number; blackIncrement?: number; movesToGo?: number; mate?: number; ponder?: number;
    searchMoves?: string | string[];
}

export interface Best { best: string; ponder: string }
export interface Verdict { nag: number; loss: number; accuracy: number }
export type JudgedLine = Partial<Pick<Info, "isMate" | "score" | "win" | "draw" | "loss">>;

export interface Option {
    name: string; type: "flag" | "number" | "text" | "button" | "choice"; help: string; standard: string; low?: number; high?: number;
}
export type GameEnd = "checkmate" | "stalemate" | "repetition" | "fifty moves" | "dead position";

export class LuftError extends Error {}

export class Luft {
    static load(wasm: BufferSource | WebAssembly.Module, network: Uint8Array, how?: { suspend?: boolean }): Promise<Luft>;
    readonly version: string;
    readonly suspends: boolean;
    readonly options: Option[];
    readonly techniques: { name: string; summary: string }[];
    bench(depth: number): number;
    judge(before: JudgedLine, second: JudgedLine | null, after: JudgedLine,
          is?: { best?: boolean; obvious?: boolean; hidden?: boolean }): Verdict;
    accuracy(losses: number[]): number;
    engine(options?: Record<string, string | number | boolean>): Engine;
    // For modules with more functions than luft.h has: calls one, with texts and numbers; what is in the module's memory.
    call(name: string, ...values: (string | number | bigint)[]): number;
    text(address: number): string | null;
    allocate(size: number): number;
    release(...addresses: number[]): void;
    view(): DataView;
}

export interface Engine {
    readonly fen: string;
    readonly legalMoves: string[];
    readonly inCheck: boolean;
    readonly gameEnd: GameEnd | null;
    readonly techniques: { name: string; summary: string }[];
    setLanguage(code: string): void;
    setOption(name: string, value: string | number | boolean): void;
    setPosition(fen?: string, moves?: string): void;
    loadNetwork(bytes: Uint8Array): void;
    makeMove(move: string): void;
    takeBack(): void;
    newGame(): void;
    san(move: string): string | null;
    moveFromSan(san: string): string | null;
    evaluate(): number;
    read(text: string | Uint8Array, most?: number): unknown;
    explain(move?: string, nodes?: number): unknown;
    without(techniques: string[], limits?: Pick<Limits, "nodes" | "depth">): unknown;
    tree(depth: number, without?: string[], rows?: number): unknown;
    go(limits?: Limits, onInfo?: (info: Info) => void, how?: { poll?: () => boolean; slice?: number }): Promise<Best>;
    stop(): void;
    ponderHit(): void;
    close(): void;
}
