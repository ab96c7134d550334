// The engine with the files of this package.
//
//     import { createEngine } from "luft-chess";
//     const engine = createEngine({ hash: 16 });
//     console.log((await engine.go({ moves: "e2e4 e7e5", limits: { moveTime: 500 } })).best);

import { AsyncEngine, loadFiles } from "./async.mjs";
import { entriesOf } from "./luft.mjs";
import { builtIn, threadOptions } from "./files.mjs";

export * from "./async.mjs";
export { Luft } from "./luft.mjs";

/** The files next to this one, or another network, loaded and compiled; several engines can share the result. */
export const ownFiles = (network = new URL("./luft.nnue", import.meta.url)) =>
    loadFiles({ wasm: new URL("./luft.wasm", import.meta.url), network });

/** An engine in a thread of its own. `settings` and `listener`: those of AsyncEngine, and `network`: another one, as for loadFiles. */
export function createEngine(settings = {}, listener = {}) {
    const { network, ...others } = Object.fromEntries(entriesOf("settings", settings));
    return new AsyncEngine(ownFiles(network), others, listener);
}

/** A worker that takes and gives lines of UCI: uci.mjs. In Node it has the methods of a browser's worker, too. */
export function uciWorker() {
    if (typeof Worker !== "undefined") return new Worker(new URL("./uci.mjs", import.meta.url), { type: "module", name: "luft" });
    const { Worker: Thread } = builtIn("worker_threads"), file = "./uci.mjs";
    const worker = new Thread(new URL(file, import.meta.url), threadOptions());
    worker.on("message", data => worker.onmessage?.({ data }));
    worker.on("error", error => worker.onerror?.(error));
    return worker;
}
