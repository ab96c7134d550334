"""A UCI engine process for the tests. Standard library only.

The environment variable LUFT names the engine under test (default: ./luft).
"""

import os
import pathlib
import queue
import re
import subprocess
import threading
import time

from patience import HANG

ROOT = pathlib.Path(__file__).resolve().parents[3]
LUFT = os.path.abspath(os.environ.get("LUFT", str(ROOT / "luft")))
END = None       # marks the end of the output in the queue of lines


def is_sanitized(path=LUFT):
    """Whether the program was built with a sanitizer: then it is slow, and memory limits make no sense."""
    content = pathlib.Path(path).read_bytes()
    return any(name in content for name in (b"__asan_init", b"__tsan_init", b"__ubsan_handle"))


class Silence(Exception):
    """The engine did not answer in time, or ended."""


class Engine:
    """send() sends lines; all output is stored in `log` as (seconds, line)."""

    def __init__(self, command=None, **options):
        self.process = subprocess.Popen(command or [LUFT], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.STDOUT, **options)
        self.lines = queue.Queue()
        self.log = []
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self):
        for raw in self.process.stdout:
            line = raw.decode("utf-8", "replace").rstrip("\n")
            self.log.append((time.monotonic(), line))
            self.lines.put(line)
        self.lines.put(END)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Ends the engine by `quit`, then by a kill; returns the exit status."""
        try:
            self.send("quit")
            self.process.stdin.close()
        except (OSError, ValueError):
            pass  # it has ended, or its input is already closed
        try:
            self.process.wait(HANG)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.reader.join(HANG)
        self.process.stdout.close()
        return self.process.returncode

    def send(self, *lines):
        self.send_bytes("".join(line + "\n" for line in lines).encode())

    def send_bytes(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def read_line(self, patience=HANG):
        """The next line, or END at the end; raises Silence if none arrives in time."""
        try:
            return self.lines.get(timeout=patience)
        except queue.Empty:
            raise Silence(f"nothing for {patience} s; last lines: {[line for _, line in self.log[-5:]]}") from None

    def read_until(self, pattern, patience=HANG):
        """All lines up to the first that matches the pattern at its start, inclusive."""
        lines, deadline = [], time.monotonic() + patience
        while not lines or not re.match(pattern, lines[-1]):
            line = self.read_line(max(0.01, deadline - time.monotonic()))
            if line is END:
                raise Silence(f"the engine ended before {pattern!r}; last lines: {lines[-5:]}")
            lines.append(line)
        return lines

    def ask(self, *lines, until, patience=HANG):
        self.send(*lines)
        return self.read_until(until, patience)

    def synchronise(self):
        """All lines up to the answer to isready."""
        return self.ask("isready", until="readyok$")[:-1]

    def search(self, *lines, patience=HANG):
        """Sends lines that end in a `go`; returns the lines up to bestmove as a Search."""
        return Search(self.ask(*lines, until="bestmove", patience=patience))

    def legal_moves(self, position):
        """The legal moves of "startpos moves …" or "fen …", by the engine's own perft."""
        lines = self.ask(f"position {position}", "go perft 1", until="Nodes searched")
        return [line.split(":")[0] for line in lines if re.fullmatch(r"[a-h][1-8][a-h][1-8][nbrq]?: 1", line)]

    def board(self, position):
        """FEN and checkers, as printed by `d`."""
        lines = self.ask(f"position {position}", "d", until="Checkers")
        return lines[-3].partition("FEN: ")[2], lines[-1].partition("Checkers:")[2].split()


class Search:
    """The output of one search, parsed."""

    def __init__(self, lines):
        self.lines = lines
        self.infos = [Info(line) for line in lines if line.startswith("info ") and " score " in line]
        words = lines[-1].split()
        self.best = words[1]
        self.ponder = words[3] if len(words) > 3 else None

    def last(self, rank=1, exact=False):
        ranked = [info for info in self.infos if info.rank == rank and not (exact and info.bound)]
        return ranked[-1] if ranked else None


class Info:
    """One info line with a score."""

    def __init__(self, line):
        self.line = line
        words = line.split(" ")
        head, _, pv = line.partition(" pv ")
        self.pv = pv.split()
        self.bound = next((word for word in ("lowerbound", "upperbound") if word in head.split()), None)
        self.kind, self.score = words[words.index("score") + 1], int(words[words.index("score") + 2])
        self.rank = self.number(words, "multipv", 1)
        self.depth = self.number(words, "depth", 0)
        self.nodes = self.number(words, "nodes", 0)
        self.time = self.number(words, "time", 0)

    @staticmethod
    def number(words, key, missing):
        return int(words[words.index(key) + 1]) if key in words else missing
