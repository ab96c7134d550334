// A lesson as the engine writes it: docs/learn.md describes the JSON.

import type { Move, Score } from "luft/async.mjs";

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

/** The number that the step turns: the one that its searches change. */
export function knobOf(lesson: Lesson, step: Step): { knob: Knob; search: LessonSearch; others: string } | undefined {
    const searches = step.items.filter(item => item.kind === "table").flatMap(item => searchesOf(lesson, item.text));
    const search = searches.find(({ changes }) => changes.includes("=")), [change, name] = /(\w+)=-?\d+/.exec(search?.changes ?? "") ?? [];
    const knob = lesson.numbers.find(number => number.name === name);
    return search && change && knob ? { knob, search, others: search.changes.replace(change, "").trim() } : undefined;
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
