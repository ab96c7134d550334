// A game against Luft.

import { makeFen } from "chessops/fen";

import { outcomeOf } from "../chess/outcome";
import { chess960Fen, fenOf, INITIAL_FEN, otherColor, positionOf, type Color } from "../chess/position";
import { GameTree, type TreeNode } from "../chess/tree";
import { writePgn } from "../chess/pgn";
import type { Search } from "../engine/client";
import { reasonOf, type Info, type Limits } from "../engine/protocol";
import { engine } from "../state/engines.svelte";
import { announce, notify } from "../state/notices.svelte";
import { playSound } from "../state/sound";
import { texts } from "../texts";

export type Odds = "none" | "pawn" | "knight" | "rook" | "queen";
export type Strength = "full" | `nodes-${number}`;

export interface Choices {
    color: Color | "random";
    strength: Strength;
    odds: Odds;
    clock: string; // "minutes+seconds", or "" for none
    chess960: boolean;
    array: number; // number of the Chess960 start position
}

export interface Result {
    winner: Color | null;
    reason: string;
}

type SearchPurpose = "move" | "hint" | "draw";

const MOVE_TIME = 1500, HINT_TIME = 1000, DRAW_TIME = 500; // milliseconds
const DRAW_PLIES = 18; // no draw is accepted before
const TICK = 100;


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
    choices: Choices = $state({ color: "white", strength: "full", odds: "none", clock: "", chess960: false, array: 518 });
    thinking: SearchPurpose | null = $state(null);
    hint: string | undefined = $state(undefined);
    clock: Record<Color, number> | undefined = $state(undefined); // milliseconds
    result: Result | undefined = $state.raw(undefined);
    #time = 0; // of each side at the start, milliseconds
    #increment = 0;
    #turnBegan = 0;
    #search: Search | undefined;
    #ticker: ReturnType<typeof setInterval> | undefined;
    #best: Info | undefined;

    get turn(): Color { return this.node.position.turn; }
    get yourTurn(): boolean { return this.phase === "playing" && this.turn === this.you; }

    start(): void {
        const { color, clock } = this.choices;
        this.you = color === "random" ? (Math.random() < 0.5 ? "white" : "black") : color;
        this.orientation = this.you;
        this.tree = new GameTree(startFen(this.choices, otherColor(this.you)));
        this.node = this.tree.root;
        this.result = this.hint = undefined;
        this.phase = "playing";
        const [minutes, seconds] = clock.split("+").map(Number);
        this.#time = clock ? minutes! * 60_000 : 0;
        this.#increment = clock ? seconds! * 1000 : 0;
        this.clock = clock ? { white: this.#time, black: this.#time } : undefined;
        this.#startClock();
        announce(texts.play.begins(this.you));
        this.#nextTurn();
    }

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
        if (!this.yourTurn) return false;
        this.#stopSearch();
        if (!this.#makeMove(text)) return false;
        this.#nextTurn();
        return true;
    }

    #makeMove(text: string): boolean {
        const mover = this.turn;
        const node = this.tree.play(this.node, text);
        if (!node) return false;
        this.node = node;
        this.hint = undefined;
        playSound(node.san);
        announce(texts.spoken.move(node.number, node.isWhitesMove, node.san, ""));
        if (this.clock) {
            this.#deductTime(mover);
            this.clock[mover] += this.#increment;
            node.clock = this.clock[mover] / 1000;
        }
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
    }

    #limits(purpose: SearchPurpose): Limits {
        const { strength } = this.choices;
        if (purpose !== "move") return { moveTime: purpose === "hint" ? HINT_TIME : DRAW_TIME };
        if (strength !== "full") return { nodes: Number(strength.slice("nodes-".length)) };
        if (!this.clock) return { moveTime: MOVE_TIME };
        const left = (color: Color) => Math.max(1, Math.round(this.clock![color]));
        return { whiteClock: left("white"), blackClock: left("black"),
                 whiteIncrement: this.#increment, blackIncrement: this.#increment };
    }

    async #think(purpose: SearchPurpose): Promise<void> {
        this.thinking = purpose;
        this.#best = undefined;
        const search = this.#search = engine.search(
            { ...this.node.uciPosition, lines: 1, limits: this.#limits(purpose),
              newGame: purpose === "move" && this.choices.strength !== "full" },
            lines => { this.#best = lines.find(info => info.bound === 0) ?? this.#best; });
        try {
            const { best } = await search.done;
            if (this.#search !== search) return;
            this.#search = undefined;
            this.thinking = null;
            this.#useResult(purpose, best);
        } catch (error) {
            this.thinking = null;
            notify(reasonOf(error), "error");
        }
    }

    #useResult(purpose: SearchPurpose, best: string): void {
        if (this.phase !== "playing") return;
        if (purpose === "hint") this.hint = best;
        else if (purpose === "draw") this.#answerDraw();
        else if (this.#makeMove(best)) this.#nextTurn();
    }

    /** Stops the search and drops its result. */
    #stopSearch(): void {
        this.#search?.stop();
        this.#search = undefined;
        this.thinking = null;
    }

    askHint(): void { if (this.yourTurn && !this.thinking) void this.#think("hint"); }

    /** Takes back your last move and restores the clocks. */
    takeBack(): void {
        if (this.phase === "setup") return;
        this.#stopSearch();
        let node = this.node;
        do {
            if (!node.parent) break;
            const parent: TreeNode = node.parent;
            parent.children = [];
            node = parent;
        } while (node.position.turn !== this.you && node.parent);
        this.node = node;
        this.result = this.hint = undefined;
        this.phase = "playing";
        if (this.clock) this.clock = this.#clockAt(node);
        this.#startClock();
        this.#nextTurn();
    }

    get canTakeBack(): boolean { return this.phase !== "setup" && this.node.path.some(at => at.isWhitesMove === (this.you === "white")); }

    resign(): void { this.#finish({ winner: otherColor(this.you), reason: texts.play.ends.resigned }); }

    offerDraw(): void { if (this.yourTurn && !this.thinking) void this.#think("draw"); }

    #answerDraw(): void {
        const best = this.#best;
        const yours = !best ? 1 : best.isMate ? (best.score > 0 ? 1 : 0) : (best.win + best.draw / 2) / 1000;
        const takes = this.node.path.length >= DRAW_PLIES && yours >= 0.5;
        if (takes) this.#finish({ winner: null, reason: texts.play.ends.agreed });
        else notify(texts.play.drawRefused);
    }

    #tick(): void {
        if (this.phase !== "playing" || !this.clock) return;
        const side = this.turn;
        this.#deductTime(side);
        if (this.clock[side] > 0) return;
        this.clock[side] = 0;
        const board = this.node.position.board;
        const bare = board[otherColor(side)].size() === 1;
        this.#finish({ winner: bare ? null : otherColor(side), reason: bare ? texts.play.ends.timeBare : texts.play.ends.time });
    }

    #finish(result: Result): void {
        this.#stopSearch();
        clearInterval(this.#ticker);
        this.phase = "over";
        this.result = result;
        const headers = this.tree.headers, human = texts.play.you;
        headers.set("Event", texts.play.event).set("Date", new Date().toISOString().slice(0, 10).replaceAll("-", "."));
        headers.set("White", this.you === "white" ? human : "Luft").set("Black", this.you === "black" ? human : "Luft");
        headers.set("Result", result.winner === null ? "1/2-1/2" : result.winner === "white" ? "1-0" : "0-1");
        announce(texts.play.over(result.winner, result.reason));
    }

    get pgn(): string { return writePgn(this.tree); }

    again(): void {
        this.#stopSearch();
        clearInterval(this.#ticker);
        this.phase = "setup";
    }
}

export const game = new PlayGame();
