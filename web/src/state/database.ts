// The games in the browser's IndexedDB, and the list of a file's games, accessed through database.worker.ts.

import type { Color } from "../chess/position";
import type { Report } from "../chess/report";
import type { SavedPlay } from "../play/game.svelte";
import { ownTitle } from "../play/names";
import type { Answer, Question } from "./database.worker";
import type { KeptLines } from "./kept";
import type { List } from "./library.svelte";
import { texts } from "../texts";

const PATIENCE = 30_000; // milliseconds: a request takes some hundredths of a second, on a busy machine some seconds

/** A game: analysed, or played against Luft. */
export interface SavedGame {
    id: string;
    title: string;
    pgn: string; // what the user and the file say; the report is next to it
    changed: number; // milliseconds since 1970
    plies: number;
    revision?: number; // grows with every save, in whatever tab
    report?: Report;
    at?: string; // the place in the tree
    orientation?: Color;
    hides?: string; // the place of a puzzle that is not solved yet
    play?: SavedPlay; // the game is, or was, played here
}

/** Fails where no answer has come. */
class NoAnswer extends Error {}

/** Requests run one after the other, so each sees the results of those before it. */
let turn: Promise<unknown> = Promise.resolve();

/** A worker that the browser ends, or never starts, says nothing. So each request has its time, and is made once more; what was
 *  done the first time is not done twice. */
function ask<Result>(question: Question): Promise<Result> {
    const once = () => askWorker<Result>(question);
    const answer = turn.then(once).catch((error: unknown) => (error instanceof NoAnswer ? once() : Promise.reject(error)));
    turn = answer.catch(() => undefined);
    return answer;
}

function askWorker<Result>(question: Question): Promise<Result> {
    const worker = new Worker(new URL("./database.worker.ts", import.meta.url), { type: "module", name: "analyses" });
    let timer: ReturnType<typeof setTimeout> | undefined;
    const answer = new Promise<Result>((resolve, reject) => {
        timer = setTimeout(() => reject(new NoAnswer(texts.saved.silent)), PATIENCE);
        worker.onmessage = ({ data }: MessageEvent<Answer>) =>
            "error" in data ? reject(new Error(data.error)) : resolve(data.result as Result);
        worker.onerror = event => {
            event.preventDefault();
            reject(new Error(event.message));
        };
        worker.postMessage(question);
    });
    return answer.finally(() => {
        clearTimeout(timer);
        worker.terminate();
    });
}

/** Saves a game whose last known revision is `base`. Where the database has another one, it stays, and is returned. */
export const putGame = (game: SavedGame, base: number): Promise<SavedGame | undefined> =>
    ask({ what: "put", value: { ...game, revision: base + 1 }, base });
/** Saves those of these games whose ids are new, all or none; how many these are. */
export const addGames = (games: readonly SavedGame[]): Promise<number> =>
    ask({ what: "add", values: games.map(game => ({ ...game, revision: 1 })) });
export const deleteGame = (id: string): Promise<void> => ask({ what: "delete", id });
export const loadGame = (id: string): Promise<SavedGame | undefined> => ask({ what: "get", id });

const LIST = { store: "lists", id: "open" } as const; // there is one
export const putList = (list: List): Promise<void> => ask({ ...LIST, what: "put", value: { ...list, id: LIST.id }, base: 0 });
export const deleteList = (): Promise<void> => ask({ ...LIST, what: "delete" });
export const loadList = (): Promise<List | undefined> => ask({ ...LIST, what: "get" });

export const loadLines = (): Promise<KeptLines[]> => ask({ store: "lines", what: "getAll" });
/** Saves what was found of some positions, and deletes it of others. */
export const renewLines = (values: KeptLines[], gone: string[]): Promise<void> => ask({ store: "lines", what: "renew", values, gone });

/** Newest first. */
export async function listGames(): Promise<SavedGame[]> {
    const all: SavedGame[] = await ask({ what: "getAll" });
    return all.map(game => (game.play ? { ...game, title: ownTitle(game.title) } : game)).sort((a, b) => b.changed - a.changed);
}
