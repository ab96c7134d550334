// Analyses the moves in a field, and again whenever they change: a new search replaces the one that is running.
import wasm from "luft-chess/luft.wasm?url";
import plain from "luft-chess/luft-plain.wasm?url";
import network from "luft-chess/luft.nnue?url";
import { AsyncEngine, loadFiles } from "luft-chess/async";

const field = document.getElementById("moves"), lines = document.getElementById("lines");
const engine = new AsyncEngine(loadFiles({ wasm, plain, network }), { hash: 16 });

async function analyse() {
    try {
        const search = engine.analyse({ moves: field.value, options: { MultiPV: 3 } }), shown = [];
        for await (const { rank, depth, score, isMate, line } of search) {
            shown[rank - 1] = `${depth}  ${isMate ? `mate ${score}` : score}  ${line.slice(0, 8).join(" ")}`;
            lines.textContent = shown.join("\n");
        }
        const { best } = await search.best;
        if (best) document.title = `best: ${best}`;
    } catch (error) {
        lines.textContent = error.message; // a move that is not legal, say
    }
}

field.addEventListener("input", analyse);
document.getElementById("stop").addEventListener("click", () => engine.stop());
analyse();
