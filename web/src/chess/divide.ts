// Divides a file of games where their tags begin, without reading them: a file may hold thousands, of which one is opened.

const [NEWLINE, OPEN, CLOSE, TAG, REST_OF_LINE, ESCAPE] = [..."\n{}[;%"].map(char => char.charCodeAt(0)) as
    [number, number, number, number, number, number];
const EVENT = [..."[Event "].map(char => char.charCodeAt(0));

/** Where each game begins and ends, in bytes. One range for a text without tags. */
export function divide(bytes: Uint8Array): [number, number][] {
    const ranges: [number, number][] = [];
    let begin = 0, hasMoves = false, isComment = false;
    for (let i = 0; i < bytes.length; i++) {
        const byte = bytes[i]!, isLineStart = i === 0 || bytes[i - 1] === NEWLINE;
        const isEvent = isLineStart && byte === TAG && EVENT.every((char, k) => bytes[i + k] === char);
        if (isComment && !isEvent) isComment = byte !== CLOSE;
        else if (isLineStart && byte === TAG) {
            if (hasMoves) ranges.push([begin, i]);
            if (hasMoves) begin = i;
            hasMoves = isComment = false; // a comment without an end ends with its game
            i = endOfLine(bytes, i);
        } else if (byte === OPEN) hasMoves = isComment = true;
        else if (byte === REST_OF_LINE || (isLineStart && byte === ESCAPE)) i = endOfLine(bytes, i);
        else if (byte > 32) hasMoves = true;
    }
    ranges.push([begin, bytes.length]);
    return ranges;
}

function endOfLine(bytes: Uint8Array, from: number): number {
    const end = bytes.indexOf(NEWLINE, from);
    return end < 0 ? bytes.length : end;
}

/** The tags at the beginning of a game. */
export function tagsOf(text: string): Map<string, string> {
    return new Map([...text.matchAll(/^\[(\w+)\s+"((?:[^"\\\n]|\\.)*)"\]/gm)].map(([, name, value]) => [name!, value!.replace(/\\(.)/g, "$1")]));
}
