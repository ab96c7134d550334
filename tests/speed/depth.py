#!/usr/bin/env python3
"""Compares the nodes and time that engines need to reach a depth on Luft's bench positions.

    depth.py [--depth 16] [--hash 32] [--rounds 3] [--limit 20] [ENGINE ...]        (default: ./luft and Debian's Stockfish)

Each engine runs on one thread with the same hash, and gets `ucinewgame` before each position. Its time is the sum of its
processor times over all positions (wall-clock time if the system is not Linux); the median of the rounds counts. Positions
without a legal move are skipped, and so are those where an engine reaches the limit (in seconds); they are printed. Equal depth
does not mean equal quality: each engine prunes and extends in its own way.
"""

import argparse
import pathlib
import re
import statistics
import threading

from engine import Engine

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def bench_positions():
    """The bench positions as UCI commands, read from the source of the bench."""
    source = (ROOT / "src/engine/bench.c").read_text()
    rows = re.findall(r'^\s*\{"([^"]+ [wb] [^"]+)", "([^"]*)"\},$', source, re.M)
    return [f"position fen {fen}" + (f" moves {moves}" if moves else "") for fen, moves in rows]


def search(engine, position, depth, limit):
    """Nodes and seconds to the depth; None without a legal move, or if the search reached the limit."""
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
    """A result for each engine; None as soon as one has none. The others are then not asked: some crash without a move."""
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
    # A position that is skipped in one round does not count in any.
    for index, engine in enumerate(engines):
        nodes, seconds = (statistics.median(sum(results[position][index][part] for position in positions) for results in rounds)
                          for part in (0, 1))
        print(f"{engine.name}: {nodes:,.0f} nodes and {seconds:.1f} s to depth {options.depth} on {len(positions)} positions "
              f"(median of {options.rounds})")


if __name__ == "__main__":
    main()
