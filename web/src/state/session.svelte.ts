// The analysed game: its tree, the current node, and the engine's lines for it.

import { scoreText, evaluationOf } from "../chess/score";
import { outcomeOf } from "../chess/outcome";
import { titleOf, writePgn } from "../chess/pgn";
import { fenOf, passed, type Color } from "../chess/position";
import { GameTree, type TreeNode } from "../chess/tree";
import type { Search } from "../engine/client";
import { reasonOf, type Info, type UciPosition } from "../engine/protocol";
import { texts } from "../texts";
import { deleteAnalysis, loadAnalysis, saveAnalysis, type SavedAnalysis } from "./database";
import { engine, engineState } from "./engines.svelte";
import { announce, notify } from "./notices.svelte";
import { Reviewer, type Report } from "./review";
import { settings } from "./settings.svelte";
import { playSound } from "./sound";
import { forget, recall, remember } from "./storage";

const LAST_ID = "luft-last"; // the id of the analysis that was open
const UNSAVED = "luft-left"; // an analysis that the page had no time to save when it closed
const SAVE_DELAY = 1000; // milliseconds after the last change

/** crypto.randomUUID exists only on HTTPS. */
const newId = (): string =>
    Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, "0")).join("");

export class Session {
    tree = $state.raw(new GameTree());
    node: TreeNode = $state.raw(this.tree.root);
    version = $state(0); // grows with every change of the tree
    evaluated = $state(0); // grows with every new evaluation of a node
    orientation: Color = $state("white");
    searching = $state(false);
    threat = $state(false);
    hidden = $state(false); // the page has been hidden for a minute
    report: Report | undefined = $state.raw(undefined);
    progress: { done: number; all: number } | undefined = $state.raw(undefined);
    measuring = $state(false); // measureSpeed is running
    #lines: Info[] = $state.raw([]);
    #linesKey = $state(""); // the position that #lines belong to
    #id = newId();
    #search: Search | undefined;
    #reviewer: Reviewer | undefined;
    #saveTimer: ReturnType<typeof setTimeout> | undefined;
    #unsaved = false; // there are changes that save() has not seen
    #beingSaved: SavedAnalysis | undefined; // what save() is writing to the database
    #saveFailureShown = false;

    get id(): string { return this.#id; }
    get outcome() { return outcomeOf(this.node); }

    /** Identifies what is shown: a position, or its threat. */
    get #key(): string { return this.threat ? `threat ${this.node.fen}` : this.node.fen; }

    /** The engine's lines for what is shown; [] until it has searched it. */
    get lines(): Info[] { return this.#linesKey === this.#key ? this.#lines : []; }

    /** What the engine should search; null: nothing. */
    get wanted(): (UciPosition & { key: string }) | null {
        if (!settings.engineOn || this.hidden || this.progress || this.measuring || engineState.failed) return null;
        if (this.outcome?.byClaim === false) return null;
        if (this.threat) {
            const other = passed(this.node.position);
            return other ? { fen: fenOf(other), moves: [], key: this.#key } : null;
        }
        return { ...this.node.uciPosition, key: this.#key };
    }

    /** Searches what is wanted, or stops if that is null. */
    async follow(wanted: (UciPosition & { key: string }) | null, lines: number): Promise<void> {
        this.#search?.stop();
        this.#search = undefined;
        this.searching = false;
        if (!wanted) return;
        if (this.#linesKey !== wanted.key) this.#lines = [];
        this.#linesKey = wanted.key;
        const node = this.node, threat = this.threat;
        const { key, ...position } = wanted;
        const search = this.#search = engine.search({ ...position, lines, limits: {} }, found => {
            if (this.#search !== search || this.#linesKey !== key) return;
            this.#updateLines(found, lines);
            if (!threat) this.#storeEvaluation(node);
        });
        this.searching = true;
        try {
            await search.done;
        } catch (error) {
            // A failure of the engine has already been reported.
            if (!engineState.failed) notify(texts.engine.refused(reasonOf(error)), "error");
        }
        if (this.#search === search) this.searching = false;
    }

    /** Replaces lines by newer ones of the same rank. A bound replaces nothing: the exact score follows soon. */
    #updateLines(found: Info[], most: number): void {
        const byRank = new Map(this.#lines.map(info => [info.rank, info]));
        for (const info of found) if (info.bound === 0 || !byRank.has(info.rank)) byRank.set(info.rank, info);
        // During an iteration a move may appear twice, with its old and its new rank: the newer one counts.
        const latest = new Map<string, Info>();
        for (const info of byRank.values()) {
            const known = latest.get(info.line[0]!);
            if (!known || known.nodes < info.nodes) latest.set(info.line[0]!, info);
        }
        this.#lines = [...latest.values()].filter(info => info.rank <= most).sort((a, b) => a.rank - b.rank);
    }

    #storeEvaluation(node: TreeNode): void {
        const best = this.#lines[0];
        const known = node.evaluation;
        if (!best || (known && (!known.provisional || known.depth > best.depth))) return;
        node.evaluation = { ...evaluationOf(best, node.position.turn), provisional: true };
        this.evaluated++;
    }

    /** Measures the milliseconds from "stop" to the best move, then continues the search. For web/tests/figures.mjs. */
    async measureStop(): Promise<number> {
        const search = this.#search, wanted = this.wanted, start = performance.now();
        if (!search || !wanted) return 0;
        search.stop();
        await search.done;
        const taken = performance.now() - start;
        await Promise.resolve();
        void this.follow(wanted, settings.lines);
        return taken;
    }

    /** Runs the bench. `measuring` stops the analysis, because the bench would wait for an endless search. */
    async measureSpeed(): Promise<{ nodes: number; milliseconds: number }> {
        this.measuring = true;
        try {
            return await engine.call("bench", { depth: 8 });
        } finally {
            this.measuring = false;
        }
    }

    // --- navigation ---

    go(node: TreeNode | undefined): void {
        if (!node || node === this.node) return;
        const forward = node.parent === this.node;
        this.node = node;
        this.threat = false;
        if (forward) playSound(node.san);
        this.#announceMove(node);
    }

    #announceMove(node: TreeNode): void {
        if (!node.parent) return announce(texts.spoken.start);
        const score = node.evaluation ? scoreText(node.evaluation) : "";
        announce(texts.spoken.move(node.number, node.isWhitesMove, node.san, score));
    }

    back(): void { this.go(this.node.parent ?? undefined); }
    forward(): void { this.go(this.node.children[0]); }
    first(): void { this.go(this.tree.root); }
    last(): void { this.go(this.node.line.at(-1)); }

    /** Goes to a neighbouring variation. */
    sideways(step: number): void {
        const siblings = this.node.parent?.children ?? [];
        this.go(siblings[siblings.indexOf(this.node) + step]);
    }

    /** Plays a move in UCI or SAN; false if it is not legal. */
    play(text: string): boolean {
        const known = this.node.children.length;
        const node = this.tree.play(this.node, text);
        if (!node) return false;
        if (this.node.children.length > known) this.changed();
        this.go(node);
        return true;
    }

    playLine(moves: string[]): void {
        let node: TreeNode | undefined = this.node;
        for (const uci of moves) {
            node = this.tree.play(node, uci);
            if (!node) break;
            this.go(node);
        }
        this.changed();
    }

    // --- changing the tree ---

    changed(): void {
        this.version++;
        this.#unsaved = true;
        clearTimeout(this.#saveTimer);
        this.#saveTimer = setTimeout(() => void this.save(), SAVE_DELAY);
    }

    promote(node: TreeNode): void {
        this.tree.promote(node);
        this.changed();
    }

    remove(node: TreeNode): void {
        const inside = this.node === node || this.node.path.includes(node);
        const parent = this.tree.remove(node);
        if (inside) this.go(parent);
        this.changed();
    }

    setComment(node: TreeNode, text: string): void {
        node.comment = text;
        this.changed();
    }

    toggleNag(node: TreeNode, nag: number): void {
        const had = node.nags.includes(nag);
        node.nags = node.nags.filter(other => other > 9 && other !== nag);
        if (!had) node.nags.unshift(nag);
        this.changed();
    }

    // --- opening and saving ---

    open(tree: GameTree, id: string = newId()): void {
        // Save the old game now: when its timer fires, only the new one is there.
        if (this.#unsaved || this.#reviewer) void this.save();
        this.stopReview();
        this.#id = id;
        this.tree = tree;
        this.node = tree.root;
        this.#lines = [];
        this.report = undefined;
        this.threat = false;
        this.version++;
        remember(LAST_ID, id);
    }

    /** The analysis as it is saved; undefined if there is nothing to save. */
    #snapshot(): SavedAnalysis | undefined {
        const plies = this.tree.mainline.length;
        if (plies === 0 && this.tree.isStandard) return undefined;
        return { id: this.#id, title: titleOf(this.tree), pgn: writePgn(this.tree), changed: Date.now(), plies };
    }

    async save(): Promise<void> {
        clearTimeout(this.#saveTimer);
        const analysis = this.#snapshot();
        this.#unsaved = false;
        if (!analysis) return;
        this.#beingSaved = analysis;
        try {
            await saveAnalysis(analysis);
            if (this.#beingSaved === analysis) this.#beingSaved = undefined;
            remember(LAST_ID, this.#id);
        } catch {
            // The page works without storage, but the user may rely on it.
            if (!this.#saveFailureShown) notify(texts.io.notKept, "error");
            this.#saveFailureShown = true;
        }
    }

    /** Saves unsaved changes only: an open analysis that was deleted stays deleted until it changes. */
    async saveChanges(): Promise<void> {
        if (this.#unsaved || this.#beingSaved) await this.save();
    }

    /** Called when the page closes. The database is too slow then, so unsaved changes go to localStorage for the next visit. */
    saveForNextVisit(): void {
        const analysis = (this.#unsaved ? this.#snapshot() : undefined) ?? this.#beingSaved;
        if (analysis && remember(UNSAVED, JSON.stringify(analysis))) remember(LAST_ID, this.#id);
    }

    /** Saves what the last visit left in localStorage. A page restored from the browser's cache may have saved a newer state. */
    async saveLeftover(): Promise<void> {
        const left = recall(UNSAVED);
        if (!left) return;
        try {
            const analysis = JSON.parse(left) as SavedAnalysis, stored = await loadAnalysis(analysis.id);
            if (!stored || stored.changed < analysis.changed) await saveAnalysis(analysis);
            forget(UNSAVED);
        } catch {
            // See save().
        }
    }

    /** Deletes a saved analysis, also from localStorage, where the next visit would restore it. */
    async deleteSaved(id: string): Promise<void> {
        if (recall(UNSAVED)?.includes(`"${id}"`)) forget(UNSAVED);
        await deleteAnalysis(id);
    }

    /** The analysis that was open when the page was closed. */
    async loadLast(): Promise<SavedAnalysis | undefined> {
        const id = recall(LAST_ID);
        return id ? loadAnalysis(id) : undefined;
    }

    // --- the report ---

    async review(): Promise<void> {
        if (this.#reviewer) return;
        const reviewer = this.#reviewer = new Reviewer(engine, this.tree, settings.reportNodes);
        this.progress = { done: 0, all: this.tree.mainline.length + 1 };
        try {
            const report = await reviewer.review((done, all) => {
                if (this.#reviewer !== reviewer) return;
                this.progress = { done, all };
                this.version++;
            });
            if (report && this.#reviewer === reviewer) {
                this.report = report;
                announce(texts.report.done(report.white.accuracy, report.black.accuracy));
            }
        } catch (error) {
            notify(reasonOf(error), "error");
        }
        if (this.#reviewer === reviewer) this.stopReview();
        this.changed();
    }

    stopReview(): void {
        this.#reviewer?.stop();
        this.#reviewer = undefined;
        this.progress = undefined;
    }

    /** Goes to the next mistake; after the last one, to the first. */
    nextMistake(): void {
        const bad = this.tree.mainline.filter(node => node.mistake);
        this.go(bad.find(node => node.ply > this.node.ply) ?? bad[0]);
    }
}

export const session = new Session();
