// Saved analyses in the browser's IndexedDB, accessed through database.worker.ts.

import type { Answer, Question } from "./database.worker";

export interface SavedAnalysis {
    id: string;
    title: string;
    pgn: string;
    changed: number; // milliseconds since 1970
    plies: number;
}

/** Requests run one after the other, so each sees the results of those before it. */
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

export const saveAnalysis = (analysis: SavedAnalysis): Promise<void> => ask({ what: "put", value: analysis });
export const deleteAnalysis = (id: string): Promise<void> => ask({ what: "delete", id });
export const loadAnalysis = (id: string): Promise<SavedAnalysis | undefined> => ask({ what: "get", id });

/** Newest first. */
export async function listAnalyses(): Promise<SavedAnalysis[]> {
    const all: SavedAnalysis[] = await ask({ what: "getAll" });
    return all.sort((a, b) => b.changed - a.changed);
}
