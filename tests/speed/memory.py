#!/usr/bin/env python3
"""Measures what a store of analysis (StoreFile, StoreMode) gives to the next engine.

    memory.py restart   [--seconds 60 | --nodes N] [--positions 50] [--same-process] [ENGINE]
    memory.py backwards [--seconds 60 | --nodes N] [--pgn FILE] [ENGINE]

restart: an engine analyses a position and is killed (as by `kill -9`) when it has written; another one, with another Hash size,
searches to the depth that was stored. Printed are the nodes and the processor time that it takes, as parts of those of the first
analysis, whether it finds the same move, and when its first line came. --same-process searches again in the first engine, without
the store but with its full table, for comparison.

backwards: the last position of each game is analysed, and then each one before it, by a new engine for a tenth of the time. Where
a mate is there to be found (the winner is to move and could play as in the game, or a whole analysis without a store finds it),
is it on the screen? The games are those of the issues 6328 and 6360 of Stockfish, which ask for this, or of a file.
"""

import argparse
import pathlib
import json
import re
import statistics
import subprocess
import tempfile
import time

from depth import bench_positions
from engine import Engine

HASH_BEFORE, HASH_AFTER = 64, 16
GAMES = """
[FEN "8/5p2/1p1r2p1/1p1p1R2/1P3KN1/8/7p/3N2kr w - - 0 1"]

1. Re5 Re6 2. Rxe6 fxe6 3. Nge3 d4 4. Kg3 *

[FEN "6br/1KNp1n1r/2p2p2/P1ppRP2/1kP3pP/3PBB2/PN1P4/8 w - - 0 1"]

1. Bxc5+ Kxc5 2. d4+ Kxd4 3. Nb5+ Kxe5 4. Nd3+ Kxf5 5. Nd4+ Kg6 6. Nf4+ Kg7 7. Nf5+ Kf8 8. Ng6+ Ke8 9. Kc8 *
"""


class Line:
    """An info line with a score."""

    def __init__(self, text):
        words = text.split()
        self.depth = int(words[words.index("depth") + 1])
        self.nodes = int(words[words.index("nodes") + 1])
        self.kind, score = words[words.index("score") + 1:words.index("score") + 3]
        self.score = int(score)
        self.is_exact = not {"lowerbound", "upperbound"} & set(words)
        self.move = words[words.index("pv") + 1]


class Analysis:
    """One search, to its end."""

    def __init__(self, engine, position, limit):
        self.lines, self.first = [], None
        engine.send(position)
        engine.ask("isready", r"readyok")
        self.start, before = time.perf_counter(), engine.seconds()
        found = engine.ask(f"go {limit}", r"bestmove (\S+)", self.note)
        engine.ask("isready", r"readyok")  # what was found is written
        self.seconds = engine.seconds() - before
        self.best = found.group(1)
        self.nodes = self.lines[-1].nodes if self.lines else 0

    def note(self, text):
        if " score " not in text or " pv " not in text:
            return
        self.first = self.first or time.perf_counter() - self.start
        self.lines.append(Line(text))

    def at_depth(self, depth):
        """The last exact line of a depth."""
        return next((line for line in reversed(self.lines) if line.depth == depth and line.is_exact), None)


def start(options, store=None, hash_size=HASH_BEFORE, mode="write"):
    settings = {"Hash": hash_size, "Threads": 1}
    if store:
        settings |= {"StoreFile": store, "StoreMode": mode}
    return Engine(options.engine, **settings)


def end(engine):
    engine.process.kill()
    engine.process.communicate()


def limit_of(options, part=1):
    return f"nodes {int(options.nodes * part)}" if options.nodes else f"movetime {int(options.seconds * 1000 * part)}"


def restart(options):
    rows = []
    for position in bench_positions():
        if len(rows) == options.positions:
            break
        with tempfile.TemporaryDirectory() as folder:
            store = pathlib.Path(folder) / "a.store"
            engine = start(options, store)
            before = Analysis(engine, position, limit_of(options))
            again = None
            depth = max((line.depth for line in before.lines), default=0)
            if options.same_process and depth > 1:
                engine.send("setoption name StoreMode value off")
                again = Analysis(engine, position, f"depth {depth - 1}")
            end(engine)
            engine = start(options, store, HASH_AFTER, "read")
            peek = Analysis(engine, position, "depth 1")
            end(engine)
            if not before.lines or peek.lines[0].kind == "mate" or depth > 100:
                continue  # no move, or nothing is left to be found
            known = subprocess.run([options.engine, "store", "show", store, position.removeprefix("position fen ").split(" moves")[0]],
                                   capture_output=True, text=True, check=True).stdout if "moves" not in position else ""
            found = re.search(r"depth (\d+), score", known)
            depth = int(found.group(1)) if found else depth - 1
            engine = start(options, store, HASH_AFTER, "read")
            after = Analysis(engine, position, f"depth {depth}")
            end(engine)
        goal, mark = before.at_depth(depth), after.at_depth(depth)
        row = (after.nodes / before.nodes, after.seconds / before.seconds, after.first * 1000, goal is not None and after.best == goal.move,
               again.nodes / before.nodes if again else None)
        rows.append(row)
        print(f"{len(rows):2} depth {depth:2}: {row[0]:.3f} of {before.nodes} nodes, {row[1]:.3f} of {before.seconds:.1f} s, first line "
              f"{row[2]:.0f} ms, {'same move' if row[3] else 'other move'}"
              + (f", {row[4]:.3f} in the same process" if again else "")
              + f"; {goal.score if goal else '?'} {mark.score if mark else '?'}", flush=True)
    print(f"median of {len(rows)}: {statistics.median(row[0] for row in rows):.3f} of the nodes, "
          f"{statistics.median(row[1] for row in rows):.3f} of the processor time, first line "
          f"{statistics.median(row[2] for row in rows):.0f} ms, same move {sum(row[3] for row in rows)}")
    if options.same_process:
        print(f"in the same process: {statistics.median(row[4] for row in rows):.3f} of the nodes")


def games_of(options, folder):
    """Each game as its positions, first to last, and the move played in each but the last."""
    file = pathlib.Path(folder) / "games.pgn"
    file.write_text(options.pgn.read_text() if options.pgn else GAMES)
    output = subprocess.run([options.engine, "analyse", "--json", "--depth", "1", file], capture_output=True, text=True, check=True)
    games = {}
    for line in output.stdout.splitlines():
        row = json.loads(line)
        if "ply" in row:
            games.setdefault(row["game"], []).append((row["fen"], row["move"]["uci"]))
    return list(games.values())


def mate_of(options, position, limit, store=None):
    engine = start(options, store)
    analysis = Analysis(engine, position, limit)
    end(engine)
    line = next((line for line in reversed(analysis.lines) if line.is_exact), None)
    return line.score if line and line.kind == "mate" else 0


def backwards(options):
    kept = wanted = alone = 0
    with tempfile.TemporaryDirectory() as folder:
        for number, game in enumerate(games_of(options, folder), 1):
            store = pathlib.Path(folder) / f"{number}.store"
            first, moves = game[0][0], [move for _, move in game]
            known = 0
            for ply in range(len(moves), -1, -1):
                position = f"position fen {first} moves {' '.join(moves[:ply])}"
                if ply == len(moves):
                    known = mate_of(options, position, limit_of(options), store)
                    print(f"game {number}, ply {ply}: {f'mate {known}' if known else 'no mate'}", flush=True)
                    continue
                mate = mate_of(options, position, limit_of(options, 0.1), store)
                tenth = mate_of(options, position, limit_of(options, 0.1))
                is_there = mate != 0 or known < 0 or mate_of(options, position, limit_of(options)) != 0
                print(f"game {number}, ply {ply:2}: {f'mate {mate}' if mate else 'no mate' if is_there else 'none there'}, without the "
                      f"store {f'mate {tenth}' if tenth else 'no mate'}", flush=True)
                if is_there:
                    wanted, kept, alone = wanted + 1, kept + (mate != 0), alone + (tenth != 0)
                known = mate
    print(f"the mate is known in {kept} of {wanted} positions in a tenth of the time; without a store in {alone}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=("restart", "backwards"))
    parser.add_argument("engine", nargs="?", default="./luft")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--nodes", type=int)
    parser.add_argument("--positions", type=int, default=50)
    parser.add_argument("--same-process", action="store_true")
    parser.add_argument("--pgn", type=pathlib.Path)
    options = parser.parse_intermixed_args()
    {"restart": restart, "backwards": backwards}[options.command](options)


if __name__ == "__main__":
    main()
