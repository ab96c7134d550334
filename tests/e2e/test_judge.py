"""luft-lab judge: compares engines by their choice of moves."""

import os
import pathlib
import re
import signal
import subprocess
import tempfile
import time
import unittest

from games import play_games
from patience import HANG

LAB = os.environ["LUFT_LAB"]
LUFT = os.environ["LUFT"]
TOY = os.environ.get("TOY_ENGINE", "")
BOOK = pathlib.Path(__file__).resolve().parents[2] / "books/standard.epd"


class Judging(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.scratch = pathlib.Path(temporary.name)
        self.journal = self.scratch / "judgements.journal"

    def command(self, *arguments):
        return [LAB, "judge", "-journal", str(self.journal), *arguments]

    def judge(self, *arguments):
        return subprocess.run(self.command(*arguments), capture_output=True, text=True, timeout=HANG)

    def rows(self, result):
        """The rows of the table: name -> cells."""
        self.assertEqual(result.returncode, 0, result.stderr)
        lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in result.stdout.splitlines() if line.startswith("|")]
        return {cells[0]: dict(zip(lines[0], cells)) for cells in lines[2:]}


class WithLuft(Judging):
    def test_more_nodes_choose_better_moves(self):
        games = play_games(self.scratch / "games.pgn", LUFT, "nodes=500", 40)
        arguments = [games, "-judge-nodes", "4000", "-engine", f"cmd={LUFT}", "name=few", "nodes=40", "-engine", f"cmd={LUFT}",
                     "name=same", "nodes=40", "-engine", f"cmd={LUFT}", "name=many", "nodes=1500", "-concurrency", "2"]
        result = self.judge(*arguments)
        rows = self.rows(result)
        self.assertEqual(list(rows), ["few", "same", "many"])
        self.assertGreater(float(rows["many"]["to the first"]), float(rows["many"]["error"]), result.stdout)
        self.assertEqual((rows["same"]["to the first"], rows["same"]["error"]), ("+0.00", "0.00"))
        self.assertEqual((rows["same"]["same moves"], rows["few"]["to the first"]), ("100 %", "-"))
        self.assertNotEqual(rows["many"]["same moves"], "100 %")
        self.assertGreater(int(re.search(r"\((\d+) of \d+ stretches\)", result.stdout).group(1)), 15)
        self.assertIn("judged with 4000 nodes", result.stdout)
        # With all judgements known, the table is the same and the referee is not asked.
        before = self.journal.read_text()
        self.assertEqual(self.judge(*arguments).stdout, result.stdout)
        self.assertEqual(self.journal.read_text(), before)


@unittest.skipUnless(TOY, "needs the toy engine")
class PlayedGames(Judging):
    MATES = ('[White "Ann"]\n[Black "Bob"]\n[Result "1-0"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qf3 h6 4. Qxf7# 1-0\n\n'
             '[White "Bob"]\n[Black "Ann"]\n[Result "0-1"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n')

    def test_players_of_games(self):
        """Who allowed two mates has the blunders, with their moves; the journal answers the second time."""
        games = self.scratch / "mates.pgn"
        games.write_text(self.MATES)
        result = self.judge(games, "-judge-nodes", "2000", "-concurrency", "2", "-quiet")
        rows = self.rows(result)
        self.assertEqual((rows["Ann"]["games"], rows["Ann"]["moves"], rows["Bob"]["moves"]), ("2", "6", "5"))
        self.assertEqual(rows["Ann"]["blunders"], "0.0 ± 0.0")
        self.assertRegex(rows["Bob"]["blunders"], r"^[4-6]0\.0 ± ")
        self.assertGreater(float(rows["Ann"]["accuracy %"].split()[0]), 30 + float(rows["Bob"]["accuracy %"].split()[0]))
        worst = re.search(r"## Bob: the worst moves\n\n\|.*\n\|.*\n\| +(\d) \| +(\d+) \| (\S+ \S+) ", result.stdout)
        self.assertEqual((worst[1], worst[3]), ("1", "3... h6"))
        before = self.journal.read_text()
        self.assertEqual(self.judge(games, "-judge-nodes", "2000", "-quiet").stdout, result.stdout)
        self.assertEqual(self.journal.read_text(), before)
        games.write_text(self.MATES + '[White "Bob"]\n[Result "*"]\n\n1. d4 *\n')
        more = self.judge(games, "-judge-nodes", "2000", "-quiet")
        self.assertIn("3 games, judged by Luft", more.stdout)
        self.assertEqual(len(self.journal.read_text().splitlines()), len(before.splitlines()) + 1)
        # One player alone: the games of others are not searched, and keep their numbers.
        games.write_text('[White "Cid"]\n[Black "Dan"]\n[Result "*"]\n\n1. c4 *\n\n' + self.MATES)
        alone = self.judge(games, "-judge-nodes", "2000", "-quiet", "-player", "Bob")
        self.assertNotIn("Ann", self.rows(alone))
        self.assertEqual(self.rows(alone)["Bob"], rows["Bob"])
        self.assertEqual(len(self.journal.read_text().splitlines()), len(before.splitlines()) + 1)
        self.assertRegex(alone.stdout, r"## Bob: the worst moves\n\n\|.*\n\|.*\n\| +2 ")
        self.assertIn("has no game of 'Bo'", self.judge(games, "-judge-nodes", "2000", "-quiet", "-player", "Bo").stderr)
        self.assertIn("without engines", self.judge(games, "-player", "Bob", "-engine", "cmd=x", "-engine", "cmd=y").stderr)
        other = self.judge(games, "-judge-nodes", "2100", "-quiet")
        self.assertEqual(other.returncode, 1)
        self.assertIn("another referee", other.stderr)


class WithToys(Judging):
    def setUp(self):
        super().setUp()
        self.games = play_games(self.scratch / "games.pgn", TOY, "depth=1", 60)
        self.two = ["-engine", f"cmd={TOY}", "name=a", "-engine", f"cmd={TOY}", "name=b", "option.Seed=7"]

    def test_after_kill(self):
        arguments = [self.games, *self.two, "-each", "option.Delay=3", "-quiet"]
        whole = self.judge(*arguments)
        self.assertEqual(self.rows(whole)["a"]["limit"], "nodes=10000")
        judgements = self.journal.read_text().splitlines()
        self.journal.unlink()
        process = subprocess.Popen(self.command(*arguments), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        deadline = time.monotonic() + HANG
        while time.monotonic() < deadline and not (self.journal.exists() and self.journal.read_text().count("\n") > 10):
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        self.assertLess(self.journal.read_text().count("\n"), len(judgements))
        self.assertEqual(self.judge(*arguments).stdout, whole.stdout)
        self.assertEqual(sorted(self.journal.read_text().splitlines()), sorted(judgements))

    def test_a_signal_ends_it_cleanly(self):
        process = subprocess.Popen(self.command(self.games, *self.two, "-each", "option.Delay=3", "-quiet"),
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        deadline = time.monotonic() + HANG
        while time.monotonic() < deadline and not (self.journal.exists() and self.journal.read_text().count("\n") > 10):
            time.sleep(0.01)
        process.send_signal(signal.SIGHUP)
        output, errors = process.communicate(timeout=HANG)
        self.assertEqual((process.returncode, output), (4, ""))
        self.assertIn("stopped; the same command carries on, with the judgements that are in", errors)

    def test_faults(self):
        """A stretch with a fault is skipped for all engines; an engine that always fails ends the run."""
        broken = ["option.Fault=crash", "option.Fault Move=3"]
        result = self.judge(self.games, *self.two, "-engine", f"cmd={TOY}", "name=broken", *broken, "option.Fault Game=2")
        rows = self.rows(result)
        faults = int(re.search(r"^(\d+) faults of broken, the first: crash: ", result.stderr, re.M).group(1))
        self.assertGreater(faults, 1)
        left, stretches = map(int, re.search(r"\((\d+) of (\d+) stretches\)", result.stdout).groups())
        self.assertEqual(left, stretches - faults)
        self.assertEqual(rows["broken"]["same moves"], "100 %")
        result = self.judge(self.games, *self.two, "-engine", f"cmd={TOY}", "name=broken", *broken)
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertIn("10 faults of broken, the first: crash: ", result.stderr)

    def test_referee_with_faults(self):
        """The referee first answers four positions, which identify it."""
        broken = ["option.Fault=crash", "option.Fault Move=1"]
        for game, reason in ((2, "the referee: crash: "), (5, "10 faults of the referee, the first: crash: ")):
            result = self.judge(self.games, *self.two, "-referee", f"cmd={TOY}", *broken, f"option.Fault Game={game}")
            self.assertEqual((result.returncode, result.stdout), (1, ""))
            self.assertIn(reason, result.stderr)

    def test_another_referee_is_refused(self):
        self.assertEqual(self.judge(self.games, *self.two).returncode, 0)
        self.assertEqual(self.judge(self.games, *self.two, "-stretches", "3", "-seed", "5").returncode, 0)
        for other in (["-referee", f"cmd={TOY}", "option.Seed=9"], ["-judge-nodes", "1000"]):
            result = self.judge(self.games, *self.two, *other)
            self.assertEqual(result.returncode, 1)
            self.assertIn("is of another referee", result.stderr)
            self.assertIn("another -journal, or --again, begins from the start", result.stderr)
        old = self.journal.read_bytes()
        self.assertEqual(self.judge(self.games, *self.two, "-judge-nodes", "1000", "--again").returncode, 0)
        self.assertEqual(pathlib.Path(f"{self.journal}.old").read_bytes(), old)
        self.assertIn("is there already, and is not a journal of luft-lab judge",
                      self.judge(self.games, *self.two, "-journal", str(BOOK), "--again").stderr)

    def test_output(self):
        path = self.scratch / "table.md"
        result = self.judge(self.games, *self.two, "-output", str(path), "-stretches", "2", "-quiet")
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""))
        self.assertRegex(path.read_text(), r"\| b  +\| nodes=10000 \|")

    def test_bad_input(self):
        two = self.two
        for arguments, reason, status in (
                ([*two], "GAMES.pgn is missing", 2), ([self.games, *two[:3]], "two engines at least", 2),
                ([self.games, "x.pgn", *two], "unexpected word 'x.pgn'", 2), ([self.games, *two, "-each", "st=1"], "say nodes=", 2),
                ([self.games, *two, "-referee", "cmd=x", "-referee", "cmd=y"], "one referee", 2),
                ([self.games, *two, "-referee", "cmd=x", "nodes=9"], "-judge-nodes", 2),
                ([self.games, *two, "-referee", "cmd=x", "st=1"], "-referee: moves are judged in fixed nodes", 2),
                ([self.games, *two, "-referee", "nonsense=1"], "-referee: ", 2),
                ([self.games, *two, "-judge-nodes", "5"], "-judge-nodes", 2),
                ([self.games, *two, "-stretches", "1"], "-stretches", 2), ([self.games, *two, "-nonsense"], "-nonsense", 2),
                (["/nonexistent.pgn", *two], "/nonexistent.pgn", 1), ([str(BOOK), *two], "standard.epd", 1),
                ([self.games, *two, "-referee", "cmd=/nonexistent"], "/nonexistent", 1),
                ([self.games, *two, "-journal", "/nonexistent/j"], "/nonexistent/j", 1)):
            result = self.judge(*arguments)
            self.assertEqual(result.returncode, status, (arguments, result.stderr))
            self.assertIn(reason, result.stderr)
            self.assertEqual(result.stdout, "")

    def test_help_teaches(self):
        result = subprocess.run([LAB, "judge", "--help"], capture_output=True, text=True)
        self.assertEqual(result.returncode, 0)
        self.assertIn("Example", result.stdout)
        self.assertIn("  judge ", subprocess.run([LAB, "--help"], capture_output=True, text=True).stdout)


if __name__ == "__main__":
    unittest.main()
