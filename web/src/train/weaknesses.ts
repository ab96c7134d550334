// What goes wrong in one player's games: the mistakes by phase, cause, motif and piece, as `luft analyse --summary` counts them.

import { parseUci } from "chessops/util";
import type { Color } from "../chess/position";
import { verdictsOf } from "../chess/report";
import type { GameTree } from "../chess/tree";
import type { Exercise } from "./exercises";

const OPENING_MOVES = 12, ENDGAME_PIECES = 6; // kings and pawns not counted: docs/analyse.md
const SHOWN = 3; // positions of a row

const NAMES = {
    phase: ({ at: { position: { board, fullmoves } } }: Exercise) =>
        board.occupied.diff(board.pawn).diff(board.king).size() <= ENDGAME_PIECES ? "endgame" : fullmoves <= OPENING_MOVES ? "opening" : "middlegame",
    cause: ({ verdict }: Exercise) => verdict.why!.cause,
    motif: ({ verdict }: Exercise) => verdict.why!.motif,
    /** The piece that moved, or of what was missed the one that should have moved. */
    piece: ({ at, played, verdict }: Exercise) => {
        const move = parseUci(verdict.why!.isMissed ? verdict.better[0]! : played.uci);
        return (move && "from" in move && at.position.board.getRole(move.from)) || "king";
    },
};
export type TableName = keyof typeof NAMES;

export interface Row {
    name: string;
    mistakes: Exercise[]; // the costliest first
    missed: number; // of these
    lost: number; // expected score
    shown: number[]; // the costliest positions, by place in `positions`
}

export interface Weaknesses {
    games: number;
    moves: number; // that were judged
    lost: number; // expected score, by all of them
    mistakes: number;
    explained: number; // of these: only they count in the tables
    tables: { by: TableName; rows: Row[] }[];
    positions: Exercise[]; // those that the tables name
}

const lossOf = (mistakes: readonly Exercise[]): number => mistakes.reduce((sum, { verdict }) => sum + verdict.loss, 0);

/** Of games with their reports and the player's colour (undefined: both), and the exercises that they give. */
export function weaknessesOf(played: readonly { tree: GameTree; color: Color | undefined }[], exercises: readonly Exercise[]): Weaknesses {
    const judged = played.flatMap(({ tree, color }) => [...verdictsOf(tree, tree.report!)]
        .filter(([node]) => node.parent && (!color || node.isWhitesMove === (color === "white"))).map(([, verdict]) => verdict));
    const mistakes = exercises.filter(({ isQuiet, verdict }) => !isQuiet && verdict.given === undefined), explained = mistakes.filter(({ verdict }) => verdict.why);
    const positions: Exercise[] = [];
    const tables = (Object.keys(NAMES) as TableName[]).map(by => {
        const groups = new Map<string, Exercise[]>();
        for (const mistake of explained.toSorted((a, b) => b.verdict.loss - a.verdict.loss)) {
            const name = NAMES[by](mistake);
            groups.set(name, [...groups.get(name) ?? [], mistake]);
        }
        const rows = [...groups].map(([name, group]) => ({ name, mistakes: group, lost: lossOf(group), shown: [] as number[],
                                                           missed: group.filter(({ verdict }) => verdict.why!.isMissed).length }));
        rows.sort((a, b) => Number(a.name === "none") - Number(b.name === "none") || b.lost - a.lost);
        for (const row of rows) row.shown = row.mistakes.slice(0, SHOWN).map(mistake => {
            if (!positions.includes(mistake)) positions.push(mistake);
            return positions.indexOf(mistake);
        });
        return { by, rows };
    }).filter(({ rows }) => rows.some(({ name }) => name !== "none"));
    return { games: played.length, moves: judged.length, lost: judged.reduce((sum, { loss }) => sum + loss, 0), mistakes: mistakes.length,
             explained: explained.length, tables, positions };
}
