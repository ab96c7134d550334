// The only requests that leave the page: games from the public interfaces of Lichess and chess.com, and only when the user has
// agreed. The policy in index.html lists the same two hosts. Everything fails in words for the user.

import type { Site } from "../chess/address";
import { texts } from "../texts";
import { settings } from "./settings.svelte";

const LICHESS = "https://lichess.org", CHESSCOM = "https://api.chess.com";
const MOST_BYTES = 32 << 20; // of an answer
const PATIENCE = 30_000; // milliseconds without a byte
const MOST_MONTHS = 36; // chess.com gives out games by month
const CHESS = "ultraBullet,bullet,blitz,rapid,classical,correspondence,chess960,fromPosition"; // Lichess's names of what is no other game

/** Fetches a text. `progress` learns how many bytes are there. */
async function fetchText(address: string, accept: string, signal: AbortSignal, progress: (bytes: number) => void): Promise<Blob> {
    const { hostname } = new URL(address);
    if (!settings.fetches) throw new Error(texts.remote.notAllowed);
    const idle = new AbortController(), parts: Uint8Array<ArrayBuffer>[] = [];
    let timer = setTimeout(() => idle.abort(), PATIENCE), size = 0;
    try {
        const response = await fetch(address, { headers: { Accept: accept }, credentials: "omit", referrerPolicy: "no-referrer",
                                                signal: AbortSignal.any([signal, idle.signal]) });
        if (!response.ok) throw new Refusal(texts.remote.refused(hostname, response.status));
        for (const reader = response.body!.getReader();;) {
            const { done, value } = await reader.read();
            if (done) return new Blob(parts);
            clearTimeout(timer);
            timer = setTimeout(() => idle.abort(), PATIENCE);
            parts.push(value);
            size += value.length;
            if (size > MOST_BYTES) throw new Refusal(texts.remote.tooLarge(hostname, MOST_BYTES >> 20));
            progress(size);
        }
    } catch (error) {
        if (error instanceof Refusal) throw error;
        throw new Error(signal.aborted ? texts.remote.cancelled : texts.remote.notReached(hostname));
    } finally {
        clearTimeout(timer);
        idle.abort(); // ends what is still being sent
    }
}

class Refusal extends Error {}

const PGN = "application/x-chess-pgn";

/** The PGN of a game or a study of Lichess: chess/address.ts. */
export const fetchPgn = (address: string): Promise<Blob> => fetchText(address, PGN, new AbortController().signal, () => {});

/** The latest games of a player, newest first. */
export function fetchGames(site: Site, player: string, count: number, signal: AbortSignal, progress: (bytes: number) => void): Promise<Blob> {
    const name = player.trim();
    if (!/^[\w-]+$/.test(name)) return Promise.reject(new Error(texts.remote.noName(name)));
    if (site === "chesscom") return fetchMonths(name.toLowerCase(), count, signal, progress);
    return fetchText(`${LICHESS}/api/games/user/${name}?max=${count}&clocks=true&perfType=${CHESS}`, PGN, signal, progress);
}

interface Month { games?: { pgn?: unknown; rules?: unknown }[] }

async function fetchMonths(name: string, count: number, signal: AbortSignal, progress: (bytes: number) => void): Promise<Blob> {
    let known = 0;
    const ask = async (path: string): Promise<unknown> => {
        const answer = await fetchText(`${CHESSCOM}/pub/player/${name}/games/${path}`, "application/json", signal, bytes => progress(known + bytes));
        known += answer.size;
        return JSON.parse(await answer.text());
    };
    try {
        const { archives } = await ask("archives") as { archives: string[] }, games: string[] = [];
        const months = archives.flatMap(address => /\/(\d{4}\/\d\d)$/.exec(address)?.[1] ?? []).toReversed();
        for (const month of months.slice(0, MOST_MONTHS)) {
            const found = (await ask(month) as Month).games ?? [];
            for (const { pgn, rules } of found.toReversed()) if (typeof pgn === "string" && /^chess(960)?$/.test(String(rules))) games.push(pgn);
            if (games.length >= count) break;
        }
        return new Blob([games.slice(0, count).join("\n\n")]);
    } catch (error) {
        throw error instanceof SyntaxError || error instanceof TypeError ? new Error(texts.remote.notUnderstood("api.chess.com")) : error;
    }
}
