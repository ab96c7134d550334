// Plays the live matches of the page's view "Learn" in Node, and the same with `luft-lab ablate`, and compares their Elo.
//
//     make web-lessons && make LAB=1 EVALFILE=nets/web/luft-web-2.nnue OBJECTS=build/weblab EXE=build/weblab/luft \
//         LAB_EXE=build/weblab/luft-lab luft luft-lab
//     node tests/tools/live_matches.mjs build/web/lessons.wasm build/weblab results.tsv
//
// Both sides have the page's network, NODES a move, a hash of 1 MiB and books/standard.epd, in orders of their own. The live
// matches run in the module that the page loads. A technique that stands in results.tsv is not played again; a fourth argument
// names the only one to be played. All twenty take some five minutes of one core. Prints a table in Markdown, and how many
// techniques differ by less than the combined 95 % error.

import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { Luft } from "../../bindings/wasm/luft.mjs";

const GAMES = 400, NODES = 300, HASH = 1, SEED = 1;
const TECHNIQUES = [ // those that the lessons are about, and their neighbours; at so few nodes probcut and singular extensions do nothing
    "aspiration_windows", "table_cutoffs", "reverse_futility", "razoring", "null_move", "threat_history", "internal_reductions",
    "correction_history", "capture_history", "futility", "late_move_pruning", "history_pruning", "see_pruning", "late_move_reductions",
    "adaptive_re_search", "killer_moves", "quiet_history", "continuation_history", "quiescence_see", "quiescence_futility",
];
const HEAD = ["technique", "live_elo", "live_error", "live_pairs", "live_seconds", "ablate_elo", "ablate_error", "ablate_pairs"];
const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** A generator of its own, so that the order of openings can be had again. */
function random(seed) {
    let state = seed >>> 0;
    return () => {
        state = (state + 0x9e3779b9) >>> 0;
        let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
        mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
        return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
    };
}

function openings(number) {
    const next = random(1000 * SEED + number), lines = readFileSync(path.join(ROOT, "books/standard.epd"), "utf8").trimEnd().split("\n");
    return lines.map(line => ({ line, key: next() })).sort((a, b) => a.key - b.key).map(({ line }) => line);
}

/** The state of a live match after GAMES games, as the page shows it. */
async function playLive(wasm, technique, number) {
    const luft = await Luft.load(readFileSync(wasm), readFileSync(path.join(ROOT, "nets/web/luft-web-2.nnue")), { suspend: false });
    luft.engine({ Hash: HASH });
    const lessons = luft.call("luft_lessons_create"), at = luft.allocate(4);
    const refuse = reason => { if (reason !== null) throw new Error(reason); };
    refuse(luft.text(luft.call("luft_lessons_begin_match", lessons, technique, NODES)));
    const book = openings(number), began = process.cpuUsage().user;
    for (let pair = 0; pair < GAMES / 2; pair++) refuse(luft.text(luft.call("luft_lessons_play_pair", lessons, book[pair % book.length], at)));
    const state = JSON.parse(luft.text(luft.view().getUint32(at, true)));
    return { ...state, seconds: (process.cpuUsage().user - began) / 1e6 };
}

/** The row that `luft-lab ablate` writes. */
function playAblate(programs, technique) {
    const folder = mkdtempSync(path.join(os.tmpdir(), "live-"));
    try {
        execFileSync(path.join(programs, "luft-lab"), ["ablate", technique, "--engine", path.join(programs, "luft"), "--nodes", NODES,
            "--hash", HASH, "--games", GAMES, "--adjudicate", "--runs", "0", "--book", path.join(ROOT, "books/standard.epd"),
            "--seed", SEED, "--folder", path.join(folder, "ablation"), "--results", path.join(folder, "results.tsv"), "--quiet"].map(String),
            { stdio: ["ignore", "ignore", "inherit"] });
        const [head, row] = readFileSync(path.join(folder, "results.tsv"), "utf8").trimEnd().split("\n").slice(-2).map(line => line.split("\t"));
        return Object.fromEntries(head.map((name, i) => [name, row[i]]));
    } finally {
        rmSync(folder, { recursive: true });
    }
}

const [wasm, programs, file, only] = process.argv.slice(2);
if (!file) {
    console.error("usage: node tests/tools/live_matches.mjs LESSONS.WASM FOLDER-OF-PROGRAMS RESULTS.TSV [TECHNIQUE]");
    process.exit(2);
}
if (!existsSync(file)) writeFileSync(file, `${HEAD.join("\t")}\n`);
const known = new Set(readFileSync(file, "utf8").split("\n").map(line => line.split("\t")[0]));
for (const [number, technique] of TECHNIQUES.entries()) {
    if (known.has(technique) || (only && only !== technique)) continue;
    const live = await playLive(wasm, technique, number), ablate = playAblate(programs, technique);
    const values = [technique, live.elo, live.error, live.pairs.join(" "), live.seconds.toFixed(1), ablate.elo, ablate.error, ablate.pentanomial];
    appendFileSync(file, `${values.join("\t")}\n`);
    console.error(values.join("  "));
}

const rows = readFileSync(file, "utf8").trimEnd().split("\n").slice(1).map(line => line.split("\t")).filter(([name]) => TECHNIQUES.includes(name));
const signed = elo => (elo >= 0 ? "+" : "−") + Math.abs(elo).toFixed(0);
let within = 0;
console.log("| technique | live match | ablate | difference | combined error |\n| --- | --- | --- | --- | --- |");
for (const [technique, liveElo, liveError, , , ablateElo, ablateError] of rows) {
    const difference = liveElo - ablateElo, error = Math.hypot(liveError, ablateError);
    if (Math.abs(difference) < error) within++;
    console.log(`| \`${technique}\` | ${signed(liveElo)} ± ${(+liveError).toFixed(0)} | ${signed(ablateElo)} ± ${(+ablateError).toFixed(0)} `
        + `| ${signed(difference)} | ${error.toFixed(0)} |`);
}
console.log(`\n${within} of ${rows.length} differ by less than the combined error.`);
