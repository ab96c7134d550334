// AsyncEngine in Node: order, cancelling, errors, a worker that dies.
//     node tests/wasm/async.mjs FOLDER
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const at = name => pathToFileURL(path.resolve(process.argv[2], name));
const { AsyncEngine, LuftError, createEngine, loadFiles } = await import(at("index.mjs"));
const sources = { wasm: at("luft.wasm"), plain: at("luft-plain.wasm"), network: at("luft.nnue") };
const files = loadFiles(sources);

const MATE = { fen: "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1" }, QUICK = { limits: { depth: 4 } }, ENDLESS = {};
const LONG = { moves: "e2e4 e7e5", move: "Ke2", nodes: 1e9 };
const refused = pattern => error => error instanceof LuftError && error.name === "LuftError" && pattern.test(error.message);

const cases = {
    "lines are iterated; to leave the loop ends the search": async engine => {
        let depth = 0, ranks = new Set();
        for await (const info of engine.analyse({ options: { MultiPV: 2 } })) {
            ranks.add(info.rank);
            if ((depth = info.depth) > 4 && ranks.size === 2) break; // the lines of a quick search come thinned out
        }
        assert.ok(depth > 4 && ranks.size === 2);
        const all = [];
        for await (const info of engine.analyse({ ...MATE, ...QUICK, every: true })) all.push(info);
        assert.ok(all.every(info => info.rank === 1) && all.length >= 4, "the options of the earlier search are gone");
    },
    "the lines of a batch are sorted by rank": async engine => {
        const batches = [];
        await engine.go({ ...QUICK, options: { MultiPV: 4 } }, { onLines: lines => batches.push(lines.map(({ rank }) => rank)) });
        assert.ok(batches.some(ranks => ranks.length > 1));
        for (const ranks of batches) assert.deepEqual(ranks, ranks.toSorted((a, b) => a - b));
    },
    "the options of a search end with it, however they are named": async engine => {
        for (const options of [{ multipv: 2 }, { Threads: 1 }, { Hash: 2 }, {}]) {
            const ranks = new Set();
            for await (const { rank } of engine.analyse({ ...QUICK, options, every: true })) ranks.add(rank);
            assert.equal(ranks.size, options.multipv ?? 1);
        }
    },
    "a new call replaces a search, in order": async engine => {
        await engine.about();
        const order = [], note = name => ({ best }) => order.push(name + best);
        const first = engine.go(ENDLESS).then(note("1 "));
        await new Promise(resolve => setTimeout(resolve, 100));
        const rest = [engine.go(ENDLESS).then(note("2 ")), engine.go({ ...MATE, ...QUICK }).then(note("3 "))];
        const { words } = await engine.explain({ moves: "e2e4 e7e5", move: "Ke2", nodes: 5000 });
        await Promise.all([first, ...rest]);
        assert.deepEqual(order.map(text => text[0]), ["1", "2", "3"]);
        assert.ok(order[0].length > 2 && words.length > 0);
        const search = engine.go(ENDLESS);
        let ended = false;
        void search.then(() => { ended = true; });
        assert.equal((await engine.read({ text: "1. e4 *" })).games.length, 1); // does not end it
        assert.ok((await engine.about()).options.length > 0 && !ended, "neither does this");
        await engine.stop();
        assert.ok((await search).best);
    },
    "what is beside a call is checked": async engine => {
        await assert.rejects(engine.explain({ move: "e4" }, { sginal: AbortSignal.abort() }), refused(/sginal/));
        for (const signal of [3, null, 0, {}]) await assert.rejects(engine.go(QUICK, { signal }), refused(/signal must be/));
        await engine.go(QUICK, { signal: undefined });
        await assert.rejects(engine.go(QUICK, null), refused(/must be an object/));
        await assert.rejects(engine.analyse(QUICK, { onLine: () => {} }).best, refused(/onLine'/));
        await assert.rejects(engine.go({ ...QUICK, signal: undefined, limits: { depth: "3" } }), refused(/not "3"/));
        await assert.rejects(engine.go({ ...QUICK, onLines: 1 }), refused(/second object/));
        await assert.rejects(engine.read({ text: 3 }), refused(/a text or bytes, not 3/));
    },
    "one loop reads the lines of a search": async engine => {
        const search = engine.analyse(QUICK), read = async () => { for await (const _ of search); };
        const [first, second] = await Promise.allSettled([read(), read()]);
        assert.equal(first.status, "fulfilled");
        assert.match(second.reason.message, /once, by one loop/);
        await assert.rejects(read(), refused(/once, by one loop/));
    },
    "the lines that wait for their report come before the end of a search that is stopped": async engine => {
        for (const wait of [20, 60, 100, 150]) { // less than the worker collects lines for
            const search = engine.analyse({ ...ENDLESS, every: true, newGame: true }), all = [];
            for await (const info of search) {
                if (all.push(info) === 1) setTimeout(search.stop, wait);
            }
            assert.equal(all.at(-1).line[0], (await search.best).best);
            assert.ok(all.every(({ depth }, i) => i === 0 || depth >= all[i - 1].depth));
        }
    },
    "a search says why it ended": async engine => {
        const searches = [engine.go(ENDLESS), engine.go(ENDLESS), engine.go(QUICK)];
        assert.deepEqual((await Promise.all(searches)).map(({ ended }) => ended), ["replaced", "replaced", "finished"]);
        assert.equal((await engine.analyse(ENDLESS).stop()).ended, "stopped");
    },
    "a search that another one replaces reports no more": async engine => {
        const late = [], first = engine.analyse(ENDLESS, { onLines: lines => late.push(...lines) });
        await engine.about();
        const second = engine.go({ ...MATE, ...QUICK }), before = late.length;
        await Promise.all([first.best, second]);
        assert.equal(late.length, before);
    },
    "a position is asked for during a search, which goes on": async engine => {
        const search = engine.analyse({ moves: "e2e4" });
        await engine.about();
        const there = await engine.position({ moves: "e2e4 e7e5 Bc4 Nc6 Qh5", line: ["g8f6", "h5f7"] });
        assert.deepEqual(there.san, ["Nf6", "Qxf7#"]);
        assert.deepEqual([there.inCheck, there.gameEnd, there.legalMoves.includes("g8f6")], [false, null, true]);
        const end = await engine.position({ fen: "k7/8/1QK5/8/8/8/8/8 b - - 0 1" });
        assert.deepEqual([end.gameEnd, end.legalMoves, end.san], ["stalemate", [], []]);
        await assert.rejects(engine.position({ line: "e2e5" }), refused(/line/));
        assert.match((await search.stop()).best, /^[a-h][1-8]/);
    },
    "the clock of a search that ponders begins with the hit": async engine => {
        const search = engine.analyse({ ...MATE, limits: { ponder: true, moveTime: 20 } });
        let isOver = false;
        search.best.then(() => { isOver = true; });
        await engine.position({});
        await new Promise(resolve => setTimeout(resolve, 200));
        assert.equal(isOver, false);
        search.ponderHit();
        assert.equal((await search.best).best, "a1a8");
    },
    "what needs threads or files is not among the options": async engine => {
        const names = (await engine.about()).options.map(({ name }) => name);
        for (const name of ["Threads", "Level Pace", "EvalFile", "StoreFile", "SyzygyPath"]) assert.ok(!names.includes(name), name);
        for (const [name, value] of [["Level Pace", true], ["level pace", "true"]])
            await assert.rejects(engine.go({ ...QUICK, options: { [name]: value } }), refused(/Level Pace cannot work here/));
        await engine.go({ ...QUICK, options: { "Level Pace": false } });
        await assert.rejects(engine.go({ limits: { searchMoves: ["e5"], depth: 1 } }), refused(/^the limit searchMoves: /));
    },
    "stop ends every call": async engine => {
        const stopped = refused(/^the call was stopped$/), open = [LONG, LONG].map(args => assert.rejects(engine.explain(args), stopped));
        const search = engine.go(ENDLESS), tree = assert.rejects(engine.tree({ depth: 60 }), stopped);
        await engine.about(); // the first explanation has begun, or soon will
        await engine.stop();
        await Promise.all([...open, tree]);
        assert.deepEqual(await search, { best: "", ponder: "", ended: "replaced" });
        assert.equal((await engine.go({ ...MATE, ...QUICK })).best, "a1a8");
        await engine.stop(); // nothing to do
    },
    "a signal cancels any call": async engine => {
        await engine.about();
        for (const begin of [signal => engine.explain(LONG, { signal }), signal => engine.go(ENDLESS, { signal }),
                             signal => engine.tree({ depth: 60 }, { signal }), signal => engine.analyse(ENDLESS, { signal }).best]) {
            const controller = new AbortController();
            setTimeout(() => controller.abort(), 50);
            await assert.rejects(begin(controller.signal), { name: "AbortError" });
        }
        await assert.rejects(engine.go({}, { signal: AbortSignal.abort() }), { name: "AbortError" });
        const controller = new AbortController(), running = engine.explain({ ...LONG, nodes: 5000 });
        const waiting = assert.rejects(engine.explain(LONG, { signal: controller.signal }), { name: "AbortError" });
        controller.abort(); // a call that waits does not end the one that runs
        await waiting;
        assert.ok((await running).words.length > 0);
        assert.equal((await engine.go({ ...MATE, ...QUICK })).best, "a1a8");
    },
    "a call that is cancelled when its turn has come does not hold up the next": async (engine, events) => {
        await engine.about();
        const block = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300); // messages wait meanwhile
        for (const first of [() => engine.explain({ ...LONG, nodes: 100 }), () => engine.go({ limits: { depth: 1 } }), () => engine.bench({ depth: 1 })]) {
            const controller = new AbortController(), before = first();
            const cancelled = assert.rejects(engine.explain(LONG, { signal: controller.signal }), { name: "AbortError" });
            await new Promise(resolve => setTimeout(resolve));
            block(); // the worker answers the first call, but nobody listens
            controller.abort();
            assert.equal((await engine.go({ ...MATE, ...QUICK })).best, "a1a8");
            await Promise.all([before, cancelled]);
        }
        assert.ok(!events.includes("restarted"), "no worker was silent");
    },
    "wrong arguments are named": async engine => {
        for (const [what, args, pattern] of [
            ["go", { lmits: {} }, /'lmits'/], ["go", { limits: { depht: 3 } }, /'depht'/], ["go", { limits: { depth: 0.5 } }, /depth/],
            ["go", { options: { Hsah: 1 } }, /'Hsah'/], ["go", null, /argument of go/], ["go", { fen: 7 }, /fen/],
            ["go", { moves: "e2e5" }, /e2e5/], ["explain", {}, /needs a move/], ["explain", { move: "Kf9" }, /Kf9/],
            ["tree", { depth: NaN }, /depth/], ["accuracy", { losses: null }, /losses/], ["read", {}, /text is missing/],
            ["go", { fen: () => 1 }, /cloned/], ["bench", { depth: -1 }, /depth/]]) await assert.rejects(engine[what](args), refused(pattern));
        assert.equal((await engine.go({ ...MATE, ...QUICK })).best, "a1a8");
    },
    "wrong settings are named": async () => {
        for (const name of ["network", "module"])
            await using(new AsyncEngine(files, { [name]: "x" }), engine => assert.rejects(engine.go(QUICK), refused(new RegExp(name))));
        assert.throws(() => new AsyncEngine(), refused(/loadFiles/));
        for (const [settings, pattern] of [[{ Hash: 64 }, /'Hash'/], [{ hash: "16" }, /hash/], [{ hash: -1 }, /hash/], [{ hash: 1.5 }, /hash/]])
            await using(new AsyncEngine(files, settings), engine => assert.rejects(engine.go(QUICK), refused(pattern)));
    },
    "a wrong listener is named": async () => {
        for (const [listener, pattern] of [[{ start() {} }, /'start'/], [{ failed: 1 }, /failed must be/], [null, /listener must be/]])
            assert.throws(() => new AsyncEngine(files, {}, listener), refused(pattern));
    },
    "a program may stand on the command line": async () => {
        const program = `import { createEngine } from ${JSON.stringify(at("index.mjs"))};
            const engine = createEngine({ hash: 1 });
            console.log((await engine.go({ limits: { depth: 1 } })).best.length);
            engine.close();`;
        assert.equal(execFileSync(process.execPath, ["--input-type=module", "-e", program]).toString(), "4\n");
    },
    "files that are missing or wrong are named": async () => {
        await assert.rejects(loadFiles({ wasm: sources.wasm }), refused(/the network is missing/));
        await assert.rejects(loadFiles({ ...sources, network: at("none.nnue") }), refused(/the network could not be loaded/));
        await assert.rejects(loadFiles({ wasm: at("luft.nnue"), network: at("luft.nnue") }), refused(/the module could not be compiled/));
        const network = readFileSync(at("luft.nnue")), copies = await loadFiles({ ...sources, network });
        const wrong = loadFiles({ ...sources, network: new Uint8Array(500) });
        await using(new AsyncEngine(wrong), engine => assert.rejects(engine.go(QUICK), refused(/the network: not a network/)));
        await using(new AsyncEngine(copies), engine => engine.go(QUICK));
        await using(new AsyncEngine(copies), engine => engine.go(QUICK)); // the bytes are still there
        await using(createEngine({ hash: 1, network: path.resolve(process.argv[2], "luft.nnue") }), engine => engine.go(QUICK));
        await using(createEngine({ network: new Uint8Array(500) }), engine => assert.rejects(engine.go(QUICK), refused(/not a network/)));
        assert.ok(network.length > 1000);
    },
    "a closed engine refuses calls, and its open ones fail": async engine => {
        const open = engine.go(ENDLESS), closed = refused(/^the engine is closed$/), fails = assert.rejects(open, closed);
        engine.close();
        await fails;
        for (const call of ["go", "about", "explain"]) await assert.rejects(engine[call]({}), closed);
        await engine.stop();
        engine.close();
    },
};

async function using(engine, use) {
    try {
        return await use(engine);
    } finally {
        engine.close();
    }
}

for (const [name, check] of Object.entries(cases)) {
    const events = [], note = what => () => events.push(what);
    const listener = { started: note("started"), restarted: note("restarted"), failed: note("failed") };
    await using(new AsyncEngine(files, { hash: 1 }, listener), engine => check(engine, events));
    console.log(`ok ${name}`);
}
