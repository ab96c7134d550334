// Opens a game or a position from pasted text, a dropped file or a link. Anything else is reported.

import { linkContent, unpackGame } from "../chess/link";
import { reasonOf } from "../engine/protocol";
import { texts } from "../texts";
import { notify } from "./notices.svelte";
import { route } from "./route.svelte";
import { session } from "./session.svelte";

/** Whether a text starts like a FEN, with its ranks. */
const looksLikeFen = (text: string): boolean => /^\s*[1-8pnbrqkPNBRQK/]+(\s+[wb-]|\s*$)/.test(text) && text.includes("/");

/** Returns "" on success, otherwise the reason of the failure. */
export async function openText(text: string): Promise<string> {
    if (looksLikeFen(text)) {
        try {
            await session.openFen(text);
        } catch (error) {
            return texts.io.badFen(reasonOf(error));
        }
    } else if (session.openPgn(text) === 0) return texts.io.noGame;
    if (route.view === "play") route.view = "analyse";
    return "";
}

/** Opens a text and shows a failure as a notice. */
export async function openOrNotify(text: string): Promise<void> {
    const reason = await openText(text);
    if (reason) notify(reason, "error");
}

/** Opens the game or position in the page's address; false if there is none. Removes it from the address, so "back" and a
 *  reload show the current state of the analysis and not the link's. */
export async function openLink(hash: string): Promise<boolean> {
    const { game, fen } = linkContent(hash);
    if (fen) await openOrNotify(fen);
    if (game) {
        try {
            await openOrNotify(await unpackGame(game));
            session.last();
        } catch {
            notify(texts.io.linkBroken, "error");
        }
    }
    if (!game && !fen) return false;
    if (location.hash === hash) history.replaceState(null, "", hash.split("?")[0]);
    return true;
}
