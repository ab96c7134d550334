// The chess engine Luft in WebAssembly, for browsers and Node. It has no dependencies.
//
//     import { Luft } from "./luft.mjs";
//     const luft = await Luft.load(wasmBytes, networkBytes);      // luft.wasm and a file from nets/
//     const engine = luft.engine({ Hash: 32 });
//     engine.setPosition("", "e2e4 e7e5");
//     const { best } = await engine.go({ moveTime: 1000 }, info => console.log(info.depth, info.score, info.line));
//
// The search runs on the caller's thread; async.mjs has an engine with a thread of its own. Every SLICE milliseconds it returns
// to the host's event loop, so events are handled and stop() works. A host with JSPI suspends the search for that. Otherwise it runs
// in slices: a slice ends, and the next one continues with the help of the hash table. All engines of a module share one stack in
// its memory, where a suspended search keeps its part: while there is one, other engines search in slices.

const SLICE = 50; // milliseconds
const ERROR_CAPACITY = 256;
const LIMITS_SIZE = 80;
const INFO_SIZE = 64, VERDICT_SIZE = 40, OPTION_SIZE = 28;
const REFUSED = -1, FINISHED = 0, HELD = 2; // results of luft_slice
const GOES_ON = 0, STOPS = 1, RESTS = 2; // results of luft_host_poll: host.c
const OPTION_TYPES = ["flag", "number", "text", "button", "choice"];
const GAME_ENDS = [null, "checkmate", "stalemate", "repetition", "fifty moves", "dead position"];
const NO_SUCH_CALL = 52;      // WASI's ENOSYS
const NEED_THREADS = ["Level Pace"]; // in slices a level does not keep a pace
const NEED_FILES = ["EvalFile", "StoreFile", "StoreMode", "SyzygyPath", "SyzygyProbeDepth", "SyzygyProbeLimit", "Syzygy50MoveRule"];

// The limits of a search: their offsets in LuftLimits; what is not `large` has four bytes there.
const LIMITS = {
    depth: { at: 0 }, nodes: { at: 8, large: true }, moveTime: { at: 16, large: true },
    whiteClock: { at: 24, large: true, signed: true }, blackClock: { at: 32, large: true, signed: true },
    whiteIncrement: { at: 40, large: true }, blackIncrement: { at: 48, large: true },
    movesToGo: { at: 56 }, mate: { at: 60 }, ponder: { at: 64 }, searchMoves: { at: 72, moves: true },
};
const INT_MAX = 2 ** 31 - 1;
// What a move is judged by: offsets in LuftInfo; the flags of luft_judge.
const JUDGED_BY = { isMate: 12, score: 16, win: 24, draw: 28, loss: 32 }, JUDGED_AS = { best: 1, obvious: 2, hidden: 4 };

const now = () => performance.now();

/** Runs the host's event loop once. A browser's timer would wait four milliseconds longer. */
function runEvents() {
    if (typeof setImmediate === "function") return new Promise(resolve => setImmediate(resolve));
    return new Promise(resolve => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => {
            port1.close();
            resolve();
        };
        port2.postMessage(0);
    });
}

/** The engine refused a call; the message gives the reason. */
export class LuftError extends Error {
    name = "LuftError";
}

/** Checks a whole number; the error names the argument. */
/** A value in the sentence of an error. */
const shown = value => (typeof value === "string" ? JSON.stringify(value) : String(value));

function whole(name, value, least = 0, most = INT_MAX) {
    const number = typeof value === "boolean" ? Number(value) : value;
    if (Number.isInteger(number) && number >= least && number <= most) return number;
    throw new LuftError(`${name} must be a whole number from ${least} to ${most}, not ${shown(value)}`);
}

/** Checks a text. */
function textOf(name, value) {
    if (typeof value !== "string") throw new LuftError(`${name} must be a text, not ${String(value)}`);
    if (value.includes("\0")) throw new LuftError(`${name} has a zero character`);
    return value;
}

/** Words with blanks between, from a text or an array. */
const wordsOf = (name, value) => textOf(name, Array.isArray(value) ? value.join(" ") : value);

/** Checks bytes. */
export function bytesOf(name, value) {
    if (value instanceof ArrayBuffer) return new Uint8Array(value);
    if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
    throw new LuftError(value === undefined ? `${name} is missing` : `${name} must be ${name === "text" ? "a text or " : ""}bytes, not ${shown(value)}`);
}

/** Checks an object of named values; the error names what it is. One that is undefined counts as absent, as an argument does. */
export function entriesOf(name, value) {
    if (typeof value !== "object" || value === null) throw new LuftError(`${name} must be an object, not ${shown(value)}`);
    return Object.entries(value).filter(([, given]) => given !== undefined);
}

/** Checks limits: pairs of a row of LIMITS and a value. A clock at zero or below has run out: one that is absent is undefined. */
function limitsOf(limits) {
    return entriesOf("limits", limits).map(([name, value]) => {
        if (!Object.hasOwn(LIMITS, name))
            throw new LuftError(`there is no limit '${name}', only ${Object.keys(LIMITS).join(", ")}`);
        const { large, signed, moves } = LIMITS[name], most = large ? Number.MAX_SAFE_INTEGER : INT_MAX;
        if (moves) return [LIMITS[name], wordsOf(`the limit ${name}`, value)];
        const number = whole(`the limit ${name}`, value, signed ? -most : 0, most);
        return [LIMITS[name], signed && number === 0 ? -1 : number];
    });
}

/** Checks what a line says of a position: pairs of an offset in LuftInfo and a value. */
function lineOf(what, line) {
    const given = Object.fromEntries(entriesOf(what, line));
    if (!given.isMate && !(given.win || given.draw || given.loss)) throw new LuftError(`${what} needs win, draw and loss, or isMate`);
    return Object.entries(JUDGED_BY).map(([name, at]) => [at, whole(`${what}.${name}`, given[name] === undefined ? 0 : given[name], -INT_MAX)]);
}

/** The module in the bytes of luft.wasm. */
export async function compile(bytes) {
    try {
        return await WebAssembly.compile(bytes);
    } catch (error) {
        throw new LuftError(`the module could not be compiled: ${error.message}`);
    }
}

export class Luft {
    #engines = new Map();
    #last = 0; // number of the newest engine
    suspended = false; // a search that can be suspended is running

    /** `wasm`: bytes or a WebAssembly.Module. `network`: the bytes of the network that all engines start with. */
    static async load(wasm, network, { suspend = typeof WebAssembly.Suspending === "function" } = {}) {
        const luft = new Luft(), bytes = bytesOf("the network", network);
        luft.suspends = suspend;
        const module = wasm instanceof WebAssembly.Module ? wasm : await compile(bytesOf("the module", wasm));
        const { exports } = await WebAssembly.instantiate(module, luft.#imports());
        luft.exports = exports;
        luft.wait = suspend ? WebAssembly.promising(exports.luft_wait) : exports.luft_wait;
        exports._initialize();
        luft.#provide(bytes);
        return luft;
    }

    #imports() {
        const refused = () => NO_SUCH_CALL;
        return {
            luft: {
                luft_host_poll: context => this.#engines.get(context).poll(),
                luft_host_rest: this.suspends ? new WebAssembly.Suspending(context => this.#engines.get(context).rest()) : () => {},
                luft_host_info: (context, info) => this.#engines.get(context).reportInfo(info),
                luft_host_best_move: (context, best, ponder) =>
                    this.#engines.get(context).reportBest(this.text(best), this.text(ponder)),
            },
            wasi_snapshot_preview1: {
                clock_time_get: (clock, precision, to) => {
                    this.view().setBigUint64(to, BigInt(Math.round(now() * 1e6)), true);
                    return 0;
                },
                fd_close: refused, fd_seek: refused, fd_write: refused,
            },
        };
    }

    #provide(network) {
        const bytes = this.put(network), error = this.allocate(ERROR_CAPACITY);
        const good = this.exports.luft_provide_network(bytes, network.length, error, ERROR_CAPACITY);
        const reason = this.text(error);
        this.release(bytes, error);
        if (!good) throw new LuftError(`the network: ${reason}`);
    }

    get version() { return this.text(this.exports.luft_version()); }

    /** Runs the bench and returns its number of nodes, the signature of this version. Blocks. */
    bench(depth) {
        whole("depth", depth, 1);
        const nodes = this.allocate(8);
        const good = this.exports.luft_bench(depth, nodes);
        const count = this.view().getBigUint64(nodes, true);
        this.release(nodes);
        if (!good) throw new LuftError("not enough memory for the bench");
        return Number(count);
    }

    /** The options that an engine has here: `{ name, type, help, standard, low, high, choices }` each. `type` is "flag", "number",
     *  "text", "button" or "choice"; only a number has `low` and `high`, and only a choice `choices`. */
    get options() {
        const found = [], at = this.allocate(OPTION_SIZE), word = offset => this.view().getUint32(at + offset, true);
        while (this.exports.luft_option(found.length, at)) {
            const type = OPTION_TYPES[word(16)], option = { name: this.text(word(0)), type, help: this.text(word(4)), standard: this.text(word(8)) };
            if (type === "number") Object.assign(option, { low: word(20), high: word(24) });
            if (type === "choice") option.choices = this.#texts(word(12));
            found.push(option);
        }
        this.release(at);
        return found.filter(({ name, type, low, high }) => !(NEED_FILES.includes(name) || NEED_THREADS.includes(name) || (type === "number" && low === high)));
    }

    /** The texts of a list that ends with NULL. */
    #texts(at) {
        const found = [];
        for (let text; (text = this.text(this.view().getUint32(at + 4 * found.length, true))) !== null;) found.push(text);
        return found;
    }

    /** The techniques of the search, `{ name, summary }` each. */
    get techniques() {
        const found = [], summary = this.allocate(4);
        for (let name; (name = this.text(this.exports.luft_technique(found.length, summary))) !== null;)
            found.push({ name, summary: this.text(this.view().getUint32(summary, true)) });
        this.release(summary);
        return found;
    }

    /** Judges a move, as luft_judge does, by lines that onInfo received: the best line `before` the move, the `second` one
     *  there (or null), and the best line `after` it. For a position without legal moves pass `{ isMate: true }` or
     *  `{ draw: 1000 }`. Flags in `is`: `best`, `obvious`, `hidden`. Returns `{ nag, loss, accuracy, before, after }`. */
    judge(before, second, after, is = {}) {
        const given = [lineOf("before", before), second && lineOf("second", second), lineOf("after", after)];
        let flags = 0;
        for (const [name, value] of entriesOf("is", is)) {
            if (!Object.hasOwn(JUDGED_AS, name)) throw new LuftError(`a move cannot be judged as '${name}'`);
            if (value) flags |= JUDGED_AS[name];
        }
        const verdict = this.allocate(VERDICT_SIZE), lines = given.map(line => line ? this.#putLine(line) : 0);
        this.exports.luft_judge(...lines, flags, verdict);
        const view = this.view(), real = offset => view.getFloat64(verdict + offset, true);
        const judged = { nag: view.getInt32(verdict, true), loss: real(8), accuracy: real(16), before: real(24), after: real(32) };
        this.release(verdict, ...lines.filter(line => line));
        return judged;
    }

    #putLine(values) {
        const at = this.allocate(INFO_SIZE), view = this.view();
        for (const [offset, value] of values) view.setInt32(at + offset, value, true);
        return at;
    }

    /** The accuracy of a side in percent, computed from the losses of its moves. */
    accuracy(losses) {
        if (!Array.isArray(losses) || !losses.every(Number.isFinite)) throw new LuftError("losses must be an array of numbers");
        const at = this.allocate(8 * losses.length || 8);
        losses.forEach((loss, i) => this.view().setFloat64(at + 8 * i, loss, true));
        const percent = this.exports.luft_accuracy(at, losses.length);
        this.release(at);
        return percent;
    }

    /** Creates an engine at the initial position. Options have their UCI names. */
    engine(options = {}) {
        const wanted = entriesOf("options", options);
        const number = ++this.#last, error = this.allocate(ERROR_CAPACITY);
        const address = this.exports.luft_host_create(number, error, ERROR_CAPACITY);
        const reason = this.text(error);
        this.release(error);
        if (!address) throw new LuftError(reason);
        const engine = new Engine(this, address, () => this.#engines.delete(number));
        this.#engines.set(number, engine);
        try {
            for (const [name, value] of wanted) engine.setOption(name, value);
        } catch (error) {
            engine.close();
            throw error;
        }
        return engine;
    }

    // --- the module's memory; each access needs a new view, because a call may grow the memory ---

    view() { return new DataView(this.exports.memory.buffer); }

    allocate(size) {
        const address = this.exports.malloc(size);
        if (!address) throw new LuftError("not enough memory");
        new Uint8Array(this.exports.memory.buffer, address, size).fill(0);
        return address;
    }

    release(...addresses) { addresses.forEach(address => this.exports.free(address)); }

    put(bytes) {
        const address = this.allocate(bytes.length || 1);
        new Uint8Array(this.exports.memory.buffer).set(bytes, address);
        return address;
    }

    /** The zero-terminated text at `address`; null for address 0. */
    text(address) {
        if (!address) return null;
        const bytes = new Uint8Array(this.exports.memory.buffer);
        return new TextDecoder().decode(bytes.slice(address, bytes.indexOf(0, address)));
    }

    /** Calls an exported function. Texts among `values` are in memory during the call. */
    call(name, ...values) {
        for (const value of values) if (typeof value === "string") textOf(`an argument of ${name}`, value);
        const made = [];
        const given = values.map(value => {
            if (typeof value !== "string") return value;
            made.push(this.put(new TextEncoder().encode(`${value}\0`)));
            return made.at(-1);
        });
        const result = this.exports[name](...given);
        this.release(...made);
        return result;
    }
}

class Engine {
    #luft;
    #address;
    #forget;
    #search = null; // the search that go() waits for

    constructor(luft, address, forget) {
        this.#luft = luft;
        this.#address = address;
        this.#forget = forget;
    }

    #ask(name, ...values) { return this.#luft.text(this.#luft.call(name, this.#address, ...values)); }

    #must(name, ...values) {
        const reason = this.#ask(name, ...values);
        if (reason !== null) throw new LuftError(reason);
    }

    /** Why the last call was refused. */
    #fault() { return new LuftError(this.#ask("luft_fault")); }

    /** Calls a function that returns a text; NULL means that it was refused. */
    #answer(name, ...values) {
        const text = this.#ask(name, ...values);
        if (text === null) throw this.#fault();
        return text;
    }

    /** The same for a function that returns a number. */
    #number(name, ...values) {
        const number = this.#luft.call(name, this.#address, ...values);
        if (number === REFUSED) throw this.#fault();
        return number;
    }

    setOption(name, value) {
        const known = NEED_THREADS.find(option => option.toLowerCase() === textOf("name", name).toLowerCase());
        if (known && String(value) !== "false") throw new LuftError(`the option ${known} cannot work here: there are no threads`);
        this.#must("luft_set_option", name, textOf(name, String(value)));
    }
    /** The language of explanations and trees: "en" or "de". */
    setLanguage(code) { this.#must("luft_set_language", textOf("code", code)); }
    /** The techniques of the search with what they do, in that language. */
    get techniques() {
        return this.#luft.techniques.map(({ name }, index) => ({ name, summary: this.#answer("luft_technique_summary", index) }));
    }
    /** `moves`, played from the FEN, in UCI or SAN: a text or an array. */
    setPosition(fen = "", moves = "") { this.#must("luft_set_position", textOf("fen", fen), wordsOf("moves", moves)); }

    loadNetwork(network) {
        const bytes = bytesOf("the network", network), address = this.#luft.put(bytes);
        try {
            this.#must("luft_load_network", address, bytes.length);
        } finally {
            this.#luft.release(address);
        }
    }

    makeMove(move) { this.#must("luft_make_move", textOf("move", move)); }
    takeBack() { this.#must("luft_take_back"); }
    newGame() { this.#must("luft_new_game"); }

    get fen() { return this.#answer("luft_fen"); }
    get legalMoves() { return this.#answer("luft_legal_moves").split(" ").filter(move => move); }
    get inCheck() { return this.#number("luft_in_check") !== 0; }
    /** How the rules end the game here: null, "checkmate", "stalemate", "repetition", "fifty moves" or "dead position". */
    get gameEnd() { return GAME_ENDS[this.#number("luft_game_end")]; }
    /** A move, or the moves of a line from here, in SAN, and the other way; null if one is not legal. */
    san(move) { return this.#convert("luft_san", wordsOf("move", move)); }
    moveFromSan(san) { return this.#convert("luft_move_from_san", textOf("san", san)); }
    #convert(name, move) { return this.#address ? this.#ask(name, move) : this.#answer(name, move); }

    /** The games and positions in a text (PGN, FEN or EPD), or in the bytes of a file in any encoding: at most `most` of them (0:
     *  all). `luft_read` in luft.h describes the object. May be called during a search. */
    read(text, most = 0) {
        const bytes = typeof text === "string" ? new TextEncoder().encode(text) : bytesOf("text", text);
        whole("most", most);
        const at = this.#luft.put(bytes);
        try {
            return this.#json("luft_read", at, bytes.length, most);
        } finally {
            this.#luft.release(at);
        }
    }

    /** Explains why a move is worse than the best one; without a move what is going on in the position. docs/explain.md describes
     *  the objects. Blocks. */
    explain(move = "", nodes = 0) {
        return this.#json("luft_explain", textOf("move", move), BigInt(whole("nodes", nodes, 0, Number.MAX_SAFE_INTEGER)));
    }

    /** The result of a search without the named techniques, to a limit of nodes or depth; see `luft_without` in docs/explain.md.
     *  Blocks. */
    without(techniques, limits = {}) {
        const given = limitsOf(limits);
        for (const [row] of given)
            if (row !== LIMITS.nodes && row !== LIMITS.depth) throw new LuftError("a search without techniques takes nodes and depth");
        const { nodes = 0, depth = 0 } = limits;
        return this.#json("luft_without", wordsOf("techniques", techniques), BigInt(nodes), depth);
    }

    /** The tree of a search to `depth` plies, and with names in `without` a second tree, without those techniques. Each has at
     *  most `rows` nodes (0: all). docs/explain.md describes the object. Blocks. */
    tree(depth, without = [], rows = 0) {
        return this.#json("luft_tree", whole("depth", depth, 1), wordsOf("without", without), whole("rows", rows));
    }

    /** Calls a function that stores a JSON text through its last argument; returns the object. */
    #json(name, ...values) {
        const at = this.#luft.allocate(4);
        try {
            this.#must(name, ...values, at);
            return JSON.parse(this.#luft.text(this.#luft.view().getUint32(at, true)));
        } finally {
            this.#luft.release(at);
        }
    }

    /** The static evaluation in centipawns for the side to move. */
    evaluate() {
        const score = this.#luft.allocate(4);
        try {
            this.#must("luft_evaluate", score);
            return this.#luft.view().getInt32(score, true);
        } finally {
            this.#luft.release(score);
        }
    }

    /** Searches, and returns the best move. Limits: depth, nodes, moveTime, whiteClock, blackClock, whiteIncrement,
     *  blackIncrement (milliseconds), movesToGo, mate, ponder, searchMoves. Without limits it runs until stop(). `onInfo`
     *  receives each line, with the fields of LuftInfo in luft.h, but `time` in milliseconds. `poll` is called about every
     *  millisecond and returns true to stop; it can read shared memory where no events arrive. `slice`: milliseconds between two
     *  runs of the event loop. An exception in `onInfo` or `poll` ends the search and is thrown by go(). */
    async go(limits = {}, onInfo = () => {}, { poll = () => false, slice = SLICE } = {}) {
        const given = limitsOf(limits);
        if (typeof onInfo !== "function") throw new LuftError(`onInfo must be a function, not ${shown(onInfo)}`);
        whole("slice", slice, 1);
        this.#begin(given);
        const search = this.#search = { onInfo, poll, slice, turned: now(), address: this.#address, suspends: false, wake: () => {} };
        search.done = this.#run(search);
        return search.done;
    }

    async #run(search) {
        await null; // a listener of another engine may be calling: from here on no function of the module is running
        search.suspends = this.#luft.suspends && !this.#luft.suspended;
        try {
            if (search.suspends) {
                this.#luft.suspended = true;
                await this.#luft.wait(search.address);
            } else
                await this.#goInSlices(search);
        } finally {
            if (search.suspends) this.#luft.suspended = false;
            this.#search = null;
            if (!this.#address) this.#free(search.address);
        }
        if (search.fault) throw search.fault.error;
        return search.result;
    }

    #begin(limits) {
        const at = this.#luft.allocate(LIMITS_SIZE), texts = [];
        try {
            for (const [row, value] of limits)
                if (row.moves) texts.push([row, this.#luft.put(new TextEncoder().encode(`${value}\0`))]);
            const view = this.#luft.view();
            for (const [row, address] of texts) view.setUint32(at + row.at, address, true);
            for (const [row, value] of limits)
                if (row.large) view.setBigInt64(at + row.at, BigInt(value), true);
                else if (!row.moves) view.setInt32(at + row.at, value, true);
            const reason = this.#ask("luft_go", at);
            if (reason !== null) throw new LuftError(reason.replace("search_moves", "searchMoves"));
        } finally {
            this.#luft.release(at, ...texts.map(([, address]) => address));
        }
    }

    /** Calls a listener. An exception must not unwind the module's stack, so it is stored and the search ends. */
    #callListener(search, listener) {
        if (search.fault) return true;
        try {
            return listener();
        } catch (error) {
            search.fault = { error };
            return true;
        }
    }

    async #goInSlices(search) {
        for (;;) {
            const end = this.#luft.exports.luft_slice(search.address, BigInt(search.slice), 0n);
            if (end === FINISHED) return;
            if (end === HELD && !this.#callListener(search, search.poll))
                await new Promise(resolve => {
                    search.wake = resolve;
                    setTimeout(resolve, search.slice);
                });
            else if (end === HELD)
                this.#luft.exports.luft_stop(search.address);
            else
                await runEvents();
        }
    }

    #steer(name) {
        if (!this.#address) throw this.#fault();
        this.#luft.call(name, this.#address);
    }

    /** Ends the search. The promise is kept when go() has returned. */
    stop() {
        this.#steer("luft_stop");
        const search = this.#search, ended = () => {};
        search?.wake();
        return search ? search.done.then(ended, ended) : Promise.resolve();
    }

    /** The opponent played the expected move: the clock starts now. */
    ponderHit() {
        this.#steer("luft_ponderhit");
        this.#search?.wake();
    }

    /** Ends the search and frees the engine. Later calls are refused; go() still returns. */
    close() {
        const address = this.#address, search = this.#search;
        this.#address = 0;
        if (!search) return this.#free(address);
        this.#luft.exports.luft_stop(address);
        search.wake();
    }

    #free(address) {
        this.#luft.exports.luft_destroy(address);
        this.#forget();
    }

    /** `using engine = luft.engine()` closes it at the end of the block. */
    [Symbol.dispose ?? Symbol.for("Symbol.dispose")]() { this.close(); }

    // --- called by the module ---

    poll() {
        const search = this.#search;
        if (this.#callListener(search, search.poll)) return STOPS;
        return search.suspends && now() - search.turned >= search.slice ? RESTS : GOES_ON;
    }

    async rest() {
        await runEvents();
        this.#search.turned = now();
    }

    reportInfo(at) {
        const search = this.#search, view = this.#luft.view(), int = offset => view.getInt32(at + offset, true);
        const info = {
            depth: int(0), selectiveDepth: int(4), rank: int(8), isMate: int(12) !== 0, score: int(16), bound: int(20),
            win: int(24), draw: int(28), loss: int(32), nodes: Number(view.getBigUint64(at + 40, true)),
            time: Number(view.getBigInt64(at + 48, true)) / 1000, hashFull: int(56),
            line: this.#luft.text(view.getUint32(at + 60, true)).split(" "),
        };
        this.#callListener(search, () => search.onInfo(info));
    }

    reportBest(best, ponder) { this.#search.result = { best, ponder }; }
}
