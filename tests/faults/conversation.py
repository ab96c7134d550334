"""A UCI engine behind pipes, test positions, and the referee: the tests' own rules (tests/e2e/support/rules.py), not Luft's."""

import contextlib
import functools
import re
import subprocess
import sys
import threading
import time

from jobs import make_base
from trial import PATIENCE, ROOT, Result, Trial, demand, quote

sys.path.append(str(ROOT / "tests/e2e/support"))
import rules  # noqa: E402

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


@functools.cache
def games(world):
    """Games of random networks as lists of moves (e2e4) from the initial position. Game files write castling as king takes
    rook; here it is e1g1."""
    lines = (make_base(world) / "a.txt").read_text().splitlines()
    found = []
    for line in lines:
        moves, position = [], rules.Position(START)
        for move in re.findall(r"\b[a-h][1-8][a-h][1-8][nbrq]?\b", line):
            start, to = rules.square(move[:2]), rules.square(move[2:4])
            if position.kind(start) == "k" and position.owns(to, position.white):
                move = move[:2] + ("g" if to > start else "c") + move[3]
            moves.append(move)
            position = after_move(position, move)
        found.append(moves)
    return found


@functools.cache
def positions(world):
    """FENs of positions from those games, as Luft writes them."""
    def make(folder):
        with Trial(world, 0, "positions", 0) as trial:
            lines = []
            for moves in games(world):
                for plies in range(2, len(moves), 3):
                    lines += [f"position startpos moves {' '.join(moves[:plies])}", "d"]
            result = trial.luft(stdin="\n".join(lines + ["quit", ""]).encode(), expect=[0])
            (folder / "fens").write_bytes(b"\n".join(re.findall(rb"(?m)^FEN: (.*)$", result.out)))
    return (world.fixture("positions", make) / "fens").read_text().splitlines()


def after_move(position, move):
    return position.make((rules.square(move[:2]), rules.square(move[2:4]), move[4:]))


def after(fen, moves):
    """The referee's position after legal moves."""
    return functools.reduce(after_move, moves, rules.Position(fen))


def demand_legal(position, move, about):
    demand(re.fullmatch(r"[a-h][1-8][a-h][1-8][nbrq]?", move) and position.parse(move), f"{about}: {move} is not legal")


def collect(lines, stream):
    with contextlib.suppress(ValueError, OSError):   # the trial closed the stream
        lines.extend(stream)


class Conversation:
    """Sends lines to the engine. Threads collect its output at once, so no pipe is ever full."""

    def __init__(self, trial, *arguments):
        self.trial = trial
        self.process = trial.start([trial.programs.luft, *arguments], stdin=subprocess.PIPE)
        self.out, self.err = [], []
        self.readers = [threading.Thread(target=collect, args=[lines, stream], daemon=True)
                        for lines, stream in ((self.out, self.process.stdout), (self.err, self.process.stderr))]
        for reader in self.readers:
            reader.start()

    def send(self, *lines):
        data = b"".join((line if isinstance(line, bytes) else line.encode()) + b"\n" for line in lines)
        with open(self.trial.path("sent"), "ab") as sent:   # for a look at the trial with --keep
            sent.write(data)
        try:
            self.process.stdin.write(data)
            self.process.stdin.flush()
        except BrokenPipeError:
            self.end()
            demand(False, "the engine ended by itself")

    def count(self, word):
        return sum(line.startswith(word) for line in self.out[:])

    def wait(self, word, count, patience=PATIENCE):
        deadline = time.monotonic() + patience
        while self.count(word) < count:
            if self.process.poll() is not None:
                self.end()
                demand(self.count(word) >= count, f"the engine ended before {word.decode()} number {count}")
                return
            demand(time.monotonic() < deadline, f"{self.count(word)} lines of {word.decode()} instead of {count} "
                                                f"after {patience:g} s; the last: {quote(b''.join(self.out[-3:]))}")
            time.sleep(0.001)

    def end(self, *lines, patience=PATIENCE):
        """Sends the last lines, closes the input and waits. The exit status must be 0."""
        try:
            for line in lines:
                self.process.stdin.write(line.encode() + b"\n")
            self.process.stdin.close()
        except (BrokenPipeError, ValueError):
            pass
        try:
            self.process.wait(patience)
        except subprocess.TimeoutExpired:
            demand(False, f"no end {patience:g} s after the end of its input")
        for reader in self.readers:
            reader.join(5)
        result = Result(self.process.returncode, b"".join(self.out), b"".join(self.err))
        self.trial.check(result, [0])
        return result
