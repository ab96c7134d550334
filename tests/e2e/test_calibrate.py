"""`lab/levels`: who plays whom in a calibration, the table that follows from ratings, and people's ratings of figures."""

import contextlib
import io
import json
import math
import pathlib
import sys
import tempfile
import time
import types
import unittest
import unittest.mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "lab/levels"))
import calibrate  # noqa: E402
import design  # noqa: E402
import figures  # noqa: E402


class Calibrate(unittest.TestCase):
    def setUp(self):
        self.text = calibrate.TABLE.read_text(encoding="utf-8")
        self.table = calibrate.read_table(self.text)

    def test_the_table_is_read_and_written(self):
        labels = [row[0] for row in self.table]
        self.assertEqual((labels[0], labels[-1]), (600, 3000))
        self.assertEqual(labels, sorted(set(labels)))
        self.assertEqual(calibrate.write_table(self.text, self.table), self.text)

    def test_labels_that_are_right_stay(self):
        right = [(label, label) for label in range(600, 2801, 100)]
        self.assertEqual(calibrate.renewed(self.table, right), self.table)

    def test_levels_that_are_too_strong_get_the_values_of_weaker_ones(self):
        strong = [(label, label + 300) for label in range(600, 2801, 100)]
        rows = calibrate.renewed(self.table, strong)
        weaker = {row[0] + 300: row[1:] for row in self.table}
        compared = [row for row in rows if row[0] in weaker]
        self.assertGreater(len(compared), 5)
        for row in compared:
            self.assertEqual(row[1:], weaker[row[0]])

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


class Design(unittest.TestCase):
    """How processor time is shared out among pairings."""

    def setUp(self):
        self.ratings = {"anchor": 1300, "near": 1000, "far": 700}
        self.pairs = {("near", "anchor"): 1.0, ("far", "anchor"): 1.0, ("far", "near"): 1.0}

    def test_information_of_a_game(self):
        """Of equals without draws: the score's variance is 1/4, and 1 % of it are about 7 Elo; it falls with distance."""
        with unittest.mock.patch.object(design, "DRAWS", [(0, 0), (3000, 0)]):
            error = 1 / math.sqrt(1000 * design.information(1500, 1500))
        self.assertAlmostEqual(error, 0.5 / math.sqrt(1000) * 695, delta=0.6)
        self.assertLess(design.information(1500, 1900), design.information(1500, 1700))

    def test_errors_follow_from_games(self):
        errors = design.Errors(self.ratings, {"anchor"})
        errors.add("near", "anchor", 400)
        told = 400 * design.information(1000, 1300)
        self.assertAlmostEqual(errors.error("near"), design.Z_95 / math.sqrt(told), delta=1)
        errors.add("far", "near", 400)
        chained = design.Z_95 * math.sqrt(1 / told + 1 / (400 * design.information(700, 1000)))
        self.assertAlmostEqual(errors.error("far"), chained, delta=3)

    def test_games_go_where_they_say_most(self):
        """A level far from the anchor is reached through one between, or directly where that is cheap."""
        games, errors = design.plan(self.ratings, {"anchor"}, self.pairs, 1200, {}, ["near", "far"])
        self.assertAlmostEqual(sum(games.values()), 1200, delta=6)
        self.assertGreater(games["far", "near"], games.get(("far", "anchor"), 0))
        self.assertGreater(errors["far"], errors["near"])
        dear, _ = design.plan(self.ratings, {"anchor"}, {**self.pairs, ("far", "near"): 50.0}, 1200, {}, ["near", "far"])
        self.assertGreater(dear["far", "anchor"], dear.get(("far", "near"), 0))

    def test_the_least_comes_first_and_shrinks_with_the_time(self):
        least = {("near", "anchor"): 100, ("far", "near"): 50}
        for seconds, part in ((150, 1), (75, 0.5)):
            games, _ = design.plan(self.ratings, {"anchor"}, self.pairs, seconds, least, ["near", "far"])
            self.assertEqual(games["near", "anchor"], 100 * part)
        games, _ = design.plan(self.ratings, {"anchor"}, self.pairs, 100000, least, ["near", "far"])
        self.assertEqual(set(games.values()), {design.MOST})

    def test_files_of_a_plan(self):
        """Each has some seconds of games; all pairings advance alike; no game is lost."""
        slow, fast = (calibrate.Player(name, 0, [], seconds) for name, seconds in (("slow", 5), ("fast", 0.05)))
        games = {(slow, slow): 30, (fast, fast): 302, (slow, fast): 0}
        files = calibrate.files_of(games)
        for pair, count in games.items():
            self.assertEqual(sum(file[0] for file in files if file[2] == pair), count)
        self.assertTrue(all(count % 2 == 0 for count, _, _ in files))
        self.assertEqual([file[2] for file in files], [(fast, fast)] * 2 + [(slow, slow)] * (len(files) - 2))
        quick = calibrate.Player("quick", 0, [], 0.05)
        order = [file[2] for file in calibrate.files_of({(fast, fast): 1500, (quick, fast): 100})]
        self.assertTrue(0 < order.index((quick, fast)) < len(order) - 1, order)  # one file stands in the middle, not at the end


class Play(unittest.TestCase):
    """With a program in place of luft-lab that only logs what it is asked for."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "openings.epd").touch()

    def program(self, name, script):
        path = self.folder / name
        path.write_text("#!/bin/sh\n" + script, encoding="utf-8")
        path.chmod(0o755)
        return path

    def play(self, lab, hours=None):
        players = [calibrate.Player(name, 0, []) for name in "abcd"]
        pairs = list(zip(players, players[1:]))
        calibrate.play(types.SimpleNamespace(folder=self.folder, lab=lab, luft="none", games=50, concurrency=2, hours=hours), pairs)

    def logged(self):
        """The games asked for, by pairing, in order."""
        log, games = self.folder / "log", {}
        for line in log.read_text(encoding="utf-8").splitlines() if log.exists() else []:
            words = line.split()
            pairing = pathlib.Path(words[words.index("-pgnout") + 1]).stem
            games.setdefault(pairing, []).append(2 * int(words[words.index("-rounds") + 1]))
        return games

    def test_all_pairings_advance_in_passes(self):
        self.play(self.program("lab", f'echo "$@" >> {self.folder}/log\n'))
        self.assertEqual(self.logged(), {pairing: [20, 40, 50] for pairing in ("a_-_b", "b_-_c", "c_-_d")})

    def test_time_is_up(self):
        self.play(self.program("lab", f'echo "$@" >> {self.folder}/log\n'), hours=0)
        self.assertEqual(self.logged(), {})

    def test_a_match_is_stopped_at_the_end(self):
        calibrate.run(["sleep", "1000"], time.monotonic())

    def test_ratings_without_an_anchor(self):
        (self.folder / "a.pgn").write_text('[White "Luft 600"]\n[Black "Luft 700"]\n\n*\n', encoding="utf-8")
        with self.assertRaisesRegex(SystemExit, "nothing anchors the ratings"):
            calibrate.rate(types.SimpleNamespace(folder=self.folder, lab="none"))

    def test_a_fault_ends_it(self):
        with contextlib.redirect_stderr(io.StringIO()), self.assertRaisesRegex(SystemExit, "lab match .* ended with status 3"):
            self.play(self.program("lab", f'echo "$@" >> {self.folder}/log\nexit 3\n'))
        self.assertTrue(all(games == [20] for games in self.logged().values()))


class Figures(unittest.TestCase):
    def test_people_who_solve_as_many(self):
        """Who solves half of the puzzles rated 1500 is rated 1500 by them, and 250 less in blitz."""
        rating, error = figures.solvers([(1500, number % 2 == 0) for number in range(100)])
        self.assertAlmostEqual(rating, 1250, delta=1)
        self.assertAlmostEqual(error, 1.96 * 400 / 2.302585 * 2 / 10, delta=1)
        self.assertGreater(figures.solvers([(1500, True)] * 100)[0], rating + 500)

    def test_ratings_of_figures(self):
        falling, rising = [(1000, 100), (1500, 50), (2000, 40)], [(1000, 70), (2000, 80)]
        for value, rating in ((100, 1000), (75, 1250), (45, 1750), (30, 2500), (120, 800)):
            self.assertAlmostEqual(figures.rating_of(falling, value), rating)
        for value, rating in ((70, 1000), (77, 1700), (65, 500)):
            self.assertAlmostEqual(figures.rating_of(rising, value), rating)
        self.assertAlmostEqual(figures.rating_of(figures.HUMAN["loss"], 113), 1000, delta=5)

    def coherence(self, mates):
        """The row of a level that errs like people of 1000, but finds mates like those of `mates`."""
        figure = {what: calibrate.between(curve, 1000) for what, curve in figures.HUMAN.items()}
        tables = ({"elo": 900, "rating by mates in one": mates, "rating by two moves": 1050}, {"player": "Luft 900", **figure})
        with tempfile.TemporaryDirectory() as folder:
            paths = [pathlib.Path(folder) / name for name in ("puzzles.tsv", "games.tsv")]
            for path, row in zip(paths, tables):
                path.write_text("\t".join(row) + "\n" + "\t".join(map(str, row.values())) + "\n", encoding="utf-8")
            with contextlib.redirect_stdout(io.StringIO()) as output:
                figures.coherence(types.SimpleNamespace(file=paths[0], what=[paths[1]]))
        names, values = (line.split("\t") for line in output.getvalue().splitlines())
        return dict(zip(names, values))

    def test_missed(self):
        """Faults in 100 moves, the most frequent first; what a player never does is 0."""
        summaries = {name: {"games": 2, "moves": 50, "tables": [{"by": "cause", "rows": [{"name": what, "faults": faults}
                                                                                       for what, faults in rows]}]}
                     for name, rows in {"A": [("fork", 1), ("pin", 5)], "B": [("fork", 2)]}.items()}
        with tempfile.TemporaryDirectory() as folder:
            games, luft = pathlib.Path(folder) / "games.pgn", pathlib.Path(folder) / "luft"
            games.write_text('[Event "?"]\n[White "A"]\n[Black "B"]\n\n*\n', encoding="utf-8")
            for name, summary in summaries.items():
                (pathlib.Path(folder) / name).write_text(json.dumps(summary), encoding="utf-8")
            luft.write_text(f'#!/bin/sh\ncat "{folder}/$3"\n', encoding="utf-8")
            luft.chmod(0o755)
            with contextlib.redirect_stdout(io.StringIO()) as output:
                figures.missed(types.SimpleNamespace(file=games, what=["A", "B"], count=9, nodes=10, luft=luft))
        self.assertEqual([line.split("\t") for line in output.getvalue().splitlines()],
                         [["by", "what", "A", "B"], ["", "games", "2", "2"], ["", "moves", "50", "50"],
                          ["cause", "pin", "10.00", "0.00"], ["cause", "fork", "2.00", "4.00"]])

    def test_one_blunder_spoils_the_accuracy_of_a_phase(self):
        """People's figures are harmonic means of each game, then the mean of the games."""
        player = figures.Figures()
        player.add_game([(0, 0, 0, False, 1), (0, -100, 0, False, 2)])
        player.add_game([(0, 0, 0, False, 1), (0, -900, 0, False, 2)])
        perfect, spoilt = 101, 103.17 * math.exp(-.095 * (50 - 100 / (1 + math.exp(.25)))) - 2.17
        self.assertAlmostEqual(player.accuracy[0][0], 2 / (1 / perfect + 1 / spoilt))
        self.assertAlmostEqual(player.accuracy[0][1], 2 / (1 / perfect + 1 / figures.ACCURACY_LEAST))

    def test_a_typical_game_of_each_player(self):
        """Not the draw, though its loss is the median; without the comments and tags of a match."""
        def game(result, loss):
            text = (f'[Event "e"]\n[White "A"]\n[Black "B"]\n[Result "{result}"]\n[UTCTime "1"]\n\n'
                    f"1. e4 {{+0.10/1 0.0s}} 1... e5 {{-0.1/1}} {result}")
            return text, [(0, -loss, 0, False, 1)]
        played = [game("1-0", 10), game("1/2-1/2", 50), game("0-1", 80)]
        with unittest.mock.patch.object(figures, "judged", lambda arguments, name: played), \
                contextlib.redirect_stdout(io.StringIO()) as output:
            figures.examples(types.SimpleNamespace(what=["A"]))
        self.assertEqual(output.getvalue().strip(), '[Event "e"]\n[White "A"]\n[Black "B"]\n[Result "0-1"]\n\n1. e4 e5 0-1')

    def test_what_is_drawn(self):
        phases = {f"loss {phase}": "7" for phase in ("opening", "middle", "end")}
        tables = ({"elo": 900, "600..": 80, "800..": "-"},
                  {"player": "Luft 900", **phases, "with a blunder %": "50", "first blunder": "-"})
        with tempfile.TemporaryDirectory() as folder:
            paths = [pathlib.Path(folder) / name for name in ("puzzles.tsv", "games.tsv", "image.svg")]
            for path, row in zip(paths, tables):
                path.write_text("\t".join(map(str, row)) + "\n" + "\t".join(map(str, row.values())) + "\n", encoding="utf-8")
            run = lambda words, input, **_: types.SimpleNamespace(stdout=input)
            with unittest.mock.patch.object(figures.subprocess, "run", run):
                figures.plot(types.SimpleNamespace(file=paths[0], what=paths[1:]))
            script = paths[2].read_text(encoding="utf-8").splitlines()
        self.assertEqual(sum(line == "900 7" for line in script), 3)
        self.assertEqual((script.count("700 80"), script.count("900 50"), script.count("900 -")), (1, 1, 0))

    def test_coherence(self):
        row = self.coherence(950)
        self.assertEqual((row["median"], row["farthest"], row["coherent"], row["formula"]), ("1000", "50", "yes", "850"))
        row = self.coherence(1300)
        self.assertEqual((row["median"], row["farthest"], row["coherent"]), ("1000", "300", "no"))


if __name__ == "__main__":
    unittest.main()
