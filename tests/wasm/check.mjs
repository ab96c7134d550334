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
    const luft = await load(module), start = process.cpuUsage();
    luft.bench(3); // the optimising compiler of the host works beside it
    const count = luft.bench(Number(depth)), { user, system } = process.cpuUsage(start);
    console.log(Math.round(count * 1e6 / (user + system)));
    process.exit();
}

/** Processor time of all positions of the bench that have no moves. */
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
<<<<<<< HEAD
    },
    "a search reports lines and a move": async luft => {
        const engine = luft.engine(), lines = [];
        engine.setPosition(MATE);
        const { best } = await engine.go({ depth: 5 }, info => lines.push(info));
        assert.equal(best, "a1a8");
        assert.ok(lines.at(-1).isMate && lines.at(-1).score === 1 && lines.at(-1).line[0] === "a1a8");
        engine.setOption("MultiPV", 3);
        engine.setPosition(MIDDLEGAME);
        await engine.go({ nodes: 20000 }, info => lines.push(info), { slice: 5 });
        assert.equal(lines.at(-1).rank, 3);
        assert.ok(lines.at(-1).nodes <= 20000 && lines.at(-1).win + lines.at(-1).draw + lines.at(-1).loss === 1000);
        engine.close();
    },
    "an event stops a search between slices": async luft => {
        const engine = luft.engine();
        engine.setPosition(MIDDLEGAME);
        const start = performance.now();
        setTimeout(() => engine.stop(), 200);
        const { best } = await engine.go();
        assert.ok(engine.legalMoves.includes(best));
        assert.ok(performance.now() - start < 3000, `${performance.now() - start} ms`);
        engine.close();
    },
    "a finished search waits for stop or ponderhit": async luft => {
        const engine = luft.engine();
        let told = 0;
        engine.setPosition("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1");
        for (const [limits, end] of [[{}, () => engine.stop()], [{ depth: 1, ponder: 1 }, () => engine.ponderHit()]]) {
            setTimeout(() => { told++; end(); }, 300);
            await engine.go(limits);
        }
        assert.equal(told, 2);
        engine.close();
    },
    "the answer of poll stops a search": async luft => {
        const engine = luft.engine();
        let polls = 0;
        engine.setPosition(MIDDLEGAME);
        await engine.go({}, undefined, { poll: () => ++polls >= 50 });
        assert.equal(polls, 50);
        engine.close();
    },
    "a deep search fits the stack": async luft => {
        const engine = luft.engine();
        let depth = 0, selective = 0;
        engine.setPosition(KING_AND_PAWNS);
        await engine.go({ nodes: 400000 }, info => { depth = info.depth; selective = info.selectiveDepth; });
        assert.ok(depth > 15 && selective > 25, `depth ${depth}/${selective}`);
        engine.close();
    },
    "moves are judged": luft => {
        const [sure, lost] = [{ win: 900, draw: 100, loss: 0 }, { win: 950, draw: 50, loss: 0 }];
        const blunder = luft.judge(sure, null, lost), mate = luft.judge(sure, null, { isMate: true }, { best: true });
        assert.equal(blunder.nag, 4);
        assert.ok(Math.abs(blunder.loss - 0.925) < 1e-9 && blunder.accuracy < 10);
        assert.ok(mate.nag === 0 && mate.loss === 0 && mate.accuracy > 99.9);
        assert.equal(luft.accuracy([]), 100);
        assert.ok(luft.accuracy([0, blunder.loss]) < luft.accuracy([0, 0.01]));
    },
    "a move is explained, and the search without a technique": luft => {
        const engine = luft.engine({ Hash: 1 });
        engine.setPosition("2kr3r/ppp3pp/6q1/3Pnp2/1PP1p3/7P/P2QNPP1/R4RK1 w - - 1 17");
        const why = engine.explain("Qd4", 20000);
        assert.equal(why.words[0], "Qd4 loses the queen for a knight.");
        assert.equal(why.line[0].uci, "d2d4");
        assert.ok(why.search.iterations.length > 0 && why.search.moves === 37);
        assert.ok(luft.techniques.some(({ name, summary }) => name === "null_move" && summary.startsWith("pass")));
        const [all, fewer] = [[], ["late_move_reductions", "null_move"]].map(off => engine.without(off, { depth: 8 }));
        assert.equal(all.depth, fewer.depth);
        assert.ok(all.nodes < fewer.nodes);
        assert.throws(() => engine.without(["luck"], { depth: 3 }), /no technique 'luck'/);
        const { trees } = engine.tree(4, ["null_move"], 40);
        assert.equal(trees.length, 2);
        assert.ok(trees[0].root.children.length > 1 && trees[1].without[0] === "null_move");
        engine.close();
    },
    "a hundred engines come and go": async luft => {
        for (let i = 0; i < 100; i++) luft.engine({ Hash: 1 }).close();
        const before = luft.exports.memory.buffer.byteLength;
        for (let i = 0; i < 100; i++) luft.engine({ Hash: 1 }).close();
        assert.equal(luft.exports.memory.buffer.byteLength, before);
    },
};

for (const name of ["luft.wasm", "luft-plain.wasm"]) {
    const luft = await load(name);
    for (const [title, check] of Object.entries(cases)) {
        try {
            await check(luft, name);
            console.log(`ok ${name}: ${title}`);
        } catch (error) {
            console.log(`FAIL ${name}: ${title}: ${String(error.message).replaceAll("\n", " ")}`);
        }
=======
>>>>>>> 004ba9b (release: archives for all platforms, the same bytes everywhere)
    }
    return time;
}

if (nodes === "slices") {
    const luft = await load("luft.wasm");
    luft.bench(5); // the optimising compiler of the host works beside it
    console.log(await timeOfSearches(luft, 1e9), await timeOfSearches(luft, 50));
    process.exit();
}

const host = { assert, Luft, LuftError, network: net, depth: Number(depth), nodes: Number(nodes) };
console.log((await run({ ...host, read: name => readFileSync(path.join(folder, name)) })).join("\n"));
