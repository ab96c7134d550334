"""Shards of a run of datagen: the same bytes wherever and however often interrupted they are played, joined by data collect."""

import concurrent.futures
import os
import pathlib
import random
import re
import shlex
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

from patience import HANG

LAB = os.environ["LUFT_LAB"]
GAMES = 256   # four blocks
RUN = ("--net", "random:8:1", "--nodes", "3", "--first-generation", "--hash", "1", "--quiet", "--seed", "5", "--plies-max", "40",
       "--games", str(GAMES))


def lab(*arguments):
    return subprocess.run([LAB, *map(str, arguments)], capture_output=True, text=True, timeout=HANG)


class Shards(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.scratch.cleanup)
        cls.folder = pathlib.Path(cls.scratch.name)
        cls.whole = cls.folder / "whole.games"
        cls.shards = [cls.folder / f"{number}.games" for number in (1, 2, 3)]
        cls.play(cls.whole, "1/1")
        for number, path in enumerate(cls.shards, 1):
            cls.play(path, f"{number}/3", "--threads", str(number))

    @classmethod
    def play(cls, path, shard, *options):
        result = lab("datagen", "--out", path, "--shard", shard, *RUN, *options)
        assert result.returncode == 0, result.stderr
        return result.stdout

    def collect(self, *files, options=()):
        out = self.folder / "out.games"
        out.unlink(missing_ok=True)
        return lab("data", "collect", "--out", out, *options, *files), out

    def test_the_shards_are_the_run(self):
        result, out = self.collect(*reversed(self.shards), options=("--games", GAMES))
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(out.read_bytes(), self.whole.read_bytes())
        self.assertEqual(b"".join(path.read_bytes() for path in self.shards), self.whole.read_bytes())

    def test_a_killed_shard_carries_on(self):
        path = self.folder / "killed.games"
        command = [LAB, "datagen", "--out", str(path), "--shard", "1/1", *RUN, "--threads", "1"]
        for end in (signal.SIGKILL, signal.SIGINT):
            size = path.stat().st_size if path.exists() else 0
            process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            deadline = time.monotonic() + HANG
            while process.poll() is None and time.monotonic() < deadline and not (path.exists() and path.stat().st_size > size):
                time.sleep(0.002)
            process.send_signal(end)
            process.communicate(timeout=HANG)
        self.assertTrue(self.whole.read_bytes().startswith(path.read_bytes()))
        self.assertIn("256 games", self.play(path, "1/1"))
        self.assertEqual(path.read_bytes(), self.whole.read_bytes())
        self.assertIn("all games were played before", self.play(path, "1/1"))

    @unittest.skipUnless("LUFT_TEST_FULL" in os.environ, "64 shards: LUFT_TEST_FULL=1")
    def test_many_shards_many_kills(self):
        """64 shards in two slots, 30 % of the runs killed."""
        count, run = 64, [*RUN[:-1], str(64 * 64 * 2)]
        chances = random.Random(7)
        kills = {number: [0.2 * chances.random() for _ in range(3) if chances.random() < 0.3] for number in range(1, count + 1)}

        def play(number):
            path = self.folder / f"shard-{number}.games"
            command = [LAB, "datagen", "--out", str(path), "--shard", f"{number}/{count}", *run, "--threads", "1"]
            for seconds in kills[number]:
                process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                time.sleep(seconds)
                process.kill()
                process.wait()
            self.assertEqual(subprocess.run(command, capture_output=True, timeout=HANG).returncode, 0)
            return path

        with concurrent.futures.ThreadPoolExecutor(2) as slots:
            paths = list(slots.map(play, range(1, count + 1)))
        whole = self.folder / "undisturbed.games"
        self.assertEqual(lab("datagen", "--out", whole, "--shard", "1/1", *run).returncode, 0)
        result, out = self.collect(*paths, options=("--games", run[-1]))
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(out.read_bytes(), whole.read_bytes())

    def test_what_is_missing_or_twice(self):
        first, second, third = self.shards
        copy = self.folder / "copy.games"
        shutil.copy(first, copy)
        result, out = self.collect(first, copy, third, options=("--games", GAMES))
        self.assertEqual(result.returncode, 1)
        self.assertFalse(out.exists())
        self.assertRegex(result.stdout, rf"twice: the games from number 0 on, in {first} and in {copy}\n")
        self.assertIn("missing: games 64 to 127\n", result.stdout)
        self.assertRegex(result.stderr, r"games are missing: \S+ was not written; --gaps writes it all the same")
        # The printed command plays them.
        command = shlex.split(re.search(r"^luft-lab (datagen .*)$", result.stdout, re.M).group(1))
        command[command.index("--out") + 1] = str(self.folder / "again.games")
        played = lab(*command, "--net", "random:8:1", "--quiet")
        self.assertEqual((played.returncode, played.stderr), (0, ""))
        self.assertEqual((self.folder / "again.games").read_bytes(), second.read_bytes())
        self.assertEqual(self.collect(first, copy, third, options=("--gaps",))[0].returncode, 0)
        # Without the number of games nothing is known of what would follow.
        self.assertEqual(self.collect(first, second)[0].returncode, 0)

    def test_other_runs_are_refused(self):
        other, alike = self.folder / "other.games", self.folder / "alike.games"
        lab("datagen", "--out", other, "--shard", "1/2", *RUN, "--seed", "6")
        lab("datagen", "--out", alike, "--shard", "1/2", *RUN, "--random-moves", "0.2")
        self.assertRegex(self.collect(self.shards[0], other)[0].stderr, "not of the same run: network, seed or nodes differ")
        self.assertRegex(self.collect(self.shards[0], alike)[0].stderr, "different games of the same numbers, from 0 on")
        self.assertRegex(lab("datagen", "--out", other, "--shard", "2/2", *RUN, "--seed", "6").stderr, "shard=1/2")
        for words, reason in ((("--shard", "4/3"), "the K-th of N shards"), (("--shard", "1/9"), "a shard has at least 64, so there can be 4 at most"),
                              (("--shard", "x"), "the K-th of N shards"), (("--shard", "1/2", "--plies", "9"), "--plies does not go")):
            result = lab("datagen", "--out", self.folder / "bad.games", *RUN, *words)
            self.assertEqual(result.returncode, 1, words)
            self.assertIn(reason, result.stderr)
        self.assertFalse((self.folder / "bad.games").exists())


if __name__ == "__main__":
    unittest.main()
