// Two states of one game become one: another tab, or the last visit, has changed it, too.

import { TreeNode, type GameTree } from "./tree";

/** Makes `tree` as `other` is. With `keep`, what only `tree` has stays: nothing of either is lost. Call it inside a step. */
export function join(tree: GameTree, other: GameTree, keep: boolean): void {
    const { history } = tree;
    const set = <Target extends object, Key extends keyof Target>(target: Target, key: Key, value: Target[Key], isSame: boolean) => {
        if (!isSame) history.set(target, key, value);
    };
    const headers = keep ? new Map([...other.headers, ...tree.headers]) : other.headers;
    set(tree, "headers", headers, alike([...headers], [...tree.headers]));
    const report = keep ? tree.report ?? other.report : other.report;
    set(tree, "report", report, alike(report, tree.report));
    const queue: [TreeNode, TreeNode][] = [[tree.root, other.root]];
    for (const [mine, theirs] of queue) {
        for (const key of ["comment", "commentBefore"] as const) {
            const text = keep ? bothTexts(mine[key], theirs[key]) : theirs[key];
            set(mine, key, text, text === mine[key]);
        }
        for (const key of ["nags", "shapes"] as const) {
            const both = keep ? [...mine[key], ...theirs[key].filter(item => !mine[key].some(known => alike(known, item)))] : theirs[key];
            set(mine, key, both as never, alike(both, mine[key]));
        }
        for (const key of ["clock", "evaluation"] as const) {
            const value = keep ? mine[key] ?? theirs[key] : theirs[key];
            if (!mine.evaluation?.provisional || key !== "evaluation") set(mine, key, value as never, alike(value, mine[key]));
        }
        const children = theirs.children.map(child => mine.children.find(({ uci }) => uci === child.uci)
            ?? new TreeNode(mine, child.uci, child.san, child.fen, child.ply));
        children.forEach((child, i) => queue.push([child, theirs.children[i]!]));
        const all = keep ? [...mine.children, ...children.filter(child => !mine.children.includes(child))] : children;
        set(mine, "children", all, all.length === mine.children.length && all.every((child, i) => child === mine.children[i]));
    }
}

const alike = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

function bothTexts(mine: string, theirs: string): string {
    if (mine.includes(theirs)) return mine;
    return theirs.includes(mine) ? theirs : `${mine} / ${theirs}`;
}
