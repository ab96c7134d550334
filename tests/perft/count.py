#!/usr/bin/env python3
"""Counts the leaves of all positions in perft.txt with another engine (Debian's Stockfish), by `go perft`.

    count.py            compares the counts; exit status 1 if one differs
    count.py --write    rewrites the counts; a new line may have `?` instead of depth and count, and then gets the
                        deepest count of at most LIMIT leaves

Luft's own test only reads the stored counts, so it needs no other engine.
"""

import argparse
import pathlib
import re
import subprocess
import sys

FILE = pathlib.Path(__file__).with_name("perft.txt")
LIMIT = 40_000_000


class Counter:
    def __init__(self, command):
        self.process = subprocess.Popen([command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def count(self, kind, fen, depth):
        self.send(f"setoption name UCI_Chess960 value {'true' if kind == 'chess960' else 'false'}")
        self.send(f"position fen {fen}")
        self.send(f"go perft {depth}")
        for line in self.process.stdout:
            found = re.match(r"Nodes searched: (\d+)", line)
            if found:
                return int(found.group(1))
        sys.exit(f"the engine died at {fen}")

    def send(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def deepest(self, kind, fen):
        depth, count = 1, self.count(kind, fen, 1)
        while depth < 9:
            before, growth = count, count / max(1, self.count(kind, fen, depth - 1)) if depth > 1 else count
            if count * max(growth, 2) > LIMIT * 3:
                break
            following = self.count(kind, fen, depth + 1)
            if following > LIMIT:
                return depth, before
            depth, count = depth + 1, following
        return depth, count


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", default="/usr/games/stockfish")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    counter = Counter(options.engine)
    lines, positions, wrong, total = [], 0, 0, 0
    for line in FILE.read_text().splitlines():
        if not line.strip() or line.startswith("#"):
            lines.append(line)
            continue
        kind, fen, stored, about = (part.strip() for part in line.split("|"))
        if stored == "?":
            depth, count = counter.deepest(kind, fen)
        else:
            depth = int(stored.split()[0])
            count = counter.count(kind, fen, depth)
            if f"{depth} {count}" != stored:
                wrong += 1
                print(f"{fen}: stored {stored}, counted {depth} {count}")
        total += count
        positions += 1
        lines.append(f"{kind} | {fen} | {depth} {count} | {about}")
    if options.write:
        FILE.write_text("\n".join(lines) + "\n")
    print(f"{positions} positions, {total} leaves, {wrong} stored counts differ")
    return 1 if wrong and not options.write else 0


if __name__ == "__main__":
    sys.exit(main())
