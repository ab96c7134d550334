// What a person has chosen, kept from visit to visit.

export type Theme = "auto" | "light" | "dark";
export type BoardColors = "brown" | "blue" | "green" | "grey";
export type PieceSet = "cburnett" | "outline";

const STANDARD = {
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

export type Settings = typeof STANDARD;

const KEY = "luft-settings";

function load(): Settings {
    try {
        const kept: Record<string, unknown> = JSON.parse(localStorage.getItem(KEY) ?? "{}");
        const good = Object.entries(kept).filter(([name, value]) =>
            name in STANDARD && typeof value === typeof STANDARD[name as keyof Settings]);
        return { ...STANDARD, ...Object.fromEntries(good) };
    } catch {
        return { ...STANDARD }; // storage is forbidden or damaged
    }
}

export const settings: Settings = $state(load());

/** To be called within an effect: it runs again whenever a setting changes. */
export function keepSettings(): void {
    const text = JSON.stringify(settings);
    try {
        localStorage.setItem(KEY, text);
    } catch {
        // A visit without storage works, too: its settings are gone with it.
    }
}
