"""luft-lab sprt: the calculator, the simulation, and a test that is played to its decision."""

import os
import pathlib
import re
import subprocess
import tempfile
import unittest

from patience import HANG

LAB = os.environ["LUFT_LAB"]
LUFT = os.environ["LUFT"]
TOY = os.environ["TOY_ENGINE"]


def lab(*arguments, cwd=None, timeout=HANG):
    return subprocess.run([LAB, *arguments], capture_output=True, text=True, cwd=cwd, timeout=timeout)


class Calculator(unittest.TestCase):
    def test_the_block_of_a_published_result(self):
        result = lab("sprt", "--from", "18,207,494,314,28", "--bounds", "0,5")
        self.assertEqual(result.returncode, 0, result.stderr)
        lines = result.stdout.splitlines()
        self.assertRegex(lines[0], r"^Elo   \| 20\.8[123] \+- 8\.[45]\d \(95%\)$")
        self.assertEqual(lines[1], "LLR   | 2.94 (-2.25, 2.89) [0.00, 5.00]")
        self.assertEqual(lines[2], "Games | N: 2122")
        self.assertEqual(lines[3], "Penta | [18, 207, 494, 314, 28]")
        self.assertRegex(lines[5], "^H1 is accepted: passed")
        self.assertEqual(len(lines), 6)
        for counts, status, verdict in (("23,15,68,9,13", 3, "H0 is accepted"), ("1,2,3,2,1", 4, "Not decided yet")):
            result = lab("sprt", "--from", counts, "--bounds", "0,20")
            self.assertEqual(result.returncode, status)
            self.assertIn(verdict, result.stdout)

    def test_published_results(self):
        for counts, elo, error, llr in (("702,3526,7016,3700,754", 3.08, 2.48, 2.95),
                                        ("28, 858, 1839, 983, 33", 6.27, 4.15, 2.91),
                                        ("[78,681,1461,804,89]", 8.09, 5.07, 2.90)):
            output = lab("sprt", "--from", counts).stdout
            found = re.search(r"Elo   \| (\S+) \+- (\S+) ", output)
            self.assertAlmostEqual(float(found.group(1)), elo, delta=0.011)
            self.assertAlmostEqual(float(found.group(2)), error, delta=0.05)
            self.assertAlmostEqual(float(re.search(r"LLR   \| (\S+)", output).group(1)), llr, delta=0.011)

    def test_alpha_beta_and_model(self):
        output = lab("sprt", "--from", "18,207,494,314,28", "--alpha", "0.05", "--beta", "0.05", "--model", "logistic",
                     "--bounds", "-5,5").stdout
        self.assertIn("(-2.94, 2.94) [-5.00, 5.00]", output)

    def test_single_games(self):
        output = lab("sprt", "--from", "556,429,1137").stdout
        self.assertIn("Games | N: 2122 W: 556 L: 429 D: 1137", output)
        self.assertNotIn("Penta", output)

    def test_bad_arguments(self):
        for arguments in (["--from", "1,2"], ["--from", "1,2,3,4,x"], ["--bounds", "5,0", "--from", "1,1,1,1,1"],
                          ["--bounds", "5"], ["--alpha", "0.7", "--from", "1,1,1,1,1"], ["--nonsense"], ["--model", "x"]):
            result = lab("sprt", *arguments)
            self.assertEqual(result.returncode, 2, arguments)
            self.assertRegex(result.stderr, r"^luft-lab sprt: .+\n", arguments)

    def test_help_teaches(self):
        result = lab("sprt", "--help")
        self.assertEqual(result.returncode, 0)
        for word in ("--bounds", "--from", "-openings", "Example"):
            self.assertIn(word, result.stdout)
        self.assertEqual(lab("sprt", "--help=match").stdout, result.stdout)

    def test_simulation(self):
        result = lab("sprt", "--simulate", "200", "--bounds", "0,20")
        self.assertIn("/600 tests at three strengths, ", result.stderr)
        rates = [float(rate) for rate in re.findall(r"\|\s+([\d.]+) %", result.stdout)]
        self.assertEqual(len(rates), 3)
        self.assertLess(rates[0], 5 + 4.7)
        self.assertGreater(rates[2], 90 - 6.4)
        self.assertTrue(rates[0] < rates[1] < rates[2])


class Played(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def sprt(self, *arguments):
        engines = ["-engine", f"cmd={LUFT}", "name=deep", "nodes=2000", "-engine", f"cmd={LUFT}", "name=shallow", "nodes=1",
                   "-each", "option.Hash=1", "-variant", "chess960"]
        return lab("sprt", *engines, *arguments, cwd=self.folder.name)

    def test_stops_by_itself_and_resumes(self):
        result = self.sprt("--bounds", "0,100", "-concurrency", "2")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("H1 is accepted", result.stdout)
        block = re.search(r"LLR   \| (\S+) \(-2.25, 2.89\) \[0.00, 100.00\]\nGames \| N: (\d+) W: (\d+) L: (\d+) D: (\d+)\n"
                          r"Penta \| \[(.+)\]", result.stdout)
        self.assertIsNotNone(block, result.stdout)
        self.assertGreaterEqual(float(block.group(1)), 2.89)
        games, wins, losses, draws = (int(block.group(i)) for i in (2, 3, 4, 5))
        pairs = [int(count) for count in block.group(6).split(",")]
        self.assertEqual(games, wins + losses + draws)
        self.assertEqual(games, 2 * sum(pairs))
        self.assertEqual(2 * wins + draws, sum(i * count for i, count in enumerate(pairs)))
        self.assertIn("SPRT  | nodes=2000 Threads=1 Hash=1MB against nodes=1 Threads=1 Hash=1MB", result.stdout)
        # Already decided: no more games are played.
        again = self.sprt("--bounds", "0,100", "-concurrency", "2", "-resume")
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertIn(block.group(0), again.stdout)

    def test_other_bounds_decide_at_the_first_pair_that_crosses_them(self):
        conditions = ("-rounds", "8", "-concurrency", "2")
        result = self.sprt("--bounds", "0,1", *conditions)
        self.assertIn("Not decided yet", result.stdout, result.stderr)
        self.assertNotIn("begun with", result.stdout + result.stderr)
        loose = ("--bounds", "0,200", "--alpha", "0.4", "--beta", "0.4")
        for _ in range(2):
            result = self.sprt(*loose, *conditions, "-resume")
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn("H1 is accepted", result.stdout)
            block = int(re.search(r"Games \| N: (\d+)", result.stdout).group(1))
            self.assertLess(block, 16)
            self.assertIn("warning: the test was begun with bounds [0, 1], alpha 0.05, beta 0.1, normalized, and has bounds "
                          "[0, 200], alpha 0.4, beta 0.4, normalized now", result.stderr)
            self.assertIn("\nThe test was begun with bounds [0, 1], alpha 0.05, beta 0.1, normalized: ", result.stdout)
            self.assertIn(f"The block is of the first {block} games, which decide with these bounds", result.stdout)
        self.assertNotIn("begun with", self.sprt("--bounds", "0,1", *conditions).stderr)

    def test_one_program_against_itself_is_refused(self):
        """At fixed nodes each pair is even: whoever forgot to build the new one would wait for nothing."""
        words = ["-engine", f"cmd={LUFT}", "name=new", "-engine", f"cmd={LUFT}", "name=old", "-each", "nodes=1", "option.Hash=1",
                 "-openings", "generate=1"]
        refused = lab("sprt", *words, cwd=self.folder.name)
        self.assertEqual(refused.returncode, 1)
        self.assertIn("new and old are the same program with the same settings: at fixed nodes", refused.stderr)
        self.assertEqual(lab("sprt", *words, "-rounds", "1", cwd=self.folder.name).returncode, 4)

    def test_weaker_engine_fails(self):
        engines = ["-engine", f"cmd={LUFT}", "name=a", "nodes=1", "-engine", f"cmd={LUFT}", "name=b", "nodes=2000",
                   "-each", "option.Hash=1", "-variant", "chess960"]
        result = lab("sprt", *engines, "--bounds", "0,100", cwd=self.folder.name)
        self.assertIn("H0 is accepted", result.stdout, result.stderr)
        self.assertEqual(result.returncode, 3)

    def test_limited_rounds_stay_undecided(self):
        result = self.sprt("--bounds", "0,1", "-rounds", "2")
        self.assertEqual(result.returncode, 4, result.stderr)
        self.assertIn("Not decided yet", result.stdout)
        self.assertIn("Games | N: 4", result.stdout)

    def test_many_rounds_are_not_refused(self):
        result = lab("sprt", "-engine", "cmd=./missing", "-engine", "cmd=./missing", "-each", "nodes=1", "-games", "60", "-journal", "none",
                     "-openings", "generate=1", cwd=self.folder.name)
        self.assertEqual(result.returncode, 1)
        self.assertIn("./missing", result.stderr)  # the engines are checked after the rounds

    def test_three_engines_are_refused(self):
        result = self.sprt("-engine", f"cmd={LUFT}", "name=third", "nodes=1")
        self.assertEqual(result.returncode, 2)
        self.assertIn("two engines", result.stderr)

    def test_missing_engine(self):
        result = lab("sprt", "-engine", "cmd=/nonexistent/engine", "-engine", f"cmd={LUFT}", "-each", "nodes=1",
                     "-openings", "generate=1", cwd=self.folder.name)
        self.assertEqual(result.returncode, 1)
        self.assertIn("/nonexistent/engine", result.stderr)
        self.assertEqual(result.stdout, "")

    def toys(self, *arguments):
        """Two toy engines, which play the same moves from the same position."""
        return lab("sprt", "-engine", f"cmd={TOY}", "name=A", "-engine", f"cmd={TOY}", "name=B", "option.Seed=1", "--bounds", "0,1",
                   *arguments, cwd=self.folder.name)

    def two_openings(self):
        book = pathlib.Path(self.folder.name) / "two.epd"
        book.write_text("4k3/8/8/8/8/8/4P3/R3K3 w - -\n4k3/4p3/8/8/8/8/4P3/R3K2r w - -\n")
        return ("-openings", f"file={book}")

    def test_repeated_pairs_are_not_counted(self):
        conditions = ("-each", "tc=10+0.1", "-rounds", "20", "-maxmoves", "5", *self.two_openings())
        for more in ((), ("-resume",)):
            result = self.toys(*conditions, *more)
            self.assertEqual(result.returncode, 4, result.stderr)
            self.assertIn("Games | N: 4 ", result.stdout)
            self.assertIn("Different pairs: 2 of 20; the others repeat games that were played before", result.stderr)
            self.assertIn("The 2 openings began again 9 times", result.stderr)
            self.assertIn("SPRT  | 10.0+0.10s Threads=1, Seed=default against 1\n", result.stdout)
        result = self.toys("-each", "tc=10+0.1", "-maxmoves", "5", *self.two_openings())
        self.assertIn("carries on after 40 games\n", result.stderr)  # of none: a test ends by itself
        result = self.toys("-each", "tc=10+0.1", "-journal", "none", "-maxmoves", "5")
        self.assertIn("Games | N: 2 ", result.stdout)
        self.assertIn("The last 20 pairs only repeated games", result.stdout)

    def test_fixed_nodes_need_openings_and_stop_where_they_end(self):
        result = self.toys("-each", "depth=1")
        self.assertEqual(result.returncode, 1)
        self.assertIn("-openings file=BOOK, or generate=SEED", result.stderr)
        self.assertEqual(result.stdout, "")
        result = self.toys("-each", "depth=1", "-maxmoves", "5", *self.two_openings())
        self.assertEqual(result.returncode, 4, result.stderr)
        self.assertIn("Games | N: 4 ", result.stdout)
        self.assertIn("The 2 openings are used up", result.stdout)
        result = self.toys("-each", "depth=1", "-maxmoves", "5", "-rounds", "6", "-openings", "generate=5")
        self.assertEqual(result.returncode, 4, result.stderr)
        self.assertIn("Games | N: 12 ", result.stdout)
        self.assertNotIn("used up", result.stdout)

    def test_a_refused_journal_has_no_result(self):
        journal = pathlib.Path(self.folder.name) / "journal"
        journal.write_text("years of work\n")
        result = self.sprt("-journal", str(journal))
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertIn("or no journal of a match", result.stderr)
        self.assertEqual(journal.read_text(), "years of work\n")


if __name__ == "__main__":
    unittest.main()
