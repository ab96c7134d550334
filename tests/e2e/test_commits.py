"""The messages of commits, from the one that added this file on: merges apart, each ends with the bench of its version.

An OpenBench server reads the bench from the head of a branch, refuses a branch without one, and may take another number
after that word. CONTRIBUTING.md describes the form. Skipped where there is no history: in a source archive, a shallow
clone, or before this file is committed.
"""

import pathlib
import re
import shutil
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LONGEST_SUBJECT = 72
LAST_LINE = re.compile(r"Bench: [1-9][0-9]*")
ANY_BENCH = re.compile(r"\bbench[ :=]+[0-9]", re.IGNORECASE)


def complaints(message):
    """The list of faults of a commit message."""
    lines = message.strip().splitlines() or [""]
    wrong = []
    if len(lines[0]) > LONGEST_SUBJECT:
        wrong.append(f"the subject has {len(lines[0])} characters, {LONGEST_SUBJECT} are allowed")
    if len(lines) > 1 and lines[1]:
        wrong.append("the line after the subject is not empty")
    if not LAST_LINE.fullmatch(lines[-1]):
        wrong.append("the last line is not 'Bench: N'")
    if any(ANY_BENCH.search(line) for line in lines[:-1]):
        wrong.append("a number follows the word bench before the last line")
    return wrong


def git(*arguments):
    return subprocess.run(["git", "-C", str(ROOT), *arguments], capture_output=True, text=True, check=True).stdout


class Form(unittest.TestCase):
    def test_a_good_message_passes(self):
        self.assertEqual(complaints("search: prune more\n\nBecause it helps.\n\nNo functional change\nBench: 123\n"), [])

    def test_each_fault_is_named(self):
        self.assertEqual(complaints("a" * 73 + "\n\nBench: 1"), ["the subject has 73 characters, 72 are allowed"])
        self.assertEqual(complaints("a\nb\n\nBench: 1"), ["the line after the subject is not empty"])
        for last in ("", "Bench: 0", "Bench: 1,000", "bench: 1", "Bench: 1 nodes"):
            self.assertIn("the last line is not 'Bench: N'", complaints("a\n\nb\n\n" + last), last)
        for prose in ("a bench 5", "Bench: 7", "the bench=10 of yesterday"):
            self.assertEqual(complaints(f"a\n\n{prose}\n\nBench: 1"),
                             ["a number follows the word bench before the last line"], prose)


class History(unittest.TestCase):
    def setUp(self):
        if not (ROOT / ".git").exists() or shutil.which("git") is None:
            self.skipTest("no history here")
        try:
            shallow = git("rev-parse", "--is-shallow-repository").strip()
        except subprocess.CalledProcessError as error:
            self.skipTest(f"git cannot read the history: {error.stderr.strip()}")
        if shallow != "false":
            self.skipTest("a shallow clone")
        added = git("log", "--diff-filter=A", "--format=%H", "--", str(pathlib.Path(__file__).resolve())).split()
        if not added:
            self.skipTest("this file is not committed yet")
        self.first = added[-1]

    def test_every_commit_since_this_test_has_the_form(self):
        text = git("log", "--no-merges", "--ancestry-path", "--format=%h%x00%B%x01", f"{self.first}..HEAD")
        text += git("log", "-1", "--format=%h%x00%B%x01", self.first)
        wrong = []
        for entry in text.split("\x01")[:-1]:
            name, message = entry.strip().split("\x00")
            wrong += [f"{name}: {complaint}" for complaint in complaints(message)]
        self.assertEqual(wrong, [])


if __name__ == "__main__":
    unittest.main()
