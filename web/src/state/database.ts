// Analyses, kept in the browser's IndexedDB; database.worker.ts does it.

import type { Answer, Question } from "./database.worker";

export interface Kept {
    id: string;
    title: string;
    pgn: string;
    changed: number; // milliseconds since 1970
    plies: number;
}

/** One after the other, so that a question sees what was kept before it. */
let turn: Promise<unknown> = Promise.resolve();

function ask<Result>(question: Question): Promise<Result> {
    const answer = turn.then(() => askWorker<Result>(question));
    turn = answer.catch(() => undefined);
    return answer;
}

function askWorker<Result>(question: Question): Promise<Result> {
    const worker = new Worker(new URL("./database.worker.ts", import.meta.url), { type: "module", name: "analyses" });
    const answer = new Promise<Result>((resolve, reject) => {
        worker.onmessage = ({ data }: MessageEvent<Answer>) =>
            "error" in data ? reject(new Error(data.error)) : resolve(data.result as Result);
        worker.onerror = event => {
            event.preventDefault();
            reject(new Error(event.message));
        };
        worker.postMessage(question);
    });
    return answer.finally(() => worker.terminate());
}

export const keep = (analysis: Kept): Promise<void> => ask({ what: "put", value: analysis });
export const forget = (id: string): Promise<void> => ask({ what: "delete", id });
export const kept = (id: string): Promise<Kept | undefined> => ask({ what: "get", id });

/** The newest first. */
export async function allKept(): Promise<Kept[]> {
    const all: Kept[] = await ask({ what: "getAll" });
    return all.sort((a, b) => b.changed - a.changed);
}
