// The WebAssembly build in Node, for tests/platforms.py: prints "ok NAME" or "FAIL NAME: why" for each case.
//     node tests/wasm/check.mjs FOLDER NETWORK BENCH_DEPTH NODES          all cases, for both modules in FOLDER
//     node tests/wasm/check.mjs FOLDER NETWORK BENCH_DEPTH speed MODULE   nodes a second of processor time
//     node tests/wasm/check.mjs FOLDER NETWORK DEPTH slices               milliseconds to DEPTH: in one slice, in slices of 50 ms
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

import { run } from "./cases.mjs";

const [folder, network, depth, nodes, module] = process.argv.slice(2);
const { Luft, LuftError } = await import(pathToFileURL(path.resolve(folder, "luft.mjs")));
const net = readFileSync(network);
const load = name => Luft.load(readFileSync(path.join(folder, name)), net);

if (nodes === "speed") {
    const luft = await load(module);
    luft.bench(Number(depth)); // warms up: the host's compiler optimises the module first
    const start = process.cpuUsage();
    const count = luft.bench(Number(depth)), { user, system } = process.cpuUsage(start);
    console.log(Math.round(count * 1e6 / (user + system)));
    process.exit();
}

/** Processor time (ms) of searches of all bench positions without moves. */
async function timeOfSearches(luft, slice) {
    const source = readFileSync(new URL("../../src/engine/bench.c", import.meta.url), "utf8");
    let time = 0;
    for (const [, fen] of source.matchAll(/^ *\{"([^"]+ [wb] [^"]+)", ""\},$/gm)) {
        const engine = luft.engine({ Hash: 16 });
        engine.setPosition(fen);
        const start = process.cpuUsage();
        await engine.go({ depth: Number(depth) }, undefined, { slice });
        const { user, system } = process.cpuUsage(start);
        time += (user + system) / 1000;
        engine.close();
    }
    return time;
}

if (nodes === "slices") {
    const luft = await load("luft.wasm");
    luft.bench(5); // warms up: the host's optimising compiler runs at the same time
    console.log(await timeOfSearches(luft, 1e9), await timeOfSearches(luft, 50));
    process.exit();
}

const host = { assert, Luft, LuftError, network: net, depth: Number(depth), nodes: Number(nodes) };
console.log((await run({ ...host, read: name => readFileSync(path.join(folder, name)) })).join("\n"));
