// State of the Explain view: why a move is worse, comparisons without techniques, search trees.

import { session } from "./session.svelte";
import { CANCELLED, callExplainer, closeExplainer } from "./engines.svelte";
import { announce } from "./notices.svelte";
import type { Explanation, Finding, Tree } from "luft/async.mjs";
import { traceHash } from "../chess/link";
import { sansOf } from "../chess/position";
import { reasonOf } from "../engine/reason";
import { texts } from "../texts";
import type { TreeNode } from "../chess/tree";

export type Tab = "move" | "techniques" | "tree";

export interface Comparison {
    off: string[];
    base: Finding; // with all techniques
    sameDepth: Finding;
    sameNodes: Finding;
    reached: boolean; // sameDepth reached the depth of base within COMPARE_FACTOR times its nodes
}

const COMPARE_NODES = 120_000, COMPARE_FACTOR = 3;
const TREE_ROWS = 600;
const LINE_SHOWN = 12, LINE_LEAST = 4; // plies

class Explaining {
    tab: Tab = $state("move");
    busy = $state("");
    error = $state("");
    // --- a move ---
    answer: Explanation | undefined = $state.raw(undefined);
    at: TreeNode | undefined = $state.raw(undefined); // the position of the explained move
    asked = $state(""); // that move
    beside = $state(false); // the answer stands next to the game, in Analyse
    shown: "line" | "better" = $state("line");
    ply = $state(0); // moves of the line played on the board
    // --- techniques ---
    off: string[] = $state([]);
    comparisons: Comparison[] = $state.raw([]);
    comparisonsFen = $state("");
    progress: { done: number; all: number } | undefined = $state();
    // --- tree ---
    depth = $state(4);
    treeOff: string[] = $state([]);
    trees: Tree[] = $state.raw([]);
    treesFen = $state("");
    traced = $state(false); // the tree comes from a trace
    traceLink = $state(""); // to it; "": it is too large for a link

    #running: Promise<unknown> = Promise.resolve(); // the work that `busy` names
    #asked = 0; // number of questions about moves


    /** Whether the board shows this position or the one after it. */
    isShown(at: TreeNode): boolean { return at === session.node || at === session.node.parent; }

    async #work<Result>(what: string, work: () => Promise<Result>): Promise<Result | undefined> {
        if (this.busy) return undefined;
        const running = this.#do(what, work);
        this.#running = running;
        return running;
    }

    async #do<Result>(what: string, work: () => Promise<Result>): Promise<Result | undefined> {
        this.busy = what;
        this.error = "";
        try {
            return await work();
        } catch (error) {
            const reason = reasonOf(error);
            if (reason !== CANCELLED) this.error = reason;
            return undefined;
        } finally {
            this.busy = "";
        }
    }

    cancel(): void { closeExplainer(); }

    /** The move that is asked about, as it is written. */
    get askedSan(): string { return (this.at && sansOf(this.at.position, [this.asked])[0]) ?? ""; }

    /** Whether the question is shown next to the game. */
    get isBeside(): boolean { return this.beside && this.at !== undefined && this.isShown(this.at); }

    /** Ends a question next to the game. */
    close(): void {
        if (this.busy === "move") this.cancel();
        this.#asked++;
        this.beside = false;
        this.answer = this.at = undefined;
    }

    /** Asks why `move` is worse at `node`. Cancels any other work. */
    async ask(node: TreeNode, move: string): Promise<void> {
        const question = ++this.#asked;
        this.answer = undefined;
        this.at = node;
        this.asked = move;
        while (this.busy) {
            this.cancel();
            await this.#running;
            if (question !== this.#asked) return; // a later question replaced this one
        }
        const nodes = session.explainNodesOf(node.children.find(({ uci }) => uci === move));
        const answer = await this.#work("move", () => callExplainer("explain", { ...node.uciPosition, move, nodes }));
        if (!answer || !this.isShown(node)) return;
        this.answer = answer;
        this.shown = answer.reason.startsWith("misses") ? "better" : "line";
        this.ply = 0;
        announce([`${texts.spoken.before(answer.move.san)}.`, ...answer.words].join(" ")); // the position on the board
    }

    /** Asks about the last move played. */
    askLast(beside = false): void {
        const { node } = session;
        if (!node.parent) return;
        this.beside = beside;
        void this.ask(node.parent, node.uci);
    }

    /** The moves that show the reason; the beginning of the line if the explanation names no end. */
    lineOf(kind: "line" | "better") {
        const moves = this.answer?.[kind] ?? [];
        return moves.slice(0, Math.max(this.answer?.settled ?? LINE_SHOWN, LINE_LEAST));
    }

    get line() { return this.lineOf(this.shown); }

    /** Goes along the line, and says where the board is. */
    step(to: number): void {
        const { at, line } = this, ply = this.ply = Math.max(0, Math.min(line.length, to)), move = line[ply - 1];
        if (!at || !this.answer) return;
        const after = at.ply + ply;
        announce(move ? texts.spoken.move(Math.ceil(after / 2), after % 2 === 1, move.san, "") : texts.spoken.before(this.answer.move.san));
    }

    /** The game went to another node at which the answer is still shown: the board shows that node. */
    follow(node: TreeNode): void {
        if (this.answer) this.ply = node === this.at || this.shown !== "line" ? 0 : 1;
    }

    // --- techniques ---

    toggle(name: string): void {
        this.off = this.off.includes(name) ? this.off.filter(other => other !== name) : [...this.off, name];
    }

    async compareWithout(): Promise<void> {
        const { node } = session, off = [...this.off];
        await this.#work("techniques", () => this.#compare(node, off));
    }

    /** Compares without each technique in turn, and sorts: the costliest to miss first. */
    async compareEach(names: readonly string[]): Promise<void> {
        const { node } = session;
        await this.#work("techniques", async () => {
            for (const [done, name] of names.entries()) {
                this.progress = { done, all: names.length };
                await this.#compare(node, [name]);
            }
        });
        this.progress = undefined;
        const cost = ({ reached, sameDepth, base }: Comparison) => (reached ? 0 : COMPARE_FACTOR) + sameDepth.nodes / base.nodes;
        this.comparisons = this.comparisons.toSorted((a, b) => cost(b) - cost(a));
    }

    async #compare(node: TreeNode, off: string[]): Promise<void> {
        const position = node.uciPosition;
        const known = this.comparisonsFen === node.fen ? this.comparisons[0]?.base : undefined;
        const base = known ?? await callExplainer("without", { ...position, techniques: [], limits: { nodes: COMPARE_NODES } });
        const sameDepth = await callExplainer("without", { ...position, techniques: off, limits: { nodes: base.nodes * COMPARE_FACTOR, depth: base.depth } });
        const sameNodes = await callExplainer("without", { ...position, techniques: off, limits: { nodes: base.nodes } });
        const others = this.comparisonsFen === node.fen ? this.comparisons : [];
        this.comparisons = [...others.filter(found => found.off.join() !== off.join()),
                       { off, base, sameDepth, sameNodes, reached: sameDepth.depth >= base.depth }];
        this.comparisonsFen = node.fen;
    }

    // --- tree ---

    async grow(): Promise<void> {
        const { node } = session;
        const found = await this.#work("tree", () =>
            callExplainer("tree", { ...node.uciPosition, depth: this.depth, without: [...this.treeOff], rows: TREE_ROWS }));
        if (!found) return;
        this.trees = found.trees;
        this.treesFen = node.fen;
        this.traced = false;
    }

    /** Shows the tree of a trace. Throws, in words for the user, where there is none in it. */
    async openTrace(text: string): Promise<string> {
        const { readTrace } = await import("../explain/trace"), { tree, fen, problem } = readTrace(text);
        Object.assign(this, { tab: "tree", trees: [tree], treesFen: fen, traced: true, traceLink: "", error: "" });
        void traceHash(text).then(link => { this.traceLink = link; });
        return problem;
    }
}

export const explaining = new Explaining();
