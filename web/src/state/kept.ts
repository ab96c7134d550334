// What the analysis has found of positions: it is there again when one of them is opened, also after a reload. Each row has the
// fields of the store of the programs (docs/store.md). Results of another engine or network are not shown.

import type { Info } from "luft/async.mjs";
import { moduleName, networkName } from "../engine/files";
import { loadLines, renewLines } from "./database";
import { engineState } from "./engines.svelte";
import { forget, recall, remember } from "./storage";

/** The lines of a position. Scores are those of the side to move, as the engine says them. */
export interface KeptLines {
    id: string; // the position: a FEN without its counters
    version: string; // of the engine, for whoever reads it
    module: string; // that engine's file
    net: string;
    date: number; // milliseconds since 1970
    lines: Info[]; // by rank: depth, nodes, bound, score, line
}

export const LEAST_DEPTH = 14; // what is found in less than a second is not kept
const MOST = 1000; // positions, the latest
const DELAY = 10_000; // milliseconds until what is new is saved
const LEFT = "luft-left-lines"; // key: what the page had no time to save when it closed

const idOf = (fen: string): string => fen.split(" ").slice(0, 4).join(" ");

const COUNTS = ["depth", "selectiveDepth", "rank", "score", "bound", "win", "draw", "loss", "nodes", "time", "hashFull"] as const;

/** Whether a row from storage is one. */
function isRow(row: KeptLines): boolean {
    const isLine = (info: Info) => COUNTS.every(name => Number.isFinite(info[name])) && typeof info.isMate === "boolean"
        && Array.isArray(info.line) && info.line.length > 0 && info.line.every(move => typeof move === "string");
    try {
        return [row.id, row.version, row.module, row.net].every(text => typeof text === "string") && Number.isFinite(row.date)
            && row.lines.length > 0 && row.lines.every(isLine);
    } catch {
        return false;
    }
}

const rows = new Map<string, KeptLines>(); // the oldest first
const unsaved = new Set<string>();
let timer: ReturnType<typeof setTimeout> | undefined;

function put(row: KeptLines): void {
    rows.delete(row.id);
    rows.set(row.id, row);
}

/** Loads what earlier visits have found. */
export async function loadKept(): Promise<void> {
    let left: KeptLines[] = [];
    try {
        left = (JSON.parse(recall(LEFT) ?? "[]") as KeptLines[]).filter(isRow);
    } catch {
        // Only the latest seconds are missing.
    }
    const found = await loadLines().catch(() => [] as KeptLines[]), own = [...rows.values()];
    rows.clear();
    for (const row of [...[...found.filter(isRow), ...left].sort((a, b) => a.date - b.date), ...own]) put(row);
    for (const { id } of left) unsaved.add(id);
    if (left.length > 0) void saveKept().then(() => forget(LEFT));
}

/** What is known of a position, at least so many lines of it; undefined: nothing by this engine. */
export function keptOf(fen: string, lines: number): KeptLines | undefined {
    const row = rows.get(idOf(fen));
    return row && row.module === moduleName && row.net === networkName && row.lines.length >= lines ? row : undefined;
}

/** Keeps the lines of a position, unless deeper ones of as many moves are known. */
export function keep(fen: string, lines: readonly Info[]): void {
    const [first] = lines, id = idOf(fen), known = keptOf(fen, lines.length);
    if (!first || first.rank !== 1 || first.depth < LEAST_DEPTH) return;
    if (known && known.lines[0]!.depth > first.depth) return;
    put({ id, version: engineState.version, module: moduleName, net: networkName, date: Date.now(), lines: lines.map(info => ({ ...info })) });
    unsaved.add(id);
    timer ??= setTimeout(() => void saveKept(), DELAY);
}

/** Where the browser refuses, what was found lasts for this visit. */
export async function saveKept(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const values = [...unsaved].flatMap(id => rows.get(id) ?? []), gone = [...rows.keys()].slice(0, Math.max(0, rows.size - MOST));
    unsaved.clear();
    for (const id of gone) rows.delete(id);
    if (values.length > 0) await renewLines(values.filter(({ id }) => rows.has(id)), gone).catch(() => {});
}

/** Called when the page closes: the database is too slow then. */
export function leaveKept(): void {
    const values = [...unsaved].flatMap(id => rows.get(id) ?? []);
    if (values.length > 0) remember(LEFT, JSON.stringify(values));
}
