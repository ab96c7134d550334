// Learning from mistakes: positions of one's own games, each until a move is found that keeps the expected score.

import type { DrawShape } from "@lichess-org/chessground/draw";
import type { Key } from "@lichess-org/chessground/types";
import { after, fenOf, otherColor, readMove, sanOf, sansOf, squaresOf, uciOf, type Color, type SquareName } from "../chess/position";
import { inLanguage } from "../chess/report";
import type { TreeNode } from "../chess/tree";
import type { Explanation } from "luft/async.mjs";
import { reasonOf } from "../engine/reason";
import { listGames, loadGame, putGame, type SavedGame } from "../state/database";
import { callExplainer, closeExplainer, engine } from "../state/engines.svelte";
import { announce, notify } from "../state/notices.svelte";
import { openSaved } from "../state/open";
import { treeOfSaved } from "../state/reader";
import { givesAway, Reviewer } from "../state/review";
import { route } from "../state/route.svelte";
import { session } from "../state/session.svelte";
import { settings } from "../state/settings.svelte";
import { forget, recall, remember } from "../state/storage";
import { texts } from "../texts";
import { colorOf, exercisesOf, roundOf, sideOf, TOO_MUCH, type Exercise } from "./exercises";
import { dueAt, isOpen, noteResult, outlook } from "./schedule";
import { weaknessesOf, type Weaknesses } from "./weaknesses";

export type Scope = "game" | "all";
/** asking: for a move; judging: it is searched; done: solved, or shown; over: no more positions. */
export type Phase = "loading" | "asking" | "judging" | "done" | "over";

const SIDE = "luft-training-side"; // key: whose mistakes of all games
const DECOYS = "luft-training-decoys"; // key: there where quiet positions are not wanted
const MOST_NAMES = 8;
const LEAST_PLIES = 10; // of a game that is worth a report
const LINE_SHOWN = 10; // plies
export const HINTS = 3; // the piece, the move, the reason

const now = (): number => Date.now();

const explain = (at: TreeNode, move: string): Promise<Explanation> =>
    callExplainer("explain", { ...at.uciPosition, move, nodes: settings.explainNodes });

class Trainer {
    phase: Phase = $state("loading");
    scope: Scope = $state("game");
    side = $state(""); // "": both; "white", "black", or a player's name. In a game against Luft it is always yours
    names: string[] = $state.raw([]); // of the players of all games, the most frequent first
    unreviewed: SavedGame[] = $state.raw([]); // games without a report
    weaknesses: Weaknesses | undefined = $state.raw(undefined); // in all saved games
    reviewing: { done: number; all: number } | undefined = $state.raw(undefined);
    round: Exercise[] = $state.raw([]);
    place = $state(0);
    atOnce = $state(0); // mistakes of this round that were solved at once
    hints = $state(0);
    hinting = $state(false); // the move of the hint is not known yet
    decoys = $state(recall(DECOYS) === null); // quiet positions among them
    reason = $state(""); // why the move of the hint is good
    tried: string | undefined = $state(undefined); // the move on the board, in UCI
    wrong: { san: string; loss: number; words: string[] } | undefined = $state.raw(undefined);
    found: { san: string; loss: number; words: string[] } | undefined = $state.raw(undefined); // the user's solution; undefined where it was shown
    answer: Explanation | undefined = $state.raw(undefined); // of the game's move: the solution
    ply = $state(0); // moves of the better line on the board
    turned = $state(false); // the board
    learned = $state(0);
    waiting = $state(0); // positions that are not learned, due or not
    hasGames = $state(true); // there is a saved game that is worth a report
    next: number | undefined = $state(); // when the next position is due
    #all: Exercise[] = [];
    #missed = false; // a wrong try, a hint, or the solution shown
    #solution: Promise<Explanation> | undefined;
    #reviewer: Reviewer | undefined;

    get exercise(): Exercise | undefined { return this.round[this.place]; }
    /** The positions of the round; what follows them in `round` comes once more. */
    get different(): number { return new Set(this.round).size; }
    get placeWords(): string {
        const { different } = this, repeats = this.round.length - different, place = this.place + 1;
        return place > different ? texts.train.repeat(place - different, repeats) : texts.train.place(place, different, repeats);
    }
    get mistakes(): number { return new Set(this.round.filter(({ isQuiet }) => !isQuiet)).size; }
    get start(): TreeNode { return this.exercise?.at ?? session.node; }

    /** The better line, in UCI: as explained, or until then as in the report. */
    get line(): string[] {
        const known = this.answer && (this.answer.best.uci === this.answer.move.uci ? this.answer.line : this.answer.better);
        return (known?.map(move => move.uci) ?? this.exercise?.verdict.better ?? []).slice(0, LINE_SHOWN);
    }

    get sans(): string[] { return sansOf(this.start.position, this.line); }

    // --- what the board shows ---

    get #moves(): string[] { return this.phase === "done" ? this.line.slice(0, this.ply) : this.tried ? [this.tried] : []; }
    get fen(): string { return fenOf(after(this.start.position, this.#moves)); }
    get orientation(): Color {
        const own = this.exercise ? sideOf(this.exercise) : session.orientation;
        return this.turned === (own === "white") ? "black" : "white";
    }
    get movable(): Color | undefined { return this.phase === "asking" ? this.start.position.turn : undefined; }
    get asks(): boolean { return this.exercise !== undefined && this.phase !== "loading"; }
    get last(): SquareName[] | undefined {
        const moves = this.#moves, { start } = this, uci = moves.at(-1);
        if (uci) return squaresOf(after(start.position, moves.slice(0, -1)), uci);
        return start.parent ? squaresOf(start.parent.position, start.uci) : undefined;
    }
    get shapes(): DrawShape[] {
        const move = this.phase === "done" ? this.line[this.ply] : this.hints > 0 ? this.line[0] : undefined;
        const squares = move ? squaresOf(after(this.start.position, this.#moves), move) as [Key, Key] | undefined : undefined;
        if (!squares || this.phase === "judging") return [];
        const isPiece = this.phase === "asking" && this.hints === 1;
        return [{ orig: squares[0], brush: "green", ...(!isPiece && { dest: squares[1] }) }];
    }

    walk(how: "first" | "back" | "forward" | "last"): void {
        if (this.phase !== "done") return;
        const length = this.line.length;
        this.ply = { first: 0, back: Math.max(0, this.ply - 1), forward: Math.min(length, this.ply + 1), last: length }[how];
        if (this.ply > 0) announce(texts.san(this.sans[this.ply - 1] ?? ""));
    }

    // --- the positions ---

    /** Begins a round: positions of the open game, or of all saved ones. */
    async load(scope = this.scope): Promise<void> {
        this.stopReview();
        this.scope = scope;
        this.phase = "loading";
        await session.saveChanges();
        const saved = await listGames().catch(() => [] as SavedGame[]);
        const { report } = session, open = saved.find(game => game.id === session.id);
        try {
            if (scope === "all") await this.#loadAll(saved);
            else {
                this.names = this.unreviewed = [];
                this.weaknesses = undefined;
                this.side = open?.play?.you ?? session.orientation;
                const find = () => (report ? exercisesOf(session.tree, report, this.#color(session.tree.headers, open), session.id, "") : []);
                this.#all = find();
                if (!this.#all.some(({ isQuiet }) => !isQuiet) && !open?.play) { // nobody says whose mistakes: then those of both
                    this.side = "";
                    this.#all = find();
                }
            }
        } catch (error) {
            notify(reasonOf(error), "error");
        }
        if (this.scope === scope) this.#begin();
    }

    async #loadAll(saved: SavedGame[]): Promise<void> {
        const games = saved.filter(game => game.plies >= LEAST_PLIES && (!game.play || game.play.result));
        this.hasGames = games.length > 0;
        this.unreviewed = games.filter(game => !game.report);
        const opened: [SavedGame, Awaited<ReturnType<typeof treeOfSaved>>][] = [], counts = new Map<string, number>();
        for (const game of games.filter(game => game.report)) {
            const tree = await treeOfSaved(game).catch(() => undefined);
            if (!tree?.report) continue;
            tree.report = inLanguage(tree.report, settings.language);
            opened.push([game, tree]);
            if (!game.play) for (const name of ["White", "Black"].map(color => tree.headers.get(color)))
                if (name) counts.set(name, (counts.get(name) ?? 0) + 1);
        }
        const names = [...counts].sort((a, b) => b[1] - a[1]), [first] = names;
        this.names = names.slice(0, MOST_NAMES).map(([name]) => name);
        const chosen = recall(SIDE);
        this.side = chosen !== null ? (["", "white", "black", ...this.names].includes(chosen) ? chosen : "")
            : first && first[1] > 1 ? first[0] : "";
        const played = opened.filter(([game, { headers }]) => game.play || ["", "white", "black"].includes(this.side) || colorOf(headers, this.side))
            .map(([game, tree]) => ({ game, tree, color: this.#color(tree.headers, game) }));
        this.#all = played.flatMap(({ game, tree, color }) => exercisesOf(tree, tree.report!, color, game.id, game.title));
        this.weaknesses = weaknessesOf(played, this.#all);
    }

    #color(headers: ReadonlyMap<string, string>, game: SavedGame | undefined): Color | undefined {
        if (game?.play) return game.play.you;
        return this.side === "white" || this.side === "black" ? this.side : colorOf(headers, this.side);
    }

    /** Chooses whose mistakes are practised. */
    choose(side: string): void {
        this.side = side;
        if (this.scope === "all") {
            remember(SIDE, side);
            void this.load();
        } else if (session.report) {
            this.#all = exercisesOf(session.tree, session.report, side === "white" || side === "black" ? side : undefined, session.id, "");
            this.#begin();
        }
    }

    get #wanted(): Exercise[] { return this.decoys ? this.#all : this.#all.filter(({ isQuiet }) => !isQuiet); }

    /** Chooses whether quiet positions are among them. */
    mix(decoys: boolean): void {
        this.decoys = decoys;
        if (decoys) forget(DECOYS);
        else remember(DECOYS, "none");
        this.#begin();
    }

    #begin(): void {
        const day = new Date(now()).toDateString();
        this.round = roundOf(this.#wanted, dueAt(now()), day);
        this.atOnce = 0;
        this.#show(0);
    }

    /** Begins a round with the positions that are not due yet. */
    practiseAhead(): void {
        this.round = roundOf(this.#wanted, isOpen, new Date(now()).toDateString());
        this.atOnce = 0;
        this.#show(0);
    }

    /** Practises these positions, whether they are due or not. */
    practise(exercises: readonly Exercise[]): void {
        this.round = [...exercises];
        this.atOnce = 0;
        this.#show(0);
    }

    /** Why there is no position. */
    get emptyWords(): string {
        if (this.waiting > 0) return texts.train.nothing;
        if (this.learned > 0) return texts.train.allLearned;
        if (this.scope === "game") return session.report ? texts.train.noMistakes : session.tree.mainline.length > 1 ? texts.train.noReport : texts.train.noGame;
        return !this.hasGames ? texts.train.noGame : this.weaknesses?.games ? texts.train.noMistakes : texts.train.noReports;
    }

    #show(place: number): void {
        this.place = place;
        this.hints = this.ply = 0;
        this.tried = this.wrong = this.found = this.answer = this.#solution = undefined;
        this.reason = "";
        this.#missed = false;
        this.phase = this.exercise ? "asking" : "over";
        if (this.phase === "over") Object.assign(this, outlook(this.#all.filter(({ isQuiet }) => !isQuiet).map(({ key }) => key)));
        announce(this.phase === "over" ? (this.round.length > 0 ? texts.train.over : this.emptyWords) : this.#task);
    }

    get #task(): string { return `${this.placeWords}. ${texts.train.ask(this.start.position.turn)}`; }

    /** Says the task, or that it is solved, and nothing of the solution that was not asked for. */
    say(): void {
        if (this.phase === "done") this.sayDone();
        else announce(this.phase === "judging" ? texts.train.judging : this.exercise ? this.#task : this.emptyWords);
    }

    sayDone(): void { announce(texts.train.done); }

    // --- a position ---

    /** A try; false if the move is not legal. */
    play(text: string): boolean {
        if (this.phase === "done" || this.phase === "judging") { // typed: on the board nothing can be moved
            if (this.phase === "done" && text === "n") this.goOn();
            else this.say();
            return true;
        }
        const move = this.phase === "asking" ? readMove(this.start.position, text) : undefined;
        if (move) void this.#judge(uciOf(move));
        return move !== undefined;
    }

    /** Calls the engine for this position; undefined if another one is shown by then, or it fails. */
    async #ask<Result>(question: Promise<Result>): Promise<Result | undefined> {
        const { exercise } = this;
        try {
            const result = await question;
            return exercise === this.exercise ? result : undefined;
        } catch (error) {
            if (exercise === this.exercise) notify(reasonOf(error), "error");
            return undefined;
        }
    }

    async #judge(uci: string): Promise<void> {
        const { at, played, verdict } = this.exercise!, { position } = at, san = sanOf(position, readMove(position, uci)!);
        this.tried = uci;
        this.wrong = undefined;
        this.phase = "judging";
        const isBest = uci === verdict.better[0], isPlayed = uci === played.uci;
        const answer = isBest || isPlayed ? undefined : await this.#ask(explain(at, uci));
        if (this.tried !== uci) return;
        const loss = isBest ? 0 : isPlayed ? verdict.loss : answer?.loss;
        const reasons = answer?.words.filter(words => !texts.train.isBest(san).includes(words)) ?? [];
        const keeps = verdict.given === undefined || isBest || (answer !== undefined && !givesAway(answer));
        if (loss !== undefined && loss < TOO_MUCH && keeps) return this.#finish({ san, loss, words: reasons });
        this.tried = undefined;
        this.phase = "asking";
        if (loss === undefined) return;
        this.#missed = true;
        const best = texts.san(sansOf(position, this.line, 1)[0] ?? answer?.best.san ?? "");
        const fair = (said: readonly string[]) => said.filter(words => words && best && !words.includes(best));
        const words = fair(isPlayed ? [verdict.words ?? ""] : answer!.words.slice(0, 2));
        const wrong = { san, loss, words: [...words, ...this.#refutation(answer)] };
        this.wrong = wrong;
        announce([this.wrongWords, ...wrong.words].join(" "));
        if (!isPlayed) return;
        const known = await this.#ask(this.#explained()); // the report says what is wrong, if it has words, and not what follows
        const said = verdict.words === undefined && known ? fair(known.words.slice(0, 1)) : words;
        if (this.wrong === wrong) this.wrong = { ...wrong, words: [...said, ...this.#refutation(known)] };
    }

    /** What a wrong try costs. */
    get wrongWords(): string {
        const { wrong, exercise } = this;
        return !wrong ? "" : exercise!.verdict.given === undefined ? texts.train.wrong(wrong.san, wrong.loss) : texts.train.gives(wrong.san);
    }

    /** What follows a wrong try, in words; without the move that is looked for. */
    #refutation(answer: Explanation | undefined): string[] {
        if (!answer) return [];
        const { position } = this.start, [, reply, then, last] = sansOf(position, answer.line.map(({ uci }) => uci), 4);
        const isTold = then === undefined || last === undefined || then === answer.best.san;
        return reply ? [texts.train.reply(otherColor(position.turn), isTold ? [reply] : [reply, then, last])] : [];
    }

    /** The explanation of the game's move is the solution: its better line, and what is wrong with the move. */
    #explained(): Promise<Explanation> {
        const { at, played } = this.exercise!;
        return this.#solution ??= explain(at, played.uci);
    }

    #finish(found: { san: string; loss: number; words: string[] } | undefined): void {
        const { exercise } = this, { isQuiet, key } = exercise!;
        this.found = found;
        this.tried = undefined;
        this.ply = found && this.line.length > 0 && found.san === this.sans[0] ? 1 : 0;
        this.phase = "done";
        if (!isQuiet) {
            noteResult(key, !this.#missed, now());
            const isRepeat = this.place >= this.different;
            if (this.#missed && !isRepeat) this.round = [...this.round, exercise!]; // once more in this round
            else if (!this.#missed && !isRepeat) this.atOnce++;
        }
        const solution = () => (this.sans[0] ? `${texts.train.best(this.sans[0])}.` : texts.train.shown);
        announce(found ? texts.train.right(found.san) : solution());
        void this.#ask(this.#explained()).then(answer => {
            if (!answer) return;
            this.answer = answer;
            announce([found ? texts.train.right(found.san) : solution(), ...answer.words].join(" "));
        });
    }

    /** The next hint: the piece, the move, and why. */
    async hint(): Promise<void> {
        if (this.phase !== "asking" || this.hints >= HINTS) return;
        this.#missed = true;
        if (this.line.length === 0) {
            this.hinting = true;
            const answer = await this.#ask(this.#explained());
            this.hinting = false;
            if (answer) this.answer = answer;
        }
        if (this.phase !== "asking" || this.line.length === 0) return;
        this.hints++;
        if (this.hints < HINTS) return announce(this.hintWords);
        announce(texts.explain.busy);
        const answer = await this.#ask(explain(this.start, this.line[0]!));
        if (!answer || this.phase !== "asking") return;
        // That it is the best move has been said. Where nothing else is known of it, the reason is what the game's move loses.
        const exercise = this.exercise!, { words } = exercise.verdict;
        const news = answer.words.filter(words => !texts.train.isBest(answer.move.san).includes(words));
        this.reason = (news.length > 0 ? news : words && !exercise.isQuiet ? [words] : [texts.train.hintLine(this.sans)]).join(" ");
        announce(this.reason);
    }

    /** The last hint in words. */
    get hintWords(): string {
        const { position } = this.start, move = this.line[0] ? readMove(position, this.line[0]) : undefined;
        if (!move || this.hints === 0) return "";
        const [from] = squaresOf(position, this.line[0]!)!, role = position.board.getRole(move.from)!;
        return this.hints === 1 ? texts.train.hintPiece(texts.pieces[role], from) : texts.train.hintMove(this.sans[0]!);
    }

    solve(): void {
        if (this.phase !== "asking") return;
        this.#missed = true;
        this.#finish(undefined);
    }

    /** The next position; one that is skipped stays due. */
    goOn(): void {
        if (this.phase === "judging" || (this.phase === "done" && !this.answer)) closeExplainer();
        if (this.phase !== "loading" && this.phase !== "over") this.#show(this.place + 1);
    }

    /** Shows the position in its game. */
    async openGame(): Promise<void> {
        const { game, place } = this.exercise!;
        if (game !== session.id) {
            const saved = await loadGame(game).catch(() => undefined);
            if (saved) await openSaved({ ...saved, at: place }).catch(error => notify(reasonOf(error), "error"));
        } else session.go(session.tree.nodeAt(place));
        route.view = "analyse";
    }

    // --- reports of games that have none ---

    async review(): Promise<void> {
        const games = this.unreviewed;
        announce(texts.train.reviewBegins(games.length));
        for (const [i, game] of games.entries()) {
            this.reviewing = { done: i, all: games.length };
            const tree = await treeOfSaved(game), reviewer = this.#reviewer = new Reviewer(engine, tree, settings.reportNodes,
                node => explain(node.parent!, node.uci));
            const report = await reviewer.review((_, { share }) => { this.reviewing = { done: i + share, all: games.length }; })
                .catch(error => void notify(reasonOf(error), "error"));
            if (this.#reviewer !== reviewer || !report) break;
            await putGame({ ...game, report: { ...report, asked: settings.explainNodes, language: settings.language } }, game.revision ?? 0);
        }
        this.stopReview();
        if (route.view === "train") await this.load("all");
    }

    stopReview(): void {
        this.#reviewer?.stop();
        this.#reviewer = undefined;
        this.reviewing = undefined;
    }
}

export type { Trainer };
export const trainer = new Trainer();
