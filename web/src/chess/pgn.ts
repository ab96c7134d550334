// Reads and writes PGN. Moves that cannot be read are reported; the rest of the game is kept.

import { ChildNode, Node, defaultGame, isMate, makeComment, makePgn, parseComment, parsePgn, startingPosition,
         type Game, type PgnNodeData } from "chessops/pgn";
import { expectedOfCentipawns } from "./score";
import { GameTree, type TreeNode } from "./tree";
import { INITIAL_FEN, fenOf, positionOf } from "./position";

export interface ReadGame {
    tree: GameTree;
    problems: string[]; // what was skipped, in words
}

const MOST_GAMES = 500;

/** The games in a text; [] when there are none. */
export function readPgn(text: string): ReadGame[] {
    return parsePgn(text.replace(/^\uFEFF/, ""))
        .filter(game => game.moves.children.length > 0 || game.headers.has("FEN"))
        .slice(0, MOST_GAMES)
        .map(readGame);
}

function readGame(game: Game<PgnNodeData>): ReadGame {
    const problems: string[] = [], start = startOf(game.headers), tree = start ?? new GameTree();
    if (!start) problems.push(`the start position of the game cannot be read: ${game.headers.get("FEN") ?? ""}`);
    tree.headers = new Map([...game.headers].filter(([, value]) => value !== "?" && value !== "????.??.??"));
    for (const gone of ["FEN", "SetUp", "Variant"]) tree.headers.delete(gone);
    if (start) {
        tree.root.comment = (game.comments ?? []).join(" ");
        readMoves(tree, game.moves, problems);
    }
    return { tree, problems };
}

/** undefined when the start position is not valid in standard chess, such as one without kings from another variant. */
function startOf(headers: Map<string, string>): GameTree | undefined {
    const fen = headers.get("FEN");
    try {
        return startingPosition(headers).isOk ? new GameTree(fen ? fenOf(positionOf(fen)) : INITIAL_FEN) : undefined;
    } catch {
        return undefined;
    }
}

/** Uses a queue instead of recursion, because a game may be longer than the stack is deep. */
function readMoves(tree: GameTree, moves: Node<PgnNodeData>, problems: string[]): void {
    const queue: [TreeNode, Node<PgnNodeData>][] = [[tree.root, moves]];
    for (const [at, from] of queue) {
        for (const child of from.children) {
            const node = tree.play(at, child.data.san);
            if (node) {
                readNotes(node, child);
                queue.push([node, child]);
            } else {
                const dots = at.ply % 2 === 0 ? "." : "...";
                problems.push(`${Math.floor(at.ply / 2) + 1}${dots} ${child.data.san} is not a legal move`);
            }
        }
    }
}

function readNotes(node: TreeNode, { data }: ChildNode<PgnNodeData>): void {
    node.nags = data.nags ?? [];
    node.commentBefore = (data.startingComments ?? []).join(" ");
    const texts: string[] = [];
    for (const comment of (data.comments ?? []).map(parseComment)) {
        if (comment.text) texts.push(comment.text);
        node.shapes.push(...comment.shapes);
        if (comment.clock !== undefined) node.clock = comment.clock;
        const found = comment.evaluation;
        if (!found) continue;
        node.evaluation = isMate(found)
            ? { mate: found.mate, expected: found.mate > 0 ? 1 : 0, depth: found.depth ?? 0 }
            : { cp: Math.round(found.pawns * 100), expected: expectedOfCentipawns(found.pawns * 100), depth: found.depth ?? 0 };
    }
    node.comment = texts.join(" ");
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
export function titleOf(tree: GameTree): string {
    const white = tree.headers.get("White"), black = tree.headers.get("Black");
    if (white || black) return `${white ?? "?"} – ${black ?? "?"}`;
    const moves = tree.mainline.slice(0, 6).map(node => (node.isWhitesMove ? `${node.number}. ${node.san}` : node.san));
    return moves.join(" ") || tree.root.fen.split(" ").slice(0, 2).join(" ");
}
