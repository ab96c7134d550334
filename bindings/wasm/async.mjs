// Luft in a thread of its own, for browsers and Node: calls are promises, and whoever calls them stays responsive.
//
//     import { AsyncEngine, loadFiles } from "./async.mjs";
//     const engine = new AsyncEngine(loadFiles({ wasm: wasmUrl, network: networkUrl }));
//     const search = engine.analyse({ moves: "e2e4 e7e5", limits: { depth: 12 } });
//     for await (const info of search) console.log(info.score, ...info.line);
//     engine.close();
//
// A call has all that it needs, the position too, in one object. So a worker that dies or stops answering is replaced, and the
// calls that are still open are repeated. Calls run one after the other, but each ends the searches before it. The queue is here:
// the worker gets a call when it has answered the one before, so a call that waits is cancelled without it.

import { builtIn, loadFiles, threadOptions } from "./files.mjs";
import { LuftError } from "./luft.mjs";

export { LuftError, loadFiles };

/** Whether a search can see at once that it is stopped; otherwise it hears of it between two slices. Not in most pages. */
const canShare = typeof SharedArrayBuffer === "function" && globalThis.crossOriginIsolated !== false;

const PING_EVERY = 1500; // milliseconds
const SILENCE_MAX = 4, BLOCKED_MAX = 120; // pings without an answer after which a worker is replaced
const RESTARTS_MAX = 3; // in a row, without an answer between them
const CLOSED = "the engine is closed", STOPPED = "the call was stopped";

const CALLS = ["about", "explain", "overview", "without", "tree", "bench", "read", "judge", "accuracy", "position"];
/** These are answered at once, also during a search; "about" here. */
const QUICK = ["about", "read", "judge", "accuracy", "position"];
const isSlow = ({ message: { what } }) => CALLS.includes(what) && !QUICK.includes(what); // neither a search nor "start"

/** What is wrong with the second object of a call, which may have `names`; undefined if nothing. */
function faultOf(how, ...names) {
    if (typeof how !== "object" || how === null) return new LuftError(`the second argument must be an object, not ${String(how)}`);
    const unknown = Object.keys(how).find(name => !names.includes(name));
    if (unknown !== undefined) return new LuftError(`there is no '${unknown}' beside a call, only ${names.join(" and ")}`);
    if (how.signal !== undefined && typeof how.signal?.addEventListener !== "function") return new LuftError("signal must be an AbortSignal");
    if (how.onLines !== undefined && typeof how.onLines !== "function") return new LuftError("onLines must be a function");
}

/** The third argument of an engine, checked. */
function listenerOf(listener) {
    const names = ["started", "restarted", "failed"];
    if (typeof listener !== "object" || listener === null) throw new LuftError(`the listener must be an object, not ${String(listener)}`);
    for (const [name, value] of Object.entries(listener)) {
        if (!names.includes(name)) throw new LuftError(`there is no '${name}' in a listener, only ${names.join(", ")}`);
        if (value !== undefined && typeof value !== "function") throw new LuftError(`${name} must be a function`);
    }
    return listener;
}

/** Starts a worker; calls `receive` with its messages, and `die` with the reason, if there is one, if it ends by itself. */
function startWorker(receive, die) {
    if (typeof Worker === "undefined") {
        const { Worker: Thread } = builtIn("worker_threads"), file = "./worker.mjs";
        return new Thread(new URL(file, import.meta.url), threadOptions()).on("message", receive).on("error", error => die(error?.message));
    }
    const worker = new Worker(new URL("./worker.mjs", import.meta.url), { type: "module", name: "luft" });
    worker.onmessage = ({ data }) => receive(data);
    worker.onerror = event => {
        event.preventDefault();
        die(event.message);
    };
    return worker;
}

export class AsyncEngine {
    #files;
    #settings;
    #listener;
    #worker;
    #isReady = false; // "start" has been answered; until then calls wait
    #about; // its answer
    #open = new Map(); // calls without an answer, oldest first
    #last = 0;
    #stopped = canShare ? new Int32Array(new SharedArrayBuffer(4)) : undefined; // id of the newest search to stop
    #silence = 0; // pings since the worker's last message
    #restarts = 0;
    #isClosed = false;
    #timer;

    /** `files`: what loadFiles returned, or its promise. The worker starts with the first call. */
    constructor(files, settings = {}, listener = {}) {
        if (typeof files !== "object" || files === null) throw new LuftError(`an engine needs its files, not ${String(files)}: loadFiles() loads them`);
        this.#files = files;
        this.#settings = settings;
        this.#listener = listenerOf(listener);
    }

    static {
        for (const what of CALLS)
            this.prototype[what] = function (args = {}, how = {}) { return this.#ask(what, args, how, faultOf(how, "signal")).answer; };
    }

    /** Begins a search. Returns `{ best, stop, ponderHit }`, which can be iterated: it yields the lines, unless `onLines` receives them. To
     *  leave the loop ends the search. */
    analyse(args = {}, how = {}) {
        const found = [];
        let wake = () => {}, isOver = false, isRead = false;
        const call = this.#ask("go", args, how, faultOf(how, "onLines", "signal"), how?.onLines ?? (lines => {
            found.push(...lines);
            wake();
        }));
        const end = () => {
            isOver = true;
            wake();
        };
        call.answer.then(end, end);
        const stop = () => {
            this.#stop(call);
            return call.answer;
        };
        return {
            best: call.answer,
            stop,
            ponderHit: () => this.#ponderHit(call),
            async *[Symbol.asyncIterator]() {
                if (isRead) throw new LuftError("the lines of a search are read once, by one loop");
                isRead = true;
                try {
                    for (;;) {
                        while (found.length > 0) yield found.shift();
                        if (isOver) return void await call.answer; // throws why the search failed
                        await new Promise(resolve => { wake = resolve; });
                    }
                } finally {
                    stop();
                }
            },
        };
    }

    /** Searches, and returns the best move. */
    async go(args, how = {}) { return this.analyse(args, how && typeof how === "object" ? { onLines: () => {}, ...how } : how).best; }

    /** Ends all calls but the quick ones. The promise is kept when the searches have returned; what else was open fails. */
    async stop() {
        const searches = this.#stopSearches(), others = [...this.#open.values()].filter(isSlow);
        for (const call of others) this.#drop(call, new LuftError(STOPPED));
        await Promise.allSettled(searches);
    }

    /** Ends the worker; open calls fail, and so does each later one. */
    close(reason = CLOSED) {
        this.#isClosed = true;
        this.#end(new LuftError(reason));
    }

    [Symbol.dispose ?? Symbol.for("Symbol.dispose")]() { this.close(); }

    #ask(what, args, how, fault, onLines) {
        const signal = how?.signal, call = { message: { what, id: ++this.#last, args }, onLines };
        call.answer = new Promise((resolve, reject) => Object.assign(call, { resolve, reject }));
        if (fault || this.#isClosed || signal?.aborted) {
            call.reject(fault ?? (signal?.aborted ? signal.reason : new LuftError(CLOSED)));
            return call;
        }
        if (signal) {
            const abort = () => this.#drop(call, signal.reason), forget = () => signal.removeEventListener("abort", abort);
            signal.addEventListener("abort", abort);
            call.answer.then(forget, forget);
        }
        if (what !== "start" && !QUICK.includes(what)) this.#replaceSearches();
        this.#open.set(call.message.id, call);
        if (!this.#worker) void this.#start();
        else this.#advance();
        return call;
    }

    /** Sends quick calls, and the oldest of the others unless the worker is at one. A search that was stopped before is skipped. */
    #advance() {
        if (!this.#isReady) return;
        for (const call of this.#open.values()) {
            if (call.isSent || (this.#current && !QUICK.includes(call.message.what))) continue;
            if (call.isStopped) this.#skip(call);
            else if (call.message.what === "about") this.#settle(call, this.#about);
            else this.#send(call);
        }
    }

    #settle(call, result) {
        const ended = call.isSilent ? "replaced" : call.isStopped ? "stopped" : "finished";
        this.#open.delete(call.message.id);
        call.resolve(call.message.what === "go" ? { ...result, ended } : result);
    }

    #skip(call) { this.#settle(call, { best: "", ponder: "" }); }

    #send(call) {
        try {
            this.#worker.postMessage(call.message, call.message.what === "start" ? [call.message.args.network.buffer] : []);
            call.isSent = true;
        } catch (error) { // an argument that cannot be copied
            this.#open.delete(call.message.id);
            call.reject(new LuftError(error.message));
        }
    }

    #stop(call) {
        if (call.isStopped || !this.#open.has(call.message.id)) return;
        call.isStopped = true;
        if (!call.isSent) return;
        if (this.#stopped) Atomics.store(this.#stopped, 0, call.message.id);
        this.#worker.postMessage({ what: "stop" });
    }

    /** The opponent played the expected move: the clock starts, of a search that waits with its beginning. */
    #ponderHit(call) {
        const { args } = call.message;
        if (call.isSent && this.#open.has(call.message.id)) this.#worker.postMessage({ what: "ponderHit" });
        call.message.args = { ...args, limits: { ...args.limits, ponder: false } }; // also of a worker that is replaced
    }

    #stopSearches() {
        const searches = [...this.#open.values()].filter(({ message }) => message.what === "go");
        searches.forEach(call => this.#stop(call));
        return searches.map(({ answer }) => answer);
    }

    /** Stops the searches for a new call: lines of theirs that are on their way would follow it. */
    #replaceSearches() {
        for (const call of this.#open.values()) call.isSilent = true;
        this.#stopSearches();
    }

    /** The call that the worker is at, apart from quick ones. */
    get #current() { return [...this.#open.values()].find(({ isSent, message }) => isSent && !QUICK.includes(message.what)); }

    /** Fails a call. A search that has begun is stopped, and stays open until it has returned; what else has begun ends the
     *  worker. */
    #drop(call, reason) {
        call.reject(reason);
        call.isSilent = true;
        if (call.isSent && call.message.what === "go") return this.#stop(call);
        const blocks = call === this.#current;
        this.#open.delete(call.message.id);
        if (!blocks) return;
        this.#endWorker();
        if (this.#open.size > 0) void this.#start();
    }

    async #start() {
        const worker = this.#worker = startWorker(message => this.#receive(worker, message),
            reason => this.#restart(worker, reason));
        try {
            const files = await this.#files, network = await files.network();
            if (this.#worker !== worker) return;
            const start = this.#ask("start", { settings: this.#settings, module: files.module, network, stopped: this.#stopped });
            this.#send(start);
            this.#timer = setInterval(() => this.#checkAlive(), PING_EVERY);
            const about = await start.answer;
            if (this.#worker !== worker) return;
            this.#about = about;
            this.#isReady = true;
            this.#advance();
            this.#listener.started?.(about);
        } catch (error) {
            if (this.#worker === worker) this.#fail(error);
        }
    }

    #receive(worker, message) {
        if (worker !== this.#worker) return;
        this.#silence = 0;
        const call = this.#open.get(message.id);
        if (!call) return;
        if (call.message.what !== "start") this.#restarts = 0; // a worker that starts and dies again is no progress
        if (message.what === "lines") {
            if (!call.isSilent) call.onLines(message.lines);
            return;
        }
        if (message.what === "result") this.#settle(call, message.result);
        else {
            this.#open.delete(message.id);
            call.reject(message.isRefusal ? new LuftError(message.error) : new Error(message.error));
        }
        this.#advance();
    }

    /** Replaces a worker that does not answer. Pings are counted, because clocks go on while the machine sleeps. */
    #checkAlive() {
        const current = this.#current, mayBlock = current && current.message.what !== "go";
        if (this.#open.size === 0) this.#silence = 0;
        else if (this.#silence++ >= (mayBlock ? BLOCKED_MAX : SILENCE_MAX)) this.#restart(this.#worker);
        else this.#worker.postMessage({ what: "ping" });
    }

    #restart(worker, reason) {
        if (worker !== this.#worker) return;
        this.#endWorker();
        if (++this.#restarts > RESTARTS_MAX) return this.#fail(new LuftError(this.#about
            ? "the engine ended several times in a row"
            : `the worker cannot be started: ${reason || "its script, worker.mjs or what a bundler made of it, is missing or fails"}`));
        for (const [id, call] of this.#open) {
            if (call.message.what === "start") this.#open.delete(id);
            if (call.isStopped) this.#skip(call);
        }
        this.#listener.restarted?.();
        void this.#start();
    }

    #endWorker() {
        void this.#worker?.terminate();
        this.#worker = undefined;
        this.#isReady = false;
        this.#silence = 0;
        clearInterval(this.#timer);
        for (const call of this.#open.values()) call.isSent = false;
    }

    #end(error) {
        this.#endWorker();
        for (const call of this.#open.values()) call.reject(error);
        this.#open.clear();
    }

    #fail(error) {
        this.#end(error);
        this.#listener.failed?.(error.message);
    }
}
