"""Finds positions in which a technique costs the right move: exercises for lessons/challenge.

    python3 tests/tools/challenges.py positions.epd --also luft-web >> lessons/challenge/exercises.tsv

Prints "technique depth fen" for each position in which the engine plays a wrong move with the technique and the right one without
it, as lessons/challenge/template.txt claims it. LUFT is the program (default ./luft), --also another one, built with the page's
network, for which the claims must hold, too. The file has a position in each line, FEN or EPD."""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

LUFT = os.environ.get("LUFT", "./luft")
ROOT = pathlib.Path(__file__).resolve().parents[2]
TEMPLATE = (ROOT / "lessons/challenge/template.txt").read_text()
TECHNIQUES = ("null_move", "futility", "reverse_futility", "razoring", "late_move_pruning", "late_move_reductions", "history_pruning",
              "see_pruning", "probcut", "aspiration_windows")
DEEPER = 4   # plies of the search that decides which move is right
SCOUT = """@title Scout
@source -
@position here {fen}
@search with here {depth}
@search longer here {deeper}
"""


def challenge(technique, depth, fen):
    """The text of a challenge."""
    words = {"$TECHNIQUE": technique, "$DEPTH": str(depth), "$DEEPER": str(depth + DEEPER), "$FEN": fen}
    text = TEMPLATE
    for word, value in words.items():
        text = text.replace(word, value)
    return text


def learn(program, text, *arguments):
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as lesson:
        lesson.write(text)
        lesson.flush()
        return subprocess.run([program, "learn", "--file", lesson.name, *arguments], capture_output=True, text=True)


def holds(program, technique, depth, fen):
    return learn(program, challenge(technique, depth, fen), "--check").returncode == 0


def suspects(fen, depth):
    """The techniques without which the search of this depth plays the move of a longer one, where it plays another with them."""
    text = SCOUT.format(fen=fen, depth=depth, deeper=depth + DEEPER)
    found = searches(text)
    if not found or found["with"]["best"] == found["longer"]["best"]:
        return []
    found = searches(text + "".join(f"@search {name} here {depth} {name}\n" for name in TECHNIQUES))
    return [name for name in TECHNIQUES if found[name]["best"] == found["longer"]["best"]]


def searches(text):
    answer = learn(LUFT, text, "--json")
    return {search["name"]: search for search in json.loads(answer.stdout)["searches"]} if answer.returncode == 0 else {}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("positions", type=pathlib.Path)
    parser.add_argument("--also", metavar="PROGRAM", action="append", default=[], help="the claims hold with this one, too")
    parser.add_argument("--depths", default="6,8", help="depths of the searches (6,8)")
    parser.add_argument("--most", type=int, default=100, help="stop after this number of exercises")
    arguments = parser.parse_args()
    found = 0
    for row in arguments.positions.read_text().splitlines():
        fen = " ".join(row.split(";")[0].split()[:6])
        for depth in map(int, arguments.depths.split(",")):
            for technique in suspects(fen, depth):
                if all(holds(program, technique, depth, fen) for program in [LUFT, *arguments.also]):
                    print(technique, depth, fen, sep="\t", flush=True)
                    found += 1
                if found == arguments.most:
                    sys.exit(0)


if __name__ == "__main__":
    main()
