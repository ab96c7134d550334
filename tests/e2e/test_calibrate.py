"""`lab/levels/calibrate.py`: who plays whom, and the table that follows from ratings."""

import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "lab/levels"))
import calibrate  # noqa: E402


class Calibrate(unittest.TestCase):
    def setUp(self):
        self.text = calibrate.TABLE.read_text(encoding="utf-8")
        self.table = calibrate.read_table(self.text)

    def test_the_table_is_read_and_written(self):
        self.assertEqual([row[0] for row in self.table], list(range(600, 3001, 300)))
        self.assertEqual(calibrate.write_table(self.text, self.table), self.text)

    def test_labels_that_are_right_stay(self):
        right = [(label, label) for label in range(600, 2801, 100)]
        self.assertEqual(calibrate.renewed(self.table, right), self.table)

    def test_levels_that_are_too_strong_get_the_values_of_weaker_ones(self):
        strong = [(label, label + 300) for label in range(600, 2801, 100)]
        rows = calibrate.renewed(self.table, strong)
        for row, weaker in zip(rows[1:], self.table):
            self.assertEqual(row[1:], weaker[1:])

    def test_neighbours_that_luck_has_exchanged(self):
        ratings = [(600, 700), (700, 690), (800, 800), (900, 900)]
        rows = calibrate.renewed(self.table, ratings)
        self.assertEqual([row[0] for row in rows], [row[0] for row in self.table])
        self.assertEqual(rows[1], self.table[1])

    def test_pairings(self):
        levels = [calibrate.Player(f"Luft {elo}", elo, []) for elo in (600, 700, 800, 900, 1000)]
        others = [calibrate.Player("Stockfish 0", 1320, []), calibrate.Player("Fairy -3", 930, [])]
        pairs = calibrate.pairings(levels, others)
        names = {(first.name, second.name) for first, second in pairs}
        self.assertEqual(len(names), len(pairs))
        self.assertIn(("Luft 600", "Luft 900"), names)
        self.assertNotIn(("Luft 600", "Luft 1000"), names)
        self.assertIn(("Fairy -3", "Stockfish 0"), names)
        self.assertEqual(sum(second.name == "Fairy -3" for _, second in pairs), len(levels))


if __name__ == "__main__":
    unittest.main()
