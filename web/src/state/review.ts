// Reviews a game: searches every position and judges every move, like `luft analyse game.pgn`.

import { evaluationOf } from "../chess/score";
import { legalMoves, takesBack } from "../chess/position";
import { isMistake, type GameTree, type TreeNode } from "../chess/tree";
import type { EngineClient, Search } from "../engine/client";
import type { Info, JudgedLine } from "../engine/protocol";
import { outcomeOf } from "../chess/outcome";

const SHALLOW_DEPTH = 5; // the best move of this iteration counts as easy to see
const HIDDEN_DEPTH = 10; // a search this deep can find a move that is hidden at SHALLOW_DEPTH
const LINE_KEPT = 10; // plies of the better line that become a variation

export interface SideReport {
    accuracy: number;
    moves: number;
    counts: Record<number, number>; // by NAG
}

export interface Report {
    white: SideReport;
    black: SideReport;
}

interface Searched {
    line: JudgedLine;
    second: Info | null;
    best: string[];
    depth: number;
    shallow: string | undefined;
}

export class Reviewer {
    #search: Search | undefined;
    #stopped = false;

    constructor(private engine: EngineClient, private tree: GameTree, private nodes: number) {}

    stop(): void {
        this.#stopped = true;
        this.#search?.stop();
    }

    /** undefined if stopped. Calls `progress` with the number of positions done and of all. */
    async review(progress: (done: number, all: number) => void): Promise<Report | undefined> {
        const { root, mainline } = this.tree;
        const losses: Record<"white" | "black", number[]> = { white: [], black: [] };
        const counts = { white: {} as Record<number, number>, black: {} as Record<number, number> };
        let before = await this.#evaluate(root, mainline.length === 0);
        for (const [i, node] of mainline.entries()) {
            if (this.#stopped) return undefined;
            progress(i + 1, mainline.length + 1);
            const after = await this.#evaluate(node, i === mainline.length - 1);
            if (this.#stopped) return undefined;
            const verdict = await this.#judge(node, before, after);
            const side = node.isWhitesMove ? "white" : "black";
            losses[side].push(verdict.loss);
            counts[side][verdict.nag] = (counts[side][verdict.nag] ?? 0) + 1;
            before = after;
        }
        if (this.#stopped) return undefined;
        const [white, black] = await Promise.all([losses.white, losses.black].map(all =>
            this.engine.call("accuracy", { losses: all })));
        return {
            white: { accuracy: white!, moves: losses.white.length, counts: counts.white },
            black: { accuracy: black!, moves: losses.black.length, counts: counts.black },
        };
    }

    async #evaluate(node: TreeNode, isLast: boolean): Promise<Searched> {
        const end = outcomeOf(node);
        if (end && (isLast || !end.byClaim)) {
            const mated = end.kind === "checkmate";
            node.evaluation = mated ? { mate: 0, expected: end.winner === "white" ? 1 : 0, depth: 0 }
                                    : { cp: 0, expected: 0.5, depth: 0 };
            return { line: mated ? { isMate: true } : { draw: 1000 }, second: null, best: [], depth: 0, shallow: undefined };
        }
        const exact: Info[] = [];
        this.#search = this.engine.search({ ...node.uciPosition, lines: 2, limits: { nodes: this.nodes }, every: true },
                                          lines => exact.push(...lines.filter(info => info.bound === 0)));
        await this.#search.done;
        const firsts = exact.filter(info => info.rank === 1);
        const best = firsts.at(-1), shallow = firsts.filter(info => info.depth <= SHALLOW_DEPTH).at(-1)?.line[0];
        // The result of a stopped search is not stored: it would hide better ones from live analysis.
        if (this.#stopped || !best) return { line: { draw: 1000 }, second: null, best: [], depth: 0, shallow };
        const second = exact.slice(exact.lastIndexOf(best)).find(info => info.rank === 2) ?? null;
        node.evaluation = evaluationOf(best, node.position.turn);
        return { line: best, second, best: best.line, depth: best.depth, shallow };
    }

    async #judge(node: TreeNode, before: Searched, after: Searched) {
        const parent = node.parent!;
        const is = {
            best: before.best[0] === node.uci,
            obvious: legalMoves(parent.position).length === 1 || takesBack(parent.parent ? parent : undefined, node.uci),
            hidden: before.depth >= HIDDEN_DEPTH && before.shallow !== undefined && before.shallow !== node.uci,
        };
        const verdict = await this.engine.call("judge", { before: before.line, second: before.second, after: after.line, is });
        node.loss = verdict.loss;
        node.nags = node.nags.filter(nag => nag === 0 || nag > 7);
        if (verdict.nag) node.nags.unshift(verdict.nag);
        if (isMistake(verdict.nag)) this.#addBetter(parent, before.best);
        return verdict;
    }

    /** Adds the better line as a variation. */
    #addBetter(at: TreeNode, line: string[]): void {
        let node: TreeNode | undefined = at;
        for (const uci of line.slice(0, LINE_KEPT)) {
            node = this.tree.play(node, uci);
            if (!node) return;
        }
    }
}
