// The dialog of the page, how many dialogs are open, what is loaded on demand, and whether that shows the report on weaknesses.

import type { DrawShape } from "@lichess-org/chessground/draw";
import type { Color, SquareName } from "../chess/position";
import type { Learner } from "../learn/learner.svelte";
import type { Scope, Trainer } from "../train/trainer.svelte";
import { route } from "./route.svelte";
import { recall } from "./storage";

export type DialogName = "" | "open" | "editor" | "remote" | "share" | "saved" | "game" | "settings" | "keys" | "about";
/** Keys: what was chosen in the training, which a reload brings back. */
export const SCOPE = "luft-training-scope", WEAKNESSES = "luft-weaknesses";
const isReload = location.hash.startsWith("#/train");

export const shell = $state({ dialog: "" as DialogName, open: 0, trainer: undefined as Trainer | undefined, learner: undefined as Learner | undefined,
                              weaknesses: isReload && recall(WEAKNESSES) !== null, scope: (isReload && recall(SCOPE) as Scope) || undefined });

/** Leads to the training on these games, or to the report on weaknesses in them. */
export function train(scope: Scope, weaknesses = false): void {
    Object.assign(shell, { scope, weaknesses });
    route.view = "train";
    void shell.trainer?.load(scope); // else it begins with them
}

/** What a view that is loaded on demand shows on the board. */
export interface Guide {
    readonly fen: string | undefined;
    readonly last: readonly SquareName[] | undefined;
    readonly orientation: Color;
    readonly movable: Color | undefined;
    readonly shapes: DrawShape[];
    readonly asks?: boolean; // for moves, even if none can be made now: the field for typing stays
    turned: boolean;
    play(text: string): boolean;
    walk(how: "first" | "back" | "forward" | "last"): void;
}
