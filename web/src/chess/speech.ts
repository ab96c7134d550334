// Moves as they are heard: "Nxh5+" is "knight takes h5, check".

/** The words of a language, and its letters of pieces. */
export interface SpeechWords {
    pieces: Record<string, string>; // by letter
    takes: string; to: string; check: string; mate: string;
    castles: { "O-O": string; "O-O-O": string };
    becomes: (piece: string) => string;
}

const MOVE = /(?<![\p{L}\d-])(?:(O-O-O|O-O)|(\p{Lu})?([a-h])?([1-8])?(x)?([a-h][1-8])(?:=(\p{Lu}))?)([+#])?(?![\p{L}\d-])/gu;

/** A text with its moves in words. The name of a square alone, which is also the move of a pawn, stays. */
export function movesInWords(text: string, words: SpeechWords): string {
    return text.replace(MOVE, (whole, castles: keyof SpeechWords["castles"] | undefined, letter = "", file = "", rank = "", takes, square, promoted, sign) => {
        const piece = words.pieces[letter];
        if ((letter && !piece) || (promoted && !words.pieces[promoted])) return whole;
        const from = `${file}${rank}`, way = takes ? words.takes : from ? words.to : "";
        const move = castles ? words.castles[castles] : [piece, from, way, square].filter(part => part).join(" ");
        const becomes = promoted ? `, ${words.becomes(words.pieces[promoted]!)}` : "";
        return `${move}${becomes}${sign ? `, ${sign === "#" ? words.mate : words.check}` : ""}`;
    });
}

/** A typed move in letters, where it is in words: "knight takes h5", "bishop b5", "castles short", "e8 queen". Other texts stay. */
export function wordsAsMove(text: string, words: SpeechWords): string {
    const typed = text.toLowerCase().replace(/[,.]/g, " ").replace(/\s+/g, " ").trim();
    const castles = Object.entries(words.castles).find(([, name]) => typed.startsWith(name.toLowerCase()));
    if (castles) return castles[0];
    if (!typed.includes(" ")) return text;
    const letters = new Map(Object.entries(words.pieces).map(([letter, piece]) => [piece.toLowerCase(), letter]));
    const said = typed.split(" ");
    if (!said.some(word => letters.has(word) || word === words.takes.toLowerCase())) return text; // as "12... e4"
    return said.filter(word => ![words.to, words.check, words.mate].some(other => other.toLowerCase() === word))
        .map(word => (word === words.takes.toLowerCase() ? "x" : letters.get(word) ?? word)).join("");
}
