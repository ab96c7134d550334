"""The command sequences of real programs, and what they require. docs/clients.md describes how to add Luft to each.

Each test replays the lines that a program sends; the program itself is not needed.
"""

import pathlib
import re
import time
import unittest

from uci_engine import Engine

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
BEHIND_GO = re.compile(r"info depth \d+ |info string |bestmove |readyok$")


class Client(unittest.TestCase):
    def setUp(self):
        self.engine = Engine()
        self.addCleanup(self.engine.close)

    def begin(self):
        """Sends `uci`; returns the names of the options that Luft lists."""
        lines = self.engine.ask("uci", until="uciok$")
        names = [re.match(r"option name (.+) type (\w+)", line) for line in lines if line.startswith("option ")]
        self.assertNotIn(None, names)
        return {match.group(1): match.group(2) for match in names}

    def ready(self):
        """Sends `isready`; returns the lines before `readyok`."""
        return self.engine.synchronise()

    def think(self, *lines):
        """Runs a search. Every line has a form that clients know, and the best move is that of the last line shown."""
        search = self.engine.search(*lines)
        for line in search.lines:
            self.assertRegex(line, BEHIND_GO)
        self.assertEqual(search.best, search.last().pv[0])
        return search

    def assert_sets(self, search, count):
        """The lines come in sets of `count`, with ranks in order and one depth; only the last set may be incomplete."""
        ranks = [info.rank for info in search.infos]
        self.assertEqual(ranks, list(range(1, count + 1)) * (len(ranks) // count))
        for first in range(0, len(ranks) - count, count):
            self.assertEqual({info.depth for info in search.infos[first:first + count]}, {first // count + 1})


class LichessBot(Client):
    """lichess-bot speaks through python-chess, which refuses to start when an option of the configuration is missing."""
    DEFAULTS = {"Move Overhead": "100", "Threads": "2", "Hash": "32", "UCI_ShowWDL": "true",
                "SyzygyPath": "./syzygy/"}  # which does not exist

    def test_default_configuration_and_a_pondered_game(self):
        options = self.begin()
        self.assertLessEqual(set(self.DEFAULTS) | {"Ponder"}, set(options))
        for name, value in self.DEFAULTS.items():
            self.engine.send(f"setoption name {name} value {value}")
        self.engine.send("setoption name Ponder value true", "ucinewgame")
        self.ready()
        clock = "wtime 2000 btime 2000 winc 50 binc 50"
        moves = []
        for _ in range(3):
            search = self.think(" ".join(["position startpos moves", *moves]).removesuffix(" moves"), f"go {clock}")
            self.assertTrue(all(" wdl " in info.line for info in search.infos))
            self.assertIsNotNone(search.ponder)
            moves += [search.best, search.ponder]
            self.engine.send("position startpos moves " + " ".join(moves), f"go ponder {clock}")
            time.sleep(0.05)
            moves.append(self.engine.ask("ponderhit", until="bestmove")[-1].split()[1])
            moves.append(self.engine.legal_moves("startpos moves " + " ".join(moves))[0])
        self.engine.send("position startpos moves " + " ".join(moves), f"go ponder {clock}")
        self.engine.ask("stop", until="bestmove")  # another move was played
        self.assertEqual(self.engine.close(), 0)

    def test_the_configurations_that_come_with_luft(self):
        self.begin()
        for path in sorted((pathlib.Path(__file__).resolve().parents[2] / "examples/lichess-bot").glob("*.yml")):
            text = path.read_text(encoding="utf-8").partition("uci_options:\n")[2]
            options = re.findall(r"^    ([\w ]+): (\w+)", text.partition("\n\n")[0], re.M)
            self.assertGreater(len(options), 4, path)
            self.engine.send(*(f"setoption name {name} value {value}" for name, value in options))
            self.assertEqual(self.ready(), [], path)


class ExternalEngine(Client):
    """Lichess's provider uses one engine for all jobs: Chess960 always on, `stop` while idle, an empty list of moves."""

    def test_many_jobs(self):
        self.begin()
        for name, value in (("UCI_AnalyseMode", "true"), ("UCI_Chess960", "true"), ("UCI_Variant", "chess")):
            self.engine.send(f"setoption name {name} value {value}")
        self.assertEqual(self.ready(), ["info string error: setoption: there is no option 'UCI_Variant'"])
        for job in range(40):
            lines = job % 3 + 1
            self.engine.send("stop", "ucinewgame", f"setoption name MultiPV value {lines}", "setoption name Threads value 1")
            self.assertEqual(self.ready(), [])
            moves = ("", "e2e4", "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1h1")[job % 3]  # castling is king takes rook
            self.engine.send(f"position fen {START} moves {moves}")
            limit = ("movetime 20", "depth 5", "infinite")[job % 2 if lines > 1 else 2]
            if limit == "infinite":
                self.engine.send("go infinite")
                self.engine.read_until("info depth 3 ")
                self.engine.ask("stop", until="bestmove")
            else:
                self.assert_sets(self.think(f"go {limit}"), lines)


class EnCroissant(Client):
    """Shows a set of lines when all have one depth; starts the next search immediately after `bestmove`."""

    def test_lines_and_new_positions(self):
        self.assertLessEqual({"MultiPV", "Threads", "Hash"}, set(self.begin()))
        self.engine.send("setoption name MultiPV value 3", "setoption name Hash value 16", "setoption name Threads value 1")
        self.ready()
        self.engine.send(f"position fen {START} moves e2e4", "go infinite")
        self.engine.read_until("info depth 6 .* multipv 3 ")
        self.engine.ask("stop", until="bestmove")
        for limit in ("depth 7", "movetime 60", "nodes 20000"):
            self.assert_sets(self.think(f"position fen {START} moves e2e4 c7c5", f"go {limit}"), 3)


class Nibbler(Client):
    """Asks for all moves at once (MultiPV 500), and changes positions by `stop` and `go`."""

    def test_all_moves_and_quick_changes(self):
        options = self.begin()
        self.assertIn("UCI_ShowWDL", options)
        self.engine.send("setoption name UCI_ShowWDL value true", "setoption name UCI_Chess960 value true",
                         "setoption name MultiPV value 218", "ucinewgame")
        self.ready()
        self.engine.send("position startpos", "go infinite")
        self.engine.read_until("info depth 2 .* multipv 20 ")
        self.engine.send("stop", "position startpos moves d2d4", "go infinite", "stop", "position startpos moves d2d4 d7d5",
                         "go nodes 5000")
        for _ in range(3):
            self.engine.read_until("bestmove")


class CuteChess(Client):
    """Plays games on a clock, with CRLF on Windows; `isready` before every move."""

    def test_a_few_moves_on_a_clock(self):
        self.begin()
        self.engine.send("setoption name Hash value 8", "ucinewgame")
        self.ready()
        moves = []
        for number in range(6):
            position = "position startpos" + (" moves " + " ".join(moves) if moves else "")
            self.engine.send_bytes(f"{position}\r\nisready\r\n".encode())
            self.engine.read_until("readyok$")
            moves.append(self.think(f"go wtime 1000 btime 1000 winc 10 binc 10 movestogo {40 - number}").best)
        self.assertEqual(len(self.engine.board("startpos moves " + " ".join(moves))[0].split()), 6)

    def test_a_draw_offer_and_unknown_words_do_no_harm(self):
        self.begin()
        self.engine.send("setoption name UCI_Opponent value none none computer Stockfish", "debug off")
        self.assertEqual(self.ready(), ["info string error: setoption: there is no option 'UCI_Opponent'"])


class PyChess(Client):
    """Uses engines for hints: `go infinite` on every position, `stop` when the user moves, often before the first line."""

    def test_analysing_while_moves_are_played(self):
        self.begin()
        self.engine.send("setoption name UCI_AnalyseMode value true", "setoption name MultiPV value 2", "ucinewgame")
        self.ready()
        moves = []
        for move in ("e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6"):
            self.engine.send(f"position fen {START} moves {' '.join(moves)}".rstrip(), "go infinite")
            search = self.think("stop")
            self.assert_sets(search, 2)
            moves.append(move)

    def test_no_legal_move(self):
        self.begin()
        search = self.engine.search("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "go movetime 100")
        self.assertEqual(search.lines[-1], "bestmove (none)")


if __name__ == "__main__":
    unittest.main()
