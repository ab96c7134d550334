"""`make install` installs the program that was built, for whatever processor. Standard library only."""

import os
import pathlib
import subprocess
import tempfile
import unittest

from patience import HANG

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


class Install(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "luft").write_text("built\n")

    def make(self, *words):
        """MAKEFLAGS and options of the build come from whoever runs the tests."""
        env = {key: os.environ[key] for key in ("PATH", "HOME") if key in os.environ}
        words = [f"EXE={self.folder}/luft", f"LAB_EXE={self.folder}/luft", f"DESTDIR={self.folder}/to", "PREFIX=/usr", *words]
        done = subprocess.run(["make", "-C", ROOT, *words], capture_output=True, text=True, env=env, timeout=HANG)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_what_was_built_is_installed_as_it_is(self):
        self.make("install", "install-lab")
        for name in ("luft", "luft-lab"):
            installed = self.folder / "to/usr/bin" / name
            self.assertEqual((installed.read_text(), os.access(installed, os.X_OK)), ("built\n", True))

    def test_what_is_missing_or_named_is_built(self):
        self.assertNotIn("embedded.c", self.make("-n", "install"))
        for option in ("ARCH=portable", "CC=clang", "DEBUG=1"):
            self.assertIn("version.c", self.make("-n", "-B", "install", option), option)
        (self.folder / "luft").unlink()
        self.assertIn("version.c", self.make("-n", "-B", "install"))


if __name__ == "__main__":
    unittest.main()
