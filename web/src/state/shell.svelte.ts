// The dialog of the page, and how many dialogs are open.

export type DialogName = "" | "open" | "editor" | "remote" | "share" | "saved" | "game" | "settings" | "keys" | "about";
export const shell = $state({ dialog: "" as DialogName, open: 0 });
