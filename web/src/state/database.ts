// Analyses, kept in the browser's IndexedDB.

export interface Kept {
    id: string;
    title: string;
    pgn: string;
    changed: number; // milliseconds since 1970
    plies: number;
}

const STORE = "analyses";

let opened: Promise<IDBDatabase> | undefined;

function open(): Promise<IDBDatabase> {
    opened ??= new Promise((resolve, reject) => {
        const request = indexedDB.open("luft", 1);
        request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: "id" });
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error ?? new Error("IndexedDB"));
    });
    return opened;
}

async function ask<Result>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest<Result>): Promise<Result> {
    const database = await open();
    return new Promise((resolve, reject) => {
        const request = act(database.transaction(STORE, mode).objectStore(STORE));
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error ?? new Error("IndexedDB"));
    });
}

export const keep = (analysis: Kept) => ask("readwrite", store => store.put(analysis));
export const forget = (id: string) => ask("readwrite", store => store.delete(id));
export const kept = (id: string): Promise<Kept | undefined> => ask("readonly", store => store.get(id));

/** The newest first. */
export async function allKept(): Promise<Kept[]> {
    const all: Kept[] = await ask("readonly", store => store.getAll());
    return all.sort((a, b) => b.changed - a.changed);
}
