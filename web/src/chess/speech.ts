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
