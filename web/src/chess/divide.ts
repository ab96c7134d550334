// Divides a large file of games where their tags begin, without reading them: it may hold thousands, of which one is opened.

const [NEWLINE, OPEN, CLOSE, TAG, REST_OF_LINE, ESCAPE] = [..."\n{}[;%"].map(char => char.charCodeAt(0)) as
    [number, number, number, number, number, number];
const EVENT = [..."[Event "].map(char => char.charCodeAt(0));

/** Where each game begins and ends, in bytes. One range for a text without tags. In doubt a part has more than one game. */
export function divide(bytes: Uint8Array): [number, number][] {
    const ranges: [number, number][] = [];
    let begin = 0, hasMoves = false, isComment = false, isAfterEmpty = true;
    for (let start = 0, end: number; start < bytes.length; start = end + 1) {
        end = endOfLine(bytes, start);
        const isTag = bytes[start] === TAG && bytes[start + 1] !== ESCAPE; // [%clk ...] is none
        if (isTag && (isAfterEmpty || (!isComment && EVENT.every((char, k) => bytes[start + k] === char)))) {
            if (hasMoves) ranges.push([begin, start]);
            if (hasMoves) begin = start;
            hasMoves = isComment = false; // a comment without an end ends with its game
        }
        isAfterEmpty = true;
        for (let i = start; i < end; i++) {
            const byte = bytes[i]!;
            if (byte <= 32) continue;
            isAfterEmpty = false;
            if (isComment) isComment = byte !== CLOSE;
            else if (isTag || byte === REST_OF_LINE || (i === start && byte === ESCAPE)) break;
            else if (byte === OPEN) isComment = true;
            else if (byte < 127) hasMoves = true;
        }
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
