// The page's side of an engine: calls as promises, and searches that can be stopped. When a worker dies or stops
// answering, a new one takes its place and repeats the calls that are still open.

import type { EngineFiles } from "./files";
import { BLOCKING, reasonOf, type Best, type CallName, type Calls, type FromWorker, type Info, type SearchArguments,
         type Started, type ToWorker } from "./protocol";

const PING_EVERY = 1500, SILENCE_MAX = 5000, BLOCKING_MAX = 180_000; // milliseconds
const RESTARTS_MAX = 3; // in a row, without an answer between them

export interface Search {
    stop(): void;
    done: Promise<Best>;
}

export interface EngineListener {
    started?(started: Started): void;
    restarted?(): void;
    failed?(reason: string): void;
}

interface Pending {
    message: Extract<ToWorker, { args: unknown }>;
    resolve(result: never): void;
    reject(error: Error): void;
    onLines?: (lines: Info[]) => void;
    since: number;
    stopped?: boolean;
}

export class EngineClient {
    #worker: Worker | null = null;
    #takesCalls = false; // "start" has been sent; until then calls wait
    #pending = new Map<number, Pending>();
    #lastId = 0;
    #pingSent = 0; // time of the unanswered ping; 0: none
    #restarts = 0;
    #aliveTimer: ReturnType<typeof setInterval> | undefined;

    constructor(
        private files: Promise<EngineFiles>,
        private options: { language: string; hash: number; suspend?: boolean | undefined },
        private listener: EngineListener = {},
    ) {}

    /** Starts the worker before the first call. */
    warmUp(): void {
        if (!this.#worker) void this.#start();
    }

    /** Calls the engine; starts the worker if there is none. */
    call<Name extends CallName>(what: Name, args: Calls[Name][0]): Promise<Calls[Name][1]> {
        return this.#ask(what, args).answer;
    }

    search(args: SearchArguments, onLines: (lines: Info[]) => void): Search {
        const { id, answer } = this.#ask("search", args, onLines);
        const stop = () => {
            const pending = this.#pending.get(id);
            if (!pending || pending.stopped) return;
            pending.stopped = true;
            this.#worker?.postMessage({ what: "stop", id } satisfies ToWorker);
        };
        return { stop, done: answer };
    }

    /** Ends the worker; open calls fail with `reason`. */
    close(reason = "closed"): void {
        this.#end();
        this.#rejectAll(new Error(reason));
    }

    set hash(megabytes: number) { this.options.hash = megabytes; }

    #ask<Name extends CallName>(what: Name, args: Calls[Name][0], onLines?: (lines: Info[]) => void) {
        const id = ++this.#lastId;
        const message = { what, id, args } as Pending["message"];
        const answer = new Promise<Calls[Name][1]>((resolve, reject) => {
            const pending: Pending = { message, resolve, reject, since: performance.now() };
            if (onLines) pending.onLines = onLines;
            this.#pending.set(id, pending);
        });
        if (this.#takesCalls) this.#post(message);
        else if (!this.#worker) void this.#start();
        return { id, answer };
    }

    #post(message: ToWorker): void {
        this.#worker?.postMessage(message, message.what === "start" ? [message.args.network.buffer] : []);
    }

    async #start(): Promise<void> {
        const worker = this.#worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module", name: "luft" });
        worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.#receive(data);
        worker.onerror = event => {
            event.preventDefault();
            this.#restart();
        };
        let files: EngineFiles, network: Uint8Array<ArrayBuffer>;
        try {
            files = await this.files;
            network = await files.network();
        } catch (error) {
            return this.#fail(reasonOf(error));
        }
        if (this.#worker !== worker) return;
        const waiting = [...this.#pending.values()];
        const args: Calls["start"][0] = { module: files.module, network, language: this.options.language, hash: this.options.hash };
        if (this.options.suspend !== undefined) args.suspend = this.options.suspend;
        this.#takesCalls = true;
        const { answer } = this.#ask("start", args);
        for (const { message } of waiting) if (message.what !== "start") this.#post(message);
        this.#aliveTimer = setInterval(() => this.#checkAlive(), PING_EVERY);
        try {
            const started = await answer; // awaited here: `?.` skips its argument when there is no listener
            this.listener.started?.(started);
        } catch (error) {
            this.#fail(reasonOf(error));
        }
    }

    #receive(message: FromWorker): void {
        this.#pingSent = 0;
        this.#restarts = 0;
        if (message.what === "pong") return;
        const pending = this.#pending.get(message.id);
        if (!pending) return;
        if (message.what === "lines") {
            if (!pending.stopped) pending.onLines?.(message.lines);
            return;
        }
        this.#pending.delete(message.id);
        if (message.what === "result") pending.resolve(message.result as never);
        else pending.reject(new Error(message.error));
    }

    /** Restarts a worker that does not answer pings. During blocking calls it cannot answer, so their duration is checked. */
    #checkAlive(): void {
        if (this.#pending.size === 0) {
            this.#pingSent = 0;
            return;
        }
        const now = performance.now();
        const blocking = [...this.#pending.values()].find(({ message }) => BLOCKING.includes(message.what));
        const overdue = blocking ? now - blocking.since > BLOCKING_MAX : this.#pingSent > 0 && now - this.#pingSent > SILENCE_MAX;
        if (overdue) return this.#restart();
        if (this.#pingSent === 0) {
            this.#pingSent = now;
            this.#post({ what: "ping" });
        }
    }

    #restart(): void {
        this.#end();
        if (++this.#restarts > RESTARTS_MAX) return this.#fail("the engine ended several times in a row");
        for (const [id, pending] of this.#pending) {
            pending.since = performance.now();
            if (pending.message.what === "start") this.#pending.delete(id);
            if (!pending.stopped) continue;
            this.#pending.delete(id);
            pending.resolve({ best: "", ponder: "" } as never);
        }
        this.listener.restarted?.();
        void this.#start();
    }

    #end(): void {
        this.#worker?.terminate();
        this.#worker = null;
        this.#takesCalls = false;
        this.#pingSent = 0;
        clearInterval(this.#aliveTimer);
    }

    #fail(reason: string): void {
        this.close(reason);
        this.listener.failed?.(reason);
    }

    #rejectAll(error: Error): void {
        for (const pending of this.#pending.values()) pending.reject(error);
        this.#pending.clear();
    }
}
