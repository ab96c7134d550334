// The dialog of the page, how many dialogs are open, what is loaded on demand, and whether that shows the report on weaknesses.

import type { Trainer } from "../train/trainer.svelte";

export type DialogName = "" | "open" | "editor" | "remote" | "share" | "saved" | "game" | "settings" | "keys" | "about";
export const shell = $state({ dialog: "" as DialogName, open: 0, trainer: undefined as Trainer | undefined,
                              weaknesses: false });
