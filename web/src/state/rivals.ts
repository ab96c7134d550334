// Before a puzzle is sent: which other moves are as good as its solution.

import { isSolution, puzzlesFrom } from "../chess/puzzle";
import { evaluationOf } from "../chess/score";
import { sansOf } from "../chess/position";
import type { GameTree, TreeNode } from "../chess/tree";
import { TOO_MUCH } from "../train/exercises";
import { searchAside } from "./engines.svelte";
import { settings } from "./settings.svelte";

const MOST_ASKED = 4; // positions of a puzzle
const LINES = 4;

export interface Rivals {
    at: TreeNode;
    solution: string; // in SAN
    others: string[]; // in SAN, the best first
    isBetter: boolean; // they are better than the solution
}

/** The positions of a puzzle in which the engine finds others. */
export async function rivalsOf(tree: GameTree, puzzle: TreeNode): Promise<Rivals[]> {
    const found: Rivals[] = [];
    for (const at of puzzlesFrom(tree, puzzle).slice(0, MOST_ASKED)) {
        const turn = at.position.turn, solution = at.children.find(({ uci }) => isSolution(tree, at, uci));
        const lines = await searchAside({ ...at.uciPosition, options: { MultiPV: LINES }, limits: { nodes: settings.explainNodes } });
        const own = lines.map(info => evaluationOf(info, turn).expected).map(expected => (turn === "white" ? expected : 1 - expected));
        const good = lines.filter((_, i) => own[0]! - own[i]! < TOO_MUCH).map(({ line }) => line[0]!);
        const others = good.filter(uci => !isSolution(tree, at, uci));
        if (solution && others.length > 0)
            found.push({ at, solution: solution.san, others: others.map(uci => sansOf(at.position, [uci])[0]!), isBetter: others.length === good.length });
    }
    return found;
}
