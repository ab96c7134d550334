"""luft-lab tune: with the toy engine, which has numeric options, so any build will do; and with a LAB=1 build if there is
one."""

import csv
import os
import pathlib
import pty
import re
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
import unittest

from games import play_games
from patience import HANG
from rows import read as rows_of

LAB = os.environ["LUFT_LAB"]
LUFT = os.environ["LUFT"]
TOY = os.environ.get("TOY_ENGINE", "")
LAB_ENGINE = pathlib.Path(os.environ.get("LUFT_SWITCHES") or pathlib.Path(LUFT).parent.parent / "lab-options/luft")
BOOK = pathlib.Path(__file__).resolve().parents[2] / "books/standard.epd"
PAIRS = 12

# A wrapper of Luft with a number for its strength: up to 3, each step means four times as many nodes a move.
PRETENDER = """#!{python}
import subprocess, sys, threading
engine = subprocess.Popen([{luft!r}], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
strength = 1
def forward():
    global strength
    for line in sys.stdin:
        if line.startswith("setoption name strength"):
            strength = int(line.split()[-1])
        elif line.startswith("go nodes"):
            engine.stdin.write(f"go nodes {{int(line.split()[-1]) * 4 ** min(strength, 3)}}\\n")
        else:
            engine.stdin.write(line)
        engine.stdin.flush()
    engine.stdin.close()
threading.Thread(target=forward, daemon=True).start()
for line in engine.stdout:
    if line.strip() == "uciok":
        print("option name strength type spin default 1 min 0 max 40")
    sys.stdout.write(line)
    sys.stdout.flush()
"""


class Tuning(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.scratch = pathlib.Path(temporary.name)
        self.out = self.scratch / "out"

    def command(self, *arguments, engine=TOY, pairs=PAIRS):
        command = [LAB, "tune", "--engine", str(engine), "--book", str(BOOK), "--iterations", str(pairs), "--plot", "none"]
        return command + ([] if "--folder" in arguments else ["--folder", str(self.out)]) + list(arguments)

    def tune(self, *arguments, timeout=HANG, **keywords):
        return subprocess.run(self.command(*arguments, **keywords), capture_output=True, text=True, timeout=timeout)

    def succeed(self, *arguments, **keywords):
        result = self.tune(*arguments, **keywords)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result

    def read(self, name):
        return (self.out / name).read_text()

    def results(self):
        return {name: self.read(name) for name in ("tune.md", "tune.csv", "tune.params")}

    def pairs_in_journal(self):
        path = self.out / "tune.journal"
        return [int(n) for n in re.findall(r"^\d+\tpair (\d+) ", path.read_text(), re.M)] if path.exists() else []


class Learning(Tuning):
    def test_goes_to_the_better_side(self):
        engine = self.scratch / "pretender"
        engine.write_text(PRETENDER.format(python=sys.executable, luft=LUFT))
        engine.chmod(engine.stat().st_mode | stat.S_IXUSR)
        self.succeed("strength", "--nodes", "64", "--learning-rate", "0.3", engine=engine, pairs=6)
        self.assertGreater(float(self.read("tune.csv").split(",")[-1]), 2.5, self.read("tune.csv"))

    def test_goes_to_the_better_moves(self):
        engine = self.scratch / "pretender"
        engine.write_text(PRETENDER.format(python=sys.executable, luft=LUFT))
        engine.chmod(engine.stat().st_mode | stat.S_IXUSR)
        games = play_games(self.scratch / "games.pgn", LUFT, "nodes=500", 20)
        self.succeed("strength", "--moves", games, "--nodes", "64", "--judge-nodes", "4000", "--learning-rate", "0.06",
                     "--spread", "1", engine=engine, pairs=120)
        self.assertGreater(float(self.read("tune.csv").split(",")[-1]), 1.8, self.read("tune.csv"))


@unittest.skipUnless(TOY, "needs the toy engine")
class WithToys(Tuning):
    def slowly(self, *arguments):
        """Arguments that make the tuning slow enough to interrupt."""
        return ["Seed", "--option", "Delay=1", "--learning-rate", "0.2", *arguments]

    def start(self, *arguments):
        return subprocess.Popen(self.command(*arguments), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def wait_for_pairs(self, count, process):
        deadline = time.monotonic() + HANG
        while time.monotonic() < deadline:
            if len(self.pairs_in_journal()) >= count:
                return
            self.assertIsNone(process.poll(), process.stderr.read() if process.poll() is not None else "")
            time.sleep(0.01)
        self.fail("the tuning did not get so far")

    def test_results(self):
        noted = ("--results", str(self.scratch / "rows.tsv"))
        result = self.succeed("Seed", "Fault Move", "--plot", "svg", "--learning-rate", "0.2", *noted, pairs=20)
        self.assertEqual(result.stdout, self.read("tune.md"))
        self.assertIn("| Seed ", result.stdout)
        self.assertIn("20 of 20 pairs of games; nodes=5000, Hash=16", result.stdout)
        with open(self.out / "tune.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([int(row["pairs"]) for row in rows], list(range(21)))
        self.assertEqual(float(rows[0]["Fault Move"]), 5)
        self.assertNotEqual(float(rows[-1]["Fault Move"]), 5)
        now = round(float(rows[-1]["Fault Move"]))
        self.assertIn(f"PARAM(Fault Move, {now}, 1, 1000, 49.95)\n", self.read("tune.params"))
        if shutil.which("gnuplot"):
            self.assertIn("<svg", self.read("tune.svg"))
        self.assertEqual(re.findall(r"^\d+/20 pairs", result.stderr, re.M), [f"{n}/20 pairs" for n in range(2, 21, 2)])
        self.assertEqual(self.pairs_in_journal(), list(range(20)))
        self.assertFalse((self.out / "engines.log").exists())
        # A finished tuning plays no more; the plot may still change.
        again = self.succeed("Seed", "Fault Move", "--plot", "none", "--learning-rate", "0.2", *noted, pairs=20)
        self.assertEqual((again.stdout, again.stderr),
                         (result.stdout, "All pairs were played before; --again starts over\n"
                                         "The same command with --apply writes the values into src/search/params.def\n"))
        params = self.scratch / "params.def"
        params.write_text("/* numbers */\nPARAM(Fault Move, 5, 1, 1000, 49.95)\nPARAM(Seed, 0, 0, 1000000, 50000)\n")
        applying = ("Seed", "Fault Move", "--plot", "none", "--learning-rate", "0.2", "--apply", "--params", str(params))
        applied = self.succeed(*applying, pairs=20).stdout
        self.assertIn("make -C build/before EXE=$PWD/luft-before\n    make EXE=luft-after\n", applied)
        self.assertIn("was built before it, too: build it again", applied)
        self.assertIn("A change is a guess", applied)
        self.assertIn("-engine cmd=./luft-after name=tuned -engine cmd=./luft-before name=before", applied)
        self.assertRegex(params.read_text(), rf"/\* numbers \*/\nPARAM\(Fault Move, {now}, 1, 1000, 49.95\)\nPARAM\(Seed, \d+, 0, ")
        self.assertIn("Test them", self.succeed(*applying, pairs=20).stdout)  # once more changes nothing
        params.write_text("PARAM(Fault Move, 999, 1, 1000, 49.95)\nPARAM(Seed, 0, 0, 1000000, 50000)\n")
        self.assertIn("Fault Move is 999 there, but the tuning began with 5", self.tune(*applying, pairs=20).stderr)
        params.write_text("PARAM(Fault Move, 5, 1, 1000, 49.95)\n")
        still = ("Fault Move", "--folder", str(self.scratch / "still"), "--learning-rate", "1e-9", "--apply", "--params", str(params))
        unmoved = self.succeed(*still, pairs=2).stdout
        self.assertIn("no number has changed", unmoved)
        self.assertNotIn("At the end of its range", unmoved)
        narrow = ("Fault Move=5,9", "--folder", str(self.scratch / "narrow"), "--learning-rate", "1e-9")
        self.assertIn("At the end of its range: Fault Move (min 5). Better values may lie beyond",
                      self.succeed(*narrow, pairs=2).stdout)
        rows = [(row["number"], round(float(row["to"]))) for row in rows_of(noted[1], "tunes")]
        self.assertEqual((len(rows), rows[1]), (2, ("Fault Move", now)))

    @unittest.skipUnless(shutil.which("gnuplot"), "needs gnuplot")
    def test_the_name_of_a_folder_is_not_a_command(self):
        for name in ("it's", "x'; system('touch PWNED'); '"):
            folder = self.scratch / name
            command = self.command("Seed", "Fault Move", "--folder", name, "--plot", "svg", pairs=2)
            result = subprocess.run(command, capture_output=True, text=True, cwd=self.scratch, timeout=HANG)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn("<svg", (folder / "tune.svg").read_text())
        self.assertEqual(list(self.scratch.rglob("PWNED")), [])

    def test_players_get_what_they_should(self):
        """A script between tuner and engines records what both engines receive."""
        spy = self.scratch / "spy"
        spy.write_text(f'#!/bin/sh\ntee "{self.scratch}/heard.$$" | "{TOY}"\n')
        spy.chmod(spy.stat().st_mode | stat.S_IXUSR)
        self.succeed("Fault Game", "Seed", "--option", "Fault Move=7", "--gamma", "0", engine=spy, pairs=6)
        heard = [path.read_text() for path in self.scratch.glob("heard.*")]
        players = [text for text in heard if "ucinewgame" in text]
        self.assertEqual((len(heard), len(players)), (3, 2))
        for text in heard:
            self.assertEqual(re.findall("Fault Move value (.*)", text), ["7"])
            self.assertEqual(re.findall("Hash value (.*)", text), ["16"])
        # Steps of 50000 from the lowest value: one player has it, the other is a step higher.
        for name in ("Fault Game", "Seed"):
            values = [[int(n) for n in re.findall(f"{name} value (.*)", text)] for text in players]
            self.assertEqual([len(v) for v in values], [6, 6])
            for one, other in zip(*values):
                self.assertLess(min(one, other), 1000)
                self.assertAlmostEqual(max(one, other), 50000, delta=1000)
        self.assertEqual([text.count("ucinewgame") for text in players], [12, 12])

    def test_after_kill(self):
        arguments = self.slowly("--pairs-per-step", "5")
        self.succeed(*arguments)
        expected, journal = self.results(), self.read("tune.journal")
        shutil.rmtree(self.out)
        for count in (2, 6):
            process = self.start(*arguments)
            self.wait_for_pairs(count, process)
            process.send_signal(signal.SIGKILL)
            process.communicate()
            done = self.pairs_in_journal()
            self.assertLess(len(done), PAIRS)
            with open(self.out / "tune.journal", "a") as file:
                file.write("9\tpair 5 2\t01234")  # what a kill during a write leaves
        self.succeed(*arguments)
        self.assertEqual(self.results(), expected)
        self.assertEqual(self.read("tune.journal"), journal)

    def test_after_kills_with_several_pairs_at_once(self):
        for count in (2, 5):
            process = self.start(*self.slowly("--concurrency", "3"))
            self.wait_for_pairs(count, process)
            process.kill()
            process.communicate()
        self.assertIn(f"{PAIRS} of {PAIRS} pairs", self.succeed(*self.slowly("--concurrency", "2")).stdout)
        self.assertEqual(sorted(self.pairs_in_journal()), list(range(PAIRS)))

    def test_interruption(self):
        process = self.start(*self.slowly())
        self.wait_for_pairs(1, process)
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=HANG)
        self.assertEqual(process.returncode, 4, errors)
        self.assertIn("the same command carries on", errors)
        self.assertRegex(output, rf"\n\d+ of {PAIRS} pairs of games")
        self.assertEqual(output, self.read("tune.md"))
        self.assertIn(f"{PAIRS} of {PAIRS} pairs", self.succeed(*self.slowly()).stdout)

    def test_one_at_a_time(self):
        process = self.start(*self.slowly())
        self.wait_for_pairs(1, process)
        result = self.tune(*self.slowly())
        self.assertEqual(result.returncode, 1)
        self.assertIn("is being written by another luft-lab", result.stderr)
        process.kill()
        process.communicate()

    def test_moves(self):
        """Tuning by judged moves instead of games: its results, which kills do not change."""
        games = play_games(self.scratch / "games.pgn", TOY, "depth=1", 60)
        arguments = ["Seed", "--option", "Delay=1", "--learning-rate", "0.2", "--moves", games]
        result = self.succeed(*arguments, pairs=30)
        self.assertRegex(result.stdout, r"\n30 of 30 stretches; nodes=10000, Hash=16, Delay=1, \d+ stretches of ")
        self.assertRegex(result.stderr, r"(?m)^30/30 stretches.* moves judged$")
        results, journal, judgements = self.results(), self.read("tune.journal"), self.read("judgements.journal")
        self.assertIn("Toy, 150000 nodes, answers ", judgements)
        self.assertNotIn("discarded", journal)
        self.assertTrue(re.search(r"(?m)^\d+\tpair \d+ -?[1-9]", journal), "all stretches alike")
        shutil.rmtree(self.out)
        for count in (2, 11):
            process = subprocess.Popen(self.command(*arguments, pairs=30), stderr=subprocess.PIPE, text=True)
            self.wait_for_pairs(count, process)
            process.kill()
            process.communicate()
            with open(self.out / "judgements.journal", "a") as file:
                file.write("0 0 e2e4 12 01234")
        self.succeed(*arguments, pairs=30)
        self.assertEqual(self.results(), results)
        self.assertEqual(self.read("tune.journal"), journal)
        self.assertEqual(sorted(self.read("judgements.journal").splitlines()), sorted(judgements.splitlines()))

    def test_moves_with_faults(self):
        """Stretches with a fault are discarded. Players fail in the ninth of each process, the referee at its ninth judgement."""
        games = play_games(self.scratch / "games.pgn", TOY, "depth=1", 60)
        result = self.succeed("Seed", "--moves", games, "--option", "Fault=crash", "--option", "Fault Game=9",
                              "--option", "Fault Move=1", pairs=12)
        discarded = int(re.search(r"12 of 12 stretches, (\d+) of them discarded", result.stdout).group(1))
        notices = re.findall(r"^stretch \d+ discarded: crash by the (upper player|lower player|referee): ", result.stderr, re.M)
        self.assertEqual(len(notices), discarded, result.stderr)
        self.assertIn("referee", notices)
        self.assertIn("upper player", notices)

    def test_moves_of_no_game(self):
        for content, reason in (("", "neither a position nor a game"), ("1. e4 e5 2. Ke3 *\n", "Ke3"), (None, "cannot read")):
            path = self.scratch / "bad.pgn"
            path.unlink(missing_ok=True)
            if content is not None:
                path.write_text(content)
            result = self.tune("Seed", "--moves", str(path))
            self.assertEqual(result.returncode, 1)
            self.assertIn(reason, result.stderr)
        for other in (["--tc", "1+0.1"], ["--openbench"]):
            result = self.tune("Seed", "--moves", str(path), *other)
            self.assertEqual(result.returncode, 2)
            self.assertIn("fixed nodes", result.stderr)

    def test_another_tuning_by_moves_is_refused(self):
        games = play_games(self.scratch / "games.pgn", TOY, "depth=1", 60)
        others = play_games(self.scratch / "others.pgn", TOY, "depth=1", 50)
        self.succeed("Seed", "--moves", games, pairs=4)
        for arguments, difference in ((["--moves", games, "--judge-nodes", "1000"], "is of another referee"),
                                      (["--moves", games, "--stretches", "5"], "now 'stretches: 5, "),
                                      (["--moves", others], "is of another tuning"), ([], "is of another tuning")):
            result = self.tune("Seed", *arguments, pairs=4)
            self.assertEqual(result.returncode, 1, arguments)
            self.assertIn(difference, result.stderr)
            self.assertIn("; --again starts over", result.stderr)
        self.succeed("Seed", "--moves", games, pairs=4)

    def test_another_tuning_is_refused(self):
        self.succeed("Seed", pairs=2)
        before = self.read("tune.journal")
        for arguments, pairs, difference in (
                (["Seed", "--seed", "2"], 2, "now 'seed=2'"), (["Seed"], 3, "now 'iterations=3'"),
                (["Seed", "--nodes", "6000"], 2, "now 'limit: nodes=6000'"),
                (["Seed", "--learning-rate", "0.003"], 2, "learning-rate=0.003"),
                (["Seed", "--hash", "8"], 2, "now 'option: Hash=8'"), (["Delay"], 2, "now 'Delay: 0"),
                (["Seed", "Delay"], 2, "now 'Delay: 0"), (["Seed", "--option", "Delay=2"], 2, "now 'option: Delay=2'")):
            result = self.tune(*arguments, pairs=pairs)
            self.assertEqual(result.returncode, 1, arguments)
            self.assertIn("is of another tuning", result.stderr)
            self.assertIn(difference, result.stderr)
            self.assertIn("; --again starts over", result.stderr)
            self.assertEqual(self.read("tune.journal"), before)
        self.succeed("Seed", "--concurrency", "2", pairs=2)
        self.assertIn("2 of 2 pairs", self.succeed("Seed", "--seed", "2", "--again", pairs=2).stdout)
        self.assertNotEqual(self.read("tune.journal"), before)
        self.assertEqual((self.out.with_name(self.out.name + ".old") / "tune.journal").read_text(), before)

    def test_faults(self):
        """Pairs with a fault are discarded and the engine is restarted; here in the third game of each process."""
        for fault, name, tc in (("crash", "crash", "10+0.1"), ("time", "time loss", "1+0.1"),
                                ("illegal", "illegal move", "10+0.1")):
            folder = ["--folder", str(self.scratch / fault)]
            result = self.succeed("Seed", "--option", f"Fault={fault}", "--option", "Fault Game=3", "--option", "Fault Move=2",
                                  "--tc", tc, *folder, pairs=6)
            count = int(re.search(r"6 of 6 pairs of games, (\d+) of them discarded", result.stdout).group(1))
            self.assertGreaterEqual(count, 1)
            self.assertLess(count, 6)
            notices = re.findall(rf"^pair \d+ discarded: {name}.* by the (?:upper|lower) player in game [12], move \d+: ",
                                 result.stderr, re.M)
            self.assertEqual(len(notices), count, result.stderr)

    def test_fault_after_fault(self):
        result = self.tune("Seed", "--option", "Fault=exit", "--option", "Fault Move=1", pairs=50)
        self.assertEqual(result.returncode, 1)
        self.assertIn("10 pairs of games in a row", result.stderr)
        self.assertEqual(self.pairs_in_journal(), list(range(10)))

    def test_engine_that_does_not_come_back(self):
        flaky = self.scratch / "flaky"
        flaky.write_text(f'#!/bin/sh\n[ -e "{self.scratch}/gone" ] && exit 5\n'
                         f'"{TOY}" || touch "{self.scratch}/gone"\nexit 5\n')
        flaky.chmod(flaky.stat().st_mode | stat.S_IXUSR)
        result = self.tune("Seed", "--option", "Fault=exit", "--option", "Fault Game=5", engine=flaky, pairs=50)
        self.assertEqual(result.returncode, 1)
        self.assertIn("start 3 of 3 failed", result.stderr)
        self.assertIn("exited with status 5", result.stderr)

    def test_terminal(self):
        """The progress is redrawn in place on a terminal; --quiet prints nothing."""
        leader, follower = pty.openpty()
        process = subprocess.Popen(self.command(*self.slowly(), pairs=3), stdout=subprocess.DEVNULL, stderr=follower)
        os.close(follower)
        shown = b""
        while True:
            try:
                part = os.read(leader, 4096)
            except OSError:
                break
            if not part:
                break
            shown += part
        os.close(leader)
        self.assertEqual(process.wait(timeout=HANG), 0)
        self.assertRegex(shown.decode(), r"\r\[#+-*\] [123]/3 pairs, \S+.* left; \d+\.\d a minute\x1b\[K")
        quiet = self.succeed(*self.slowly("--quiet", "--folder", str(self.scratch / "quiet")), pairs=2)
        self.assertEqual(quiet.stderr, "")

    def test_bad_input(self):
        for arguments, reason in (
                (["no_such_number"], "no_such_number"), (["Seed", "Seed"], "named twice"), (["Fault"], "'Fault'"),
                (["Fault Move=6,9"], "Fault Move=6,9 leaves out 5, with which the engine begins"),
                (["Fault Move=0,9"], "Fault Move=0,9: the engine takes 1 to 1000"), (["Fault Move=9"], "needs LOW,HIGH"),
                (["Fault Move=9,3"], "Fault Move=9,3: the first number must be below the second"),
                (["Hash"], "set by an option"), (["Seed", "--option", "Seed=3"], "set by an option"),
                (["Seed", "--option", "Seed"], "NAME=VALUE"), (["Seed", "--option", "Sed=3"], "no option Sed"),
                (["Seed", "--nodes", "9", "--tc", "1"], "one of them"), (["Seed", "--stretches", "9"], "for --moves"),
                (["Seed", "--judge-nodes", "900"], "for --moves"), (["Seed", "--tc", "x"], "--tc"),
                (["Seed", "--tc", "inf"], "inf"), (["Seed", "--plot", "gif"], "--plot"), (["Seed", "--nodes", "0"], "--nodes"),
                (["Seed", "--learning-rate", "0"], "--learning-rate"), (["Seed", "--pairs-per-step", "13"], "step"),
                (["Seed", "--nonsense"], "--nonsense"), (["Seed", "--book", "/nonexistent.epd"], "/nonexistent.epd"),
                (["Seed", "--engine", "/nonexistent"], "/nonexistent"), (["Seed", "--engine", "true"], "UCI engine"),
                ([], "make LAB=1")):
            result = self.tune(*arguments)
            self.assertNotEqual(result.returncode, 0, arguments)
            self.assertIn(reason, result.stderr)
            self.assertEqual(result.stdout, "")
        self.assertFalse(self.out.exists())

    def test_openbench(self):
        self.assertEqual(self.succeed("Fault Move=2,40", "--openbench").stdout, "Fault Move, int, 5, 2, 40, 1.9, 0.002")
        result = self.succeed("Seed", "Fault Move", "--openbench", "--learning-rate", "0.004")
        self.assertEqual(result.stdout, "Seed, int, 0, 0, 1000000, 50000, 0.004\nFault Move, int, 5, 1, 1000, 49.95, 0.004")
        self.assertFalse(self.out.exists())

    def test_help_teaches(self):
        result = subprocess.run([LAB, "tune", "--help"], capture_output=True, text=True)
        self.assertEqual(result.returncode, 0)
        self.assertIn("Example", result.stdout)
        listed = subprocess.run([LAB, "--help"], capture_output=True, text=True).stdout
        self.assertIn("  tune ", listed)


@unittest.skipUnless(LAB_ENGINE.exists(), "needs a LAB=1 build")
class WithNumbers(Tuning):
    def tune(self, *arguments, **keywords):
        return super().tune(*arguments, engine=LAB_ENGINE, **keywords)

    def test_named_numbers(self):
        arguments = ["reduction_base", "see_pawn", "--nodes", "50", "--learning-rate", "0.1"]
        result = self.succeed(*arguments, pairs=6)
        self.assertRegex(self.read("tune.params"), r"^PARAM\(reduction_base, \d+, \d+, \d+, \d+\)\nPARAM\(see_pawn, ")
        self.assertIn("6 of 6 pairs", result.stdout)
        # With the old numbers the engine plays as before: other values leave no trace.
        once = self.results()
        shutil.rmtree(self.out)
        self.succeed(*arguments, pairs=6)
        self.assertEqual(self.results(), once)

    def test_all_numbers(self):
        self.succeed("--nodes", "50", pairs=2)
        names = self.read("tune.csv").splitlines()[0].split(",")[1:]
        listed = self.succeed("--openbench").stdout.splitlines()
        every = [line.split(",")[0] for line in listed]
        self.assertEqual(names, [name for name in every if not name.startswith("time_")])
        self.assertGreater(len(every), len(names))
        for line in listed:
            self.assertRegex(line, r"^[a-z_0-9]+, int, -?\d+, -?\d+, -?\d+, [\d.]+, 0\.002$")

    def test_time(self):
        time_number = next(line.split(",")[0] for line in self.succeed("--openbench").stdout.splitlines()
                           if line.startswith("time_"))
        self.assertIn("does nothing in fixed nodes", self.tune(time_number).stderr)
        self.assertIn("0.2+0.01", self.succeed(time_number, "--tc", "0.2+0.01", pairs=1).stdout)


if __name__ == "__main__":
    unittest.main()
