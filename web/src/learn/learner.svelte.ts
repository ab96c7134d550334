// The lesson that is open: its steps, what the board shows, and its searches.

import type { DrawShape } from "@lichess-org/chessground/draw";
import type { Key } from "@lichess-org/chessground/types";
import { lessons } from "virtual:lessons";
import { INITIAL_FEN, positionOf, readMove, squaresOf, uciOf, type Color } from "../chess/position";
import { reasonOf } from "../engine/reason";
import type { Guide } from "../state/shell.svelte";
import { challengeOf, DEPTHS, isChallenge, NAME, textOf } from "./challenge";
import { ENDED, LearnClient } from "./client";
import { stepsOf, type Example, type Lesson } from "./lesson";
import { progress } from "./progress.svelte";
import { words } from "./words";

export class Learner implements Guide {
    name = $state("");
    lesson: Lesson | undefined = $state.raw();
    code: LessonSource["code"] = $state.raw({});
    error = $state("");
    at = $state(0); // the step
    turned = $state(false);
    picked = $state(""); // the FEN that was chosen in the step; "": the first one of the step
    guesses: string[] = $state([]);
    revealed = $state(false);

    #client: LearnClient | undefined;

    steps = $derived(this.lesson ? stepsOf(this.lesson) : []);
    step = $derived(this.steps[this.at]);

    /** The engine of the lessons, which starts with the first call. */
    get client(): LearnClient { return (this.#client ??= new LearnClient()); }

    end(): void {
        this.#client?.end();
        this.#client = undefined;
    }

    async open(name: string): Promise<void> {
        if (name === this.name && (this.lesson || !this.error)) return;
        this.end();
        Object.assign(this, { name, lesson: undefined, error: "", at: 0, turned: false });
        this.#forget();
        const found = lessons.find(lesson => lesson.name === name), challenge = challengeOf(name);
        if (!name || name === NAME) return;
        if (!found && isChallenge(name) && !challenge) return void (this.error = words.noChallenge(DEPTHS.low, DEPTHS.high));
        if (!found && !challenge) return void (this.error = words.unknown(name));
        try {
            const { client } = this, { text, code } = challenge ? { text: textOf(challenge), code: {} } : await found!.load();
            const lesson = await client.call("lesson", { text });
            if (this.name !== name) return;
            Object.assign(this, { lesson, code });
            this.#note();
        } catch (error) {
            if (this.name === name && reasonOf(error) !== ENDED) this.error = words.failed(reasonOf(error));
        }
    }

    #forget(): void { Object.assign(this, { picked: "", guesses: [], revealed: false }); }

    goTo(step: number): void {
        this.at = Math.max(0, Math.min(this.steps.length - 1, step));
        this.#forget();
        this.#note();
    }

    #note(): void { if (this.steps.length > 0) progress.noteStep(this.name, this.at, this.steps.length); }

    walk(how: "first" | "back" | "forward" | "last"): void {
        this.goTo({ first: 0, back: this.at - 1, forward: this.at + 1, last: Infinity }[how]);
    }

    /** The node that the step is about. */
    get example(): Example | undefined {
        return this.step && ["predict", "see", "code"].includes(this.step.kind) ? this.lesson?.examples[0] : undefined;
    }

    /** Whether the moves on which the rule acts can be guessed. */
    get asks(): boolean {
        return this.step?.kind === "predict" && !this.step.items.some(({ kind }) => kind === "options") && this.example !== undefined && this.example.moves.length > 0 && words.guessed.includes(this.example.effect);
    }

    /** The moves on which the rule acts in the example, as the board writes them. */
    get acted(): string[] {
        const position = this.example && positionOf(this.example.fen);
        return this.example?.moves.flatMap(({ uci }) => { const move = readMove(position!, uci); return move ? [uciOf(move)] : []; }) ?? [];
    }

    // --- the board ---

    /** The position that is searched. */
    get #root(): string {
        const table = this.step?.items.find(item => item.kind === "table")?.text.split(/\s+/)[0];
        return this.step?.items.find(item => item.fen)?.fen || this.lesson?.searches.find(search => search.name === table)?.fen
            || this.lesson?.searches[0]?.fen || INITIAL_FEN;
    }
    /** Whether the step is about a node of the search, which its text then names. */
    get #isInside(): boolean {
        const { example, step } = this;
        return example !== undefined && example.line !== "" && example.fen !== this.#root
            && (this.asks || step?.kind !== "predict" || step.items.some(({ kind, text }) => kind === "text" && text.includes(example.line)));
    }
    get fen(): string { return this.picked || (this.#isInside ? this.example!.fen : this.#root); }
    /** What the board can show in this step. */
    get places(): { name: string; fen: string }[] {
        if (!this.step || ["worth", "check"].includes(this.step.kind)) return [];
        const root = this.#root, turn = (fen: string) => words.turn(positionOf(fen).turn), { example } = this;
        return [{ name: `${words.searched}, ${turn(root)}`, fen: root },
                ...(this.#isInside ? [{ name: `${words.nodeAfter(example!.line)}, ${turn(example!.fen)}`, fen: example!.fen }] : [])];
    }
    get last() { return undefined; }
    /** The side to move in the position that is searched: a node of the search is seen from the same side. */
    get orientation(): Color { return (positionOf(this.#root).turn === "white") === this.turned ? "black" : "white"; }
    get movable(): Color | undefined { return this.asks && !this.revealed ? positionOf(this.fen).turn : undefined; }

    get shapes(): DrawShape[] {
        const { example } = this, position = positionOf(this.fen);
        if (!example || this.fen !== example.fen) return [];
        const arrow = (uci: string, brush: string): DrawShape[] => {
            const squares = squaresOf(position, uci);
            return squares ? [{ orig: squares[0] as Key, dest: squares[1] as Key, brush, modifiers: { lineWidth: 6 } }] : [];
        };
        const { acted } = this;
        if (!this.asks) return acted.flatMap(uci => arrow(uci, "paleBlue"));
        if (!this.revealed) return this.guesses.flatMap(uci => arrow(uci, "yellow"));
        return [...acted.flatMap(uci => arrow(uci, this.guesses.includes(uci) ? "green" : "paleBlue")),
                ...this.guesses.filter(uci => !acted.includes(uci)).flatMap(uci => arrow(uci, "red"))];
    }

    /** A move on the board is a guess; the same again takes it back. */
    play(text: string): boolean {
        const move = this.movable && readMove(positionOf(this.fen), text);
        if (!move) return false;
        this.toggle(uciOf(move));
        return true;
    }

    toggle(uci: string): void {
        this.guesses = this.guesses.includes(uci) ? this.guesses.filter(other => other !== uci) : [...this.guesses, uci];
    }
}

export const learner = new Learner();
