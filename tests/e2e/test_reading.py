"""One reader: a corpus of small files, one for each way to write games and positions and for each fault, given to every command
that reads such files. All must read the same moves and positions from them, and report the same problems.

support/reading.tar has the files and expected.json: for each file its games (moves in long algebraic notation, result), or its
positions (FEN), its problems, of each a part of the message, and whether they cost moves, games or positions; or why the file is
refused."""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

from patience import HANG

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "tests/fuzz"))
import archive  # noqa: E402

LUFT, LAB, TOY = os.environ["LUFT"], os.environ["LUFT_LAB"], os.environ.get("TOY_ENGINE")
SHARE = 1 if "LUFT_TEST_FULL" in os.environ else 8  # every so manyth file, where each takes long
TOYS = ("-engine", f"cmd={TOY}", "name=a", "-engine", f"cmd={TOY}", "name=b")


def run(*command):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=HANG)


class Reading(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(scratch.cleanup)
        cls.scratch, cls.folder = pathlib.Path(scratch.name), pathlib.Path(scratch.name, "files")
        archive.unpack((ROOT / "tests/e2e/support/reading.tar").read_bytes(), cls.folder)
        cls.expected = json.loads((cls.folder / "expected.json").read_text(encoding="utf-8"))

    def each(self, kind, check, share=1):
        """Calls `check` with each file that has this in its expectation, or with a share of them."""
        for name in [name for name, expected in self.expected.items() if kind in expected][::share]:
            with self.subTest(name):
                check(self.folder / name, self.expected[name])

    def assert_problems(self, path, expected, result, *own):
        """The problems are those of the file, and those that only this command has (`own`: parts of their messages)."""
        lines = [line.removeprefix(f"{path}: ") for line in result.stderr.splitlines() if line.startswith((f"{path}: ", "... and"))]
        found = [line for line in lines if not any(part in line for part in own)]
        self.assertEqual(len(found), len(expected["problems"]), result.stderr)
        for line, part in zip(found, expected["problems"]):
            self.assertIn(part, line)

    def analyse(self, path):
        result = run(LUFT, "analyse", path, "--json", "--nodes", "1", "--threads", "1", "--hash", "1")
        games, moves, positions = [], [], []
        for line in result.stdout.splitlines():
            found = json.loads(line)
            if "move" in found:
                moves.append(found["move"]["uci"])
            elif "moves" in found:
                games.append([" ".join(moves), found["result"]])
                moves = []
            elif "best" in found:
                positions.append(found["fen"])
        return result, games, positions

    def test_there_are_files_of_every_kind(self):
        self.assertGreaterEqual(len(self.expected), 240)
        self.assertEqual(set(self.expected) | {"expected.json"}, {path.name for path in self.folder.iterdir()})

    def test_analyse_reads_games(self):
        def check(path, expected):
            result, games, _ = self.analyse(path)
            self.assertEqual(games, expected["games"], result.stderr)
            self.assert_problems(path, expected, result)
            self.assertEqual(result.returncode, expected["lost"], result.stderr)

        self.each("games", check, SHARE)

    def test_analyse_reads_positions(self):
        def check(path, expected):
            result, _, positions = self.analyse(path)
            self.assertEqual(positions, expected["positions"], result.stderr)
            self.assert_problems(path, expected, result)
            self.assertEqual(result.returncode, expected["lost"], result.stderr)

        self.each("positions", check)

    def test_explain_reads_games(self):
        def check(path, expected):
            self.assert_problems(path, expected, run(LUFT, "explain", path, "--json", "--nodes", "100", "--worst", "1"))

        self.each("games", check, SHARE)

    def test_explain_reads_positions(self):
        def check(path, expected):
            result = run(LUFT, "explain", path, "--json", "--nodes", "100")
            self.assertEqual([json.loads(line)["fen"] for line in result.stdout.splitlines()], expected["positions"], result.stderr)
            self.assert_problems(path, expected, result)

        self.each("positions", check)

    def test_import_reads_games(self):
        """Of games with a result; the others are counted. What is recorded of some is exported and read again."""
        out, back = self.scratch / "out.games", self.scratch / "back.pgn"

        def decided(expected):
            return [game for game in expected["games"] if game[1] != "*"]

        def check_import(path, expected):
            out.unlink(missing_ok=True)
            result = run(LAB, "data", "import", "--format", "pgn", "--out", out, path)
            self.assertEqual(result.returncode, expected["lost"] or not decided(expected), result.stderr)
            self.assert_problems(path, expected, result, "there is no game with a result")

        def check_record(path, expected):
            if decided(expected):
                out.unlink(missing_ok=True)
                back.unlink(missing_ok=True)
                result = run(LAB, "data", "import", "--again", "--format", "pgn", "--skip-faults", "--out", out, path)
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertEqual(run(LAB, "data", "export", "--format", "pgn", "--out", back, out).returncode, 0)
                self.assertEqual(self.analyse(back)[1], decided(expected))

        self.each("games", check_import)
        self.each("games", check_record, SHARE)

    def match(self, path, expected, rounds):
        """The games of a match from this book, of both colours each; None where no game can begin there."""
        pgn = self.scratch / "match.pgn"
        pgn.unlink(missing_ok=True)
        result = run(LAB, "match", *TOYS, "-each", "depth=1", "-rounds", max(1, rounds), "-maxmoves", "1", "-openings", f"file={path}",
                     "-skip-faults", "-pgnout", pgn, "-journal", "none", "-log", "none", "-quiet")
        self.assert_problems(path, expected, result, "already over", "-variant chess960")
        if re.search("already over|-variant chess960", result.stderr):
            return None
        if rounds == 0:
            self.assertIn("contains no opening", result.stderr)
            return None
        self.assertEqual(result.returncode, 0, result.stderr)
        return pgn

    @unittest.skipIf(TOY is None, "needs the toy engine")
    def test_openings_are_read(self):
        """The moves of the book's games begin the games of a match, and so do its positions."""
        def check_games(path, expected):
            pgn = self.match(path, expected, len(expected["games"]))
            if pgn is not None:
                for game, (moves, _) in zip(self.analyse(pgn)[1][::2], expected["games"], strict=True):
                    self.assertEqual(game[0][:len(moves)], moves)

        def check_positions(path, expected):
            pgn = self.match(path, expected, len(expected["positions"]))
            if pgn is not None:
                fens = re.findall(r'^\[FEN "(.*)"\]', pgn.read_text(), re.M)
                self.assertEqual(fens[::2], [fen for fen in expected["positions"] if not fen.startswith("rnbqkbnr/pppppppp/8/8")])

        self.each("games", check_games, SHARE)
        self.each("positions", check_positions, SHARE)

    @unittest.skipIf(TOY is None, "needs the toy engine")
    def test_judge_reads_games(self):
        """The games are too short to be judged: it reports what it read, and ends."""
        def check(path, expected):
            result = run(LAB, "judge", path, *TOYS, "-each", "nodes=10", "-journal", self.scratch / "journal", "-skip-faults")
            self.assertEqual(result.returncode, 1)
            self.assert_problems(path, expected, result, "has no game of standard chess")

        self.each("games", check, SHARE)

    @unittest.skipIf(TOY is None, "needs the toy engine")
    def test_suites_are_read(self):
        """The table has a row for each position with a task, and five of its own."""
        def check(path, expected):
            result = run(LAB, "epd", path, *TOYS[:3], "-each", "depth=1", "-quiet", "-skip-faults")
            self.assert_problems(path, expected, result, "nothing to solve", "holds no position")
            rows = len(re.findall(r"^\|", result.stdout, re.M))
            tasks = len(expected["positions"]) - result.stderr.count("nothing to solve")
            self.assertEqual(rows, tasks + 5 if tasks > 0 else 0, result.stderr)

        self.each("positions", check)

    def test_other_files_are_refused_by_name(self):
        engines = ("-engine", f"cmd={LUFT}", "-engine", f"cmd={LUFT}", "-each", "depth=1")

        def check(path, expected):
            for command in ((LUFT, "analyse", path), (LUFT, "explain", path), (LAB, "epd", path, *engines[:2]),
                            (LAB, "data", "import", "--format", "pgn", "--out", self.scratch / "none.games", path),
                            (LAB, "match", *engines, "-openings", f"file={path}", "-journal", "none")):
                result = run(*command)
                self.assertEqual(result.returncode, 1, command)
                self.assertIn(expected["refused"], result.stderr)

        self.each("refused", check)


if __name__ == "__main__":
    unittest.main()
