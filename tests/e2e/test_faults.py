"""A sample of `make faults`: some hundred faults of every group, always the same ones."""

import os
import pathlib
import subprocess
import sys
import unittest

RUN = pathlib.Path(__file__).resolve().parents[1] / "faults/run.py"
SAMPLE = 240


@unittest.skipUnless(sys.platform == "linux", "needs LD_PRELOAD, /dev/full and /proc")
@unittest.skipUnless(os.environ.get("TOY_ENGINE"), "needs the toy engine")
class Faults(unittest.TestCase):
    def test_sample(self):
        result = subprocess.run([sys.executable, str(RUN), "--seed", "7", "--sample", str(SAMPLE)], capture_output=True, text=True,
                                timeout=280)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertIn("| all ", result.stdout)


if __name__ == "__main__":
    unittest.main()
