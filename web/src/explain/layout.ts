// The layout of a search tree: plies from left to right; the height of a box is its number of leaves.

import { otherColor, passed, readMove, type Chess, type Color } from "../chess/position";
import type { Folded, SkippedMoves, TreeChild, TreeNode } from "luft/async.mjs";

export type BoxKind = "line" | "searched" | "cut" | "quiescence" | "skipped" | "folded";

export interface Box {
    id: number;
    parent: Box | undefined;
    children: Box[];
    item: TreeChild;
    kind: BoxKind;
    level: number; // column
    top: number; // in leaves
    leaves: number;
    turn: Color; // side to move in the node
    rule: string; // ended the node or skipped the moves; "" if none did
    touched: { technique: string; effect: string }[]; // what else rules did here: a search, another depth, another value
}

export const isNode = (item: TreeChild): item is TreeNode => "purpose" in item;
export const isSkipped = (item: TreeChild): item is SkippedMoves => "skipped_by" in item;
export const isFolded = (item: TreeChild): item is Folded => "folded" in item;

/** The rule that ended a node. */
export function endedBy(node: TreeNode): { technique: string; words: string } | undefined {
    return node.acts?.find(act => act.effect === "cuts");
}

/** The rules that begin a search of their own, by its purpose. */
const BEGUN_BY: Record<string, string> = {
    "null move": "null_move", "verification": "null_move_verification", "probcut": "probcut", "singular": "singular_extensions", "razoring": "razoring",
};

/** What rules did to a node, but for the one that ended it. A move that is searched again was reduced at first. */
function touchedAt(item: TreeChild, parent: Box | undefined): Box["touched"] {
    if (!isNode(item)) return [];
    const begun = BEGUN_BY[item.purpose];
    const first = item.purpose === "move again" ? parent?.children.find(({ item: other }) => isNode(other) && other.move?.uci === item.move?.uci) : undefined;
    return [
        ...(begun ? [{ technique: begun, effect: "tries" }] : []),
        ...(first?.touched.filter(({ effect }) => effect === "reduces") ?? []),
        ...(item.changed_by ?? []), ...(item.acts ?? []).filter(({ effect }) => effect !== "cuts"),
    ];
}

function kindOf(item: TreeChild, parent: Box | undefined): BoxKind {
    if (isSkipped(item)) return "skipped";
    if (isFolded(item)) return "folded";
    if (!parent || (item.best && parent.kind === "line")) return "line";
    if (endedBy(item)) return "cut";
    return item.depth <= 0 ? "quiescence" : "searched";
}


/** Whether the side to move differs from the parent's: after a move or a null move. */
const turnsFrom = (item: TreeChild): boolean => isNode(item) && (item.move !== undefined || item.purpose === "null move");

/** All boxes, each parent before its children; the first is the root. */
export function layOut(root: TreeNode, turn: Color): Box[] {
    const boxes: Box[] = [];
    const place = (item: TreeChild, parent: Box | undefined, top: number): Box => {
        const box: Box = {
            id: boxes.length, parent, children: [], item, kind: kindOf(item, parent), level: parent ? parent.level + 1 : 0, top, leaves: 1,
            turn: parent ? (turnsFrom(item) ? otherColor(parent.turn) : parent.turn) : turn,
            rule: isSkipped(item) ? item.skipped_by : isNode(item) ? endedBy(item)?.technique ?? "" : "",
            touched: touchedAt(item, parent),
        };
        boxes.push(box);
        let next = top;
        for (const child of isNode(item) ? item.children ?? [] : []) {
            const below = place(child, box, next);
            box.children.push(below);
            next += below.leaves;
        }
        box.leaves = Math.max(1, next - top);
        return box;
    };
    place(root, undefined, 0);
    return boxes;
}

/** The position of a box. A null move changes the side to move; other searches of the same position do not. */
export function positionAt(box: Box, root: Chess): Chess {
    if (!box.parent) return root.clone();
    const before = positionAt(box.parent, root);
    if (!isNode(box.item)) return before;
    if (box.item.purpose === "null move" && !box.item.move) return passed(before) ?? before;
    const move = box.item.move && readMove(before, box.item.move.uci);
    if (move) before.play(move);
    return before;
}

/** The boxes from the root to this one. */
export function pathOf(box: Box): Box[] {
    const path: Box[] = [];
    for (let at: Box | undefined = box; at; at = at.parent) path.unshift(at);
    return path;
}

/** A box and all its descendants, which follow it in the list. */
export function below(boxes: readonly Box[], from: Box): Box[] {
    let end = from.id + 1;
    while (end < boxes.length && boxes[end]!.level > from.level) end++;
    return boxes.slice(from.id, end);
}

export interface RuleCount { technique: string; ended: number; skipped: number; touched: number } // nodes, moves, nodes

export const isOf = (box: Box, technique: string): boolean =>
    box.rule === technique || box.touched.some(touch => touch.technique === technique);

/** What each rule did in the tree, most frequent first. Rules that only change values are too many: of them none but `wanted`. */
export function rulesOf(boxes: readonly Box[], wanted = ""): RuleCount[] {
    const found = new Map<string, RuleCount>();
    const of = (technique: string): RuleCount => {
        const count = found.get(technique) ?? { technique, ended: 0, skipped: 0, touched: 0 };
        found.set(technique, count);
        return count;
    };
    for (const { rule, item, touched } of boxes) {
        if (isSkipped(item)) of(rule).skipped += item.count;
        else if (rule) of(rule).ended++;
        const others = touched.filter(({ technique, effect }) => technique !== rule && (effect !== "changes" || technique === wanted));
        for (const technique of new Set(others.map(touch => touch.technique))) of(technique).touched++;
    }
    return [...found.values()].sort((a, b) => b.ended + b.skipped - a.ended - a.skipped || b.touched - a.touched);
}
