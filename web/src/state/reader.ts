// Games, positions and typed moves are read by the engine, which reads them as the programs do.

import { join } from "../chess/join";
import { titleOf, treeOf, writePgn } from "../chess/pgn";
import { fenOf, isChess960, type Chess } from "../chess/position";
import { reportFrom } from "../chess/report";
import type { GameTree } from "../chess/tree";
import type { ReadGame, ReadText } from "luft/async.mjs";
import { reasonOf } from "../engine/reason";
import { ownName } from "../play/names";
import { texts } from "../texts";
import type { SavedGame } from "./database";
import { engine, engineState } from "./engines.svelte";
import { notify } from "./notices.svelte";

const MOST_GAMES = 500;
const PROBLEMS_SHOWN = 3;
const MOST_MEGABYTES = 4; // of a file: the reader's memory only grows

/** Fails where a text has neither games nor positions. */
export class NothingFound extends Error {}

/** Fails where a text has some that cannot be read, and none that can. */
export class NotRead extends Error {
    constructor(readonly about: string) { super(texts.io.notRead(about)); }
}

const notifyOfText = (text: string): void => notify(text, "error");

/** Reports what is wrong in a text or in a game: the first few places, and how many more there are. */
export function reportProblems(problems: string[], report = notifyOfText): void {
    for (const problem of problems.slice(0, PROBLEMS_SHOWN)) report(texts.io.problem(problem));
    if (problems.length > PROBLEMS_SHOWN) report(texts.io.moreProblems(problems.length - PROBLEMS_SHOWN));
}

/** The games and positions in a text. Throws, in words for the user, where there are none. What is left out of it between its
 *  games is reported; what is left out of a game is for whoever opens it. */
export async function readText(text: string | Blob): Promise<ReadGame[]> {
    const whole = new Blob([text]), read = whole.slice(0, MOST_MEGABYTES << 20), found = await readBlob(read);
    if (read.size < whole.size) notify(texts.io.tooLarge(MOST_MEGABYTES, whole.size - read.size), "error");
    if (found.games.length > MOST_GAMES) notify(texts.io.tooMany(MOST_GAMES), "error");
    if (found.games.length === 0) throw found.lost > 0 ? new NotRead(found.problems[0]!) : new NothingFound(texts.io.noGame);
    reportProblems(found.problems);
    return found.games.slice(0, MOST_GAMES);
}

async function readBlob(blob: Blob): Promise<ReadText> {
    const bytes = new Uint8Array(await blob.arrayBuffer());
    try {
        return await engine.read({ text: bytes, most: MOST_GAMES + 1 });
    } catch (error) {
        throw engineState.failed ? new Error(engineState.failed) : new NotRead(reasonOf(error));
    }
}

/** The tree of a game that was read. Throws, in words for the user, when the page cannot show its start. */
export function treeOfRead(game: ReadGame): { tree: GameTree; missing: number } {
    try {
        return treeOf(game);
    } catch {
        throw new Error(texts.io.notShown(game.fen));
    }
}

/** A move as people type it, in UCI; undefined when it is not legal. */
export async function readTyped(pos: Chess, text: string): Promise<string | undefined> {
    const head = `${isChess960(pos) ? '[Variant "Chess960"]\n' : ""}[FEN "${fenOf(pos)}"]\n\n`;
    const game = (await readBlob(new Blob([head + text])).catch(() => undefined))?.games[0];
    return game?.line.length === 1 ? game.line[0]!.uci : undefined;
}

/** A saved game as it is read. In one against Luft, what the page calls the players is in the language of this visit. */
export async function readSaved({ pgn, play }: SavedGame): Promise<ReadGame> {
    const [game] = await readText(pgn);
    return play ? { ...game!, tags: game!.tags.map(([name, value]) => [name, ownName(value)]) } : game!;
}

/** The tree of a saved game, with its report. Fails like those above. */
export async function treeOfSaved(saved: SavedGame): Promise<GameTree> {
    const { tree } = treeOfRead(await readSaved(saved));
    tree.report = reportFrom(saved.report);
    return tree;
}

/** Two states of one game as one; of a game against Luft, the later one. The name of a puzzle shows none of its moves, so it stays. */
export async function joinSaved(mine: SavedGame, stored: SavedGame): Promise<SavedGame> {
    if (mine.play || stored.play) return mine.changed >= stored.changed ? mine : stored;
    const tree = await treeOfSaved(mine);
    join(tree, await treeOfSaved(stored), true);
    return { ...mine, title: mine.hides === undefined ? titleOf(tree) : mine.title, pgn: writePgn(tree), plies: tree.mainline.length, ...(tree.report && { report: tree.report }) };
}
