// Divides a file of games in a thread of its own: the page does not wait for thousands of them.

import { divide, tagsOf } from "../chess/divide";
import { factsOf, nameOf } from "../chess/names";
import type { Divided, Listed } from "./library.svelte";

const HEAD = 2000; // bytes of a game in which its tags are looked for
const utf8 = new TextDecoder(), latin = new TextDecoder("windows-1252");

/** The games of a file with what their tags say; none where the encoding is not one of single bytes. */
function games(bytes: Uint8Array): Listed[] {
    if (bytes.subarray(0, HEAD).includes(0)) return []; // UTF-16
    return divide(bytes).map(([begin, end]) => {
        const tags = tagsOf(decoded(bytes.subarray(begin, Math.min(end, begin + HEAD))));
        return { title: nameOf(tags), facts: factsOf(tags), from: [begin, end] };
    });
}

function decoded(bytes: Uint8Array): string {
    const text = utf8.decode(bytes);
    return text.slice(0, -1).includes("\ufffd") ? latin.decode(bytes) : text; // the last letter may be cut
}

/** Returns a copy of the file, too: the one on the disk may change, and be gone at the next visit. */
onmessage = async ({ data }: MessageEvent<Blob>) => {
    const bytes = new Uint8Array(await data.arrayBuffer());
    postMessage({ file: new Blob([bytes]), games: games(bytes) } satisfies Divided);
};
