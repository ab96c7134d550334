#!/usr/bin/env python3
"""Nodes and time that engines need to a depth on Luft's bench positions, one after the other, position by position.

    depth.py [--depth 16] [--hash 32] [--rounds 3] [ENGINE ...]        (default: ./luft and Debian's Stockfish)

Each engine gets `ucinewgame` before each position, one thread, and the same hash. The time of an engine is the sum of its
processor times over the positions (on Linux; else the wall clock's), the median of the rounds; the positions without a
legal move are left out, by the word of the first. A depth is no measure of quality between engines: each prunes and extends in its own way.
"""

import argparse
import pathlib
import re
import statistics

from engine import Engine

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def bench_positions():
    """As lines for UCI, read from the bench, so that there is one list."""
    source = (ROOT / "src/engine/bench.c").read_text()
    rows = re.findall(r'^\s*\{"([^"]+ [wb] [^"]+)", "([^"]*)"\},$', source, re.M)
    return [f"position fen {fen}" + (f" moves {moves}" if moves else "") for fen, moves in rows]


def search(engine, position, depth):
    """Nodes and seconds to that depth, or None without a legal move."""
    nodes = [0]

    def note(line):
        found = re.search(r"\bnodes (\d+)", line)
        if found:
            nodes[0] = int(found.group(1))

    engine.send("ucinewgame")
    engine.send(position)
    engine.ask("isready", r"readyok")
    start = engine.seconds()
    best = engine.ask(f"go depth {depth}", r"bestmove (\S+)", note).group(1)
    return None if best in ("(none)", "0000") else (nodes[0], engine.seconds() - start)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engines", nargs="*", default=["./luft", "/usr/games/stockfish"], metavar="ENGINE")
    parser.add_argument("--depth", type=int, default=16)
    parser.add_argument("--hash", type=int, default=32)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    engines = [Engine(command, Hash=options.hash, Threads=1) for command in options.engines]
    rounds = [[] for _ in engines]
    for number in range(1, options.rounds + 1):
        totals = [[0, 0.0] for _ in engines]
        played = 0
        for position in bench_positions():
            for index, engine in enumerate(engines):
                found = search(engine, position, options.depth)
                if found is None:
                    break  # not shown to the others: some end when there is no move
                totals[index][0] += found[0]
                totals[index][1] += found[1]
            else:
                played += 1
        for engine, total, results in zip(engines, totals, rounds):
            results.append(total)
            print(f"round {number}: {engine.name}: {total[0]:,} nodes, {total[1]:.1f} s", flush=True)
    for engine, results in zip(engines, rounds):
        print(f"{engine.name}: {statistics.median(r[0] for r in results):,.0f} nodes and "
              f"{statistics.median(r[1] for r in results):.1f} s to depth {options.depth} on {played} positions "
              f"(median of {options.rounds})")


if __name__ == "__main__":
    main()
