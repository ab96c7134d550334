#!/usr/bin/env python3
"""Nodes and time that engines need to a depth on Luft's bench positions, one after the other, position by position.

    depth.py [--depth 16] [--hash 32] [--rounds 3] [--limit 20] [ENGINE ...]        (default: ./luft and Debian's Stockfish)

Each engine gets `ucinewgame` before each position, one thread, and the same hash. The time of an engine is the sum of its
processor times over the positions (on Linux; else the wall clock's), the median of the rounds; the positions without a
legal move (as the first engine sees it) are skipped, and so are those on which some engine is stopped at the limit (in
seconds); they are named. A depth is no measure of quality between engines: each prunes and extends in its own way.
"""

import argparse
import pathlib
import re
import statistics
import threading

from engine import Engine

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def bench_positions():
    """As lines for UCI, read from the bench, so that there is one list."""
    source = (ROOT / "src/engine/bench.c").read_text()
    rows = re.findall(r'^\s*\{"([^"]+ [wb] [^"]+)", "([^"]*)"\},$', source, re.M)
    return [f"position fen {fen}" + (f" moves {moves}" if moves else "") for fen, moves in rows]


def search(engine, position, depth, limit):
    """Nodes and seconds to that depth; None without a legal move, or when it was stopped at the limit."""
    nodes = [0]

    def note(line):
        found = re.search(r"\bnodes (\d+)", line)
        if found:
            nodes[0] = int(found.group(1))

    engine.send("ucinewgame")
    engine.send(position)
    engine.ask("isready", r"readyok")
    start = engine.seconds()
    alarm = threading.Timer(limit, engine.send, ["stop"])
    alarm.start()
    best = engine.ask(f"go depth {depth}", r"bestmove (\S+)", note).group(1)
    stopped = alarm.finished.is_set()
    alarm.cancel()
    return None if stopped or best in ("(none)", "0000") else (nodes[0], engine.seconds() - start)


def compare(engines, position, options):
    """One result for each, or None when some engine has none: then the rest is not asked, for some end without a move."""
    results = []
    for engine in engines:
        found = search(engine, position, options.depth, options.limit)
        if found is None:
            print(f"skipped, no move or the limit for {engine.name}: {position}", flush=True)
            return None
        results.append(found)
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engines", nargs="*", default=["./luft", "/usr/games/stockfish"], metavar="ENGINE")
    parser.add_argument("--depth", type=int, default=16)
    parser.add_argument("--hash", type=int, default=32)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--limit", type=float, default=20)
    options = parser.parse_args()
    engines = [Engine(command, Hash=options.hash, Threads=1) for command in options.engines]
    rounds, positions = [], bench_positions()
    for number in range(1, options.rounds + 1):
        results = {position: compare(engines, position, options) for position in positions}
        positions = [position for position in positions if results[position] is not None]
        rounds.append(results)
        print(f"round {number} of {options.rounds}: {len(positions)} positions", flush=True)
    # A position that was skipped in one round counts in none.
    for index, engine in enumerate(engines):
        nodes, seconds = (statistics.median(sum(results[position][index][part] for position in positions) for results in rounds)
                          for part in (0, 1))
        print(f"{engine.name}: {nodes:,.0f} nodes and {seconds:.1f} s to depth {options.depth} on {len(positions)} positions "
              f"(median of {options.rounds})")


if __name__ == "__main__":
    main()
