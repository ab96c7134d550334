"""Positions and moves from self-play games of Luft, for tests of `luft explain`."""

import os
import pathlib
import subprocess

from rules import Position, castled, name, square

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


def fen_of(pos, number):
    rows = []
    for rank in range(7, -1, -1):
        row, empty = "", 0
        for piece in pos.board[8 * rank:8 * rank + 8]:
            if piece is None:
                empty += 1
                continue
            row += (str(empty) if empty else "") + piece
            empty = 0
        rows.append(row + (str(empty) if empty else ""))
    castling = "".join(right for right in "KQkq" if right in pos.castling) or "-"
    passing = name(pos.en_passant) if pos.en_passant is not None else "-"
    return f"{'/'.join(rows)} {'w' if pos.white else 'b'} {castling} {passing} 0 {number // 2 + 1}"


def text_of(move):
    return name(move[0]) + name(move[1]) + move[2]


def move_of(pos, text):
    """Reads a move of a game's text, where castling is king takes rook."""
    start, to = square(text[:2]), square(text[2:4])
    if pos.kind(start) == "k" and pos.board[to] and pos.owns(to, pos.white):
        to = castled(start, to)[0]
    return start, to, text[4:]


def questions(games, generator):
    """One (fen, move) of each standard game."""
    for index, line in enumerate(games):
        parts = [part.strip() for part in line.split(";")]
        if parts[0] != "standard":
            continue
        moves = parts[3].split()[::2]
        if len(moves) < 20:
            continue
        ply, pos = generator.randrange(10, len(moves)), Position(START)
        for text in moves[:ply]:
            pos = pos.make(move_of(pos, text))
        move = text_of(move_of(pos, moves[ply]))
        if index % 2:
            move = text_of(generator.choice(sorted(pos.legal())))
        yield fen_of(pos, ply), move


def play(folder, count, seed):
    """Plays games with few nodes a move and some random moves; returns them as lines of text."""
    games, text = pathlib.Path(folder, "own.games"), pathlib.Path(folder, "own.txt")
    lab = os.environ["LUFT_LAB"]
    subprocess.run([lab, "datagen", "--out", str(games), "--games", str(count), "--nodes", "60", "--random-moves", "0.03",
                    "--seed", str(seed), "--threads", "1", "--quiet"], check=True, capture_output=True)
    subprocess.run([lab, "data", "export", str(games), "--out", str(text)], check=True, capture_output=True)
    return text.read_text().splitlines()
