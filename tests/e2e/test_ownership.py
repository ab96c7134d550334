"""luft-lab and files of others: two writers, outputs that are inputs, files that the program did not make."""

import os
import pathlib
import resource
import signal
import subprocess
import tempfile
import time
import unittest

from patience import HANG

LAB = os.environ["LUFT_LAB"]
TOY = os.environ.get("TOY_ENGINE")
DATAGEN = ("--net", "random:8:1", "--nodes", "30", "--first-generation", "--hash", "1", "--plies-max", "100", "--threads", "1",
           "--flush-seconds", "1", "--quiet")


def lab(*arguments, timeout=HANG):
    return subprocess.run([LAB, *map(str, arguments)], capture_output=True, text=True, timeout=timeout)


def wait_for(condition, seconds=60):
    deadline = time.monotonic() + seconds
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.05)


class Scratch(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def start(self, *arguments):
        process = subprocess.Popen([LAB, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(lambda: process.poll() is None and process.kill())
        return process

    def refused(self, reason, *arguments):
        """The command ends with status 1 and the reason, and no file changes."""
        before = {path: path.read_bytes() for path in self.folder.iterdir() if path.is_file()}
        result = lab(*arguments)
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertIn(reason, result.stderr)
        self.assertEqual({path: path.read_bytes() for path in self.folder.iterdir() if path.is_file()}, before)


class TwoWriters(Scratch):
    def test_on_one_game_file(self):
        games = self.folder / "x.games"
        first = self.start("datagen", "--out", games, "--seed", "1", *DATAGEN)
        wait_for(lambda: games.exists() and games.stat().st_size > 0)
        for arguments in (["datagen", "--out", games, "--games", "10", "--seed", "2", *DATAGEN],
                          ["data", "merge", "--again", "--out", games, games]):
            result = lab(*arguments)
            self.assertEqual(result.returncode, 1)
            self.assertIn("x.games is being written by another luft-lab", result.stderr)
        first.send_signal(signal.SIGTERM)
        output, _ = first.communicate(timeout=HANG)
        self.assertEqual(first.returncode, 0)
        count = lab("data", "export", games).stdout.count("\n")
        self.assertIn(f": {count:,} games", output)

    @unittest.skipUnless(TOY, "needs the toy engine")
    def test_on_one_match(self):
        """The refused process must not disturb the running one, nor its folder of logs."""
        command = ["match", "-engine", f"cmd={TOY}", "name=a", "option.Delay=20", "-engine", f"cmd={TOY}", "name=b", "-each", "depth=1",
                   "-maxmoves", "30", "-rounds", "3", "-pgnout", self.folder / "x.pgn", "-quiet"]
        first = self.start(*command)
        logs = self.folder / "x.pgn.logs"
        wait_for(logs.exists)
        second = lab(*command, "-resume")
        self.assertEqual(second.returncode, 1)
        self.assertIn("x.pgn is being written by another luft-lab", second.stderr)
        self.assertTrue(logs.exists() or first.poll() is not None)
        _, errors = first.communicate(timeout=HANG)
        self.assertEqual(first.returncode, 0, errors)

    def test_a_file_that_is_taken_away(self):
        games = self.folder / "x.games"
        first = self.start("datagen", "--out", games, *DATAGEN)
        wait_for(lambda: games.exists() and games.stat().st_size > 0)
        games.rename(self.folder / "y.games")
        _, errors = first.communicate(timeout=HANG)
        self.assertEqual(first.returncode, 1)
        self.assertIn("x.games was removed or replaced while it was being written", errors)


class Outputs(Scratch):
    def setUp(self):
        super().setUp()
        self.games = []
        for number in range(2):
            games = self.folder / f"{number}.games"
            result = lab("datagen", "--out", games, "--games", "20", "--seed", str(number), *DATAGEN)
            assert result.returncode == 0, result.stderr
            self.games.append(games)
        self.thesis = self.folder / "thesis.txt"
        self.thesis.write_text("years of work\n")

    def test_of_train(self):
        train = "train", "--width", "8", "--epochs", "1", "--share", "1", "--quiet"
        first, second = self.games
        net = self.folder / "n"
        self.refused("is not a network", *train, "--out", first, second)
        self.refused("is not a network", *train, "--out", self.thesis, first)
        self.refused("is not a network", "net", "random", self.thesis, "--width", "8")
        self.refused("is not a checkpoint", *train, "--out", net, "--checkpoint", second, first, second)
        self.refused("is not a table of losses", *train, "--out", net, "--log", first, first)
        self.refused("is not an SVG image", *train, "--out", net, "--plot", self.thesis, first)
        self.refused("is to be written twice", *train, "--out", net, "--log", net, first)
        self.refused("it is a folder", *train, "--out", self.folder, first)
        self.refused("a control character in the name", *train, "--out", net, "--name", "a\nb", first)

    def test_of_data(self):
        first, second = self.games
        self.refused("is also an input", "data", "export", "--out", first, first)
        for action in (["merge"], ["filter"], ["relabel", "--net", "random:8:1", "--nodes", "10"]):
            self.refused("is not a file of games", "data", *action, "--out", self.thesis, first, second)
        before = first.read_bytes()
        for action in (["merge"], ["convert"], ["filter"], ["split", "--rest", self.folder / "rest.games"],
                       ["relabel", "--net", "random:8:1", "--nodes", "10"], ["export"]):
            self.refused("0.games is there already; --again replaces it and keeps the old one",
                         "data", *action, "--out", first, second)
        self.refused("0.games is there already; --again", "data", "split", "--out", self.folder / "x", "--rest", first, second)
        self.refused("0.games is there already; --again", "data", "salvage", second, first)
        result = lab("data", "merge", "--again", "--out", first, first, second)   # one of its inputs
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn(": 40 games", result.stdout)
        self.assertEqual((self.folder / "0.games.old").read_bytes(), before)
        for again in (["salvage", "--again", first, second],
                      ["relabel", "--again", "--net", "random:8:1", "--nodes", "10", "--out", second, first]):
            self.assertEqual(lab("data", *again).returncode, 0)
        self.assertTrue((self.folder / "1.games.old2").exists())

    def test_of_the_shell(self):
        """`luft-lab data export x.games >> x.games`."""
        games = self.games[0]
        before = games.read_bytes()
        for action in ("export", "stats"):
            with games.open("ab") as out:
                result = subprocess.run([LAB, "data", action, str(games)], stdout=out, stderr=subprocess.PIPE, text=True, timeout=HANG)
            self.assertEqual(result.returncode, 1)
            self.assertIn("standard output goes there, too", result.stderr)
            self.assertEqual(games.read_bytes(), before)

    def test_no_file_replaces_a_pipe(self):
        """Nor a device: run as root, it would replace /dev/null."""
        games, pipe = self.games[0], self.folder / "pipe"
        os.mkfifo(pipe)
        for action in (["merge"], ["filter"], ["relabel", "--net", "random:8:1", "--nodes", "10"], ["export"]):
            self.refused("is a device or a pipe", "data", *action, "--out", pipe, games)
            self.assertTrue(pipe.is_fifo())

    @unittest.skipUnless(TOY, "needs the toy engine")
    def test_of_commands_that_run_engines(self):
        suite = self.folder / "s.epd"
        suite.write_text('6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - bm Ra8#;\n')
        self.refused("is also an input", "epd", suite, "-output", suite, "-engine", f"cmd={TOY}", "nodes=10")
        games = self.folder / "g.pgn"
        games.write_text('[Event "x"]\n\n1. e4 e5 *\n')
        two = ("-engine", f"cmd={TOY}", "name=a", "-engine", f"cmd={TOY}", "name=b")
        journal = self.folder / "j"
        self.refused("is also an input", "judge", games, *two, "-output", games, "-journal", journal)
        self.refused("is also an input", "judge", games, *two, "-journal", games)


@unittest.skipUnless(os.path.exists("/dev/full"), "needs /dev/full")
class FullDisk(Scratch):
    def test_on_standard_output(self):
        games = self.folder / "x.games"
        self.assertEqual(lab("datagen", "--out", games, "--games", "5", *DATAGEN).returncode, 0)
        for arguments in (["--help"], ["match", "--help"], ["data", "stats", games], ["data", "export", games],
                          ["net", "random", self.folder / "n", "--width", "8"], ["datagen", "--out", games, "--games", "6", *DATAGEN]):
            with self.subTest(arguments), open("/dev/full", "w") as full:
                result = subprocess.run([LAB, *map(str, arguments)], stdout=full, stderr=subprocess.PIPE, text=True, timeout=HANG)
                self.assertEqual(result.returncode, 1, result.stderr)
                self.assertIn("cannot write to standard output", result.stderr)
        self.assertEqual(lab("data", "export", games).stdout.count("\n"), 6)

    def test_on_a_file(self):
        """When games do not fit, the status is 1 and the games written before are complete."""
        games, text = self.folder / "x.games", self.folder / "x.txt"

        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000))

        def limited(*arguments):
            return subprocess.run([LAB, *map(str, arguments)], preexec_fn=limit, restore_signals=False, capture_output=True,
                                  text=True, timeout=HANG)

        result = limited("datagen", "--out", games, *DATAGEN)
        self.assertEqual(result.returncode, 1)
        self.assertIn("x.games: File too large", result.stderr)
        exported = lab("data", "export", games)
        self.assertEqual(exported.returncode, 0, exported.stderr)
        self.assertEqual(lab("datagen", "--out", games, "--games", "80", *DATAGEN).returncode, 0)
        for arguments in (["export", "--out", text], ["merge", "--out", self.folder / "y.games"]):
            result = limited("data", *arguments, games)
            self.assertEqual(result.returncode, 1, result.stdout)
            self.assertFalse(arguments[-1].exists())


if __name__ == "__main__":
    unittest.main()
