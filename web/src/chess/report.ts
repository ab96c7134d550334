// The report of a game: a layer on top of the user's own signs, comments and variations, which it never touches.

import { isMistake, TreeNode, type Evaluation, type GameTree } from "./tree";
import { fenOf, readMove, sanOf } from "./position";
import { centipawnsOf } from "./score";

/** What a mistake has in common with others, in the names of docs/explain.md. */
export interface Why {
    cause: string; // or else the reason
    motif: string; // "none"
    isMissed: boolean; // the better move mates, wins material or draws, and this one does not; else it allows or loses something
}

/** What the engine says of a position of the main line, and of the move that led to it. */
export interface Verdict {
    evaluation: Evaluation;
    nag: number; // 0: none
    loss: number; // of expected score, 0 to 1
    better: string[]; // the line of the better move, in UCI; [] unless the move is a mistake
    words?: string; // what is wrong with the mistake, in the report's language
    given?: number; // points of material that the move gives away in a game that was decided: no mistake, but worth practising
    why?: Why; // undefined: the explanation finds nothing wrong
}

export interface SideReport {
    accuracy: number; // percent
    moves: number;
    counts: Record<number, number>; // by NAG
}

export interface Report {
    line: string[]; // the main line as it was, in UCI
    nodes?: number; // of each search: what a deeper review multiplies. Reports of earlier versions do not say it
    asked?: number; // nodes of each explanation
    language?: string; // of its words. Reports of earlier versions do not say it
    verdicts: Verdict[]; // the first one is of the first position
    white: SideReport;
    black: SideReport;
}

/** Of expected score. A move that changes more and is no mistake shows that one of two searches has missed something. */
export const JUMP = 0.05;
const SLACK = 0.045; // between a verdict and the scores around it
const LEAST = 0.003; // expected score that is drawn for a position that is not decided

/** The same position with another expected score, and the centipawns that belong to it. */
function withExpected({ fen }: TreeNode, { depth }: Evaluation, wanted: number): Evaluation {
    const expected = Math.min(Math.max(wanted, LEAST), 1 - LEAST);
    return { cp: centipawnsOf(expected, fen), expected, depth };
}

/** One judgement for graph and signs: the score before a move follows from the one after it, which has seen more, and from what
 *  the move costs. From the end of the game to its beginning, a score is moved as little as that needs. `nodes` are those of
 *  the verdicts. */
export function smoothed(verdicts: readonly Verdict[], nodes: readonly TreeNode[]): Verdict[] {
    const result = [...verdicts];
    for (let i = result.length - 1; i > 0; i--) {
        const { evaluation: after, nag, loss } = result[i]!, before = result[i - 1]!, sign = nodes[i]!.isWhitesMove ? 1 : -1;
        const [least, most] = isMistake(nag) ? [Math.max(JUMP, loss - SLACK), loss + SLACK] : [-SLACK, SLACK];
        const lost = sign * (before.evaluation.expected - after.expected), wanted = Math.min(Math.max(lost, least), most);
        if (wanted === lost) continue;
        result[i - 1] = { ...before, evaluation: withExpected(nodes[i - 1]!, before.evaluation, after.expected + sign * wanted) };
    }
    return result;
}

/** The verdicts by their nodes, as far as the moves are still in the tree. */
export function verdictsOf(tree: GameTree, { line, verdicts }: Pick<Report, "line" | "verdicts">): Map<TreeNode, Verdict> {
    const found = new Map<TreeNode, Verdict>();
    let at: TreeNode | undefined = tree.root;
    for (const [i, verdict] of verdicts.entries()) {
        if (i > 0) at = at.children.find(child => child.uci === line[i - 1]);
        if (!at) break;
        found.set(at, verdict);
    }
    return found;
}

const lines = new WeakMap<Verdict["better"], TreeNode>();

/** The first node of a better line. Its nodes are not in the tree: they are drawn next to it, and the user may walk along them. */
export function betterLine(parent: TreeNode, verdict: Verdict): TreeNode | undefined {
    const known = lines.get(verdict.better);
    if (known?.parent === parent) return known;
    let first: TreeNode | undefined, at = parent;
    const pos = parent.position;
    for (const uci of verdict.better) {
        const move = readMove(pos, uci);
        if (!move) break;
        const san = sanOf(pos, move);
        pos.play(move);
        const node = new TreeNode(at, uci, san, fenOf(pos), at.ply + 1);
        if (first) at.children = [node];
        first ??= node;
        at = node;
    }
    if (first) lines.set(verdict.better, first);
    return first;
}

/** The report without the words of another language. */
export function inLanguage(report: Report, language: string): Report {
    if (!report.language || report.language === language) return report;
    return { ...report, language, verdicts: report.verdicts.map(verdict => withWords(verdict, undefined)) };
}

/** The verdict with other words. Whoever walks along its better line stays there. */
export function withWords({ words: _, ...verdict }: Verdict, words: string | undefined): Verdict {
    return { ...verdict, ...(words !== undefined && { words }) };
}

/** A report from storage: undefined for anything that the page could not draw. */
export function reportFrom(value: unknown): Report | undefined {
    const report = value as Report | undefined;
    const isSide = (side: SideReport) => Number.isFinite(side.accuracy) && Number.isFinite(side.moves) && typeof side.counts === "object";
    const isVerdict = ({ evaluation, nag, better, words, given = 0, why }: Verdict) => Number.isFinite(evaluation.expected) && Number.isInteger(nag)
        && Number.isFinite(given)
        && [...better, words ?? "", why?.cause ?? "", why?.motif ?? ""].every(text => typeof text === "string");
    try {
        const isCount = (count: number | undefined) => count === undefined || (Number.isInteger(count) && count > 0);
        const good = report && isCount(report.nodes) && isCount(report.asked) && ["undefined", "string"].includes(typeof report.language)
            && report.line.every(uci => typeof uci === "string") && report.verdicts.every(isVerdict)
            && isSide(report.white) && isSide(report.black);
        return good ? report : undefined;
    } catch {
        return undefined;
    }
}

/** Whether the report has something to say of a move: it is a mistake, or gives a piece away. */
export const isNoted = ({ nag, given }: Verdict): boolean => isMistake(nag) || given !== undefined;

/** The mistake that a node's move is, by the report or else by the user's sign. */
export const mistakeOf = (node: TreeNode, verdict: Verdict | undefined): number | undefined =>
    verdict && isMistake(verdict.nag) ? verdict.nag : node.nags.find(isMistake);
