// The two engines of the page: one for analysis and games, and one for explanations, whose calls block their worker. The
// second exists only while it is used.

import { AsyncEngine, type About, type CallName, type Calls, type Info, type Methods, type SearchArguments, type Settings } from "luft/async.mjs";
import { loadEngineFiles } from "../engine/files";
import { texts } from "../texts";
import { notify } from "./notices.svelte";
import { isPossible, settings } from "./settings.svelte";

const EXPLAINER_IDLE = 60_000; // milliseconds of idle time until the second engine ends

/** Options in the page's address, for tests and fault reports: ?simd=no, ?suspend=no, ?hash=64. */
const forced = new URLSearchParams(location.search);
const mayHaveSimd = forced.get("simd") !== "no";

const common: Settings = { language: settings.language, options: { UCI_Chess960: true, UCI_AnalyseMode: true } };
if (forced.get("suspend") === "no") common.suspend = false;

export const engineState = $state({
    ready: false,
    failed: "", // why there is no engine
    version: "",
    build: "", // such as "SIMD, suspends"
    hash: 0,
    restarts: 0,
    techniques: [] as { name: string; summary: string }[],
});

const files = loadEngineFiles(mayHaveSimd);
files.catch(() => {}); // each user of the files handles the error

function failure(reason: string): string {
    return reason === "no WebAssembly" ? texts.engine.noWebAssembly : texts.engine.failed(reason);
}

function started({ version, hash, suspends, techniques }: About, wanted: number, simd: boolean): void {
    Object.assign(engineState, { ready: true, failed: "", version, hash, techniques });
    engineState.build = texts.engine.build(simd, suspends, crossOriginIsolated);
    if (hash < wanted) notify(texts.engine.lessMemory(wanted, hash));
}

const forcedHash = Number(forced.get("hash"));
const wantedHash = isPossible("hash", forcedHash) ? forcedHash : settings.hash;

export const engine = new AsyncEngine(files, { ...common, hash: wantedHash }, {
    started: result => void files.then(({ simd }) => started(result, wantedHash, simd && mayHaveSimd)),
    restarted: () => {
        engineState.restarts++;
        notify(texts.engine.restarted);
    },
    failed: reason => {
        engineState.failed = failure(reason);
        notify(engineState.failed);
    },
});

// While the page is still loading; a lesson has an engine of its own, and comes first.
if (settings.engineOn && !location.hash.startsWith("#/learn")) void engine.about().catch(() => {});

let explainer: AsyncEngine | undefined;
let idle: ReturnType<typeof setTimeout> | undefined;

/** Works with the engine for explanations, which starts if it is not running. */
async function withExplainer<Result>(act: (explainer: AsyncEngine) => Promise<Result>): Promise<Result> {
    clearTimeout(idle);
    explainer ??= new AsyncEngine(files, { ...common, hash: 1 });
    try {
        return await act(explainer);
    } finally {
        clearTimeout(idle);
        idle = setTimeout(closeExplainer, EXPLAINER_IDLE);
    }
}

export const callExplainer = <Name extends CallName>(what: Name, args: Calls[Name][0]): Promise<Calls[Name][1]> =>
    withExplainer(explainer => (explainer as Methods)[what](args));

/** The lines of a search next to the one that the page shows, the best first. */
export const searchAside = (args: SearchArguments): Promise<Info[]> => withExplainer(async explainer => {
    const lines = new Map<number, Info>();
    await explainer.analyse(args, { onLines: found => { for (const info of found) if (info.bound === 0) lines.set(info.rank, info); } }).best;
    return [...lines.values()].sort((a, b) => a.rank - b.rank);
});

export const CANCELLED = "cancelled";

/** Ends the engine for explanations; open calls fail with CANCELLED. */
export function closeExplainer(): void {
    clearTimeout(idle);
    explainer?.close(CANCELLED);
    explainer = undefined;
}
