// The analysed game: its tree, the current node, and the engine's lines for it.

import { join } from "../chess/join";
import { clockText, evaluationOf } from "../chess/score";
import { nameOf } from "../chess/names";
import { outcomeOf } from "../chess/outcome";
import { titleOf, writePgn } from "../chess/pgn";
import { fenOf, legalMoves, passed, readMove, sansOf, uciOf, type Color } from "../chess/position";
import { isSolution, nextPuzzle } from "../chess/puzzle";
import { isNoted, mistakeOf, verdictsOf, type Report, type Verdict } from "../chess/report";
import { GameTree, isMoveSign, type Evaluation, type TreeNode, type UciPosition } from "../chess/tree";
import type { Info, Search } from "luft/async.mjs";
import { reasonOf } from "../engine/reason";
import { TOO_MUCH } from "../train/exercises";
import { texts } from "../texts";
import { loadGame, type SavedGame } from "./database";
import { callExplainer, engine, engineState } from "./engines.svelte";
import { announce, announceValue, notify, notifyOfGame, retract, retractOfGame } from "./notices.svelte";
import { keep, keptOf, LEAST_DEPTH, type KeptLines } from "./kept";
import { joinSaved, treeOfSaved } from "./reader";
import { Reviewer, type Progress } from "./review";
import { newId, Saver, whenSavedElsewhere } from "./saver";
import { settings } from "./settings.svelte";
import { playSound } from "./sound";
import { notePlace, recall, remember } from "./storage";

const SPOKEN_DEPTH = 10; // from here on the evaluation of a new position is said
const LAST = "luft-last"; // the id of the game that was open, its place, and which side was at the bottom

/** Where a game is opened: what the database knows of it, and how it is shown. */
export interface Opened {
    id?: string;
    revision?: number;
    at?: string | undefined;
    orientation?: Color | undefined;
    quiet?: boolean;
    hides?: string | undefined; // the place of a puzzle
    silent?: boolean; // another view is shown, which says its own state
}

/** A move of a puzzle, in the tree or not, and what it loses of the expected score; undefined: nobody knows. */
export interface Tried { node: TreeNode; loss: number | undefined }

const DEEPER = 4, FULL = { nodes: 6_400_000, asked: 19_200_000 }; // times the nodes of a report, and the most of them
const TITLE = 60; // characters of a comment
const SPOKEN_MOVES = 4; // of the best line

/** An evaluation as it is said. */
function valueInWords({ cp = 0, mate }: Evaluation): string {
    const who = (mate ?? cp) > 0 ? "white" : "black", pawns = (Math.abs(cp) / 100).toFixed(1);
    if (mate) return texts.spoken.mates(who, Math.abs(mate));
    return mate === 0 ? texts.moves.ended.checkmate : pawns === "0.0" ? texts.spoken.equal : texts.spoken.better(who, pawns);
}

/** The first sentence of an explanation, without its full stop. The point after the number of a move ends none. */
const firstSentence = (words: string): string => words.split(/(?<=[^\s\d]\d?[.!?])\s+/)[0]!.replace(/\.$/, "");

/** A move that is not in the tree. */
function childOf(node: TreeNode, uci: string): TreeNode | undefined {
    const tree = new GameTree(node.fen);
    return tree.play(tree.root, uci);
}

export class Session {
    tree = $state.raw(new GameTree());
    node: TreeNode = $state.raw(this.tree.root);
    version = $state(0); // grows with every change of the tree
    evaluated = $state(0); // grows with every new evaluation of a node
    orientation: Color = $state("white");
    searching = $state(false);
    threat = $state(false);
    hidden = $state(false); // the page has been hidden for a minute
    quiet = $state(false); // whoever sent the link wants the engine off
    puzzle: TreeNode | undefined = $state.raw(undefined); // until it is solved, only the moves to it are shown
    tried: Tried | undefined = $state.raw(undefined); // a move of the puzzle that is not the solution
    judging = $state(false); // that move is searched
    progress: Progress | undefined = $state.raw(undefined); // of a review
    measuring = $state(false); // measureSpeed is running
    kept: KeptLines | undefined = $state.raw(undefined); // of an earlier analysis: the lines that are shown
    #lines: Info[] = $state.raw([]);
    #linesKey = $state(""); // the position that #lines belong to
    #found: Pick<Report, "line" | "verdicts"> | undefined = $state.raw(undefined); // by a review that is not done
    #search: Search | undefined;
    #reviewer: Reviewer | undefined;
    #offer = ""; // the message that offers to undo the last step
    #isUsed = false; // a game was opened, or changed
    #isFollowed = $state(false); // a move of the puzzle was found
    #isUnsaid = false; // the evaluation of the position that was gone to
    #saver = this.#saverOf(newId(), 0);

    constructor() { whenSavedElsewhere(id => void this.#followOtherTab(id)); }

    /** Gives the report other words, which is no step of the user's. */
    rewordReport(report: Report): void {
        this.tree.report = report;
        this.version++;
        this.#saver.changed();
    }

    get id(): string { return this.#saver.id; }
    get outcome() { return outcomeOf(this.node); }
    get report(): Report | undefined { return (void this.version, this.puzzle ? undefined : this.tree.report); }

    /** What the report says of the nodes of the main line. */
    verdicts: Map<TreeNode, Verdict> = $derived.by(() => {
        const report = this.puzzle ? undefined : this.#found ?? this.report;
        return report ? verdictsOf(this.tree, report) : new Map();
    });

    evaluationAt(node: TreeNode): Evaluation | undefined { return this.verdicts.get(node)?.evaluation ?? node.evaluation; }
    mistakeAt(node: TreeNode): number | undefined {
        return this.#isHidden(node) ? undefined : mistakeOf(node, this.verdicts.get(node));
    }

    /** Whether one walks to a move with the mistakes: a piece that was given away in a decided game is none, but worth a look. */
    isNotedAt(node: TreeNode): boolean {
        const verdict = this.#isHidden(node) ? undefined : this.verdicts.get(node);
        return this.mistakeAt(node) !== undefined || (verdict !== undefined && isNoted(verdict));
    }

    get engineOn(): boolean { return settings.engineOn && !this.quiet && !this.puzzle; }
    set engineOn(on: boolean) {
        this.quiet = false;
        settings.engineOn = on;
    }

    /** Identifies what is shown: a position, or its threat. */
    get #key(): string { return this.threat ? `threat ${this.node.fen}` : this.node.fen; }

    /** The engine's lines for what is shown; [] until it has searched it. */
    get lines(): Info[] { return this.#linesKey === this.#key ? this.#lines : []; }

    /** What the engine should search; null: nothing. */
    get wanted(): (UciPosition & { key: string }) | null {
        if (!this.engineOn || this.hidden || this.progress || this.measuring || engineState.failed) return null;
        if (this.outcome?.byClaim === false) return null;
        if (this.threat) {
            const other = passed(this.node.position);
            return other ? { fen: fenOf(other), moves: [], key: this.#key } : null;
        }
        return { ...this.node.uciPosition, key: this.#key };
    }

    /** Searches what is wanted, or stops if that is null. */
    async follow(wanted: (UciPosition & { key: string }) | null, lines: number): Promise<void> {
        void this.#search?.stop();
        this.#search = undefined;
        this.searching = false;
        if (!wanted) return;
        const node = this.node, threat = this.threat;
        if (this.#linesKey !== wanted.key || this.kept) this.#showKept(node, threat, lines);
        this.#linesKey = wanted.key;
        const { key, ...position } = wanted;
        const search = this.#search = engine.analyse({ ...position, options: { MultiPV: lines } }, { onLines: found => {
            if (this.#search !== search || this.#linesKey !== key) return;
            const news = this.kept ? found.filter(({ depth }) => depth >= this.kept!.lines[0]!.depth) : found;
            if (news.length === 0) return; // what is kept is deeper
            if (this.kept) this.#lines = [];
            this.kept = undefined;
            this.#updateLines(news, lines);
            if (threat) return;
            this.#storeEvaluation(node);
            this.#keep(node, lines);
            if (this.#isUnsaid && found.some(({ rank, depth }) => rank === 1 && depth >= SPOKEN_DEPTH)) this.#sayValue();
        } });
        this.searching = true;
        try {
            await search.best;
        } catch (error) {
            // A failure of the engine has already been reported.
            if (!engineState.failed) notifyOfGame(texts.engine.refused(reasonOf(error)));
        }
        if (this.#search === search) this.searching = false;
    }

    #keep(node: TreeNode, most: number): void {
        const lines = this.#lines;
        if (!lines[0] || lines[0].depth < LEAST_DEPTH || lines.some(({ bound }) => bound !== 0)) return;
        if (lines.length === Math.min(most, legalMoves(node.position).length)) keep(node.fen, lines);
    }

    /** Shows what an earlier analysis has found of the position, until this one is as deep. */
    #showKept(node: TreeNode, threat: boolean, lines: number): void {
        const kept = threat ? undefined : keptOf(node.fen, Math.min(lines, legalMoves(node.position).length));
        this.kept = kept;
        this.#lines = kept?.lines.slice(0, lines) ?? [];
        if (!kept) return;
        this.#storeEvaluation(node);
        if (this.#isUnsaid) this.#sayValue();
    }

    /** Replaces lines by newer ones of the same rank. A bound replaces nothing: the exact score follows soon. */
    #updateLines(found: Info[], most: number): void {
        const byRank = new Map(this.#lines.filter(({ rank }) => rank <= most).map(info => [info.rank, info]));
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
        await search.stop();
        const taken = performance.now() - start;
        await Promise.resolve();
        void this.follow(wanted, settings.lines);
        return taken;
    }

    /** Runs the bench. `measuring` stops the analysis, because the bench would wait for an endless search. */
    async measureSpeed(): Promise<{ nodes: number; milliseconds: number }> {
        this.measuring = true;
        try {
            return await engine.bench({ depth: 8 });
        } finally {
            this.measuring = false;
        }
    }

    // --- navigation ---

    go(node: TreeNode | undefined): void {
        if (!node || node === this.node || this.#isHidden(node)) return;
        const forward = node.parent === this.node;
        this.node = node;
        this.threat = false;
        if (forward) playSound(node.san);
        this.#announceMove(node);
    }

    #announceMove(node: TreeNode): void {
        if (!node.parent) return announce(texts.spoken.start);
        const known = this.evaluationAt(node), end = this.outcome;
        const evaluation = known?.provisional && known.depth < SPOKEN_DEPTH ? undefined : known;
        this.#isUnsaid = !evaluation && !end;
        const value = end ? texts.moves.ended[end.kind] : evaluation ? valueInWords(evaluation) : "";
        const sign = texts.moves.nagNames[node.nags.find(isMoveSign) ?? this.verdicts.get(node)?.nag ?? 0], reason = this.#reasonOf(node);
        const words = (said: (string | undefined)[]) => texts.spoken.move(node.number, node.isWhitesMove, node.san, said.filter(Boolean).join(", "));
        announce(reason ? [`${words([sign])}: ${reason}`, ...(value ? [value] : [])].join(". ") : words([sign, value]));
    }

    /** Why the report marks a move, in short: the first sentence of it, and the better move. */
    #reasonOf(node: TreeNode): string {
        const verdict = this.verdicts.get(node);
        if (!node.parent || !verdict || !isNoted(verdict)) return "";
        const [better] = sansOf(node.parent.position, verdict.better, 1), why = firstSentence(verdict.words ?? "");
        const own = [`${node.san} `, `${texts.san(node.san)} `].find(san => why.startsWith(san)) ?? "";
        const isNamed = better !== undefined && [better, texts.san(better)].some(san => why.includes(san));
        return [why.slice(own.length), ...(better && !isNamed ? [texts.spoken.instead(texts.san(better))] : [])].filter(Boolean).join("; ");
    }

    #sayValue(): void {
        const evaluation = this.evaluationAt(this.node);
        this.#isUnsaid = false;
        announceValue(evaluation ? valueInWords(evaluation) : texts.spoken.none);
    }

    /** Says what the engine knows of the position, and the clocks. */
    say(): void {
        const { node, outcome } = this, evaluation = this.evaluationAt(node), best = this.threat ? undefined : this.lines[0];
        const value = outcome ? texts.moves.ended[outcome.kind] : evaluation ? valueInWords(evaluation) : texts.spoken.none;
        const line = best && evaluation ? texts.spoken.searched(value, best.depth, texts.san(sansOf(node.position, best.line, SPOKEN_MOVES).join(" "))) : value;
        const clocks = (["white", "black"] as const).map(color => node.clockOf(color));
        const times = clocks.some(clock => clock !== undefined) ? `. ${texts.spoken.clocks(...(clocks.map(clockText) as [string, string]))}` : "";
        announceValue(line + times);
    }

    back(): void { this.go(this.node.parent ?? undefined); }
    forward(): void { this.go(this.puzzle ? this.puzzle.path.find(({ parent }) => parent === this.node) : this.node.children[0]); }
    first(): void { this.go(this.tree.root); }
    last(): void { this.go(this.puzzle ?? this.node.line.at(-1)); }

    /** Goes to a neighbouring variation. */
    sideways(step: number): void {
        const siblings = this.node.parent?.children ?? [];
        this.go(siblings[siblings.indexOf(this.node) + step]);
    }

    /** Plays a move in UCI or SAN; false if it is not legal. */
    play(text: string): boolean {
        const move = readMove(this.node.position, text);
        if (!move) return false;
        if (this.puzzle) void this.#solve(uciOf(move));
        else this.playLine([uciOf(move)]);
        return true;
    }

    // --- a puzzle ---

    #isHidden(node: TreeNode): boolean { return this.puzzle !== undefined && node.parent !== null && !this.puzzle.path.includes(node); }

    /** A try: after a good move the next one is asked for; after the last one, what was hidden is shown. */
    async #solve(uci: string): Promise<void> {
        const { puzzle, tree } = this;
        if (!puzzle || puzzle !== this.node || this.judging) return;
        this.tried = undefined;
        if (!isSolution(tree, puzzle, uci)) return this.#judge(puzzle, uci);
        const next = nextPuzzle(tree, puzzle, uci);
        if (next) {
            this.puzzle = next;
            this.#isFollowed = true;
            this.go(next);
            this.changed();
            announce(this.puzzleWords);
        } else {
            this.showSolution();
            this.playLine([uci]);
            notify(texts.train.right(this.node.san));
        }
    }

    /** A move that is not the solution: by the measure of the training it may be as good. */
    async #judge(puzzle: TreeNode, uci: string): Promise<void> {
        const known = puzzle.children.find(child => child.uci === uci), node = known ?? childOf(puzzle, uci)!;
        this.judging = true;
        const question = known ? undefined : callExplainer("explain", { ...puzzle.uciPosition, move: uci, nodes: settings.explainNodes });
        const answer = await question?.catch(() => undefined); // without the engine, only the solution counts
        this.judging = false;
        if (this.puzzle !== puzzle) return;
        this.tried = { node, loss: answer?.loss };
        announce(this.puzzleWords);
    }

    /** What is said of the last try, or of the move before. */
    get puzzleWords(): string {
        const { tried, puzzle } = this;
        if (!tried) return puzzle?.parent && this.#isFollowed ? `${texts.train.right(puzzle.parent.san)} ${texts.puzzle.goOn(puzzle.san)}` : "";
        const { node: { san, comment }, loss } = tried;
        return `${loss !== undefined && loss < TOO_MUCH ? texts.puzzle.alsoGood(san) : texts.puzzle.wrong(san)} ${comment}`.trim();
    }

    /** Shows what was hidden, from the position of the puzzle. */
    showSolution(): void {
        const { puzzle } = this;
        this.puzzle = this.tried = undefined;
        this.go(puzzle);
        this.changed(); // nothing is hidden from now on
    }

    /** Plays moves as far as they are legal. Those that are known are gone to, also in a line of the report. */
    playLine(moves: string[]): void {
        this.#change(() => {
            let at = this.node;
            for (const uci of moves) {
                const known = at.children.find(child => child.uci === uci);
                const next = known ?? this.tree.play(this.tree.attach(at), uci);
                if (!next) break;
                at = next;
            }
            return at;
        });
    }

    // --- changing the tree ---

    /** Changes the tree in one step, which can be undone. `act` returns the node to go to. */
    #change(act: () => TreeNode): void {
        let to = this.node;
        const isChanged = this.tree.history.change(this.node, () => (to = act()));
        this.go(to);
        if (isChanged) this.changed();
    }

    /** Changes a node, which becomes the user's where it was the report's. */
    #edit(node: TreeNode, act: (own: TreeNode) => void): void {
        this.#change(() => {
            const own = this.tree.attach(node);
            act(own);
            return this.node === node ? own : this.node;
        });
    }

    changed(): void {
        retract(this.#offer);
        this.version++;
        this.#saver.changed();
        this.#isUsed = true;
        this.noteLast();
    }

    get canUndo(): boolean { return (void this.version, this.tree.history.canUndo); }
    get canRedo(): boolean { return (void this.version, this.tree.history.canRedo); }

    undo(): void { this.#travel(this.tree.history.undo(), texts.moves.undone); }
    redo(): void { this.#travel(this.tree.history.redo(), texts.moves.redone); }

    #travel(to: TreeNode | undefined, done: string): void {
        if (!to) return;
        this.go(to);
        this.changed();
        announce(done);
    }

    promote(node: TreeNode): void {
        this.#change(() => {
            this.tree.promote(node);
            return this.node;
        });
    }

    remove(node: TreeNode): void {
        if (this.puzzle) return; // the way to it stays
        this.#change(() => {
            const parent = this.tree.remove(node);
            return this.node === node || this.node.path.includes(node) ? parent : this.node;
        });
        this.#offerUndo(texts.moves.removed(node.san));
    }

    removeReport(): void {
        this.#change(() => {
            this.tree.history.set(this.tree, "report", undefined);
            return this.node.path.findLast(node => node.isAttached) ?? this.tree.root;
        });
        this.#offerUndo(texts.report.removed);
    }

    /** Offers to take back the last step, until there is another one. */
    #offerUndo(text: string): void {
        this.#offer = text;
        notify(text, "note", { label: texts.moves.undo, act: () => this.undo() });
    }

    setComment(node: TreeNode, text: string): void {
        this.#edit(node, own => this.tree.history.set(own, "comment", text));
    }

    setShapes(node: TreeNode, shapes: TreeNode["shapes"]): void {
        this.#edit(node, own => this.tree.history.set(own, "shapes", shapes));
    }

    setHeader(name: string, value: string): void {
        const headers = new Map(this.tree.headers);
        if (value.trim()) headers.set(name, value.trim());
        else headers.delete(name);
        this.#change(() => {
            this.tree.history.set(this.tree, "headers", headers);
            return this.node;
        });
    }

    toggleNag(node: TreeNode, nag: number): void {
        const others = node.nags.filter(other => !isMoveSign(other));
        this.#edit(node, own => this.tree.history.set(own, "nags", node.nags.includes(nag) ? others : [nag, ...others]));
    }

    // --- opening and saving ---

    open(tree: GameTree, { id = newId(), revision = 0, at, orientation, quiet = false, hides, silent = false }: Opened = {}): void {
        retract(this.#offer);
        retractOfGame();
        this.#keepOld();
        this.stopReview();
        this.#saver = this.#saverOf(id, revision);
        this.tree = tree;
        this.node = at === undefined ? tree.root : tree.nodeAt(at);
        const plies = tree.mainline.length, hiding = hides === undefined ? undefined : tree.nodeAt(hides);
        this.puzzle = hiding && hiding.children.length > 0 ? hiding : undefined;
        this.tried = undefined;
        this.#isFollowed = false;
        const opened = plies > 0 ? texts.spoken.opened(nameOf(tree.headers), plies)
            : tree.isStandard ? texts.spoken.start : texts.spoken.setUp(tree.root.position.turn);
        if (!silent) announce(this.puzzle ? `${opened}. ${texts.puzzle.ask(this.puzzle.position.turn)}` : opened);
        if (orientation) this.orientation = orientation;
        this.quiet = quiet;
        this.kept = undefined;
        this.#lines = [];
        this.threat = false;
        this.version++;
        this.#isUsed = true;
        this.noteLast();
    }

    /** Saves the game that another one replaces. Where that fails, it can be taken back from the message. */
    #keepOld(): void {
        this.noteLast();
        const saver = this.#saver, { tree, id } = this, old = { id, at: tree.placeOf(this.node), orientation: this.orientation };
        void saver.saveChanges().then(isSaved => {
            if (isSaved) return;
            notify(texts.io.notKeptOld, "error", { label: texts.moves.undo, act: () => {
                this.open(tree, { ...old, revision: saver.revision });
                this.changed();
            } });
        });
    }

    #saverOf(id: string, revision: number): Saver {
        const saver: Saver = new Saver(id, revision, () => this.#snapshot(), async (mine, stored) => {
            if (this.#saver !== saver) return joinSaved(mine, stored);
            await this.#join(stored, true);
            notify(texts.io.joined);
            return this.#snapshot() ?? mine;
        });
        return saver;
    }

    /** Brings what another tab has saved into the open game; with `keep`, what only this tab has stays. */
    async #join(stored: SavedGame, keep: boolean): Promise<void> {
        const { tree } = this, saver = this.#saver, other = await treeOfSaved(stored);
        if (this.#saver !== saver || (saver.isBusy && !keep)) return;
        let to = this.node;
        const isChanged = tree.history.change(this.node, () => {
            join(tree, other, keep);
            return to = this.node.path.findLast(node => node.isAttached) ?? tree.root;
        });
        if (!keep) saver.revision = stored.revision ?? 0;
        if (!isChanged) return;
        this.version++;
        this.go(to);
    }

    /** Follows what another tab has saved. Where this one has changes, its next save finds the other state. */
    async #followOtherTab(id: string): Promise<void> {
        const saver = this.#saver;
        if (id !== saver.id || saver.isBusy) return;
        const stored = await loadGame(id).catch(() => undefined);
        if (stored && this.#saver === saver && (stored.revision ?? 0) > saver.revision) await this.#join(stored, false).catch(() => {});
    }

    /** The game as it is saved; undefined if there is nothing to save. */
    #snapshot(): SavedGame | undefined {
        const plies = this.tree.mainline.length, { tree, node, orientation, puzzle } = this;
        if (plies === 0 && tree.isStandard && !tree.root.comment && tree.root.shapes.length === 0) return undefined;
        return { id: this.id, title: puzzle ? this.#titleOfPuzzle(puzzle) : titleOf(tree), pgn: writePgn(tree), changed: Date.now(), plies, at: tree.placeOf(node), orientation,
                 ...(tree.report && { report: tree.report }), ...(puzzle && { hides: tree.placeOf(puzzle) }) };
    }

    /** The list of the saved games shows nothing of the solution. */
    #titleOfPuzzle(puzzle: TreeNode): string {
        const about = nameOf(this.tree.headers) || this.tree.root.comment || puzzle.comment;
        return texts.puzzle.title + (about ? `: ${about.slice(0, TITLE)}` : "");
    }

    async save(): Promise<void> { await this.#saver.save(); }
    async saveChanges(): Promise<void> { await this.#saver.saveChanges(); }

    /** Notes what is open, for the next visit. The game with which the page begins is none until it is changed. */
    noteLast(): void {
        if (!this.#isUsed) return;
        const { tree, puzzle, id, orientation } = this, hides = puzzle && tree.placeOf(puzzle);
        notePlace(id, tree.placeOf(this.node));
        remember(LAST, JSON.stringify({ id, at: tree.placeOf(this.node), orientation, hides }));
    }

    /** The game that was open when the page was closed, and where. */
    async loadLast(): Promise<(SavedGame & Pick<Opened, "hides">) | undefined> {
        const last = recall(LAST) ?? "";
        const known: { id: string; at?: string; orientation?: Color; hides?: string } = last.startsWith("{") ? JSON.parse(last) : { id: last };
        const stored = known.id ? await loadGame(known.id) : undefined;
        return stored && { ...stored, ...known, hides: known.hides };
    }

    // --- the report ---

    /** Reviews the game; `deeper` with four times the nodes of the report that is there. */
    async review(deeper = false): Promise<void> {
        if (this.#reviewer) return;
        const { nodes, asked } = deeper ? this.deeper ?? FULL : { nodes: settings.reportNodes, asked: settings.explainNodes };
        const reviewer = this.#reviewer = new Reviewer(engine, this.tree, nodes, node =>
            callExplainer("explain", { ...node.parent!.uciPosition, move: node.uci, nodes: asked }));
        this.progress = { share: 0, of: "positions", done: 0, all: this.tree.mainline.length + 1 };
        announce(texts.report.begins(this.progress.all));
        try {
            const report = await reviewer.review((found, at) => {
                if (this.#reviewer !== reviewer) return;
                this.progress = at;
                this.#found = found;
            });
            if (report && this.#reviewer === reviewer) {
                this.#change(() => {
                    this.tree.history.set(this.tree, "report", { ...report, asked, language: settings.language });
                    return this.node;
                });
                announce(texts.report.done(report.white.accuracy, report.black.accuracy));
            }
        } catch (error) {
            notify(reasonOf(error), "error");
        }
        if (this.#reviewer === reviewer) this.stopReview();
    }

    /** The nodes of a deeper review; undefined where the report is the deepest already. */
    get deeper(): { nodes: number; asked: number } | undefined {
        const { nodes = settings.reportNodes, asked = settings.explainNodes } = this.report ?? {};
        return nodes < FULL.nodes ? { nodes: Math.min(DEEPER * nodes, FULL.nodes), asked: Math.min(DEEPER * asked, FULL.asked) } : undefined;
    }

    /** The nodes with which a move is explained: those of the report, which so says the same. */
    explainNodesOf(node: TreeNode | undefined): number {
        const verdict = node && this.verdicts.get(node);
        return (verdict && isNoted(verdict) && this.report?.asked) || settings.explainNodes;
    }

    stopReview(): void {
        this.#reviewer?.stop();
        this.#reviewer = undefined;
        this.#found = undefined;
        this.progress = undefined;
    }

    /** Goes to the next mistake, or to the one before (-1); after the last one, to the first. */
    nextMistake(step: 1 | -1 = 1): void {
        const isOwn = (node: TreeNode) => !settings.ownMistakes || node.isWhitesMove === (this.orientation === "white");
        const bad = this.tree.mainline.filter(node => this.isNotedAt(node) && isOwn(node)), here = this.node.ply;
        this.go(step > 0 ? bad.find(node => node.ply > here) ?? bad[0] : bad.findLast(node => node.ply < here) ?? bad.at(-1));
    }
}

export const session = new Session();
