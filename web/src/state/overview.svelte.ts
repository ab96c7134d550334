// "What is going on here?": threats and facts of the position that is analysed. Never during a game against Luft.

import type { DrawShape } from "@lichess-org/chessground/draw";
import type { Key } from "@lichess-org/chessground/types";
import { positionOf, squaresOf } from "../chess/position";
import type { TreeNode } from "../chess/tree";
import type { Overview } from "luft/async.mjs";
import { reasonOf } from "../engine/reason";
import { callExplainer } from "./engines.svelte";
import { announce } from "./notices.svelte";
import { settings } from "./settings.svelte";

type Shown = Pick<Overview, "words" | "threat" | "pieces">;

const REST = 400; // milliseconds that a position stays before it is looked at

class Overviews {
    #answer: Shown | undefined = $state.raw(undefined);
    #node: TreeNode | undefined = $state.raw(undefined); // to which the answer belongs
    #wanted: TreeNode | undefined = $state.raw(undefined);
    #timer: ReturnType<typeof setTimeout> | undefined;
    #busy = false;

    /** What is known of the wanted position. */
    get answer(): Shown | undefined { return this.#node === this.#wanted ? this.#answer : undefined; }

    /** The threat as an arrow, pieces in trouble as circles. */
    get shapes(): DrawShape[] {
        const { threat, pieces = [] } = this.answer ?? {};
        const squares = threat && squaresOf(positionOf(threat.fen), threat.move.uci) as [Key, Key] | undefined;
        return [...(squares ? [{ orig: squares[0], dest: squares[1], brush: "red" }] : []),
                ...pieces.map(({ square }) => ({ orig: square as Key, brush: "yellow" }))];
    }

    /** Looks at a position as soon as it rests; undefined: at none. */
    follow(node: TreeNode | undefined): void {
        this.#wanted = node;
        clearTimeout(this.#timer);
        if (node && node !== this.#node) this.#timer = setTimeout(() => void this.#look(), REST);
    }

    /** One question at a time: while it is answered, only the latest position waits. */
    async #look(): Promise<void> {
        const node = this.#wanted;
        if (!node || this.#busy) return;
        this.#busy = true;
        try {
            const answer = await callExplainer("overview", { ...node.uciPosition, nodes: settings.reportNodes });
            [this.#answer, this.#node] = [answer, node];
            if (this.#wanted === node) announce(answer.words.join(" "));
        } catch (error) {
            [this.#answer, this.#node] = [{ words: [reasonOf(error)], pieces: [] }, node];
        }
        this.#busy = false;
        if (this.#wanted !== node) void this.#look();
    }
}

export const overview = new Overviews();
