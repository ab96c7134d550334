// The engine's files, loaded once for all engines of the page.

import plainUrl from "@engine/luft-plain.wasm?url";
import simdUrl from "@engine/luft.wasm?url";
import networkUrl from "@engine/luft.nnue?url";
import { loadFiles } from "luft/async.mjs";

const nameOf = (url: string): string => url.split("/").at(-1)!;

/** The names of the module and the network have hashes of what is in them. */
export const moduleName = nameOf(simdUrl), networkName = nameOf(networkUrl);

/** `urls`: of a module with the engine in it, for browsers with SIMD and for the others. */
export const loadEngineFiles = (allowSimd: boolean, [simd, plain] = [simdUrl, plainUrl]) =>
    loadFiles({ wasm: allowSimd ? simd : plain, plain, network: networkUrl });
