"""luft-lab benchmark: the speed report against a baseline, and the strength report with a few games."""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

from patience import HANG

LAB = os.environ["LUFT_LAB"]
LUFT = os.environ["LUFT"]
STOCKFISH = shutil.which("stockfish") or "/usr/games/stockfish"
BOOK = pathlib.Path(__file__).resolve().parents[2] / "books/standard.epd"


def lab(*arguments, cwd=None, timeout=HANG):
    return subprocess.run([LAB, "benchmark", *arguments], capture_output=True, text=True, cwd=cwd, timeout=timeout)


class Speed(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.baseline = os.path.join(self.folder.name, "baseline.txt")

    def speed(self, *arguments):
        return lab("speed", "--engine", LUFT, "--depth", "3", "--runs", "1", *arguments)

    def test_alone_and_against_its_baseline(self):
        first = self.speed("--save", self.baseline)
        self.assertEqual(first.returncode, 0, first.stderr)
        self.assertRegex(first.stdout, r"\*\*[\d,]+ nodes\.\*\*")
        self.assertEqual(len(re.findall(r"^\|\s+\d+ \|", first.stdout, re.M)), 48)
        second = lab("speed", "--engine", LUFT, "--runs", "1", "--baseline", self.baseline)
        self.assertEqual(second.returncode, 0, second.stderr)
        self.assertIn("**Nodes unchanged: ", second.stdout)

    def test_a_changed_search_is_the_headline(self):
        self.speed("--save", self.baseline)
        text = pathlib.Path(self.baseline).read_text()
        first = int(re.search(r"Position 1/\d+: nodes=(\d+)", text).group(1))
        total = int(re.search(r"^(\d+) nodes", text, re.M).group(1))
        text = text.replace(f"nodes={first} ", f"nodes={first + 1000} ", 1).replace(f"\n{total} nodes", f"\n{total + 1000} nodes")
        pathlib.Path(self.baseline).write_text(text)
        result = self.speed("--baseline", self.baseline)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stdout.splitlines()[2].startswith("**Nodes changed: "), True, result.stdout)
        self.assertIn(f"{total + 1000:,} -> {total:,}", result.stdout)

    def test_against_another_build(self):
        result = self.speed("--against", LUFT, "--runs", "2")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout, r"Speed ratio: \d+\.\d+ \+- \d+\.\d+ \(95%; 2 runs in turn\)")

    def test_bad_input(self):
        pathlib.Path(self.baseline).write_text("no baseline\n")
        for arguments, reason in ((["--baseline", self.baseline], "no bench baseline"),
                                  (["--baseline", "/nonexistent"], "/nonexistent"),
                                  (["--against", "/nonexistent"], "/nonexistent"),
                                  (["--against", LUFT, "--baseline", self.baseline], "not both"),
                                  (["--against", "true"], "nodes")):
            result = self.speed(*arguments)
            self.assertNotEqual(result.returncode, 0, arguments)
            self.assertIn(reason, result.stderr)
        self.assertEqual(lab("speed", "--save", os.path.join(self.folder.name, "no/such/file"), "--engine", LUFT, "--depth",
                             "1", "--runs", "1").returncode, 1)

    def test_help_teaches(self):
        for report in ((), ("speed",), ("strength",)):
            result = lab(*report, "--help")
            self.assertEqual(result.returncode, 0)
            self.assertIn("Usage", result.stdout)
        self.assertEqual(lab("nonsense").returncode, 2)


@unittest.skipUnless(os.path.exists(STOCKFISH), "needs Debian's stockfish")
class Strength(unittest.TestCase):
    """A real match of a few games against Stockfish: it ends, and the tables add up."""

    def test_report(self):
        with tempfile.TemporaryDirectory() as folder:
            arguments = ["strength", "--engine", LUFT, "--opponent", STOCKFISH, "--levels", "0,3", "--games", "4", "--time",
                         "0.01", "--concurrency", "2", "--book", str(BOOK), "--folder", folder]
            result = lab(*arguments)
            self.assertEqual(result.returncode, 0, result.stderr)
            for level in (0, 3):
                table = re.search(rf"Skill Level {level}\n\n(.*?)\n\n", result.stdout, re.S).group(1)
                rows = [[int(n) for n in re.findall(r"\| +(\d+) ", line)] for line in table.splitlines()[2:]]
                self.assertEqual(len(rows), 3, table)
                self.assertEqual([row[3] for row in rows], [4, 2, 2])
                for column in range(4):
                    self.assertEqual(rows[0][column], rows[1][column] + rows[2][column])
                for row in rows:
                    self.assertEqual(row[3], sum(row[:3]))
            for words in ("How games ended", "Configuration", "0.01 s for each move", "16 MB of hash", "Stockfish"):
                self.assertIn(words, result.stdout)
            self.assertTrue(os.path.exists(os.path.join(folder, "level-3.pgn")))
            # By its journals all games are played: the same command plays no more and reports the same games.
            again = lab(*arguments, timeout=HANG)
            self.assertEqual(again.stdout, result.stdout)

    def test_bad_input(self):
        for arguments, reason in ((["--levels", "21"], "--levels"), (["--games", "3"], "even"),
                                  (["--engine", "/nonexistent"], "/nonexistent"), (["--opponent", "cat"], "cat"),
                                  (["--book", "/nonexistent.epd"], "/nonexistent.epd")):
            base = ["strength", "--engine", LUFT, "--opponent", STOCKFISH, "--book", str(BOOK), "--games", "2"]
            result = lab(*base, *arguments)
            self.assertNotEqual(result.returncode, 0, arguments)
            self.assertIn(reason, result.stderr)


if __name__ == "__main__":
    unittest.main()
