// A lesson as the engine writes it: docs/learn.md describes the JSON.

import type { Move, Score } from "luft/async.mjs";
import { words } from "./words";

export interface LessonSearch {
    name: string; fen: string; depth: number; changes: string; nodes: number; best: Move; score: Score; since: number; acted?: number;
}
export interface Operand { name: string; value: number; unit: string }
export interface Example {
    name: string; fen: string; line: string; technique: string; effect: string; words: string; depth: number; alpha: number; beta: number;
    legal: number; skipped: number; moves: Move[]; operands: Operand[];
}
export interface Knob { name: string; value: number; low: number; high: number }
export interface Item { kind: string; text: string; fen?: string; holds?: boolean; sides?: string }
export interface Lesson {
    title: string; source: string; technique: string | null; searches: LessonSearch[]; examples: Example[]; numbers: Knob[]; items: Item[];
}

/** The items from one `@step` to the next. */
export interface Step { kind: string; heading: string; items: Item[] }

export function stepsOf(lesson: Lesson): Step[] {
    const steps: Step[] = [];
    for (const item of lesson.items) {
        const [kind = "", ...heading] = item.text.split(" ");
        if (item.kind === "step") steps.push({ kind, heading: heading.join(" "), items: [] });
        else steps.at(-1)?.items.push(item);
    }
    return steps;
}

/** The searches that a table compares. */
export const searchesOf = (lesson: Lesson, table: string): LessonSearch[] =>
    table.split(/\s+/).flatMap(name => lesson.searches.find(search => search.name === name) ?? []);

const PLAIN = ["with", "off", "low", "high", "blind", "sees", "new", "new_off"]; // names that say no more than the changes

/** Changes that get a row of their own below the search. */
export const isLong = ({ changes }: LessonSearch): boolean => changes.split(/\s+/).length > 3;

/** What a row of a table searches, in words: its changes, and where they do not say enough, what the lesson calls it. */
export function rowName({ name, fen, changes }: LessonSearch, rows: readonly LessonSearch[]): string {
    const own = PLAIN.includes(name) ? "" : name.replaceAll("_", " ");
    if (rows.some(isLong)) return own || words.changed(changes);
    const what = changes ? words.changed(changes) : words.asItIs, where = fen === rows[0]?.fen ? "" : ` (${words.elsewhere})`;
    return (own ? `${own}: ${what}` : what) + where;
}

/** The number that the step turns: the one that its searches change. */
export function knobOf(lesson: Lesson, step: Step): { knob: Knob; search: LessonSearch; others: string } | undefined {
    const searches = step.items.filter(item => item.kind === "table").flatMap(item => searchesOf(lesson, item.text));
    const search = searches.find(({ changes }) => changes.includes("=")), [change, name] = /(\w+)=-?\d+/.exec(search?.changes ?? "") ?? [];
    const knob = lesson.numbers.find(number => number.name === name);
    return search && change && knob ? { knob, search, others: search.changes.replace(change, "").trim() } : undefined;
}

/** The options of a question: the lesson has the right one first. Shown are numbers by their size, else the order of a hash. */
export function optionsOf(text: string): { right: string; shown: string[] } {
    const options = [...new Set(text.split(" | ").map(option => option.trim()))], [right = ""] = options;
    const numbers = options.map(option => Number.parseFloat(option.replace(/^\D*?(?=-?\d)/, "")));
    const key = (option: string) => [...option + text].reduce((hash, letter) => (hash * 31 + letter.charCodeAt(0)) % 65_521, 7);
    const isCounted = numbers.every(number => Number.isFinite(number)) && new Set(numbers).size === numbers.length;
    const value = (option: string) => (isCounted ? numbers[options.indexOf(option)]! : key(option));
    return { right, shown: options.toSorted((a, b) => value(a) - value(b)) };
}

/** Values for the names that stand in a line of code. */
export function valuesIn(line: string, lesson: Lesson): { name: string; value: number }[] {
    const code = line.replace(/\/\*.*?(\*\/|$)|^\s\*.*/g, ""), found = new Map<string, number>();
    for (const [, name] of code.matchAll(/params\.(\w+)/g)) {
        const known = lesson.numbers.find(number => number.name === name);
        if (known) found.set(known.name, known.value);
    }
    const operands = lesson.examples[0]?.operands ?? [];
    for (const { name, value, unit } of operands)
        if (unit !== "MOVE" && new RegExp(`(?<![\\w.])${name}(?!\\w)`).test(code.replaceAll(/\w+\.\w+/g, ""))) found.set(name, value);
    return [...found].map(([name, value]) => ({ name, value }));
}
