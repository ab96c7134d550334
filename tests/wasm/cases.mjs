// Test cases of the WebAssembly build. check.mjs runs them in Node, browser.html in a browser. `assert` is Node's module or a
// replacement; `read(name)` returns the bytes of luft.wasm or luft-plain.wasm.

const MIDDLEGAME = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 10";
const KING_AND_PAWNS = "8/2p5/8/2kPKp1p/2p4P/2P5/3P4/8 w - - 0 1";
const MATE = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1";

/** The cases: functions of (luft, name of the module). `depth` and `nodes`: those of the bench. */
export const casesFor = ({ assert, Luft, LuftError, read, network, depth, nodes }) => ({
    "bench equals that of a native build": luft => assert.equal(luft.bench(depth), nodes),
    "a file that is not a network is refused": async (luft, name) => {
        const bytes = await read(name);
        await assert.rejects(Luft.load(bytes, new Uint8Array(100)), /not a network/);
        assert.throws(() => luft.engine().loadNetwork(new Uint8Array(3)), /not a network/);
    },
    "the position functions of luft.h": luft => {
        const engine = luft.engine({ Hash: 4 });
        engine.loadNetwork(network);
        engine.setPosition("", "e2e4 e7e5");
        assert.equal(engine.legalMoves.length, 29);
        assert.equal(engine.san("g1f3"), "Nf3");
        assert.equal(engine.moveFromSan("Nf3"), "g1f3");
        assert.equal(engine.san("Nf3"), "Nf3");
        assert.match(engine.fen, /^rnbqkbnr\/pppp1ppp\/8\/4p3\/4P3\/8/);
        assert.equal(engine.inCheck, false);
        assert.ok(Math.abs(engine.evaluate()) < 200);
        assert.ok(luft.options.some(({ name, high }) => name === "MultiPV" && high > 100));
        assert.throws(() => engine.setPosition("", "e2e5"), LuftError);
        engine.setPosition("", ["e4", "e7e5", "Nf3"]);
        assert.match(engine.fen, /5N2/);
        assert.throws(() => engine.setOption("Threads", 2), /Threads/);
        assert.throws(() => engine.setOption("Hash", 8000), /MiB/);
        for (const name of ["EvalFile", "StoreFile", "SyzygyPath"]) assert.throws(() => engine.setOption(name, "a"), /no files/);
        engine.close();
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
    "games and positions are read, also during a search": async luft => {
        const engine = luft.engine();
        const game = '[White "Gießen"]\n\n1. e4 (1. d4) e5 {best} *';
        const plain = text => engine.read(text).games.map(({ tags, line }) => [tags.flat().join(), line.map(move => move.uci).join()].join());
        engine.setPosition(MIDDLEGAME);
        setTimeout(() => {
            assert.equal(plain(game).join(), "White,Gießen,e2e4,e7e5");
            engine.stop();
        }, 100);
        await engine.go();
        assert.equal(engine.read(game).games[0].line[0].variations[0].line[0].uci, "d2d4");
        assert.equal(plain(Uint8Array.from(game, letter => letter.charCodeAt(0))).join(), "White,Gießen,e2e4,e7e5"); // Latin-1
        assert.equal(engine.read(`${game}\n\n${game}`, 1).games.length, 1);
        assert.equal(engine.read(MATE).games[0].fen, MATE);
        assert.equal(engine.read("").games.length + engine.read("good morning").games.length, 0);
        assert.match(engine.fen, /^r3k2r/);
        assert.throws(() => engine.read(game, -1), /most/);
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
        let ended = 0;
        engine.setPosition("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1");
        for (const [limits, end] of [[{}, () => engine.stop()], [{ depth: 1, ponder: 1 }, () => engine.ponderHit()]]) {
            setTimeout(() => { ended++; end(); }, 300);
            await engine.go(limits);
        }
        assert.equal(ended, 2);
        engine.close();
    },
    "poll stops a search": async luft => {
        const engine = luft.engine();
        let polls = 0;
        engine.setPosition(MIDDLEGAME);
        await engine.go({}, undefined, { poll: () => ++polls >= 50 });
        assert.equal(polls, 50);
        engine.close();
    },
    "wrong limits start no search and are named": async luft => {
        const engine = luft.engine(), own = (name, value) => JSON.parse(`{"${name}":${value}}`);
        for (const [name, limits] of [["depht", { depht: 5 }], ["__proto__", own("__proto__", 5)], ["constructor", { constructor: 1 }],
                                      ["toString", own("toString", 0)],
                                      ["depth", { depth: NaN }], ["depth", { depth: 2.5 }], ["depth", { depth: -1 }],
                                      ["depth", { depth: 2 ** 32 + 1 }], ["depth", { depth: "5" }], ["nodes", { nodes: -1 }],
                                      ["nodes", { depth: 3, nodes: 1e300 }], ["moveTime", { moveTime: Infinity }],
                                      ["movesToGo", { movesToGo: null }], ["limits", 5], ["limits", null]])
            await assert.rejects(engine.go(limits), new RegExp(name));
        for (const slice of [NaN, 0, -1, 0.5, Infinity])
            await assert.rejects(engine.go({ depth: 1 }, undefined, { slice }), /slice/);
        engine.setPosition(MATE);
        assert.equal((await engine.go({ depth: 3 })).best, "a1a8");
        assert.equal((await engine.go({ depth: 3, moveTime: undefined, searchMoves: undefined })).best, "a1a8"); // is absent
        for (const limits of [{ whiteClock: -5 }, { whiteClock: 0, blackClock: 0 }, { whiteClock: 0, blackClock: 1e11 }])
            assert.equal((await engine.go(limits)).best, "a1a8");
        await assert.rejects(engine.go({ depth: 1 }, 5), /onInfo/);
        assert.throws(() => engine.explain("Ra8", -1), /nodes/);
        assert.throws(() => engine.without([], { dept: 3 }), /dept/);
        assert.throws(() => engine.without([], { nodes: 0.5 }), /nodes/);
        assert.throws(() => engine.tree(3, [], NaN), /rows/);
        assert.throws(() => engine.setPosition(`${MATE}\0`), /zero/);
        assert.throws(() => engine.setOption("Hsah", 3), /no option 'Hsah'/);
        engine.close();
        assert.throws(() => luft.bench(NaN), /depth/);
        assert.throws(() => luft.engine({ Hash: "x" }), LuftError);
    },
    "an exception in a listener ends the search and is thrown by go": async luft => {
        const engine = luft.engine(), broken = () => { throw new RangeError("broken"); };
        let calls = 0;
        engine.setPosition(MIDDLEGAME);
        await assert.rejects(engine.go({}, () => { calls++; broken(); }), /broken/);
        await assert.rejects(engine.go({}, undefined, { poll: broken }), /broken/);
        await assert.rejects(engine.go({ depth: 1, ponder: 1 }, undefined, { poll: broken }), /broken/);
        assert.equal(calls, 1);
        engine.setPosition(MATE);
        assert.equal((await engine.go({ depth: 3 })).best, "a1a8");
        engine.close();
    },
    "engines search at once, also one that a listener starts": async luft => {
        const [one, other, third] = [luft.engine(), luft.engine(), luft.engine()];
        let last;
        one.setPosition(KING_AND_PAWNS);
        for (const engine of [other, third]) engine.setPosition(MATE);
        const first = one.go({}, () => { last ??= third.go({ depth: 5 }, undefined, { slice: 1 }); }, { slice: 1 });
        assert.equal((await other.go({ depth: 5 }, undefined, { slice: 1 })).best, "a1a8");
        assert.equal((await last).best, "a1a8");
        assert.throws(() => one.setOption("Hash", 2), /a search is running/);
        await assert.rejects(one.go(), /a search is running/);
        const lines = [], deep = other.go({ nodes: 50000 }, ({ line }) => lines.push(...line), { slice: 1 });
        await deep;
        await one.stop();
        const { best } = await first;
        assert.ok(one.legalMoves.includes(best) && lines.length > 0);
        assert.equal((await other.go({ depth: 5 })).best, "a1a8");
        for (const engine of [one, other, third]) engine.close();
    },
    "a closed engine refuses calls and damages nothing": async luft => {
        const engine = luft.engine(), other = luft.engine(), closed = /the engine is closed$/;
        other.setPosition(MATE);
        engine.setPosition(MIDDLEGAME);
        const search = engine.go();
        engine.close(); // ends it
        const calls = [() => engine.setOption("Hash", 1), () => engine.setPosition(), () => engine.makeMove("e2e4"), () => engine.fen,
                       () => engine.legalMoves, () => engine.san("e2e4"), () => engine.inCheck, () => engine.evaluate(), () => engine.read(""),
                       () => engine.explain(), () => engine.tree(2), () => engine.stop(), () => engine.techniques, () => engine.ponderHit()];
        for (const call of calls) assert.throws(call, closed);
        await assert.rejects(engine.go(), closed);
        assert.ok((await search).best);
        for (const call of calls) assert.throws(call, closed);
        engine.close();
        for (let i = 0; i < 20; i++) luft.engine({ Hash: 1 }).close();
        assert.equal((await other.go({ depth: 5 })).best, "a1a8");
        other[Symbol.dispose ?? Symbol.for("Symbol.dispose")]();
        assert.throws(() => other.fen, closed);
    },
    "arguments of a wrong kind are named": async (luft, name) => {
        const engine = luft.engine({ Hash: undefined }), even = { draw: 1000 };
        for (const [wrong, call] of [["fen", () => engine.setPosition(5)], ["moves", () => engine.setPosition("", null)],
                                     ["move", () => engine.makeMove()], ["move", () => engine.san(1024)], ["san", () => engine.moveFromSan({})],
                                     ["name", () => engine.setOption(undefined, 1)], ["code", () => engine.setLanguage(7)],
                                     ["move", () => engine.explain(null)], ["techniques", () => engine.without(null, { depth: 3 })],
                                     ["without", () => engine.tree(2, 5)], ["text", () => engine.read(5)], ["options", () => luft.engine(null)],
                                     ["losses", () => luft.accuracy([NaN])], ["before", () => luft.judge(null, null, even)],
                                     ["second", () => luft.judge(even, 5, even)],
                                     ["after.score", () => luft.judge(even, null, { ...even, score: NaN })],
                                     ["after.score", () => luft.judge(even, null, { ...even, score: null })],
                                     ["before needs win", () => luft.judge({ score: 30 }, null, even)],
                                     ["'bset'", () => luft.judge(even, null, even, { bset: true })],
                                     ["zero character", () => luft.call("luft_technique", "a\0b", 0)],
                                     ["the network is missing", () => engine.loadNetwork()]])
            assert.throws(call, new RegExp(wrong));
        const bytes = await read(name);
        await assert.rejects(Luft.load(bytes), /the network is missing/);
        await assert.rejects(Luft.load(undefined, network), /the module is missing/);
        await assert.rejects(Luft.load(network, network), /the module could not be compiled/);
        await assert.rejects(Luft.load(bytes, bytes), /the network: not a network of Luft/);
        assert.ok(!luft.options.some(option => ["Threads", "EvalFile", "StoreFile", "StoreMode", "SyzygyPath"].includes(option.name)));
        assert.equal(new LuftError("x").name, "LuftError");
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
    "a blunder and a mate are judged": luft => {
        const [sure, lost] = [{ win: 900, draw: 100, loss: 0 }, { win: 950, draw: 50, loss: 0 }];
        const blunder = luft.judge(sure, null, lost), mate = luft.judge(sure, null, { isMate: true }, { best: true });
        assert.equal(blunder.nag, 4);
        assert.ok(Math.abs(blunder.loss - 0.925) < 1e-9 && blunder.accuracy < 10);
        assert.ok(Math.abs(blunder.before - 0.95) < 1e-9 && Math.abs(blunder.after - 0.025) < 1e-9);
        assert.ok(mate.nag === 0 && mate.loss === 0 && mate.accuracy > 99.9);
        assert.equal(luft.accuracy([]), 100);
        assert.ok(luft.accuracy([0, blunder.loss]) < luft.accuracy([0, 0.01]));
    },
    "a move is explained, and a search runs without techniques": luft => {
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
        engine.setLanguage("de");
        assert.match(engine.explain("Qd4", 20000).words[1], /Sf3\+ ist eine Gabel/);
        assert.ok(engine.techniques.some(({ name, summary }) => name === "null_move" && summary.startsWith("passen")));
        assert.throws(() => engine.setLanguage("xx"), /no language 'xx'/);
        assert.ok(trees[0].root.children.length > 1 && trees[1].without[0] === "null_move");
        engine.close();
    },
    "a hundred engines leave the memory as large as before": async luft => {
        for (let i = 0; i < 100; i++) luft.engine({ Hash: 1 }).close();
        const before = luft.exports.memory.buffer.byteLength;
        for (let i = 0; i < 100; i++) luft.engine({ Hash: 1 }).close();
        assert.equal(luft.exports.memory.buffer.byteLength, before);
    },
});

/** Loads both modules and runs all cases; returns "ok NAME" or "FAIL NAME: why" for each. */
export async function run(host) {
    const lines = [];
    for (const name of ["luft.wasm", "luft-plain.wasm"]) {
        const luft = await host.Luft.load(await host.read(name), host.network);
        for (const [title, check] of Object.entries(casesFor(host))) {
            try {
                await check(luft, name);
                lines.push(`ok ${name}: ${title}`);
            } catch (error) {
                lines.push(`FAIL ${name}: ${title}: ${String(error.message).replaceAll("\n", " ")}`);
            }
        }
    }
    return lines;
}
