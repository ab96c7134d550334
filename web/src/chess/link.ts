// A game or position in a link: #/analyse?g=... holds compressed PGN in URL-safe base64, #/analyse?fen=... a FEN.

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

/** The packed game ("g") or FEN ("fen") in a link's hash; {} when it has neither. */
export function linkContent(hash: string): { game?: string; fen?: string } {
    const query = new URLSearchParams(hash.split("?")[1] ?? "");
    const game = query.get("g"), fen = query.get("fen");
    return { ...(game && { game }), ...(fen && { fen: fen.replaceAll("_", " ") }) };
}
