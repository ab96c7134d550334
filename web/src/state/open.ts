// Opens a game or a position from pasted text, a dropped file, a link or the last visit. Anything else is reported.

import { tick } from "svelte";
import { linkContent, unpackGame } from "../chess/link";
import { reasonOf, type ReadGame } from "../engine/protocol";
import { texts } from "../texts";
import { notify } from "./notices.svelte";
import { readText, treeOfRead } from "./reader";
import { route } from "./route.svelte";
import { session } from "./session.svelte";
import { forget, recall, remember } from "./storage";

const OPENING = "luft-opening"; // what is being drawn: it stays there where the page cannot draw it
const PROBLEMS_SHOWN = 3;

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
export function openGame(game: ReadGame, id?: string, link = ""): void {
    const { tree, isWhole } = treeOfRead(game);
    session.open(tree, id);
    void noteUntilDrawn(session.id, link);
    for (const problem of game.problems.slice(0, PROBLEMS_SHOWN)) notify(texts.io.skipped(problem), "error");
    if (!isWhole) notify(texts.io.tooLong, "error");
    if (id === undefined) session.changed();
    if (route.view === "play") route.view = "analyse";
}

/** Opens a game that nobody has asked for in this visit, unless the page could not draw it the last time. */
function openUnasked(game: ReadGame, { id, link }: { id?: string; link?: string }): void {
    if (recall(OPENING)?.split("\n").includes(id ?? link!)) return notify(texts.io.notDrawn, "error");
    openGame(game, id, link);
    session.last();
}

/** Opens the first game or position in a text; returns all of them. Throws, in words for the user. */
export async function openText(text: string | Blob): Promise<ReadGame[]> {
    const games = await readText(text);
    openGame(games[0]!);
    return games;
}

/** Opens a text and shows a failure as a notice. */
export async function openOrNotify(text: string | Blob): Promise<void> {
    await openText(text).catch(error => notify(reasonOf(error), "error"));
}

/** Opens the game or position in the page's address; false if there is none. Removes it from the address, so "back" and a
 *  reload show the current state of the analysis and not the link's. */
export async function openLink(hash: string): Promise<boolean> {
    const { game, fen } = linkContent(hash);
    if (!game && !fen) return false;
    let text = fen ?? "";
    try {
        if (game) text = await unpackGame(game);
        const [first] = await readText(text);
        openUnasked(first!, { link: hash.slice(0, 200) });
    } catch (error) {
        notify(game && !text ? texts.io.linkBroken : reasonOf(error), "error");
    }
    if (location.hash === hash) history.replaceState(null, "", hash.split("?")[0]);
    return true;
}

/** Opens the analysis that was open when the page was closed. */
export async function openLast(): Promise<void> {
    await session.saveLeftover();
    try {
        const found = await session.loadLast();
        if (!found) return;
        const [game] = await readText(found.pgn);
        if (session.node === session.tree.root && session.tree.root.children.length === 0) openUnasked(game!, { id: found.id });
    } catch {
        // Start with an empty game.
    }
}
