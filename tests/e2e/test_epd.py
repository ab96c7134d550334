"""luft-lab epd: solved and unsolved positions, several engines, faults."""

import os
import pathlib
import subprocess
import tempfile
import unittest

from patience import HANG

LAB = os.environ["LUFT_LAB"]
LUFT = os.environ["LUFT"]
TOY = os.environ.get("TOY_ENGINE")

SUITE = """# three easy ones and one that cannot be solved
6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - bm Ra8#; dm 1; id "back rank";
r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4 bm Qxf7#; id "scholar";
7k/8/8/8/8/8/6q1/K7 b - - am Qg8; id "anything else";
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm a3; am a3; id "contradiction | bar";
"""


def lab(*arguments, timeout=HANG):
    return subprocess.run([LAB, "epd", *arguments], capture_output=True, text=True, timeout=timeout)


class Epd(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.suite = pathlib.Path(self.folder.name) / "suite.epd"
        self.suite.write_text(SUITE)

    def rows(self, output):
        return [[cell.strip() for cell in line.strip("|").split("|")] for line in output.splitlines() if line.startswith("|")]

    def test_solves(self):
        result = lab(str(self.suite), "-engine", f"cmd={LUFT}", "name=Luft", "-each", "depth=3", "option.Hash=1")
        self.assertEqual(result.returncode, 0, result.stderr)
        rows = self.rows(result.stdout)
        totals = rows[2]
        self.assertEqual(totals[:5], ["Luft", "depth=3", "3", "4", "75.0"])
        positions = {row[0]: row for row in rows[3:]}
        self.assertRegex(positions["back rank"][2], r"^\*\*Ra8#\*\* depth \d+, \d+\.\d\d s$")
        self.assertEqual(positions["back rank"][1], "Ra8# mate in 1")
        self.assertNotIn("**", positions["contradiction / bar"][2])

    def test_several_engines_and_limits(self):
        arguments = [str(self.suite), "-engine", f"cmd={LUFT}", "name=a", "nodes=500", "-engine", f"cmd={LUFT}", "name=b",
                     "-each", "st=0.05", "-concurrency", "2"]
        result = lab(*arguments, "-summary")
        self.assertEqual(result.returncode, 0, result.stderr)
        rows = self.rows(result.stdout)
        self.assertEqual([row[:2] for row in rows[2:]], [["a", "nodes=500"], ["b", "0.05/move"]])
        output = pathlib.Path(self.folder.name) / "out.md"
        self.assertEqual(lab(*arguments, "-output", str(output)).stdout, "")
        self.assertEqual(len(self.rows(output.read_text())), 2 + 2 + 2 + 4)

    @unittest.skipIf(TOY is None, "needs the toy engine")
    def test_a_crashing_engine_is_counted_and_restarted(self):
        result = lab(str(self.suite), "-engine", f"cmd={TOY}", "name=toy", "option.Fault=crash", "option.Fault Move=1",
                     "-each", "depth=1")
        self.assertEqual(result.returncode, 0, result.stderr)
        rows = self.rows(result.stdout)
        self.assertEqual(rows[2][2], "0")
        self.assertEqual(rows[2][6], "4")
        self.assertTrue(all("crash" in row[2] for row in rows[5:]), result.stdout)

    def test_bad_input(self):
        cases = {
            ("/nonexistent.epd",): "/nonexistent.epd",
            (): "SUITE.epd is missing",
            (str(self.suite), "-engine", "cmd=/nonexistent/engine"): "/nonexistent/engine",
            (str(self.suite), "-engine", f"cmd={LUFT}", "tc=1+1"): "no clock",
            (str(self.suite), "-engine", f"cmd={LUFT}", "-each", "tc=1+1"): "no clock",
            (str(self.suite), "-nonsense"): "nonsense",
        }
        for arguments, reason in cases.items():
            result = lab(*arguments, *(["-engine", f"cmd={LUFT}"] if len(arguments) == 1 and arguments[0] != str(self.suite) else []))
            self.assertNotEqual(result.returncode, 0, arguments)
            self.assertIn(reason, result.stderr)
        self.suite.write_text("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e5;\n")
        result = lab(str(self.suite), "-engine", f"cmd={LUFT}")
        self.assertEqual(result.returncode, 1)
        self.assertIn("line 1", result.stderr)

    def test_help_teaches(self):
        result = lab("--help")
        self.assertEqual(result.returncode, 0)
        self.assertIn("Example", result.stdout)


if __name__ == "__main__":
    unittest.main()
