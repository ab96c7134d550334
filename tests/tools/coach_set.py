"""Draws the 60 moves whose explanations a coach marks (tests/e2e/support/coach_set*.tsv):

    python3 tests/tools/coach_set.py PUZZLES.csv 20261129 STOCKFISH STS.epd > tests/e2e/support/coach_set_7.tsv

The games are amateurs' (tests/e2e/support/amateur_games*.pgn, published as test data of other programs; without the names; the
second file has games of the Lichess database, CC0, of January 2013, the third of 2024 and 2025, from one public collection).
The puzzles are rows of the Lichess database (CC0) with the columns of its file; those of tests/e2e/support/puzzles.csv are left
out. Strategic positions are those of a suite, if one is given (the sixth and the seventh set: STS by Dann Corbit and Swaminathan Natarajan,
with the moves that Ferdinand Mosca's edition names). Luft is not used, and no rule of explanations is changed for one of these
moves. Moves of earlier sets are not drawn again.

`mates`: moves that allow a mate, or another move where the solution mates. `puzzles`: the mistake before a solution. `worst`: of
a game the move that loses most of the expected score. `strategic`: quiet moves that lose 0.4 to 1.5 pawns while neither line wins
material (of a suite: one of the moves that it names). `good`: the best move, where the next one is a pawn worse at least; half of them begin a puzzle's solution."""

import csv
import math
import pathlib
import random
import re
import sys

SUPPORT = pathlib.Path(__file__).resolve().parent.parent / "e2e/support"
sys.path.insert(0, str(SUPPORT))

import own_games  # noqa: E402
from explain_checker import material  # noqa: E402
from referee import Referee  # noqa: E402
from rules import Position, name  # noqa: E402

COUNTS = {"mates": 10, "puzzles": 12, "worst": 12, "strategic": 14, "good": 12}
MARKS = ["true", "relevant", "line", "wording", "first", "misleads", "remark"]
FINE_THEMES = {"sacrifice", "quietMove", "defensiveMove", "zugzwang", "intermezzo"}
GLANCE, DEPTH, CAPTURES_DONE = 9, 14, 8  # plies


def read_san(pos, text):
    """The legal move that is written so."""
    castling = {"O-O": 2, "O-O-O": -2}.get(text.rstrip("+#"))
    parts = re.fullmatch(r"([KQRBN]?)([a-h]?)([1-8]?)x?([a-h][1-8])=?([QRBN]?)[+#]?", text)
    for move in pos.legal():
        start, to, promotion = move
        if castling and pos.kind(start) == "k" and to - start == castling:
            return move
        if castling:
            continue
        piece, file, rank, target, new = parts.groups()
        if (piece or "P").lower() == pos.kind(start) and name(to) == target and new.lower() == promotion and \
                file in ("", name(start)[0]) and rank in ("", name(start)[1]):
            return move
    raise ValueError(f"{text} is not legal")


def read_games(path):
    """The games as lists of (position, FEN, move)."""
    games = []
    for text in path.read_text().split("[White ")[1:]:
        pos, game = Position(own_games.START), []
        for word in text[text.index("\n\n"):].split():
            if word[0].isdigit() or word == "*":
                continue
            move = read_san(pos, word)
            game.append((pos, own_games.fen_of(pos, len(game)), move))
            pos = pos.make(move)
        games.append(game)
    return games


def expected(score):
    return 1 / (1 + math.exp(-score / 250))


def lost_at_once(referee, game):
    """What each move loses of the expected score, and in centipawns, by short searches."""
    scores = [referee.search(fen, GLANCE)[0] for _, fen, _ in game]
    return [(expected(before) - expected(-after), before + after) for before, after in zip(scores, scores[1:])]


def balance(pos, line):
    """Points that the side to move has lost after the first plies of a line."""
    boards, moves = [pos], []
    for text in line[:CAPTURES_DONE]:
        moves.append(boards[-1].parse(text))
        boards.append(boards[-1].make(moves[-1]))
    return material(boards, moves, len(moves), pos.white)[0]


def is_strategic(referee, pos, fen, move):
    if pos.captured(move) or pos.in_check():
        return False
    best, better = referee.search(fen, DEPTH)
    score, line = referee.search(fen, DEPTH, own_games.text_of(move))
    return 40 <= best - score <= 150 and abs(best) <= 250 and balance(pos, better) == balance(pos, line) == 0


def is_fine(referee, pos, fen, move, is_obvious):
    """The best move of all by a pawn, in a game that is not decided, and no capture back."""
    others = [own_games.text_of(other) for other in pos.legal() if other != move]
    if is_obvious or not others:
        return False
    score, line = referee.search(fen, DEPTH)
    return abs(score) <= 400 and line[0] == own_games.text_of(move) and \
        score - referee.search(fen, DEPTH, " ".join(others))[0] >= 100


def drawn_before():
    """The FEN and move of all that the earlier sets have."""
    found = set()
    for path in SUPPORT.glob("coach_set*.tsv"):
        with open(path, newline="") as file:
            found |= {(row["fen"], row["move"]) for row in csv.DictReader(file, delimiter="\t")}
    return found


def is_new(known, fen, move):
    return (fen, own_games.text_of(move)) not in known


def draw_from_suite(path, referee, generator, known):
    """Strategic errors: of a row of an EPD file one of the moves that its operation c9 names."""
    lines = pathlib.Path(path).read_text().splitlines()
    generator.shuffle(lines)
    rows = []
    for line in lines:
        fen, moves = " ".join(line.split()[:4]) + " 0 20", re.search(r'c9 "([^"]*)"', line).group(1).split()
        pos = Position(fen)
        generator.shuffle(moves)
        move = pos.parse(moves[0])
        if move and is_new(known, fen, move) and is_strategic(referee, pos, fen, move):
            rows.append(("strategic", fen, move))
            if len(rows) == COUNTS["strategic"]:
                break
    return rows


def draw_from_games(referee, generator, known, strategic):
    games = [game for path in sorted(SUPPORT.glob("amateur_games*.pgn")) for game in read_games(path)]
    generator.shuffle(games)
    lost = [lost_at_once(referee, game) for game in games]
    worst = [max(range(len(row)), key=row.__getitem__) for row in lost]
    rows = [("worst", *game[ply][1:]) for game, ply in zip(games, worst) if is_new(known, *game[ply][1:])][:COUNTS["worst"]]
    places = [(index, ply) for index, row in enumerate(lost) for ply in range(6, len(row)) if ply != worst[index]]
    generator.shuffle(places)
    wanted = {"strategic": strategic, "good": COUNTS["good"] // 2}
    for index, ply in places:
        (pos, fen, move), (_, before) = games[index][ply], games[index][ply - 1][::2]
        if not is_new(known, fen, move):
            continue
        if wanted["strategic"] and 30 <= lost[index][ply][1] <= 180 and is_strategic(referee, pos, fen, move):
            group = "strategic"
        elif wanted["good"] and lost[index][ply][1] <= 20 and is_fine(referee, pos, fen, move, move[1] == before[1]):
            group = "good"
        else:
            continue
        wanted[group] -= 1
        rows.append((group, fen, move))
    return rows


def draw_from_puzzles(path, generator, known):
    with open(SUPPORT / "puzzles.csv", newline="") as file:
        tested = {row["id"] for row in csv.DictReader(file)}
    with open(path, newline="") as file:
        puzzles = [row for row in csv.DictReader(file) if row["PuzzleId"] not in tested]
    generator.shuffle(puzzles)
    rows, wanted = [], {"mates": COUNTS["mates"], "puzzles": COUNTS["puzzles"], "good": COUNTS["good"] - COUNTS["good"] // 2}
    for puzzle in puzzles:
        fen, themes, texts = puzzle["FEN"], set(puzzle["Themes"].split()), puzzle["Moves"].split()
        pos = Position(fen)
        mistake = pos.parse(texts[0])
        after, number = pos.make(mistake), 2 * int(fen.split()[5]) - 2 + (not pos.white)
        answer, after_fen = after.parse(texts[1]), own_games.fen_of(after, number + 1)
        if "mate" in themes and wanted["mates"]:
            misses = wanted["mates"] % 2
            others = sorted(move for move in after.legal() if move != answer)
            row = ("mates", after_fen, generator.choice(others)) if misses and others else ("mates", fen, mistake)
        elif "mate" not in themes and themes & FINE_THEMES and wanted["good"] and \
                answer[1] != mistake[1]:
            row = ("good", after_fen, answer)
        elif "mate" not in themes and not themes & FINE_THEMES and wanted["puzzles"]:
            row = ("puzzles", fen, mistake)
        else:
            continue
        if not is_new(known, *row[1:]):
            continue
        wanted[row[0]] -= 1
        rows.append(row)
        if not any(wanted.values()):
            return rows
    raise ValueError("too few puzzles")


def main(puzzles, seed, engine, suite=None):
    referee, generator = Referee(engine), random.Random(int(seed))
    known = drawn_before()
    rows = draw_from_puzzles(puzzles, generator, known)
    rows += draw_from_suite(suite, referee, generator, known) if suite else []
    rows += draw_from_games(referee, generator, known, 0 if suite else COUNTS["strategic"])
    referee.close()
    out = csv.writer(sys.stdout, delimiter="\t", lineterminator="\n")
    out.writerow(["label", "fen", "move", *MARKS])
    for group in COUNTS:
        for number, (_, fen, move) in enumerate((row for row in rows if row[0] == group), 1):
            out.writerow([f"{group}{number}", fen, own_games.text_of(move), *[""] * len(MARKS)])


if __name__ == "__main__":
    main(*sys.argv[1:])
