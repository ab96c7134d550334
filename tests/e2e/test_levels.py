"""Levels in UCI conversations: the same game from the same seed, and what does not change with it."""

import time
import unittest

from patience import HANG
from uci_engine import Engine

LEVEL = ("setoption name UCI_LimitStrength value true", "setoption name UCI_Elo value 1100")
SEED = "setoption name Level Seed value 7"
AT_ONCE = "setoption name Level Pace value false"
PLIES = 16


class Levels(unittest.TestCase):
    def setUp(self):
        self.engine = self.start()

    def start(self, *lines):
        engine = Engine()
        self.addCleanup(engine.close)
        engine.read_line()
        engine.send(*lines)
        return engine

    def play(self, engine, go="go movetime 100000", plies=PLIES, before="ucinewgame"):
        """A game of the level against itself: its moves."""
        moves = []
        engine.send(before)
        for _ in range(plies):
            search = engine.search("position startpos moves " + " ".join(moves), go)
            moves.append(search.best)
        return moves

    def test_the_options_are_listed(self):
        lines = self.engine.ask("uci", until="uciok$")
        for wanted in ("UCI_LimitStrength type check default false", "UCI_Elo type spin default 1500 min 600 max 3000",
                       "Skill Level type spin default 20 min 0 max 20", "Level Seed type spin default 0 min 0 max 2147483647",
                       "Level Pace type check default true"):
            self.assertIn("option name " + wanted, lines)

    def test_the_same_seed_gives_the_same_game_whatever_clock_threads_and_hash(self):
        first = self.play(self.start(*LEVEL, SEED))
        for lines, go in (((), "go movetime 90000"), ((AT_ONCE,), "go wtime 900000 btime 800000 winc 1000 binc 1000"),
                          (("setoption name Threads value 3", "setoption name Hash value 64"), "go movetime 100000"),
                          (("setoption name MultiPV value 3",), "go depth 100")):
            self.assertEqual(self.play(self.start(*LEVEL, SEED, *lines), go), first, (lines, go))

    def test_the_same_game_again(self):
        engine = self.start(*LEVEL, SEED)
        first = self.play(engine)
        self.assertEqual(self.play(engine), first)
        self.assertEqual(self.play(engine, before="setoption name Clear Hash"), first)

    def test_without_a_seed_games_differ(self):
        engine = self.start(*LEVEL)
        games = {tuple(self.play(engine, plies=12)) for _ in range(6)}
        self.assertGreater(len(games), 2)

    def test_the_seed_that_is_shown_gives_the_game_again(self):
        engine = self.start(*LEVEL)
        line = next(line for line in engine.ask("ucinewgame", "go movetime 100000", until="bestmove") if "Level Seed" in line)
        engine.close()
        again = self.start(*LEVEL)
        seed = line.split()[-1]
        again.send(f"setoption name Level Seed value {seed}")
        self.assertIn(f"Level Seed {seed}", "".join(again.ask("go movetime 100000", until="bestmove")))

    def test_a_level_leaves_nothing_behind(self):
        position = "position startpos moves e2e4 e7e5"
        nodes = self.engine.search("ucinewgame", position, "go depth 9").last().nodes
        for line in LEVEL:
            self.engine.send(line)
        self.engine.send("ucinewgame")
        self.engine.search(position, "go movetime 100000")
        self.engine.send("setoption name UCI_LimitStrength value false")
        self.assertEqual(self.engine.search(position, "go depth 9").last().nodes, nodes)

    def test_one_line_with_the_move_that_is_played(self):
        engine = self.start(*LEVEL, SEED, "setoption name MultiPV value 4")
        search = engine.search("position startpos", "go movetime 100000")
        self.assertEqual(len(search.infos), 1)
        self.assertEqual((search.infos[0].rank, search.infos[0].pv[0]), (1, search.best))

    def test_limits_of_both_kinds_hold(self):
        engine = self.start(*LEVEL, SEED)
        self.assertLessEqual(engine.search("position startpos", "go depth 1").last().depth, 1)
        self.assertLess(engine.search("position startpos", "go nodes 1000000000").last().nodes, 2000)

    def test_a_move_below_2000_is_cheap(self):
        """10,000 nodes take a machine of our days less than 50 ms."""
        engine = self.start(*LEVEL, SEED)
        for elo in (600, 1300, 1999):
            engine.send(f"setoption name UCI_Elo value {elo}")
            self.assertLess(engine.search("position startpos moves e2e4 e7e5", "go movetime 100000").last().nodes, 10000)

    def test_skill_level_is_a_level_too(self):
        engine = self.start("setoption name Skill Level value 3", SEED)
        self.assertIn("UCI_Elo 960,", "".join(engine.ask("go movetime 100000", until="bestmove")))
        lines = engine.ask(*LEVEL, "go movetime 100000", until="bestmove")
        self.assertIn("UCI_Elo 1100,", "".join(lines))
        lines = engine.ask("setoption name UCI_LimitStrength value false", "setoption name Skill Level value 20", "go depth 5",
                           until="bestmove")
        self.assertIn("counts only with UCI_LimitStrength", "".join(lines))
        self.assertGreater(sum(" score " in line for line in lines), 1)

    def test_the_rating_of_people_is_shown_where_it_is_known(self):
        engine = self.start(*LEVEL, SEED)
        for elo, wanted in ((1200, "plays at UCI_Elo 1200, about 1017 +- 100 in blitz at Lichess; Level Seed 7"),
                            (2800, "about 1907 +- 100"), (2801, "plays at UCI_Elo 2801; Level Seed 7")):
            lines = engine.ask(f"setoption name UCI_Elo value {elo}", "position startpos", "go depth 1", until="bestmove")
            self.assertIn(wanted, "".join(lines))

    def test_bad_values(self):
        engine = self.start(*LEVEL)
        for value, words, elo in (("abc", "needs a whole number, not 'abc'", 1100), ("0", "it is now the nearest", 600),
                                  ("99999", "from 600 to 3000, not 99999", 3000), ("-7", "it is now the nearest", 600),
                                  ("9" * 20, "it is now the nearest", 3000), ("-" + "9" * 300, "it is now the nearest", 600)):
            errors = [line for line in engine.ask(f"setoption name UCI_Elo value {value}", "isready", until="readyok")
                      if "error" in line]
            self.assertEqual(len(errors), 1, value)
            self.assertIn(words, errors[0])
            self.assertRegex("".join(engine.ask("go depth 1", until="bestmove")), f"UCI_Elo {elo}[,;]")
        engine.send("setoption name Skill Level value 21", "setoption name UCI_LimitStrength value maybe",
                    "setoption name Level Seed value -1", "setoption name Level Pace value 3")
        self.assertEqual(sum("error" in line for line in engine.synchronise()), 4)
        self.assertEqual(len(engine.search("go movetime 100000").infos), 1)  # still the level

    def test_a_change_during_a_game_and_a_search(self):
        engine = self.start(*LEVEL, SEED)
        engine.search("position startpos moves e2e4", "go movetime 100000")
        lines = engine.ask("setoption name UCI_Elo value 1500", "position startpos moves e2e4 e7e5", "go movetime 100000",
                           until="bestmove")
        self.assertIn("UCI_Elo 1500,", "".join(lines))
        engine.send("go infinite", "setoption name UCI_Elo value 1700", "stop", "go movetime 100000")
        text = "".join(engine.read_until("bestmove") + engine.read_until("bestmove"))
        self.assertIn("UCI_Elo 1700,", text)

    def test_analysis_is_said_to_be_weak_once(self):
        engine = self.start(*LEVEL)
        text = ""
        for go in ("go infinite", "go infinite", "go"):
            engine.send("position startpos", go)
            text += "\n".join(engine.synchronise() + engine.ask("stop", until="bestmove"))
        self.assertEqual(text.count("this analysis is weakened"), 1)
        self.assertNotIn("bestmove", text.split("weakened")[0])

    def test_a_level_keeps_its_pace_on_a_clock_only(self):
        engine = self.start(*LEVEL, SEED)
        began = time.monotonic()
        engine.search("position startpos", "go wtime 60000 btime 60000")
        self.assertGreater(time.monotonic() - began, 0.2)
        # These would take hours with the pace of such a clock: an only move, other limits, no pace; a stop ends the wait.
        clock = "go wtime 900000000 btime 900000000"
        only_move = "position fen 7k/8/8/8/8/8/r7/7K w - - 0 1"
        for lines in ((only_move, clock), ("position startpos", clock + " depth 3"),
                      ("position startpos", AT_ONCE, clock)):
            engine.search(*lines, patience=HANG)
        engine.send("setoption name Level Pace value true", "position startpos", clock)
        engine.synchronise()
        engine.ask("stop", until="bestmove")

    def test_pondering_adds_nothing(self):
        engine = self.start(*LEVEL, SEED, AT_ONCE)
        plain = engine.search("position startpos moves e2e4", "go wtime 60000 btime 60000")
        engine.send("position startpos moves e2e4", "go ponder wtime 60000 btime 60000")
        engine.synchronise()
        pondered = engine.search("ponderhit")
        self.assertEqual(pondered.best, plain.best)

    def test_the_end_of_a_game(self):
        engine = self.start(*LEVEL)
        for fen in ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1"):
            self.assertEqual(engine.search(f"position fen {fen}", "go movetime 1000").best, "(none)")

    def test_who_stands_better_does_not_go_to_and_fro(self):
        """A queen ahead, in a game where both sides have moved there and back: no level brings the position back again."""
        engine = self.start(*LEVEL)
        game = "position fen 6k1/5ppp/8/8/8/8/5PPP/Q5K1 w - - 0 1 moves a1b1 g8f8 b1a1 f8g8 a1b1 g8f8"
        for seed in range(1, 31):
            engine.send(f"setoption name Level Seed value {seed}")
            self.assertNotEqual(engine.search(game, "go movetime 100000").best, "b1a1", seed)

    def test_a_pawn_becomes_a_queen_unless_another_piece_promises_more(self):
        """In a won game all pieces promise the same; a queen on f8 gives stalemate."""
        for elo in (800, 1200, 1600, 2100):
            engine = self.start("setoption name UCI_LimitStrength value true", f"setoption name UCI_Elo value {elo}")
            for seed in range(1, 11):
                engine.send(f"setoption name Level Seed value {seed}")
                best = engine.search("position fen 8/1P3P2/p4P2/P5Pp/2P1k2P/8/3K4/8 w - - 3 65", "go movetime 100000").best
                self.assertIn(best[4:], ("", "q"), (elo, seed))
                if elo > 1300:
                    best = engine.search("position fen 8/5P1k/8/6K1/8/8/8/8 w - - 0 1", "go movetime 100000").best
                    self.assertNotEqual(best, "f7f8q", (elo, seed))

    def test_every_strength_plays_legal_moves_and_mates_with_a_rook(self):
        engine = self.start(*LEVEL, SEED)
        for elo in range(600, 3001, 400):
            engine.send(f"setoption name UCI_Elo value {elo}")
            position = "startpos moves " + " ".join(self.play(engine, plies=4))
            self.assertIn(engine.search(f"position {position}", "go movetime 100000").best, engine.legal_moves(position))
        engine.send("setoption name UCI_Elo value 1300")
        fen, moves = "fen 8/8/8/4k3/8/8/8/R3K3 w - - 0 1", []
        while True:
            search = engine.search(f"position {fen} moves " + " ".join(moves), "go movetime 100000")
            if search.best == "(none)":
                break
            moves.append(search.best)
            self.assertLess(len(moves), 100)
        self.assertEqual(len(moves) % 2, 1)


if __name__ == "__main__":
    unittest.main()
