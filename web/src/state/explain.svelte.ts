// Why a move is worse, what the rules of the search did to it, and what happens without them.

import { session } from "./session.svelte";
import { CANCELLED, closeLaboratory, inLaboratory } from "./engines.svelte";
import { settings } from "./settings.svelte";
import { say } from "./notices.svelte";
import type { Explanation, Finding, Tree } from "../engine/answers";
import type { Place } from "../engine/protocol";
import type { TreeNode } from "../chess/tree";

export type Tab = "move" | "techniques" | "tree";

export interface Trial {
    off: string[];
    base: Finding; // with all techniques
    sameDepth: Finding;
    sameNodes: Finding;
    reached: boolean; // the base's depth, within three times its nodes
}

const TRIAL_NODES = 120_000, TRIAL_FACTOR = 3;
const TREE_ROWS = 600;
const LINE_SHOWN = 12, LINE_LEAST = 4; // plies

class Explaining {
    tab: Tab = $state("move");
    busy = $state("");
    error = $state("");
    // --- a move ---
    answer: Explanation | undefined = $state.raw(undefined);
    at: TreeNode | undefined = $state.raw(undefined); // the position that it is about
    shown: "line" | "better" = $state("line");
    ply = $state(0); // moves of the line that are played on the board
    // --- techniques ---
    off: string[] = $state([]);
    trials: Trial[] = $state.raw([]);
    trialsFen = $state("");
    progress: { done: number; all: number } | undefined = $state();
    // --- tree ---
    depth = $state(4);
    treeOff: string[] = $state([]);
    trees: Tree[] = $state.raw([]);
    treesFen = $state("");

    #running: Promise<unknown> = Promise.resolve(); // what `busy` names
    #asked = 0; // questions about moves

    #place(node: TreeNode): Place { return { fen: node.root.fen, moves: node.path.map(at => at.uci) }; }

    /** Whether this position is looked at, or one after it. */
    isSeen(at: TreeNode): boolean { return at === session.node || at === session.node.parent; }

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
            const reason = error instanceof Error ? error.message : String(error);
            if (reason !== CANCELLED) this.error = reason;
            return undefined;
        } finally {
            this.busy = "";
        }
    }

    cancel(): void { closeLaboratory(); }

    /** Why not this move, in this position? Calls off what is computed for another question. */
    async ask(node: TreeNode, move: string): Promise<void> {
        const question = ++this.#asked;
        this.answer = undefined;
        this.at = node;
        while (this.busy) {
            this.cancel();
            await this.#running;
            if (question !== this.#asked) return; // the last question counts
        }
        const answer = await this.#work("move", () =>
            inLaboratory("explain", { ...this.#place(node), move, nodes: settings.explainNodes }));
        if (!answer || !this.isSeen(node)) return;
        this.answer = answer;
        this.shown = answer.reason.startsWith("misses") ? "better" : "line";
        this.ply = 0;
        say(answer.words.join(" "));
    }

    /** Of the move that was played last. */
    askLast(): void {
        const { node } = session;
        if (node.parent) void this.ask(node.parent, node.uci);
    }

    /** The moves that show the reason; of a line that shows nothing, its beginning. */
    lineOf(kind: "line" | "better") {
        const moves = this.answer?.[kind] ?? [];
        return moves.slice(0, Math.max(this.answer?.settled ?? LINE_SHOWN, LINE_LEAST));
    }

    get line() { return this.lineOf(this.shown); }

    step(to: number): void { this.ply = Math.max(0, Math.min(this.line.length, to)); }

    // --- techniques ---

    toggle(name: string): void {
        this.off = this.off.includes(name) ? this.off.filter(other => other !== name) : [...this.off, name];
    }

    async tryWithout(): Promise<void> {
        const { node } = session, off = [...this.off];
        await this.#work("techniques", () => this.#try(node, off));
    }

    /** Without each in turn; the rows are then in the order of what it costs to go without. */
    async tryEach(names: readonly string[]): Promise<void> {
        const { node } = session;
        await this.#work("techniques", async () => {
            for (const [done, name] of names.entries()) {
                this.progress = { done, all: names.length };
                await this.#try(node, [name]);
            }
        });
        this.progress = undefined;
        const cost = ({ reached, sameDepth, base }: Trial) => (reached ? 0 : TRIAL_FACTOR) + sameDepth.nodes / base.nodes;
        this.trials = this.trials.toSorted((a, b) => cost(b) - cost(a));
    }

    async #try(node: TreeNode, off: string[]): Promise<void> {
        const place = this.#place(node);
        const known = this.trialsFen === node.fen ? this.trials[0]?.base : undefined;
        const base = known ?? await inLaboratory("without", { ...place, off: [], nodes: TRIAL_NODES, depth: 0 });
        const sameDepth = await inLaboratory("without", { ...place, off, nodes: base.nodes * TRIAL_FACTOR, depth: base.depth });
        const sameNodes = await inLaboratory("without", { ...place, off, nodes: base.nodes, depth: 0 });
        const others = this.trialsFen === node.fen ? this.trials : [];
        this.trials = [...others.filter(found => found.off.join() !== off.join()),
                       { off, base, sameDepth, sameNodes, reached: sameDepth.depth >= base.depth }];
        this.trialsFen = node.fen;
    }

    // --- tree ---

    async grow(): Promise<void> {
        const { node } = session;
        const found = await this.#work("tree", () =>
            inLaboratory("tree", { ...this.#place(node), depth: this.depth, off: [...this.treeOff], rows: TREE_ROWS }));
        if (!found) return;
        this.trees = found.trees;
        this.treesFen = node.fen;
    }
}

export const explaining = new Explaining();
