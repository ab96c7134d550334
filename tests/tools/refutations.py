"""Draws positions with a known refutation from games of Luft against itself. Each has a bad move and the reason that Stockfish
finds by searches of depth 16 to 20. Luft itself is not used. tests/e2e/support/refutation_rules.py defines what counts as a
reason, and when a refutation is known (rule 7). tests/e2e/support/refutations_known.csv was made from games of net 11:

    luft-lab datagen --out own.games --games 3000 --nodes 60 --random-moves 0.03 --seed 20261125 --threads 1
    luft-lab data export own.games --out own.txt
    python3 tests/tools/refutations.py own.txt 100 20261125 /usr/games/stockfish > tests/e2e/support/refutations_known.csv

The first 20 rows come from these commands, with the engine of bench 8345184. The next 31 come from 1200 games of the engine of
bench 6020788, with seed 20261126 in both commands; the last 49 from 2000 games of the engine of bench 5276669, with seed
20261127. All were drawn before Luft was tested with them.

tests/e2e/support/refutations_second.csv has the first 44 rows of seed 20261201, from 4000 games of network 16.

Each game gives one position, chosen by the seed. Half of the moves are the game's own, the others are random legal moves. At the
end the script prints how many positions it skipped, and why. If another argument names a file with rows, it continues after the
last of them.

tests/e2e/support/refutations.csv is older: there one line of depth 20 decides. Its seeds are 20261123 (80 rows) and 20261124."""

import collections
import csv
import json
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "e2e/support"))

import own_games  # noqa: E402
import refutation_rules  # noqa: E402
from referee import Referee  # noqa: E402

FIRST_LOOKS, DEPTHS = [10, 13], [16, 17, 18, 19, 20]
LINE = 30  # plies of a line that are used


def judge(referee, fen, move):
    """Searches deeper while a reason remains. Returns the depth of the last search, the remaining reasons, and the row."""
    referee.forget()
    iterations = []
    for depth in FIRST_LOOKS + DEPTHS:
        best_score, better = referee.search(fen, depth)
        score, line = referee.search(fen, depth, move)
        line, better = line[:LINE], better[:LINE]
        if depth in FIRST_LOOKS:
            if best_score - score < refutation_rules.WORTH:
                return 0, {}, []
            continue
        iterations.append(refutation_rules.reasons(fen, line, better, score, best_score))
        stands = refutation_rules.stable(iterations)
        if not stands:
            break
    return depth, stands, [fen, move, score, best_score, " ".join(line), " ".join(better), json.dumps(stands)]


def main(path, count, seed, engine, before=None):
    generator, referee = random.Random(seed), Referee(engine)
    games = pathlib.Path(path).read_text().splitlines()
    generator.shuffle(games)
    out, last = csv.writer(sys.stdout, lineterminator="\n"), None
    if before:
        with open(before, newline="") as file:
            *_, last = ([row["fen"], row["move"]] for row in csv.DictReader(file))
    else:
        out.writerow(["fen", "move", "score", "best_score", "line", "better", "stands"])
    looked, kept, skipped = 0, 0, collections.Counter()
    for fen, move in own_games.questions(games, generator):
        if last:
            last = None if [fen, move] == last else last
            continue
        looked += 1
        depth, stands, row = judge(referee, fen, move)
        if not stands:
            skipped[depth] += 1
            continue
        out.writerow(row)
        sys.stdout.flush()
        kept += 1
        if kept == count:
            break
    tail = ", ".join(f"{skipped[depth]} at depth {depth}" for depth in DEPTHS[1:])
    print(f"{looked} moves examined; {skipped[0]} lost little, {skipped[DEPTHS[0]]} had no reason at depth {DEPTHS[0]}; skipped "
          f"because the reason did not remain: {tail}", file=sys.stderr)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4], *sys.argv[5:])
