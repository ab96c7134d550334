// Reads the trace of any engine's search, as docs/trace.md describes it, into the tree that the page draws.

import { fenOf, passed, positionOf, readMove, sanOf, uciOf, type Chess } from "../chess/position";
import type { Folded, SkippedMoves, Tree, TreeAct, TreeChild, TreeNode } from "luft/answers.mjs";
import { texts } from "../texts";

const MATE = 30000, NEAR_MATE = 1000; // centipawns: mates are at most so far from MATE
const MATE_UNITS = 31500;
const NODES_DRAWN = 4000; // the largest ones
const PLY_MAX = 250;

interface Line {
    at: number; // in the file, from 1
    ply: number; fen?: string; move?: string; depth: number; alpha: number; beta: number; static?: number; score: number; nodes?: number;
    rule?: string; numbers?: Record<string, number>; skipped?: string[]; children: Line[];
}

export interface Traced { tree: Tree; fen: string; problem: string } // one sentence, or ""

const whole = (value: unknown): value is number => Number.isInteger(value);
const numbersOf = (value: unknown): boolean => typeof value === "object" && value !== null && Object.values(value).every(whole);

/** What is wrong with a line: the name of a field; "" if nothing is. */
function fault(line: Record<string, unknown>): string {
    const { ply, rule, numbers, skipped, move, fen, nodes } = line;
    if (!whole(ply) || ply < 0 || ply > PLY_MAX) return "ply";
    if (rule !== undefined && typeof rule !== "string") return "rule";
    if (numbers !== undefined && !numbersOf(numbers)) return "numbers";
    if (skipped !== undefined)
        return ply > 0 && rule !== undefined && Array.isArray(skipped) && skipped.every(uci => typeof uci === "string") ? "" : "skipped";
    for (const name of ["depth", "alpha", "beta", "score"]) if (!whole(line[name])) return name;
    if (nodes !== undefined && (!whole(nodes) || nodes < 1)) return "nodes";
    if (line.static !== undefined && !whole(line.static)) return "static";
    return typeof (ply === 0 ? fen : move) === "string" ? "" : ply === 0 ? "fen" : "move";
}

class Problems {
    count = 0;
    first = "";
    add(at: number, what: string): void {
        if (this.count++ === 0) this.first = texts.explain.traceLine(at, what);
    }
    get sentence(): string { return this.count > 0 ? texts.explain.traceProblem(this.count, this.first) : ""; }
}

/** The last tree of the file: the children of a line are those a ply deeper since the last line of its ply or less. */
function linesOf(text: string, problems: Problems): Line | undefined {
    let root: Line | undefined, above: Line[][] = [];
    for (const [i, row] of text.split("\n").entries()) {
        if (!row.trim()) continue;
        let line: Line;
        try {
            line = JSON.parse(row) as Line;
        } catch {
            problems.add(i + 1, "JSON");
            continue;
        }
        const wrong = typeof line === "object" && line !== null ? fault(line as unknown as Record<string, unknown>) : "JSON";
        if (wrong) {
            problems.add(i + 1, wrong);
            continue;
        }
        line.at = i + 1;
        line.children = line.skipped ? [] : above[line.ply + 1] ?? [];
        if (!line.skipped) above = above.slice(0, line.ply + 1);
        (above[line.ply] ??= []).push(line);
        if (line.ply === 0 && !line.skipped) {
            root = line;
            above = [];
        }
    }
    return root;
}

const sizeOf = (line: Line): number => (line.nodes ??= 1 + line.children.reduce((sum, child) => sum + (child.skipped ? 0 : sizeOf(child)), 0));

const units = (cp: number): number =>
    Math.abs(cp) > MATE - NEAR_MATE ? Math.sign(cp) * MATE_UNITS : Math.sign(cp) * Math.ceil((Math.abs(cp) * UNITS_PER_PAWN) / 100);

const wordsOf = ({ numbers = {} }: Line): string => Object.entries(numbers).map(([name, value]) => `${name} ${value}`).join(", ");

class Builder {
    constructor(private least: number, private problems: Problems) {}

    /** The children of a node; the lines of small ones are folded into one. */
    #children(line: Line, position: Chess): TreeChild[] {
        const folded: Folded = { folded: 0, nodes: 0 };
        const children = line.children.flatMap(child => {
            if (child.skipped) return this.#skipped(child, position) ?? [];
            if (sizeOf(child) >= this.least) return this.#node(child, position) ?? [];
            folded.folded++;
            folded.nodes += sizeOf(child);
            return [];
        });
        return folded.folded > 0 ? [...children, folded] : children;
    }

    #skipped(line: Line, position: Chess): SkippedMoves | undefined {
        const moves = line.skipped!.flatMap(uci => {
            const move = readMove(position, uci);
            if (!move) this.problems.add(line.at, uci);
            return move ? [{ uci: uciOf(move), san: sanOf(position, move) }] : [];
        });
        return moves.length > 0 ? { skipped_by: line.rule!, count: moves.length, moves, words: wordsOf(line) } : undefined;
    }

    #node(line: Line, before: Chess): TreeNode | undefined {
        const isPass = line.move === "0000", move = isPass ? undefined : readMove(before, line.move!);
        const position = isPass ? passed(before) : before.clone();
        if (!position || (!isPass && !move)) {
            this.problems.add(line.at, line.move!);
            return undefined;
        }
        const node = this.node(line, (move && position.play(move), position));
        if (move) node.move = { uci: uciOf(move), san: sanOf(before, move) };
        if (isPass) node.purpose = "null move";
        return node;
    }

    node(line: Line, position: Chess): TreeNode {
        const { ply, depth, alpha, beta, score } = line, acts: TreeAct[] = [];
        if (line.rule) acts.push({ technique: line.rule, effect: "cuts", words: wordsOf(line) });
        const children = this.#children(line, position);
        const best = children.find((child): child is TreeNode => "purpose" in child && child.score === -units(score));
        if (best && score > alpha) best.best = true;
        return { purpose: "move", ply, depth, alpha: units(alpha), beta: units(beta), score: units(score),
                 bound: score <= alpha ? "upper" : score >= beta ? "lower" : "exact", best: false, nodes: sizeOf(line), acts, children };
    }
}

function startOf({ fen, at }: Line): Chess {
    try {
        return positionOf(fen!);
    } catch {
        throw new Error(texts.explain.traceEmpty(texts.explain.traceLine(at, "fen")));
    }
}

/** Throws, in words for the user, where there is no tree in it. */
export function readTrace(text: string): Traced {
    const problems = new Problems(), root = linesOf(text, problems);
    if (!root) throw new Error(texts.explain.traceEmpty(problems.first));
    const sizes: number[] = [], collect = (line: Line): void => {
        if (line.skipped) return;
        sizes.push(sizeOf(line));
        line.children.forEach(collect);
    };
    collect(root);
    const least = sizes.sort((a, b) => b - a)[NODES_DRAWN] ?? 0;
    const position = startOf(root);
    const tree = new Builder(least > 1 ? least + 1 : 1, problems).node(root, position);
    const best = tree.children.find((child): child is TreeNode => "purpose" in child && child.best === true)?.move;
    const score = Math.abs(root.score) > MATE - NEAR_MATE
        ? { mate: Math.sign(root.score) * Math.ceil((MATE - Math.abs(root.score)) / 2) } : { cp: root.score };
    return { fen: fenOf(position), problem: problems.sentence,
             tree: { without: [], set: {}, depth: root.depth, nodes: sizeOf(root), best: best ?? null, score, dropped: 0, root: tree } };
}
