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
