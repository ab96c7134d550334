// Keyboard shortcuts. They act everywhere except in text fields; texts.keys lists them.

import { explaining } from "./explain.svelte";
import { route } from "./route.svelte";
import { session } from "./session.svelte";
import { settings } from "./settings.svelte";
import { shell } from "./shell.svelte";

function takesText(target: EventTarget | null): boolean {
    return target instanceof HTMLElement && /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)
        && !(target instanceof HTMLInputElement && target.type === "checkbox");
}

function askLast(): void {
    route.view = "explain";
    explaining.tab = "move";
    explaining.askLast();
}

function playBest(): void {
    const best = session.lines[0];
    if (best && !session.threat) session.play(best.line[0] ?? "");
}

const inLine = () => route.view === "explain" && explaining.tab === "move" && explaining.answer !== undefined;

const ANYWHERE: Record<string, () => void> = {
    "?": () => { shell.dialog = "keys"; },
    ",": () => { shell.dialog = "settings"; },
    a: () => { route.view = "analyse"; },
    p: () => { route.view = "play"; },
    e: () => { route.view = "explain"; },
    m: () => document.getElementById("move-input")?.focus(),
};

const IN_GAME: Record<string, () => void> = {
    ArrowLeft: () => (inLine() ? explaining.step(explaining.ply - 1) : session.back()),
    ArrowRight: () => (inLine() ? explaining.step(explaining.ply + 1) : session.forward()),
    ArrowUp: () => session.sideways(-1),
    ArrowDown: () => session.sideways(1),
    Home: () => (inLine() ? explaining.step(0) : session.first()),
    End: () => (inLine() ? explaining.step(Infinity) : session.last()),
    Delete: () => { if (session.node.parent) session.remove(session.node); },
    " ": () => { settings.engineOn = !settings.engineOn; },
    t: () => { session.threat = !session.threat; },
    n: () => session.nextMistake(),
    x: askLast,
    Enter: playBest,
    ...Object.fromEntries([1, 2, 3, 4, 5].map(count => [String(count), () => { settings.lines = count; }])),
};

export function keyDown(event: KeyboardEvent, flip: () => void): void {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    if (takesText(event.target)) {
        if (event.key === "Escape") (event.target as HTMLElement).blur();
        return;
    }
    // Space and Enter press the focused control.
    const presses = (event.key === " " || event.key === "Enter") && event.target instanceof Element
        && event.target.matches("button, summary, a[href], input");
    if (presses) return;
    const act = event.key === "f" ? flip : ANYWHERE[event.key] ?? (route.view === "play" ? undefined : IN_GAME[event.key]);
    if (!act) return;
    event.preventDefault();
    act();
}
