"""A fixed sample of `make faults`: eighty faults of all groups; and one job with each of its allocations refused."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

FAULTS = pathlib.Path(__file__).resolve().parents[1] / "faults"
RUN = FAULTS / "run.py"
SAMPLE = 80

sys.path.insert(0, str(FAULTS))
from injection import Injection  # noqa: E402
from jobs import JOBS  # noqa: E402
from trial import Trial, World  # noqa: E402

from patience import HANG


@unittest.skipUnless(sys.platform == "linux", "needs LD_PRELOAD, /dev/full and /proc")
@unittest.skipUnless(os.environ.get("TOY_ENGINE"), "needs the toy engine")
class Faults(unittest.TestCase):
    def test_sample(self):
        result = subprocess.run([sys.executable, str(RUN), "--seed", "7", "--sample", str(SAMPLE)], capture_output=True, text=True,
                                timeout=HANG)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertIn("| all ", result.stdout)

    def test_analyse_leaves_nothing_out(self):
        """Whichever allocation is refused: all comments of the game are written, or the exit status reports the failure."""
        job = next(job for job in JOBS if job.name == "analyse")
        with tempfile.TemporaryDirectory() as scratch, Trial(World(scratch), 0, "memory/analyse", 0) as trial:
            if trial.programs.sanitized:
                self.skipTest("a sanitizer has an allocator of its own")
            injection = Injection(trial, job)
            self.assertGreater(injection.reference.allocations, 50)
            for number in range(1, injection.reference.allocations + 1):
                with self.subTest(allocation=number):
                    injection.check_failure(job.run(trial, fault=f"memory once {number}"))


if __name__ == "__main__":
    unittest.main()
