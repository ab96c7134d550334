// The page's side of the worker of lessons. Its module is loaded when the first lesson is opened.

import plainUrl from "@engine/lessons-plain.wasm?url";
import simdUrl from "@engine/lessons.wasm?url";
import type { EngineFiles } from "luft/async.mjs";
import { loadEngineFiles } from "../engine/files";
import type { LearnAnswer, LearnCall, LearnCalls } from "./protocol";

export const ENDED = "ended";

let files: Promise<EngineFiles> | undefined;

export class LearnClient {
    #worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module", name: "luft lessons" });
    #open = new Map<number, { resolve(result: never): void; reject(error: Error): void }>();
    #last = 0;
    #started: Promise<unknown>;

    constructor() {
        this.#worker.onmessage = ({ data: { id, result, error } }: MessageEvent<LearnAnswer>) => {
            const call = this.#open.get(id);
            this.#open.delete(id);
            if (error === undefined) call?.resolve(result as never);
            else call?.reject(new Error(error));
        };
        this.#worker.onerror = event => {
            event.preventDefault();
            this.end(event.message || "the worker failed");
        };
        this.#started = this.#start();
        this.#started.catch(() => {}); // each call fails with it
    }

    async #start(): Promise<void> {
        files ??= loadEngineFiles(!location.search.includes("simd=no"), [simdUrl, plainUrl]);
        files.catch(() => { files = undefined; }); // tried again next time
        const { module, network } = await files, bytes = await network();
        await this.#post("start", { module, network: bytes }, [bytes.buffer]);
    }

    #post<Name extends keyof LearnCalls>(what: Name, args: LearnCalls[Name][0], transfer: Transferable[] = []): Promise<LearnCalls[Name][1]> {
        const id = ++this.#last;
        return new Promise((resolve, reject) => {
            this.#open.set(id, { resolve, reject });
            this.#worker.postMessage({ id, what, args } as LearnCall, transfer);
        });
    }

    async call<Name extends keyof LearnCalls>(what: Name, args: LearnCalls[Name][0]): Promise<LearnCalls[Name][1]> {
        await this.#started;
        return this.#post(what, args);
    }

    /** Ends the worker; open calls fail. */
    end(reason = ENDED): void {
        this.#worker.terminate();
        for (const call of this.#open.values()) call.reject(new Error(reason));
        this.#open.clear();
    }
}
