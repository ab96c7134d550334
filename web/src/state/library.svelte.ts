// The games of the file or the text that was opened last. A large file is only divided: a game of it is read when it is opened.
// All others are read as the programs read them, where each game ends, too.

import { divide, tagsOf } from "../chess/divide";
import { nameOf, titleOfGame } from "../chess/pgn";
import { reasonOf, type ReadGame } from "../engine/protocol";
import { texts } from "../texts";
import { openGame } from "./open";
import { notify } from "./notices.svelte";
import { readText } from "./reader";

const MOST_MEGABYTES = 64; // of a file
const MOST_READ = 500, MOST_BYTES_READ = 1 << 20; // games and bytes of a file that is not divided: reading them takes no time
const MOST_TRIED = 20; // games, until one can be read
const HEAD = 2000; // bytes of a game in which its tags are looked for

export interface Listed { title: string; facts: string; from: ReadGame | Blob }

/** The parts of a file that are shown in a list: event, date, result. */
const factsOf = (tags: ReadonlyMap<string, string>): string =>
    ["Event", "Date", "Result"].map(name => tags.get(name)?.replaceAll(".??", "") ?? "").filter(text => !/^[?*]*$/.test(text)).join(" · ");

class Library {
    games: Listed[] = $state.raw([]);
    #player = ""; // who is at the bottom

    /** Opens the first game of a text; returns how many there are. `player` is at the bottom.
     *  Throws, in words for the user; then all is as it was. */
    async open(from: string | Blob, player = ""): Promise<number> {
        const whole = new Blob([from]), file = whole.slice(0, MOST_MEGABYTES << 20);
        if (file.size < whole.size) notify(texts.io.tooLarge(MOST_MEGABYTES), "error");
        const parts = divided(new Uint8Array(await file.arrayBuffer())), before = this.games;
        this.#player = player.toLowerCase();
        this.games = parts.length > 1
            ? parts.map(([[begin, end], tags]) => ({ title: nameOf(tags) || texts.io.unnamed, facts: factsOf(tags), from: file.slice(begin, end) }))
            : (await readText(file)).map(listed);
        try {
            await this.#chooseFirst();
        } catch (error) {
            this.games = before;
            throw error;
        }
        return this.games.length;
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

    /** Opens a game of the list. A part of the file in which there are several, without tags, becomes those. Throws, in words
     *  for the user. */
    async choose(game: Listed): Promise<void> {
        const found = game.from instanceof Blob ? await readText(game.from) : [game.from];
        if (found.length > 1) this.games = this.games.flatMap(other => (other === game ? found.map(listed) : [other]));
        const isBlack = found[0]!.tags.some(([name, value]) => name === "Black" && value.toLowerCase() === this.#player);
        openGame(found[0]!, this.#player ? { orientation: isBlack ? "black" : "white" } : {});
    }
}

const listed = (game: ReadGame): Listed => ({ title: titleOfGame(game), facts: factsOf(new Map(game.tags)), from: game });

/** The games of a large file with their tags; none of another, or where the encoding is not one of single bytes. */
function divided(bytes: Uint8Array): [[number, number], Map<string, string>][] {
    if (bytes.subarray(0, HEAD).includes(0)) return []; // UTF-16
    const ranges = divide(bytes);
    if (ranges.length < 2 || (ranges.length <= MOST_READ && bytes.length <= MOST_BYTES_READ)) return [];
    return ranges.map(range => [range, tagsOf(decoded(bytes.subarray(range[0], Math.min(range[1], range[0] + HEAD))))]);
}

function decoded(bytes: Uint8Array): string {
    const text = new TextDecoder().decode(bytes);
    return text.slice(0, -1).includes("\ufffd") ? new TextDecoder("windows-1252").decode(bytes) : text; // the last letter may be cut
}

export const library = new Library();
