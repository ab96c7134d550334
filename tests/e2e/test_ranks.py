"""luft-lab train --average-every over MPI: several processes, one network. Needs mpirun, and luft-lab built with MPI=1."""

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
MPI_LAB = pathlib.Path(LAB).with_name("luft-lab-mpi")


def run(*words):
    return subprocess.run([*map(str, words)], capture_output=True, text=True, timeout=HANG)


has_mpi = unittest.skipUnless(shutil.which("mpirun") and MPI_LAB.exists(),
                              "training over MPI: no mpirun, or no luft-lab-mpi next to luft-lab")


class Ranks(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.scratch.cleanup)
        cls.folder = pathlib.Path(cls.scratch.name)
        cls.games = cls.folder / "some.games"
        made = run(LAB, "datagen", "--out", cls.games, "--plies", "5000", "--net", "random:8:1", "--nodes", "10",
                   "--first-generation", "--hash", "1", "--quiet")
        assert made.returncode == 0, made.stderr

    def words(self, net, every, *more):
        return ["train", "--out", self.folder / net, "--width", "8", "--batch", "500", "--share", "1", "--validation", "0.1",
                "--threads", "1", "--epochs", "4", "--quiet", "--average-every", every, *more, self.games]

    def test_a_build_without_mpi_says_how_to_get_one(self):
        refused = run(LAB, *self.words("none.nnue", 64))
        self.assertEqual(refused.returncode, 1)
        self.assertIn("make MPI=1 luft-lab", refused.stderr)
        self.assertFalse((self.folder / "none.nnue.journal").exists())

    def mpirun(self, ranks, *words):
        return ["mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-np", str(ranks), str(MPI_LAB),
                *map(str, words)]

    def losses(self, net):
        rows = (self.folder / f"{net}.tsv").read_text().splitlines()[1:]
        return [float(row.split("\t")[2]) for row in rows]

    @has_mpi
    def test_one_rank_is_as_without(self):
        alone = [word for word in self.words("alone.nnue", 8) if word not in ("--average-every", 8)]
        self.assertEqual(run(LAB, *alone).returncode, 0)
        done = run(MPI_LAB, *self.words("one.nnue", 8))
        self.assertEqual(done.returncode, 0, done.stderr)
        for ending in "", ".floats", ".tsv":
            self.assertEqual((self.folder / f"alone.nnue{ending}").read_bytes(), (self.folder / f"one.nnue{ending}").read_bytes())

    @has_mpi
    def test_two_ranks_learn_one_network(self):
        done = run(*self.mpirun(2, *self.words("two.nnue", 4)))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(re.findall("^network ", done.stdout, re.M)), 1, done.stdout)
        self.assertRegex(done.stdout, r"ranks       2, of which each gave [\d,]+ bytes to the means")
        # A batch is that of both, so there are as many steps as with one rank.
        positions = int(re.search(r"([\d,]+) positions to train on", done.stdout).group(1).replace(",", ""))
        self.assertEqual(int(re.search(r"training    (\d+) steps", done.stdout).group(1)), -(-positions * 4 // 500))
        losses = self.losses("two.nnue")
        self.assertLess(losses[-1], losses[0])
        again = run(*self.mpirun(2, *self.words("twice.nnue", 4)))
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertEqual((self.folder / "two.nnue").read_bytes(), (self.folder / "twice.nnue").read_bytes())

        # Finished is finished; other ranks are another training.
        finished = run(*self.mpirun(2, *self.words("two.nnue", 4)))
        self.assertIn("it was trained before", finished.stdout)
        other = run(*self.mpirun(2, *self.words("two.nnue", 5)))
        self.assertNotEqual(other.returncode, 0)
        self.assertIn("'average-every=4' there, now 'average-every=5'", other.stderr)

    @has_mpi
    def test_an_interrupted_training_carries_on(self):
        words = self.words("stopped.nnue", 4, "--epochs", "40")
        process = subprocess.Popen(self.mpirun(2, *words), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        deadline = time.monotonic() + HANG
        while not (self.folder / "stopped.nnue.tsv").exists() and time.monotonic() < deadline:
            time.sleep(0.01)
        process.send_signal(signal.SIGTERM)  # mpirun ends the ranks: some write a checkpoint in time
        process.communicate(timeout=HANG)
        whole = run(*self.mpirun(2, *self.words("whole.nnue", 4, "--epochs", "40")))
        self.assertEqual(whole.returncode, 0, whole.stderr)
        rest = run(*self.mpirun(2, *words))
        while "is being written by another" in rest.stderr and time.monotonic() < deadline:  # a rank that outlives mpirun
            time.sleep(0.1)
            rest = run(*self.mpirun(2, *words))
        self.assertEqual(rest.returncode, 0, rest.stderr)
        for ending in "", ".tsv":
            self.assertEqual((self.folder / f"stopped.nnue{ending}").read_bytes(), (self.folder / f"whole.nnue{ending}").read_bytes())

    @has_mpi
    def test_a_failure_is_reported_once(self):
        missing = run(*self.mpirun(2, *self.words("missing.nnue", 4, self.folder / "no.games")))
        self.assertNotEqual(missing.returncode, 0)
        self.assertEqual(missing.stderr.count("cannot open"), 1, missing.stderr)
        uneven = run(*self.mpirun(3, *self.words("uneven.nnue", 4)))
        self.assertEqual(uneven.stderr.count("--batch must be a multiple of the number of ranks, which is 3"), 1, uneven.stderr)


if __name__ == "__main__":
    unittest.main()
