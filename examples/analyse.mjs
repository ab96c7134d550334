// Analyses games in Node, with an engine in each of several threads: prints the worst move of each game.
//     node examples/analyse.mjs FOLDER FILE.pgn       FOLDER: what `make wasm` made
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [folder, file] = process.argv.slice(2).map(name => path.resolve(name));
const at = name => pathToFileURL(path.join(folder, name));
const { AsyncEngine, loadFiles } = await import(at("async.mjs"));

const files = loadFiles({ wasm: at("luft.wasm"), network: at("luft.nnue") });
const engines = Array.from({ length: Math.min(4, availableParallelism()) }, () => new AsyncEngine(files, { hash: 8 }));

/** The last line of a search, for the side to move. */
async function lineOf(engine, fen, moves) {
    let last;
    for await (const info of engine.analyse({ fen, moves, limits: { nodes: 20000 }, every: true }))
        if (info.bound === 0) last = info;
    return last;
}

async function worstMove(engine, { fen, line }) {
    let worst = { loss: 0, san: "" }, before = await lineOf(engine, fen, []);
    for (const [i, { san }] of line.entries()) {
        const after = await lineOf(engine, fen, line.slice(0, i + 1).map(move => move.uci));
        if (!before || !after) break; // the game is over
        const { loss } = await engine.judge({ before, second: null, after });
        if (loss > worst.loss) worst = { loss, san: `${Math.floor(i / 2) + 1}${i % 2 ? "…" : "."} ${san}` };
        before = after;
    }
    return worst;
}

const { games } = await engines[0].read({ text: readFileSync(file) });
const waiting = games.entries();
await Promise.all(engines.map(async engine => {
    for (const [number, game] of waiting) { // the engines share this iterator
        const { san, loss } = await worstMove(engine, game);
        console.log(`game ${number + 1}: ${san ? `${san} loses ${Math.round(100 * loss)} % of a point` : "no move loses anything"}`);
    }
    engine.close();
}));
