// What an address of another site leads to: a position that is written in it, or a game that a site gives out.

export type Site = "lichess" | "chesscom";

export interface Target {
    fen?: string;
    download?: string; // where Lichess gives out the PGN of this game or study
    site?: Site; // whose address it is
}

const FEN = /((?:[pnbrqk1-8]{1,8}\/){7}[pnbrqk1-8]{1,8})([ _+][wb](?:[ _+][\w-]+){0,4})?/i;
const LICHESS = "https://lichess.org", ID = "([a-zA-Z0-9]{8})";
const STUDY = new RegExp(`^/(?:study|broadcast(?:/[^/]+){2})/(?:embed/)?${ID}(?:/${ID})?/?$`);
const GAME = new RegExp(`^/(?:embed/)?(?:game/)?${ID}(?:[a-zA-Z0-9]{4})?(?:/(?:white|black))?/?$`);

export function targetOf(address: string): Target {
    const { hostname, pathname, search } = new URL(address), host = hostname.replace(/^www\./, "");
    const site: Site | undefined = host === "lichess.org" ? "lichess" : host === "chess.com" ? "chesscom" : undefined;
    const fen = FEN.exec(decoded(pathname + search));
    if (fen) return { fen: (fen[1] + (fen[2] ?? "")).replace(/[_+]/g, " ") };
    if (site !== "lichess") return site ? { site } : {};
    const [, study, chapter] = STUDY.exec(pathname) ?? [], [, game] = GAME.exec(pathname) ?? [];
    if (study) return { site, download: `${LICHESS}/api/study/${study}${chapter ? `/${chapter}` : ""}.pgn?orientation=true` };
    return game ? { site, download: `${LICHESS}/game/export/${game}` } : { site };
}

function decoded(text: string): string {
    try {
        return decodeURIComponent(text);
    } catch {
        return text;
    }
}
