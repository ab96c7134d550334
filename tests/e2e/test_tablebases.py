"""Tablebases over UCI: options, scores, tbhits, bad folders. tests/syzygy has tables of three pieces."""

import os
import pathlib
import shutil
import tempfile
import unittest

from uci_engine import Engine

TABLES = pathlib.Path(__file__).resolve().parent.parent / "syzygy"
PAWN_WINS = "fen 4k3/8/4K3/4P3/8/8/8/8 w - - 0 1"
NEEDS_A_CAPTURE = "fen 8/8/8/3k4/8/8/p7/K6R w - - 0 1"
KNIGHT_AND_BISHOP = "fen 7k/8/8/8/8/8/8/KNB5 w - - 0 1"


class Tablebases(unittest.TestCase):
    def setUp(self):
        self.engine = Engine()
        self.addCleanup(self.engine.close)
        self.engine.read_line()
        self.options = [line for line in self.engine.ask("uci", until="uciok$") if line.startswith("option name Syzygy")]

    def set_path(self, path):
        """Sets SyzygyPath; returns the lines that it prints."""
        self.engine.send(f"setoption name SyzygyPath value {path}")
        return self.engine.synchronise()

    def score(self, position, limit="depth 4"):
        search = self.engine.search(f"position {position}", f"go {limit}")
        line = [line for line in search.lines if " score " in line][-1].split()
        at = line.index("score")
        return line[at + 1], int(line[at + 2]), int(line[line.index("tbhits") + 1])

    def test_the_options_are_listed(self):
        self.assertEqual(self.options, ["option name SyzygyPath type string default <empty>",
                                        "option name SyzygyProbeDepth type spin default 1 min 1 max 100",
                                        "option name SyzygyProbeLimit type spin default 7 min 0 max 7",
                                        "option name Syzygy50MoveRule type check default true"])

    def test_wins_near_200_pawns_and_hits_are_counted(self):
        self.assertEqual(self.score(PAWN_WINS)[2], 0)
        self.assertEqual(self.set_path(TABLES), [])
        for position in (PAWN_WINS, NEEDS_A_CAPTURE):
            kind, value, hits = self.score(position)
            self.assertEqual(kind, "cp")
            self.assertTrue(19900 <= value < 20000, value)
            self.assertGreater(hits, 0)
        self.assertEqual(self.set_path("<empty>"), [])
        kind, value, hits = self.score(PAWN_WINS)
        self.assertTrue(value < 19000 and hits == 0, (value, hits))

    def test_a_limit_of_no_pieces_probes_nothing(self):
        self.set_path(TABLES)
        self.engine.send("setoption name SyzygyProbeLimit value 2")
        self.assertEqual(self.score(PAWN_WINS)[2], 0)

    def test_the_fifty_move_rule_can_be_ignored(self):
        self.set_path(TABLES)
        late = "fen 8/8/8/3k4/8/8/8/K6R w - - 95 90"
        self.assertLess(abs(self.score(late)[1]), 100)
        self.engine.send("setoption name Syzygy50MoveRule value false")
        self.assertGreater(self.score(late)[1], 19900)

    def test_two_threads(self):
        self.set_path(TABLES)
        self.engine.send("setoption name Threads value 2")
        self.assertGreater(self.score(NEEDS_A_CAPTURE, "nodes 200000")[2], 0)

    def test_bad_folders_are_named_and_the_old_tables_remain(self):
        self.set_path(TABLES)
        with tempfile.TemporaryDirectory() as folder:
            cut = pathlib.Path(folder, "KQvK.rtbw")
            for path, part in (("/nowhere/at/all", "/nowhere/at/all"), (folder, folder),
                               (f"{TABLES}{os.pathsep}/nowhere", "/nowhere"), (TABLES / "KQvK.rtbw", "KQvK.rtbw")):
                self.assert_refused(path, part)
            cut.write_bytes((TABLES / "KQvK.rtbw").read_bytes()[:100])
            self.assert_refused(folder, "KQvK.rtbw")
            cut.write_bytes(bytes(80))
            self.assert_refused(folder, "KQvK.rtbw")
            damaged = bytearray((TABLES / "KQvK.rtbw").read_bytes())
            damaged[40:42] = b"\xff\x0f"  # a symbol that there is not
            cut.write_bytes(damaged)
            self.assert_refused(folder, "KQvK.rtbw is damaged: ")
            shutil.copy(TABLES / "KQvK.rtbw", folder)
            self.assertEqual(self.set_path(f"{folder}{os.pathsep}{TABLES}"), [])

    def assert_refused(self, path, part):
        lines = self.set_path(path)
        self.assertEqual(len(lines), 1, lines)
        self.assertTrue(lines[0].startswith("info string error: "), lines)
        self.assertIn(part, lines[0])
        self.assertGreater(self.score(PAWN_WINS)[2], 0)

    def test_four_pieces(self):
        folder = os.environ.get("LUFT_SYZYGY")
        if not folder:
            self.skipTest("LUFT_SYZYGY names no folder of tables with four pieces")
        self.assertEqual(self.set_path(folder), [])
        kind, value, hits = self.score(KNIGHT_AND_BISHOP)
        self.assertEqual((kind, value), ("cp", 19999))
        self.assertGreater(hits, 0)


if __name__ == "__main__":
    unittest.main()
