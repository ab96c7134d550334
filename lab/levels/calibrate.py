#!/usr/bin/env python3
"""Plays the ladder of levels, rates it, and renews the table of the levels.

    python3 lab/levels/calibrate.py FOLDER            plays what is missing, then rates all games of FOLDER
    python3 lab/levels/calibrate.py FOLDER --share 2  shares two processor hours out, by what a game says about the ratings
    python3 lab/levels/calibrate.py FOLDER --rate     rates only
    python3 lab/levels/calibrate.py FOLDER --write    rates, then writes src/level/level.def from the ratings

Each level plays its neighbours at one, two and three steps, and the three anchors that are nearest to its label. The
anchors are Stockfish's Skill Levels, whose ratings were published, and below them Fairy-Stockfish's negative ones, which
are rated here. All games are those of `luft-lab match`, so after a kill the same command carries on. They are played in
passes of PASS games a pairing: stopped early, by a signal or by --hours, all pairings have about the same number.
`luft-lab rate` rates them. With --share each pairing has its own number (design.py), in files of some seconds each, so that
several processors can play one pairing; stopped early, all have about the same part of it.

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

import design
from design import between  # noqa: F401: figures.py takes it from here

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
FAIRY = {-1: 1285, -2: 1230, -3: 1160, -4: 1040, -5: 900, -6: 840, -7: 830, -8: 810}

# Rough seconds of processor time for one side of a game, which only decide how many games are played: of 1,584 games on 16
# busy processors.
STOCKFISH_SECONDS = {0: .05, 1: .06, 2: .08, 3: .1, 4: .14, 5: .35, 6: .76, 7: 2, 8: 3, 9: 5, 10: 9}
FAIRY_SECONDS, LUFT_SECONDS, LUFT_NODE_SECONDS = .25, .07, 8.5e-5  # the last a node of a move
DEAR = 0.5             # seconds of a game: with --share, cheaper pairings are played first
FILE_SECONDS = 15      # of the games in one file, with --share
STEP_GAMES = 240       # of two levels that are next to each other, at least
ANCHOR_SECONDS = 15    # of a level and an anchor, or two anchors, at least, but
ANCHOR_GAMES = 60      # no more than this number is asked for
STRONG = 2200          # games of two players from here on end where both see the result
CLEAR_RESULTS = ["-resign", "movecount=4", "score=700", "twosided=yes", "-draw", "movecount=6", "score=15", "movenumber=50"]
WANTED_UP_TO = 2600    # the errors of every second level up to here are made small


class Player:
    def __init__(self, name, rating, words, seconds=0.1):
        self.name, self.rating, self.words, self.seconds = name, rating, words + [f"name={name}"], seconds


def luft_player(program, elo, name=None):
    nodes = between([row[:2] for row in read_table(TABLE.read_text(encoding="utf-8"))], elo)
    return Player(name or f"Luft {elo}", elo, [f"cmd={program}", "nodes=1000000", "option.UCI_LimitStrength=true",
                                               f"option.UCI_Elo={elo}"], LUFT_SECONDS + LUFT_NODE_SECONDS * nodes)


def anchors(arguments):
    players = [Player(f"Stockfish {level}", rating, [f"cmd={arguments.stockfish}", f"depth={level + 1}",
                                                     f"option.Skill Level={level}", "option.Hash=1"],
                      STOCKFISH_SECONDS[level]) for level, rating in STOCKFISH.items()]
    if arguments.fairy:
        players += [Player(f"Fairy {level}", rating, [f"cmd={arguments.fairy}", "depth=1",
                                                      f"option.Skill Level={level}", "option.Hash=1"],
                           FAIRY_SECONDS) for level, rating in FAIRY.items()]
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


def shared_out(arguments, pairs, levels):
    """The number of games of each pairing for --share hours, with the errors to be expected printed."""
    ratings = {player.name: player.rating for pair in pairs for player in pair}
    fixed = {name for name in ratings if name.startswith("Stockfish")}
    cost, least = {}, {}
    for pair in pairs:
        names = tuple(player.name for player in pair)
        cost[names] = sum(player.seconds for player in pair)
        is_step = pair[0] in levels and pair[1] in levels and levels.index(pair[1]) == levels.index(pair[0]) + 1
        least[names] = STEP_GAMES if is_step else 0
        if pair[1] not in levels:
            least[names] = min(ANCHOR_GAMES, 2 * round(ANCHOR_SECONDS / cost[names] / 2))
    wanted = [player.name for player in levels if player.rating % 200 == 0 and player.rating <= WANTED_UP_TO]
    games, errors = design.plan(ratings, fixed, cost, 3600 * arguments.share, least, wanted)
    for name in wanted:
        print(f"{name:10} expected error {errors[name]:3.0f}")
    print(f"{sum(games.values())} games of {len(games)} pairings", flush=True)
    return {pair: games.get(tuple(player.name for player in pair), 0) for pair in pairs}


def files_of(games):
    """The files of a plan in the order in which they are played: (games of the file, its number, pairing). Most levels play fast
    games, so these come first, whatever time is left for the others."""
    files = []
    for (first, second), count in games.items():
        parts = max(1, round(count * (first.seconds + second.seconds) / FILE_SECONDS))
        at = [2 * (count * part // (2 * parts)) for part in range(parts + 1)]
        is_dear = first.seconds + second.seconds > DEAR
        files += [((is_dear, (part + .5) / parts), at[part + 1] - at[part], part, (first, second)) for part in range(parts)]
    files.sort(key=lambda file: (file[0], -(file[3][0].seconds + file[3][1].seconds)))
    return [file[1:] for file in files if file[1] > 0]


def match_words(arguments, openings, first, second, games, part=None):
    name = f"{first.name} - {second.name}" + ("" if part is None else f" {part}")
    pgn = arguments.folder / f"{name}.pgn".replace(" ", "_")
    seed = zlib.crc32(pgn.name.encode())  # other openings for each pairing, and always the same
    return [arguments.lab, "match", "-engine", *first.words, "-engine", *second.words, "-rounds", games // 2, "-openings",
            f"file={openings}", "order=random", "-srand", seed, "-pgnout", pgn, "-starttimeout", START_SECONDS, "-log", "none",
            "-quiet", *(CLEAR_RESULTS if min(first.rating, second.rating) >= STRONG else [])]


def play(arguments, pairs, games=None):
    """Plays all pairings, `concurrency` at once. The pairing that has waited longest is next, so all advance alike; with `games`
    of each pairing, one file after the other."""
    openings = arguments.folder / "openings.epd"
    if not openings.exists():
        run([arguments.lab, "openings", "--plies", "3-4", "--count", "400", "--nodes", "1000", "--engine", arguments.luft,
             "--quiet", "--output", openings])
    end = None if arguments.hours is None else time.monotonic() + 3600 * arguments.hours
    waiting = collections.deque(files_of(games) if games is not None else ((PASS, None, pair) for pair in pairs))

    def play_passes():
        while end is None or time.monotonic() < end:
            try:
                count, part, (first, second) = waiting.popleft()
            except IndexError:
                return
            wanted = count if part is not None else min(count, arguments.games)
            try:
                run(match_words(arguments, openings, first, second, wanted, part), end)
            except SystemExit:
                waiting.clear()  # a fault ends the others after their pass
                raise
            if part is None and count < arguments.games:
                waiting.append((count + PASS, None, (first, second)))

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
    parser.add_argument("--share", type=float, metavar="HOURS", help="of processor time, shared out so that errors are smallest")
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
        pairs = pairings(levels, others)
        play(arguments, pairs, shared_out(arguments, pairs, levels) if arguments.share else None)
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
