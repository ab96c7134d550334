// What an application does with the package luft-chess: returns "ok NAME" or "FAIL NAME: why" for each case.

/** The lines that a worker gives up to one that begins with `last`. */
const ask = (worker, lines, last) => new Promise((resolve, reject) => {
    const given = [];
    worker.onerror = event => reject(new Error(event.message));
    worker.onmessage = ({ data }) => {
        given.push(data);
        if (data.startsWith(last)) resolve(given);
    };
    lines.forEach(line => worker.postMessage(line));
});

function check(isTrue, found) {
    if (!isTrue) throw new Error(JSON.stringify(found));
}

async function converse(worker, depth, nodes) {
    let lines = await ask(worker, ["uci"], "uciok");
    check(lines[0].startsWith("id name Luft ") && lines.includes("option name MultiPV type spin default 1 min 1 max 256"), lines);
    await ask(worker, ["go infinite", "isready"], "readyok");
    lines = await ask(worker, ["stop"], "bestmove ");
    check(/^bestmove [a-h][1-8]/.test(lines.at(-1)), lines);
    lines = await ask(worker, ["setoption name UCI_ShowWDL value true", "position fen 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1 moves a1a8",
                               "go", "stop"], "bestmove ");
    check(lines.includes("info depth 0 score mate 0") && lines.at(-1) === "bestmove (none)", lines);
    lines = await ask(worker, ["go perft 3"], "bestmove ");
    check(/no perft/.test(lines[0]) && lines.at(-1) === "bestmove (none)", lines);
    lines = await ask(worker, ["setoption name Hash value 0", "position startpos moves e2e5", "go"], "bestmove ");
    check(lines.length === 4 && lines.at(-1) === "bestmove (none)", lines);
    check(lines.filter(line => /^info string error: (setoption|position|go): /.test(line)).length === 3, lines);
    lines = await ask(worker, ["position fen 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", "go depth 4"], "bestmove ");
    check(/^info depth 4 .* score mate 1 wdl 1000 0 0 nodes .* pv a1a8$/.test(lines.at(-2)) && lines.at(-1) === "bestmove a1a8", lines);
    await ask(worker, [`bench ${depth}`], `${nodes} nodes`);
    worker.postMessage("quit");
}

async function explain({ createEngine, LuftError }) {
    const engine = createEngine({ hash: 1 });
    const { words } = await engine.explain({ moves: "e2e4 e7e5", move: "Ke2", nodes: 20000 });
    check(words.length > 0, words);
    const refusal = await engine.go({ fen: "junk" }).catch(error => error);
    check(refusal instanceof LuftError, refusal);
    engine.close();
}

/** `workers`: functions by name, each makes a worker that takes lines of UCI. */
export async function use(luft, workers, depth, nodes) {
    const cases = { "an engine": () => explain(luft) };
    for (const [name, make] of Object.entries(workers)) cases[name] = () => converse(make(), depth, nodes);
    const found = [];
    for (const [name, run] of Object.entries(cases))
        try {
            await run();
            found.push(`ok ${name}`);
        } catch (error) {
            found.push(`FAIL ${name}: ${error.stack}`);
        }
    return found.join("\n");
}
