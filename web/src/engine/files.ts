// The engine's files, fetched and compiled once for all workers.

import plainUrl from "@engine/luft-plain.wasm?url";
import simdUrl from "@engine/luft.wasm?url";
import networkUrl from "@engine/luft.nnue?url";

export interface EngineFiles {
    module: WebAssembly.Module;
    /** A copy for one worker. The buffer is transferred, so the page keeps none. */
    network(): Promise<Uint8Array<ArrayBuffer>>;
    simd: boolean;
}

/** A module with one SIMD instruction: valid only in browsers with SIMD. */
const SIMD_PROBE = new Uint8Array([
    0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
]);

async function fetchChecked(url: string): Promise<Response> {
    const response = await fetch(url, { credentials: "same-origin" });
    if (!response.ok) throw new Error(`${response.status} ${response.statusText}: ${url}`);
    return response;
}

async function compile(url: string): Promise<WebAssembly.Module> {
    try {
        return await WebAssembly.compileStreaming(fetchChecked(url));
    } catch {
        const response = await fetchChecked(url); // for servers that send .wasm with another content type
        return WebAssembly.compile(await response.arrayBuffer());
    }
}

/** `urls`: of a module with the engine in it, for browsers with SIMD and for the others. */
export async function loadEngineFiles(allowSimd: boolean, urls = [simdUrl, plainUrl] as const): Promise<EngineFiles> {
    if (typeof WebAssembly === "undefined") throw new Error("no WebAssembly");
    const simd = allowSimd && WebAssembly.validate(SIMD_PROBE);
    const fetchNetwork = async () => new Uint8Array(await (await fetchChecked(networkUrl)).arrayBuffer());
    const [module, first] = await Promise.all([compile(simd ? urls[0] : urls[1]), fetchNetwork()]);
    let next: Promise<Uint8Array<ArrayBuffer>> | undefined = Promise.resolve(first);
    const network = () => {
        const taken = next ?? fetchNetwork();
        next = undefined;
        return taken;
    };
    return { module, network, simd };
}
