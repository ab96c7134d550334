"""One `bestmove` for every `go`, for the position that was asked for last, whatever the words are: random sequences of lines with
broken words and impossible positions, at random moments, compared with a small model of the protocol.

A failure prints the SEED and the SEQUENCE that repeat it, as variables of the environment. LUFT_TEST_FULL=1 tries 100,000 sequences.
If LUFT names a build with the thread sanitizer, the test also finds races.
"""

import concurrent.futures
import functools
import os
import random
import re
import select
import subprocess
import time
import unittest

import rules
from patience import HANG
from uci_engine import LUFT, is_sanitized

SEED = os.environ.get("SEED", "1")
SEQUENCE = os.environ.get("SEQUENCE")
COUNT = 300 if is_sanitized() else 100_000 if os.environ.get("LUFT_TEST_FULL") == "1" else 5_000
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
STARTS = (START, "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
          "8/1P4k1/8/8/8/3K4/6p1/8 b - - 3 60", "1rk3r1/8/8/8/8/8/8/1RK3R1 w GBgb - 0 1", "7k/5K2/8/6R1/8/8/8/8 w - - 0 1",
          "R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1", "7k/8/6Q1/8/8/8/8/K7 b - - 0 1", "8/8/8/4k3/8/8/4P3/4K3 w - - 99 80",
          "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2")
IMPOSSIBLE = ("fen", "fen x", "fen 8/8/8/8/8/8/8/8 w - - 0 1", "fen 4k3/8/8/8/8/8/8/4K3 x - - 0 1", "", "e2e4", "strtpos", "moves e2e4",
              "fen 4k3/9/8/8/8/8/8/4K3 w - - 0 1", "fen 4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", "fen 4k3/8/8/8/8/8/8/K3K3 w - - 0 1",
              "fen P3k3/8/8/8/8/8/8/4K3 w - - 0 1", "fen 4k3/8/8/8/8/8/8 w - - 0 1", "fen 8/8/8/3kK3/8/8/8/8 b - - 0 1", "fen moves e2e4",
              "fen rnbqkbnr/pppppppp/pppppppp/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "fen \u265a", "fen " + 40 * "Q" + " w - - 0 1")
# name and value of an option, and whether it is refused
OPTIONS = (("Hash value 1", False), ("Hash value 2.5x", True), ("Hash value 1.0", False), ("Hash value 0", True), ("Clear Hash", False), ("MultiPV value 3", False),
           ("MultiPV value 300", True), ("multipv  value 1", False), ("Threads value 2", False), ("Threads value", True),
           ("Ponder value yes", True), ("Ponder value true", False), ("No Such Option value 3", True), ("UCI_ShowWDL value TRUE", False),
           ("UCI_AnalyseMode value true", False), ("UCI_Chess960 value true", False), ("UCI_Chess960 value false", False),
           ("UCI_Chess960 value maybe", True), ("Move Overhead value 0", False), ("SyzygyPath value ./nowhere/", True),
           ("EvalFile value ./nowhere", True))
STANDARD = ("Threads value 1", "MultiPV value 1", "UCI_ShowWDL value false", "UCI_AnalyseMode value false", "UCI_Chess960 value false",
            "Move Overhead value 10")
NUMBERS = ("1", "2", "0", "-7", "2.4", "1,6", "1e0", "+2", "3", "", "x", "-", "infinite", "2ms", "nan", "0x2", "1e-999", ".5", "\u00bd", "depth 2", "ponder")
LIMITS = ("depth", "nodes", "movetime", "wtime", "btime", "winc", "binc", "movestogo", "mate", "perft")
NO_MOVES = ("0000", "xyzzy", "e4", "Nf3", "\u2654", "a1a1", "e7e8x", "a8a1q", "h1a8", "E2-E4")
NO_COMMANDS = ("xyzzy", "GOdepth 1", "positionstartpos", "go!", "\u265a", "-", "st op", "\x1b[31m")


class Place:
    """A position with its legal moves."""

    def __init__(self, fen, position=None):
        self.position, self.fen = position or rules.Position(fen), fen
        self.always_chess960 = bool(self.position.castling - set("KQkq"))

    @functools.cached_property
    def legal(self):
        return self.position.legal()

    def write(self, move, chess960):
        start, to, promotion = move
        if (chess960 or self.always_chess960) and self.position.kind(start) == "k" and self.position.castling_rook(move) is not None:
            to = self.position.castling_rook(move)
        return rules.name(start) + rules.name(to) + promotion

    def moves(self, chess960):
        return [self.write(move, chess960) for move in self.legal]


@functools.cache
def games():
    """Random games: each a list of places and the moves between them."""
    source, found = random.Random("games"), []
    for start in STARTS * 3:
        places, moves = [Place(start)], []
        for _ in range(source.randrange(14)):
            if places[-1].legal:
                move = source.choice(places[-1].legal)
                moves.append(places[-1].write(move, source.random() < 0.1))
                places.append(Place(None, places[-1].position.make(move)))
        found.append((places, moves))
    return found


def number_of(word):
    """The number that a limit has in the words of a `go`; None: it has none."""
    if re.fullmatch(r"[+-]?\d+", word):
        return int(word)
    word = word.replace(",", ".", 1)
    if not re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", word):
        return None
    return int(abs(float(word)) + 0.5) * (-1 if float(word) < 0 else 1)


class Go:
    """What the words after `go` ask for, in a position (None: there is none)."""

    def __init__(self, text, place, chess960):
        words, numbers, listed = text.split(), {}, []
        self.infinite = self.ponder = self.warns = ends = False
        while words:
            word = words.pop(0).lower()
            if word in ("infinite", "ponder"):
                setattr(self, word, True)
            elif word == "searchmoves":
                while words and words[0].lower() not in LIMITS + ("infinite", "ponder", "searchmoves"):
                    listed.append(words.pop(0))
            elif word in LIMITS:
                number = number_of(words[0]) if words else None
                if number is None:
                    self.warns = True
                else:
                    numbers[word] = number
                    ends = ends or word not in ("movestogo", "winc", "binc") or (word != "movestogo" and number > 0)
                    words.pop(0)
        self.numbers = numbers
        self.answers = place.moves(chess960) if place else []
        self.error = place is None
        self.perft = "perft" in numbers and place is not None
        if listed and place:
            allowed = set(place.moves(False)) | set(place.moves(True))
            self.warns = self.warns or bool(set(listed) - allowed)
            self.answers = [move for move, other in zip(self.answers, place.moves(not chess960)) if move in listed or other in listed]
        self.will_end = ends
        self.hit = False       # a ponderhit came after it
        self.may_end = False   # so did a stop
        self.must_end = False  # which was for it, or for one after it

    def needs_stop(self):
        return not self.perft and (self.infinite or (not self.hit if self.ponder else not self.will_end))

    def accepts(self, line):
        if self.perft:
            return re.match("Nodes searched: |info string error: go: perft was stopped", line) is not None
        move = line.removeprefix("bestmove ").split()[0]
        return line.startswith("bestmove ") and (move in self.answers if self.answers else move == "(none)")


class Failure(Exception):
    pass


class Conversation:
    """An engine, and the model of what it has to say. `expected` is what must still come: a Go, or a pattern."""

    def __init__(self):
        self.process = subprocess.Popen([LUFT], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, bufsize=0)
        self.rest, self.log = b"", []
        self.line()

    def close(self):
        self.process.stdin.close()
        status = self.process.wait(HANG)
        self.process.stdout.close()
        return status

    def line(self):
        while b"\n" not in self.rest:
            if not select.select([self.process.stdout], [], [], HANG)[0]:
                raise Failure("the engine hangs")
            data = os.read(self.process.stdout.fileno(), 1 << 16)
            if not data:
                raise Failure(f"the engine ended with status {self.process.wait()}")
            self.rest += data
        line, _, self.rest = self.rest.partition(b"\n")
        self.log.append("   " + line.decode("utf-8", "replace"))
        return self.log[-1].strip()

    # --- the model ---

    def begin(self):
        self.expected, self.asked, self.ready, self.log, self.unsent = [], [], 0, [], []
        self.place, self.chess960 = games()[0][0][0], False
        self.send("ucinewgame", "position startpos", *(f"setoption name {option}" for option in STANDARD))

    def send(self, *lines):
        self.unsent += lines

    def flush(self):
        for line in self.unsent:
            self.log.append("-> " + line)
        self.process.stdin.write("".join(line + "\n" for line in self.unsent).encode())
        self.unsent = []

    def expect(self, *patterns):
        self.expected += patterns

    def take(self):
        """Reads a line and compares it with the model."""
        line = self.line()
        if line == "readyok":
            self.ready -= 1
            if self.ready < 0:
                raise Failure("readyok without isready")
        elif re.match("bestmove|Nodes searched|info string (?!no mate in)", line):
            if not self.expected:
                raise Failure(f"'{line}' is one answer too many")
            wanted = self.expected.pop(0)
            if isinstance(wanted, str):
                if not re.match(wanted, line):
                    raise Failure(f"'{line}' instead of '{wanted}'")
                return
            self.asked.remove(wanted)
            if wanted.needs_stop() and not wanted.may_end:
                raise Failure(f"'{line}' came before its stop")
            if not wanted.accepts(line):
                raise Failure(f"'{line}' instead of a move of {wanted.answers}")

    def synchronise(self):
        self.isready()
        self.flush()
        while self.ready:
            self.take()

    def wait(self):
        """Waits for all that must come by now."""
        self.synchronise()
        while self.asked and (self.asked[0].must_end or not self.asked[0].needs_stop()):
            count = len(self.asked)
            while len(self.asked) == count:
                self.take()

    def isready(self):
        self.ready += 1
        self.send("isready")

    def stop(self, line="stop"):
        """It is for the first search that is neither over nor stopped: that one, or one before it that is not known to be over."""
        for go in self.asked:
            go.may_end = True
        first = next((go for go in self.asked if not go.must_end), None)
        if first:
            first.must_end = True
        self.send(line)

    def ponderhit(self):
        for go in self.asked:
            go.hit = True
        self.send("ponderhit")

    def go(self, words):
        go = Go(words, self.place, self.chess960)
        if go.error:
            self.expect("info string error: go: ")
        elif go.warns:
            self.expect("info string go: ")
        self.asked.append(go)
        self.expected.append(go)
        self.send(f"go {words}")

    def end(self):
        self.flush()
        while self.asked:
            for _ in range(len(self.asked)):
                self.stop()
            self.wait()
        self.synchronise()
        if self.expected:
            raise Failure(f"nothing came for {self.expected}")

    # --- lines ---

    def position(self, source):
        if source.random() < 0.2:
            self.place = None
            self.expect("info string error: position: ")
            self.send(f"position {source.choice(IMPOSSIBLE)}")
            return
        places, moves = source.choice(games())
        plies = source.randrange(len(places))
        self.place, listed, text = places[plies], list(moves[:plies]), f"fen {places[0].fen}"
        if places[0].fen == START and source.random() < 0.7:
            text = source.choice(("startpos", "STARTPOS", " startpos"))
        elif source.random() < 0.4:
            text = self.odd_fen(source, places[0])
        if source.random() < 0.15:
            bad = source.choice([move for move in NO_MOVES if move not in self.place.moves(True) + self.place.moves(False)])
            listed += [bad] + moves[plies:]
            self.expect("info string error: position: move ")
        if listed or source.random() < 0.3:
            text += source.choice((" moves ", " Moves  ", "\tmoves\t")) + " ".join(listed)
        self.send(source.choice(("position ", "position  ", "please position ", "\tposition\t")) + text)

    def odd_fen(self, source, place):
        """The position in another spelling, or with something that does not fit it."""
        board, side, castling, en_passant, clock, number = place.fen.split()
        kings_are_out = "k" not in board.split("/")[0] and "K" not in board.split("/")[7]
        fen, warns = source.choice((
            (place.fen.replace(" ", "_"), False), (f'"{place.fen}"', False), (f"{board} {side} {castling} {en_passant}", False),
            (f"{place.fen};", False), (f"{board} {side.upper()} {castling} {en_passant} 3", False),
            (f"{place.fen} \u265a", True), (f'{board} {side} {castling} {en_passant} bm e4; id "x";', True),
            (f"{board} {side} {castling} {en_passant} -1 {number}", True), (f"{board} {side} {castling} {en_passant} 161+0 0 1", True),
            (f"{board} {side} {castling} {clock} {number}", True) if en_passant == "-" else (place.fen, False),
            (f"{board} {side} {castling} e5 0 1", True) if en_passant == "-" else (place.fen, False),
            (f"{board} {side} KQkq {en_passant} 0 1", True) if castling == "-" and kings_are_out else (place.fen, False)))
        if warns:
            self.expect("info string position: ")
        return f"fen {fen}"

    def go_words(self, source):
        words = []
        for _ in range(source.randrange(4)):
            kind = source.random()
            if kind < 0.6:
                limit = source.choice(LIMITS[:9] if kind < 0.57 else LIMITS)
                words.append(f"{limit if kind < 0.5 else limit.upper()} {source.choice(NUMBERS)}")
            elif kind < 0.75:
                words.append(source.choice(("infinite", "ponder", "ponder", "Infinite")))
            elif kind < 0.9:
                legal = self.place.moves(self.chess960) if self.place else []
                moves = [source.choice(NO_MOVES if not legal or source.random() < 0.4 else legal) for _ in range(source.randrange(3))]
                words.append(" ".join(["searchmoves", *moves]))
            else:
                words.append(source.choice(("quickly", "\u00e9", "depth2", "-5")))
        return " ".join(words)

    def step(self, source):
        kind = source.random()
        if kind < 0.25:
            self.position(source)
        elif kind < 0.55:
            self.go(self.go_words(source))
        elif kind < 0.65:
            self.stop(source.choice(("stop", "stop", "stop now", " stop\r")))
        elif kind < 0.70:
            self.ponderhit()
        elif kind < 0.78:
            self.isready()
        elif kind < 0.86:
            option, refused = source.choice(OPTIONS)
            if refused:
                self.expect("info string error: setoption: ")
            elif option.startswith("UCI_Chess960"):
                self.chess960 = option.endswith("true")
            self.send(f"setoption name {option}")
        elif kind < 0.89:
            self.expect("info string error: input: unknown command")
            self.send(source.choice(NO_COMMANDS))
        elif kind < 0.91:
            self.send(source.choice(("", "  ", "debug on", "register later")))
        elif kind < 0.93:
            if self.place is None:
                self.expect("info string error: d: ")
            self.send("d")
        elif kind < 0.96:
            self.wait()
        else:
            self.flush()
            time.sleep(source.choice((0, 0.0005, 0.002)))

    def run(self, number):
        source = random.Random(f"{SEED} {number}")
        self.begin()
        for _ in range(source.randint(3, 14)):
            self.step(source)
        self.end()


class Sequences(unittest.TestCase):
    def converse(self, numbers):
        talk = Conversation()
        for number in numbers:
            try:
                talk.run(number)
            except Failure as failure:
                talk.process.kill()
                talk.process.wait()
                raise self.failureException(f"{failure} (SEED={SEED} SEQUENCE={number} repeats it)\n" +
                                            "\n".join(talk.log)) from None
        self.assertEqual(talk.close(), 0)

    def test_random_sequences(self):
        jobs = 1 if SEQUENCE else os.cpu_count() or 1
        numbers = [int(SEQUENCE)] if SEQUENCE else range(COUNT)
        games()
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            for job in [pool.submit(self.converse, numbers[first::jobs]) for first in range(jobs)]:
                job.result()
