"""luft-lab openings: books are reproducible, without duplicates, and as requested. And the books in the repository."""

import os
import pathlib
import re
import subprocess
import tempfile
import unittest

from patience import HANG

LAB = os.environ["LUFT_LAB"]
LUFT = os.environ["LUFT"]
BOOKS = pathlib.Path(__file__).resolve().parents[2] / "books"


def lab(*arguments, timeout=HANG):
    return subprocess.run([LAB, *arguments], capture_output=True, text=True, timeout=timeout)


def openings(*arguments, nodes="200"):
    return lab("openings", "--engine", LUFT, "--nodes", nodes, "--quiet", *arguments)


def scores(book):
    return [int(score) for score in re.findall(r" ce (-?\d+);", book)]


class Openings(unittest.TestCase):
    def test_reproducible_by_seed_whatever_the_concurrency(self):
        one = openings("--count", "40", "--seed", "3")
        self.assertEqual(one.returncode, 0, one.stderr)
        self.assertEqual(one.stdout, openings("--count", "40", "--seed", "3", "--concurrency", "2").stdout)
        self.assertNotEqual(one.stdout, openings("--count", "40", "--seed", "4").stdout)

    def test_unique_and_inside_the_window(self):
        book = openings("--count", "60", "--window", "30").stdout
        lines = book.splitlines()
        self.assertEqual(len(lines), 60)
        self.assertEqual(len({" ".join(line.split()[:4]) for line in lines}), 60)
        self.assertEqual(len(scores(book)), 60)
        self.assertTrue(all(abs(score) <= 30 for score in scores(book)))
        for line in lines:
            self.assertRegex(line, r"^[1-8pnbrqkPNBRQK/]+ [wb] [KQkq-]+ [a-h1-8-]+ hmvc \d+; fmvn \d+; ce -?\d+;$")
        self.assertEqual({line.split()[1] for line in lines}, {"w", "b"})

    def test_a_fixed_number_of_plies(self):
        book = openings("--count", "20", "--plies", "4").stdout
        self.assertTrue(all(" w " in line and "fmvn 3;" in line for line in book.splitlines()))

    def test_unbalanced(self):
        book = openings("--count", "30", "--margin", "120", "--window", "40").stdout
        self.assertTrue(all(80 <= abs(score) <= 160 for score in scores(book)), book)
        self.assertEqual(len(scores(book)), 30)

    def test_chess960(self):
        book = openings("--count", "20", "--chess960").stdout
        rights = {line.split()[2] for line in book.splitlines()}
        self.assertTrue(any(re.search(r"[A-Ha-h]", right) for right in rights), rights)

    def test_file_is_written_at_the_end_only(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "book.epd"
            path.write_text("old\n")
            failed = lab("openings", "--engine", "false", "--count", "5", "--output", str(path))
            self.assertEqual(failed.returncode, 1)
            self.assertEqual(path.read_text(), "old\n")
            self.assertEqual(openings("--count", "5", "--output", str(path)).returncode, 0)
            self.assertEqual(len(path.read_text().splitlines()), 5)
            self.assertEqual(os.listdir(folder), ["book.epd"])

    def test_impossible_requests_end(self):
        result = openings("--count", "100", "--plies", "1", nodes="1")
        self.assertEqual(result.returncode, 1)
        self.assertIn("gave up", result.stderr)

    def test_bad_arguments(self):
        for arguments in (["--plies", "9-8"], ["--plies", "x"], ["--count", "0"], ["--margin", "50", "--window", "60"],
                          ["--window"], ["stray"]):
            result = openings(*arguments)
            self.assertEqual(result.returncode, 2, arguments)
            self.assertRegex(result.stderr, r"^luft-lab openings: .+\n")
        missing = lab("openings", "--engine", "/nonexistent/engine")
        self.assertEqual(missing.returncode, 1)
        self.assertIn("/nonexistent/engine", missing.stderr)

    def test_help_teaches(self):
        result = lab("openings", "--help")
        self.assertEqual(result.returncode, 0)
        self.assertIn("Example", result.stdout)


class ShippedBooks(unittest.TestCase):
    """A match can be played from every book."""

    def test_each_is_playable(self):
        books = sorted(BOOKS.glob("*.epd"))
        self.assertGreaterEqual(len(books), 3)
        for book in books:
            variant = "chess960" if "960" in book.name else "standard"
            lines = book.read_text().splitlines()
            self.assertEqual(len({" ".join(line.split()[:4]) for line in lines}), len(lines), book)
            result = lab("match", "-engine", f"cmd={LUFT}", "name=a", "-engine", f"cmd={LUFT}", "name=b", "-each", "nodes=1",
                         "-rounds", "1", "-variant", variant, "-openings", f"file={book}", "-journal", "none", "-maxmoves",
                         "10")
            self.assertEqual(result.returncode, 0, result.stderr + result.stdout)


if __name__ == "__main__":
    unittest.main()
