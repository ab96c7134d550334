// A game with its variations. Each node is a position; its first child continues the main line.

import type { CommentShape } from "chessops/pgn";
import { History } from "./history";
import type { Report } from "./report";
import { INITIAL_FEN, fenOf, isChess960, positionOf, readMove, sanOf, uciOf, type Chess, type Color } from "./position";

/** The result of a search of a position, from White's view. */
export interface UciPosition {
    fen: string;
    moves: string[]; // in UCI notation, castling as king takes rook
}

export interface Evaluation {
    cp?: number;
    mate?: number; // moves; 0: the side to move is mated
    expected: number; // score of the game for White, 0 to 1
    depth: number;
    provisional?: boolean; // from live analysis; not written to PGN
}

/** Whether a NAG marks a mistake, a blunder or an inaccuracy. */
export const isMistake = (nag: number): boolean => [2, 4, 6].includes(nag);

/** Whether a NAG says how good a move is ("!" to "?!", and "the only move"). */
export const isMoveSign = (nag: number): boolean => nag >= 1 && nag <= 7;

export class TreeNode {
    children: TreeNode[] = []; // after reading, these fields change through GameTree.history only
    comment = "";
    commentBefore = ""; // PGN allows a comment before the move
    nags: number[] = [];
    shapes: CommentShape[] = [];
    clock: number | undefined; // seconds
    evaluation: Evaluation | undefined;

    constructor(
        readonly parent: TreeNode | null,
        readonly uci: string, // "" at the root
        readonly san: string,
        readonly fen: string,
        readonly ply: number, // half-moves since move 1 of White
    ) {}

    get root(): TreeNode {
        let node: TreeNode = this;
        while (node.parent) node = node.parent;
        return node;
    }

    /** The nodes from the first move to this one. */
    get path(): TreeNode[] {
        const nodes: TreeNode[] = [];
        for (let node: TreeNode = this; node.parent; node = node.parent) nodes.unshift(node);
        return nodes;
    }

    /** This node and the main line after it. */
    get line(): TreeNode[] {
        const nodes: TreeNode[] = [];
        for (let node: TreeNode | undefined = this; node; node = node.children[0]) nodes.push(node);
        return nodes;
    }

    /** The clock of a side when it last had one, in seconds. */
    clockOf(color: Color): number | undefined {
        return this.path.findLast(node => node.isWhitesMove === (color === "white") && node.clock !== undefined)?.clock;
    }

    /** The node after a legal move, added if it is new. */
    child(uci: string, san: string, fen: string): TreeNode {
        const known = this.children.find(child => child.uci === uci);
        if (known) return known;
        const node = new TreeNode(this, uci, san, fen, this.ply + 1);
        this.children.push(node);
        return node;
    }

    get position(): Chess { return positionOf(this.fen); }
    get uciPosition(): UciPosition { return { fen: this.root.fen, moves: this.path.map(node => node.uci) }; }
    /** Whether the node can be reached from the root; the nodes of a report's better line cannot. */
    get isAttached(): boolean { return this.path.every(node => node.parent!.children.includes(node)); }
    get isWhitesMove(): boolean { return this.ply % 2 === 1; } // whether White made the move that led here
    get number(): number { return Math.ceil(this.ply / 2); }
}

export class GameTree {
    readonly root: TreeNode;
    readonly history = new History<TreeNode>();
    headers: ReadonlyMap<string, string> = new Map();
    report: Report | undefined;

    constructor(fen: string = INITIAL_FEN) {
        const pos = positionOf(fen);
        const ply = 2 * (pos.fullmoves - 1) + (pos.turn === "white" ? 0 : 1);
        this.root = new TreeNode(null, "", "", fenOf(pos), ply);
    }

    get isStandard(): boolean { return this.root.fen === INITIAL_FEN; }
    get isChess960(): boolean { return isChess960(this.root.position); }

    /** The main line, without variations. */
    get mainline(): TreeNode[] { return this.root.line.slice(1); }

    /** The node after a legal move, added if it is new; undefined if the text is no legal move. */
    play(at: TreeNode, text: string): TreeNode | undefined {
        const pos = at.position;
        const move = readMove(pos, text);
        if (!move) return undefined;
        const uci = uciOf(move), known = at.children.find(child => child.uci === uci);
        if (known) return known;
        const san = sanOf(pos, move);
        pos.play(move);
        return this.add(new TreeNode(at, uci, san, fenOf(pos), at.ply + 1));
    }

    add(node: TreeNode): TreeNode {
        this.history.set(node.parent!, "children", [...node.parent!.children, node]);
        return node;
    }

    /** The node of the tree after the same moves; added, with those before it, if it is not there. */
    attach(node: TreeNode): TreeNode {
        if (node.isAttached) return node;
        return node.path.reduce((at, { uci }) => this.play(at, uci) ?? at, this.root);
    }

    /** Makes the variation that leads to this node the main line at its branch point. */
    promote(node: TreeNode): void {
        for (let at: TreeNode = node; at.parent; at = at.parent) {
            const siblings = at.parent.children, first = at;
            if (siblings[0] === first) continue;
            return this.history.set(at.parent, "children", [first, ...siblings.filter(other => other !== first)]);
        }
    }

    /** Removes the node and all after it; returns its parent. */
    remove(node: TreeNode): TreeNode {
        const parent = node.parent;
        if (!parent) return node;
        this.history.set(parent, "children", parent.children.filter(child => child !== node));
        return parent;
    }

    isMain(node: TreeNode): boolean {
        return node.path.every(at => at.parent!.children[0] === at);
    }

    /** The node after these moves, or after as many of them as there are. */
    nodeAfter(moves: readonly string[]): TreeNode {
        let at = this.root;
        for (const uci of moves) {
            const next = at.children.find(child => child.uci === uci);
            if (!next) break;
            at = next;
        }
        return at;
    }

    /** The place of a node: moves along the first children, then the number of a variation, and so on: "12.1.3". */
    placeOf(node: TreeNode): string {
        const steps = [0];
        for (const at of node.path) {
            const nth = at.parent!.children.indexOf(at);
            if (nth < 0) break;
            if (nth > 0) steps.push(nth, 0);
            else steps[steps.length - 1]!++;
        }
        return steps.join(".");
    }

    /** The node at a place, or as near to it as there is one. */
    nodeAt(place: string): TreeNode {
        let at = this.root;
        for (const [i, text] of place.split(".").entries()) {
            const count = Number(text);
            const next = i % 2 === 1 ? at.children[count] : at.line[Math.min(count, at.line.length - 1)];
            if (!next) break;
            at = next;
        }
        return at;
    }
}
