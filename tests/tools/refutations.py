"""Draws positions with a known refutation from games of Luft against itself, and asks Stockfish at depth 20 what is wrong with a
move of each (tests/e2e/refutation_rules.py says what counts):

    luft-lab datagen --out own.games --games 400 --nodes 60 --random-moves 0.03 --seed 20261124 --threads 1
    luft-lab data export own.games --out own.txt
    python3 tests/tools/refutations.py own.txt 20 20261124 /usr/games/stockfish > more.csv

The first 80 rows of tests/e2e/refutations.csv came so by the seed 20261123 from games of net 10. The last 20 are of the commands
above and of net 11: they were drawn before Luft was asked about them.

Of each game one position, by the seed; every other move is the game's own, the others are random legal ones."""

import csv
import pathlib
import random
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "e2e"))

import own_games  # noqa: E402
import refutation_rules  # noqa: E402

class Referee:
    def __init__(self, path):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.say("setoption name Hash value 64")

    def say(self, line):
        self.process.stdin.write(line + "\n")

    def search(self, fen, depth, move=None):
        """(score in centipawns, line)"""
        self.say("ucinewgame")
        self.say(f"position fen {fen}")
        self.say(f"go depth {depth}" + (f" searchmoves {move}" if move else ""))
        score, line = 0, []
        for text in self.process.stdout:
            words = text.split()
            if text.startswith("bestmove"):
                return score, line
            if "pv" in words and "score" in words and "lowerbound" not in words and "upperbound" not in words:
                kind, value = words[words.index("score") + 1:][:2]
                score = int(value) if kind == "cp" else refutation_rules.MATE * (1 if int(value) > 0 else -1)
                line = words[words.index("pv") + 1:]
        raise EOFError("the referee ended")


def main(path, count, seed, engine):
    generator, referee = random.Random(seed), Referee(engine)
    games = pathlib.Path(path).read_text().splitlines()
    generator.shuffle(games)
    out = csv.writer(sys.stdout)
    out.writerow(["fen", "move", "score", "best_score", "line", "better"])
    for fen, move in own_games.questions(games, generator):
        shallow = referee.search(fen, 10)[0] - referee.search(fen, 10, move)[0]
        if shallow < refutation_rules.WORTH / 2:
            continue
        (best_score, better), (score, line) = referee.search(fen, 20), referee.search(fen, 20, move)
        if not refutation_rules.reasons(fen, line, better, score, best_score):
            continue
        out.writerow([fen, move, score, best_score, " ".join(line[:30]), " ".join(better[:30])])
        sys.stdout.flush()
        count -= 1
        if count == 0:
            break


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4])
