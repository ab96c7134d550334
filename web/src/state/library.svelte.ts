// The games of the file or the text that was opened last. A large file is only divided: a game of it is read when it is opened.
// All others are read as the programs read them, where each game ends, too.

import { hashOf } from "../chess/link";
import { factsOf, folded } from "../chess/names";
import { titleOfGame } from "../chess/pgn";
import { reasonOf, type ReadGame } from "../engine/protocol";
import { texts } from "../texts";
import { loadGame } from "./database";
import type { Part } from "./divide.worker";
import { openGame, openSaved } from "./open";
import { notify } from "./notices.svelte";
import { readText } from "./reader";
import { session } from "./session.svelte";

const MOST_MEGABYTES = 64; // of a file
const SMALL = 10_000; // bytes: no thread for so few games
const MOST_READ = 500, MOST_BYTES_READ = 1 << 20; // games and bytes of a file that is not divided: reading them takes no time
const MOST_TRIED = 20; // games, until one can be read

export interface Listed { title: string; facts: string; words: string; from: ReadGame | Blob }

class Library {
    games: Listed[] = $state.raw([]);
    wanted = $state(""); // words of the games to list
    #opened = $state({ place: 0, id: "" }); // the game of the list that was opened last
    #player = ""; // who is at the bottom

    /** The games with all wanted words. */
    matching: readonly Listed[] = $derived(folded(this.wanted).split(/\s+/).filter(word => word).reduce<readonly Listed[]>(
        (games, word) => games.filter(({ words }) => words.includes(word)), this.games));

    /** The place in the list of the game that is shown; -1 when it is another one. */
    get place(): number { return (void session.version, session.id === this.#opened.id) ? this.#opened.place : -1; }

    /** Opens the first game of a text; returns how many there are. `player` is at the bottom.
     *  Throws, in words for the user; then all is as it was. */
    async open(from: string | Blob, player = ""): Promise<number> {
        const whole = new Blob([from]), file = whole.slice(0, MOST_MEGABYTES << 20);
        if (file.size < whole.size) notify(texts.io.tooLarge(MOST_MEGABYTES, whole.size - file.size), "error");
        const parts = file.size > SMALL ? await divided(file) : [], before = this.games;
        const isLarge = parts.length > MOST_READ || (parts.length > 1 && file.size > MOST_BYTES_READ);
        this.#player = player.toLowerCase();
        this.wanted = "";
        this.games = isLarge
            ? parts.map(({ begin, end, title, facts }) => listed(title || texts.io.unnamed, facts, file.slice(begin, end)))
            : (await readText(file)).map(listedGame);
        try {
            await this.#chooseFirst();
        } catch (error) {
            this.games = before;
            throw error;
        }
        return this.games.length;
    }

    clear(): void {
        this.games = [];
        this.#opened = { place: 0, id: "" };
    }

    /** Opens the first game that can be read, and reports those before it. */
    async #chooseFirst(): Promise<void> {
        const { games } = this;
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
        const { from } = game, found = from instanceof Blob ? await readText(from) : [from], first = found[0]!;
        const place = this.games.indexOf(game);
        if (found.length > 1) this.games = this.games.flatMap(other => (other === game ? found.map(listedGame) : [other]));
        const isBlack = first.tags.some(([name, value]) => name === "Black" && value.toLowerCase() === this.#player);
        const view = this.#player ? { orientation: isBlack ? "black" as const : "white" as const } : {};
        if (this.games.length === 1) return openGame(first, view);
        const id = `game ${hashOf(JSON.stringify(first))}`, saved = await loadGame(id).catch(() => undefined);
        if (saved) await openSaved({ ...saved, ...view });
        else openGame(first, { id, ...view });
        this.#opened = { place, id };
    }
}

const listed = (title: string, facts: string, from: Listed["from"]): Listed => ({ title, facts, words: folded(`${title} ${facts}`), from });
const listedGame = (game: ReadGame): Listed => listed(titleOfGame(game), factsOf(new Map(game.tags)), game);

function divided(file: Blob): Promise<Part[]> {
    const worker = new Worker(new URL("./divide.worker.ts", import.meta.url), { type: "module", name: "file" });
    return new Promise<Part[]>((resolve, reject) => {
        worker.onmessage = ({ data }: MessageEvent<Part[]>) => resolve(data);
        worker.onerror = event => {
            event.preventDefault();
            reject(new Error(event.message));
        };
        worker.postMessage(file);
    }).finally(() => worker.terminate());
}

export const library = new Library();
