// Saved games as PGN, and games of a file among those that are saved. Loaded on demand.

import { hashOf } from "../chess/link";
import { titleOf, writePgn } from "../chess/pgn";
import type { ReadGame } from "luft/async.mjs";
import { addGames, listGames, type SavedGame } from "./database";
import { divide, MOST_MEGABYTES } from "./library.svelte";
import { notify } from "./notices.svelte";
import { readText, reportProblems, treeOfRead, treeOfSaved } from "./reader";
import { texts } from "../texts";

const MOST_GAMES = 2000; // that are brought in at once
const PART = 1 << 20; // bytes that are read at once
const PART_GAMES = 400; // and games: the reader has a limit

/** Games as one text; with what their reports found, marked as Luft's, on request. `progress` says how many are done. */
export async function pgnOf(games: readonly SavedGame[], withReports: boolean, progress?: (done: number) => void): Promise<string> {
    const parts: string[] = [];
    for (const game of games) {
        parts.push(withReports && game.report ? writePgn(await treeOfSaved(game), texts.moves.nagNames) : game.pgn);
        progress?.(parts.length);
    }
    return parts.join("\n");
}

/** The games of a file, part by part. */
async function* gamesIn(file: Blob): AsyncGenerator<ReadGame[]> {
    const { games } = await divide(file), ends = games.flatMap(({ from }) => (Array.isArray(from) ? [from[1]] : []));
    if (ends.length < 2) return yield readText(file);
    for (let begin = 0, next = 0; next < ends.length;) {
        let last = next;
        while (last + 1 < ends.length && last + 1 - next < PART_GAMES && ends[last + 1]! - begin <= PART) last++;
        yield readText(file.slice(begin, ends[last]));
        [begin, next] = [ends[last]!, last + 1];
    }
}

/** Saves the games of a file. One that is there already stays as it is: how many are new, and how many were known. Throws, in
 *  words for the user; then what was read before is saved. */
export async function bringIn(whole: Blob): Promise<{ added: number; known: number }> {
    const file = whole.slice(0, MOST_MEGABYTES << 20), known = new Set((await listGames()).map(({ pgn }) => pgn));
    if (file.size < whole.size) notify(texts.io.tooLarge(MOST_MEGABYTES, whole.size - file.size), "error");
    let added = 0, seen = 0, missing = 0, latest = Date.now(); // the first game of the file is the first of the list, too
    for await (const games of gamesIn(file)) {
        const fresh: SavedGame[] = [];
        for (const game of games.slice(0, MOST_GAMES - seen)) {
            const { tree, missing: left } = treeOfRead(game), pgn = writePgn(tree);
            missing += left;
            reportProblems(game.problems);
            if (known.has(pgn)) continue;
            known.add(pgn);
            fresh.push({ id: `game ${hashOf(JSON.stringify(game))}`, title: titleOf(tree), pgn, changed: latest--,
                         plies: tree.mainline.length });
        }
        if (fresh.length > 0) added += await addGames(fresh);
        seen += Math.min(games.length, MOST_GAMES - seen);
        if (seen < MOST_GAMES) continue;
        notify(texts.saved.tooMany(MOST_GAMES), "error");
        break;
    }
    if (missing > 0) notify(texts.io.tooLong(missing), "error");
    return { added, known: seen - added };
}
