// The open dialog.

export const shell = $state({ dialog: "" as "" | "open" | "share" | "saved" | "settings" | "keys" | "about" });
