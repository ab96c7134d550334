// Writes the words of a report that was made in another language again: each mistake is put to the explanation once more, with as
// many nodes, which so finds the same. Nothing else of the report changes.

import { isNoted, verdictsOf, withWords, type Report } from "../chess/report";
import type { TreeNode } from "../chess/tree";
import { reasonOf } from "../engine/reason";
import { texts } from "../texts";
import { CANCELLED, callExplainer } from "./engines.svelte";
import { announce } from "./notices.svelte";
import { session } from "./session.svelte";
import { settings } from "./settings.svelte";

export const rewording = $state({ done: 0, all: 0 }); // mistakes; of none when nothing is written

let turn = 0;

/** The first sentence on a mistake; undefined where the engine does not answer. Whoever asks "Why?" meanwhile may end the call. */
async function wordsOf(node: TreeNode, nodes: number): Promise<string | undefined> {
    for (;;) {
        try {
            return (await callExplainer("explain", { ...node.parent!.uciPosition, move: node.uci, nodes })).words[0] ?? "";
        } catch (error) {
            if (reasonOf(error) !== CANCELLED) return undefined;
        }
    }
}

/** The mistakes without words, and their places in the report. */
const unsaid = (report: Report): [TreeNode, number][] => [...verdictsOf(session.tree, report)]
    .flatMap(([node, verdict], i): [TreeNode, number][] => (isNoted(verdict) && verdict.words === undefined ? [[node, i]] : []));

/** Writes what the open report lacks, in the background. It ends where another game is opened, or the report is replaced. */
export async function reword(): Promise<void> {
    let { report } = session.tree;
    const open = report?.language === settings.language ? unsaid(report) : [];
    if (!report || open.length === 0) return;
    const mine = ++turn;
    Object.assign(rewording, { done: 0, all: open.length });
    announce(texts.report.rewording(0, open.length));
    for (const [node, i] of open) {
        const words = await wordsOf(node, report.asked ?? settings.explainNodes);
        if (words === undefined || session.tree.report !== report) break;
        report = { ...report, verdicts: report.verdicts.with(i, withWords(report.verdicts[i]!, words)) };
        session.rewordReport(report);
        rewording.done++;
    }
    if (mine === turn) rewording.all = 0; // else another game's words are written
}
