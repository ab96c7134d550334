// The games of the file or the text that was opened last. A large file is only divided: a game of it is read when it is opened.
// All others are read as the programs read them, where each game ends, too. The browser keeps the list for the next visit.

import { hashOf } from "../chess/link";
import { factsOf, folded } from "../chess/names";
import { titleOfGame, writePgn } from "../chess/pgn";
import type { ReadGame } from "luft/async.mjs";
import { reasonOf } from "../engine/reason";
import { texts } from "../texts";
import { deleteList, loadGame, loadList, putList } from "./database";
import { openGame, openSaved } from "./open";
import { notify } from "./notices.svelte";
import { readText, treeOfRead, treeOfSaved } from "./reader";
import { newId } from "./saver";
import { session } from "./session.svelte";
import { forget, placeNoted, recall, remember } from "./storage";

export const MOST_MEGABYTES = 64; // of a file
const SMALL = 10_000; // bytes: no thread for so few games
const MOST_READ = 500, MOST_BYTES_READ = 1 << 20; // games and bytes of a file that is not divided: reading them takes no time
const MOST_TRIED = 20; // games, until one can be read
const OPENED = "luft-list", CLOSED = "luft-list-closed"; // keys: the game of the list that was opened last, and the list that was closed

/** A game of a list: as it was read, or where it begins and ends in the file, in bytes. */
export interface Listed { title: string; facts: string; from: ReadGame | [begin: number, end: number] }

/** A file and its games. */
export interface Divided { file: Blob; games: readonly Listed[] }
export interface List extends Divided {
    key: string;
    player: string; // who is at the bottom
    quiet?: boolean; // whoever sent the list wants the engine off
}

class Library {
    wanted = $state(""); // words of the games to list
    #list: List | undefined = $state.raw(undefined);
    #opened = $state.raw({ key: "", place: 0, id: "" }); // the game of the list that was opened last
    #words = new WeakMap<Listed, string>(); // as they are searched

    get games(): readonly Listed[] { return this.#list?.games ?? []; }

    /** The games with all wanted words. */
    matching: readonly Listed[] = $derived(folded(this.wanted).split(/\s+/).filter(word => word).reduce<readonly Listed[]>(
        (games, word) => games.filter(game => this.#wordsOf(game).includes(word)), this.games));

    #wordsOf(game: Listed): string {
        const words = this.#words.get(game) ?? folded(`${game.title} ${game.facts}`);
        this.#words.set(game, words);
        return words;
    }

    /** The place in the list of the game that is shown; -1 when it is another one. */
    get place(): number { return (void session.version, session.id === this.#opened.id) ? this.#opened.place : -1; }

    /** Whether the game that is shown comes from the list, or none of the list was opened yet. */
    get isCurrent(): boolean { return this.place >= 0 || this.#opened.key !== this.#list?.key; }

    /** Opens the first game of a text, or the one at `place`; returns how many there are. One game alone is no list: the last one
     *  stays. `player` is at the bottom. Throws, in words for the user; then all is as it was. */
    async open(from: string | Blob, player = "", { place = 0, quiet = false } = {}): Promise<number> {
        const whole = new Blob([from]), file = whole.slice(0, MOST_MEGABYTES << 20);
        if (file.size < whole.size) notify(texts.io.tooLarge(MOST_MEGABYTES, whole.size - file.size), "error");
        const divided = file.size > SMALL ? await divide(file) : { file, games: [] }, { length } = divided.games;
        const isLarge = length > MOST_READ || (length > 1 && file.size > MOST_BYTES_READ);
        const found = isLarge ? divided : { file: new Blob(), games: (await readText(file)).map(listed) }, before = this.#list;
        const list: List = { ...found, key: newId(), player: player.toLowerCase(), ...(quiet && { quiet }) };
        if (found.games.length === 1) {
            const only = found.games[0]!.from as ReadGame;
            openGame(only, viewFor(list.player, only));
            return 1;
        }
        this.#list = list;
        this.wanted = "";
        try {
            await this.#chooseFirst(place < found.games.length ? found.games.slice(place) : found.games);
        } catch (error) {
            this.#list = before;
            throw error;
        }
        void this.#keep();
        return this.games.length;
    }

    /** Brings the list of the last visit back. */
    async restore(): Promise<void> {
        const list = await loadList().catch(() => undefined);
        if (!list || this.#list) return;
        if (list.key === recall(CLOSED)) return void deleteList().catch(() => {}); // the last visit had no time to delete it
        this.#list = list;
        try {
            const opened = JSON.parse(recall(OPENED) ?? "{}");
            if (opened.key === list.key && Number.isInteger(opened.place)) this.#opened = opened;
        } catch {
            // The list alone is there.
        }
    }

    close(): void {
        const list = this.#list;
        this.#list = undefined;
        if (list) remember(CLOSED, list.key);
        void deleteList().catch(() => {});
        notify(texts.io.listClosed, "note", { label: texts.moves.undo, act: () => {
            this.#list = list;
            forget(CLOSED);
            void this.#keep();
        } });
    }

    async #keep(): Promise<void> {
        if (this.#list) await putList(this.#list).catch(() => notify(texts.io.listNotKept, "error"));
    }

    /** All games of the list as one PGN, with what was added to them here; the open one as the caller writes it. With names for
     *  the signs, also with the reports. */
    async pgn(shown: string, names?: Readonly<Record<number, string>>): Promise<string> {
        const { file, games } = this.#list!, { place } = this, parts: string[] = [];
        for (const [i, { from }] of games.entries()) {
            const read = Array.isArray(from) ? (await readText(file.slice(...from)))[0]! : from;
            const saved = i === place ? undefined : await loadGame(idOf(read)).catch(() => undefined);
            parts.push(i === place ? shown : writePgn(saved ? await treeOfSaved(saved) : treeOfRead(read).tree, names));
        }
        return parts.map(part => part.trim()).join("\n\n");
    }

    /** Opens the first game that can be read, and reports those before it. */
    async #chooseFirst(games: readonly Listed[]): Promise<void> {
        for (const [i, game] of games.slice(0, MOST_TRIED).entries()) {
            try {
                return await this.choose(game);
            } catch (error) {
                if (i === Math.min(games.length, MOST_TRIED) - 1) throw error;
                notify(reasonOf(error), "error");
            }
        }
    }

    /** Opens a game of the list; one that was opened before, with what was added to it. A part of the file in which there are
     *  several, without tags, becomes those. Throws, in words for the user. */
    async choose(game: Listed): Promise<void> {
        const list = this.#list!, { key, file, games, player } = list, { from } = game, place = games.indexOf(game);
        const found = Array.isArray(from) ? await readText(file.slice(...from)) : [from], first = found[0]!;
        if (found.length > 1) {
            this.#list = { ...list, games: games.toSpliced(place, 1, ...found.map(listed)) };
            void this.#keep();
        }
        const id = idOf(first), view = viewFor(player, first), saved = await loadGame(id).catch(() => undefined);
        if (saved) await openSaved({ ...saved, at: placeNoted(saved.id) ?? saved.at, ...view });
        else openGame(first, { id, ...view });
        if (list.quiet) session.quiet = true;
        this.#opened = { key, place, id };
        remember(OPENED, JSON.stringify(this.#opened));
    }
}

/** By which a game of a list is saved. */
const idOf = (game: ReadGame): string => `game ${hashOf(JSON.stringify(game))}`;

const listed = (game: ReadGame): Listed => ({ title: titleOfGame(game), facts: factsOf(new Map(game.tags)), from: game });

/** How a game is shown to one of its players. */
function viewFor(player: string, { tags }: ReadGame) {
    const isBlack = tags.some(([name, value]) => name === "Black" && value.toLowerCase() === player);
    return player ? { orientation: isBlack ? "black" as const : "white" as const } : {};
}

export function divide(file: Blob): Promise<Divided> {
    const worker = new Worker(new URL("./divide.worker.ts", import.meta.url), { type: "module", name: "file" });
    return new Promise<Divided>((resolve, reject) => {
        worker.onmessage = ({ data }: MessageEvent<Divided>) => resolve(data);
        worker.onerror = event => {
            event.preventDefault();
            reject(new Error(event.message));
        };
        worker.postMessage(file);
    }).finally(() => worker.terminate());
}

export const library = new Library();
