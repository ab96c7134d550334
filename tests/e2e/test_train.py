"""luft-lab train and fit: from games to a network that the engine loads, a plot, and the model of chances."""

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
from rows import read as rows_of

LAB = os.environ["LUFT_LAB"]
ROOT = pathlib.Path(__file__).resolve().parents[2]
LUFT = os.environ["LUFT"]


def lab(*arguments, timeout=HANG, **keywords):
    return subprocess.run([LAB, *map(str, arguments)], capture_output=True, text=True, timeout=timeout, **keywords)


class Train(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.scratch.cleanup)
        cls.folder = pathlib.Path(cls.scratch.name)
        cls.games = cls.folder / "some.games"
        result = lab("datagen", "--out", cls.games, "--plies", "20000", "--net", "random:8:1", "--nodes", "40",
                     "--first-generation", "--hash", "1", "--quiet")
        assert result.returncode == 0, result.stderr

    def train(self, name, *arguments):
        net = self.folder / name
        result = lab("train", "--out", net, "--width", "8", "--epochs", "3", "--batch", "1000", "--share", "1",
                     "--threads", "1", "--quiet", *arguments, self.games)
        self.assertEqual(result.returncode, 0, result.stderr)
        return net, result.stdout

    def test_a_network_is_written(self):
        net, report = self.train("a.nnue", "--name", "first steps", "--buckets", "8")
        self.assertRegex(report, r"quantised   differs by \d+\.\d+ on average")
        self.assertLess(float(re.search(r"differs by ([\d.]+)", report).group(1)), 10)  # 5 centipawns
        self.assertRegex(report, r"training    \d+ steps in .*, [\d,]+ positions a second")
        table = (self.folder / "a.nnue.tsv").read_text().splitlines()
        self.assertEqual(table[0].split("\t"), ["step", "epoch", "loss", "validation", "rate"])
        self.assertGreater(len(table), 10)
        self.assertAlmostEqual(float(table[-1].split("\t")[1]), 3, delta=0.2)
        said = subprocess.run([LUFT, f"setoption name EvalFile value {net}", "go nodes 100"], capture_output=True, text=True,
                              timeout=HANG).stdout
        self.assertIn("bestmove", said)
        self.assertNotIn("error", said)
        self.assertFalse((self.folder / "a.nnue.checkpoint").exists())

    def test_training_is_reproducible(self):
        first, _ = self.train("b.nnue")
        second, _ = self.train("c.nnue")
        third, _ = self.train("d.nnue", "--seed", "2")
        self.assertEqual(first.read_bytes(), second.read_bytes())
        self.assertNotEqual(first.read_bytes(), third.read_bytes())

    def test_interrupted_and_resumed(self):
        whole, _ = self.train("whole.nnue", "--epochs", "60")
        for number in signal.SIGINT, signal.SIGHUP:
            with self.subTest(number):
                part = self.folder / f"part-{number}.nnue"
                arguments = ["train", "--out", part, "--width", "8", "--batch", "1000", "--share", "1", "--threads", "1", "--epochs",
                             "60", self.games]
                process = subprocess.Popen([LAB, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
                deadline = time.monotonic() + HANG
                while not (self.folder / f"part-{number}.nnue.tsv").exists() and time.monotonic() < deadline:
                    time.sleep(0.01)
                process.send_signal(number)
                _, errors = process.communicate(timeout=HANG)
                if "the same command carries on" in errors:
                    self.assertEqual(process.returncode, 4)
                    self.assertFalse(part.exists())
                    self.assertTrue((self.folder / f"part-{number}.nnue.checkpoint").exists())
                    result = lab(*arguments)
                    self.assertEqual(result.returncode, 0, result.stderr)
                self.assertEqual(part.read_bytes(), whole.read_bytes())

    def test_a_finished_training_is_not_repeated(self):
        net, report = self.train("once.nnue")
        made = net.stat().st_mtime_ns
        _, again = self.train("once.nnue", "--threads", "2")
        self.assertEqual(again, report + "finished    it was trained before; --again starts over\n")
        self.assertEqual(net.stat().st_mtime_ns, made)
        other = lab("train", "--out", net, "--width", "16", "--epochs", "3", "--batch", "1000", "--share", "1", "--quiet", self.games)
        self.assertEqual(other.returncode, 1)
        self.assertIn("'width=8' there, now 'width=16'; --again starts over", other.stderr)
        grown = self.folder / "grown.games"
        grown.write_bytes(self.games.read_bytes())
        words = ("train", "--out", self.folder / "grown.nnue", "--width", "8", "--epochs", "1", "--share", "1", "--quiet", grown)
        self.assertEqual(lab(*words).returncode, 0)
        grown.write_bytes(2 * self.games.read_bytes())
        self.assertRegex(lab(*words).stderr, r"'.*grown.games: \d+ bytes' there, now '.*grown.games: \d+ bytes'; --again")
        self.train("once.nnue", "--seed", "2", "--again")
        self.assertEqual(pathlib.Path(f"{net}.old").stat().st_mtime_ns, made)
        pathlib.Path(f"{net}.old").replace(net)
        self.assertIn("is not the network", lab("train", "--out", net, "--width", "8", "--epochs", "3", "--batch", "1000", "--share", "1",
                                                "--seed", "2", self.games).stderr)

    def test_other_games_are_named_as_the_difference(self):
        (self.folder / "more.games").write_bytes(self.games.read_bytes())
        here = {"cwd": self.folder}  # a message has no room for long paths
        words = "train", "--out", "files.nnue", "--width", "8", "--epochs", "1", "--batch", "1000", "--share", "1"
        self.assertEqual(lab(*words, "--quiet", self.games.name, **here).returncode, 0)
        self.assertRegex(lab(*words, self.games.name, "more.games", **here).stderr,
                         r"'nothing' there, now '.*more.games: \d+ .*'; --again starts over\n")
        self.assertEqual(lab(*words, "--again", "--quiet", self.games.name, "more.games", **here).returncode, 0)
        self.assertRegex(lab(*words, self.games.name, **here).stderr, r"'.*more.games: \d+ .*' there, now 'nothing'; --again")

    def test_no_network_is_replaced_without_again(self):
        made, _ = self.train("precious.nnue", "--epochs", "1")
        content, floats = made.read_bytes(), pathlib.Path(f"{made}.floats").read_bytes()
        wide = self.folder / "wide.nnue"
        self.assertEqual(lab("net", "random", wide, "--width", "128", "--layers", "2").returncode, 0)
        for target, command in ((made, ("net", "random", made, "--width", "33")),
                                (made, ("net", "sort", self.games, wide, made)),
                                (f"{made}.floats", ("net", "mean", f"{made}.floats", self.folder / "copy.floats", self.folder / "copy.floats")),
                                (f"{made}.floats", ("net", "pack", self.folder / "copy.floats", f"{made}.floats"))):
            with self.subTest(command):
                (self.folder / "copy.floats").write_bytes(floats)
                target, old = pathlib.Path(target), pathlib.Path(f"{target}.old")
                before = target.read_bytes()
                refused = lab(*command)
                self.assertEqual(refused.returncode, 1)
                self.assertIn("is there already; --again replaces it and keeps the old one", refused.stderr)
                self.assertEqual(target.read_bytes(), before)
                result = lab(*command, "--again")
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertEqual(old.read_bytes(), before)
                self.assertEqual("computed as one of 64" in result.stderr, "33" in command)
                old.unlink()
        made.write_bytes(content)
        pathlib.Path(f"{made}.journal").unlink()  # as if the network came from elsewhere
        refused = lab("train", "--out", made, "--width", "8", "--epochs", "1", "--share", "1", self.games)
        self.assertEqual(refused.returncode, 1)
        self.assertIn("precious.nnue is there already; --again", refused.stderr)
        self.assertEqual(made.read_bytes(), content)
        self.train("precious.nnue", "--seed", "9", "--again")
        self.assertEqual(pathlib.Path(f"{made}.old").read_bytes(), content)

    @unittest.skipIf(shutil.which("gnuplot") is None, "needs gnuplot")
    def test_names_of_plots_are_not_commands(self):
        for number, names in enumerate((["--plot", "|touch PWNED"], ["--out", "< touch PWNED; cat", "--plot", "p.svg"],
                                        ["--log", "< touch PWNED; head", "--plot", "p2.svg"], ["--plot", "it's.svg"])):
            out = [] if "--out" in names else ["--out", f"plotted-{number}"]
            result = subprocess.run([LAB, "train", *out, *names, "--width", "8", "--epochs", "1", "--share", "1", "--quiet",
                                     str(self.games)], capture_output=True, text=True, cwd=self.folder, timeout=HANG)
            self.assertEqual(result.returncode, 0, result.stderr)
            drawn = names[names.index("--plot") + 1]
            self.assertIn("<svg", (self.folder / drawn).read_text())
        self.assertFalse((self.folder / "PWNED").exists())

    @unittest.skipIf(shutil.which("gnuplot") is None, "needs gnuplot")
    def test_a_plot_is_drawn(self):
        plot = self.folder / "plot.svg"
        self.train("e.nnue", "--plot", plot)
        self.assertIn("<svg", plot.read_text())

    def test_words_of_another_trainer_are_answered(self):
        for option, answer in (("--lr", "--rate X"), ("--batch-size", "--batch N"), ("--max_epochs", "--epochs N"),
                               ("--start-lambda", "--share X, of the result: 1 minus"), ("--resume-from-model", "--start NET")):
            refused = lab("train", "--out", self.folder / "x.nnue", option, "1", self.games)
            self.assertEqual(refused.returncode, 2)
            self.assertIn(answer, refused.stderr)

    def test_a_refused_training_leaves_nothing(self):
        stranger = self.folder / "stranger.pgn"
        stranger.write_text("1. e4 1-0\n" * 20)
        before = set(self.folder.iterdir())
        self.assertEqual(lab("train", "--out", self.folder / "refused.nnue", stranger).returncode, 1)
        self.assertEqual(set(self.folder.iterdir()), before)

    def test_impossible_requests_get_a_reason(self):
        for arguments, reason in ((["--buckets", "3"], "3 output buckets cannot be"), (["--width", "4000"], "--width must be a whole number from"),
                                  (["--min-ply", "1000"], "no position passes"), (["--layers", "1"], "it may have 0 or 2"),
                                  (["--layers", "2"], "width 64 cannot have layers: 128, 256"), (["--rate", "fast"], "--rate must be a number")):
            result = lab("train", "--out", self.folder / "x.nnue", "--quiet", *arguments, self.games)
            self.assertNotEqual(result.returncode, 0)
            self.assertIn(reason, result.stderr)
            self.assertFalse((self.folder / "x.nnue").exists())
        result = lab("train", "--out", self.folder / "x.nnue", self.folder / "none.games")
        self.assertIn("none.games", result.stderr)
        result = lab("train", "--out", self.folder / "x.nnue", "--tablebases", self.folder / "nowhere", self.games)
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("nowhere", result.stderr)

    def test_networks_are_measured_on_a_gold_set(self):
        gold = self.folder / "gold.games"
        result = lab("datagen", "--out", gold, "--games", "60", "--net", "random:8:1", "--nodes", "20", "--gold-nodes", "300",
                     "--first-generation", "--hash", "1", "--quiet")
        self.assertEqual(result.returncode, 0, result.stderr)
        net, _ = self.train("measured.nnue", "--name", "measured")
        other = self.folder / "other.nnue"
        self.assertEqual(lab("net", "random", other, "--width", "8", "--buckets", "1").returncode, 0)
        result = lab("net", "gold", gold, net, other, "--results", self.folder / "rows.tsv")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout, r"\nall +60 +0\.\d{4} +0\.\d{4}\n")
        for group in (r"\d+ to \d+ pieces", r"score [a-z\d ]+? "):
            counts = re.findall(rf"\n{group} +(\d+)  ", result.stdout)
            self.assertEqual(sum(map(int, counts)), 60)
        rows = rows_of(self.folder / "rows.tsv", "errors")
        self.assertEqual(len(rows), 2 * 15)
        self.assertEqual({(row["net"], row["positions"]) for row in rows if row["group"] == "all"},
                         {("measured", "60"), ("random, seed 1", "60")})
        self.assertRegex(result.stdout, r"\n  measured .*\+0\.000 \+- 0\.000 .* of its values\n")
        unnamed = lab("net", "gold", net, cwd=ROOT)  # Luft's own set
        self.assertEqual(unnamed.returncode, 0, unnamed.stderr)
        self.assertNotIn("no gold set", unnamed.stderr)
        self.assertIn("there is no nets/gold-14.games here; name a gold set before the networks",
                      lab("net", "gold", net, cwd=self.folder).stderr)
        self.assertIn("it is no gold set", lab("net", "gold", self.games, net).stderr)
        self.assertNotEqual(lab("net", "gold", self.folder / "none.games", net).returncode, 0)

    def test_pairs_are_sorted_for_speed(self):
        plain, result_path = self.folder / "plain.nnue", self.folder / "sorted.nnue"
        self.assertEqual(lab("net", "random", plain, "--width", "128", "--layers", "2").returncode, 0)
        result = lab("net", "sort", self.games, plain, result_path)
        self.assertEqual(result.returncode, 0, result.stderr)
        before, after = map(float, re.search(r"([\d.]+) % of all fours before, ([\d.]+) % now", result.stdout).groups())
        self.assertLess(after, before)
        measured = lab("net", "gold", self.games, plain, result_path)
        self.assertRegex(measured.stdout, r"\+0\.000 \+- 0\.000 .*\n.*\+0\.000 \+- 0\.000 ")
        old, _ = self.train("flat.nnue")
        flat = self.folder / "flat-sorted.nnue"
        result = lab("net", "sort", self.games, old, flat)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("has no layers, so there is nothing to sort", result.stdout)
        self.assertEqual(flat.read_bytes(), pathlib.Path(old).read_bytes())
        for arguments, reason in (([self.games, plain], "GAMES is missing"),
                                  ([self.games, plain, self.games], "is not a network")):
            result = lab("net", "sort", *arguments)
            self.assertNotEqual(result.returncode, 0)
            self.assertIn(reason, result.stderr)

    def test_the_mean_of_two_trainings_can_start_another(self):
        start, _ = self.train("start.nnue")
        parts = []
        for seed in ("5", "6"):
            net, _ = self.train(f"part{seed}.nnue", "--start", f"{start}.floats", "--seed", seed, "--rate", "0.0003")
            parts.append(f"{net}.floats")
        both = self.folder / "both.floats"
        result = lab("net", "mean", both, *parts)
        self.assertEqual((result.returncode, result.stdout), (0, ""), result.stderr)
        self.assertNotIn(both.read_bytes(), [pathlib.Path(part).read_bytes() for part in parts])
        net, _ = self.train("mean.nnue", "--start", both, "--rate", "0.00001")
        self.assertEqual(lab("net", "mean", self.folder / "same.floats", parts[0], parts[0]).returncode, 0)
        self.assertEqual((self.folder / "same.floats").read_bytes(), pathlib.Path(parts[0]).read_bytes())
        for arguments, reason in (([both, *parts[:1]], "OUT is missing"), ([self.folder / "none.floats", net, parts[0]], "in NET.floats"),
                                  ([self.games, *parts], "is not weights of a training"), ([parts[0], *parts], "is also an input")):
            result = lab("net", "mean", *arguments)
            self.assertNotEqual(result.returncode, 0)
            self.assertIn(reason, result.stderr)

    def test_weights_go_out_and_come_back_as_the_same_network(self):
        floats, back, positions = (self.folder / name for name in ("out.floats", "back.nnue", "all.positions"))
        program = ROOT / re.search(r"EVALFILE \?= (.*)", (ROOT / "Makefile").read_text()).group(1)
        said = lab("net", "show", program).stdout
        shape = [word for name, option in (("width", "width"), ("buckets", "buckets"), ("kings", "king-buckets"), ("layers", "layers"))
                 for word in (f"--{option}", re.search(rf"{name} +(\d+)", said).group(1))]
        for arguments in (("weights", "--start", program, *shape, "--out", floats),
                          ("network", floats, "--out", back, "--name", re.search("name +(.*)", said).group(1)),
                          ("positions", self.games, "--out", positions)):
            result = lab("handover", *arguments)
            self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(back.read_bytes(), program.read_bytes())
        counts = [int(count.replace(",", "")) for count in re.findall(r"([\d,]+) (?:positions|for validation)", result.stdout)]
        rows = positions.read_bytes()
        self.assertEqual(len(rows), 32 * sum(counts))
        self.assertEqual([row[30] for row in (rows[i:i + 32] for i in range(0, len(rows), 32))], [0] * counts[0] + [1] * counts[1])
        again = lab("handover", "positions", self.games, "--out", positions, "--again", "--max-positions", "10")
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertEqual(pathlib.Path(f"{positions}.old").read_bytes(), rows)
        self.assertEqual(len(positions.read_bytes()), 32 * (10 + counts[1]))
        for arguments, reason in ((("positions", self.games, "--out", positions), "is there already"),
                                  (("weights", "--width", "64", "--king-buckets", "2", "--out", floats), "king buckets: 1, 4 or 8"),
                                  (("network", positions, "--out", self.folder / "none.nnue"), "does not begin"),
                                  (("network", floats, "--out", back), "is there already"),
                                  (("weights", "--width", "64", "--out", self.games), "is there already")):
            result = lab("handover", *arguments)
            self.assertNotEqual(result.returncode, 0)
            self.assertIn(reason, result.stderr)

    def test_fit(self):
        result = lab("fit", "--min-ply", "8", self.games)
        self.assertEqual(result.returncode, 0, result.stderr)
        for part in ("even score", "alpha", "beta", "won, said"):
            self.assertIn(part, result.stdout)
        number = r"-?\d+\.\d+"
        if "it takes more games" in result.stdout:  # nothing to be pasted into the engine
            self.assertNotIn("SCORE_UNITS_PER_PAWN =", result.stdout)
            return
        for name in ("alpha", "beta"):  # for the engine's source
            self.assertRegex(result.stdout, rf"\n    \.{name} = {{{number}, {number}, {number}, {number}}},\n")
        self.assertRegex(result.stdout, r"\nenum { SCORE_UNITS_PER_PAWN = \d+ };\n")


if __name__ == "__main__":
    unittest.main()
