"""luft store: evaluations come in, are shown, merged, pruned and verified, and go out again."""

import ctypes
import json
import os
import pathlib
import re
import signal
import sqlite3
import struct
import subprocess
import sys
import tempfile
import unittest

from patience import HANG

LUFT = os.environ["LUFT"]
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"
EPD = ("4k3/8/8/8/8/8/8/R3K2R w KQ - acd 20; acn 5000; bm O-O; c0 \"Some Engine\"; ce 523; pv O-O Ke7;\n"
       "6k1/5ppp/8/8/8/8/8/R3K2R w KQ - acd 12; bm Ra8#; c0 \"Some Engine\"; ce 32766; dm 1; hmvc 20; pv Ra8#;\n"
       f"{START} acd 24; acn 12345678; bm e4; c0 \"Some Engine\"; ce 35; pv e4 e5 Nf3;\n")


def has_sqlite():
    try:
        ctypes.CDLL("libsqlite3.so.0")
    except OSError:
        return False
    return True


def move(origin, target):
    """As a book of Polyglot writes it."""
    def square(name):
        return 8 * (int(name[1]) - 1) + ord(name[0]) - ord("a")

    return square(origin) << 6 | square(target)


def store(*arguments, **options):
    return subprocess.run([LUFT, "store", *map(str, arguments)], capture_output=True, text=True, timeout=HANG, **options)


@unittest.skipUnless(sys.platform.startswith("linux") and has_sqlite(), "needs libsqlite3.so.0")
class Stores(unittest.TestCase):
    def setUp(self):
        place = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
        scratch = tempfile.TemporaryDirectory(dir=place)
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        self.file = self.folder / "a.store"

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return path

    def ok(self, *arguments, **options):
        result = store(*arguments, **options)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return result.stdout

    def fails(self, *arguments):
        result = store(*arguments)
        self.assertEqual(result.returncode, 1, result.stderr)
        return result.stderr

    def test_epd_comes_out_as_it_went_in(self):
        self.assertIn("3 rows, 3 new or better", self.ok("import", self.file, self.write("a.epd", EPD)))
        self.assertEqual(self.ok("export", self.file), EPD)
        self.ok("export", self.file, "--out", self.folder / "b.epd")
        self.assertEqual((self.folder / "b.epd").read_text(), EPD)
        self.assertIn("3 rows, 0 new or better", self.ok("import", self.file, self.folder / "b.epd"))
        self.assertIn("every row is sound", self.ok("verify", self.file))

    def test_json_lines_come_out_as_they_went_in(self):
        pvs = [{"cp": 35, "line": "e2e4 e7e5"}, {"cp": -20, "line": "d2d4"}, {"mate": -3, "line": "f2f3 e7e5"}]
        line = json.dumps({"fen": START, "evals": [{"pvs": pvs, "knodes": 12, "depth": 30}]})
        self.assertIn("3 rows", self.ok("import", self.file, "-", "--format", "json", "--engine", "Lichess", input=line))
        rows = {row["fen"].split(" ")[0]: row["evals"][0] for row in map(json.loads, self.ok("export", self.file, "--format", "json").splitlines())}
        self.assertEqual(len(rows), 3)
        self.assertEqual(rows[START.split(" ")[0]], {"pvs": [pvs[0]], "knodes": 12, "depth": 30})
        self.assertEqual(rows["rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR"]["pvs"], [{"cp": -20, "line": ""}])
        self.assertEqual(rows["rnbqkbnr/pppppppp/8/8/8/5P2/PPPPP1PP/RNBQKBNR"], {"pvs": [{"mate": -3, "line": "e7e5"}], "knodes": 12, "depth": 29})
        shown = self.ok("show", self.file, START)
        self.assertIn("depth 30, score +0.35, 12000 nodes, one of 3 lines, Lichess\n    1. e4 e5", shown)
        self.assertIn("after d4\ndepth 29, score -0.20", shown)

    def test_games_with_evals_give_rows_of_their_positions(self):
        game = '[Annotator "A"]\n\n1. e4 { [%eval 0.31,20] } e5 { good [%eval -1.5] } 2. Ke2 { [%eval #-4] } *\n'
        self.ok("import", self.file, self.write("a.pgn", game))
        shown = self.ok("show", self.file, START)
        self.assertIn("after e4\ndepth 20, score +0.31, A", shown)
        self.ok("import", self.folder / "b.store", self.write("b.pgn", self.ok("export", self.file, "--format", "pgn")))
        self.assertEqual(self.ok("export", self.folder / "b.store"), self.ok("export", self.file))
        self.assertEqual(self.ok("export", self.file).count(" ce "), 3)

    def test_a_book_has_the_best_move_and_those_near_it(self):
        """The keys are those that the description of the format gives."""
        epd = (f"{START} acd 20; bm e4; ce 30; pv e4;\n"
               "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - acd 19; bm d5; ce -30; pv d5;\n"
               "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - acd 19; ce -20;\n"  # 10 worse
               "rnbqkbnr/pppppppp/8/8/2P5/8/PP1PPPPP/RNBQKBNR b KQkq - acd 9; ce -30;\n"  # too shallow
               "rnbqkbnr/pppppppp/8/8/8/5P2/PPPPP1PP/RNBQKBNR b KQkq - acd 19; ce 60;\n")  # too bad
        self.ok("import", self.file, self.write("a.epd", epd))
        book = self.folder / "a.bin"
        self.ok("export", self.file, "--format", "polyglot", "--out", book)
        entries = list(struct.iter_unpack(">QHHI", book.read_bytes()))
        self.assertEqual(entries, [(0x463B96181691FC9C, move("e2", "e4"), 1000, 0), (0x463B96181691FC9C, move("d2", "d4"), 800, 0),
                                   (0x823C9B50FD114196, move("d7", "d5"), 1000, 0)])
        other = self.folder / "b.store"
        self.assertIn("4 rows, 4 new", self.ok("import", other, book, "--engine", "mine"))
        shown = self.ok("show", other, START)
        self.assertIn("a move without a score, mine\n    1. e4\nafter d4\nno score, mine\nafter e4\na move without a score, mine\n    1... d5", shown)
        self.assertEqual(self.ok("export", other), "")
        self.ok("verify", other)
        self.assertEqual(store("export", self.file, "--format", "polyglot").returncode, 2)

    def test_a_book_that_is_none_is_refused_and_illegal_moves_cost_only_themselves(self):
        start = [struct.pack(">QHHI", 0x463B96181691FC9C, m, weight, 0) for m, weight in ((move("e2", "e5"), 9), (move("e2", "e4"), 1), (0xFFFF, 3))]
        unknown = struct.pack(">QHHI", 5, move("e2", "e4"), 1, 0)
        for content, reason in ((b"".join(start)[:-1], "its 47 bytes are no whole number of entries of 16"), (b"", "its 0 bytes"),
                                (start[0] + unknown, "its entry 2 has a smaller key than the one before"),
                                (unknown, "1 of the 1 entries cannot be reached from the start position or those of the store")):
            book = self.folder / "a.bin"
            book.write_bytes(content)
            self.assertIn(reason, self.fails("import", self.file, book))
            self.assertEqual(self.ok("export", self.file), "")
        book.write_bytes(b"".join(start))
        self.assertIn("a.bin: 2 of the 3 moves are illegal", self.fails("import", self.file, book))
        self.assertIn("1. e4", self.ok("show", self.file, START))

    def test_a_book_for_one_side_or_from_another_start_is_found(self):
        """After 1. e4 the book knows only 1... d5 2. e5; and the position of an endgame that only the store knows."""
        endgame = "4k3/8/8/8/8/8/8/4K2R w K -"
        book = self.folder / "a.bin"
        self.ok("import", self.file, self.write("a.epd", f"{endgame} acd 9; bm O-O; ce 500; pv O-O;\n"))
        self.ok("export", self.file, "--format", "polyglot", "--out", book)
        castling = book.read_bytes()
        self.assertEqual(struct.unpack(">QHHI", castling)[1], move("e1", "h1"))
        entries = [struct.pack(">QHHI", key, m, 1, 0) for key, m in ((0x463B96181691FC9C, move("e2", "e4")), (0x0756B94461C50FB0, move("e4", "e5")))]
        book.write_bytes(b"".join(sorted([*entries, castling])))
        self.assertIn("6 rows, 6 new", self.ok("import", self.file, book))  # three of them after the moves
        self.assertIn("a move without a score, book\n    1. O-O", self.ok("show", self.file, endgame))
        self.assertIn("1 of the 3 entries cannot be reached", self.fails("import", self.folder / "b.store", book))

    def test_stores_merge_in_every_order_to_the_same_bytes(self):
        names = []
        for i in range(3):
            text = EPD.replace("acd 24", f"acd {20 + i}").replace("acd 12;", f"acd {15 - i};").replace("ce 523", f"ce {523 + i % 2}")
            names.append(self.folder / f"{i}.store")
            self.ok("import", names[-1], self.write(f"{i}.epd", text))
        merged = set()
        for i, order in enumerate(([0, 1, 2], [2, 1, 0], [1, 0, 2, 1, 1])):
            target = self.folder / f"merged{i}.store"
            self.ok("merge", target, *(names[j] for j in order))
            merged.add(self.ok("export", target))
        self.assertEqual(len(merged), 1)
        self.assertIn("acd 22", merged.pop())
        self.assertIn("cannot be merged into itself", self.fails("merge", names[0], names[0]))

    def test_pruning_removes_what_it_is_asked_for(self):
        self.ok("import", self.file, self.write("a.epd", EPD))
        self.assertIn("1 rows removed", self.ok("prune", self.file, "--depth", "15"))
        self.assertIn("1 rows removed", self.ok("prune", self.file, "--keep", "1"))
        self.assertIn("acd 24", self.ok("export", self.file))
        self.assertEqual(store("prune", self.file).returncode, 2)
        self.assertEqual(store("prune", self.file, "--before", "2026-02-30").returncode, 2)

    def test_bad_lines_cost_only_themselves(self):
        path = self.write("a.epd", EPD + "8/8/8/8/8/4k3/8/4K3 w - - acd 3;\nnonsense\n")
        errors = self.fails("import", self.file, path)
        self.assertIn("line 4: the position has no score", errors)
        self.assertIn("2 of the 5 lines could not be read", errors)
        path = self.write("a.jsonl", '{"fen":"x","evals":[]}\n{"evals":[]}\n{"fen"\n')
        self.assertIn("3 of the 3 lines", self.fails("import", self.file, path))
        self.assertEqual(self.ok("export", self.file), EPD)

    def test_a_damaged_row_is_named_and_the_others_are_saved(self):
        self.ok("import", self.file, self.write("a.epd", EPD))
        with sqlite3.connect(self.file) as file:
            file.execute("UPDATE analysis SET score = 1 WHERE depth = 20")
        file.close()
        self.assertRegex(self.fails("verify", self.file), r"a\.store: 1 rows are damaged \(its checksum is wrong\)")
        self.assertIn("1 rows are damaged", self.fails("merge", self.folder / "b.store", self.file))
        self.assertEqual(self.ok("export", self.folder / "b.store"), "".join(EPD.splitlines(True)[1:]))

    def test_other_files_are_refused_with_the_reason(self):
        text = self.write("a.txt", "no store at all, but a text of some length\n" * 40)
        self.assertRegex(self.fails("show", text), r"'.*a\.txt' is no store: it is no SQLite file")
        self.assertRegex(self.fails("show", self.folder / "none"), r"there is no file '.*none'")
        self.assertRegex(self.fails("merge", self.file, self.folder / "none"), r"there is no file '.*none'")
        self.ok("import", self.file, self.write("a.epd", EPD))
        with sqlite3.connect(self.file) as file:
            file.execute("PRAGMA user_version = 2")
        file.close()
        self.assertRegex(self.fails("show", self.file), r"a\.store' has format 2, and this program knows format 1")

    def test_a_killed_import_leaves_a_whole_store(self):
        """LUFT_TEST_FULL=1 kills 200 times."""
        full = os.environ.get("LUFT_TEST_FULL") == "1"
        lines = [f"{START} hmvc {i}; acd {i % 200 + 1}; ce {i}; c0 \"E{i % 1000}\";\n" for i in range(15000)]
        path = self.write("a.epd", "".join(lines))
        for i in range(200 if full else 2):
            process = subprocess.Popen([LUFT, "store", "import", str(self.file), str(path)], stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL)
            try:
                process.wait(0.02 + i % 20 * 0.01)
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
                process.wait()
            if not self.file.exists():
                continue
            result = store("verify", self.file)
            self.assertTrue(result.returncode == 0 or re.search("is no store: it is empty", result.stderr), result.stderr)
            self.assertEqual(list(self.folder.glob("*-journal")), [])


if __name__ == "__main__":
    unittest.main()
