// Short messages at the edge of the page, and announcements for screen readers.

import { movesInWords } from "../chess/speech";
import { texts } from "../texts";
import { settings } from "./settings.svelte";

export interface Notice {
    id: number;
    text: string;
    kind: "note" | "error";
    action?: { label: string; act: () => void; stays?: boolean };
}

const SHOWN_FOR = 5000, SHOWN_WITH_BUTTON = 12_000; // milliseconds; errors stay
const MOST = 4; // more would cover the page

export const notices: Notice[] = $state([]);
const ofGame: string[] = [];
let last = 0;

export function notify(text: string, kind: Notice["kind"] = "note", action?: Notice["action"]): void {
    if (!action && notices.some(notice => notice.text === text)) return;
    retract(text);
    const notice: Notice = { id: ++last, text, kind, ...(action && { action }) };
    notices.push(notice);
    if (notices.length > MOST) dismiss(notices.find(({ action }) => !action)?.id ?? notice.id);
    if (kind === "note" && !action?.stays) setTimeout(() => dismiss(notice.id), action ? SHOWN_WITH_BUTTON : SHOWN_FOR);
}

/** An error of the game that is open: it goes when another one is opened. */
export function notifyOfGame(text: string): void {
    notify(text, "error");
    ofGame.push(text);
}

export function retractOfGame(): void { ofGame.splice(0).forEach(retract); }

export function dismiss(id: number): void {
    const place = notices.findIndex(notice => notice.id === id);
    if (place >= 0) notices.splice(place, 1);
}

/** Removes a message that no longer holds. */
export function retract(text: string): void {
    const known = notices.find(notice => notice.text === text);
    if (known) dismiss(known.id);
}

export const spoken = $state({ text: "", value: "" });

const FRESH = 1000, JOINED = 150, EMPTY = 60; // milliseconds
const pending: Record<keyof typeof spoken, string> = { text: "", value: "" };
let saidAt = 0;
let isOfStep = false; // what was said last belongs to what the user did last

for (const kind of ["keydown", "pointerdown", "click"]) addEventListener(kind, () => (isOfStep = false), { capture: true });

/** A text as it is said. */
export const aloud = (text: string): string => (settings.moveWords ? movesInWords(text, texts.speech) : text);

/** Writes into a region. Screen readers read changes: the same text again is written after the region was empty for a moment. */
function write(where: keyof typeof spoken, text: string): void {
    const said = aloud(text), isSame = text !== "" && spoken[where] === said;
    pending[where] = text;
    spoken[where] = isSame ? "" : said;
    if (isSame) setTimeout(() => { if (spoken[where] === "") spoken[where] = aloud(pending[where]); }, EMPTY);
    saidAt = performance.now();
}

/** Two sentences as one text; one that goes on with the other's words replaces it. */
function join(first: string, second: string): string {
    if (!first || second.startsWith(first)) return second;
    return `${first}${/[.!?…:]$/.test(first) ? "" : "."} ${second}`;
}

/** Lets a screen reader read a text: every move, every result. What follows at once, without a key or a press between, is
 *  joined to what was said: nobody would hear a sentence that stood there for some milliseconds. */
export function announce(text: string): void {
    const isNext = isOfStep && performance.now() - saidAt < JOINED;
    isOfStep = true;
    if (!(isNext && text === pending.text)) write("text", isNext ? join(pending.text, text) : text);
    write("value", "");
}

/** Another view or a dialog is there: what was said of the one before does not hold in it. What was said just now is of this step. */
export function forgetSpoken(): void {
    if (performance.now() - saidAt <= FRESH) return;
    write("text", "");
    write("value", "");
}

/** The same for the evaluation of the position, which comes later and does not replace what is being read. */
export function announceValue(text: string): void { write("value", text); }
