// The engine in a thread of its own. Calls are done one after the other; a search gives the messages a turn every 50
// milliseconds, so that "stop" and "ping" get through.

import { Luft, LuftError, type Engine } from "../../../bindings/wasm/luft.mjs";
import type { CallName, Calls, FromWorker, Info, Place, SearchArguments, StartArguments, Started, ToWorker } from "./protocol";

const LINES_EVERY = 200, LINES_EVERY_LATER = 1000; // milliseconds between two reports: at first, and after ...
const QUICK_FOR = 3000; // ... so long, when little changes: each report costs the page a layout

let luft: Luft;
let engine: Engine;
let lines = 1; // the option MultiPV
let searching = 0; // id of the search in progress
let endless = false; // it has no limit ...
let stopped = false; // ... and somebody has stopped it
let checks: (() => void)[] = []; // what the search without end is to make way for
const cancelled = new Set<number>(); // searches that were stopped before they began
let turn: Promise<void> = Promise.resolve();

const send = (message: FromWorker) => postMessage(message);

async function start({ module, network, hash, suspend }: StartArguments): Promise<Started> {
    luft = await Luft.load(module, network, suspend === false ? { suspend } : {});
    engine = luft.engine({ UCI_Chess960: true, UCI_AnalyseMode: true });
    return { version: luft.version, hash: takeHash(hash), suspends: luft.suspends, techniques: luft.techniques };
}

/** As much of the memory as the browser grants. An engine begins with its standard table; memory that a table had once
 *  is never given back, so no other is made where that one is wanted. */
function takeHash(wanted: number): number {
    const standard = engine.options.find(line => line.startsWith("option name Hash "));
    if (wanted === Number(/ default (\d+)/.exec(standard ?? "")?.[1])) return wanted;
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

function setPlace({ fen, moves }: Place): void {
    engine.setPosition(fen, moves.join(" "));
}

/** Collects lines and sends them, the last of each rank or every one, not more often than the page can draw. */
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
    if (args.forget) engine.newGame();
    if (args.lines !== lines) engine.setOption("MultiPV", args.lines);
    lines = args.lines;
    const report = reporter(id, args.every === true);
    searching = id;
    stopped = false;
    endless = Object.keys(args.limits).length === 0;
    try {
        for (;;) {
            setPlace(args);
            const best = await engine.go(args.limits, report.take);
            if (!takeChecks() || stopped || !endless) return best;
        }
    } finally {
        searching = 0;
        report.flush();
        takeChecks();
    }
}

/** By the one engine: a second one would cost 27 MB for good, because the module's memory never shrinks. A search
 *  without end makes way and then goes on by what its table holds; any other call is waited for. */
function check({ fen }: { fen: string }): Promise<{ fen: string }> {
    const found = new Promise<{ fen: string }>((resolve, reject) => checks.push(() => {
        try {
            engine.setPosition(fen, "");
            resolve({ fen: engine.fen });
        } catch (error) {
            reject(error);
        }
    }));
    if (searching && endless) engine.stop();
    else if (!searching) takeChecks();
    return found;
}

/** Whether there was any. */
function takeChecks(): boolean {
    const due = checks;
    checks = [];
    for (const act of due) act();
    return due.length > 0;
}

function bench({ depth }: { depth: number }) {
    const start = performance.now();
    return { nodes: luft.bench(depth), milliseconds: performance.now() - start };
}

const calls: { [Name in CallName]: (args: Calls[Name][0], id: number) => Calls[Name][1] | Promise<Calls[Name][1]> } = {
    start,
    search,
    bench,
    check,
    judge: ({ before, second, after, is }) => luft.judge(before, second, after, is),
    accuracy: ({ losses }) => luft.accuracy(losses),
    explain: args => {
        setPlace(args);
        return engine.explain(args.move, args.nodes) as Calls["explain"][1];
    },
    without: args => {
        setPlace(args);
        return engine.without(args.off, args) as Calls["without"][1];
    },
    tree: args => {
        setPlace(args);
        return engine.tree(args.depth, args.off, args.rows) as Calls["tree"][1];
    },
};

async function answer(message: Extract<ToWorker, { args: unknown }>): Promise<void> {
    const { what, id, args } = message;
    try {
        const call = calls[what] as (args: unknown, id: number) => unknown;
        send({ what: "result", id, result: await call(args, id) });
    } catch (error) {
        send({ what: "error", id, error: error instanceof Error ? error.message : String(error) });
    }
}

addEventListener("message", ({ data: message }: MessageEvent<ToWorker>) => {
    if (message.what === "ping") send({ what: "pong" });
    else if (message.what === "check" && luft) void answer(message); // not after a search that has no end
    else if (message.what !== "stop") turn = turn.then(() => answer(message));
    else if (message.id === searching) {
        stopped = true;
        engine.stop();
    } else cancelled.add(message.id);
});
