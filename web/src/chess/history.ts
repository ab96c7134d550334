// Undo and redo. Every change of a game is an assignment that goes through `set`; one step of the user is all assignments
// inside one `change`.

interface Edit { target: object; key: PropertyKey; before: unknown; after: unknown }
interface Step<Place> { edits: Edit[]; from: Place; to: Place }

const MOST_STEPS = 500;

export class History<Place> {
    #done: Step<Place>[] = [];
    #undone: Step<Place>[] = [];
    #open: Edit[] | undefined;

    get canUndo(): boolean { return this.#done.length > 0; }
    get canRedo(): boolean { return this.#undone.length > 0; }

    /** Assigns a value, which nobody may modify later: a changed list is another list. */
    set<Target extends object, Key extends keyof Target>(target: Target, key: Key, value: Target[Key]): void {
        this.#open?.push({ target, key, before: target[key], after: value });
        target[key] = value;
    }

    /** One step: `act` returns the place where the user is after it, who was at `from`. False if nothing was assigned. */
    change(from: Place, act: () => Place): boolean {
        if (this.#open) throw new Error("a step inside a step");
        const edits: Edit[] = this.#open = [];
        let to = from;
        try {
            to = act();
        } finally {
            this.#open = undefined;
            if (edits.length > 0) this.#add({ edits, from, to });
        }
        return edits.length > 0;
    }

    /** Text that is typed letter by letter is one step. */
    #add(step: Step<Place>): void {
        const [edit] = step.edits, last = this.#done.at(-1), [known] = last?.edits ?? [];
        const goesOn = typeof edit!.after === "string" && step.edits.length === 1 && last?.edits.length === 1
            && this.#undone.length === 0 && known!.target === edit!.target && known!.key === edit!.key;
        if (goesOn) known!.after = edit!.after;
        else this.#done.push(step);
        if (this.#done.length > MOST_STEPS) this.#done.shift();
        this.#undone = [];
    }

    /** Takes the last step back; returns where the user was before it. */
    undo(): Place | undefined {
        const step = this.#done.pop();
        if (!step) return undefined;
        for (const { target, key, before } of step.edits.toReversed()) Reflect.set(target, key, before);
        this.#undone.push(step);
        return step.from;
    }

    /** Makes the step again that was undone last; returns where the user was after it. */
    redo(): Place | undefined {
        const step = this.#undone.pop();
        if (!step) return undefined;
        for (const { target, key, after } of step.edits) Reflect.set(target, key, after);
        this.#done.push(step);
        return step.to;
    }
}
