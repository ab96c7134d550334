// A game or position in a link: #/analyse?g=... holds compressed PGN in URL-safe base64, #/analyse?fen=... a FEN, and
// #/analyse?text=... what the bookmarklet has found on another page, #/explain?trace=... the compressed trace of a search.

import type { Color } from "./position";

const MOST_BYTES = 1 << 20; // unpacked: a few kilobytes may pack any number

const stream = (bytes: Uint8Array<ArrayBuffer>, through: CompressionStream | DecompressionStream) =>
    new Blob([bytes]).stream().pipeThrough(through);

export async function packGame(pgn: string): Promise<string> {
    const packed = await new Response(stream(new TextEncoder().encode(pgn), new CompressionStream("deflate-raw"))).arrayBuffer();
    const text = Array.from(new Uint8Array(packed), byte => String.fromCharCode(byte)).join("");
    return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** Fails for what is not packed or too much. */
export async function unpackGame(text: string): Promise<string> {
    const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), char => char.charCodeAt(0));
    const decoder = new TextDecoder(), reader = stream(bytes, new DecompressionStream("deflate-raw")).getReader();
    let unpacked = "", size = 0;
    for (;;) {
        const { done, value } = await reader.read();
        if (done) return unpacked + decoder.decode();
        size += value.length;
        if (size > MOST_BYTES) {
            void reader.cancel();
            throw new Error(`the link holds more than ${MOST_BYTES} bytes`);
        }
        unpacked += decoder.decode(value, { stream: true });
    }
}

/** What a link says besides its game: the place in the tree, the side at the bottom, whether the engine is off, and whether what
 *  follows is hidden until a good move is found. */
export interface LinkView {
    at?: string; orientation?: Color; quiet?: boolean; hides?: boolean;
    id?: string; // of the sender's game: a corrected link has the same
    chapter?: number; // of several games, from 0
}

/** The game comes last: where a chat cuts the link, it is damaged, and does not open as another one that shows the solution. */
export function linkHash(packed: string, { at, orientation, quiet, hides, id, chapter }: LinkView): string {
    const how = [id && `id=${id}`, chapter && `game=${chapter + 1}`, at && `at=${at}`, orientation === "black" && "side=black", quiet && "engine=off", hides && "hide=1"];
    return `#/analyse?${[...how.filter(Boolean), `g=${packed}`].join("&")}`;
}

/** The packed game ("g") or trace ("trace"), FEN ("fen") or text ("text") in a link's hash, and how to show it; {} when it has none. */
export function linkContent(hash: string): { game?: string; fen?: string; text?: string; trace?: string } & LinkView {
    const query = new URLSearchParams(hash.split("?")[1] ?? "");
    const game = query.get("g"), fen = query.get("fen"), text = query.get("text"), at = query.get("at"), side = query.get("side");
    const trace = query.get("trace"), id = query.get("id"), chapter = Number(query.get("game") ?? 1) - 1;
    if (text && text.length <= MOST_BYTES) return { text };
    if (trace) return { trace };
    if (!game && !fen) return {};
    return { ...(game && { game }), ...(fen && { fen: fen.replaceAll("_", " ") }), ...(at && /^[\d.]+$/.test(at) && { at }),
             ...((side === "white" || side === "black") && { orientation: side }), ...(query.get("engine") === "off" && { quiet: true }),
             ...(query.get("hide") === "1" && { hides: true }), ...(id && /^[0-9a-z]{1,20}$/.test(id) && { id }),
             ...(Number.isInteger(chapter) && chapter > 0 && { chapter }) };
}

/** The hash of a link to a trace; "" for one that no link opens. */
export const traceHash = async (trace: string): Promise<string> =>
    trace.length > MOST_BYTES ? "" : `#/explain?trace=${await packGame(trace)}`;

/** A short name for a text: the same for the same text. */
export function hashOf(text: string): string {
    let [one, two] = [0x811c9dc5, 0x01000193];
    for (let i = 0; i < text.length; i++) {
        one = Math.imul(one ^ text.charCodeAt(i), 0x01000193);
        two = Math.imul(two ^ text.charCodeAt(i), 0x5bd1e995) ^ (two >>> 15);
    }
    return `${(one >>> 0).toString(36)}${(two >>> 0).toString(36)}`;
}
