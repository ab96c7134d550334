// The name of the opening of a game. The names load with the first move that is shown.

import type { TreeNode } from "../chess/tree";
import { settings } from "./settings.svelte";

type Names = { of: ReadonlyMap<string, string>; key: (fen: string) => string };
let names: Names | undefined = $state.raw();
let isAsked = false;

async function load(): Promise<void> {
    isAsked = true;
    try {
        const { openingKey, openingNames } = await import("../chess/openings");
        names = { of: openingNames(settings.language), key: openingKey };
    } catch {
        isAsked = false; // offline before the page was kept: the next move asks again
    }
}

/** The opening of the game up to a node: the latest position with a name. "" while there is none. */
export function openingAt(node: TreeNode): string {
    if (node.parent && !names && !isAsked) void load();
    const known = names, named = known && node.path.findLast(({ fen }) => known.of.has(known.key(fen)));
    return named ? known.of.get(known.key(named.fen))! : "";
}
