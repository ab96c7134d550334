// A game or position in a link: #/analyse?g=... holds compressed PGN in URL-safe base64, #/analyse?fen=... a FEN.

async function pipe(bytes: Uint8Array<ArrayBuffer>, stream: CompressionStream | DecompressionStream): Promise<Uint8Array> {
    const piped = new Blob([bytes]).stream().pipeThrough(stream);
    return new Uint8Array(await new Response(piped).arrayBuffer());
}

export async function packGame(pgn: string): Promise<string> {
    const packed = await pipe(new TextEncoder().encode(pgn), new CompressionStream("deflate-raw"));
    const text = Array.from(packed, byte => String.fromCharCode(byte)).join("");
    return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

export async function unpackGame(text: string): Promise<string> {
    const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), char => char.charCodeAt(0));
    return new TextDecoder().decode(await pipe(bytes, new DecompressionStream("deflate-raw")));
}

/** The packed game ("g") or FEN ("fen") in a link's hash; {} when it has neither. */
export function linkContent(hash: string): { game?: string; fen?: string } {
    const query = new URLSearchParams(hash.split("?")[1] ?? "");
    const game = query.get("g"), fen = query.get("fen");
    return { ...(game && { game }), ...(fen && { fen: fen.replaceAll("_", " ") }) };
}
