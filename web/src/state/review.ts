// Reviews a game: searches every position and judges every move, like `luft analyse game.pgn`.

import { evaluationOf } from "../chess/score";
import { legalMoves, takesBack } from "../chess/position";
import { JUMP, smoothed, type Report, type SideReport, type Verdict, type Why } from "../chess/report";
import { isMistake, type Evaluation, type GameTree, type TreeNode } from "../chess/tree";
import type { AsyncEngine, Explanation, Info, JudgedLine, Search } from "luft/async.mjs";
import { outcomeOf } from "../chess/outcome";

const SHALLOW_DEPTH = 5; // the best move of this iteration counts as easy to see
const HIDDEN_DEPTH = 10; // a search this deep can find a move that is hidden at SHALLOW_DEPTH
const LINE_KEPT = 10; // plies of the better line that are kept

interface Searched {
    evaluation: Evaluation;
    line: JudgedLine;
    second: Info | null;
    best: string[];
    depth: number;
    shallow: string | undefined;
}

/** The sign for a loss of expected score (docs/analyse.md). */
const signOf = (loss: number): number => (loss >= 0.2 ? 4 : loss >= 0.1 ? 2 : loss >= 0.05 ? 6 : 0);

/** What a mistake has in common with others, as `luft analyse --summary` counts them. */
function whyOf({ reason, cause, motif, result }: Explanation): Why | undefined {
    if (reason === "best" || reason === "as good as the best") return undefined;
    return { cause: cause ?? reason, motif: motif?.kind ?? "none", isMissed: reason.startsWith("misses") || result?.better === "draw" };
}

/** The points that a move gives away, as explained. */
const pointsGiven = ({ reason, material }: Explanation): number => (reason === "loses material" && material ? material.points : 0);

/** Whether a move is no better than to give a piece away. */
export const givesAway = (answer: Explanation): boolean => pointsGiven(answer) >= PIECE || answer.reason === "allows mate";

type Found = Pick<Report, "line" | "verdicts">;

/** How far a review is: its share, and what is counted meanwhile, the positions or the mistakes that are explained. */
export interface Progress { share: number; of: "positions" | "mistakes"; done: number; all: number }

const SEARCHED = 0.5, COMPARED = 0.6; // shares of the first searches, and of those where the score jumps with them

const DECIDED = 0.1; // expected score of the side that is lost: from here on a piece costs too little for a sign
const FALL = 150; // centipawns: so much a piece costs at least
const PIECE = 3; // points

const AGAIN = 4; // times the nodes for the positions on both sides of a jump
const ROUNDS = 2; // of that

export class Reviewer {
    #running: Search | undefined;
    #stopped = false;
    #searched: Searched[] = []; // of the first position and after each move

    /** `explain` is asked about each mistake: a sign that it does not confirm is not given. */
    constructor(private engine: AsyncEngine, private tree: GameTree, private nodes: number,
                private explain: (node: TreeNode) => Promise<Explanation>) {}

    stop(): void {
        this.#stopped = true;
        void this.#running?.stop();
    }

    /** undefined if stopped. Calls `progress` with what is found, and how many positions are done, of all. The same
     *  game gives the same report: the first search clears what the engine has learned, and all searches count nodes.
     *  Where the score jumps, both positions are searched again with more nodes, the last moves first, so that the table hands
     *  back what comes later. A mistake has to be confirmed by its explanation. What is left of a jump is smoothed. */
    async review(progress: (found: Found, at: Progress) => void): Promise<Report | undefined> {
        const { root, mainline } = this.tree, line = mainline.map(node => node.uci), nodes = [root, ...mainline], last = mainline.length;
        let verdicts: Verdict[] = [], share = 0;
        const tell = (at: number, of: Progress["of"], done: number, all: number) =>
            progress({ line, verdicts }, { share: share = Math.max(share, at), of, done, all });
        for (const [i, node] of nodes.entries()) {
            if (i > 0) tell(SEARCHED * i / nodes.length, "positions", i, nodes.length);
            const found = await this.#search(node, this.nodes, i === last, i === 0);
            if (this.#stopped) return undefined;
            this.#searched.push(found);
            verdicts = [...verdicts, await this.#verdictOf(i)];
        }
        await this.#searchJumps(nodes, 
            i => tell(SEARCHED + (COMPARED - SEARCHED) * (last - i) / nodes.length, "positions", nodes.length, nodes.length));
        if (this.#stopped) return undefined;
        for (const i of nodes.keys()) verdicts = verdicts.with(i, await this.#verdictOf(i));
        const bad = [...verdicts.entries()].filter(([i, { nag }]) => isMistake(nag) || this.#isFall(verdicts, i));
        let open = bad.length; // a mistake is done when it is explained
        const explained = () => tell(1 - (1 - COMPARED) * open / bad.length, "mistakes", bad.length - open, bad.length);
        if (open > 0) explained();
        await Promise.all(bad.map(async ([i, verdict]) => {
            const confirmed = await this.#confirmed(mainline[i - 1]!, verdict);
            verdicts = verdicts.with(i, confirmed);
            open--;
            if (!this.#stopped) explained();
        }));
        if (this.#stopped) return undefined;
        verdicts = smoothed(verdicts, nodes);
        return { line, verdicts, nodes: this.nodes, white: await this.#side(verdicts, 1), black: await this.#side(verdicts, 0) };
    }

    async #verdictOf(i: number): Promise<Verdict> {
        const { evaluation } = this.#searched[i]!;
        if (i === 0) return { evaluation, nag: 0, loss: 0, better: [] };
        const { nag, loss } = await this.#judge(i, this.tree.mainline[i - 1]!);
        return { evaluation, nag, loss, better: isMistake(nag) ? this.#searched[i - 1]!.best.slice(0, LINE_KEPT) : [] };
    }

    /** What a move costs by the searches before and after it; negative: the one before has missed how good it is. */
    #lossOf(i: number, node: TreeNode): number {
        const [before, after] = [this.#searched[i - 1]!, this.#searched[i]!].map(({ evaluation }) => evaluation.expected) as [number, number];
        return node.isWhitesMove ? before - after : after - before;
    }

    /** Searches once more, with more nodes, the positions on both sides of a jump. */
    async #searchJumps(nodes: readonly TreeNode[], tell: (i: number) => void): Promise<void> {
        const again = new Set<number>();
        const search = async (i: number) => {
            if (again.has(i) || this.#stopped) return;
            again.add(i);
            this.#searched[i] = await this.#search(nodes[i]!, AGAIN * this.nodes, i === nodes.length - 1, false);
        };
        for (let round = 0; round < ROUNDS; round++) {
            for (let i = nodes.length - 1; i > 0 && !this.#stopped; i--) {
                tell(i);
                if (Math.abs(this.#lossOf(i, nodes[i]!)) < JUMP) continue;
                await search(i);
                await search(i - 1);
            }
        }
    }

    /** Whether the score falls by as much as a piece, in a game that was and stays decided. */
    #isFall(verdicts: readonly Verdict[], i: number): boolean {
        const [before, after] = [verdicts[i - 1]?.evaluation, verdicts[i]!.evaluation];
        if (before?.cp === undefined || after.cp === undefined || verdicts[i]!.nag !== 0) return false;
        const isDecided = [before, after].every(({ expected }) => Math.min(expected, 1 - expected) < DECIDED);
        return isDecided && (this.tree.mainline[i - 1]!.isWhitesMove ? before.cp - after.cp : after.cp - before.cp) >= FALL;
    }

    /** The verdict as "Why?" gives it, too: both come from the explanation. A forced mate is judged as it is. */
    async #confirmed(node: TreeNode, verdict: Verdict): Promise<Verdict> {
        try {
            const answer = await this.explain(node), { loss, score, best_score, words } = answer, why = whyOf(answer);
            // The sentence may name the better move, so the line begins with the same one.
            const better = answer.better.length > 0 ? answer.better.slice(0, LINE_KEPT).map(({ uci }) => uci) : verdict.better;
            const said = { words: words[0] ?? "", better, ...(why && { why }) };
            const nag = signOf(loss), given = pointsGiven(answer);
            if (nag === 0 && verdict.nag === 0) return given >= PIECE ? { ...verdict, ...said, given } : verdict; // #isFall
            if (score.mate !== undefined || best_score.mate !== undefined) return { ...verdict, ...said };
            return { ...verdict, loss, nag, ...(nag ? said : { better: [] }) };
        } catch {
            return verdict; // the explanation was cancelled
        }
    }

    /** Accuracy and counts of the side that moves at plies of this parity. */
    async #side(verdicts: readonly Verdict[], parity: number): Promise<SideReport> {
        const first = this.tree.root.ply;
        const own = verdicts.filter((_, i) => i > 0 && (first + i) % 2 === parity), counts: Record<number, number> = {};
        for (const { nag } of own) counts[nag] = (counts[nag] ?? 0) + 1;
        return { accuracy: await this.engine.accuracy({ losses: own.map(({ loss }) => loss) }), moves: own.length, counts };
    }

    async #search(node: TreeNode, nodes: number, isLast: boolean, isFirst: boolean): Promise<Searched> {
        const end = outcomeOf(node);
        if (end && (isLast || !end.byClaim)) {
            const mated = end.kind === "checkmate";
            const evaluation = mated ? { mate: 0, expected: end.winner === "white" ? 1 : 0, depth: 0 } : { cp: 0, expected: 0.5, depth: 0 };
            return { evaluation, line: mated ? { isMate: true } : { draw: 1000 }, second: null, best: [], depth: 0, shallow: undefined };
        }
        const exact: Info[] = [];
        this.#running = this.engine.analyse(
            { ...node.uciPosition, options: { MultiPV: 2 }, limits: { nodes }, every: true, newGame: isFirst },
            { onLines: lines => exact.push(...lines.filter(info => info.bound === 0)) });
        await this.#running.best;
        const firsts = exact.filter(info => info.rank === 1);
        const best = firsts.at(-1), shallow = firsts.filter(info => info.depth <= SHALLOW_DEPTH).at(-1)?.line[0];
        if (!best) return { evaluation: { cp: 0, expected: 0.5, depth: 0 }, line: { draw: 1000 }, second: null, best: [], depth: 0, shallow };
        const second = exact.slice(exact.lastIndexOf(best)).find(info => info.rank === 2) ?? null;
        return { evaluation: evaluationOf(best, node.position.turn), line: best, second, best: best.line, depth: best.depth, shallow };
    }

    #judge(i: number, node: TreeNode) {
        const parent = node.parent!, before = this.#searched[i - 1]!, after = this.#searched[i]!;
        const is = {
            best: before.best[0] === node.uci,
            obvious: legalMoves(parent.position).length === 1 || takesBack(parent.parent ? parent : undefined, node.uci),
            hidden: before.depth >= HIDDEN_DEPTH && before.shallow !== undefined && before.shallow !== node.uci,
        };
        return this.engine.judge({ before: before.line, second: before.second, after: after.line, is });
    }
}
