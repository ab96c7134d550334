// The user's settings, saved in localStorage.

export type Theme = "auto" | "light" | "dark";
export type BoardColors = "brown" | "blue" | "green" | "grey";
export type PieceSet = "cburnett" | "outline";

const DEFAULTS = {
    language: navigator.language.startsWith("de") ? "de" : "en", // of the page and of explanations; read when it loads
    theme: "auto" as Theme,
    board: "brown" as BoardColors,
    pieces: "cburnett" as PieceSet,
    coordinates: true,
    animation: true,
    sound: false,
    arrows: true,
    lines: 2,
    hash: 16, // megabytes
    engineOn: true,
    reportNodes: 100_000,
    explainNodes: 300_000,
};

export type Settings = typeof DEFAULTS;

const KEY = "luft-settings";

function load(): Settings {
    try {
        const saved: Record<string, unknown> = JSON.parse(localStorage.getItem(KEY) ?? "{}");
        const good = Object.entries(saved).filter(([name, value]) =>
            name in DEFAULTS && typeof value === typeof DEFAULTS[name as keyof Settings]);
        return { ...DEFAULTS, ...Object.fromEntries(good) };
    } catch {
        return { ...DEFAULTS }; // storage is not allowed, or its content is damaged
    }
}

export const settings: Settings = $state(load());

/** Call it in an effect, which then runs again whenever a setting changes. */
export function saveSettings(): void {
    const text = JSON.stringify(settings);
    try {
        localStorage.setItem(KEY, text);
    } catch {
        // Without storage the settings last only for this visit.
    }
}
