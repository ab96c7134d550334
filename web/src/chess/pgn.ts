// From what the engine reads (protocol.ts) to the tree of a game, and from the tree to PGN.

import { ChildNode, Node, defaultGame, isMate, makeComment, makePgn, parseComment, type PgnNodeData } from "chessops/pgn";
import { parseUci } from "chessops/util";
import type { ReadGame, ReadLine } from "luft/async.mjs";
import { nameOf } from "./names";
import { outcomeOf } from "./outcome";
import { fenOf } from "./position";
import { betterLine, verdictsOf, type Verdict } from "./report";
import { expectedOfCentipawns } from "./score";
import { GameTree, isMoveSign, type TreeNode } from "./tree";

const MOST_MOVES = 10_000; // of a game with its variations: all are drawn

/** The tree of a game that was read, and how many of its moves are too many for it. Throws when the page cannot show its start. */
export function treeOf(game: ReadGame): { tree: GameTree; missing: number } {
    const tree = new GameTree(game.fen), own = ["FEN", "SetUp", "Variant"];
    const headers = new Map(game.tags.filter(isKnown).filter(([name]) => !own.includes(name)));
    if (game.result !== "*" || headers.has("Result")) headers.set("Result", game.result);
    tree.headers = headers;
    addComments(tree.root, game.comments);
    const queue: { from: TreeNode; read: ReadLine; beside: TreeNode }[] = [
        { from: tree.root, read: { comments: [], line: game.line }, beside: tree.root }];
    let left = MOST_MOVES + 1, taken = 0; // variations count, too
    for (const { from, read, beside } of queue) {
        const pos = from.position;
        let at = from;
        if (left-- <= 0) break;
        if (read.line.length === 0) beside.comment = joined(beside.comment, ...read.comments);
        for (const move of read.line) {
            if (left-- <= 0) break;
            taken++;
            pos.play(parseUci(move.uci)!);
            const node = at.child(move.uci, move.san, fenOf(pos));
            if (at === from) node.commentBefore = joined(node.commentBefore, ...read.comments);
            node.nags = [...new Set([...node.nags, ...move.nags])];
            addComments(node, move.comments);
            for (const variation of move.variations) queue.push({ from: at, read: variation, beside: node });
            at = node;
        }
    }
    return { tree, missing: left < 0 ? movesIn(game) - taken : 0 };
}

function movesIn(game: ReadLine): number {
    const queue = [game];
    let count = 0;
    for (const { line } of queue) {
        count += line.length;
        for (const { variations } of line) for (const variation of variations) queue.push(variation);
    }
    return count;
}

const joined = (...comments: string[]): string => comments.join(" ").replace(/\s+/g, " ").trim();

/** A variation may begin with a move that is there already, with comments of its own. */
function addComments(node: TreeNode, texts: string[]): void {
    const comments = texts.map(parseComment);
    node.comment = joined(node.comment, ...comments.map(({ text }) => text));
    for (const { shapes, clock, evaluation } of comments) {
        node.shapes.push(...shapes);
        if (clock !== undefined) node.clock = clock;
        if (!evaluation) continue;
        const depth = evaluation.depth ?? 0;
        node.evaluation = isMate(evaluation)
            ? { mate: evaluation.mate, expected: evaluation.mate > 0 ? 1 : 0, depth }
            : { cp: Math.round(evaluation.pawns * 100), expected: expectedOfCentipawns(evaluation.pawns * 100), depth };
    }
}

/** The result that the moves show where the headers name none. */
function resultOf(tree: GameTree): string {
    const end = outcomeOf(tree.root.line.at(-1)!);
    if (!end || end.byClaim) return "*";
    return end.winner ? (end.winner === "white" ? "1-0" : "0-1") : "1/2-1/2";
}

type SignNames = Readonly<Record<number, string>>;

/** The game as PGN. With names for its signs, what its report found is added, marked as Luft's, where the user says nothing
 *  else. */
export function writePgn(tree: GameTree, names?: SignNames): string {
    const headers = new Map<string, string>();
    for (const [name, value] of [["Event", "?"], ["Site", "?"], ["Date", "????.??.??"], ["Round", "?"], ["White", "?"],
                                 ["Black", "?"], ["Result", "*"], ...tree.headers] as [string, string][])
        headers.set(name, value);
    if (headers.get("Result") === "*") headers.set("Result", resultOf(tree));
    if (!tree.isStandard) headers.set("SetUp", "1").set("FEN", tree.root.fen);
    if (!tree.isStandard && tree.isChess960) headers.set("Variant", "Chess960");
    const game = defaultGame<PgnNodeData>(() => headers);
    const comment = commentOf(tree.root, undefined);
    if (comment) game.comments = [comment];
    const verdicts = names && tree.report ? verdictsOf(tree, tree.report) : new Map<TreeNode, Verdict>();
    const queue: [TreeNode, Node<PgnNodeData>][] = [[tree.root, game.moves]];
    for (const [from, to] of queue) {
        for (const node of from.children) queue.push([node, writeNode(node, to, verdicts.get(node), names)]);
        const verdict = from.children[0] && verdicts.get(from.children[0]);
        if (!verdict || from.children.some(({ uci }) => uci === verdict.better[0])) continue;
        for (let node = betterLine(from, verdict), at = to; node; node = node.children[0]) {
            at = writeNode(node, at, undefined);
            if (node.parent === from) (at as ChildNode<PgnNodeData>).data.startingComments = [BY_LUFT];
        }
    }
    return makePgn(game);
}

const BY_LUFT = "Luft";

function writeNode(node: TreeNode, to: Node<PgnNodeData>, verdict: Verdict | undefined, names: SignNames = {}): ChildNode<PgnNodeData> {
    const data: PgnNodeData = { san: node.san }, sign = node.nags.some(isMoveSign) ? 0 : verdict?.nag ?? 0;
    const nags = sign ? [sign, ...node.nags] : node.nags;
    if (nags.length > 0) data.nags = nags;
    if (node.commentBefore) data.startingComments = [clean(node.commentBefore)];
    const comment = commentOf(node, verdict, sign ? names[sign] : undefined);
    if (comment) data.comments = [comment];
    const child = new ChildNode(data);
    to.children.push(child);
    return child;
}

/** `sign`: the name of that of the report, which needs a word of Luft's, too. */
function commentOf(node: TreeNode, verdict: Verdict | undefined, sign = ""): string {
    const known = verdict?.evaluation ?? node.evaluation, found = known?.provisional ? undefined : known;
    const words = verdict?.words || sign;
    return makeComment({
        text: clean([node.comment, ...(words ? [`${BY_LUFT}: ${words}`] : [])].filter(text => text).join(" ")),
        shapes: node.shapes,
        ...(node.clock !== undefined && { clock: node.clock }),
        ...(found?.mate !== undefined && found.mate !== 0 && { evaluation: { mate: found.mate, depth: found.depth } }),
        ...(found?.cp !== undefined && { evaluation: { pawns: found.cp / 100, depth: found.depth } }),
    }).trim();
}

/** PGN cannot represent a brace inside a comment. */
const clean = (text: string): string => text.replace(/[{}]/g, "").trim();

const MOST_HEAD = 60; // letters of a comment that name a position
/** The first words of a comment. */
const headOf = (comment: string): string => (comment.length > MOST_HEAD ? `${comment.slice(0, MOST_HEAD).replace(/\s+\S*$/, "")} …` : comment).replaceAll(/\s+/g, " ");

/** A name for lists: that of the headers, or the first moves. */
function title(headers: ReadonlyMap<string, string>, moves: string[], fen: string, comment = ""): string {
    const named = nameOf(headers);
    if (named) return named;
    const first = fen.split(" "), number = Number(first[5]) || 1, shift = first[1] === "b" ? 1 : 0;
    const numbered = moves.slice(0, 6).map((san, i) => ((i + shift) % 2 === 0 ? `${number + (i + shift) / 2}. ${san}` : san));
    return numbered.join(" ") || headOf(comment) || first.slice(0, 2).join(" ");
}

const isKnown = ([, value]: [string, string]) => value !== "?" && value !== "????.??.??";

export const titleOf = (tree: GameTree): string => title(tree.headers, tree.mainline.slice(0, 6).map(node => node.san), tree.root.fen, tree.root.comment);
export const titleOfGame = (game: ReadGame): string =>
    title(new Map(game.tags.filter(isKnown)), game.line.slice(0, 6).map(move => move.san), game.fen);

/** A name for a file: letters and digits only. */
/** A date as PGN has it, 2026.03.13, from 13.3.2026, 2026-3-13 or 2026; anything else as it is. */
export function dateTag(text: string): string {
    const found = /^(?<day>\d{1,2})\.(?<month>\d{1,2})\.(?<year>\d{4})$/.exec(text.trim())
        ?? /^(?<year>\d{4})(?:[-./](?<month>\d{1,2})(?:[-./](?<day>\d{1,2}))?)?$/.exec(text.trim());
    const { year, month = "??", day = "??" } = found?.groups ?? {};
    return year ? [year, month.padStart(2, "0"), day.padStart(2, "0")].join(".") : text;
}

export function fileNameOf(tree: GameTree): string {
    const words = `${titleOf(tree)} ${tree.headers.get("Date") ?? ""}`.match(/[\p{L}\p{N}]+/gu) ?? [];
    return `${words.join("-").slice(0, 80) || "luft"}.pgn`;
}
