"""`luft-lab rate`: ratings from files of games."""

import os
import pathlib
import random
import subprocess
import tempfile
import unittest

from patience import HANG

LAB = os.environ["LUFT_LAB"]


def game(white, black, result):
    return f'[White "{white}"]\n[Black "{black}"]\n[Result "{result}"]\n\n{result}\n\n'


def wins(white, black, count):
    return game(white, black, "1-0") * count


class Rate(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_lab(self, *texts, options=()):
        paths = []
        for number, text in enumerate(texts):
            paths.append(self.folder / f"{number}.pgn")
            paths[-1].write_text(text, encoding="utf-8")
        return subprocess.run([LAB, "rate", *paths, *options], capture_output=True, text=True, timeout=HANG, cwd=self.folder)

    def rate(self, *texts, options=()):
        result = self.run_lab(*texts, options=options)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def rows(self, *texts, options=()):
        """The ratings as {player: {column: text}}."""
        self.rate(*texts, options=("--rows", "rows.tsv", *options))
        first, *lines = (self.folder / "rows.tsv").read_text(encoding="utf-8").splitlines()
        return {line.split("\t")[1]: dict(zip(first.split("\t"), line.split("\t"))) for line in lines}

    def test_two_files_and_an_anchor(self):
        rows = self.rows(wins("a", "b", 3), wins("b", "a", 1), options=("--no-advantage", "--anchor", "b=1000"))
        self.assertAlmostEqual(float(rows["a"]["rating"]), 1190.85, 2)
        self.assertEqual((rows["b"]["rating"], rows["b"]["error"], rows["a"]["games"]), ("1000.00", "0.00", "4"))

    def test_anchors_far_from_zero_and_from_each_other(self):
        games = [wins(a, b, 3) + wins(b, a, 1) for a, b in (("x", "low"), ("y", "high"), ("z", "y"))]
        rows = self.rows(*games, options=("--no-advantage", "--anchor", "low=-1000", "--anchor", "high=5000"))
        for player, rating in (("x", -809.15), ("y", 5190.85), ("z", 5381.70)):
            self.assertAlmostEqual(float(rows[player]["rating"]), rating, 2)

    def test_perfect_scores_and_groups_are_reported(self):
        text = self.rate(wins("a", "b", 1), wins("b", "a", 1), wins("king", "a", 4), wins("c", "d", 1), wins("d", "c", 2))
        self.assertIn("won all games", text)
        self.assertIn("There are 3 groups", text)
        rows = self.rows(wins("a", "b", 1), wins("b", "a", 1), wins("king", "a", 4))
        self.assertEqual((rows["king"]["rating"], rows["king"]["error"]), ("-", "-"))

    def test_one_game_and_colours_one_way(self):
        self.assertIn("lost all games", self.rate(wins("a", "b", 1)))
        self.assertIn("These games do not show White's advantage: none is assumed", self.rate(wins("a", "b", 2), game("a", "b", "0-1")))

    def test_families(self):
        draw = game("x1", "x2", "1/2-1/2")
        text = self.rate(wins("x1", "y", 9) + wins("y", "x1", 3) + wins("x2", "y", 3) + wins("y", "x2", 9) + draw,
                         options=("--family", "x,nobody"))
        self.assertIn("## Ratings against each family", text)
        self.assertIn("## Residuals between families", text)
        self.assertRegex(text, r"\| x +\|")
        self.assertRegex(text, r"\| others +\|")

    def test_a_simulated_tournament(self):
        chance, strength = random.Random(5), {"a": 0, "b": 100, "c": 250}
        games = []
        for _ in range(600):
            white, black = chance.sample(sorted(strength), 2)
            expected = 1 / (1 + 10 ** ((strength[black] - strength[white]) / 400))
            games.append(game(white, black, "1-0" if chance.random() < expected else "0-1"))
        rows = self.rows("".join(games), options=("--anchor", "a=0"))
        for name in "bc":
            found, error = float(rows[name]["rating"]), float(rows[name]["error"])
            self.assertLess(error, 60)
            self.assertLess(abs(found - strength[name]), 2 * error, name)

    def test_bad_input(self):
        for texts, options, status, words in (
                ((wins("a", "b", 1),), ("--anchor", "c=1"), 1, "no player is called 'c'"),
                ((wins("a", "b", 1),), ("--anchor", "a=much"), 1, "is not NAME=ELO"),
                ((wins("a", "b", 1),), ("--family", "a,,b"), 2, "a family has no prefix"),
                ((wins("a", "b", 1),), ("--plot", "ratings.pdf"), 2, "ends in .svg or .png"),
                ((wins("a", "b", 1),), ("--output", "0.pgn"), 1, "0.pgn"),
                ((game("a", "b", "*"),), (), 1, "no game in it has a result"),
                ((wins("a", "a", 1),), (), 1, "plays against itself"),
                ((wins("a" * 201, "b", 1),), (), 1, "longer than 200 bytes"),
                ((wins("a" * 300 + "x", "b", 1) + wins("a" * 300 + "y", "b", 1),), (), 1, "longer than 200 bytes")):
            result = self.run_lab(*texts, options=options)
            self.assertEqual((result.returncode, result.stdout), (status, ""), result.stderr)
            self.assertIn(words, result.stderr)
        self.assertIn("| a ", self.rate(wins("a", "a", 1) + wins("a", "b", 2), options=("--skip-faults",)))
        self.assertIn("a" * 200, self.rate(wins("a" * 200, "b", 1)))


if __name__ == "__main__":
    unittest.main()
