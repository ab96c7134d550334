// Reads and writes IndexedDB in a worker that lives for one request only: Chromium never frees a document that has opened a
// database while its process lives, not even after a reload.

const STORE = "analyses";

export type Question =
    | { what: "put"; value: { id: string } }
    | { what: "delete" | "get"; id: string }
    | { what: "getAll" };
export type Answer = { result: unknown } | { error: string };

function open(): Promise<IDBDatabase> {
    return new Promise((resolve, reject) => {
        const request = indexedDB.open("luft", 1);
        request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: "id" });
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error ?? new Error("IndexedDB"));
    });
}

function act(store: IDBObjectStore, question: Question): IDBRequest {
    switch (question.what) {
        case "put": return store.put(question.value);
        case "delete": return store.delete(question.id);
        case "get": return store.get(question.id);
        case "getAll": return store.getAll();
    }
}

async function ask(question: Question): Promise<unknown> {
    const database = await open();
    return new Promise((resolve, reject) => {
        const writes = question.what === "put" || question.what === "delete";
        const transaction = database.transaction(STORE, writes ? "readwrite" : "readonly");
        const request = act(transaction.objectStore(STORE), question);
        transaction.oncomplete = () => resolve(request.result);
        transaction.onabort = () => reject(transaction.error ?? new Error("IndexedDB"));
    });
}

addEventListener("message", async ({ data }: MessageEvent<Question>) => {
    const answer = await ask(data).then(result => ({ result }), error => ({ error: String(error?.message ?? error) }));
    postMessage(answer satisfies Answer);
});
