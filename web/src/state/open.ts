// Opens a game or a position from pasted text, a dropped file, a link or the last visit. Anything else is reported.

import { tick } from "svelte";
import { hashOf, linkContent, unpackGame } from "../chess/link";
import { reportFrom } from "../chess/report";
import { reasonOf, type ReadGame } from "../engine/protocol";
import { game as played } from "../play/game.svelte";
import { texts } from "../texts";
import { loadGame, type SavedGame } from "./database";
import { library } from "./library.svelte";
import { notify } from "./notices.svelte";
import { readText, treeOfRead } from "./reader";
import { route } from "./route.svelte";
import { session, type Opened } from "./session.svelte";
import { shell } from "./shell.svelte";
import { forget, recall, remember } from "./storage";

const OPENING = "luft-opening"; // what is being drawn: it stays there where the page cannot draw it
const PROBLEMS_SHOWN = 3;
const END = "100000"; // the place after more moves than any game has

const drawn = async (): Promise<void> => {
    await tick();
    if (document.visibilityState === "visible") await new Promise(requestAnimationFrame);
    await new Promise(resolve => setTimeout(resolve));
};

/** Notes what is opened until it is drawn. */
async function noteUntilDrawn(...names: string[]): Promise<void> {
    const began = performance.now(), leave = () => { if (performance.now() - began < 1000) forget(OPENING); };
    remember(OPENING, names.join("\n"));
    addEventListener("pagehide", leave, { once: true }); // whoever leaves that soon has not waited for it
    await drawn();
    removeEventListener("pagehide", leave);
    forget(OPENING);
}

/** Opens a game that was read. Throws, in words for the user, when the page cannot show it. */
export function openGame(game: ReadGame, as: Opened = {}, link = ""): void {
    const { tree, isWhole } = treeOfRead(game);
    session.open(tree, as);
    void noteUntilDrawn(session.id, link);
    for (const problem of game.problems.slice(0, PROBLEMS_SHOWN)) notify(texts.io.skipped(problem), "error");
    if (game.problems.length > PROBLEMS_SHOWN) notify(texts.io.skippedMore(game.problems.length - PROBLEMS_SHOWN), "error");
    if (!isWhole) notify(texts.io.tooLong, "error");
    if (!as.revision) session.changed();
    if (route.view === "play") route.view = "analyse";
}

/** Opens a saved game: a game against Luft that is not over goes on. */
export async function openSaved(saved: SavedGame, link = ""): Promise<void> {
    const { pgn, revision = 0, id, at = END, orientation } = saved, isPlayed = saved.play !== undefined && !saved.play.result;
    if (isPlayed && await played.resume(saved)) {
        route.view = "play";
        return;
    }
    if (isPlayed) notify(texts.play.elsewhere, "error");
    const [read] = await readText(pgn);
    openGame(read!, { at, orientation, ...(!isPlayed && { id, revision }) }, link);
    session.tree.report = reportFrom(saved.report);
    session.version++;
}

/** Opens the game against Luft for analysis: a game that is over under its own id, else a copy. */
export async function openPlayed(): Promise<void> {
    await played.saveChanges();
    const { id, revision = 0, pgn, orientation, play } = played.saved!;
    const [read] = await readText(pgn);
    openGame(read!, { at: END, orientation, ...(play?.result && { id, revision }) });
}

const couldNotDraw = (name: string): boolean => recall(OPENING)?.split("\n").includes(name) ?? false;

/** Opens a text and shows a failure as a notice. Says where there is more than one game in it. */
export async function openOrNotify(text: string | Blob): Promise<void> {
    try {
        const [, address, hash] = typeof text === "string" ? /^\s*(https?:[^\s#]+)(#\S*)?\s*$/.exec(text) ?? [] : [];
        if (hash && address === location.href.split("#")[0]) return void await openLink(hash);
        if (address) return notify(texts.io.address, "error");
        const games = await library.open(text);
        if (games > 1) notify(texts.io.severalGames(games), "note", { label: texts.io.showGames, act: () => (shell.dialog = "open") });
    } catch (error) {
        notify(reasonOf(error), "error");
    }
}

/** Opens the game or position in the page's address; false if there is none. Removes it from the address, so "back" and a
 *  reload show the current state of the analysis and not the link's. A link that was opened before opens what was saved then. */
export async function openLink(hash: string): Promise<boolean> {
    const { game, fen, ...how } = linkContent(hash);
    if (!game && !fen) return false;
    let text = fen ?? "";
    try {
        if (game) text = await unpackGame(game);
        if (couldNotDraw(hash.slice(0, 200))) throw new Error(texts.io.notDrawn);
        const id = `link ${hashOf(text)}`, saved = await loadGame(id).catch(() => undefined);
        if (saved) await openSaved({ ...saved, ...how }, hash.slice(0, 200));
        else openGame((await readText(text))[0]!, { id, at: END, ...how }, hash.slice(0, 200));
        session.quiet = how.quiet ?? false;
    } catch (error) {
        notify(game && !text ? texts.io.linkBroken : reasonOf(error), "error");
    }
    if (location.hash === hash) history.replaceState(null, "", hash.split("?")[0]);
    return true;
}

/** Opens the game that was open when the page was closed. */
export async function openLast(): Promise<void> {
    try {
        const found = await session.loadLast(), isUntouched = session.node === session.tree.root && session.node.children.length === 0;
        if (!found || !isUntouched || found.play && !found.play.result) return;
        if (couldNotDraw(found.id)) return notify(texts.io.notDrawn, "error");
        await openSaved(found);
    } catch {
        // Start with an empty game.
    }
}

/** Opens what another app or the file manager hands over: the manifest names the page for both. */
export async function openShared(): Promise<boolean> {
    const launch = (globalThis as { launchQueue?: { setConsumer(take: (given: { files?: FileSystemFileHandle[] }) => void): void } }).launchQueue;
    launch?.setConsumer(({ files }) => void files?.[0]?.getFile().then(openOrNotify));
    const query = new URLSearchParams(location.search), shared = query.get("text") || query.get("url") || query.get("title");
    if (!shared) return false;
    for (const name of ["text", "url", "title"]) query.delete(name);
    history.replaceState(null, "", location.pathname + (query.size > 0 ? `?${query}` : "") + location.hash);
    await openOrNotify(shared);
    return true;
}
