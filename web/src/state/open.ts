// Text from outside: pasted, dropped, a file, a link. A game or a position; whatever it is not, is told.

import { linkedIn, unpackGame } from "../chess/link";
import { texts } from "../texts";
import { tell } from "./notices.svelte";
import { route } from "./route.svelte";
import { session } from "./session.svelte";

/** As a FEN begins: eight ranks. */
const looksLikeFen = (text: string): boolean => /^\s*[1-8pnbrqkPNBRQK/]+(\s+[wb-]|\s*$)/.test(text) && text.includes("/");

/** "" when it was opened, else why not. */
export async function openText(text: string): Promise<string> {
    if (looksLikeFen(text)) {
        try {
            await session.openFen(text);
        } catch (error) {
            return texts.io.badFen(error instanceof Error ? error.message : String(error));
        }
    } else if (session.openPgn(text) === 0) return texts.io.noGame;
    if (route.view === "play") route.view = "analyse";
    return "";
}

/** The same, for text that comes without a dialog. */
export async function openOrTell(text: string): Promise<void> {
    const reason = await openText(text);
    if (reason) tell(reason, "error");
}

/** What the page's address carries; false when that is nothing. It is taken out of the address: "back" and a reload are
 *  to find what has become of it since. */
export async function openLink(hash: string): Promise<boolean> {
    const { game, fen } = linkedIn(hash);
    if (fen) await openOrTell(fen);
    if (game) {
        try {
            await openOrTell(await unpackGame(game));
            session.last();
        } catch {
            tell(texts.io.linkBroken, "error");
        }
    }
    if (!game && !fen) return false;
    if (location.hash === hash) history.replaceState(null, "", hash.split("?")[0]);
    return true;
}
