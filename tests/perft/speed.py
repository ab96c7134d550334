#!/usr/bin/env python3
"""Perft speed of Luft against another engine's `go perft`, alternating in one run: the median of the ratios.

    speed.py [--luft ./luft] [--engine /usr/games/stockfish] [--depth 6] [--rounds 7]

Both count the last ply in bulk, on one thread, from the initial position. Time is the processor time that the
engine used between the command and the total (on Linux; else the wall clock's), so that neither the start of a
process nor a neighbour on the machine counts much.
"""

import argparse
import os
import pathlib
import re
import statistics
import subprocess
import sys
import time


class Engine:
    def __init__(self, command):
        self.process = subprocess.Popen([command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.ask("uci", r"uciok")
        self.ask("isready", r"readyok")
        self.send("position startpos")

    def send(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def ask(self, line, pattern):
        self.send(line)
        for answer in self.process.stdout:
            found = re.match(pattern, answer.strip())
            if found:
                return found
        sys.exit(f"the engine died at '{line}'")

    def seconds(self):
        """Processor time used so far, by all threads; the wall clock where Linux does not tell."""
        try:
            fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
            return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        except OSError:
            return time.perf_counter()

    def perft(self, depth):
        """Leaves and seconds."""
        start = self.seconds()
        total = self.ask(f"go perft {depth}", r"(?i)(?:nodes searched|total|leaves|nodes)\D*(\d+)$").group(1)
        return int(total), self.seconds() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--luft", default="./luft")
    parser.add_argument("--engine", default="/usr/games/stockfish")
    parser.add_argument("--depth", type=int, default=6)
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    luft, other = Engine(options.luft), Engine(options.engine)
    luft.perft(options.depth - 1)
    other.perft(options.depth - 1)
    ratios, speeds = [], []
    for number in range(1, options.rounds + 1):
        ours, our_time = luft.perft(options.depth)
        theirs, their_time = other.perft(options.depth)
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
