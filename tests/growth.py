"""The time of each reader grows linearly with its input: counted in instructions, which are the same on a busy machine.

Each case makes its input in three sizes: n, 2n, 4n. What all sizes cost alike cancels out in the differences, so these must be as
1 to 2. A reader whose time is quadratic shows 1 to 4. `tests/run.py check-all` starts this with the programs of a build that
valgrind can run (LUFT, LUFT_LAB, TOY_ENGINE).
"""

import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

LUFT = pathlib.Path(os.environ["LUFT"])
LAB = os.environ["LUFT_LAB"]
TOY = os.environ["TOY_ENGINE"]
TABLES = pathlib.Path(__file__).resolve().parent / "syzygy"
SIZES = (1, 2, 4)
BYTES = 1 << 12       # n of a case, if it names no other
MOST = 2.3            # of the second difference to the first
START = b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"


def of(unit, before=b"", after=b""):
    """An input that repeats a piece of text."""
    return lambda size: before + unit * (size // len(unit)) + after


def numbered(unit, size):
    """The same with another number in each piece."""
    return b"".join(unit % i for i in range(size // len(unit)))


# --- inputs of fuzzers ---

PGN = {
    "moves": of(b"Nf3 Nf6 Ng1 Ng8 "),
    "games": of(b'[Event "a"]\n\n1. e4 e5 *\n\n'),
    "games without tags": of(b"1. e4 * "),
    "games that begin with a note": of(b"*\n\n$1 "),
    "different tags": lambda size: numbered(b'[A%d "x"]\n', size),
    "one tag": of(b'[A "x"]\n'),
    "wrapped tags": of(b'[A "x\nyyyyyyyyyyyy"]\n'),
    "escaped ends of lines": of(b'[A "\\\n'),
    "quotes in a tag": of(b'"', b'[A "'),
    "tags that do not end": of(b'[A "x\n'),
    "tags that do not end in a line": of(b'[A "x '),
    "tags without a bracket": of(b'A "x [B "y"] ', after=b" " * 9999),
    "words in front of tags": of(b'xyz [B "y"] '),
    "brackets": of(b"["),
    "brackets and blanks": of(b"[ "),
    "brackets and names": of(b"[ABCDEFGH "),
    "commands without a comment": of(b"[%clk "),
    "comments": of(b"e4 {a} e5 {a} Ke2 {a} Ke7 {a} "),
    "comments at one place": of(b"{a} "),
    "comments in lines": of(b";a\n"),
    "comments in comments": of(b"{a"),
    "braces that close": of(b"}"),
    "braces and escaped lines": lambda size: b"{" * (size // 4) + b"}\n%" * (size // 4) + b"x",
    "braces and blanks": lambda size: b"{" * (size // 4) + b"}  " * (size // 4) + b"x",
    "tags in a comment": of(b'\n [A "x"]', b"{"),
    "escaped lines": of(b"%a\n"),
    "variations": of(b"(d4 d5 Nf3) ", b"1. e4 "),
    "variations in variations": of(b"(e4 "),
    "closed variations in variations": lambda size: b"e4 " + b"(d4 " * (size // 5) + b")" * (size // 5),
    "parentheses": of(b"("),
    "NAGs": of(b"$1 ", b"e4 "),
    "signs": of(b"!? ", b"e4 "),
    "signs at a move": of(b"!", b"e4"),
    "results": of(b"1-0 "),
    "asterisks": of(b"*"),
    "words after a result": of(b"abc 1-0 ", b"1-0 "),
    "German moves": of(b"Sf3 Sf6 Sg1 Sg8 "),
    "German variations": of(b"(Sf3 Sf6 Sg1 Sg8) ", b"1. e4 "),
    "moves of two languages": of(b"Sf3 Cf6 Pg1 Hg8 "),
    "moves that are illegal": of(b"e4 e5 Ke8 "),
    "moves that are missing": of(b"-- "),
    "numbers": of(b"1. "),
    "one number": of(b"1"),
    "one word": of(b"a"),
    "one word of wide letters": of("Я".encode()),
    "blanks": of(b" "),
    "wide blanks": of("\u00A0".encode()),
    "blanks without a width": of("N\u200B".encode()),
    "line feeds": of(b"\n"),
    "marks of byte order": of(b"\xEF\xBB\xBF"),
    "zeros": of(b"\0"),
    "UTF-16": of(b"e\x004\x00 \x00", b"\xFF\xFE"),
}

FEN = {
    "blanks": of(b" ", b"\0", START),
    "blanks of addresses": of(b"%20", b"\0" + START),
    "a board": of(b"8/", b"\0"),
    "a rank": of(b"p", b"\0"),
    "castling rights": of(b"KQkqAHah", b"\0" + START + b" w "),
    "counters of variants": of(b"+3 ", b"\0" + START + b" w - - "),
    "one counter": of(b"9", b"\0" + START + b" w - - "),
}

LINES_OF_ENGINES = {
    "PVs": of(b"pv ", b"info "),
    "PVs and blanks": lambda size: b"info " + b"pv " * (size // 4) + b" " * (size // 4),
    "moves of a PV": of(b"g1f3 g8f6 f3g1 f6g8 ", b"info score cp 1 pv "),
    "scores": of(b"score cp 1 ", b"info "),
    "bounds": of(b"lowerbound ", b"info score cp 1 "),
    "unknown words": of(b"x ", b"info "),
    "options": of(b"option name Ash type spin default 1 min 1 max 2\n"),
    "choices": of(b"var x ", b"option name Hash type combo "),
    "limits": of(b"min 1 max 2 ", b"option name Hash type spin "),
    "a name of an option": of(b"a ", b"option name "),
    "blanks in an option": of(b" ", b"option name", b"Hash"),
    "a name": of(b" ", b"id name", b"x"),
    "a best move": of(b"e2e4 ", b"bestmove "),
    "one word": of(b"e2e4", b"bestmove "),
}

GAMES = {  # the sizes are plies of four games, then bytes of a block
    "games": (50, lambda plies: bytes([2, 3]) + b"".join(bytes([0, plies, 1, seed]) for seed in range(4))),
    "a block of junk": (BYTES, lambda size: bytes(1 + 16) + size.to_bytes(4, "little") * 2 + bytes(40) +
                        bytes(i * 37 & 255 for i in range(size))),
}

NETWORKS = {"buckets of a network": (1, lambda count: bytes([2, 32, 0, 1, 15 + count, 1, 1]))}


def table(symbols):
    """A table of KRvK whose symbols stand for more and more values: each for the next one and another value."""
    group = 200
    data = (TABLES / "KRvK.rtbw").read_bytes()[:12]  # up to the values of the second side
    data += bytes([0, 6, 1, 0]) + bytes(4) + bytes([1, 1]) + bytes(2) + symbols.to_bytes(2, "little")
    for i in range(symbols):
        left, right = (0, 0xFFF) if i % group == group - 1 or i == symbols - 1 else (i + 1, symbols - 1)
        data += (left | right << 12).to_bytes(3, "little")
    return data + bytes(-len(data) % 64 + 16)  # whole blocks and a checksum


# --- inputs of programs ---

def lines(unit, before=b"", after=b""):
    return lambda size, folder: ([LUFT], of(unit, before, after)(size))


def reading(name, unit, *arguments, before=b"", after=b"bad\n"):
    """A command that reads a file and refuses it for its last line, so that nothing else is counted. `FILE` in the arguments is
    its path, `FOLDER` that of its folder."""
    def make(size, folder):
        (folder / name).write_bytes(of(unit, before, after)(size))
        replaced = [word.replace("FILE", str(folder / name)).replace("FOLDER", str(folder)) for word in arguments]
        return [LAB, *replaced], b""
    return make


def checksum(text):
    """FNV-1a, as in src/base/bytes.h."""
    value = 0xCBF29CE484222325
    for byte in text:
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return value


def journal(pairs, folder):
    """A match that is carried on from a journal, at whose end damage stops it."""
    command = [LAB, "match", "-engine", f"cmd={TOY}", "name=A", "-engine", f"cmd={TOY}", "name=B", "-each", "depth=1",
               "-maxmoves", "2", "-journal", str(folder / "match.journal")]
    subprocess.run(command, check=True, capture_output=True)
    text = (folder / "match.journal").read_bytes().splitlines(keepends=True)
    number, _, words = text.pop().rpartition(b"\t")[0].partition(b"\t")
    for pair in range(pairs):
        line = b"%d\t%s" % (int(number) + pair, words.replace(b"pair 0 ", b"pair %d " % pair))
        text.append(b"%s\t%016x\n" % (line, checksum(line)))
    (folder / "match.journal").write_bytes(b"".join(text) + b"damage\n" * 2)
    return [*command, "-rounds", str(pairs), "-resume"], b""


ENGINE = ("-engine", "cmd=none")
BEST_MOVE = START + b" w - - bm e4; id \"x\";\n"

PROGRAMS = {
    "UCI: moves": (8 * BYTES, lines(b"g1f3 g8f6 f3g1 f6g8 ", b"position startpos moves ")),
    "UCI: blanks": (8 * BYTES, lines(b" ", b"position fen ", START)),
    "UCI: an option": (8 * BYTES, lines(b"a ", b"setoption name ")),
    "UCI: moves to search": (BYTES, lines(b"a1a2 ", b"go depth 1 searchmoves ")),
    "UCI: limits": (8 * BYTES, lines(b"depth 1 ", b"go ")),
    "UCI: unknown words": (8 * BYTES, lines(b"xyz ")),
    "UCI: lines": (8 * BYTES, lines(b"position startpos\n")),
    "positions to solve": (8 * BYTES, reading("suite.epd", BEST_MOVE, "epd", "FILE", *ENGINE)),
    "operations": (8 * BYTES, reading("suite.epd", b"id x; ", "epd", "FILE", *ENGINE, before=START + b" w - - bm e4; ",
                                      after=b"\nbad\n")),
    "openings": (8 * BYTES, reading("book.epd", START + b" w - -\n", "match", *ENGINE, *ENGINE, "-each", "depth=1",
                                    "-openings", "file=FILE", "order=random")),
    "games as text": (8 * BYTES, reading("games.txt", b"standard; 1-0; rules; e2e4 1 e7e5 2\n", "data", "import", "--format", "text",
                                         "FILE", "--out", "FOLDER/out")),
    "headers of games": (BYTES, reading("games", b"LuftGame", "data", "salvage", "FILE", "FOLDER/out")),
    "a journal": (4000, journal),
}


# --- counting ---

def totals(folder):
    """Instructions of each dump, in their order; or of the whole program, if it made none."""
    dumps = sorted(folder.glob("count.*"), key=lambda path: int(path.suffix[1:])) or [folder / "count"]
    return [int(re.search(r"^totals: (\d+)", path.read_text(), re.M).group(1)) for path in dumps]


def callgrind(folder, *arguments, **options):
    command = ["valgrind", "-q", "--tool=callgrind", f"--callgrind-out-file={folder}/count", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, **options)


def count_of_fuzzer(fuzzer, inputs, **environment):
    """Instructions for each input. The first one comes twice, for what is only done once."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        paths = [folder / f"{i}.input" for i in range(len(inputs))]
        for path, content in zip(paths, inputs):
            path.write_bytes(content)
        result = callgrind(folder, "--toggle-collect=fuzz_input", "--dump-after=fuzz_input",
                           LUFT.parent / f"tests/fuzz/replay_{fuzzer}", "--files-only", paths[0], *paths, env=dict(os.environ, **environment))
        if result.returncode != 0:
            raise AssertionError(f"{result.stdout}{result.stderr}")
        return totals(folder)[2:len(inputs) + 2]  # before them: of an empty input, and the first time


def count_of_program(make, size):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        command, text = make(size, folder)
        callgrind(folder, *command, input=text)
        return totals(folder)[0]


@unittest.skipUnless(shutil.which("valgrind"), "needs valgrind")
class Growth(unittest.TestCase):
    def judge(self, work):
        """`work`: names and functions that return the three counts."""
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            jobs = {name: pool.submit(count) for name, count in work.items()}
            for name, job in jobs.items():
                with self.subTest(name):
                    one, two, four = job.result()
                    self.assertGreater(two - one, 100)  # it has been read
                    ratio = (four - two) / (two - one)
                    print(f"# {name}: {one:,} {two:,} {four:,} instructions, {ratio:.2f}")
                    self.assertLess(ratio, MOST)

    def fuzzer(self, name, cases):
        def work(case):
            size, make = case if isinstance(case, tuple) else (BYTES, case)
            return lambda: count_of_fuzzer(name, [make(size * times) for times in SIZES])
        self.judge({case: work(make) for case, make in cases.items()})

    def test_games(self):
        self.fuzzer("pgn", PGN)

    def test_positions(self):
        self.fuzzer("fen", FEN)

    def test_lines_of_engines(self):
        self.fuzzer("uci_info", LINES_OF_ENGINES)

    def test_files_of_games(self):
        self.fuzzer("record", GAMES)

    def test_networks(self):
        self.fuzzer("network", NETWORKS)

    def test_tablebases(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, times in zip("BQR", SIZES):  # their header fits KRvK alone; symbols are read before that is known
                (pathlib.Path(folder) / f"K{name}vK.rtbw").write_bytes(
                    (TABLES / f"K{name}vK.rtbw").read_bytes()[:10] + table(1000 * times)[10:])
            self.judge({"symbols": lambda: count_of_fuzzer("table", [bytes([i]) for i in range(len(SIZES))], LUFT_SYZYGY=folder)})

    def test_programs(self):
        def work(size, make):
            return lambda: [count_of_program(make, size * times) for times in SIZES]
        self.judge({name: work(*case) for name, case in PROGRAMS.items()})
