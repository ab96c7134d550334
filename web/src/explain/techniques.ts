// The techniques of the search by what they do, those that every book on search begins with first.

import type { Texts } from "../texts";

type Group = keyof Texts["explain"]["groups"];

const GROUPS: Record<Exclude<Group, "others">, string> = {
    positions: "null_move reverse_futility table_cutoffs razoring probcut multi_cut null_move_verification mate_distance_bounds upcoming_repetition",
    moves: "futility late_move_pruning see_pruning history_pruning opponent_worsening mate_hunt",
    depth: "late_move_reductions singular_extensions negative_extensions internal_reductions adaptive_re_search correction_reduction hindsight "
        + "fail_high_reduction",
    order: "killer_moves quiet_history capture_history continuation_history pawn_history threat_history re_search_history cutoff_bonus",
    value: "correction_history table_eval drawish_endings lone_king",
    quiescence: "quiescence_see quiescence_futility quiescence_move_cap quiescence_table quiescence_stalemate",
};

/** A technique as people read it. */
export const spaced = (technique: string): string => technique.replaceAll("_", " ");

/** The techniques that can be switched off, in groups; those of no group are in the last one. */
export function grouped<Technique extends { name: string }>(techniques: readonly Technique[]): [Group, Technique[]][] {
    const rest = new Map(techniques.filter(({ name }) => !name.startsWith("time_")).map(technique => [technique.name, technique]));
    const groups = Object.entries(GROUPS).map(([group, names]): [Group, Technique[]] => [group as Group, names.split(" ").flatMap(name => {
        const found = rest.get(name);
        rest.delete(name);
        return found ? [found] : [];
    })]);
    return [...groups, ["others", [...rest.values()]] as [Group, Technique[]]].filter(([, found]) => found.length > 0);
}
