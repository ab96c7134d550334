// Reads and writes IndexedDB in a worker that lives for one request only: Chromium never frees a document that has opened a
// database while its process lives, not even after a reload.

const STORES = ["analyses", "lists", "lines"] as const;

interface Versioned { id: string; revision?: number }

export type Question = { store?: (typeof STORES)[number] } & Access; // to games, unless it says something else
type Access =
    | { what: "put"; value: Versioned; base: number } // answered by what is there instead of the revision `base`
    | { what: "add"; values: Versioned[] } // those that are not there; answered by how many these are
    | { what: "renew"; values: Versioned[]; gone: string[] } // saves the ones, and deletes the others
    | { what: "delete" | "get"; id: string }
    | { what: "getAll" };
export type Answer = { result: unknown } | { error: string };

function open(): Promise<IDBDatabase> {
    return new Promise((resolve, reject) => {
        const request = indexedDB.open("luft", 3);
        request.onupgradeneeded = () => {
            const { result } = request;
            for (const name of STORES) if (!result.objectStoreNames.contains(name)) result.createObjectStore(name, { keyPath: "id" });
        };
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error ?? new Error("IndexedDB"));
    });
}

/** Whether the database has just this: a page that closed, or got no answer, does not know that its save has succeeded. */
const isSame = (one: Versioned, other: Versioned): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Starts the work of a transaction; its result can be read when the transaction is complete. */
function act(store: IDBObjectStore, question: Question): { result: unknown } {
    switch (question.what) {
        case "put": return put(store, question.value, question.base);
        case "add": return add(store, question.values);
        case "renew": return renew(store, question.values, question.gone);
        case "delete": return store.delete(question.id);
        case "get": return store.get(question.id);
        case "getAll": return store.getAll();
    }
}

function put(store: IDBObjectStore, value: Versioned, base: number): { result: unknown } {
    const answer: { result: Versioned | undefined } = { result: undefined };
    const known: IDBRequest<Versioned | undefined> = store.get(value.id);
    known.onsuccess = () => {
        if (!known.result || (known.result.revision ?? 0) === base) store.put(value);
        else if (!isSame(known.result, value)) answer.result = known.result;
    };
    return answer;
}

function add(store: IDBObjectStore, values: readonly Versioned[]): { result: unknown } {
    const answer = { result: 0 };
    for (const value of values) {
        store.count(value.id).onsuccess = event => {
            if ((event.target as IDBRequest<number>).result > 0) return;
            store.put(value);
            answer.result++;
        };
    }
    return answer;
}

function renew(store: IDBObjectStore, values: readonly Versioned[], gone: readonly string[]): { result: unknown } {
    for (const value of values) store.put(value);
    for (const id of gone) store.delete(id);
    return { result: undefined };
}

async function ask(question: Question): Promise<unknown> {
    const database = await open();
    return new Promise((resolve, reject) => {
        const writes = question.what !== "get" && question.what !== "getAll", store = question.store ?? "analyses";
        const transaction = database.transaction(store, writes ? "readwrite" : "readonly");
        const answer = act(transaction.objectStore(store), question);
        transaction.oncomplete = () => resolve(answer.result);
        transaction.onabort = () => reject(transaction.error ?? new Error("IndexedDB"));
    });
}

addEventListener("message", async ({ data }: MessageEvent<Question>) => {
    const answer = await ask(data).then(result => ({ result }), error => ({ error: String(error?.message ?? error) }));
    postMessage(answer satisfies Answer);
});
