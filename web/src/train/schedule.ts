// When a position is practised again: after 1, 3 and 10 days, as long as it is solved at once each time; else from the start.

import { recall, remember } from "../state/storage";

const DAYS = [1, 3, 10];
const KEY = "luft-training";

/** How often in a row a position was solved at once, and the milliseconds since 1970 when it is due again. */
type Entry = [solved: number, due: number];

function load(): Record<string, Entry> {
    try {
        const saved: Record<string, Entry> = JSON.parse(recall(KEY) ?? "{}");
        return Object.fromEntries(Object.entries(saved).filter(([, entry]) => entry.length === 2 && entry.every(Number.isFinite)));
    } catch {
        return {};
    }
}

/** Midnight `days` days after a time. */
function midnight(time: number, days: number): number {
    const day = new Date(time);
    return new Date(day.getFullYear(), day.getMonth(), day.getDate() + days).getTime();
}

/** Whether a position is due. One that was solved at once after each of the DAYS is learned. */
export function dueAt(time: number): (key: string) => boolean {
    const entries = load();
    return key => {
        const [solved, due] = entries[key] ?? [0, 0];
        return solved <= DAYS.length && due <= time;
    };
}

/** Whether a position is not learned yet, due or not. */
export function isOpen(key: string): boolean { return (load()[key]?.[0] ?? 0) <= DAYS.length; }

/** Notes how a position went; read again each time, because another tab may practise, too. Whoever solves it before it is due
 *  has it no sooner learned. */
export function noteResult(key: string, atOnce: boolean, time: number): void {
    const entries = load();
    if (atOnce && (entries[key]?.[1] ?? 0) > time) return;
    const solved = atOnce ? (entries[key]?.[0] ?? 0) + 1 : 0;
    entries[key] = [solved, atOnce ? midnight(time, DAYS[solved - 1] ?? 0) : 0];
    remember(KEY, JSON.stringify(entries));
}

/** How many of these positions are learned, how many are not, and when the next one is due; undefined if none is waiting. */
export function outlook(keys: readonly string[]): { learned: number; waiting: number; next: number | undefined } {
    const entries = load(), known = [...new Set(keys)].map(key => entries[key] ?? [0, 0]);
    const learned = known.filter(([solved]) => solved > DAYS.length).length;
    const waiting = known.filter(([solved]) => solved > 0 && solved <= DAYS.length).map(([, due]) => due);
    return { learned, waiting: known.length - learned, next: waiting.length > 0 ? Math.min(...waiting) : undefined };
}
