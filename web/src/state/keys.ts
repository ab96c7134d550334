// Keyboard shortcuts. They act everywhere except in text fields; texts.keys lists them.

import { tick } from "svelte";
import { game } from "../play/game.svelte";
import { focusPlace, leaveField } from "../ui/focus";
import { explaining } from "./explain.svelte";
import { route, type View } from "./route.svelte";
import { session } from "./session.svelte";
import { settings } from "./settings.svelte";
import { shell } from "./shell.svelte";

function takesText(target: EventTarget | null): boolean {
    return target instanceof HTMLElement && /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)
        && !(target instanceof HTMLInputElement && target.type === "checkbox");
}

/** Shows why the last move is worse: next to the game, or in Explain. */
export function askLast(): void {
    if (route.view !== "explain") route.view = "analyse";
    explaining.tab = "move";
    explaining.askLast(route.view === "analyse");
}

/** Leads to another mistake; where the answer to "Why?" stands next to the game, the next answer follows it. */
export function toMistake(step: 1 | -1 = 1): void {
    const { node } = session, { isBeside } = explaining;
    session.nextMistake(step);
    if (isBeside && session.node !== node) askLast();
}

function playBest(): void {
    const best = session.lines[0];
    if (best && !session.threat) session.play(best.line[0] ?? "");
}

/** Shows a view; the next Tab leads to its first control. */
function show(view: View): void {
    route.view = view;
    void tick().then(() => focusPlace(document.querySelector<HTMLElement>("main > .side")!));
}

const inLine = () => explaining.answer !== undefined && (route.view === "explain" ? explaining.tab === "move" : explaining.isBeside);

const ANYWHERE: Record<string, () => void> = {
    "?": () => { shell.dialog = "keys"; },
    ",": () => { shell.dialog = "settings"; },
    a: () => show("analyse"),
    p: () => show("play"),
    e: () => show("explain"),
    l: () => show("train"),
    o: () => show("learn"),
    m: () => {
        if (route.view === "train" && shell.trainer?.phase === "done") shell.trainer.sayDone();
        else document.getElementById("move-input")?.focus();
    },
    u: () => { if (route.view !== "play" || game.phase === "setup") shell.dialog = "editor"; },
};

const IN_GAME: Record<string, () => void> = {
    ArrowLeft: () => (inLine() ? explaining.step(explaining.ply - 1) : session.back()),
    ArrowRight: () => (inLine() ? explaining.step(explaining.ply + 1) : session.forward()),
    ArrowUp: () => session.sideways(-1),
    ArrowDown: () => session.sideways(1),
    Home: () => (inLine() ? explaining.step(0) : session.first()),
    End: () => (inLine() ? explaining.step(Infinity) : session.last()),
    Escape: () => { if (route.view === "analyse" && explaining.isBeside) explaining.close(); },
    Delete: () => { if (session.node.parent && session.node.isAttached) session.remove(session.node); },
    " ": () => { session.engineOn = !session.engineOn; },
    t: () => { session.threat = !session.threat; },
    n: () => toMistake(),
    x: askLast,
    s: () => session.say(),
    Enter: playBest,
    ...Object.fromEntries([1, 2, 3, 4, 5].map(count => [String(count), () => { settings.lines = count; }])),
};

const IN_PLAY: Record<string, () => void> = {
    ArrowLeft: () => game.back(),
    ArrowRight: () => game.forward(),
    Home: () => game.first(),
    End: () => game.last(),
    s: () => game.say(),
};

const IN_TRAINING: Record<string, () => void> = {
    ArrowLeft: () => shell.trainer?.walk("back"),
    ArrowRight: () => shell.trainer?.walk("forward"),
    Home: () => shell.trainer?.walk("first"),
    End: () => shell.trainer?.walk("last"),
    h: () => void shell.trainer?.hint(),
    s: () => (document.activeElement?.closest(".board") ? shell.trainer?.say() : shell.trainer?.solve()), // on the board it only says
    n: () => shell.trainer?.goOn(),
};

const IN_LESSONS: Record<string, () => void> = {
    ArrowLeft: () => shell.learner?.walk("back"),
    ArrowRight: () => shell.learner?.walk("forward"),
    Home: () => shell.learner?.walk("first"),
    End: () => shell.learner?.walk("last"),
};

const KEYS = { analyse: IN_GAME, explain: IN_GAME, play: IN_PLAY, train: IN_TRAINING, learn: IN_LESSONS };

/** Ctrl+Z, and Ctrl+Shift+Z or Ctrl+Y. */
function undoes(event: KeyboardEvent): (() => void) | undefined {
    const key = event.key.toLowerCase();
    if (!(event.ctrlKey || event.metaKey) || event.altKey || KEYS[route.view] !== IN_GAME) return undefined;
    if (key === "z") return event.shiftKey ? () => session.redo() : () => session.undo();
    return key === "y" ? () => session.redo() : undefined;
}

export function keyDown(event: KeyboardEvent, flip: () => void, toBoard: () => void): void {
    const undo = takesText(event.target) || document.querySelector("dialog[open]") ? undefined : undoes(event);
    if (undo) {
        event.preventDefault();
        return undo();
    }
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    if (takesText(event.target)) {
        if (event.key === "Escape") leaveField(event.target as HTMLElement);
        return;
    }
    // Space and Enter press the focused control.
    const presses = (event.key === " " || event.key === "Enter") && event.target instanceof Element
        && event.target.matches("button, summary, a[href], input");
    if (presses) return;
    if (!settings.letters && event.key.length === 1) return;
    const act = event.key === "f" ? flip : event.key === "b" ? toBoard : ANYWHERE[event.key] ?? KEYS[route.view][event.key];
    if (!act) return;
    event.preventDefault();
    act();
}
