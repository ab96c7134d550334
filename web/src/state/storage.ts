// Short texts in localStorage. Where the browser allows none, nothing is kept and nothing is found.

export function recall(key: string): string | null {
    try {
        return localStorage.getItem(key);
    } catch {
        return null;
    }
}

/** False when the browser refuses. */
export function remember(key: string, text: string): boolean {
    try {
        localStorage.setItem(key, text);
        return true;
    } catch {
        return false;
    }
}

export function forget(key: string): void {
    try {
        localStorage.removeItem(key);
    } catch {
        // It has not been kept.
    }
}

/** The texts whose keys begin so, by their keys. */
export function recallAll(prefix: string): Map<string, string> {
    try {
        return new Map(Object.entries(localStorage).filter(([key]) => key.startsWith(prefix)));
    } catch {
        return new Map();
    }
}

const PLACES = "luft-places"; // key: where each game was left
const MOST_PLACES = 200; // the latest

function places(): [id: string, place: string][] {
    try {
        const known: unknown = JSON.parse(recall(PLACES) ?? "[]");
        return Array.isArray(known) ? known : [];
    } catch {
        return [];
    }
}

/** Notes where a game is left: walking through it changes nothing that is saved. */
export function notePlace(id: string, place: string): void {
    const others = places().filter(([other]) => other !== id);
    remember(PLACES, JSON.stringify([...others.slice(1 - MOST_PLACES), [id, place]]));
}

/** Where a game was left in this browser. */
export const placeNoted = (id: string): string | undefined => places().find(([other]) => other === id)?.[1];
