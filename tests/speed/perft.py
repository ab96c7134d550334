#!/usr/bin/env python3
"""Compares Luft's perft speed with another engine's `go perft`, in alternating rounds: the median of the ratios counts.

    perft.py [--luft ./luft] [--engine /usr/games/stockfish] [--depth 6] [--rounds 7]

Both engines count the last ply in bulk, on one thread, from the initial position. Time is the engine's processor time between
the command and the result (wall-clock time if the system is not Linux), so process start and other load hardly count.
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
