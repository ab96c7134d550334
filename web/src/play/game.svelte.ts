// A game against Luft.

import { makeFen } from "chessops/fen";
import { outcomeOf } from "../chess/outcome";
import { chess960Fen, fenOf, INITIAL_FEN, legalMoves, otherColor, positionOf, readMove, reasonIllegal, sanOf, sansOf,
         squaresOf, takesBack, type Color, type SquareName } from "../chess/position";
import { GameTree, type TreeNode } from "../chess/tree";
import { nameOf } from "../chess/names";
import { titleOf, writePgn } from "../chess/pgn";
import { clockText } from "../chess/score";
import type { Info, Limits, Search } from "luft/async.mjs";
import { reasonOf } from "../engine/reason";
import { loadGame, type SavedGame } from "../state/database";
import { callExplainer, engine } from "../state/engines.svelte";
import { announce, announceValue, notify } from "../state/notices.svelte";
import { treeOfSaved } from "../state/reader";
import { route } from "../state/route.svelte";
import { newId, Saver } from "../state/saver";
import { playSound } from "../state/sound";
import { forget, recall, remember } from "../state/storage";
import { texts } from "../texts";
import { levelOf, newSeed, ODDS, OPPONENTS, paceOf, type Odds, type Opponent } from "./opponents";

export interface Choices {
    color: Color | "random";
    strength: Opponent;
    odds: Odds;
    clock: string; // "minutes+seconds", or "" for none
    chess960: boolean;
    array: number; // number of the Chess960 start position
}

export interface Result {
    winner: Color | null;
    reason: string;
}

/** What is saved of a game besides its moves. */
export interface SavedPlay {
    you: Color;
    choices: Choices;
    seed?: number; // of the opponent
    clock?: Record<Color, number>;
    result?: Result;
}

export const CLOCKS: readonly string[] = ["", "1+0", "3+2", "5+3", "10+5", "15+10", "30+20"];
const COLORS: readonly Choices["color"][] = ["white", "black", "random"];
const START: Choices = { color: "white", strength: "700", odds: "none", clock: "", chess960: false, array: 518 };
const CHOSEN = "luft-choices", PLAYED = "luft-playing"; // keys: the choices of the last game, and the id of the one that is played

type SearchPurpose = "move" | "hint" | "draw";

const MOVE_TIME = 1500, HINT_TIME = 1000, DRAW_TIME = 500; // milliseconds
export const HINTS = 3; // the piece, the move, the reason
const REASON_NODES = 200_000;
const DRAW_PLIES = 18; // no draw is accepted before
const LINE_SHOWN = 4; // plies after a hint
const TICK = 100;
const SAID_SECONDS = [5, 10, 30]; // left on your clock
const LIKE_A_MOVE = /^([KQRBN]?[a-h]?[1-8]?x?[a-h][1-8](=?[qrbnQRBN])?|O-O(-O)?)[+#]?$/;
const LEVEL_NODES = 1e9; // more than any level takes: with a limit of nodes it takes as many as it should

/** Choices from storage; what is not possible is as at first. */
function choicesFrom(text: string | null): Choices {
    try {
        const { color, strength, odds, clock, chess960, array } = { ...START, ...JSON.parse(text ?? "{}") } as Choices;
        const one = <Value>(list: readonly Value[], value: Value, other: Value) => (list.includes(value) ? value : other);
        return { color: one(COLORS, color, START.color), strength: one(OPPONENTS, strength, START.strength), odds: one(ODDS, odds, START.odds),
                 clock: one(CLOCKS, clock, START.clock), chess960: chess960 === true,
                 array: Number.isInteger(array) && array >= 0 && array < 960 ? array : START.array };
    } catch {
        return { ...START };
    }
}

/** The start position without the piece that `giver` gives as odds. */
export function startFen(choices: Choices, giver: Color): string {
    const pos = positionOf(choices.chess960 ? chess960Fen(choices.array) : INITIAL_FEN);
    if (choices.odds === "none") return fenOf(pos);
    const own = pos.board[giver];
    const candidates = [...pos.board[choices.odds].intersect(own)];
    const square = choices.odds === "pawn" ? candidates.find(at => at % 8 === 5)! : candidates[0]!;
    const setup = pos.toSetup();
    setup.board.take(square);
    setup.castlingRights = setup.castlingRights.without(square);
    return makeFen(setup);
}

export class PlayGame {
    phase: "setup" | "playing" | "over" = $state("setup");
    tree = $state.raw(new GameTree());
    node: TreeNode = $state.raw(this.tree.root);
    you: Color = $state("white");
    orientation: Color = $state("white");
    choices: Choices = $state(choicesFrom(recall(CHOSEN)));
    isFirst = $state(recall(CHOSEN) === null); // no game was begun in this browser
    from: string | undefined = $state(); // the position where the next game begins, if it is none of chess's own
    looking: TreeNode | undefined = $state.raw(undefined); // an earlier position that is looked at
    thinking: SearchPurpose | null = $state(null);
    hint: string | undefined = $state(undefined); // a good move, in UCI
    hints = $state(0); // how much of it was said: the piece, the move, the reason
    reason: string | undefined = $state(undefined); // of the hint; undefined until it is known
    premove: string | undefined = $state(undefined); // is played as soon as it is your turn
    clock: Record<Color, number> | undefined = $state(undefined); // milliseconds
    result: Result | undefined = $state.raw(undefined);
    drawRefused = $state(false); // since your last move
    refused = $state(""); // why the move that was tried is not legal
    isResultNew = $state(false); // it is to be shown in a dialog
    #seed = 0;
    #time = 0; // of each side at the start, milliseconds
    #increment = 0;
    #turnBegan = 0;
    #search: Search | undefined;
    #ticker: ReturnType<typeof setInterval> | undefined;
    #best: Info | undefined;
    #saver: Saver | undefined;
    #release: (() => void) | undefined; // lets another tab continue this game

    get id(): string { return this.#saver?.id ?? ""; }
    /** The node on the board. */
    get shown(): TreeNode { return this.looking ?? this.node; }

    get turn(): Color { return this.node.position.turn; }
    get yourTurn(): boolean { return this.phase === "playing" && this.turn === this.you; }

    start(color = this.choices.color): void {
        remember(CHOSEN, JSON.stringify(this.choices));
        this.isFirst = false;
        this.you = color === "random" ? (Math.random() < 0.5 ? "white" : "black") : color;
        this.orientation = this.you;
        this.tree = new GameTree(this.from ?? startFen(this.choices, otherColor(this.you)));
        this.node = this.tree.root;
        this.tree.headers = this.#headers();
        this.result = this.premove = this.looking = undefined;
        this.#forgetHint();
        this.phase = "playing";
        this.#seed = newSeed();
        this.#setTime();
        this.clock = this.#time ? { white: this.#time, black: this.#time } : undefined;
        this.#startClock();
        announce(texts.play.begins(this.you));
        this.#begin();
        this.#nextTurn();
    }

    /** Saves this game as a new one. */
    #begin(): void {
        const id = newId();
        this.#saveAs(id, 0);
        void this.#lock(id);
        this.#saver!.changed(0);
    }

    #setTime(): void {
        const [minutes, seconds] = this.choices.clock.split("+").map(Number);
        this.#time = (minutes ?? 0) * 60_000;
        this.#increment = (seconds ?? 0) * 1000;
    }

    #headers(): Map<string, string> {
        const human = texts.play.you, luft = texts.play.opponent(this.choices.strength, this.from ? "none" : this.choices.odds);
        return new Map([["Event", texts.play.event], ["Date", new Date().toISOString().slice(0, 10).replaceAll("-", ".")],
                        ["White", this.you === "white" ? human : luft], ["Black", this.you === "black" ? human : luft]]);
    }

    // --- saving: at every move ---

    #saveAs(id: string, revision: number): void {
        void this.#saver?.saveChanges();
        this.#saver = new Saver(id, revision, () => this.#snapshot(), async mine => mine);
        remember(PLAYED, id);
    }

    /** Keeps other tabs from playing the same game. False if one does. */
    #lock(id: string): Promise<boolean> {
        if (!navigator.locks) return Promise.resolve(true); // they exist only on HTTPS
        return new Promise(resolve => {
            void navigator.locks.request(`luft ${id}`, { ifAvailable: true }, lock => {
                resolve(lock !== null);
                if (!lock) return undefined;
                this.#release?.();
                return new Promise<void>(release => { this.#release = release; });
            });
        });
    }

    #snapshot(): SavedGame | undefined {
        if (this.phase === "setup") return undefined;
        const { tree, you, choices, clock, result, orientation } = this;
        const play: SavedPlay = { you, choices: { ...choices }, seed: this.#seed, ...(clock && { clock: { ...clock } }), ...(result && { result }) };
        return { id: this.id, title: titleOf(tree), pgn: this.pgn, changed: Date.now(), plies: tree.mainline.length, orientation, play };
    }

    /** Continues the game that was played when the page was closed. */
    async resumeLast(): Promise<void> {
        const id = recall(PLAYED), saved = id ? await loadGame(id).catch(() => undefined) : undefined;
        if (!saved || this.phase !== "setup") return;
        const isBack = await this.resume(saved).catch(() => void forget(PLAYED));
        if (isBack && route.view === "play") announce([nameOf(this.tree.headers), this.result ? `${this.outcome}: ${this.result.reason}` : this.#state].join(". "));
    }

    /** Continues a saved game; its clock stood still meanwhile. False if it is not a game against Luft, or another tab plays it. */
    async resume(saved: SavedGame): Promise<boolean> {
        const { play } = saved;
        if (!play || (this.id === saved.id && this.phase !== "setup")) return play !== undefined;
        const tree = await treeOfSaved(saved);
        if (!await this.#lock(saved.id)) return false;
        this.#saveAs(saved.id, saved.revision ?? 0);
        this.#stopSearch();
        this.choices = choicesFrom(JSON.stringify(play.choices));
        this.you = play.you === "black" ? "black" : "white";
        this.orientation = saved.orientation ?? this.you;
        this.tree = tree;
        this.node = tree.root.line.at(-1)!;
        this.premove = this.looking = undefined;
        this.#forgetHint();
        this.#seed = play.seed ?? newSeed();
        this.#setTime();
        this.clock = this.#time ? play.clock ?? this.#clockAt(this.node) : undefined;
        this.result = play.result;
        this.isResultNew = false;
        this.phase = play.result ? "over" : "playing";
        if (this.result) return true;
        this.#startClock();
        this.#nextTurn();
        return true;
    }

    // --- looking back ---

    look(node: TreeNode | undefined): void {
        if (!node) return;
        this.looking = node === this.node ? undefined : node;
        announce(this.#lastMove);
    }
    back(): void { this.look(this.shown.parent ?? undefined); }
    forward(): void { this.look(this.shown.children[0]); }
    first(): void { this.look(this.tree.root); }
    last(): void { this.look(this.node); }

    /** Starts the clock of the side to move, if there is one. */
    #startClock(): void {
        this.#turnBegan = performance.now();
        clearInterval(this.#ticker);
        if (this.clock) this.#ticker = setInterval(() => this.#tick(), TICK);
    }

    /** The clocks as they stood after this move. */
    #clockAt(node: TreeNode): Record<Color, number> {
        const after = (at: TreeNode | null) => (at?.clock === undefined ? this.#time : at.clock * 1000);
        const [toMove, moved] = [after(node.parent), after(node)];
        return node.position.turn === "white" ? { white: toMove, black: moved } : { white: moved, black: toMove };
    }

    /** Plays the user's move; false if it is not legal. */
    play(text: string): boolean {
        if (!this.yourTurn || this.looking) return false;
        this.#stopSearch();
        if (!this.#makeMove(text)) return false;
        this.#nextTurn();
        return true;
    }

    /** Says why a move is not legal. */
    refuse(from: SquareName, to: SquareName): void {
        if (!this.yourTurn || this.looking) return;
        this.refused = texts.play.refused[reasonIllegal(this.node.position, from, to)];
        announce(this.refused);
    }

    #makeMove(text: string): boolean {
        const mover = this.turn;
        const node = this.tree.play(this.node, text);
        if (!node) return false;
        this.node = node;
        this.#forgetHint();
        this.drawRefused = false;
        this.refused = "";
        playSound(node.san);
        announce(texts.spoken.move(node.number, node.isWhitesMove, node.san, ""));
        if (this.clock) {
            this.#deductTime(mover);
            this.clock[mover] += this.#increment;
            node.clock = this.clock[mover] / 1000;
        }
        this.#saver?.changed(0);
        return true;
    }

    #deductTime(side: Color): void {
        const now = performance.now();
        if (this.clock && this.tree.mainline.length > 1) this.clock[side] -= now - this.#turnBegan;
        this.#turnBegan = now;
    }

    #nextTurn(): void {
        const end = outcomeOf(this.node);
        if (end) this.#finish({ winner: end.winner ?? null, reason: texts.play.ends[end.kind] });
        else if (!this.yourTurn) void this.#think("move");
        else this.#playPremove();
    }

    /** Notes a move for your next turn, between two squares or in SAN; undefined: none. */
    setPremove(text: string | undefined): boolean {
        if (this.phase !== "playing" || this.yourTurn || (text !== undefined && !LIKE_A_MOVE.test(text))) return false;
        this.premove = text;
        if (text) announce(texts.play.premoveIs(text));
        return true;
    }

    /** Plays what was noted, whatever is looked at; a pawn that promotes becomes a queen. */
    #playPremove(): void {
        const { premove } = this;
        this.premove = undefined;
        if (!premove) return;
        if (this.#makeMove(premove) || this.#makeMove(`${premove}q`)) {
            this.looking = undefined;
            this.#nextTurn();
        } else announce(texts.play.premoveGone(premove));
    }

    #limits(purpose: SearchPurpose): Limits {
        if (purpose !== "move") return { moveTime: purpose === "hint" ? HINT_TIME : DRAW_TIME };
        if (this.choices.strength !== "full") return { nodes: LEVEL_NODES };
        if (!this.clock) return { moveTime: MOVE_TIME };
        const left = (color: Color) => Math.max(1, Math.round(this.clock![color]));
        return { whiteClock: left("white"), blackClock: left("black"),
                 whiteIncrement: this.#increment, blackIncrement: this.#increment };
    }

    /** Milliseconds that a level takes for its move. */
    #pace(move: string): number {
        const { node, clock } = this, isChosen = legalMoves(node.position).length > 1 && !takesBack(node, move);
        return paceOf(clock?.[this.turn], this.#increment, isChosen);
    }

    /** Hints and answers to a draw offer come from full strength. */
    async #think(purpose: SearchPurpose): Promise<void> {
        const level = purpose === "move" ? levelOf(this.choices.strength, this.#seed) : undefined, began = performance.now();
        this.thinking = purpose;
        this.#best = undefined;
        const search = this.#search = engine.analyse(
            { ...this.node.uciPosition, limits: this.#limits(purpose), options: level ?? {} },
            { onLines: lines => { this.#best = lines.find(info => info.bound === 0) ?? this.#best; } });
        try {
            const { best } = await search.best, wait = level ? this.#pace(best) - (performance.now() - began) : 0;
            if (wait > 0) await new Promise(resolve => setTimeout(resolve, wait));
            if (this.#search !== search) return;
            this.#search = undefined;
            this.thinking = null;
            this.#useResult(purpose, best);
        } catch (error) {
            this.thinking = null;
            notify(reasonOf(error), "error");
        }
    }

    /** The game as it is saved, with what another visit has added; for its analysis. */
    get saved(): SavedGame | undefined {
        const snapshot = this.#snapshot();
        return snapshot && { ...snapshot, revision: this.#saver!.revision };
    }

    async saveChanges(): Promise<void> { await this.#saver?.saveChanges(); }

    #useResult(purpose: SearchPurpose, best: string): void {
        if (this.phase !== "playing") return;
        if (purpose === "hint") this.#giveHint(best);
        else if (purpose === "draw") this.#answerDraw();
        else if (this.#makeMove(best)) this.#nextTurn();
    }

    /** Stops the search and drops its result. */
    #stopSearch(): void {
        void this.#search?.stop();
        this.#search = undefined;
        this.thinking = null;
    }

    get #lastMove(): string {
        const node = this.shown;
        return node.parent ? texts.spoken.move(node.number, node.isWhitesMove, node.san, "") : texts.spoken.start;
    }

    /** Says the last move, whose turn it is, and the clocks. */
    say(): void { announceValue(this.#state); }

    get #state(): string {
        const { clock } = this, turn = texts.board.turn(this.shown.position.turn);
        const times = clock ? [texts.spoken.clocks(clockText(clock.white / 1000), clockText(clock.black / 1000))] : [];
        return [this.#lastMove, turn, ...times].join(". ");
    }

    /** Says one step more of the hint. */
    #giveHint(best: string): void {
        this.hint = best;
        this.drawRefused = false;
        this.hints++;
        announce(this.hintWords);
        if (this.hints === HINTS) void this.#explainHint();
    }

    /** The hint as far as it is given, in words; "" where there is none. */
    get hintWords(): string {
        const pos = this.node.position, move = this.hint ? readMove(pos, this.hint) : undefined;
        if (!move || this.hints === 0) return "";
        const [from] = squaresOf(pos, this.hint!)!, role = pos.board.getRole(move.from)!;
        if (this.hints === 1) return texts.train.hintPiece(texts.pieces[role], from);
        const words = texts.train.hintMove(sanOf(pos, move));
        return this.hints < HINTS ? words : `${words} ${this.reason ?? texts.play.hintWhy}`;
    }

    /** Why the move of the hint is good. Its words come from the explanation, which runs in the engine's other thread. */
    async #explainHint(): Promise<void> {
        const { node, hint } = this;
        const answer = await callExplainer("explain", { ...node.uciPosition, move: hint!, nodes: REASON_NODES }).catch(() => undefined);
        if (this.node !== node || this.hint !== hint) return;
        const line = answer ? sansOf(node.position, answer.line.map(({ uci }) => uci), LINE_SHOWN) : [];
        const other = answer && answer.reason !== "best" ? answer.better[0]?.san : undefined; // as good a move: not what was asked
        const words = answer?.words.filter(words => !texts.train.isBest(answer.move.san).includes(words) && !(other && words.includes(other))) ?? [];
        this.reason = words.join(" ") || texts.train.hintLine(line);
        announce(this.reason);
    }

    askHint(): void {
        this.refused = "";
        if (!this.yourTurn || this.thinking || this.hints >= HINTS) return;
        if (this.hint) this.#giveHint(this.hint);
        else void this.#think("hint");
    }

    #forgetHint(): void {
        this.hint = this.reason = undefined;
        this.hints = 0;
    }

    /** Takes back your last move and restores the clocks. */
    takeBack(): void {
        if (this.phase === "setup") return;
        this.#stopSearch();
        if (this.phase === "over") this.#begin(); // the game as it ended stays in "Saved"
        let node = this.node;
        do {
            if (!node.parent) break;
            const parent: TreeNode = node.parent;
            parent.children = [];
            node = parent;
        } while (node.position.turn !== this.you && node.parent);
        this.node = node;
        this.refused = "";
        this.result = this.premove = this.looking = undefined;
        this.#forgetHint();
        this.phase = "playing";
        this.tree.headers = this.#headers();
        announce(`${texts.play.takenBack}. ${this.#lastMove}`);
        if (this.clock) this.clock = this.#clockAt(node);
        this.#startClock();
        this.#saver?.changed(0);
        this.#nextTurn();
    }

    get canTakeBack(): boolean { return this.phase !== "setup" && this.node.path.some(at => at.isWhitesMove === (this.you === "white")); }

    /** Who won, in words for the user; "" before the end. */
    get outcome(): string {
        if (!this.result) return "";
        const { winner } = this.result;
        return winner === null ? texts.play.drawn : winner === this.you ? texts.play.won : texts.play.lost(this.choices.strength);
    }

    resign(): void { this.#finish({ winner: otherColor(this.you), reason: texts.play.ends.resigned }); }

    offerDraw(): void {
        this.refused = "";
        if (this.yourTurn && !this.thinking && !this.drawRefused) void this.#think("draw");
    }

    #answerDraw(): void {
        const best = this.#best;
        const yours = !best ? 1 : best.isMate ? (best.score > 0 ? 1 : 0) : (best.win + best.draw / 2) / 1000;
        const takes = this.node.path.length >= DRAW_PLIES && yours >= 0.5;
        if (takes) this.#finish({ winner: null, reason: texts.play.ends.agreed });
        else {
            this.drawRefused = true;
            announce(texts.play.drawRefused(this.choices.strength));
        }
    }

    #tick(): void {
        if (this.phase !== "playing" || !this.clock) return;
        const side = this.turn, before = this.clock[side] / 1000;
        this.#deductTime(side);
        const left = this.clock[side] / 1000, said = SAID_SECONDS.find(seconds => before > seconds && left <= seconds);
        if (said && left > 0 && side === this.you) announceValue(texts.play.timeLeft(said));
        if (this.clock[side] > 0) return;
        this.clock[side] = 0;
        const board = this.node.position.board;
        const bare = board[otherColor(side)].size() === 1;
        this.#finish({ winner: bare ? null : otherColor(side), reason: bare ? texts.play.ends.timeBare
            : side === this.you ? texts.play.ends.time : texts.play.ends.timeOf(this.choices.strength) });
    }

    #finish(result: Result): void {
        this.#stopSearch();
        clearInterval(this.#ticker);
        this.phase = "over";
        this.result = result;
        this.isResultNew = true;
        this.premove = this.looking = undefined;
        const text = result.winner === null ? "1/2-1/2" : result.winner === "white" ? "1-0" : "0-1";
        this.tree.headers = new Map([...this.tree.headers, ["Result", text]]);
        this.#saver?.changed(0);
        announce(`${this.outcome}: ${result.reason}.`);
    }

    get pgn(): string { return writePgn(this.tree); }

    /** Offers a game from a position. A game that is not over stays in "Saved". */
    prepare(fen: string): void {
        if (this.phase !== "setup") this.again();
        this.from = fen;
    }

    again(): void {
        this.#stopSearch();
        clearInterval(this.#ticker);
        void this.#saver?.saveChanges();
        this.phase = "setup";
        this.from = this.premove = this.looking = undefined;
        forget(PLAYED);
    }
}

export const game = new PlayGame();

/** Starts the first game of a newcomer at once: White against the weakest opponent. */
export function playFirst(): void {
    game.start();
    route.view = "play";
}

/** Starts a game from a position at once: the user has the side to move. */
export function practise({ fen, position }: TreeNode): void {
    game.prepare(fen);
    game.start(position.turn);
    route.view = "play";
}
