// Loads the files of an engine, in browsers and in Node: from addresses, or bytes.

import { LuftError, bytesOf, compile } from "./luft.mjs";

/** A module with one SIMD instruction: valid only in hosts with SIMD. */
const SIMD_PROBE = new Uint8Array([
    0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
]);

const isAddress = source => typeof source === "string" || source instanceof URL;
export const builtIn = name => globalThis.process.getBuiltinModule(`node:${name}`); // of Node

/** How Node starts a thread from a file: without `node --input-type=module -e …`, which it would apply to the file, too. */
export const threadOptions = () =>
    globalThis.process.execArgv.some(option => option.startsWith("--input-type")) ? { execArgv: [] } : {};

const isInNode = globalThis.process?.getBuiltinModule !== undefined && typeof window === "undefined";
/** Whether Node finds it on the disk: a path, or its address. */
const isOnDisk = address => address.startsWith("file:") || (isInNode && !/^[a-z][a-z0-9+.-]+:/i.test(address)); // C: is a drive

async function fetchFile(what, address) {
    try {
        if (isOnDisk(String(address)))
            return new Response(await builtIn("fs").promises.readFile(String(address).startsWith("file:") ? new URL(address) : address));
        const response = await fetch(address, { credentials: "same-origin" });
        if (response.ok) return response;
        throw new Error(`${response.status} ${response.statusText}: ${address}`);
    } catch (error) {
        throw new LuftError(`${what} could not be loaded: ${error.message}`);
    }
}

/** The bytes at an address; a copy of bytes. */
const load = async (what, source) =>
    new Uint8Array(isAddress(source) ? await (await fetchFile(what, source)).arrayBuffer() : bytesOf(what, source).slice());

async function loadModule(source) {
    try {
        if (isAddress(source)) return await WebAssembly.compileStreaming(fetchFile("the module", source));
    } catch { /* a server that sends .wasm with another content type */ }
    return source instanceof WebAssembly.Module ? source : compile(await load("the module", source));
}

/** Loads and compiles the files, once for all engines: addresses (in Node also of files) or bytes. `plain` is the module for
 *  hosts without SIMD. */
export async function loadFiles({ wasm, plain = wasm, network }) {
    if (typeof WebAssembly === "undefined") throw new LuftError("no WebAssembly");
    const simd = WebAssembly.validate(SIMD_PROBE);
    const [module, first] = await Promise.all([loadModule(simd ? wasm : plain), load("the network", network)]);
    let next = first;
    /** A copy for one worker. Its buffer is transferred, so none is kept here. */
    const take = () => {
        const taken = next ?? load("the network", network);
        next = undefined;
        return taken;
    };
    return { module, network: take, simd };
}
