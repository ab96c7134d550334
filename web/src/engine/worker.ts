// Runs the engine in a worker thread. Calls run one after the other. A search yields every 50 milliseconds, so "stop" and
// "ping" get through.

import { Luft, LuftError, type Engine } from "../../../bindings/wasm/luft.mjs";
import { reasonOf, type CallName, type Calls, type FromWorker, type Info, type Level, type SearchArguments, type StartArguments, type Started,
         type ToWorker, type UciPosition } from "./protocol";

// Milliseconds between two reports, at first and later: each report costs the page a layout, and later little changes.
const LINES_EVERY = 200, LINES_EVERY_LATER = 1000, QUICK_FOR = 3000;

let luft: Luft;
let engine: Engine;
let lines = 1; // the option MultiPV
let level: Level | undefined; // at which the last search played
let searching = 0; // id of the search in progress
const cancelled = new Set<number>(); // searches that were stopped before they began
let queue: Promise<void> = Promise.resolve();

const send = (message: FromWorker) => postMessage(message);

async function start({ module, network, language, hash, suspend }: StartArguments): Promise<Started> {
    luft = await Luft.load(module, network, suspend === false ? { suspend } : {});
    engine = luft.engine({ UCI_Chess960: true, UCI_AnalyseMode: true });
    engine.setLanguage(language);
    return { version: luft.version, hash: setHash(hash), suspends: luft.suspends, techniques: engine.techniques };
}

/** Sets the hash size, halved until the browser grants it; returns megabytes. WebAssembly memory never shrinks, so an engine
 *  that already has the wanted size keeps its table. */
function setHash(wanted: number): number {
    if (wanted === Number(luft.options.find(option => option.name === "Hash")?.standard)) return wanted;
    for (let size = wanted; size > 1; size = Math.floor(size / 2)) {
        try {
            engine.setOption("Hash", size);
            return size;
        } catch (error) {
            if (!(error instanceof LuftError)) throw error;
        }
    }
    return 1;
}

function setPosition({ fen, moves }: UciPosition): void {
    engine.setPosition(fen, moves.join(" "));
}

function setLevel(wanted: Level | undefined): void {
    if (wanted) engine.setOption("UCI_Elo", wanted.elo);
    if (wanted) engine.setOption("Level Seed", wanted.seed);
    if (!wanted !== !level) engine.setOption("UCI_LimitStrength", wanted !== undefined);
    level = wanted;
}

/** Collects lines and sends them in batches: the latest of each rank, or every line. */
function reporter(id: number, every: boolean) {
    const latest = new Map<number, Info>();
    let taken = 0;
    let timer: ReturnType<typeof setTimeout> | undefined, sent = 0;
    const began = performance.now();
    const flush = () => {
        clearTimeout(timer);
        timer = undefined;
        if (latest.size === 0) return;
        send({ what: "lines", id, lines: [...latest.values()] });
        latest.clear();
        sent = performance.now();
    };
    const take = (info: Info) => {
        latest.set(every ? taken++ : info.rank, info);
        const now = performance.now(), wait = now - began < QUICK_FOR ? LINES_EVERY : LINES_EVERY_LATER;
        if (now - sent > wait) flush();
        else timer ??= setTimeout(flush, wait);
    };
    return { take, flush };
}

async function search(args: SearchArguments, id: number) {
    if (cancelled.delete(id)) return { best: "", ponder: "" };
    if (args.newGame) engine.newGame();
    if (args.lines !== lines) engine.setOption("MultiPV", args.lines);
    lines = args.lines;
    setLevel(args.level);
    const report = reporter(id, args.every === true);
    searching = id;
    try {
        setPosition(args);
        return await engine.go(args.limits, report.take);
    } finally {
        searching = 0;
        report.flush();
    }
}

function bench({ depth }: { depth: number }) {
    const start = performance.now();
    return { nodes: luft.bench(depth), milliseconds: performance.now() - start };
}

const calls: { [Name in CallName]: (args: Calls[Name][0], id: number) => Calls[Name][1] | Promise<Calls[Name][1]> } = {
    start,
    search,
    bench,
    read: ({ bytes, most }) => engine.read(bytes, most) as Calls["read"][1],
    judge: ({ before, second, after, is }) => luft.judge(before, second, after, is),
    accuracy: ({ losses }) => luft.accuracy(losses),
    explain: args => {
        setPosition(args);
        return engine.explain(args.move, args.nodes) as Calls["explain"][1];
    },
    overview: args => {
        setPosition(args);
        return engine.explain("", args.nodes) as Calls["overview"][1];
    },
    without: args => {
        setPosition(args);
        return engine.without(args.off, { nodes: args.nodes, depth: args.depth }) as Calls["without"][1];
    },
    tree: args => {
        setPosition(args);
        return engine.tree(args.depth, args.off, args.rows) as Calls["tree"][1];
    },
};

async function answer(message: Extract<ToWorker, { args: unknown }>): Promise<void> {
    const { what, id, args } = message;
    try {
        const call = calls[what] as (args: unknown, id: number) => unknown;
        send({ what: "result", id, result: await call(args, id) });
    } catch (error) {
        send({ what: "error", id, error: reasonOf(error) });
    }
}

addEventListener("message", ({ data: message }: MessageEvent<ToWorker>) => {
    if (message.what === "ping") send({ what: "pong" });
    else if (message.what === "read" && engine) void answer(message); // skips the queue, where it would wait for an endless search
    else if (message.what !== "stop") queue = queue.then(() => answer(message));
    else if (message.id === searching) engine.stop();
    else cancelled.add(message.id);
});
