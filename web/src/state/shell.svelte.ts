// The dialog of the page, how many dialogs are open, what is loaded on demand, and whether that shows the report on weaknesses.

import type { DrawShape } from "@lichess-org/chessground/draw";
import type { Color, SquareName } from "../chess/position";
import type { Learner } from "../learn/learner.svelte";
import type { Trainer } from "../train/trainer.svelte";

export type DialogName = "" | "open" | "editor" | "remote" | "share" | "saved" | "game" | "settings" | "keys" | "about";
export const shell = $state({ dialog: "" as DialogName, open: 0, trainer: undefined as Trainer | undefined, learner: undefined as Learner | undefined,
                              weaknesses: false });

/** What a view that is loaded on demand shows on the board. */
export interface Guide {
    readonly fen: string | undefined;
    readonly last: readonly SquareName[] | undefined;
    readonly orientation: Color;
    readonly movable: Color | undefined;
    readonly shapes: DrawShape[];
    turned: boolean;
    play(text: string): boolean;
    walk(how: "first" | "back" | "forward" | "last"): void;
}
