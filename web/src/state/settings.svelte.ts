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
    letters: true, // keys of one letter as shortcuts: speech input types letters
    moveWords: false, // moves are said in words
    arrows: true,
    overview: false, // "What is going on here?"
    lines: 2,
    hash: 16, // megabytes
    engineOn: true,
    ownMistakes: false, // of the side at the bottom only, where one walks through the mistakes
    reportNodes: 100_000,
    explainNodes: 300_000,
    fetches: false, // games of other sites, on request: state/remote.ts
};

export type Settings = typeof DEFAULTS;

export const HASH_SIZES = [8, 16, 32, 64, 128, 256];

/** The lowest and the highest value of a number, and what a text may be. */
const RANGES = new Map([["lines", [1, 5]], ["hash", [1, HASH_SIZES.at(-1)!]], ["reportNodes", [1, 1e9]], ["explainNodes", [1, 3e9]]]);
const WORDS = new Map([["language", ["en", "de"]], ["theme", ["auto", "light", "dark"]], ["board", ["brown", "blue", "green", "grey"]],
                       ["pieces", ["cburnett", "outline"]]]);

/** Whether a value from outside is one that the setting may have. */
export function isPossible(name: string, value: unknown): boolean {
    const [low, high] = RANGES.get(name) ?? [];
    if (typeof value === "number") return low !== undefined && Number.isInteger(value) && low <= value && value <= high!;
    if (typeof value === "string") return WORDS.get(name)?.includes(value) ?? false;
    return typeof value === "boolean" && typeof DEFAULTS[name as keyof Settings] === "boolean";
}

const KEY = "luft-settings";

function load(): Settings {
    try {
        const saved: Record<string, unknown> = JSON.parse(localStorage.getItem(KEY) ?? "{}");
        return { ...DEFAULTS, ...Object.fromEntries(Object.entries(saved).filter(([name, value]) => isPossible(name, value))) };
    } catch {
        return { ...DEFAULTS }; // storage is not allowed, or its content is damaged
    }
}

export const settings: Settings = $state(load());

/** Of dates and numbers: the browser's, where it is one of the page's language. */
export const locale = navigator.language.startsWith(settings.language) ? navigator.language : settings.language;

/** Call it in an effect, which then runs again whenever a setting changes. */
export function saveSettings(): void {
    const text = JSON.stringify(settings);
    try {
        localStorage.setItem(KEY, text);
    } catch {
        // Without storage the settings last only for this visit.
    }
}
