// The game that is analysed: its tree, where one is in it, what the engine says of the place.

import { scoreText, evaluationOf } from "../chess/score";
import { outcomeOf } from "../chess/outcome";
import { readPgn, titleOf, writePgn } from "../chess/pgn";
import { fenOf, passed, type Color } from "../chess/position";
import { GameTree, type TreeNode } from "../chess/tree";
import type { Search } from "../engine/client";
import type { Info, Place } from "../engine/protocol";
import { texts } from "../texts";
import { forget, keep, kept, type Kept } from "./database";
import { engine, engineState } from "./engines.svelte";
import { say, tell } from "./notices.svelte";
import { Reviewer, type Report } from "./review";
import { settings } from "./settings.svelte";
import { playSound } from "./sound";

const LAST = "luft-last"; // the id of the analysis that was open
const LEFT = "luft-left"; // an analysis that the page had no time to keep
const SAVED_AFTER = 1000; // milliseconds without a change

/** crypto.randomUUID is there only on HTTPS. */
const newId = (): string =>
    Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, "0")).join("");

export class Session {
    tree = $state.raw(new GameTree());
    node: TreeNode = $state.raw(this.tree.root);
    version = $state(0); // grows with every change of the tree ...
    evaluated = $state(0); // ... and of what is known of its positions
    orientation: Color = $state("white");
    searching = $state(false);
    threat = $state(false);
    hidden = $state(false); // nobody has looked for a minute
    report: Report | undefined = $state.raw(undefined);
    progress: { done: number; all: number } | undefined = $state.raw(undefined);
    measuring = $state(false); // the speed
    #lines: Info[] = $state.raw([]);
    #linesKey = $state(""); // of what they are of
    #id = newId();
    #search: Search | undefined;
    #reviewer: Reviewer | undefined;
    #saving: ReturnType<typeof setTimeout> | undefined;
    #unsaved = false; // there are changes that save() has not seen ...
    #keeping: Kept | undefined; // ... and what it saw is on its way to the database
    #toldUnkept = false;

    get outcome() { return outcomeOf(this.node); }

    /** Of what is shown: a position, or its threat. */
    get #key(): string { return this.threat ? `threat ${this.node.fen}` : this.node.fen; }

    /** What the engine says of what is shown; where it has not searched that, nothing. */
    get lines(): Info[] { return this.#linesKey === this.#key ? this.#lines : []; }

    /** What is to be searched; null: nothing. */
    get wanted(): (Place & { key: string }) | null {
        if (!settings.engineOn || this.hidden || this.progress || this.measuring || engineState.failed) return null;
        if (this.outcome?.byClaim === false) return null;
        if (this.threat) {
            const other = passed(this.node.position);
            return other ? { fen: fenOf(other), moves: [], key: this.#key } : null;
        }
        return { fen: this.tree.root.fen, moves: this.node.path.map(at => at.uci), key: this.#key };
    }

    /** Begins to search what is wanted, or ends the search. */
    async follow(wanted: (Place & { key: string }) | null, lines: number): Promise<void> {
        this.#search?.stop();
        this.#search = undefined;
        this.searching = false;
        if (!wanted) return;
        if (this.#linesKey !== wanted.key) this.#lines = [];
        this.#linesKey = wanted.key;
        const node = this.node, threat = this.threat;
        const { key, ...place } = wanted;
        const search = this.#search = engine.search({ ...place, lines, limits: {} }, found => {
            if (this.#search !== search || this.#linesKey !== key) return;
            this.#take(found, lines);
            if (!threat) this.#note(node);
        });
        this.searching = true;
        try {
            await search.done;
        } catch (error) {
            // That the engine has failed was told.
            if (!engineState.failed) tell(texts.engine.refused(error instanceof Error ? error.message : String(error)), "error");
        }
        if (this.#search === search) this.searching = false;
    }

    /** Bounds are not shown: the exact score follows soon. */
    #take(found: Info[], most: number): void {
        const byRank = new Map(this.#lines.map(info => [info.rank, info]));
        for (const info of found) if (info.bound === 0 || !byRank.has(info.rank)) byRank.set(info.rank, info);
        // Within an iteration a move may stand twice: with its new rank, and still with its old one.
        const latest = new Map<string, Info>();
        for (const info of byRank.values()) {
            const known = latest.get(info.line[0]!);
            if (!known || known.nodes < info.nodes) latest.set(info.line[0]!, info);
        }
        this.#lines = [...latest.values()].filter(info => info.rank <= most).sort((a, b) => a.rank - b.rank);
    }

    #note(node: TreeNode): void {
        const best = this.#lines[0];
        const known = node.evaluation;
        if (!best || (known && (!known.passing || known.depth > best.depth))) return;
        node.evaluation = { ...evaluationOf(best, node.position.turn), passing: true };
        this.evaluated++;
    }

    /** How long the engine takes from "stop" to its move, in milliseconds; then it goes on. For the figures. */
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

    /** While nothing else is searched: the measurement would wait for the end of a search that has none. */
    async measureSpeed(): Promise<{ nodes: number; milliseconds: number }> {
        this.measuring = true;
        try {
            return await engine.call("bench", { depth: 8 });
        } finally {
            this.measuring = false;
        }
    }

    // --- moving about ---

    go(node: TreeNode | undefined): void {
        if (!node || node === this.node) return;
        const forward = node.parent === this.node;
        this.node = node;
        this.threat = false;
        if (forward) playSound(node.san);
        this.#speak(node);
    }

    #speak(node: TreeNode): void {
        if (!node.parent) return say(texts.spoken.start);
        const score = node.evaluation ? scoreText(node.evaluation) : "";
        say(texts.spoken.move(node.number, node.isWhitesMove, node.san, score));
    }

    back(): void { this.go(this.node.parent ?? undefined); }
    forward(): void { this.go(this.node.children[0]); }
    first(): void { this.go(this.tree.root); }
    last(): void { this.go(this.node.line.at(-1)); }

    /** The neighbour among the variations. */
    sideways(step: number): void {
        const siblings = this.node.parent?.children ?? [];
        this.go(siblings[siblings.indexOf(this.node) + step]);
    }

    /** A move of a person, in UCI or SAN; false when it is none. */
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
        clearTimeout(this.#saving);
        this.#saving = setTimeout(() => void this.save(), SAVED_AFTER);
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

    // --- games in and out ---

    open(tree: GameTree, id: string = newId()): void {
        // The old game first: when its timer ends, there is only the new one to save.
        if (this.#unsaved || this.#reviewer) void this.save();
        this.stopReview();
        this.#id = id;
        this.tree = tree;
        this.node = tree.root;
        this.#lines = [];
        this.report = undefined;
        this.threat = false;
        this.version++;
        try {
            localStorage.setItem(LAST, id);
        } catch {
            // Without storage the next visit begins at the start.
        }
    }

    openPgn(text: string): number {
        const games = readPgn(text);
        const first = games[0];
        if (!first) return 0;
        this.open(first.tree);
        for (const problem of first.problems.slice(0, 3)) tell(texts.io.skipped(problem), "error");
        this.changed();
        return games.length;
    }

    /** Refuses what is no position, with the engine's reason. */
    async openFen(text: string): Promise<void> {
        const fen = text.trim();
        let whole = fen;
        if (!engineState.failed) whole = (await engine.call("check", { fen })).fen;
        this.open(new GameTree(whole));
        this.changed();
    }

    /** What there is to keep; undefined: nothing. */
    #toKeep(): Kept | undefined {
        const plies = this.tree.mainline.length;
        if (plies === 0 && this.tree.isStandard) return undefined;
        return { id: this.#id, title: titleOf(this.tree), pgn: writePgn(this.tree), changed: Date.now(), plies };
    }

    async save(): Promise<void> {
        clearTimeout(this.#saving);
        const analysis = this.#toKeep();
        this.#unsaved = false;
        if (!analysis) return;
        this.#keeping = analysis;
        try {
            await keep(analysis);
            if (this.#keeping === analysis) this.#keeping = undefined;
            localStorage.setItem(LAST, this.#id);
        } catch {
            // The page works without storage, but a person may rely on it.
            if (!this.#toldUnkept) tell(texts.io.notKept, "error");
            this.#toldUnkept = true;
        }
    }

    /** Only what is not kept yet: an analysis that was deleted while it is open stays deleted until it changes. */
    async saveChanges(): Promise<void> {
        if (this.#unsaved || this.#keeping) await this.save();
    }

    /** The page goes, and the database is too slow for that: the next visit takes over what is not kept yet. */
    leave(): void {
        const analysis = (this.#unsaved ? this.#toKeep() : undefined) ?? this.#keeping;
        if (!analysis) return;
        try {
            localStorage.setItem(LEFT, JSON.stringify(analysis));
            localStorage.setItem(LAST, this.#id);
        } catch {
            // As in save.
        }
    }

    /** Keeps what the last visit had no time for. A page that came back, out of the browser's cache, may have kept more. */
    async takeOver(): Promise<void> {
        try {
            const left = localStorage.getItem(LEFT);
            if (!left) return;
            const analysis = JSON.parse(left) as Kept, stored = await kept(analysis.id);
            if (!stored || stored.changed < analysis.changed) await keep(analysis);
            localStorage.removeItem(LEFT);
        } catch {
            // As in save.
        }
    }

    /** Deletes an analysis, and what a page that was left wrote of it: the next visit would bring it back. */
    async forget(id: string): Promise<void> {
        try {
            const left = localStorage.getItem(LEFT);
            if (left && (JSON.parse(left) as Kept).id === id) localStorage.removeItem(LEFT);
        } catch {
            // As in save.
        }
        await forget(id);
    }

    /** What was open when the page was closed. */
    async openLast(): Promise<void> {
        await this.takeOver();
        try {
            const id = localStorage.getItem(LAST);
            const found = id ? await kept(id) : undefined;
            const game = found && readPgn(found.pgn)[0];
            if (!game || this.node !== this.tree.root || this.tree.root.children.length > 0) return;
            this.open(game.tree, found.id);
            this.last();
        } catch {
            // Begin at the start.
        }
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
                say(texts.report.done(report.white.accuracy, report.black.accuracy));
            }
        } catch (error) {
            tell(String(error instanceof Error ? error.message : error), "error");
        }
        if (this.#reviewer === reviewer) this.stopReview();
        this.changed();
    }

    stopReview(): void {
        this.#reviewer?.stop();
        this.#reviewer = undefined;
        this.progress = undefined;
    }

    /** The next move from here that was a mistake, round the end of the game. */
    nextMistake(): void {
        const bad = this.tree.mainline.filter(node => node.nags.some(nag => [2, 4, 6].includes(nag)));
        this.go(bad.find(node => node.ply > this.node.ply) ?? bad[0]);
    }
}

export const session = new Session();
