// Divides a file of games in a thread of its own: the page does not wait for thousands of them.

import { divide, tagsOf } from "../chess/divide";
import { factsOf, nameOf } from "../chess/names";

const HEAD = 2000; // bytes of a game in which its tags are looked for

/** A game of a file: where it begins and ends, in bytes, and what a list says of it. */
export interface Part { begin: number; end: number; title: string; facts: string }

/** The games of a file with their tags; none where the encoding is not one of single bytes. */
function parts(bytes: Uint8Array): Part[] {
    if (bytes.subarray(0, HEAD).includes(0)) return []; // UTF-16
    return divide(bytes).map(([begin, end]) => {
        const tags = tagsOf(decoded(bytes.subarray(begin, Math.min(end, begin + HEAD))));
        return { begin, end, title: nameOf(tags), facts: factsOf(tags) };
    });
}

function decoded(bytes: Uint8Array): string {
    const text = new TextDecoder().decode(bytes);
    return text.slice(0, -1).includes("\ufffd") ? new TextDecoder("windows-1252").decode(bytes) : text; // the last letter may be cut
}

onmessage = async ({ data }: MessageEvent<Blob>) => postMessage(parts(new Uint8Array(await data.arrayBuffer())));
