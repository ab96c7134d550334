// The JSON objects that the engine returns. docs/explain.md and docs/analyse.md describe their fields.

export interface Move { uci: string; san: string }
export type Score = { cp: number; mate?: undefined } | { mate: number; cp?: undefined };
export type BoundName = "exact" | "lower" | "upper";

export interface Act { technique: string; effect: string; count: number; moves: Move[]; words: string }

export interface StoryNode {
    ply: number; depth: number; alpha: number; beta: number; score: number; bound: BoundName;
    searched: number; move?: Move; acts: Act[];
}

export interface Iteration {
    iteration: number; place: number; depth: number; deepest: number; searches: number; nodes: number;
    units: number; bound: BoundName;
}

export interface Explanation {
    fen: string; move: Move; best: Move; score: Score; best_score: Score;
    loss: number; depth: number; nodes: number; reason: string; words: string[];
    mate?: number; settled?: number; cause?: string; result?: { better: string; played: string };
    motif?: { kind: string; ply: number; won_at: number; forced: boolean; piece: string; victims: string[] };
    line: Move[]; better: Move[];
    search: { moves: number; iterations: Iteration[]; refutation: StoryNode[]; dropped: number };
}

/** What is going on in a position, before any move. */
export interface Overview {
    fen: string; best?: Move; score: Score; words: string[]; depth: number; nodes: number;
    threat?: { fen: string; move: Move; line: Move[] };
    pieces: { kind: string; side: string; square: string }[];
}

export interface Finding {
    depth: number; score: Score; wdl: [number, number, number]; nodes: number; time: number; pv: Move[];
}

export interface TreeAct { technique: string; effect: string; words: string }
export interface TreeNode {
    move?: Move; purpose: string; ply: number; depth: number; alpha: number; beta: number;
    score?: number; bound?: BoundName; best?: boolean; nodes: number;
    changed_by?: TreeAct[]; acts?: TreeAct[]; children?: TreeChild[];
}
export interface SkippedMoves { skipped_by: string; count: number; moves: Move[]; words: string }
export interface Folded { folded: number; nodes: number }
export type TreeChild = TreeNode | SkippedMoves | Folded;
export interface Tree { without: string[]; depth: number; nodes: number; best?: Move; score: Score; dropped: number; root: TreeNode }
export interface Trees { fen: string; trees: Tree[] }

/** What luft_read finds in a text: include/luft.h. */
export interface ReadText { games: ReadGame[]; problems: string[]; lost: number }
export interface ReadLine { comments: string[]; line: ReadMove[] }
export interface ReadGame extends ReadLine { tags: [string, string][]; fen: string; result: string; problems: string[] }
export interface ReadMove { uci: string; san: string; nags: number[]; comments: string[]; variations: ReadLine[] }
