// Random sequences of 20 calls against the table of docs/library.md, with one engine that is made again now and then, next to one
// that searches all the time.
//     node tests/wasm/sequences.mjs FOLDER [SEQUENCES] [SEED]        20 of them unless given
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [folder, count = "20", seed = "1"] = process.argv.slice(2);
const at = name => pathToFileURL(path.resolve(folder, name));
const { Luft, LuftError } = await import(at("luft.mjs"));
const files = [readFileSync(at("luft.wasm")), readFileSync(at("luft.nnue"))];
const HANG = 1000; // milliseconds of processor time for a call

let state = Number(seed);
/** A whole number below `limit` (xorshift). */
function below(limit) {
    for (const shift of [13, -17, 5]) state ^= shift > 0 ? state << shift : state >>> -shift;
    return (state >>> 0) % limit;
}
const one = list => list[below(list.length)];

const WRONG = [null, undefined, NaN, -1, 0.5, 2 ** 40, {}, [], "", "x\0", "\uD800", Symbol("s"), () => 1, 7n, "e2e5", new Uint8Array(3), "Hsah"];
const MOVES = ["e2e4", "Nf3", "e7e5", "g1f3", "a2a3"], FENS = ["", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "8/8", "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"];

// Calls of each row of the table, with right arguments or, now and then, wrong ones.
const maybe = value => (below(4) === 0 ? one(WRONG) : value);
/** Few nodes: the default takes long. */
function nodes() {
    const value = maybe(50);
    return value === undefined || value === 2 ** 40 ? 50 : value;
}
const changes = {
    setOption: engine => engine.setOption(maybe(one(["Hash", "MultiPV", "UCI_LimitStrength", "Clear Hash"])), maybe(one([1, 2, true, ""]))),
    loadNetwork: engine => engine.loadNetwork(maybe(new Uint8Array(5))),
    setLanguage: engine => engine.setLanguage(maybe(one(["en", "de"]))),
    setPosition: engine => engine.setPosition(maybe(one(FENS)), maybe(one([[], "", "e2e4"]))),
    makeMove: engine => engine.makeMove(maybe(one(MOVES))),
    takeBack: engine => engine.takeBack(),
    newGame: engine => engine.newGame(),
    explain: engine => engine.explain(maybe(one(["", "e2e4"])), nodes()),
    tree: engine => engine.tree(maybe(1), maybe([]), maybe(10)),
    without: engine => engine.without(maybe(["null_move"]), maybe({ nodes: 50 })),
};
const questions = {
    fen: engine => engine.fen, legalMoves: engine => engine.legalMoves, inCheck: engine => engine.inCheck, gameEnd: engine => engine.gameEnd,
    techniques: engine => engine.techniques, san: engine => engine.san(maybe(one(MOVES))), evaluate: engine => engine.evaluate(),
    moveFromSan: engine => engine.moveFromSan(maybe(one(MOVES))), read: engine => engine.read(maybe("1. e4 *"), maybe(1)),
};
const others = {
    stop: engine => void engine.stop(), ponderHit: engine => engine.ponderHit(), close: engine => engine.close(),
    go: (engine, state) => {
        const search = engine.go(maybe(one([{}, { depth: 2 }, { nodes: 500 }, { ponder: 1, depth: 1 }, { searchMoves: "e2e4" }])),
                                 () => { if (below(8) === 0) engine.stop(); }, { slice: maybe(5) });
        const { isClosed } = state;
        state.searches.push(search.then(() => assert.ok(!isClosed, "go works after close"), error => assert.ok(error instanceof LuftError, error)));
    },
};
const REFUSALS = /^(the engine is closed|a search is running|another call is running)$/;

/** What the table says of a call. `mayEnd`: a search may have ended by itself. */
function check(name, state, error) {
    if (error !== null && !(error instanceof LuftError)) throw error;
    const refusal = error !== null && REFUSALS.test(error.message) ? error.message : null;
    if (state.isClosed) assert.ok(name === "close" || name === "go" || error !== null, `${name} works after close`); // a wrong argument may be named first
    else if (name in changes) assert.ok(refusal === null || (refusal === "a search is running" && state.searches.length > 0), `${name}: ${refusal}`);
    else assert.equal(refusal, null, name);
}

async function run(suspend) {
    const luft = await Luft.load(...files, { suspend });
    const neighbour = luft.engine({ Hash: 1 }), search = neighbour.go({}, undefined, { slice: 1 });
    const calls = Object.entries({ ...changes, ...questions, ...others });
    let engine, state = { isClosed: true, searches: [] }, longest = 0;
    for (let i = 0; i < 20 * Number(count); i++) {
        if (state.isClosed && below(4) === 0) {
            engine = luft.engine({ Hash: 1 });
            state = { isClosed: false, searches: [] };
        }
        const [name, call] = one(calls), used = process.cpuUsage(), start = performance.now();
        if (!engine || (name === "close" && below(8) > 0)) continue;
        let fault = null;
        try {
            call(engine, state);
        } catch (error) {
            fault = error;
        }
        const { user } = process.cpuUsage(used);
        longest = Math.max(longest, performance.now() - start);
        assert.ok(user < HANG * 1000, `${name} takes ${user} us`);
        check(name, state, fault);
        state.isClosed ||= name === "close";
        if (below(20) > 0) continue;
        if (!state.isClosed) void engine.stop();
        await Promise.all(state.searches); // after this the engine is idle
        state.searches = [];
    }
    if (!state.isClosed) engine.close();
    await Promise.all(state.searches);
    await neighbour.stop();
    assert.ok(neighbour.legalMoves.includes((await search).best), "the neighbour's search is damaged");
    neighbour.close();
    const how = suspend ? "with JSPI" : "in slices", memory = luft.exports.memory.buffer.byteLength >> 20;
    console.log(`ok ${count} sequences ${how}, seed ${seed}; the longest call took ${longest.toFixed()} ms; ${memory} MiB`);
}

await run(false);
if (typeof WebAssembly.Suspending === "function") await run(true);
