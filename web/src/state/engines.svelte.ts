// The two engines of the page: one that thinks all the time, and one for explanations, whose calls keep their thread; it
// is there only while it is used.

import { EngineClient } from "../engine/client";
import { loadEngineFiles } from "../engine/files";
import type { CallName, Calls, Started } from "../engine/protocol";
import { texts } from "../texts";
import { tell } from "./notices.svelte";
import { settings } from "./settings.svelte";

const LABORATORY_IDLE = 60_000; // milliseconds until the second engine ends

/** In the page's address, for tests and for those who seek a fault: ?simd=no, ?suspend=no, ?hash=64. */
const forced = new URLSearchParams(location.search);
const suspend = forced.get("suspend") === "no" ? false : undefined;

export const engineState = $state({
    ready: false,
    failed: "", // why there is none
    version: "",
    build: "", // "SIMD, suspends"
    hash: 0,
    restarts: 0,
    techniques: [] as { name: string; summary: string }[],
});

const files = loadEngineFiles(forced.get("simd") !== "no");
files.catch(() => {}); // whoever needs them is told

function failure(reason: string): string {
    return reason === "no WebAssembly" ? texts.engine.noWebAssembly : texts.engine.failed(reason);
}

function started({ version, hash, suspends, techniques }: Started, wanted: number, simd: boolean): void {
    Object.assign(engineState, { ready: true, failed: "", version, hash, techniques });
    engineState.build = texts.engine.build(simd, suspends, crossOriginIsolated);
    if (hash < wanted) tell(texts.engine.lessMemory(wanted, hash));
}

const wantedHash = Number(forced.get("hash")) || settings.hash;

export const engine = new EngineClient(files, { hash: wantedHash, suspend }, {
    started: result => void files.then(({ simd }) => started(result, wantedHash, simd)),
    restarted: () => {
        engineState.restarts++;
        tell(texts.engine.restarted);
    },
    failed: reason => {
        engineState.failed = failure(reason);
        tell(engineState.failed);
    },
});

if (settings.engineOn) engine.warmUp(); // while the page is still being drawn

let laboratory: EngineClient | undefined;
let idle: ReturnType<typeof setTimeout> | undefined;

/** A call of the engine for explanations. */
export async function inLaboratory<Name extends CallName>(what: Name, args: Calls[Name][0]): Promise<Calls[Name][1]> {
    clearTimeout(idle);
    laboratory ??= new EngineClient(files, { hash: 1, suspend });
    try {
        return await laboratory.call(what, args);
    } finally {
        clearTimeout(idle);
        idle = setTimeout(closeLaboratory, LABORATORY_IDLE);
    }
}

export const CANCELLED = "cancelled";

/** Ends what it computes; whoever waits gets the error CANCELLED. */
export function closeLaboratory(): void {
    clearTimeout(idle);
    laboratory?.close(CANCELLED);
    laboratory = undefined;
}
