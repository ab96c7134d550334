// Keeps an open game saved: soon after each change, and when the page closes. Each save names the revision that it knows; where
// another tab has saved a newer one, both are joined.

import { deleteGame, putGame, type SavedGame } from "./database";
import { notify } from "./notices.svelte";
import { forget, recallAll, remember } from "./storage";
import { texts } from "../texts";

const DELAY = 1000; // milliseconds after the last change
const LEFT = "luft-left"; // keys of games that a page had no time to save when it closed

/** crypto.randomUUID exists only on HTTPS. */
export const newId = (): string =>
    Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, "0")).join("");

const thisTab = newId();
const channel = "BroadcastChannel" in globalThis ? new BroadcastChannel("luft-games") : undefined;
const busy = new Set<Saver>(); // with changes that the database does not have
let isFailureShown = false;

/** Calls `listener` when another tab has saved a game. */
export function whenSavedElsewhere(listener: (id: string) => void): void {
    channel?.addEventListener("message", ({ data }: MessageEvent<{ id: string }>) => listener(data.id));
}

/** Joins a game with the state in the database, and returns what is to be saved. */
export type Join = (mine: SavedGame, stored: SavedGame) => Promise<SavedGame>;

/** Saves a game whose last known revision is `base`; returns its new revision. Where the states cannot be joined, both stay. */
async function put(game: SavedGame, base: number, join: Join): Promise<number> {
    const stored = await putGame(game, base);
    if (!stored) return base + 1;
    try {
        return await put(await join(game, stored), stored.revision ?? 0, join);
    } catch {
        await putGame({ ...game, id: newId() }, 0);
        return stored.revision ?? 0;
    }
}

export class Saver {
    #timer: ReturnType<typeof setTimeout> | undefined;
    #isUnsaved = false; // there are changes that save() has not seen
    #saving: SavedGame | undefined; // what save() is writing to the database
    #turn: Promise<unknown> = Promise.resolve();

    /** `snapshot` returns the game as it is now, undefined if there is nothing to save. `revision` is that of the database. */
    constructor(readonly id: string, public revision: number, private snapshot: () => SavedGame | undefined, private join: Join) {}

    get isBusy(): boolean { return this.#isUnsaved || this.#saving !== undefined; }

    changed(delay = DELAY): void {
        busy.add(this);
        this.#isUnsaved = true;
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => void this.save(), delay);
    }

    /** False if the game could not be saved. */
    save(): Promise<boolean> {
        clearTimeout(this.#timer);
        const game = this.snapshot();
        this.#isUnsaved = false;
        if (!game) {
            busy.delete(this);
            return Promise.resolve(true);
        }
        busy.add(this);
        this.#saving = game;
        const saved = this.#turn.then(() => this.#put(game));
        this.#turn = saved;
        return saved;
    }

    /** An open game that was deleted stays deleted until it changes. */
    saveChanges(): Promise<boolean> { return this.isBusy ? this.save() : Promise.resolve(true); }

    async #put(game: SavedGame): Promise<boolean> {
        try {
            this.revision = await put(game, this.revision, this.join);
            if (this.#saving === game) {
                this.#saving = undefined;
                if (!this.#isUnsaved) busy.delete(this);
                this.stays();
            }
            channel?.postMessage({ id: this.id });
            return true;
        } catch {
            // What could not be saved stays in #saving, for the next try and for leave(). The page works without storage, but the user may rely on it.
            if (!isFailureShown) notify(texts.io.notKept, "error");
            isFailureShown = true;
            return false;
        }
    }

    /** False if localStorage refuses what the database does not have yet. */
    leave(): boolean {
        const game = this.#isUnsaved ? this.snapshot() : this.#saving;
        return !game || remember(this.#leftKey, JSON.stringify({ game, base: this.revision }));
    }

    stays(): void { forget(this.#leftKey); }

    get #leftKey(): string { return `${LEFT} ${this.id} ${thisTab}`; }
}

/** Called when the page closes. The database is too slow then, so unsaved changes go to localStorage for the next visit. False
 *  if that is not possible. */
export const leaveAll = (): boolean => [...busy].map(saver => saver.leave()).every(isKept => isKept);

/** Called when the page comes back from the browser's cache: what was left is still here. */
export function comeBack(): void {
    for (const saver of busy) saver.stays();
}

/** Saves what earlier visits left in localStorage. */
export async function saveLeftovers(join: Join): Promise<void> {
    for (const [key, text] of recallAll(LEFT)) {
        try {
            const left = JSON.parse(text), game: SavedGame = left.game ?? left; // earlier versions kept no revision
            await put(game, left.base ?? 0, join);
            forget(key);
        } catch {
            // It stays there for the next visit.
        }
    }
}

/** Deletes a game, also from localStorage, where the next visit would restore it. */
export async function deleteSaved(id: string): Promise<void> {
    for (const [key, text] of recallAll(LEFT)) if (text.includes(`"${id}"`)) forget(key);
    await deleteGame(id);
}
