"""luft-lab evolve: a tiny climb from random weights, with 8 units, then with layers; stopped and resumed; bad plans."""

import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

from patience import HANG

LAB = os.environ["LUFT_LAB"]

PLAN = """# a climb of a minute or two
generations  = 2
random-width = 8
width        = 8, 128
king-buckets = 1, 4
layers       = 0, 2
plies        = 60k      # for each generation
nodes        = 50
epochs       = 8
batch        = 1024
rate         = 0.003
window       = 1
match-pairs  = 30
match-nodes  = 300
"""


def lab(*arguments, timeout=HANG):
    return subprocess.run([LAB, *arguments], capture_output=True, text=True, timeout=timeout)


class Evolve(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.addCleanup(self.scratch.cleanup)
        self.folder = pathlib.Path(self.scratch.name) / "climb"
        self.plan = pathlib.Path(self.scratch.name) / "plan"

    def evolve(self, plan, *arguments):
        self.plan.write_text(plan)
        return lab("evolve", str(self.plan), "--folder", str(self.folder), *arguments)

    def rows(self, output):
        return [[cell.strip() for cell in line.strip("|").split("|")] for line in output.splitlines()
                if re.match(r"\| +\d", line)]

    def test_each_generation_beats_the_one_before(self):
        result = self.evolve(PLAN, "--quiet")
        self.assertEqual(result.returncode, 0, result.stderr)
        rows = self.rows(result.stdout)
        self.assertEqual([row[0] for row in rows], ["0", "1"])
        self.assertEqual([row[1] for row in rows], ["random", "0"])
        # The whole 95 % interval is positive, so the net is promoted, even with one more lost pair.
        self.assertEqual([row[-1] for row in rows], ["yes", "yes"], result.stdout)
        # The few games kept for validation: what it advises is a setting of the plan.
        self.assertIn("generation 1: its validation is the loss of", result.stderr)
        self.assertIn("in a plan with validation = 0.1", result.stderr)
        # The match again with other openings: games won, drawn, lost.
        again = lab("duel", "--pairs", "20", "--nodes", "300", "--seed", "5", "--quiet",
                    *(str(self.folder / f"generation-{n}.nnue") for n in (1, 0)))
        self.assertEqual(again.returncode, 0, again.stderr)
        won, drawn, lost = map(int, re.search(r"\+(\d+) =(\d+) -(\d+)", again.stdout).groups())
        self.assertEqual(won + drawn + lost, 40)
        self.assertGreater(won, lost + 10, again.stdout)
        # A finished plan does nothing; a longer one would continue.
        finished = self.evolve(PLAN, "--quiet")
        self.assertEqual(finished.stdout, result.stdout)
        self.assertRegex(finished.stderr, r"^All generations were made before; --again starts over\n"
                                          r"The best network is \S*/generation-\d\.nnue: .*\n$")
        changed = self.evolve(PLAN + "rate = 0.002\n", "--quiet")
        self.assertEqual(changed.returncode, 1)
        self.assertIn("generation 0 of", changed.stderr)
        self.assertRegex(changed.stderr, r"was begun with 'rate=\S+', now 'rate=0.002'; --again starts over")

    def test_resumes_after_an_interruption(self):
        plan = PLAN.replace("generations  = 2", "generations = 1").replace("60k", "20k").replace("= 30", "= 2")
        self.plan.write_text(plan)
        process = subprocess.Popen([LAB, "evolve", str(self.plan), "--folder", str(self.folder)],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        games = self.folder / "generation-0.games"
        deadline = time.monotonic() + HANG
        while not games.exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        second = self.evolve(plan, "--quiet")
        self.assertEqual(second.returncode, 1)
        self.assertIn("climb.tsv is being written by another luft-lab", second.stderr)
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=HANG)
        stopped = "stopped; the same command carries on" in errors
        self.assertEqual(process.returncode, 4 if stopped else 0)
        if stopped:
            self.assertEqual(self.rows(output), [])
        self.assertGreater(games.stat().st_size, 0)
        result = self.evolve(plan, "--quiet")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual([row[0] for row in self.rows(result.stdout)], ["0"])
        if stopped:  # the hours of both runs add up
            hours = float((self.folder / "climb.tsv").read_text().splitlines()[1].split("\t")[8])
            self.assertGreater(hours * 3600, 0.5)
        self.assertFalse((self.folder / "generation-0.hours").exists())
        self.damage_is_detected(plan)

    def test_after_an_interrupted_match_nothing_is_trained_again(self):
        plan = PLAN.replace("generations  = 2", "generations = 1").replace("60k", "3k").replace("epochs       = 8", "epochs = 2")
        self.plan.write_text(plan.replace("match-pairs  = 30", "match-pairs = 100000"))
        process = subprocess.Popen([LAB, "evolve", str(self.plan), "--folder", str(self.folder), "--quiet"],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        net, losses = self.folder / "generation-0.nnue", self.folder / "generation-0.nnue.tsv"
        deadline = time.monotonic() + HANG
        played = self.folder / "generation-0.match"
        while not (net.exists() and played.exists() and played.read_text().count("\n") > 40) and time.monotonic() < deadline:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=HANG)
        self.assertEqual((process.returncode, self.rows(output)), (4, []), errors)
        made = net.read_bytes()
        # What the match has played is kept, and counts.
        lines = played.read_text().splitlines(keepends=True)
        pairs = [[int(word) for word in line.split("\t")[1].split()] for line in lines[3:] if line.count("\t") == 2]
        kept = {index: white + black for index, white, black in pairs if index < 30}
        refused = self.evolve(plan.replace("= 300", "= 77"), "--quiet")
        self.assertRegex(refused.stderr, r"nodes \d+.*nodes 77.*; without that file the match starts over")
        self.assertEqual(played.read_text().splitlines(keepends=True), lines)
        # Training writes losses; a run that resumes after the training writes none.
        written = losses.stat().st_mtime_ns
        result = self.evolve(plan, "--quiet")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual([row[0] for row in self.rows(result.stdout)], ["0"])
        self.assertEqual((losses.stat().st_mtime_ns, net.read_bytes()), (written, made))
        self.assertEqual([path.name for path in self.folder.glob("*.checkpoint")], [])
        self.assertFalse(played.exists())
        heading, row = (self.folder / "climb.tsv").read_text().splitlines()
        score = float(dict(zip(heading.split("\t"), row.split("\t")))["score"])
        self.assertEqual(len(kept), 30)
        self.assertAlmostEqual(score, sum(kept.values()) / 120, places=6)

    def damage_is_detected(self, plan):
        """Another network under the name of a finished generation, a changed row, a table of an older version."""
        net, table = self.folder / "generation-0.nnue", self.folder / "climb.tsv"
        kept, text = net.read_bytes(), table.read_text()
        self.assertEqual(lab("net", "random", str(net), "--width", "8", "--buckets", "1", "--seed", "77", "--again").returncode, 0)
        self.assertIn("is not the network that generation 0 made", self.evolve(plan).stderr)
        net.write_bytes(kept)
        heading, row = text.splitlines(keepends=True)
        cells = row.split("\t")
        cells[5] += "1"
        table.write_text(heading + "\t".join(cells) + row.replace("0\t", "1\t", 1))
        self.assertIn("is damaged at byte", self.evolve(plan).stderr)
        table.write_text(heading.replace("\tchecksum", "") + row[:row.rindex("\t")] + "\n")
        self.assertIn("is of an older format", self.evolve(plan).stderr)
        table.write_text(text)
        self.assertEqual(self.evolve(plan).returncode, 0)

    def test_games_may_begin_as_endings_and_ask_tablebases(self):
        plan = ("generations = 1\nrandom-width = 8\nwidth = 8\nplies = 3k\nnodes = 20\nepochs = 1\nmatch-pairs = 2\n"
                "match-nodes = 20\nendings = 1\n")
        result = self.evolve(plan, "--quiet")
        self.assertEqual(result.returncode, 0, result.stderr)
        games = lab("data", "export", str(self.folder / "generation-0.games")).stdout
        starts = [sum(map(str.isalpha, game.split()[0])) for game in games.splitlines()]
        self.assertGreater(len(starts), 10)
        self.assertLessEqual(set(starts), set(range(6, 11)))
        plain = (self.folder / "generation-0.nnue").read_bytes()
        shutil.rmtree(self.folder)
        result = self.evolve(plan + f"tablebases = {pathlib.Path(__file__).parents[1] / 'syzygy'}\n", "--quiet")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertNotEqual((self.folder / "generation-0.nnue").read_bytes(), plain)
        self.assertIn("/nowhere/tables", self.evolve(plan.replace("= 1\n", "= 2\n", 1) + "tablebases = /nowhere/tables\n").stderr)

    def test_bad_plans_are_named(self):
        for plan, reason in (("width = 2000", "line 1: width must be a whole number from"), ("colour = red", "line 1: unknown setting colour"),
                             ("\nnodes", "line 2: expected name = value"), ("buckets = 3", "3 output buckets cannot be"),
                             ("layers = 1", "it may have 0 or 2"), ("layers = 2", "cannot have layers: 128, 256"),
                             ("generations = many", "line 1: generations must be a whole number"),
                             ("", "it is empty; 'generations = 4' alone would do"), (" \n\n", "it is empty")):
            result = self.evolve(plan)
            self.assertEqual(result.returncode, 1)
            self.assertIn(reason, result.stderr)
            self.assertFalse(self.folder.exists())
        self.assertEqual(lab("evolve").returncode, 2)
        self.assertEqual(lab("evolve", "/nowhere/plan").returncode, 1)
        for setting in ("match-pairs = ", "validation = "):
            self.assertIn(setting, lab("evolve", "--help").stdout)


if __name__ == "__main__":
    unittest.main()
