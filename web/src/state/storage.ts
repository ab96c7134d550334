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

/** A list of pairs. */
function entries<Value>(key: string): [id: string, value: Value][] {
    try {
        const known: unknown = JSON.parse(recall(key) ?? "[]");
        return Array.isArray(known) ? known : [];
    } catch {
        return [];
    }
}

const MOST_NOTED = 200; // the latest

function noteEntry<Value>(key: string, id: string, value: Value): void {
    const others = entries<Value>(key).filter(([other]) => other !== id);
    remember(key, JSON.stringify([...others.slice(1 - MOST_NOTED), [id, value]]));
}

const entryOf = <Value>(key: string, id: string): Value | undefined => entries<Value>(key).find(([other]) => other === id)?.[1];

const PLACES = "luft-places"; // key: where each game was left

/** Notes where a game is left: walking through it changes nothing that is saved. */
export const notePlace = (id: string, place: string): void => noteEntry(PLACES, id, place);

/** Where a game was left in this browser. */
export const placeNoted = (id: string): string | undefined => entryOf<string>(PLACES, id);

const LINKS = "luft-links"; // key: what came with each link

/** Hashes of what a link brought: its text, and the game as it was saved then. */
export interface LinkNote { source: string; received: string }
export const noteLink = (id: string, note: LinkNote): void => noteEntry(LINKS, id, note);
export const linkNoted = (id: string): LinkNote | undefined => entryOf<LinkNote>(LINKS, id);
