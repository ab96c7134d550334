"""`info refutation` and `info currline`, which few engines report."""

import unittest

from uci_engine import Engine

FORKED = "position fen 2kr3r/ppp3pp/6q1/3Pnp2/1PP1p3/7P/P2QNPP1/R4RK1 w - - 1 17"


class Progress(unittest.TestCase):
    def setUp(self):
        self.engine = Engine()
        self.addCleanup(self.engine.close)
        self.engine.read_line()

    def words_after(self, key, *lines):
        """Runs a search; returns the words of each line `info <key> …`, and the search."""
        search = self.engine.search(*lines)
        return [line.split()[2:] for line in search.lines if line.startswith(f"info {key}")], search

    def assert_legal(self, position, moves):
        self.assertEqual(self.engine.ask(f"{position} moves {' '.join(moves)}", "isready", until="readyok$"), ["readyok"], moves)

    def test_off_without_the_options(self):
        for key in ("refutation", "currline"):
            self.assertEqual(self.words_after(key, "position startpos", "go movetime 300")[0], [])

    def test_every_other_move_is_refuted(self):
        self.engine.send("setoption name UCI_ShowRefutations value true")
        for lines in (1, 3):
            self.engine.send(f"setoption name MultiPV value {lines}", "ucinewgame")
            refuted, search = self.words_after("refutation", FORKED, "go depth 9")
            best = [search.last(rank).pv[0] for rank in range(1, lines + 1)]
            legal = self.engine.legal_moves(FORKED[len("position "):])
            last = refuted[len(best) - len(legal):]  # of the last iteration
            self.assertEqual(sorted([line[0] for line in last] + best), sorted(legal))
            answers = {line[0]: line[1:] for line in last}
            self.assertEqual(answers["d2d4"][0], "e5f3")
            self.assertGreater(sum(len(line) > 1 for line in last), len(last) // 4)
            for line in last:
                self.assert_legal(FORKED, line)

    def test_only_moves_that_are_searched(self):
        self.engine.send("setoption name UCI_ShowRefutations value true")
        refuted, search = self.words_after("refutation", "position startpos", "go depth 8 searchmoves e2e4 a2a3")
        other = "a2a3" if search.best == "e2e4" else "e2e4"
        self.assertEqual({line[0] for line in refuted[-1:]}, {other})
        refuted, _ = self.words_after("refutation", "position startpos", "go depth 8 searchmoves a2a3")
        self.assertEqual(refuted, [])

    def test_the_current_line(self):
        self.engine.send("setoption name UCI_ShowCurrLine value true")
        lines, _ = self.words_after("currline", FORKED, "go movetime 600")
        self.assertGreater(len(lines), 2)
        self.assertLess(len(lines), 20)
        for line in lines:
            self.assert_legal(FORKED, line)
        self.engine.send("setoption name Threads value 2")
        lines, _ = self.words_after("currline", FORKED, "go movetime 400")
        self.assertEqual({line[0] for line in lines}, {"1"})

    def test_the_search_is_the_same_with_them(self):
        plain = self.engine.search("ucinewgame", "position startpos", "go depth 9")
        shown = self.engine.search("setoption name UCI_ShowCurrLine value true", "setoption name UCI_ShowRefutations value true",
                                   "ucinewgame", "position startpos", "go depth 9")
        self.assertEqual((plain.best, plain.last().nodes), (shown.best, shown.last().nodes))


if __name__ == "__main__":
    unittest.main()
