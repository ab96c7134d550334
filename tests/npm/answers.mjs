// Prints a TypeScript program that says of answers of the engine which types they have: what a type does not name is an error
// there, and so is what it names and the answer has not.
import { createEngine } from "luft-chess";

const FORKED = "2kr3r/ppp3pp/6q1/3Pnp2/1PP1p3/7P/P2QNPP1/R4RK1 w - - 1 17", MATE = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1";
const engine = createEngine({ hash: 1 }), nodes = 5000;
const explanations = [], overviews = [];
for (const [fen, move] of [[FORKED, "Qd4"], [FORKED, "Qe3"], [MATE, "Ra8"], [MATE, "Kf1"], ["", "e4"]]) {
    explanations.push(await engine.explain({ fen, move, nodes }));
    overviews.push(await engine.overview({ fen, nodes }));
}
const found = {
    Explanation: explanations, Overview: overviews,
    Finding: [await engine.without({ fen: FORKED, techniques: ["null_move"], limits: { depth: 4 } })],
    Trees: [await engine.tree({ fen: FORKED, depth: 5, without: ["null_move", "futility_margin=60"], rows: 200 })],
    ReadText: [await engine.read({ text: '[White "A"]\n\n1. e4 $1 {x} (1. d4 d5) e5 2. Ke3 *' })],
    Verdict: [await engine.judge({ before: { draw: 1000 }, second: null, after: { isMate: true } })],
};
engine.close();
console.log(`import type { ${Object.keys(found).join(", ")} } from "luft-chess";`);
for (const [type, values] of Object.entries(found)) console.log(`export const a${type}: ${type}[] = ${JSON.stringify(values)};`);
