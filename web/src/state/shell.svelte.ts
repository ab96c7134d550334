// What lies over the views.

export const shell = $state({ dialog: "" as "" | "open" | "share" | "saved" | "settings" | "keys" | "about" });
