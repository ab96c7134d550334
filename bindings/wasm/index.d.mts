// Types of index.mjs.

import type { AsyncEngine, EngineFiles, EngineListener, Given, Settings, Source } from "./async.mjs";

export * from "./async.mjs";
export { Luft } from "./luft.mjs";

export function ownFiles(network?: Source): Promise<EngineFiles>;
export function createEngine(settings?: Settings & Given<{ network: Source }>, listener?: EngineListener): AsyncEngine;

/** What a browser's worker and that of Node have in common. */
export interface UciWorker {
    postMessage(line: string): void;
    onmessage: ((event: { data: string }) => void) | null;
    onerror: ((error: unknown) => void) | null;
    terminate(): unknown;
}
export function uciWorker(): UciWorker;
