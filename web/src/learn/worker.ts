// Runs lessons and matches. Every call blocks this thread, which nothing else uses.

import { Luft, type Engine } from "luft/luft.mjs";
import { reasonOf } from "../engine/reason";
import type { LearnAnswer, LearnCall, LearnCalls } from "./protocol";

let luft: Luft;
let engine: Engine;
let lessons = 0; // the address of the struct Lessons

function refuse(reason: string | null): void {
    if (reason !== null) throw new Error(reason);
}

/** Calls a function that stores a JSON text through its last argument. */
function ask<Result>(name: string, ...values: (string | number)[]): Result {
    const at = luft.allocate(4);
    try {
        refuse(luft.text(luft.call(name, lessons, ...values, at)));
        return JSON.parse(luft.text(luft.view().getUint32(at, true))!) as Result;
    } finally {
        luft.release(at);
    }
}

const calls: { [Name in keyof LearnCalls]: (args: LearnCalls[Name][0]) => LearnCalls[Name][1] | Promise<LearnCalls[Name][1]> } = {
    start: async ({ module, network }) => {
        luft = await Luft.load(module, network, { suspend: false });
        engine = luft.engine({ UCI_Chess960: true, Hash: 1 });
        lessons = luft.call("luft_lessons_create");
        if (!lessons) throw new Error("not enough memory");
        return null;
    },
    lesson: ({ text }) => ask("luft_lessons_read", text),
    tree: ({ fen, depth, changes, rows }) => {
        engine.setPosition(fen);
        return engine.tree(depth, changes, rows) as LearnCalls["tree"][1];
    },
    without: ({ fen, changes, nodes, depth }) => {
        engine.setPosition(fen);
        return engine.without(changes, { nodes, depth }) as LearnCalls["without"][1];
    },
    techniques: async () => luft.techniques,
    beginMatch: ({ technique, nodes }) => {
        refuse(luft.text(luft.call("luft_lessons_begin_match", lessons, technique, nodes)));
        return null;
    },
    playPair: ({ opening }) => ask("luft_lessons_play_pair", opening),
};

let queue: Promise<void> = Promise.resolve();

addEventListener("message", ({ data: { id, what, args } }: MessageEvent<LearnCall>) => {
    queue = queue.then(async () => {
        const answer: LearnAnswer = { id };
        try {
            answer.result = await (calls[what] as (args: unknown) => unknown)(args);
        } catch (error) {
            answer.error = reasonOf(error);
        }
        postMessage(answer);
    });
});
