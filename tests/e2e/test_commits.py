"""The messages of commits, from the one that added this file on: merges apart, each ends with the bench of its version.

An OpenBench server reads the bench from the head of a branch, refuses a branch without one, and may take another number
after that word. CONTRIBUTING.md describes the form. Skipped where there is no history: in a source archive, a shallow
clone, or before the file is committed.
"""

import pathlib
import re
import shutil
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LONGEST_SUBJECT = 72
VERBS = pathlib.Path(__file__).resolve().parent / "support/verbs.txt"
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


def complaints_about_subject(subject):
    """What is wrong with the words of a subject, `area: imperative ...` or `area, area: imperative ...`, a list."""
    wrong = ["the subject has a semicolon: one commit is one idea"] if ";" in subject else []
    form = re.fullmatch(r"[^:]+: (\S+)( .*)?", subject)
    if not form:
        wrong.append("the subject does not begin with an area and a colon, as in 'search: prune more'")
    elif form.group(1) not in VERBS.read_text().split():
        wrong.append(f"'{form.group(1)}' is no imperative verb of {VERBS.relative_to(ROOT)}, which may get new ones")
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


    def test_a_subject_is_one_imperative(self):
        for good in ("search: prune more", "chess, lab: keep a game once", "tests: fix a test that failed"):
            self.assertEqual(complaints_about_subject(good), [])
        self.assertIn("semicolon", complaints_about_subject("search: prune more; reduce less")[0])
        for bad in ("prune more", "search prune more", ": prune", "search:prune more"):
            self.assertIn("an area and a colon", "".join(complaints_about_subject(bad)), bad)
        for bad in ("search: pruning", "search: late moves are pruned", "search: Prune more", "search: pruned more"):
            self.assertIn("no imperative verb", "".join(complaints_about_subject(bad)), bad)

    def test_the_verbs_are_in_order(self):
        verbs = VERBS.read_text().split()
        self.assertEqual(verbs, sorted(set(verbs)))


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

    def messages_since(self, path):
        """The short hash and message of each commit since the one that added a file, and of that one; merges apart."""
        added = git("log", "--diff-filter=A", "--format=%H", "--", str(path)).split()
        if not added:
            self.skipTest(f"{path} is not committed yet")
        text = git("log", "--no-merges", "--ancestry-path", "--format=%h%x00%B%x01", f"{added[-1]}..HEAD")
        text += git("log", "-1", "--format=%h%x00%B%x01", added[-1])
        return [entry.strip().split("\x00") for entry in text.split("\x01")[:-1]]

    def test_every_commit_since_this_test_has_the_form(self):
        self.assertEqual([f"{name}: {complaint}" for name, message in self.messages_since(pathlib.Path(__file__).resolve())
                          for complaint in complaints(message)], [])

    def test_every_subject_since_the_verbs_is_one_imperative(self):
        self.assertEqual([f"{name} {message.splitlines()[0]}: {complaint}" for name, message in self.messages_since(VERBS)
                          for complaint in complaints_about_subject(message.splitlines()[0])], [])


if __name__ == "__main__":
    unittest.main()
