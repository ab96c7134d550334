// What was seen of each lesson and answered in it, in this browser.

import { recall, remember } from "../state/storage";

interface Seen { steps: number[]; all: number; answers: Record<string, boolean> } // `all`: steps of the lesson; by question: right at once

const KEY = "luft-lessons";
const EMPTY: Seen = { steps: [], all: 0, answers: {} };

function load(): Record<string, Seen> {
    try {
        const found = JSON.parse(recall(KEY) ?? "{}") as Record<string, Seen>;
        const isSound = ({ steps, all, answers }: Seen) => Array.isArray(steps) && Number.isInteger(all) && typeof answers === "object" && answers !== null;
        return Object.fromEntries(Object.entries(found).filter(([, seen]) => seen && isSound(seen)));
    } catch {
        return {};
    }
}

class Progress {
    #seen: Record<string, Seen> = $state.raw(load());

    of(name: string): Seen { return this.#seen[name] ?? EMPTY; }

    #note(name: string, news: Partial<Seen>): void {
        this.#seen = { ...this.#seen, [name]: { ...this.of(name), ...news } };
        remember(KEY, JSON.stringify(this.#seen));
    }

    noteStep(name: string, step: number, all: number): void {
        const { steps } = this.of(name);
        if (!steps.includes(step) || this.of(name).all !== all) this.#note(name, { steps: [...new Set([...steps, step])].filter(at => at < all), all });
    }

    /** The first answer to a question counts. */
    noteAnswer(name: string, question: string, isRight: boolean): void {
        const { answers } = this.of(name);
        if (!(question in answers)) this.#note(name, { answers: { ...answers, [question]: isRight } });
    }

    isDone(name: string): boolean {
        const { steps, all } = this.of(name);
        return all > 0 && steps.length === all;
    }
}

export const progress = new Progress();
