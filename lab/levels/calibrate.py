#!/usr/bin/env python3
"""Plays the ladder of levels, rates it, and renews the table of the levels.

    python3 lab/levels/calibrate.py FOLDER            plays what is missing, then rates all games of FOLDER
    python3 lab/levels/calibrate.py FOLDER --rate     rates only
    python3 lab/levels/calibrate.py FOLDER --write    rates, then writes src/level/level.def from the ratings

Each level plays its neighbours at one, two and three steps, and the three anchors that are nearest to its label. The
anchors are Stockfish's Skill Levels, whose ratings were published, and below them Fairy-Stockfish's negative ones, which
are rated here. All games are those of `luft-lab match`, so after a kill the same command carries on. They are played in
passes of PASS games a pairing: stopped early, by a signal or by --hours, all pairings have about the same number.
`luft-lab rate` rates them.

The table: what played at strength R under an old label becomes the level R. All values of a row move together along the
old table, so a calibration changes how strong a label is, not in which way a level of that strength is weak.

A control is an older program at one strength with a known rating: it plays like the levels. If its rating has moved by
more than its error, the run says nothing, and --write refuses. Standard library only; docs/levels.md has an example.
"""

import argparse
import collections
import concurrent.futures
import csv
import pathlib
import re
import subprocess
import sys
import time
import zlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
TABLE = ROOT / "src/level/level.def"
PASS = 20            # games of a pairing, before the next pass
STEPS = (1, 2, 3)    # neighbours
NEAREST = 3          # anchors
START_SECONDS = 100  # for an engine, on a machine that is busy
LOWEST, HIGHEST = 600, 2800

# Stockfish's Skill Level K on the scale of CCRL blitz (its authors, 2023; errors 25 to 40). The choice falls at depth K + 1.
STOCKFISH = {0: 1320, 1: 1468, 2: 1608, 3: 1742, 4: 1923, 5: 2204, 6: 2363, 7: 2500, 8: 2596, 9: 2703, 10: 2788}
# Rough ratings of Fairy-Stockfish's levels, which only decide who plays whom. They choose at depth 1.
FAIRY = {-1: 1285, -2: 1180, -3: 930, -4: 720, -5: 500, -6: 400, -7: 350, -8: 300}


class Player:
    def __init__(self, name, rating, words):
        self.name, self.rating, self.words = name, rating, words + [f"name={name}"]


def luft_player(program, elo, name=None):
    return Player(name or f"Luft {elo}", elo, [f"cmd={program}", "nodes=1000000", "option.UCI_LimitStrength=true",
                                               f"option.UCI_Elo={elo}"])


def anchors(arguments):
    players = [Player(f"Stockfish {level}", rating, [f"cmd={arguments.stockfish}", f"depth={level + 1}",
                                                     f"option.Skill Level={level}", "option.Hash=1"])
               for level, rating in STOCKFISH.items()]
    if arguments.fairy:
        players += [Player(f"Fairy {level}", rating, [f"cmd={arguments.fairy}", "depth=1",
                                                      f"option.Skill Level={level}", "option.Hash=1"])
                    for level, rating in FAIRY.items()]
    return players


def pairings(levels, others):
    """The pairs that play: levels with their neighbours and nearest anchors, weak anchors with those around them."""
    pairs = [(levels[i], levels[i + step]) for step in STEPS for i in range(len(levels) - step)]
    for level in levels:
        pairs += [(level, other) for other in sorted(others, key=lambda other: abs(other.rating - level.rating))[:NEAREST]]
    ladder = sorted((other for other in others if other.rating <= STOCKFISH[1]), key=lambda other: other.rating)
    pairs += [(ladder[i], ladder[i + step]) for step in (1, 2) for i in range(len(ladder) - step)]
    return pairs


def run(words, end=None):
    """Runs a program; at `end` (of time.monotonic) it is asked to stop and keep what it has."""
    try:
        process = subprocess.Popen([str(word) for word in words], stdout=subprocess.DEVNULL)
    except FileNotFoundError:
        sys.exit(f"calibrate.py: there is no program {words[0]}")
    try:
        status = process.wait(None if end is None else max(0, end - time.monotonic()))
    except subprocess.TimeoutExpired:
        process.terminate()
        process.wait()
        return
    if status != 0:
        sys.exit(f"calibrate.py: {' '.join(map(str, words))} ended with status {status}")


def match_words(arguments, openings, first, second, games):
    pgn = arguments.folder / f"{first.name} - {second.name}.pgn".replace(" ", "_")
    seed = zlib.crc32(pgn.name.encode())  # other openings for each pairing, and always the same
    return [arguments.lab, "match", "-engine", *first.words, "-engine", *second.words, "-rounds", games // 2, "-openings",
            f"file={openings}", "order=random", "-srand", seed, "-pgnout", pgn, "-starttimeout", START_SECONDS, "-log", "none",
            "-quiet"]


def play(arguments, pairs):
    """Plays all pairings, `concurrency` at once. The pairing that has waited longest is next, so all advance alike."""
    openings = arguments.folder / "openings.epd"
    if not openings.exists():
        run([arguments.lab, "openings", "--plies", "3-4", "--count", "400", "--nodes", "1000", "--engine", arguments.luft,
             "--quiet", "--output", openings])
    end = None if arguments.hours is None else time.monotonic() + 3600 * arguments.hours
    waiting = collections.deque((PASS, pair) for pair in pairs)

    def play_passes():
        while end is None or time.monotonic() < end:
            try:
                games, (first, second) = waiting.popleft()
            except IndexError:
                return
            try:
                run(match_words(arguments, openings, first, second, min(games, arguments.games)), end)
            except SystemExit:
                waiting.clear()  # a fault ends the others after their pass
                raise
            if games < arguments.games:
                waiting.append((games + PASS, (first, second)))

    with concurrent.futures.ThreadPoolExecutor(arguments.concurrency) as pool:
        for worker in [pool.submit(play_passes) for _ in range(arguments.concurrency)]:
            worker.result()


def rate(arguments):
    """Rates all games of the folder: name -> (rating, error)."""
    files = sorted(str(path) for path in arguments.folder.glob("*.pgn") if path.stat().st_size > 0)
    text = "".join(pathlib.Path(path).read_text() for path in files)
    fixed = [f"Stockfish {level}={rating}" for level, rating in STOCKFISH.items() if f'"Stockfish {level}"' in text]
    if not fixed:
        sys.exit("calibrate.py: no game against Stockfish has been played yet, so nothing anchors the ratings")
    rows = arguments.folder / "ratings.tsv"
    anchor_words = [word for anchor in fixed for word in ("--anchor", anchor)]
    run([arguments.lab, "rate", *files, *anchor_words, "--family", "Stockfish,Fairy", "--rows", rows, "--output",
         arguments.folder / "ratings.md"])
    with open(rows, encoding="utf-8") as file:
        return {row["player"]: (float(row["rating"]), float(row["error"]))
                for row in csv.DictReader(file, delimiter="\t") if row["rating"] != "-"}


# --- the table ---

def read_table(text):
    return [[int(number) for number in row.split(",")] for row in re.findall(r"^LEVEL\(([-\d, ]+)\)$", text, re.M)]


def between(points, x):
    """Linear between points (x, y) in order of x; beyond them the first or last segment goes on."""
    i = 1
    while i < len(points) - 1 and points[i][0] < x:
        i += 1
    (x0, y0), (x1, y1) = points[i - 1:i + 1]
    return y0 + (y1 - y0) * (x - x0) / (x1 - x0)


def renewed(table, measured):
    """The rows for the same labels, from the strengths that were measured under the old ones: (label, rating)."""
    rising, most = [], -10000
    for label, rating in sorted(measured):
        most = max(most + 1, rating)  # luck can put two neighbours in the wrong order
        rising.append((most, label))
    rows = []
    for label, *_ in table:
        old = between(rising, label)
        values = [round(between([(row[0], row[column]) for row in table], old)) for column in range(1, len(table[0]))]
        rows.append([label, *values])
    return rows


def write_table(text, rows):
    lines = iter(f"LEVEL({', '.join(map(str, row))})" for row in rows)
    return re.sub(r"^LEVEL\([-\d, ]+\)$", lambda _: next(lines), text, flags=re.M)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--rate", action="store_true", help="play nothing")
    parser.add_argument("--write", action="store_true", help="play nothing, and renew the table")
    parser.add_argument("--games", type=int, default=100, help="of a pairing (default %(default)s)")
    parser.add_argument("--step", type=int, default=100, help="between levels (default %(default)s)")
    parser.add_argument("--concurrency", type=int, default=1, help="pairings that play at once (default %(default)s)")
    parser.add_argument("--hours", type=float, help="stop playing after this time")
    parser.add_argument("--luft", default="./luft")
    parser.add_argument("--lab", default="./luft-lab")
    parser.add_argument("--stockfish", default="stockfish")
    parser.add_argument("--fairy", default="fairy-stockfish", help="'' where there is none: then nothing anchors the weak")
    parser.add_argument("--control", nargs=3, metavar=("PROGRAM", "ELO", "RATING"), help="an older program and its rating")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)

    levels = [luft_player(arguments.luft, elo) for elo in range(LOWEST, HIGHEST + 1, arguments.step)]
    others = anchors(arguments)
    if arguments.control:
        program, elo, rating = arguments.control
        control = luft_player(program, int(elo), "Control")
        control.rating = float(rating)
        others.append(control)
    if not arguments.rate and not arguments.write:
        play(arguments, pairings(levels, others))
    ratings = rate(arguments)
    measured = [(level.rating, ratings[level.name][0]) for level in levels if level.name in ratings]
    for level in levels:
        if level.name in ratings:
            rating, error = ratings[level.name]
            print(f"{level.name:10} {rating:7.0f} +- {error:3.0f}   {rating - level.rating:+5.0f}")
    if arguments.control:
        rating, error = ratings["Control"]
        print(f"Control    {rating:7.0f} +- {error:3.0f}   {rating - control.rating:+5.0f}")
        if abs(rating - control.rating) > error:
            sys.exit("calibrate.py: the control has moved, so the ratings of this run say nothing")
    if arguments.write:
        text = TABLE.read_text(encoding="utf-8")
        TABLE.write_text(write_table(text, renewed(read_table(text), measured)), encoding="utf-8")


if __name__ == "__main__":
    main()
