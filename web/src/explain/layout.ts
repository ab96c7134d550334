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
}

export const isNode = (item: TreeChild): item is TreeNode => "purpose" in item;
export const isSkipped = (item: TreeChild): item is SkippedMoves => "skipped_by" in item;
export const isFolded = (item: TreeChild): item is Folded => "folded" in item;

/** The rule that ended a node. */
export function endedBy(node: TreeNode): { technique: string; words: string } | undefined {
    return node.acts?.find(act => act.effect === "cuts");
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

export interface RuleCount { technique: string; ended: number; skipped: number } // nodes, moves

/** What each rule did in the tree, most frequent first. */
export function rulesOf(boxes: readonly Box[]): RuleCount[] {
    const found = new Map<string, RuleCount>();
    for (const { rule, item } of boxes) {
        if (!rule) continue;
        const count = found.get(rule) ?? { technique: rule, ended: 0, skipped: 0 };
        if (isSkipped(item)) count.skipped += item.count;
        else count.ended++;
        found.set(rule, count);
    }
    return [...found.values()].sort((a, b) => b.ended + b.skipped - a.ended - a.skipped);
}
