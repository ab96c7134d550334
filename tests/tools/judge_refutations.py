"""Counts in how many positions with a known refutation `luft explain` names it (tests/e2e/support/refutation_rules.py):

    python3 tests/tools/judge_refutations.py ROWS.csv ANSWERS.jsonl STOCKFISH [--nodes N]

ROWS.csv comes from refutations.py. A run that was stopped goes on where it was. LUFT names the program. The second figure also
counts answers that prove a loss where the referee names what the move misses, or the other way round."""

import argparse
import csv
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "e2e/support"))

import explain_checker  # noqa: E402
import refutation_rules  # noqa: E402
from check_explanations import explain  # noqa: E402
from referee import Referee  # noqa: E402

SIDES = {"loses material": "misses material", "misses material": "loses material"}


def is_seen_from_the_other_side(answer, truth):
    return SIDES.get(answer["reason"]) in truth and not explain_checker.check_safely(answer)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rows", type=pathlib.Path)
    parser.add_argument("answers", type=pathlib.Path)
    parser.add_argument("referee")
    parser.add_argument("--nodes", default="400k")
    arguments = parser.parse_args()
    with open(arguments.rows, newline="") as file:
        rows = list(csv.DictReader(file))
    answers = explain([f"{row['fen']} {row['move']}" for row in rows], arguments.nodes, arguments.answers)
    referee, right, also = Referee(arguments.referee), 0, 0
    for row, answer in zip(rows, answers):
        truth = json.loads(row["stands"])
        if refutation_rules.is_right(answer, truth) or refutation_rules.is_as_good(answer, truth, row, referee):
            right += 1
            continue
        also += is_seen_from_the_other_side(answer, truth)
        print(f"{row['fen']} {row['move']}: {truth}: {answer['words']}")
    referee.close()
    print(f"{right} of {len(rows)} right; {right + also} with losses that the referee names as missed, or the other way round")


if __name__ == "__main__":
    main()
