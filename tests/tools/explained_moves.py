"""Prints what `luft explain` says of the moves in tests/e2e/support/explained_moves.tsv, to compare two versions:

    python3 tests/tools/explained_moves.py [LABEL...] [--nodes N] [--file FILE.tsv] [--sheet]

A letter stands for all labels that begin with it: A amateurs' mistakes, B puzzles, C strategic errors, D good moves. LUFT names
the program. `mark` in the file is what a coach gave the answer of version b024811, of 10 points; `now` is what
an author gave those of network 16, by the same five marks. `--sheet` prints the answers as people see them,
with room for these marks: what a reader of tests/e2e/support/coach_set.tsv gets. Without it each answer is checked by
explain_checker.py; what is false stands below it."""

import argparse
import csv
import json
import os
import pathlib
import resource
import subprocess
import sys

SUPPORT = pathlib.Path(__file__).resolve().parent.parent / "e2e/support"
sys.path.insert(0, str(SUPPORT))

import explain_checker  # noqa: E402

LUFT = os.environ.get("LUFT", "./luft")


def spent():
    """Seconds of processor time that the answers have taken."""
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime


def line(answer, name, plies=20):
    return " ".join(move["san"] for move in answer[name][:plies])


def score(answer, name):
    value = answer[name]
    return f"#{value['mate']}" if "mate" in value else f"{value['cp'] / 100:+.2f}"


def board_of(fen):
    rows = fen.split()[0].split("/")
    return "\n".join("    " + " ".join("".join("." * int(sign) if sign.isdigit() else sign for sign in row)) for row in rows)


def print_for_marks(row, nodes):
    """A case for a reader who has nothing else."""
    command = [LUFT, "explain", row["fen"], row["move"], "--nodes", nodes]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    print(f"## {row['label']}\n\n{row['fen']}\n{board_of(row['fen'])}\n\nMove: {row['move']}\n\n{result.stdout}\n"
          "true _  relevant _  line _  wording _  first _  (0 to 2 each)  misleads _  remark:\n", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("labels", nargs="*")
    parser.add_argument("--nodes", default="400k")
    parser.add_argument("--file", type=pathlib.Path, default=SUPPORT / "explained_moves.tsv")
    parser.add_argument("--sheet", action="store_true")
    arguments = parser.parse_args()
    with open(arguments.file, newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    for row in rows:
        if arguments.labels and not {row["label"], row["label"][0]} & set(arguments.labels):
            continue
        if arguments.sheet:
            print_for_marks(row, arguments.nodes)
            continue
        began = spent()
        result = subprocess.run([LUFT, "explain", row["fen"], row["move"], "--json", "--nodes", arguments.nodes],
                                capture_output=True, text=True, check=True)
        answer = json.loads(result.stdout)
        print(f"{row['label']} {row['fen']} {row['move']}: {answer['reason']}, {spent() - began:.1f} s")
        print(f"   {' '.join(answer['words'])}")
        for fact in answer.get("facts", []):
            changes = " ".join(f"{edit['before']}->{edit['after']}" for edit in fact["edits"])
            verdict = f"refused, {fact['refused']}" if fact["refused"] else "proved"
            print(f"   {fact['kind']} {fact['side']} {fact['square']} {fact['line']}@{fact['ply']} {fact['worth']} {verdict}: {changes}")
        if "pass" in answer:
            print(f"   pass {score(answer['pass'], 'score')} {line(answer['pass']['branch'], 'line', 8)}")
        if "natural" in answer:
            print(f"   natural {score(answer['natural'], 'score')} {line(answer['natural'], 'line', 8)}")
        if "merit" in answer:
            for name in ("second", "accepted"):
                if name in answer["merit"]:
                    print(f"   {name} {score(answer['merit'][name], 'score')} {line(answer['merit'][name], 'line', 8)}")
        print(f"   played {score(answer, 'score')} {line(answer, 'line')}")
        print(f"   better {score(answer, 'best_score')} {line(answer, 'better')}")
        for text in explain_checker.check_safely(answer):
            print(f"   FALSE: {text}")


if __name__ == "__main__":
    main()
