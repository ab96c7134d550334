// From what the engine reads (protocol.ts) to the tree of a game, and from the tree to PGN.

import { ChildNode, Node, defaultGame, isMate, makeComment, makePgn, parseComment, type PgnNodeData } from "chessops/pgn";
import { parseUci } from "chessops/util";
import type { ReadGame, ReadLine, ReadMove } from "../engine/protocol";
import { fenOf } from "./position";
import { expectedOfCentipawns } from "./score";
import { GameTree, type TreeNode } from "./tree";

const MOST_MOVES = 10_000; // of a game with its variations: all are drawn

/** The tree of a game that was read, and whether all of it is there. Throws when the page cannot show its start. */
export function treeOf(game: ReadGame): { tree: GameTree; isWhole: boolean } {
    const tree = new GameTree(game.fen), own = ["FEN", "SetUp", "Variant"];
    tree.headers = new Map(game.tags.filter(isKnown).filter(([name]) => !own.includes(name)));
    if (game.result !== "*" || tree.headers.has("Result")) tree.headers.set("Result", game.result);
    tree.root.comment = joined(...game.comments);
    const queue: { from: TreeNode; read: ReadLine; beside: TreeNode }[] = [
        { from: tree.root, read: { comments: [], line: game.line }, beside: tree.root }];
    let left = MOST_MOVES + 1; // variations count, too
    for (const { from, read, beside } of queue) {
        const pos = from.position;
        let at = from;
        if (left-- <= 0) return { tree, isWhole: false };
        if (read.line.length === 0) beside.comment = joined(beside.comment, ...read.comments);
        for (const move of read.line) {
            if (left-- <= 0) return { tree, isWhole: false };
            pos.play(parseUci(move.uci)!);
            const node = at.child(move.uci, move.san, fenOf(pos));
            if (at === from) node.commentBefore = joined(node.commentBefore, ...read.comments);
            addNotes(node, move);
            for (const variation of move.variations) queue.push({ from: at, read: variation, beside: node });
            at = node;
        }
    }
    return { tree, isWhole: true };
}

const joined = (...comments: string[]): string => comments.join(" ").replace(/\s+/g, " ").trim();

/** A variation may begin with a move that is there already, with notes of its own. */
function addNotes(node: TreeNode, move: ReadMove): void {
    node.nags = [...new Set([...node.nags, ...move.nags])];
    const comments = move.comments.map(parseComment);
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

export function writePgn(tree: GameTree): string {
    const headers = new Map<string, string>();
    for (const [name, value] of [["Event", "?"], ["Site", "?"], ["Date", "????.??.??"], ["Round", "?"], ["White", "?"],
                                 ["Black", "?"], ["Result", "*"], ...tree.headers] as [string, string][])
        headers.set(name, value);
    if (!tree.isStandard) headers.set("SetUp", "1").set("FEN", tree.root.fen);
    if (!tree.isStandard && tree.isChess960) headers.set("Variant", "Chess960");
    const game = defaultGame<PgnNodeData>(() => headers);
    if (tree.root.comment) game.comments = [tree.root.comment];
    const queue: [TreeNode, Node<PgnNodeData>][] = [[tree.root, game.moves]];
    for (const [from, to] of queue) for (const node of from.children) queue.push([node, writeNode(node, to)]);
    return makePgn(game);
}

function writeNode(node: TreeNode, to: Node<PgnNodeData>): ChildNode<PgnNodeData> {
    const data: PgnNodeData = { san: node.san };
    if (node.nags.length > 0) data.nags = node.nags;
    if (node.commentBefore) data.startingComments = [clean(node.commentBefore)];
    const found = node.evaluation?.provisional ? undefined : node.evaluation;
    const comment = makeComment({
        text: clean(node.comment),
        shapes: node.shapes,
        ...(node.clock !== undefined && { clock: node.clock }),
        ...(found?.mate !== undefined && found.mate !== 0 && { evaluation: { mate: found.mate, depth: found.depth } }),
        ...(found?.cp !== undefined && { evaluation: { pawns: found.cp / 100, depth: found.depth } }),
    });
    if (comment) data.comments = [comment];
    const child = new ChildNode(data);
    to.children.push(child);
    return child;
}

/** PGN cannot represent a brace inside a comment. */
const clean = (text: string): string => text.replace(/[{}]/g, "").trim();

/** A name for lists: the players, or the first moves. */
function title(headers: Map<string, string>, moves: string[], fen: string): string {
    const white = headers.get("White"), black = headers.get("Black");
    if (white || black) return `${white ?? "?"} – ${black ?? "?"}`;
    const first = fen.split(" "), number = Number(first[5]) || 1, shift = first[1] === "b" ? 1 : 0;
    const numbered = moves.slice(0, 6).map((san, i) => ((i + shift) % 2 === 0 ? `${number + (i + shift) / 2}. ${san}` : san));
    return numbered.join(" ") || first.slice(0, 2).join(" ");
}

const isKnown = ([, value]: [string, string]) => value !== "?" && value !== "????.??.??";

export const titleOf = (tree: GameTree): string => title(tree.headers, tree.mainline.slice(0, 6).map(node => node.san), tree.root.fen);
export const titleOfGame = (game: ReadGame): string =>
    title(new Map(game.tags.filter(isKnown)), game.line.slice(0, 6).map(move => move.san), game.fen);
