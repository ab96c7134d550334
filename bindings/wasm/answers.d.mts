// The JSON objects that the engine returns. docs/explain.md and docs/analyse.md describe their fields. A name that is a string here
// (a reason, a motif, a technique) is one of a list there that may grow.

export interface Move { uci: string; san: string }
export type Score = { cp: number; mate?: undefined } | { mate: number; cp?: undefined };
export type BoundName = "exact" | "lower" | "upper";
export type Side = "White" | "Black";
export type Outcome = "open" | "win" | "draw" | "loss";

// --- explain ---

/** A line from `fen`; its score is for the side to move there. */
export interface Branch { fen: string; score: Score; line: Move[] }
export interface Threat { score: Score; mate?: number; settled?: number; points?: number; branch: Branch }
export interface Motif { kind: string; ply: number; won_at: number; forced: boolean; piece: string; victims: string[] }
export type Pieces = Partial<Record<"pawn" | "knight" | "bishop" | "rook" | "queen", number>>;
export interface Material { points: number; compared: number; lost: Pieces; gained: Pieces }
export interface MoveFact { kind: string; ply: number; square: string }
export interface Fact {
    kind: string; side: Side; square: string; to?: string; line: "line" | "better" | "second" | "best"; ply: number;
    refused: string | null; worth: number;
    edits: { ply: number; control: boolean; before: number; after: number; fen: string }[];
}

/** What a line achieves. */
export interface Achievement {
    mate?: number; mate_pattern?: string; settled?: number; material?: Material; motif?: Motif; also?: Motif;
}
export interface Merit {
    kind: string; only: boolean; offered?: number; second?: Branch; accepted?: Branch; threat?: Threat; motif?: Motif;
}

export interface Act { technique: string; effect: string; count: number; moves: Move[]; words: string }
export interface StoryNode {
    ply: number; depth: number; alpha: number; beta: number; score: number; bound: BoundName;
    searched: number; move?: Move; acts: Act[];
}
export interface Iteration {
    iteration: number; place: number; depth: number; deepest: number; searches: number; nodes: number;
    units: number; bound: BoundName;
}
/** How the search treated the move. */
export interface Story { moves: number; iterations: Iteration[]; refutation: StoryNode[]; dropped: number }
export interface SearchResult { depth: number; nodes: number; units: number; best?: Move }
export interface Totals {
    nodes: number; visits: number; table_visits: number; reduced: number; re_searched: number;
    techniques: { technique: string; acted: number; skipped: number; saved?: number }[];
}

export interface Explanation extends Achievement {
    schema: number; fen: string; move: Move; best: Move; score: Score; best_score: Score;
    loss: number; depth: number; nodes: number; reason: string; words: string[];
    result?: { better: Outcome; played: Outcome; draw?: string }; cause?: string;
    natural?: Branch; opposition?: Branch; against?: MoveFact; in_favour?: MoveFact; reply_threat?: Threat;
    merit?: Merit; pass?: Threat; facts?: Fact[];
    line: Move[]; better: Move[]; shown: { line: number; better: number; second?: number };
    search: Story; without: { without: string | null; same_depth: SearchResult; same_nodes: SearchResult }[]; totals: Totals;
}

// --- overview: what is going on in a position, before any move ---

export interface Plan extends Achievement { fen: string; move: Move; score: Score; shown: number; line: Move[] }
export interface Trouble { kind: string; side: Side; square: string; lost?: boolean; others: string[] }
export interface Overview {
    schema: number; fen: string; score: Score; depth: number; nodes: number; words: string[];
    best: Plan; pass?: Score; threat?: Plan; pieces: Trouble[]; facts: Fact[];
}

// --- without ---

/** A line, as `luft analyse --json` writes it. */
export interface Finding {
    schema: number; fen: string; depth: number; seldepth: number; rank: number; score: Score; wdl: [number, number, number];
    nodes: number; time: number; hashfull: number; tbhits: number; pv: Move[];
}

// --- tree ---

export interface TreeAct { technique: string; effect: string; words: string }
export interface TreeNode {
    move?: Move; purpose: string; ply: number; depth: number; alpha: number; beta: number;
    score?: number; bound?: BoundName; best: boolean; nodes: number;
    changed_by?: TreeAct[]; acts?: TreeAct[]; children: TreeChild[];
}
export interface SkippedMoves { skipped_by: string; count: number; moves: Move[]; words: string }
export interface Folded { folded: number; nodes: number }
export type TreeChild = TreeNode | SkippedMoves | Folded;
export interface Tree {
    without: string[]; set: Record<string, number>; depth: number; nodes: number; best: Move | null; score: Score;
    root: TreeNode; dropped: number; iteration_nodes?: number;
}
export interface Trees { schema: number; fen: string; trees: Tree[] }

// --- read ---

/** What luft_read finds in a text: include/luft.h. */
export interface ReadText { games: ReadGame[]; problems: string[]; lost: number }
export interface ReadLine { comments: string[]; line: ReadMove[] }
export interface ReadGame extends ReadLine { tags: [string, string][]; fen: string; result: string; problems: string[] }
export interface ReadMove { uci: string; san: string; nags: number[]; comments: string[]; variations: ReadLine[] }
