// The dialog of the page, how many dialogs are open, and what is loaded on demand.

import type { Trainer } from "../train/trainer.svelte";

export type DialogName = "" | "open" | "editor" | "remote" | "share" | "saved" | "game" | "settings" | "keys" | "about";
export const shell = $state({ dialog: "" as DialogName, open: 0, trainer: undefined as Trainer | undefined });
