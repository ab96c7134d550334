// The positions to practise of a game with a report: those before mistakes, and quiet ones as decoys.

import { hashOf } from "../chess/link";
import { otherColor, type Color } from "../chess/position";
import { verdictsOf, type Report, type Verdict } from "../chess/report";
import { isMistake, type GameTree, type TreeNode } from "../chess/tree";

export interface Exercise {
    key: string; // the same for the same position
    at: TreeNode; // the position before the move
    played: TreeNode; // the move of the game
    verdict: Verdict; // of that move
    isQuiet: boolean; // a decoy: the move was good, and so were those around it
    game: string; // the id of the saved game
    title: string;
    place: string; // of the played move in the tree
}

/** The loss of expected score from which a move is wrong, as in the report. */
export const TOO_MUCH = 0.05;
const QUIET_LOSS = 0.02, QUIET_FROM = 8; // plies
const ROUND = 12; // mistakes of a round
const DECOY_EVERY = 3; // mistakes

const keyOf = (fen: string): string => hashOf(fen.split(" ").slice(0, 4).join(" "));

/** The positions in which `side` was to move (undefined: either side). */
export function exercisesOf(tree: GameTree, report: Report, side: Color | undefined, game: string, title: string): Exercise[] {
    const verdicts = verdictsOf(tree, report), good = (node: TreeNode | undefined) => !node || !(verdicts.get(node)?.nag ?? 0);
    return tree.mainline.flatMap(played => {
        const verdict = verdicts.get(played), at = played.parent!, before = verdicts.get(at);
        if (!verdict || !before || (side && at.position.turn !== side)) return [];
        const isBad = verdict.given !== undefined || (isMistake(verdict.nag) && verdict.loss >= TOO_MUCH);
        const isWrong = isBad && verdict.better.length > 0;
        const isEven = Math.abs(before.evaluation.expected - 0.5) < 0.25 && !at.position.isCheck();
        const isQuiet = verdict.nag === 0 && verdict.loss < QUIET_LOSS && isEven && at.path.length >= QUIET_FROM && !played.san.includes("x")
            && good(at) && good(played.children[0]);
        if (!isWrong && !isQuiet) return [];
        return [{ key: keyOf(at.fen), at, played, verdict, isQuiet, game, title, place: tree.placeOf(played) }];
    });
}

/** The colour that a player has in a game; undefined when the game is not theirs. */
export function colorOf(headers: ReadonlyMap<string, string>, name: string): Color | undefined {
    return (["white", "black"] as const).find(color => headers.get(color === "white" ? "White" : "Black") === name);
}

/** What is practised next: mistakes that are due, with decoys among them. Whoever wants to learn from mistakes begins with one; of
 *  the others nobody can know which is which. */
export function roundOf(all: readonly Exercise[], isDue: (key: string) => boolean, salt: string): Exercise[] {
    const known = new Set<string>(), isNew = (exercise: Exercise) => !known.has(exercise.key) && known.add(exercise.key);
    const mistakes = all.filter(exercise => !exercise.isQuiet && isDue(exercise.key)).filter(isNew).slice(0, ROUND);
    const order = (list: readonly Exercise[]) => list.toSorted((a, b) => (hashOf(a.key + salt) < hashOf(b.key + salt) ? -1 : 1));
    const decoys = order(all.filter(exercise => exercise.isQuiet)).filter(isNew).slice(0, Math.ceil(mistakes.length / DECOY_EVERY));
    const round = order([...mistakes, ...decoys]), [first] = round.filter(({ isQuiet }) => !isQuiet);
    return first ? [first, ...round.filter(exercise => exercise !== first)] : round;
}

/** The side at the bottom: that of the player. */
export const sideOf = (exercise: Exercise): Color => otherColor(exercise.played.position.turn);
