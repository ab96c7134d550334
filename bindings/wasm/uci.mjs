// A worker that takes and gives lines of UCI, in place of stockfish.js:
//
//     const worker = new Worker(new URL("luft-chess/uci", import.meta.url), { type: "module" });
//     worker.onmessage = ({ data }) => console.log(data);
//     for (const line of ["uci", "position startpos moves e2e4", "go depth 10"]) worker.postMessage(line);
//
// A line waits until the search before it has ended, but for stop, ponderhit, isready and quit.

import { loadFiles } from "./files.mjs";
import { Luft, LuftError } from "./luft.mjs";

const QUIET = 3000; // milliseconds before which only exact scores are shown
const TYPES = { flag: "check", number: "spin", text: "string", button: "button", choice: "combo" };
const NOT_SHOWN = ["UCI_ShowRefutations", "UCI_ShowCurrLine"]; // the search reports neither here
/** The words of `go` with a number: their names in Limits, and the least number. */
const LIMITS = {
    wtime: ["whiteClock", -Infinity], btime: ["blackClock", -Infinity], winc: ["whiteIncrement", 0], binc: ["blackIncrement", 0],
    movestogo: ["movesToGo", 0], movetime: ["moveTime", 1], depth: ["depth", 1], nodes: ["nodes", 1], mate: ["mate", 1],
};
const WORDS = [...Object.keys(LIMITS), "infinite", "ponder", "searchmoves"];

const port = typeof postMessage === "function" ? globalThis : process.getBuiltinModule("node:worker_threads").parentPort;
const say = line => port.postMessage(line);

let luft, engine;
let showsChances = false;
let misread = null; // why there is no position
let running = null; // the search in progress
const waiting = []; // lines with the search that each begins, if it does

function describe({ name, type, standard, low, high }) {
    const value = type === "button" ? "" : ` default ${standard === "" ? "<empty>" : standard}`;
    return `option name ${name} type ${TYPES[type]}${value}${type === "number" ? ` min ${low} max ${high}` : ""}`;
}

function uci() {
    say(`id name Luft ${luft.version}`);
    say("id author the Luft authors");
    for (const option of luft.options) if (!NOT_SHOWN.includes(option.name)) say(describe(option));
    say("option name Threads type spin default 1 min 1 max 1");
    say("uciok");
}

function setoption(rest) {
    const [, name, value] = /^name\s+(.*?)(?:\s+value\s+(.*))?$/i.exec(rest) ?? [];
    if (name === undefined) throw new LuftError("expected 'setoption name <name> [value <value>]'");
    engine.setOption(name, value ?? "");
    if (name.toLowerCase() === "uci_showwdl") showsChances = value.toLowerCase() === "true";
}

function position(rest) {
    const [, kind, fen, moves] = /^(startpos|fen\s+(.*?))(?:\s+moves\s+(.*))?$/i.exec(rest) ?? [];
    misread = "expected 'position startpos' or 'position fen <FEN>', then 'moves ...' if any";
    if (kind === undefined) throw new LuftError(misread);
    try {
        engine.setPosition(fen ?? "", moves ?? "");
        misread = null;
    } catch (error) {
        misread = error.message;
        throw error;
    }
}

function limitsOf(rest) {
    const words = rest.split(/\s+/), limits = {};
    for (let i = 0; i < words.length; i++) {
        const word = words[i].toLowerCase();
        if (word === "ponder") limits.ponder = true;
        else if (word === "searchmoves") {
            const end = words.findIndex((next, at) => at > i && WORDS.includes(next.toLowerCase()));
            limits.searchMoves = words.slice(i + 1, end < 0 ? undefined : end);
        } else if (Object.hasOwn(LIMITS, word)) {
            const [name, least] = LIMITS[word], number = Math.round(Number(words[i + 1] || NaN));
            if (Number.isNaN(number)) say(`info string go: ${word} has no number and does not count`);
            else limits[name] = Math.max(number, least);
        }
    }
    return limits;
}

function show(info) {
    if (info.bound !== 0 && info.time < QUIET) return;
    const bound = { "1": " lowerbound", "-1": " upperbound" }[info.bound] ?? "";
    const chances = showsChances ? ` wdl ${info.win} ${info.draw} ${info.loss}` : "";
    const speed = Math.floor(info.nodes * 1000 / Math.max(info.time, 0.001));
    say(`info depth ${info.depth} seldepth ${info.selectiveDepth} multipv ${info.rank} score ${info.isMate ? "mate" : "cp"} ` +
        `${info.score}${bound}${chances} nodes ${info.nodes} nps ${speed} hashfull ${info.hashFull} tbhits 0 ` +
        `time ${Math.floor(info.time)} pv ${info.line.join(" ")}`);
}

async function go(rest, search) {
    let found = { best: "", ponder: "" };
    try {
        if (misread !== null) throw new LuftError(misread);
        running = search;
        const done = engine.go(limitsOf(rest), info => {
            search.reported = true;
            show(info);
        });
        if (search.stopped) void engine.stop();
        found = await done;
        if (!search.reported && found.best === "") say(`info depth 0 score ${engine.inCheck ? "mate" : "cp"} 0`);
    } catch (error) {
        complain("go", error);
    }
    running = null;
    say(`bestmove ${found.best || "(none)"}${found.ponder ? ` ponder ${found.ponder}` : ""}`);
}

function bench(rest) {
    const start = performance.now(), nodes = luft.bench(Number(rest || 9));
    say(`${nodes} nodes ${Math.round(nodes * 1000 / (performance.now() - start))} nps`);
}

const COMMANDS = { uci, setoption, position, go, bench, isready: () => say("readyok"), ucinewgame: () => engine.newGame() };

function complain(where, error) {
    if (!(error instanceof LuftError)) throw error;
    say(`info string error: ${where}: ${error.message}`);
}

async function obey({ line, search }) {
    const [, word, rest] = /^\s*(\S*)\s*(.*?)\s*$/s.exec(line), known = word.toLowerCase();
    if (word === "" || known === "debug" || known === "register") return;
    if (known === "go" && /^perft\b/i.test(rest)) return say("info string error: go: there is no perft here"), say("bestmove (none)");
    if (!Object.hasOwn(COMMANDS, known)) return say(`info string error: unknown command '${word}'`);
    try {
        await COMMANDS[known](rest, search);
    } catch (error) {
        complain(known, error);
    }
}

/** The searches that were asked for and have not ended. */
const open = () => [running, ...waiting.map(({ search }) => search)].filter(search => search);

const AT_ONCE = {
    stop() {
        const search = open().find(({ stopped }) => !stopped);
        if (!search) return;
        search.stopped = true;
        if (search === running) void engine.stop();
    },
    ponderhit() { if (running) engine.ponderHit(); },
    quit() { port.close(); },
};

let isObeying = true; // until the engine is there
async function obeyAll() {
    isObeying = true;
    while (waiting.length > 0) await obey(waiting.shift());
    isObeying = false;
}

function take(line) {
    const word = String(line).trim().split(/\s/)[0].toLowerCase();
    if (Object.hasOwn(AT_ONCE, word)) return AT_ONCE[word]();
    if (word === "isready" && running) return say("readyok");
    waiting.push({ line: String(line), search: word === "go" ? { stopped: false, reported: false } : null });
    if (!isObeying) void obeyAll();
}
port.onmessage = ({ data }) => String(data).split("\n").forEach(take);

async function start() {
    try {
        const files = await loadFiles({ wasm: new URL("./luft.wasm", import.meta.url), network: new URL("./luft.nnue", import.meta.url) });
        luft = await Luft.load(files.module, await files.network());
        engine = luft.engine();
        await obeyAll();
    } catch (error) {
        say(`info string error: ${error.message}`);
        throw error;
    }
}
void start();
