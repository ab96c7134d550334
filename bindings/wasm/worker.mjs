// The worker of async.mjs: runs the engine. It gets a call when it has answered the one before, during a search also "stop",
// "ping" and quick calls: a search yields every 50 milliseconds, or every 5 where that costs nothing.

import { Luft, LuftError, entriesOf } from "./luft.mjs";

// Milliseconds between two reports, at first and later: each report costs a page a layout, and later little changes.
const LINES_EVERY = 200, LINES_EVERY_LATER = 1000, QUICK_FOR = 3000;

const port = typeof postMessage === "function" ? globalThis : process.getBuiltinModule("node:worker_threads").parentPort;
const send = message => port.postMessage(message);

let luft, engine;
let isStopped = () => false; // whether the search of this id is to end
const own = new Map(); // the options of this engine, by their names in lower case
const changed = new Map(); // options that searches have set

async function start({ module, network, stopped, settings }) {
    const { language = "en", hash, options = {}, suspend, ...unknown } = Object.fromEntries(entriesOf("the settings", settings));
    for (const [name] of Object.entries(unknown))
        throw new LuftError(`there is no setting '${name}', only hash, language, options, suspend`);
    if (hash !== undefined && !(Number.isInteger(hash) && hash > 0))
        throw new LuftError(`the setting hash must be a whole number of megabytes, not ${String(hash)}`);
    luft = await Luft.load(module, network, suspend === undefined ? {} : { suspend });
    engine = luft.engine(options);
    if (stopped) isStopped = id => Atomics.load(stopped, 0) >= id;
    for (const [name, value] of entriesOf("options", options)) own.set(name.toLowerCase(), value);
    engine.setLanguage(language);
    const granted = setHash(hash), { version, suspends } = luft;
    return { version, hash: granted, suspends, techniques: engine.techniques, options: luft.options };
}

/** The engine's own value of an option, named in any case; undefined of one that is useless here. */
function standardOf(name) {
    const known = name.toLowerCase();
    return own.get(known) ?? luft.options.find(option => option.name.toLowerCase() === known)?.standard;
}

/** Sets the hash size, halved until the host grants it; returns megabytes. WebAssembly memory never shrinks, so an engine that
 *  already has the wanted size keeps its table. */
function setHash(wanted = Number(standardOf("Hash"))) {
    if (wanted === Number(standardOf("Hash"))) return wanted;
    for (let size = wanted; size >= 1; size = Math.floor(size / 2)) {
        try {
            engine.setOption("Hash", size);
            own.set("hash", size);
            return size;
        } catch (error) {
            if (!(error instanceof LuftError)) throw error;
        }
    }
    return Number(standardOf("Hash"));
}

/** Sets the options of a search. What an earlier one set goes back to the engine's own. */
function setOptions(wanted) {
    const given = entriesOf("options", wanted), names = given.map(([name]) => name);
    const back = [...changed.keys()].filter(name => !names.includes(name)).map(name => [name, standardOf(name)])
        .filter(([, value]) => value !== undefined);
    for (const [name, value] of [...back, ...given]) {
        if (changed.get(name) === value) continue;
        engine.setOption(name, value);
        changed.set(name, value);
    }
}

/** Collects lines and sends them in batches: the latest of each rank, by rank, or every line. */
function reporter(id, every) {
    const latest = new Map();
    let taken = 0, timer, sent = 0;
    const began = performance.now();
    const flush = () => {
        clearTimeout(timer);
        timer = undefined;
        if (latest.size === 0) return;
        const lines = [...latest.values()];
        send({ what: "lines", id, lines: every ? lines : lines.sort((a, b) => a.rank - b.rank) });
        latest.clear();
        sent = performance.now();
    };
    const take = info => {
        latest.set(every ? taken++ : info.rank, info);
        const now = performance.now(), wait = now - began < QUICK_FOR ? LINES_EVERY : LINES_EVERY_LATER;
        if (now - sent > wait) flush();
        else timer ??= setTimeout(flush, wait);
    };
    return { take, flush };
}

async function go({ limits, options = {}, newGame, every }, id) {
    const report = reporter(id, every);
    setOptions(options);
    if (newGame) engine.newGame();
    try {
        return await engine.go(limits, report.take, { poll: () => isStopped(id), slice: luft.suspends ? 5 : 50 });
    } finally {
        report.flush();
    }
}

function explain({ move, nodes }) {
    if (!move) throw new LuftError("explain needs a move");
    return engine.explain(move, nodes);
}

let questions; // an engine that answers them during a search

/** What the rules say of a position, and the moves of a line from it in SAN. */
function position({ fen, moves, line = [] }) {
    questions ??= luft.engine({ Hash: 1 });
    questions.setOption("UCI_Chess960", String(own.get("uci_chess960") ?? false));
    questions.setPosition(fen, moves);
    const { legalMoves, inCheck, gameEnd } = questions, san = line.length === 0 ? "" : questions.san(line);
    if (san === null) throw new LuftError("a move of the line is not legal");
    return { fen: questions.fen, legalMoves, inCheck, gameEnd, san: san.split(" ").filter(move => move) };
}

function bench({ depth }) {
    const start = performance.now();
    return { nodes: luft.bench(depth), milliseconds: performance.now() - start };
}

/** The calls with the names of their arguments. Those that begin with "fen moves" set the position first. */
const CALLS = {
    go: ["fen moves limits options newGame every", go],
    explain: ["fen moves move nodes", explain],
    overview: ["fen moves nodes", ({ nodes }) => engine.explain("", nodes)],
    without: ["fen moves techniques limits", ({ techniques, limits }) => engine.without(techniques, limits)],
    tree: ["fen moves depth without rows", ({ depth, without, rows }) => engine.tree(depth, without, rows)],
    bench: ["depth", bench],
    position: ["fen moves line", position],
    read: ["text most", ({ text, most }) => engine.read(text, most)],
    judge: ["before second after is", ({ before, second, after, is }) => luft.judge(before, second, after, is)],
    accuracy: ["losses", ({ losses }) => luft.accuracy(losses)],
};

const BESIDE = ["signal", "onLines"]; // of the second object

function run(what, args, id) {
    if (what === "start") return start(args);
    const [names, call] = CALLS[what], known = names.split(" ");
    for (const [name] of entriesOf(`the argument of ${what}`, args))
        if (!known.includes(name)) throw new LuftError(`${what} has no argument '${name}'${BESIDE.includes(name)
            ? ": it belongs into the second object" : `, only ${known.join(", ")}`}`);
    if (known[0] === "fen" && what !== "position") engine.setPosition(args.fen, args.moves);
    return call(args, id);
}

async function answer({ what, id, args }) {
    try {
        send({ what: "result", id, result: await run(what, args, id) });
    } catch (error) {
        send({ what: "error", id, error: error.message, isRefusal: error instanceof LuftError });
    }
}

port.onmessage = ({ data: message }) => {
    if (message.what === "ping") send({ what: "pong" });
    else if (message.what === "stop") void engine.stop();
    else if (message.what === "ponderHit") engine.ponderHit();
    else void answer(message);
};
