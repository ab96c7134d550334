#!/usr/bin/env python3
"""Compares Luft's use of tablebases with Stockfish, which has another prober.

    tests/tools/tablebases.py agree FOLDER [COUNT]   do both agree who wins random positions of three and four pieces (depth 1)?
    tests/tools/tablebases.py win FOLDER [COUNT]     does Luft win won positions of four pieces, with 5,000 nodes a move?

FOLDER has the tables, which both engines get. LUFT names Luft's program (default ./luft), STOCKFISH the other (stockfish). Prints
each disagreement or missed win, and the counts in the last line. Exit status 1 if there was any. Standard library only.
"""

import os
import pathlib
import random
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "e2e/support"))
from uci_engine import Engine  # noqa: E402

STEPS = {"N": [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)],
         "B": [(1, 1), (1, -1), (-1, 1), (-1, -1)], "R": [(1, 0), (-1, 0), (0, 1), (0, -1)]}
STEPS["Q"] = STEPS["K"] = STEPS["B"] + STEPS["R"]
DECIDED = 5000  # centipawns; far above any static evaluation of so few pieces


def attacks(board, square):
    """The squares that the piece on `square` attacks. A square is (file, rank); white pieces are upper case."""
    piece, (file, rank) = board[square], square
    kind = piece.upper()
    if kind == "P":
        forward = 1 if piece == "P" else -1
        return {(file - 1, rank + forward), (file + 1, rank + forward)}
    found = set()
    for step in STEPS[kind]:
        to = (file + step[0], rank + step[1])
        while 0 <= to[0] < 8 and 0 <= to[1] < 8:
            found.add(to)
            if to in board or kind in "NK":
                break
            to = (to[0] + step[0], to[1] + step[1])
    return found


def random_position(rng, materials):
    """A random FEN in which the side that is not to move is not in check."""
    while True:
        white, black = rng.choice(materials).split("v")
        pieces = white + black.lower() if rng.random() < 0.5 else white.lower() + black
        board = {}
        for piece in pieces:
            square = (rng.randrange(8), rng.randrange(1, 7) if piece in "Pp" else rng.randrange(8))
            board[square] = piece
        if len(board) < len(pieces):
            continue
        side = rng.choice("wb")
        king = next(square for square, piece in board.items() if piece == ("k" if side == "w" else "K"))
        movers = [square for square, piece in board.items() if piece.isupper() == (side == "w")]
        if any(king in attacks(board, square) for square in movers):
            continue
        rows = ["".join(board.get((file, rank), ".") for file in range(8)) for rank in range(7, -1, -1)]
        text = "/".join(rows)
        for length in range(8, 0, -1):
            text = text.replace("." * length, str(length))
        return f"{text} {side} - - 0 1"


def start(command, folder):
    engine = Engine([command])
    engine.ask("uci", until="uciok")
    errors = engine.ask(f"setoption name SyzygyPath value {folder}", "isready", until="readyok")
    if any("error" in line for line in errors):
        sys.exit("\n".join(errors))
    return engine


def outcome(engine, fen):
    """1, 0 or -1 for the side to move, by a search of one ply; None for a position that the engine refuses."""
    search = engine.search(f"position fen {fen}", "go depth 1")
    if any("error" in line for line in search.lines):
        return None
    last = search.infos[-1]
    if last.kind == "mate":
        return 1 if last.score > 0 else -1
    return (last.score > DECIDED) - (last.score < -DECIDED)


def materials_of(folder, sizes):
    names = {path.stem for path in pathlib.Path(folder).glob("*.rtbw")}
    return sorted(name for name in names if len(name) - 1 in sizes)


def agree(luft, other, folder, count):
    rng, materials, wrong, seen = random.Random(1), materials_of(folder, (3, 4)), 0, [0, 0, 0]
    while sum(seen) < count:
        fen = random_position(rng, materials)
        ours = outcome(luft, fen)
        if ours is None:
            continue  # two checks that no move can have given
        theirs = outcome(other, fen)
        seen[ours] += 1
        if ours != theirs:
            wrong += 1
            print(f"{fen}: Luft says {ours}, the other {theirs}")
    print(f"{count} positions ({seen[1]} won, {seen[0]} drawn, {seen[-1]} lost): {wrong} disagreements")
    return wrong


def play(luft, other, fen):
    """The result for Luft, which moves first: 'won', or why not."""
    moves, seen = [], {}
    while True:
        position = f"position fen {fen}" + (" moves " + " ".join(moves) if moves else "")
        lines = luft.ask(position, "d", until="Checkers")
        board, _, clock, _ = lines[-3].partition("FEN: ")[2].rsplit(" ", 3)
        to_move = (luft, other)[len(moves) % 2]
        best = to_move.search(position, "go nodes 5000").best
        if best == "(none)":
            is_mate = lines[-1].partition("Checkers:")[2].strip() != ""
            return "won" if is_mate and to_move is other else "mated" if is_mate else "stalemate"
        seen[board] = seen.get(board, 0) + 1
        if int(clock) >= 100 or seen[board] >= 3:
            return f"drawn after {len(moves)} plies"
        moves.append(best)


def win(luft, other, folder, count):
    rng, materials, failed, played = random.Random(2), materials_of(folder, (4,)), 0, 0
    while played < count:
        fen = random_position(rng, materials)
        if outcome(luft, fen) != 1:
            continue
        played += 1
        for engine in (luft, other):
            engine.ask("ucinewgame", "isready", until="readyok")
        result = play(luft, other, fen)
        if result != "won":
            failed += 1
            print(f"{fen}: {result}")
    print(f"{played} won positions: {played - failed} wins")
    return failed


def main():
    commands = {"agree": (agree, 100000), "win": (win, 300)}
    if len(sys.argv) not in (3, 4) or sys.argv[1] not in commands:
        sys.exit(__doc__)
    run, count = commands[sys.argv[1]]
    folder = os.path.abspath(sys.argv[2])
    luft = start(os.path.abspath(os.environ.get("LUFT", "luft")), folder)
    other = start(os.environ.get("STOCKFISH", "stockfish"), folder)
    wrong = run(luft, other, folder, int(sys.argv[3]) if len(sys.argv) == 4 else count)
    luft.close()
    other.close()
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
