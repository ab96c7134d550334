"""Finds positions for a lesson: those for which everything that it claims holds, with the network of today.

    python3 tests/tools/lesson_positions.py lessons/futility.txt NAME positions.epd

Puts each position of the file in the place of position NAME and prints those with which `luft learn --check` passes; with
--show also the values that the search gives the lesson's placeholders. LUFT is the program (default ./luft), --also another one,
built with the page's network (make EVALFILE=nets/web/luft-web-2.nnue EXE=luft-web), for which the claims must hold, too."""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

LUFT = os.environ.get("LUFT", "./luft")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("lesson", type=pathlib.Path)
    parser.add_argument("name")
    parser.add_argument("positions", type=pathlib.Path)
    parser.add_argument("--show", metavar="TEXT", help="also print this text, its placeholders filled in")
    parser.add_argument("--also", metavar="PROGRAM", action="append", default=[], help="the claims hold with this one, too")
    parser.add_argument("--most", type=int, default=10, help="stop after this number of positions")
    arguments = parser.parse_args()
    text = arguments.lesson.read_text()
    line = re.compile(rf"^@position {re.escape(arguments.name)} .*$", re.M)
    if not line.search(text):
        sys.exit(f"{arguments.lesson} has no position {arguments.name}")
    found = 0
    for row in arguments.positions.read_text().splitlines():
        fen = " ".join(row.split(";")[0].split()[:6])
        if found == arguments.most:
            break
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as trial:
            trial.write(line.sub(f"@position {arguments.name} {fen}", text))
            trial.flush()
            if any(subprocess.run([program, "learn", "--file", trial.name, "--check"], capture_output=True).returncode
                   for program in [LUFT, *arguments.also]):
                continue
            found += 1
            print(fen, flush=True)
        if arguments.show:
            head = re.split(r"^@step", line.sub(f"@position {arguments.name} {fen}", text), maxsplit=1, flags=re.M)[0]
            with tempfile.NamedTemporaryFile("w", suffix=".txt") as trial:
                trial.write(f"{head}\n{arguments.show}\n")
                trial.flush()
                shown = subprocess.run([LUFT, "learn", "--file", trial.name], capture_output=True, text=True).stdout
                print("    " + " ".join(shown.split("\n\n", 1)[-1].split()), flush=True)


if __name__ == "__main__":
    main()
