#!/usr/bin/env python3
"""How a level errs: figures to compare with people's. Prints one line of tab-separated values a level.

    python3 lab/levels/figures.py puzzles PUZZLES.csv ELO...      the share solved, by rating of the puzzle
    python3 lab/levels/figures.py games GAMES.pgn NAME...         losses by phase, blunders, pieces hung
    python3 lab/levels/figures.py coherence PUZZLES.tsv GAMES.tsv the ratings of people to which these figures belong
    python3 lab/levels/figures.py missed GAMES.pgn NAME...        faults in 100 moves by phase, cause, motif and piece
    python3 lab/levels/figures.py technique ELO...                queen or rook against a lone king
    python3 lab/levels/figures.py plot PUZZLES.tsv GAMES.tsv IMAGE.svg   how levels err, drawn by gnuplot
    python3 lab/levels/figures.py examples GAMES.pgn NAME...      a typical game of each player, as PGN

PUZZLES.csv has the columns of the Lichess puzzle database. Games are judged by `luft analyse --json`, which searches
each position once. PUZZLES.tsv and GAMES.tsv are what `puzzles` and `games` have printed for players whose names end in
ELO. Standard library only; docs/levels.md says what the figures mean.
"""

import argparse
import csv
import json
import math
import pathlib
import random
import re
import statistics
import subprocess
import tempfile
import textwrap

from calibrate import between

MIDDLE_MOVE, END_PIECES = 13, 7              # the opening ends before this move; the ending has fewer pieces than this
ACCURACY_LEAST = 24                          # in percent: no move counts as worse
DECIDED, CAP, BLUNDER = 600, 1000, 300       # centipawns
PUZZLE_OFFSET = 250                          # a person's rating in puzzles, less that in blitz

# People's figures by rating in blitz at Lichess; docs/levels.md names the sources.
HUMAN = {
    "loss": [(rating, 100 * math.log(3100 / rating)) for rating in range(400, 2601, 100)],
    "accuracy opening": [(1000, 70), (1500, 77), (2000, 86), (2500, 90)],
    "accuracy middle": [(1000, 63), (1500, 66), (2000, 72), (2500, 77)],
    "accuracy end": [(1000, 73), (1500, 74), (2000, 76), (2500, 78)],
    "first blunder": [(600, 15), (1000, 21), (1500, 29)],
}


class Engine:
    def __init__(self, program, *options):
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.send(*(f"setoption name {name} value {value}" for name, value in options))

    def send(self, *lines):
        self.process.stdin.write("".join(line + "\n" for line in lines))
        self.process.stdin.flush()

    def move(self, position, go):
        self.send(position, go)
        for line in self.process.stdout:
            if line.startswith("bestmove"):
                return line.split()[1]
        raise SystemExit("figures.py: the engine has ended")


def level(program, elo, seed=0):
    return Engine(program, ("UCI_LimitStrength", "true"), ("UCI_Elo", elo), ("Level Seed", seed))


# --- puzzles ---

def solves(engine, row):
    """Whether the level finds all its moves; any mate will do where the theme is a mate in one."""
    fen, moves = row["FEN"], row["Moves"].split()
    engine.send("ucinewgame")
    for i in range(1, len(moves), 2):
        found = engine.move(f"position fen {fen} moves {' '.join(moves[:i])}", "go movetime 100000")
        if found != moves[i]:
            return i == len(moves) - 1 and " mateIn" in " " + row["Themes"] and engine.move(
                f"position fen {fen} moves {' '.join(moves[:i])} {found}", "go movetime 100000") == "(none)"
    return True


def logistic(points):
    """Least squares in the likelihood of share = 1 / (1 + exp((rating - middle) / width)): middle and width."""
    middle, width = 1500.0, 300.0

    def loss(m, w):
        total = 0.0
        for rating, solved in points:
            p = 1 / (1 + math.exp(max(-30, min(30, (rating - m) / w))))
            total -= math.log(max(1e-12, p if solved else 1 - p))
        return total

    step = 400.0
    best = loss(middle, width)
    while step > 1:
        for dm, dw in ((step, 0), (-step, 0), (0, step / 2), (0, -step / 2)):
            if width + dw > 20 and (here := loss(middle + dm, width + dw)) < best:
                best, middle, width = here, middle + dm, width + dw
                break
        else:
            step /= 2
    return middle, width


def solvers(points):
    """The rating of people, in blitz, who solve as many of these puzzles, and its error (95 %)."""
    solved = min(max(sum(found for _, found in points), 0.5), len(points) - 0.5)
    chances = lambda rating: [1 / (1 + 10 ** ((puzzle - rating) / 400)) for puzzle, _ in points]
    low, high = -2000.0, 6000.0
    while high - low > 0.5:
        middle = (low + high) / 2
        low, high = (middle, high) if sum(chances(middle)) < solved else (low, middle)
    slope = sum(chance * (1 - chance) for chance in chances(low)) * math.log(10) / 400
    share = solved / len(points)
    return low - PUZZLE_OFFSET, 1.96 * math.sqrt(len(points) * share * (1 - share)) / slope


def share_of(points):
    rating, error = solvers(points)
    return f"{100 * sum(found for _, found in points) / len(points):.1f}\t{len(points)}\t{rating:.0f}\t{error:.0f}"


def puzzles(arguments):
    with open(arguments.file, encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    mates = [row for row in rows if "mateIn1" in row["Themes"].split()]
    random.Random(1).shuffle(rows)
    rows = rows[:arguments.count]
    print("elo\t" + "\t".join(f"{what} %\tof\trating by {what}\t+-" for what in ("mates in one", "two moves")) +
          "\tmiddle\t80 to 20 %\tpuzzles\t" + "\t".join(f"{r}.." for r in range(600, 2600, 200)))
    for elo in map(int, arguments.what):
        engine = level(arguments.luft, elo)
        attempts = lambda some: [(int(row["Rating"]), solves(engine, row)) for row in some]
        mated, points = attempts(mates), attempts(rows)
        two_moves = [point for point, row in zip(points, rows) if len(row["Moves"].split()) == 4]
        middle, width = logistic(points)
        bands = []
        for low in range(600, 2600, 200):
            band = [solved for rating, solved in points if low <= rating < low + 200]
            bands.append(f"{100 * sum(band) / len(band):.0f}" if band else "-")
        print(f"{elo}\t{share_of(mated)}\t{share_of(two_moves)}\t{middle:.0f}\t{2 * math.log(4) * width:.0f}\t{len(rows)}\t"
              + "\t".join(bands), flush=True)


# --- games ---

def read_games(path, names, count):
    """The text of the first `count` games of each player."""
    games, left = [], {name: count for name in names}
    with open(path, encoding="utf-8") as file:
        for text in re.split(r"\n(?=\[Event )", file.read()):
            players = [name for name in re.findall(r'\[(?:White|Black) "([^"]*)"\]', text) if left.get(name, 0) > 0]
            for name in players:
                left[name] -= 1
            if players:
                games.append(text.strip())
    return games


def cp(score):
    """A score of the JSON in centipawns, mates as the largest."""
    if "mate" in score:
        return 10000 if score["mate"] > 0 else -10000
    return score["cp"]


def phase_of(fen):
    board, move = fen.split()[0], int(fen.split()[5])
    if move < MIDDLE_MOVE:
        return 0
    return 2 if sum(letter in "nbrqNBRQ" for letter in board) < END_PIECES else 1


def on_square(fen, square):
    board = "".join("." * int(letter) if letter.isdigit() else letter for letter in fen.split()[0].replace("/", ""))
    return board[8 * (8 - int(square[1])) + ord(square[0]) - ord("a")]


class Figures:
    """Of one player: losses in centipawns in positions that are not decided, accuracies in percent (of the expected score, as at
    Lichess but with a slope of 0.0025; the harmonic mean of a phase of a game, as the figures of people have it), blunders, and moves
    that cost two pawns because a piece is taken at once."""

    def __init__(self):
        self.losses, self.accuracy = [], ([], [], [])
        self.by_phase = ([], [], [])
        self.moves = self.hangs = self.games = self.with_blunder = 0
        self.first = []

    def add_game(self, plies):
        """`plies`: (before, after, phase, hangs, number) of the player's moves, scores in centipawns as the player sees it."""
        self.games += 1
        first, accuracy = None, ([], [], [])
        for before, after, phase, hangs, number in plies:
            self.moves += 1
            loss = max(0, min(CAP, before) - max(-CAP, after))
            win = [50 + 50 * (2 / (1 + math.exp(-.0025 * score)) - 1) for score in (before, after)]
            accuracy[phase].append(max(ACCURACY_LEAST, 103.17 * math.exp(-.095 * max(0, win[0] - win[1])) - 2.17))
            self.hangs += hangs
            if abs(before) <= DECIDED:
                self.losses.append(min(CAP, loss))
                self.by_phase[phase].append(min(CAP, loss))
            if loss >= BLUNDER and first is None:
                first = number
        for phase, values in enumerate(accuracy):
            if values:
                self.accuracy[phase].append(statistics.harmonic_mean(values))
        if first is not None:
            self.with_blunder += 1
            self.first.append(first)

    def row(self):
        mean = lambda values: f"{statistics.mean(values):.0f}" if values else "-"
        tenths = lambda values: f"{statistics.mean(values):.1f}" if values else "-"
        error = 1.96 * statistics.stdev(self.losses) / math.sqrt(len(self.losses))
        return "\t".join([str(self.games), str(self.moves), mean(self.losses), f"{error:.0f}",
                          *map(mean, self.by_phase), *map(tenths, self.accuracy),
                          f"{100 * self.with_blunder / self.games:.0f}",
                          f"{statistics.median(self.first):.0f}" if self.first else "-",
                          f"{100 * self.hangs / self.moves:.2f}"])


def judged(arguments, name):
    """The games of a player, each with the plies of Figures.add_game."""
    texts = read_games(arguments.file, [name], arguments.count)
    with tempfile.NamedTemporaryFile("w", suffix=".pgn", encoding="utf-8") as file:
        file.write("\n\n".join(texts) + "\n")
        file.flush()
        output = subprocess.run([arguments.luft, "analyse", "--json", "--nodes", str(arguments.nodes), "--threads", "1",
                                 file.name], stdout=subprocess.PIPE, text=True, check=True).stdout
    moves = {}
    for line in output.splitlines():
        entry = json.loads(line)
        if "ply" in entry:
            moves.setdefault(entry["game"], []).append(entry)
    found = []
    for number, text in enumerate(texts, 1):
        white = f'[White "{name}"]' in text
        plies = []
        for entry, reply in zip(moves[number], moves[number][1:]):
            if (entry["fen"].split()[1] == "w") != white:
                continue
            before, after = cp(entry["score"]), -cp(reply["score"])
            victim = on_square(reply["fen"], reply["pv"][0]["uci"][2:4]) if reply.get("pv") else "."
            hangs = before - after >= 200 and abs(before) <= CAP and victim in set("nbrqNBRQ")
            plies.append((before, after, phase_of(entry["fen"]), hangs, int(entry["fen"].split()[5])))
        found.append((text, plies))
    return found


def games(arguments):
    phases = ("opening", "middle", "end")
    print("\t".join(["player", "games", "moves", "loss", "+-", *(f"loss {phase}" for phase in phases),
                     *(f"accuracy {phase}" for phase in phases), "with a blunder %", "first blunder", "hung %"]))
    for name in arguments.what:
        figures = Figures()
        for _, plies in judged(arguments, name):
            figures.add_game(plies)
        print(f"{name}\t{figures.row()}", flush=True)


# --- examples ---

EXAMPLE_TAGS = r"\[(Event|Site|Date|Round|White|Black|Result|SetUp|FEN) "


def without_comments(text):
    """The game without the scores and times of a match."""
    tags, _, moves = text.partition("\n\n")
    moves = re.sub(r"(?<=\s)\d+\.\.\.\s", "", re.sub(r"\s*\{[^}]*\}", "", moves))
    tags = "\n".join(tag for tag in tags.splitlines() if re.match(EXAMPLE_TAGS, tag))
    return f"{tags}\n\n{textwrap.fill(' '.join(moves.split()), 80)}\n"


def examples(arguments):
    """Of each player the decided game whose loss per move is nearest to the median of its games."""
    for name in arguments.what:
        played = []
        for text, plies in judged(arguments, name):
            figures = Figures()
            figures.add_game(plies)
            if figures.losses:
                played.append((statistics.mean(figures.losses), text))
        median = statistics.median(loss for loss, _ in played)
        decided = [game for game in played if '[Result "1/2-1/2"]' not in game[1]]
        print(without_comments(min(decided or played, key=lambda game: abs(game[0] - median))[1]))


# --- plots ---

def plot(arguments):
    """Four drawings: losses by phase, games with a blunder, its move, and the puzzles solved by their rating."""
    solved, played = rows_of(arguments.file, "elo"), rows_of(arguments.what[0], "player")
    script = ["set terminal svg size 900,700 noenhanced", "set multiplot layout 2,2", "set key font ',10' samplen 2",
              "set xtics 600,400", "set yrange [0:]", "set xlabel 'UCI_Elo'"]

    def draw(title, curves, style="linespoints"):
        script.append(f"set title '{title}'")
        script.append("plot " + ", ".join(f"'-' with {style} title '{name}'" for name, _ in curves))
        for _, points in curves:
            script.extend([*(f"{x} {y}" for x, y in points if y != "-"), "e"])

    of_levels = lambda what: [(elo, row[what]) for elo, row in played.items()]
    people = [(elo, 100 * math.log(3100 / (0.556 * elo + 350))) for elo in played]
    draw("Loss, centipawns a move", [(phase, of_levels(f"loss {phase}")) for phase in ("opening", "middle", "end")] +
         [("people, all phases", people)])
    script.append("unset key")
    draw("Games with a blunder, %", [("", of_levels("with a blunder %"))])
    draw("Move of the first blunder, median", [("", of_levels("first blunder"))])
    script.extend(["set key outside right", "set xlabel 'rating of the puzzle'"])
    draw("Puzzles solved, %", [(str(elo), [(int(band[:-2]) + 100, row[band]) for band in row if band.endswith("..")])
                               for elo, row in solved.items()])
    image = subprocess.run(["gnuplot"], input="\n".join(script), stdout=subprocess.PIPE, text=True, check=True).stdout
    pathlib.Path(arguments.what[1]).write_text(image, encoding="utf-8")


# --- coherence ---

def rating_of(curve, value):
    """The rating at which people have this figure, on lines between the points of the curve, which go on beyond its ends."""
    return between(sorted((y, x) for x, y in curve), value)


def rows_of(path, key):
    """Rows by the number at the end of their key: the strength of the level."""
    with open(path, encoding="utf-8") as file:
        return {int(row[key].split()[-1]): row for row in csv.DictReader(file, delimiter="\t")}


def coherence(arguments):
    """A level is coherent where all ratings are within 200 of their median, 300 where that is below 1000."""
    by_puzzles = ("mates in one", "two moves")
    solved, played = rows_of(arguments.file, "elo"), rows_of(arguments.what[0], "player")
    print("\t".join(["elo", "formula", *by_puzzles, *HUMAN, "median", "farthest", "coherent"]))
    for elo in sorted(set(solved) & set(played)):
        ratings = [float(solved[elo][f"rating by {what}"]) for what in by_puzzles]
        ratings += [rating_of(curve, float(played[elo][what])) for what, curve in HUMAN.items() if played[elo][what] != "-"]
        median = statistics.median(ratings)
        farthest = max(abs(rating - median) for rating in ratings)
        shown = [f"{rating:.0f}" for rating in ratings] + ["-"] * (len(by_puzzles) + len(HUMAN) - len(ratings))
        print("\t".join([str(elo), f"{0.556 * elo + 350:.0f}", *shown, f"{median:.0f}", f"{farthest:.0f}",
                         "yes" if farthest <= (200 if median >= 1000 else 300) else "no"]))


# --- what is missed ---

def missed(arguments):
    """Faults in 100 moves of each player, as `luft analyse --summary` explains them."""
    summaries = []
    for name in arguments.what:
        with tempfile.NamedTemporaryFile("w", suffix=".pgn", encoding="utf-8") as file:
            file.write("\n\n".join(read_games(arguments.file, [name], arguments.count)) + "\n")
            file.flush()
            output = subprocess.run([arguments.luft, "analyse", "--summary", name, "--json", "--nodes", str(arguments.nodes),
                                     "--threads", "1", file.name], stdout=subprocess.PIPE, text=True, check=True).stdout
        summaries.append(json.loads(output))
    counts = {}
    for i, summary in enumerate(summaries):
        for table in summary["tables"]:
            for row in table["rows"]:
                counts.setdefault((table["by"], row["name"]), [0] * len(summaries))[i] = row["faults"]
    print("\t".join(["by", "what", *arguments.what]))
    print("\t".join(["", "games", *(str(summary["games"]) for summary in summaries)]))
    print("\t".join(["", "moves", *(str(summary["moves"]) for summary in summaries)]))
    for (by, what), faults in sorted(counts.items(), key=lambda item: (item[0][0], -sum(item[1]))):
        print("\t".join([by, what, *(f"{100 * fault / summary['moves']:.2f}" for fault, summary in zip(faults, summaries))]))


# --- technique ---

def technique(arguments):
    """Level against full strength, from positions with White to move; won: mate within 50 moves."""
    print("elo\tpiece\twon\tof\tlongest")
    for elo in map(int, arguments.what):
        for piece in "QR":
            won, longest, chance = 0, 0, random.Random(elo)
            for number in range(arguments.count):
                attacker, defender = level(arguments.luft, elo, number + 1), Engine(arguments.luft)
                fen = lone_king(chance, piece, defender)
                moves = []
                while len(moves) < 100:
                    side = attacker if len(moves) % 2 == 0 else defender
                    move = side.move(f"position fen {fen} moves {' '.join(moves)}",
                                     "go movetime 100000" if side is attacker else "go nodes 2000")
                    if move == "(none)":
                        break
                    moves.append(move)
                mated = len(moves) % 2 == 1 and is_mated(defender, fen, moves)
                won += mated
                longest = max(longest, (len(moves) + 1) // 2 if mated else 0)
                attacker.send("quit")
                defender.send("quit")
            print(f"{elo}\t{piece}\t{won}\t{arguments.count}\t{longest}", flush=True)


def shown(engine, position):
    """The FEN of a position, and whether it is check, by the engine's own board."""
    engine.send(position, "d")
    lines = []
    for line in engine.process.stdout:
        lines.append(line)
        if line.startswith("Checkers"):
            return lines[-1].partition(":")[2].strip() != ""
    raise SystemExit("figures.py: the engine has ended")


def is_mated(engine, fen, moves):
    position = f"position fen {fen} moves {' '.join(moves)}"
    return engine.move(position, "go depth 1") == "(none)" and shown(engine, position)


def lone_king(chance, piece, engine):
    """A legal position of king and piece against king, White to move, Black not in check."""
    while True:
        squares = chance.sample(range(64), 3)
        board = ["."] * 64
        for square, letter in zip(squares, f"K{piece}k"):
            board[square] = letter
        (a, b), (c, d) = divmod(squares[0], 8), divmod(squares[2], 8)
        if max(abs(a - c), abs(b - d)) < 2:
            continue
        ranks = "/".join(re.sub(r"\.+", lambda run: str(len(run[0])), "".join(board[i:i + 8])) for i in range(0, 64, 8))
        if not shown(engine, f"position fen {ranks} b - - 0 1"):
            return f"{ranks} w - - 0 1"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--luft", default="./luft")
    parser.add_argument("--count", type=int, default=100, help="puzzles, games or positions of each level")
    parser.add_argument("--nodes", type=int, default=5000, help="of a judgement of a move in a game")
    kinds = parser.add_subparsers(required=True, metavar="KIND")
    for name, function, has_file in (("puzzles", puzzles, True), ("games", games, True), ("coherence", coherence, True),
                                     ("missed", missed, True), ("technique", technique, False), ("plot", plot, True),
                                     ("examples", examples, True)):
        kind = kinds.add_parser(name)
        if has_file:
            kind.add_argument("file")
        kind.add_argument("what", nargs="+")
        kind.set_defaults(run=function)
    arguments = parser.parse_args()
    arguments.run(arguments)


if __name__ == "__main__":
    main()
