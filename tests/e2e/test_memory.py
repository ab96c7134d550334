"""Analysis that lasts: what one engine found is there for the next one (StoreFile, StoreMode, luft analyse --store)."""

import contextlib
import ctypes
import json
import os
import pathlib
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest

from patience import HANG
from uci_engine import LUFT, Engine

MIDDLE_GAME = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3"
MATE = "2bqkbn1/2pppp2/np2N3/r3P1p1/p2N2B1/5Q2/PPPPKPP1/RNB2r2 w - - 0 1"
DEPTH = 11
FULL = os.environ.get("LUFT_TEST_FULL") == "1"


def has_sqlite():
    try:
        ctypes.CDLL("libsqlite3.so.0")
    except OSError:
        return False
    return True


@unittest.skipUnless(sys.platform.startswith("linux") and has_sqlite(), "needs libsqlite3.so.0")
class Memory(unittest.TestCase):
    def setUp(self):
        place = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
        scratch = tempfile.TemporaryDirectory(dir=place)
        self.addCleanup(scratch.cleanup)
        self.file = pathlib.Path(scratch.name) / "a.store"

    def engine(self, mode="write", hash_size=16, **options):
        engine = Engine(**options)
        self.addCleanup(engine.close)
        engine.send(f"setoption name Hash value {hash_size}", f"setoption name StoreFile value {self.file}",
                    f"setoption name StoreMode value {mode}", f"position fen {MIDDLE_GAME}")
        self.assertEqual(engine.synchronise()[1:], [])
        return engine

    @staticmethod
    def lines_of(engine, *go):
        """All that is said to a search. It may end before the thread that reads commands comes to warn."""
        return engine.search(*go).lines + engine.ask("isready", until="readyok")

    def store(self, *arguments):
        return subprocess.run([LUFT, "store", *map(str, arguments)], capture_output=True, text=True, timeout=HANG)

    def fill(self, *go):
        """An analysis that is written, and its engine, which is killed then."""
        engine = self.engine()
        search = engine.search(*(go or (f"go depth {DEPTH}",)))
        engine.synchronise()  # it has written
        engine.process.kill()
        return search

    def assert_depths_never_fall(self, search):
        depths = [info.depth for info in search.infos]
        self.assertEqual(depths, sorted(depths))

    def test_the_next_engine_goes_on_with_another_hash(self):
        before = self.fill()
        for mode in ("read", "write"):
            search = self.engine(mode, hash_size=2).search(f"go depth {DEPTH}")
            first = search.infos[0]
            self.assertEqual((first.depth, first.pv, first.score), (DEPTH - 1, before.last().pv, before.last().score))
            self.assert_depths_never_fall(search)
            self.assertEqual(search.last().depth, DEPTH)
            self.assertLess(search.last().nodes, before.last().nodes / 2)
        self.assertIn("every row is sound", self.store("verify", self.file).stdout)

    def test_a_shallower_search_ends_where_it_is_asked_to(self):
        self.fill()
        search = self.engine("read").search("go depth 5")
        self.assertEqual([info.depth for info in search.infos], [4, 5])
        search = self.engine("read").search("go depth 1")
        self.assertEqual(search.last().depth, 1)

    def test_several_lines(self):
        engine = self.engine()
        engine.send("setoption name MultiPV value 3")
        before = engine.search("go depth 8")
        engine.close()
        engine = self.engine("read")
        engine.send("setoption name MultiPV value 3")
        search = engine.search("go depth 8")
        self.assertEqual([(info.depth, info.rank) for info in search.infos[:3]], [(7, 1), (7, 2), (7, 3)])
        self.assertEqual({(info.pv[0], info.score) for info in search.infos[:3]},
                         {(before.last(rank).pv[0], before.last(rank).score) for rank in (1, 2, 3)})
        self.assert_depths_never_fall(search)
        engine.send("setoption name MultiPV value 4")  # more than are known
        self.assertEqual(engine.search("go depth 3").infos[0].depth, 1)

    def test_only_analysis_opens_the_file(self):
        for lines in (("go wtime 500 btime 500",), ("go wtime 500 btime 500 movestogo 3",), ("go ponder wtime 500 btime 500", "stop"),
                      ("go ponder", "ponderhit"), ("go movetime 20", "setoption name StoreMode value off")):
            engine = self.engine("off" if "off" in lines[-1] else "write")
            engine.send(*lines)
            engine.read_until("bestmove")
            engine.close()
            self.assertEqual(list(self.file.parent.iterdir()), [], lines)
        engine = self.engine()
        engine.send("setoption name Skill Level value 5")
        engine.search("go depth 3")
        self.assertFalse(self.file.exists())
        engine.send("setoption name Skill Level value 20")
        engine.search("go depth 3")
        engine.synchronise()
        self.assertTrue(self.file.exists())

    @unittest.skipUnless(shutil.which("strace"), "needs strace")
    def test_a_clock_makes_no_call_to_the_system_that_names_the_file(self):
        self.fill()
        log = self.file.parent / "calls"
        traced = subprocess.run(["strace", "-f", "-e", "trace=%file", "-o", log, LUFT, f"setoption name StoreFile value {self.file}",
                                 "setoption name StoreMode value write", "go wtime 300 btime 300", "go depth 3"],
                                capture_output=True, text=True, timeout=HANG, check=False)
        if "ptrace" in traced.stderr or not log.exists():
            self.skipTest("strace may not trace here")
        calls = log.read_text().splitlines()
        named = [call for call in calls if str(self.file) in call and "execve" not in call]
        self.assertTrue(named)  # by the analysis
        alone = subprocess.run(["strace", "-f", "-e", "trace=%file", "-o", log, LUFT, f"setoption name StoreFile value {self.file}",
                                "setoption name StoreMode value write", "go wtime 300 btime 300"],
                               capture_output=True, text=True, timeout=HANG, check=True)
        self.assertIn("bestmove", alone.stdout)
        calls = log.read_text().splitlines()
        self.assertEqual([call for call in calls if ("a.store" in call or "sqlite" in call) and "execve" not in call], [])

    def test_reading_writes_nothing(self):
        engine = self.engine("read")
        self.assertIn(f"info string store: there is no file '{self.file}'", self.lines_of(engine, "go depth 4"))
        self.fill()
        self.store("verify", self.file)  # what was killed leaves a log, which goes into the file
        before = self.file.read_bytes()
        self.engine("read").search(f"go depth {DEPTH}")
        self.assertEqual(self.file.read_bytes(), before)

    def test_what_cannot_be_used_is_named_once_and_the_search_goes_on(self):
        self.file.write_text("no store")
        engine = self.engine()
        expected = f"info string store: '{self.file}' is no store: it is no SQLite file"
        self.assertEqual([line for line in self.lines_of(engine, "go depth 4") if "store" in line], [expected])
        second = engine.search("go depth 4")
        self.assertFalse([line for line in second.lines + engine.ask("isready", until="readyok") if "store" in line])
        self.assertEqual(second.last().depth, 4)
        self.assertEqual(self.file.read_text(), "no store")
        errors = engine.ask("setoption name StoreMode value maybe", "isready", until="readyok")
        self.assertIn("option StoreMode is off, read or write, not 'maybe'", errors[0])

    def test_a_mate_is_known_at_once(self):
        engine = self.engine()
        before = engine.search(f"position fen {MATE}", "go depth 9")
        self.assertIn("mate", before.last().line)
        engine.close()
        search = self.engine("read").search(f"position fen {MATE}", "go depth 9")
        self.assertEqual(search.infos[0].score, before.last().score)
        self.assertEqual(search.best, before.best)

    def test_a_known_mate_stays_known_a_move_before(self):
        """A deeper search that does not see the mate does not hide it. The mate is a claim that this test puts into the store."""
        mate_in_20 = 32000 - 40
        engine = self.engine()
        engine.search("position startpos moves e2e4", "go depth 8")
        engine.close()
        with contextlib.closing(sqlite3.connect(self.file)) as file, file:
            row = list(file.execute("SELECT * FROM analysis WHERE bound = 3 ORDER BY depth DESC LIMIT 1").fetchone())
            row[4] = -mate_in_20
            checksum = 0xCBF29CE484222325
            for byte in row[0] + b"".join(number.to_bytes(8, "little", signed=True) for number in row[1:8]) + row[8].encode():
                checksum = (checksum ^ byte) * 0x100000001B3 % 2**64
            row[9] = checksum - 2**64 if checksum >= 2**63 else checksum
            file.execute("INSERT OR REPLACE INTO analysis VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
        self.assertIn("every row is sound", self.store("verify", self.file).stdout)
        search = self.engine("read").search("position startpos", "go depth 11")
        self.assertEqual({(info.pv[0], info.kind) for info in search.infos}, {("e2e4", "mate")})
        self.assertEqual(search.last().depth, 11)

    def test_some_moves_alone_say_nothing_of_the_position(self):
        self.fill(f"go depth {DEPTH} searchmoves a2a3")
        search = self.engine("read").search("go depth 3")
        self.assertEqual(search.infos[0].depth, 1)
        self.fill()
        search = self.engine("read").search("go depth 3 searchmoves a2a3")
        self.assertEqual(search.infos[0].depth, 1)
        self.assertEqual(search.best, "a2a3")

    def test_two_engines_write_at_once(self):
        """Each writes when it can, at the latest when it ends. LUFT_TEST_FULL=1: for ten minutes."""
        end = time.monotonic() + (600 if FULL else 0)
        engines = [self.engine(), self.engine()]
        positions = (MIDDLE_GAME, MATE)
        while True:
            for engine, fen in zip(engines, positions):
                engine.send(f"position fen {fen}", "go depth 8")
            for engine in engines:
                engine.read_until("bestmove")
            positions = positions[::-1]
            if time.monotonic() >= end:
                break
        for engine in engines:
            engine.close()
            self.assertEqual([line for _, line in engine.log if "string store" in line], [])
        for fen in positions:
            self.assertIn("depth 8, score", self.store("show", self.file, fen).stdout)
        self.assertIn("every row is sound", self.store("verify", self.file).stdout)

    def hold(self, kind):
        """Another program that writes, or keeps the file from being opened, until it is closed."""
        other = sqlite3.connect(self.file, isolation_level=None)
        self.addCleanup(other.close)
        if kind == "EXCLUSIVE":
            other.execute("PRAGMA journal_mode = MEMORY")  # a file of the journal would be refused
        other.execute(f"BEGIN {kind}")
        return other

    def test_what_cannot_be_written_yet_waits(self):
        engine = self.engine()
        other = self.hold("EXCLUSIVE")  # of a file that is no store yet
        lines = engine.search("go depth 6").lines + engine.synchronise()
        self.assertEqual([line for line in lines if "string store" in line], [])
        other.close()
        engine.search(f"position fen {MATE}", "go depth 4")
        engine.synchronise()
        self.assertIn("depth 6, score", self.store("show", self.file, MIDDLE_GAME).stdout)
        other = self.hold("IMMEDIATE")
        lines = engine.search(f"position fen {MATE}", "go depth 7").lines + engine.synchronise()
        self.assertEqual([line for line in lines if "string store" in line], [])
        other.close()
        engine.close()
        self.assertIn("depth 7, score", self.store("show", self.file, MATE).stdout)
        self.assertIn("every row is sound", self.store("verify", self.file).stdout)

    @unittest.skipUnless(FULL, "takes the eleven seconds that an engine waits at its end")
    def test_what_could_not_be_written_until_the_end_is_named(self):
        engine = self.engine()
        engine.search("go depth 6")
        engine.synchronise()
        other = self.hold("IMMEDIATE")
        engine.search(f"position fen {MATE}", "go depth 7")
        engine.close()
        self.assertRegex(engine.log[-1][1],
                         r"^info string store: \d+ positions are not kept: the store '.*' is being written by another program")
        other.close()
        self.assertIn("depth 6, score", self.store("show", self.file, MIDDLE_GAME).stdout)

    def test_killed_engines_leave_a_whole_store(self):
        """LUFT_TEST_FULL=1 kills 1,000 times."""
        chance = random.Random(57)
        for _ in range(1000 if FULL else 4):
            engine = self.engine()
            engine.send(*(f"go nodes {nodes}" for nodes in (2000, 3000, 4000, 5000)))
            engine.read_until("bestmove")
            time.sleep(chance.uniform(0, 0.1))  # searching, writing or closing
            engine.process.kill()
            engine.process.wait()
            with contextlib.closing(sqlite3.connect(self.file)) as file:
                self.assertEqual(file.execute("PRAGMA integrity_check").fetchall(), [("ok",)])
        self.assertIn("every row is sound", self.store("verify", self.file).stdout)

    def test_luft_analyse(self):
        def analyse():
            result = subprocess.run([LUFT, "analyse", "--json", "--depth", "10", "--threads", "1", "--store", self.file, MIDDLE_GAME],
                                    capture_output=True, text=True, timeout=HANG, check=True)
            return [json.loads(line) for line in result.stdout.splitlines()][:-1]
        self.assertEqual(analyse()[0]["depth"], 1)
        self.assertEqual([line["depth"] for line in analyse()], [9, 10])
        self.file.write_text("no store")
        refused = subprocess.run([LUFT, "analyse", "--depth", "3", "--store", self.file, MIDDLE_GAME], capture_output=True, text=True,
                                 timeout=HANG)
        self.assertEqual(refused.returncode, 1)
        self.assertIn("is no store", refused.stderr)
        game = self.file.parent / "game.pgn"
        game.write_text("1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0\n")
        command = [LUFT, "analyse", "--depth", "4", "--threads", "1", "--store", self.file, game]
        refused = subprocess.run(command, capture_output=True, text=True, timeout=HANG)
        self.assertEqual(refused.returncode, 1)
        self.assertIn("is no store", refused.stderr)
        self.file.unlink()
        subprocess.run(command, capture_output=True, text=True, timeout=HANG, check=True)
        self.assertIn("depth 4, score", self.store("show", self.file, "rnbqkbnr/pppp1ppp/8/4p2Q/4P3/8/PPPP1PPP/RNB1KBNR b KQkq - 1 2").stdout)

    def test_luft_explain(self):
        def explain(*options):
            result = subprocess.run([LUFT, "explain", "--json", "--nodes", "300", *map(str, options), MIDDLE_GAME],
                                    capture_output=True, text=True, timeout=HANG)
            return json.loads(result.stdout) if result.returncode == 0 else result.stderr
        before = self.fill()
        self.assertIn("row", self.store("verify", self.file).stdout)  # what was killed leaves a log
        content = self.file.read_bytes()
        alone, known = explain(), explain("--store", self.file)
        self.assertLess(alone["depth"], DEPTH - 1)
        self.assertGreaterEqual(known["depth"], DEPTH - 1)
        self.assertEqual(known["best"]["move"]["uci"], before.best)
        engine = self.engine("read")
        lines = engine.ask("explain nodes 300 json", until="info string explain end")
        answer = json.loads(next(line for line in lines if "{" in line).removeprefix("info string "))
        self.assertGreaterEqual(answer["depth"], DEPTH - 1)
        self.assertEqual(self.file.read_bytes(), content)
        self.assertIn("there is no file", explain("--store", self.file.parent / "none.store"))
        self.file.write_text("no store")
        self.assertIn("is no store", explain("--store", self.file))
        lines = engine.ask("setoption name StoreFile value none.store", "explain nodes 300", until="info string explain end")
        self.assertIn("info string store: there is no file 'none.store'", lines)


if __name__ == "__main__":
    unittest.main()
