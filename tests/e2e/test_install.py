"""`make install` installs the program that was built, for whatever processor. Standard library only."""

import os
import pathlib
import re
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

    def test_the_licence_comes_with_it_and_goes_with_the_last(self):
        licence, header = self.folder / "to/usr/share/doc/luft/LICENSE", self.folder / "to/usr/include/luft.h"
        self.make("install")
        self.assertIn("GNU GENERAL PUBLIC LICENSE", licence.read_text())
        self.make("uninstall-lib")  # of which nothing is there
        self.assertTrue(licence.exists())
        header.parent.mkdir()
        header.touch()
        self.make("uninstall")
        self.assertTrue(licence.exists())
        header.unlink()
        self.make("uninstall")
        self.assertFalse(licence.parent.exists())

    def test_installed_guides_link_to_what_is_installed(self):
        guides = [self.folder / "doc" / name for name in ("library.md", "explain.md")]
        self.make(f"LIB={self.folder}", *guides)
        for guide in guides:
            text = guide.read_text()
            links = re.findall(r"\]\(([^)# ]*)", text)
            self.assertLessEqual(set(filter(None, links)), {"library.md", "explain.md", "LICENSE"})
            source = (ROOT / "docs" / guide.name).read_text()
            self.assertEqual(text.count("\n"), source.count("\n"))
            self.assertEqual(text.count("```"), source.count("```"))
        self.assertIn("kept in a store, for", guides[0].read_text())
        self.assertIn("[GPL, version 3 or later](LICENSE)", guides[0].read_text())

    def test_the_file_for_pkg_config_has_the_address_if_there_is_one(self):
        for words, line in (((), []), (("URL=https://example.org/luft",), ["URL: https://example.org/luft"])):
            self.make(f"LIB={self.folder}", f"{self.folder}/luft.pc", *words)
            self.assertEqual([line for line in (self.folder / "luft.pc").read_text().splitlines() if line.startswith("URL")], line)

    def test_the_archive_of_the_sources_needs_no_network(self):
        for platforms, needs in (("source", False), ("source wasm", True), ("", True)):
            recipe = self.make("-n", "dist", f"PLATFORMS={platforms}")
            self.assertEqual([word in recipe for word in ("setup-platforms", "web/node_modules")], [needs, needs], platforms)

    def test_what_is_missing_or_named_is_built(self):
        self.assertNotIn("embedded.c", self.make("-n", "install"))
        for option in ("ARCH=portable", "CC=clang", "DEBUG=1"):
            self.assertIn("version.c", self.make("-n", "-B", "install", option), option)
        (self.folder / "luft").unlink()
        self.assertIn("version.c", self.make("-n", "-B", "install"))


if __name__ == "__main__":
    unittest.main()
