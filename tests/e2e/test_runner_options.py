"""The options of fastchess and cutechess-cli: each works or is answered, and docs/lab.md says which. The names are data."""

import csv
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

from patience import HANG

LAB = os.environ["LUFT_LAB"]
TOY = os.environ["TOY_ENGINE"]
ROOT = pathlib.Path(__file__).resolve().parents[2]
TABLES = ROOT / "tests/syzygy"


def options():
    """(option, key or None) of both programs."""
    with open(pathlib.Path(__file__).with_name("support") / "runner_options.tsv", newline="") as file:
        return sorted({(row["option"], None if row["key"] == "-" else row["key"]) for row in csv.DictReader(file, delimiter="\t")},
                      key=lambda pair: (pair[0], pair[1] or ""))


class Options(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def lab(self, *arguments):
        return subprocess.run([LAB, *arguments], capture_output=True, text=True, cwd=self.folder, timeout=HANG)

    def play(self, *arguments):
        result = self.lab("match", "-engine", f"cmd={TOY}", "name=a", "-engine", f"cmd={TOY}", "name=b", "option.Seed=1", "-each",
                          "nodes=1", "-reproducible", "-pgnout", "games.pgn", *arguments)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        return result.stdout, (self.folder / "games.pgn").read_text()

    def test_each_is_known(self):
        """An option that is read needs more, such as engines; one that is refused says what to write instead."""
        for option, key in options():
            command = "sprt" if option == "sprt" else "match"
            result = self.lab(command, f"-{option}", *([f"{key}=1"] if key else []))
            with self.subTest(option=option, key=key):
                for word in ("unknown option", "unknown key", "no engine setting is called", "should be key=value"):
                    self.assertNotIn(word, result.stderr)
                self.assertIn(result.returncode, (0, 2))

    def test_each_is_in_the_table(self):
        table = (ROOT / "docs/lab.md").read_text().partition("## Options of other match runners\n")[2].partition("\n## ")[0]
        named = {}
        for row in re.findall(r"^\| (.+?) \| (.+) \|$", table, re.M):
            for option in re.findall(r"`-+([\w-]+)", row[0]):
                named.setdefault(option, "")
                named[option] += " " + row[0] + " " + row[1]
        for option, key in options():
            with self.subTest(option=option, key=key):
                self.assertIn(option, named)
                if key:
                    self.assertRegex(named[option], rf"`{re.escape(key.replace('Hash', 'NAME'))}\b")

    def test_the_words_of_a_test(self):
        words = ["sprt", "-sprt", "elo0=-3", "elo1=1", "alpha=0.1", "beta=0.1", "model=logistic", "--from", "18,207,494,314,28"]
        self.assertIn("[-3.00, 1.00]", self.lab(*words).stdout)
        self.assertIn("model must be normalized or logistic, not 'bayesian'", self.lab("sprt", "-sprt", "model=bayesian").stderr)

    def test_details_of_the_search_in_comments(self):
        games = self.play("seldepth=true", "nodes=true", "min=false")[1].replace("\n", " ")
        self.assertTrue(re.search(r"\{[+-]\d+\.\d\d/1, nodes 20, seldepth 1\}", games))
        self.assertNotIn("{", self.play("min", "fi", "-again")[1])

    def test_tables_end_games(self):
        """White wins with the queen, nobody with the knight; under another rule the knight's game goes on to its end."""
        (self.folder / "book.epd").write_text("8/8/8/4k3/8/8/8/3QK3 w - -\n8/8/8/4k3/8/3p4/3N4/4K3 w - -\n")
        book = ("-openings", "file=book.epd", "-rounds", "2", "-tb", str(TABLES))
        output, games = self.play(*book)
        self.assertEqual(re.findall(r'\[Result "(.*)"\]', games)[:2], ["1-0", "1-0"])
        self.assertEqual(re.findall(r'\[PlyCount "(.*)"\]', games)[:2], ["0", "0"])
        self.assertRegex(output, r"Endings: .*adjudicat")
        _, games = self.play(*book, "-tbadjudicate", "DRAW", "-maxmoves", "3", "-again")
        self.assertNotIn("1-0", re.findall(r'\[Result "(.*)"\]', games)[:2])
        self.assertIn("need --tb", self.lab("match", "-engine", "cmd=a", "-engine", "cmd=b", "-each", "nodes=1", "-tbignore50").stderr)
        self.assertIn("nowhere", self.lab("match", "-engine", "cmd=a", "-engine", "cmd=b", "-each", "nodes=1", "-tb", "nowhere").stderr)

    def test_pyramid(self):
        result = self.lab("match", *(word for name in "abc" for word in ("-engine", f"cmd={TOY}", f"name={name}", f"option.Seed={ord(name)}")),
                          "-each", "nodes=1", "-tournament", "pyramid", "-pgnout", "games.pgn", "-maxmoves", "5")
        self.assertEqual(result.returncode, 0, result.stderr)
        whites = re.findall(r'\[White "(.)"\]', (self.folder / "games.pgn").read_text())
        self.assertEqual(whites, ["b", "a", "c", "a", "c", "b"])


if __name__ == "__main__":
    unittest.main()
