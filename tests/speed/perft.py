#!/usr/bin/env python3
"""Perft speed of Luft against another engine's `go perft`, alternating in one run: the median of the ratios.

    perft.py [--luft ./luft] [--engine /usr/games/stockfish] [--depth 6] [--rounds 7]

Both count the last ply in bulk, on one thread, from the initial position. Time is the processor time that the
engine used between the command and the total (on Linux; else the wall clock's), so that neither the start of a
process nor a neighbour on the machine counts much.
"""

import argparse
import statistics
import sys

from engine import Engine


def perft(engine, depth):
    """Leaves and seconds."""
    start = engine.seconds()
    total = engine.ask(f"go perft {depth}", r"(?i)(?:nodes searched|total|leaves|nodes)\D*(\d+)$").group(1)
    return int(total), engine.seconds() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--luft", default="./luft")
    parser.add_argument("--engine", default="/usr/games/stockfish")
    parser.add_argument("--depth", type=int, default=6)
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    luft, other = Engine(options.luft), Engine(options.engine)
    for engine in (luft, other):
        engine.send("position startpos")
        perft(engine, options.depth - 1)
    ratios, speeds = [], []
    for number in range(1, options.rounds + 1):
        ours, our_time = perft(luft, options.depth)
        theirs, their_time = perft(other, options.depth)
        if ours != theirs:
            sys.exit(f"the counts differ: {ours} and {theirs}")
        ratios.append(their_time / our_time)
        speeds.append((ours / our_time / 1e6, theirs / their_time / 1e6))
        print(f"round {number}: {speeds[-1][0]:.0f} and {speeds[-1][1]:.0f} million leaves a second, "
              f"ratio {ratios[-1]:.2f}", flush=True)
    print(f"perft {options.depth}: {ours} leaves; medians {statistics.median(s[0] for s in speeds):.0f} and "
          f"{statistics.median(s[1] for s in speeds):.0f} million a second; ratio {statistics.median(ratios):.2f} "
          f"({min(ratios):.2f} to {max(ratios):.2f})")


if __name__ == "__main__":
    main()
