// Opens a game or a position from pasted text, a dropped file, a link or the last visit. Anything else is reported.

import { tick } from "svelte";
import { join } from "../chess/join";
import { hashOf, linkContent, unpackGame } from "../chess/link";
import { writePgn } from "../chess/pgn";
import type { Color } from "../chess/position";
import { inLanguage, reportFrom } from "../chess/report";
import type { ReadGame } from "luft/async.mjs";
import { reasonOf } from "../engine/reason";
import { game as played } from "../play/game.svelte";
import { texts } from "../texts";
import { loadGame, putGame, type SavedGame } from "./database";
import { explaining } from "./explain.svelte";
import { library } from "./library.svelte";
import { notify, notifyOfGame } from "./notices.svelte";
import { NothingFound, readSaved, readText, reportProblems, treeOfRead, treeOfSaved } from "./reader";
import { route } from "./route.svelte";
import { newId } from "./saver";
import { reword } from "./reword.svelte";
import { settings } from "./settings.svelte";
import { session, type Opened } from "./session.svelte";
import { shell } from "./shell.svelte";
import { forget, linkNoted, noteLink, recall, remember } from "./storage";

const OPENING = "luft-opening"; // what is being drawn: it stays there where the page cannot draw it
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
    const { tree, missing } = treeOfRead(game);
    session.open(tree, { ...as, orientation: as.orientation ?? orientationOf(game) });
    void noteUntilDrawn(session.id, link);
    reportProblems(game.problems, notifyOfGame);
    if (missing > 0) notifyOfGame(texts.io.tooLong(missing));
    if (as.revision) return; // what was saved is shown wherever it was asked for
    session.changed();
    if (route.view !== "explain") route.view = "analyse";
}

/** The side at the bottom where the game names one, as studies of Lichess do. */
function orientationOf({ tags }: ReadGame): Color | undefined {
    const [, side] = tags.find(([name]) => name === "Orientation") ?? [];
    return side === "white" || side === "black" ? side : undefined;
}

/** Opens a saved game: a game against Luft that is not over goes on. */
export async function openSaved(saved: SavedGame & Pick<Opened, "hides" | "silent">, link = ""): Promise<void> {
    const { revision = 0, id, at = END, orientation, hides, silent = false } = saved, isPlayed = saved.play !== undefined && !saved.play.result;
    if (isPlayed && await played.resume(saved)) {
        route.view = "play";
        return;
    }
    if (isPlayed) notify(texts.play.elsewhere, "error");
    openGame(await readSaved(saved), { at, orientation, hides, silent, ...(!isPlayed && { id, revision }) }, link);
    const report = reportFrom(saved.report);
    session.tree.report = report && inLanguage(report, settings.language);
    session.version++;
    void reword();
}

/** Opens the game against Luft for analysis: a game that is over under its own id, else a copy. */
export async function openPlayed(): Promise<void> {
    await played.saveChanges();
    const { id, revision = 0, orientation, play } = played.saved!;
    openGame(await readSaved(played.saved!), { at: END, orientation, ...(play?.result && { id, revision }) });
    route.view = "analyse";
}

const couldNotDraw = (name: string): boolean => recall(OPENING)?.split("\n").includes(name) ?? false;

const TRACE = /^\s*\{[^\n]*"(ply|score|skipped)"/; // its first line is an object of docs/trace.md
const TRACE_MAX = 64 << 20;

async function openTrace(text: string | Blob): Promise<void> {
    const whole = typeof text === "string" ? text : await text.slice(0, TRACE_MAX).text(), problem = await explaining.openTrace(whole);
    route.view = "explain";
    if (problem) notify(problem, "error");
}

const ADDRESS = /https?:\/\/\S+/i;
const UCI_POSITION = /^\s*position\s+(?:startpos|fen\s+(\S.*?))\s+moves\s+(\S.*)$/is;

/** The page could fetch it, and may not. */
class ConsentMissing extends Error {}

/** Opens whatever somebody pastes, drops or shares: games, positions, the trace of a search, an address, or words with an address, as apps share them.
 *  Returns how many games there are. Throws, in words for the user. */
export async function openText(text: string | Blob): Promise<number> {
    if (TRACE.test(typeof text === "string" ? text.slice(0, 1000) : await text.slice(0, 1000).text())) return openTrace(text).then(() => 1);
    const [address] = (typeof text === "string" && ADDRESS.exec(text)) || [];
    if (address && address === (text as string).trim()) return openAddress(address);
    const [, fen, moves] = (typeof text === "string" && UCI_POSITION.exec(text)) || [];
    try {
        return await library.open(moves ? `${fen ? `[FEN "${fen}"]\n\n` : ""}${moves}` : text);
    } catch (error) {
        if (address && error instanceof NothingFound) return openAddress(address);
        throw error;
    }
}

/** A link to this page, a position that is written in an address, or a game that may be fetched. */
async function openAddress(address: string): Promise<number> {
    const [page, hash] = address.split("#");
    if (hash && page === location.href.split("#")[0] && await openLink(`#${hash}`)) return 1;
    const [{ targetOf }, { fetchPgn }] = await Promise.all([import("../chess/address"), import("./remote")]);
    const { fen, download, site } = targetOf(address);
    if (fen) return library.open(fen);
    if (download && settings.fetches) return library.open(await fetchPgn(download));
    if (download) throw new ConsentMissing(texts.io.mayFetch);
    throw new Error(site ? texts.io.addressOf[site] : texts.io.address);
}

/** Opens a text and shows a failure as a notice. Says where there is more than one game in it. */
export async function openOrNotify(text: string | Blob): Promise<void> {
    try {
        const games = await openText(text);
        if (games > 1) notify(texts.io.severalGames(games), "note", { label: texts.io.showGames, act: () => (shell.dialog = "open") });
    } catch (error) {
        const settle = error instanceof ConsentMissing ? { label: texts.remote.open, act: () => (shell.dialog = "remote") } : undefined;
        notify(reasonOf(error), "error", settle);
    }
}

/** Several files as one. */
export const joined = (files: readonly File[]): Blob => (files.length === 1 ? files[0]! : new Blob(files.flatMap(file => [file, "\n\n"])));

/** Opens the game or position in the page's address; false if there is none. Removes it from the address, so "back" and a
 *  reload show the current state of the analysis and not the link's. A link that was opened before opens what was saved then,
 *  at the same position. */
export async function openLink(hash: string): Promise<boolean> {
    const { text, trace } = linkContent(hash);
    if (text) await openOrNotify(text);
    else if (trace) await unpackGame(trace).then(openOrNotify, () => notify(texts.io.linkBroken, "error"));
    else if (!await openLinked(hash)) return false;
    if (location.hash === hash) history.replaceState(null, "", hash.split("?")[0]);
    return true;
}

async function openLinked(hash: string): Promise<boolean> {
    const { game, fen, hides: isPuzzle, id: sender, chapter, ...how } = linkContent(hash);
    if (!game && !fen) return false;
    let text = fen ?? "";
    try {
        if (game) text = await unpackGame(game);
        if (couldNotDraw(hash.slice(0, 200))) throw new Error(texts.io.notDrawn);
        const source = hashOf(text), id = `link ${sender ?? source}`, [read, ...others] = await readText(text);
        if (others.length > 0) {
            await library.open(text, "", { place: chapter ?? 0, quiet: how.quiet ?? false });
            if (how.at) session.go(session.tree.nodeAt(how.at));
            if (how.orientation) session.orientation = how.orientation;
            return true;
        }
        const saved = await loadGame(id).catch(() => undefined);
        if (saved && sender && linkNoted(id)?.source !== source) {
            await openCorrected(read!, saved, { ...how, hides: isPuzzle ? how.at : undefined }, hash.slice(0, 200));
            noteLink(id, { source, received: hashOf(writePgn(treeOfRead(read!).tree)) });
            session.quiet = how.quiet ?? false;
            return true;
        }
        if (saved && how.at) {
            const moves = treeOfRead(read!).tree.nodeAt(how.at).uciPosition.moves, known = await treeOfSaved(saved);
            how.at = known.placeOf(known.nodeAfter(moves));
        }
        const shown = { ...how, hides: isPuzzle ? how.at : undefined };
        if (saved) await openSaved({ ...saved, ...shown }, hash.slice(0, 200));
        else openGame(read!, { id, at: END, ...shown }, hash.slice(0, 200));
        if (!saved) noteLink(id, { source, received: hashOf(writePgn(session.tree)) });
        session.quiet = how.quiet ?? false;
    } catch (error) {
        notify(game && !text ? texts.io.linkBroken : reasonOf(error), "error");
    }
    return true;
}

/** Opens a link that its sender has corrected. It replaces what was saved of the one before; where that was changed here, both are
 *  joined. */
async function openCorrected(read: ReadGame, saved: SavedGame, how: Opened, link: string): Promise<void> {
    const { id, pgn, report, revision = 0 } = saved, { tree } = treeOfRead(read);
    if (hashOf(pgn) === linkNoted(id)?.received && !report) {
        openGame(read, { at: END, ...how, id, revision }, link);
        const keepBoth = () => void putGame({ ...saved, id: newId() }, 0).catch(() => notify(texts.io.notKept, "error"));
        notify(texts.io.corrected, "note", { label: texts.io.keepBoth, act: keepBoth });
    } else {
        const node = how.at === undefined ? undefined : tree.nodeAt(how.at);
        join(tree, await treeOfSaved(saved), true);
        await openSaved({ ...saved, ...how, id, pgn: writePgn(tree), at: node ? tree.placeOf(node) : END } as SavedGame & Pick<Opened, "hides">, link);
        notify(texts.io.correctedJoined);
    }
    session.changed();
}

/** Opens the game that was open when the page was closed. */
export async function openLast(): Promise<void> {
    try {
        const found = await session.loadLast().catch((error: unknown) => notify(texts.saved.unread(reasonOf(error)), "error")), isUntouched = session.node === session.tree.root && session.node.children.length === 0;
        if (!found || !isUntouched || found.play && !found.play.result) return;
        if (couldNotDraw(found.id)) return notify(texts.io.notDrawn, "error");
        await openSaved({ ...found, silent: route.view !== "analyse" && route.view !== "explain" });
    } catch {
        // Start with an empty game.
    }
}

/** Opens what another app or the file manager hands over: the manifest names the page for both. What is shared comes through
 *  the service worker. */
export async function openShared(): Promise<boolean> {
    const launch = (globalThis as { launchQueue?: { setConsumer(take: (given: { files?: FileSystemFileHandle[] }) => void): void } }).launchQueue;
    launch?.setConsumer(({ files = [] }) => {
        if (files.length > 0) void Promise.all(files.map(file => file.getFile())).then(found => openOrNotify(joined(found)));
    });
    const query = new URLSearchParams(location.search), what = query.get("shared");
    if (!what) return false;
    query.delete("shared");
    history.replaceState(null, "", location.pathname + (query.size > 0 ? `?${query}` : "") + location.hash);
    const shared = await fetch("./shared").catch(() => undefined);
    if (!shared?.ok) return false;
    await openOrNotify(what === "file" ? await shared.blob() : await shared.text());
    return true;
}
