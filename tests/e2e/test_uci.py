"""UCI conversations with the engine: start, options, positions, and searches of every kind."""

import os
import random
import re
import subprocess
import time
import unittest

from patience import HANG, within
from uci_engine import END, LUFT, Engine, is_sanitized

STALEMATE = "fen 7k/8/6Q1/8/8/8/8/K7 b - - 0 1"
MATED = "fen R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1"
MATE_IN_2 = "fen 2bqkbn1/2pppp2/np2N3/r3P1p1/p2N2B1/5Q2/PPPPKPP1/RNB2r2 w - - 0 1"
BACK_RANK_MATE = "fen 6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1"
MIDDLE_GAME = "fen r1bq1rk1/ppp1nppp/4n3/3p3Q/3P4/1BP1B3/PP1N2PP/R4RK1 w - - 1 16"
INFO = re.compile(
    r"info depth \d+ seldepth \d+ multipv \d+ score (cp|mate) -?\d+( lowerbound| upperbound)?( wdl \d+ \d+ \d+)? "
    r"nodes \d+ nps \d+ hashfull \d+ tbhits \d+ time \d+( pv( [a-h][1-8][a-h][1-8][nbrq]?)+)?")
CURRENT_MOVE = re.compile(r"info depth \d+ currmove [a-h][1-8][a-h][1-8][nbrq]? currmovenumber \d+")
NO_MATE = re.compile(r"info string no mate in \d+: every move was tried")


def processor_time(engine):
    """Processor time of the engine in seconds."""
    with open(f"/proc/{engine.process.pid}/stat", encoding="ascii") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / 100


class Conversation(unittest.TestCase):
    def setUp(self):
        self.engine = Engine()
        self.addCleanup(self.engine.close)
        self.banner = self.engine.read_line()

    def assert_search_is_sound(self, search, position):
        """Invariants of every search: legal moves, well-formed lines, bestmove from the last first line."""
        legal = self.engine.legal_moves(position)
        self.assertGreaterEqual(len(search.infos), 1)
        self.assertTrue(search.lines[-1].startswith("bestmove "))
        for line in search.lines[:-1]:
            self.assertTrue(any(form.fullmatch(line) for form in (INFO, CURRENT_MOVE, NO_MATE)), line)
        self.assertIn(search.best, legal)
        self.assertEqual(search.best, search.last().pv[0])

    def error_of(self, *lines):
        """Sends lines and isready; returns the one error line."""
        self.engine.send(*lines)
        answers = self.engine.synchronise()
        errors = [line for line in answers if line.startswith("info string error: ")]
        self.assertEqual(len(errors), 1, answers)
        return errors[0]


class Start(Conversation):
    def test_one_banner_line_before_uci(self):
        self.assertRegex(self.banner, r"^Luft \d")
        time.sleep(0.2)
        self.assertTrue(self.engine.lines.empty())

    def test_uci_lists_name_author_options(self):
        lines = self.engine.ask("uci", until="uciok$")
        self.assertRegex(lines[0], r"^id name Luft \S+$")
        self.assertRegex(lines[1], r"^id author \S")
        for line in lines[2:-1]:
            self.assertRegex(line, r"^option name \S.* type (check default (true|false)|button|string default \S.*|"
                                   r"spin default -?\d+ min -?\d+ max -?\d+|combo default (\S+) (.* )?var \3( .*|$))$")

    def test_options_have_the_exact_names(self):
        lines = self.engine.ask("uci", until="uciok$")
        for wanted in ("Hash type spin default 16 min 1 max ", "Threads type spin default 1 min 1 max ",
                       "Clear Hash type button", "Ponder type check default false",
                       "MultiPV type spin default 1 min 1 max ", "Move Overhead type spin default ",
                       "nodestime type spin default 0 min 0 max ",
                       "UCI_Chess960 type check default false", "UCI_ShowWDL type check default false",
                       "UCI_ShowRefutations type check default false", "UCI_ShowCurrLine type check default false",
                       "UCI_AnalyseMode type check default false"):
            self.assertTrue(any(line.startswith("option name " + wanted) for line in lines), wanted)

    def test_options_that_do_not_work_are_not_listed(self):
        text = "\n".join(self.engine.ask("uci", until="uciok$"))
        self.assertNotIn("OwnBook", text)

    def test_setoption_before_uci(self):
        self.engine.send("setoption name Hash value 8")
        lines = self.engine.ask("uci", until="uciok$")
        self.assertFalse([line for line in lines if "error" in line])

    def test_quit_ends_with_status_0(self):
        self.assertEqual(self.engine.close(), 0)


class Input(Conversation):
    def test_crlf(self):
        self.engine.send_bytes(b"position startpos moves e2e4\r\ngo depth 1\r\n")
        self.assertRegex(self.engine.read_until("bestmove")[-1], r"^bestmove [a-h][78]")

    def test_any_white_space_between_words(self):
        self.engine.send_bytes(b"\t position \t startpos  moves\te2e4   e7e5 \n  go\tdepth   1\n")
        self.engine.read_until("bestmove")
        self.assertIn("/4p3/4P3/", self.engine.ask("d", until="Checkers")[-3])

    def test_unknown_words_are_skipped(self):
        self.engine.send("joho debug on", "position startpos foo moves e2e4", "go quickly depth 1 please")
        self.assertNotIn("error", "\n".join(self.engine.read_until("bestmove")))

    def test_unknown_command_is_an_error_line(self):
        self.assertIn("frobnicate", self.error_of("frobnicate"))

    def test_empty_lines(self):
        self.engine.send("", "   ", "")
        self.assertFalse([line for line in self.engine.synchronise() if "error" in line])

    def test_binary_junk(self):
        self.engine.send_bytes(bytes(range(256)).replace(b"\n", b"") * 4 + b"\n\x00\x00go\x00\n")
        self.assertEqual(self.engine.ask("isready", until="readyok$")[-1], "readyok")
        for _, line in self.engine.log:
            self.assertTrue(line.isprintable(), repr(line))

    def test_line_of_a_megabyte(self):
        self.engine.send("x" * 1_000_000, "position startpos moves" + " g1f3 g8f6 f3g1 f6g8" * 50_000)
        self.assertIn(" 100001", self.engine.ask("d", until="Checkers")[-3])

    def test_line_over_8_kilobytes(self):
        self.engine.send("position startpos moves" + " g1f3 g8f6 f3g1 f6g8" * 500 + " e2e4")
        fen = self.engine.ask("d", until="Checkers")[-3]
        self.assertEqual(fen, "FEN: rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1001")

    def test_last_line_without_line_feed(self):
        self.engine.send_bytes(b"isready")
        self.engine.process.stdin.close()
        self.engine.read_until("readyok$")
        self.assertEqual(self.engine.process.wait(HANG), 0)


class Options(Conversation):
    def test_names_without_regard_to_case(self):
        self.engine.send("setoption name mULTIpv value 3")
        search = self.engine.search("go depth 3")
        self.assertEqual({info.rank for info in search.infos}, {1, 2, 3})

    def test_value_out_of_range_is_refused(self):
        for option, value in (("Hash", "0"), ("Threads", "99999"), ("Threads", "0"), ("MultiPV", "0"),
                              ("MultiPV", "100000"), ("Move Overhead", "-1"), ("Hash", "99999999999999999999")):
            with self.subTest(option=option, value=value):
                self.assertIn(option, self.error_of(f"setoption name {option} value {value}"))

    def test_an_invalid_value_is_refused(self):
        for option, value in (("Hash", "lots"), ("Hash", ""), ("Ponder", "maybe"), ("UCI_Chess960", "1.5"),
                              ("UCI_ShowWDL", "1"), ("UCI_AnalyseMode", "")):
            with self.subTest(option=option, value=value):
                self.assertIn(option, self.error_of(f"setoption name {option} value {value}"))

    def test_a_refused_value_keeps_the_old_one(self):
        self.engine.send("setoption name MultiPV value 2", "setoption name MultiPV value 0")
        self.assertEqual({info.rank for info in self.engine.search("go depth 3").infos}, {1, 2})

    def test_unknown_option_is_named_once(self):
        self.engine.send("setoption name Contempt value 24", "setoption name hsah value 32")
        said = [line for line in self.engine.synchronise() if line.startswith("info string")]
        self.assertEqual(said, ["info string error: setoption: there is no option 'Contempt'",
                                "info string error: setoption: there is no option 'hsah'; did you mean 'Hash'?"])

    def test_setoption_without_name(self):
        self.assertIn("setoption", self.error_of("setoption"))

    def test_hash_above_memory_is_refused_and_the_old_one_works(self):
        self.assertIn("setoption", self.error_of("setoption name Hash value 1048576"))
        self.assert_search_is_sound(self.engine.search("position startpos", "go depth 4"), "startpos")

    def test_move_overhead_with_the_space(self):
        self.engine.send("setoption name Move Overhead value 100")
        self.assertFalse([line for line in self.engine.synchronise() if "error" in line])

    def test_clear_hash_resets_the_search(self):
        first = self.engine.search("position startpos", "go depth 7").last().nodes
        self.engine.send("setoption name Clear Hash")
        self.assertEqual(self.engine.search("go depth 7").last().nodes, first)

    def test_multi_pv_has_distinct_sorted_moves(self):
        search = self.engine.search("setoption name MultiPV value 5", f"position {MIDDLE_GAME}", "go depth 6")
        lines = [search.last(rank) for rank in range(1, 6)]
        self.assertEqual(len({line.pv[0] for line in lines}), 5)
        scores = [line.score for line in lines if line.kind == "cp"]
        self.assertEqual(scores, sorted(scores, reverse=True))
        self.assertEqual(search.best, lines[0].pv[0])

    def test_multi_pv_above_the_number_of_moves(self):
        search = self.engine.search("setoption name MultiPV value 50", "position startpos", "go depth 2")
        self.assertEqual(max(info.rank for info in search.infos), 20)


class Chances(Conversation):
    """UCI_ShowWDL: chances of the side to move to win, draw and lose, in permille."""
    INFO_WITH_CHANCES = re.compile(
        r"info depth \d+ seldepth \d+ multipv \d+ score (?:cp|mate) -?\d+(?: lowerbound| upperbound)? "
        r"wdl (\d+) (\d+) (\d+) nodes \d+ nps \d+ hashfull \d+ tbhits 0 time \d+ pv( [a-h][1-8][a-h][1-8][nbrq]?)+")

    def search_with_chances(self, *lines):
        """Returns the search, and (win, draw, loss) of each line with a score."""
        self.engine.send("setoption name UCI_ShowWDL value true")
        search = self.engine.search(*lines)
        chances = []
        for info in search.infos:
            match = self.INFO_WITH_CHANCES.fullmatch(info.line)
            self.assertIsNotNone(match, info.line)
            chances.append(tuple(int(match[part]) for part in (1, 2, 3)))
            self.assertEqual(sum(chances[-1]), 1000, info.line)
        return search, chances

    def test_off_by_default_and_again(self):
        self.assertNotIn("wdl", "\n".join(self.engine.search("go depth 4").lines))
        self.engine.send("setoption name UCI_ShowWDL value true", "setoption name UCI_ShowWDL value false")
        self.assertNotIn("wdl", "\n".join(self.engine.search("go depth 4").lines))

    def test_every_score_has_them(self):
        search, _ = self.search_with_chances("setoption name MultiPV value 3", f"position {MIDDLE_GAME}", "go depth 7")
        self.assertEqual({info.rank for info in search.infos}, {1, 2, 3})
        self.assert_search_is_sound(search, MIDDLE_GAME)

    def test_they_rise_with_the_score(self):
        search, chances = self.search_with_chances("setoption name MultiPV value 100", f"position {MIDDLE_GAME}", "go depth 3")
        by_score = sorted((info.score, wdl) for info, wdl in zip(search.infos, chances) if info.kind == "cp")
        wins, losses = [wdl[0] for _, wdl in by_score], [wdl[2] for _, wdl in by_score]
        self.assertGreater(len(set(wins)), 2)
        self.assertEqual(wins, sorted(wins))
        self.assertEqual(losses, sorted(losses, reverse=True))

    def test_mates_are_certain(self):
        search, chances = self.search_with_chances(f"position {MATE_IN_2}", "go mate 2")
        self.assertEqual((search.last().kind, chances[-1]), ("mate", (1000, 0, 0)))
        _, chances = self.search_with_chances("position fen 7k/5K2/8/6R1/8/8/8/8 b - - 0 1", "go depth 12")
        self.assertEqual(chances[-1], (0, 0, 1000))

    def test_no_legal_move(self):
        self.engine.send("setoption name UCI_ShowWDL value true")
        for position, score in ((STALEMATE, "cp 0 wdl 0 1000 0"), (MATED, "mate 0 wdl 0 0 1000")):
            with self.subTest(position=position):
                search = self.engine.search(f"position {position}", "go depth 5")
                self.assertEqual(search.lines[-2:], [f"info depth 0 score {score}", "bestmove (none)"])

    def test_they_are_for_show_only(self):
        nodes = [self.engine.search("setoption name Clear Hash", f"setoption name UCI_ShowWDL value {value}",
                                    f"position {MIDDLE_GAME}", "go depth 7").last().nodes for value in ("false", "true")]
        self.assertEqual(nodes[0], nodes[1])


class AnalyseMode(Conversation):
    def test_searches_are_sound(self):
        self.engine.send("setoption name UCI_AnalyseMode value true")
        for position, limits in ((MIDDLE_GAME, "depth 6"), ("fen 8/8/8/4k3/8/8/8/K7 w - - 0 1", "depth 6"),
                                 ("fen 7k/8/8/8/8/8/r7/K7 w - - 0 1", "wtime 300 btime 300")):
            with self.subTest(position=position):
                self.assert_search_is_sound(self.engine.search(f"position {position}", f"go {limits}"), position)

    def test_a_dead_draw_is_exactly_zero(self):
        search = self.engine.search("setoption name UCI_AnalyseMode value true", "position fen 8/8/8/4k3/8/8/8/K7 w - - 0 1",
                                    "go depth 8")
        self.assertEqual({(info.kind, info.score) for info in search.infos}, {("cp", 0)})


class Position(Conversation):
    def test_empty_move_list_and_trailing_space(self):
        self.engine.send("position fen 4k3/8/8/8/8/8/8/R3K3 w Q - 3 9 moves ")
        self.assertEqual(self.engine.ask("d", until="Checkers")[-3], "FEN: 4k3/8/8/8/8/8/8/R3K3 w Q - 3 9")

    def test_four_fields(self):
        self.engine.send("position fen 4k3/8/8/8/8/8/8/R3K3 w Q -")
        self.assertEqual(self.engine.ask("d", until="Checkers")[-3], "FEN: 4k3/8/8/8/8/8/8/R3K3 w Q - 0 1")

    def test_without_a_position_no_older_one_is_searched(self):
        for position in ("fen", "fen x", "fen 8/8/8/8/8/8/8/8 w - - 0 1", "fen 4k3/8/8/8/8/8/8/4K3 x - - 0 1", "", "e2e4",
                         "fen 4k3/9/8/8/8/8/8/4K3 w - - 0 1", "fen 4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", "moves e2e4", "strtpos",
                         "fen QQQQQQQk/Q6Q/Q6Q/Q3Q2Q/Q6Q/QQ5Q/nnQ4Q/knQQQQQQ w - - 0 1",
                         "fen QQQQQQBk/Q6B/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/KQQQQQQQ w - - 0 1"):
            with self.subTest(position=position):
                self.engine.send(f"position {MATED}")
                error = self.error_of(f"position {position}")
                self.assertTrue(error.startswith("info string error: position: "), error)
                reason = error.partition("position: ")[2]
                for go in ("depth 3", "movetime 5", "wtime 9 btime 9", "nodes 10 searchmoves e2e4", "perft 2", "mate 1"):
                    self.assertEqual(self.engine.search(f"go {go}").lines, [f"info string error: go: {reason}", "bestmove (none)"])
                for line in ("d", "eval"):
                    self.assertEqual(self.error_of(line), f"info string error: {line}: {reason}")
                self.assertEqual(self.engine.ask("explain e2e4", until="info string explain end")[0],
                                 f"info string error: explain: {reason}")
                self.assertNotEqual(self.engine.search("position startpos", "go depth 1").best, "(none)")

    def test_without_a_position_infinite_and_ponder_are_held(self):
        self.engine.send("position fen x")
        for go, end in (("infinite", "stop"), ("ponder", "ponderhit"), ("ponder wtime 9 btime 9", "stop"), ("", "stop")):
            with self.subTest(go=go):
                self.engine.send(f"go {go}")
                time.sleep(0.05)
                self.assertFalse([line for line in self.engine.synchronise() if line.startswith("bestmove")])
                self.assertEqual(self.engine.ask(end, until="bestmove"), ["bestmove (none)"])

    def test_a_fen_is_read_as_well_as_it_can_be(self):
        for text, fen, warning in (
                ("2r5/5p1k/p4b2/2Rp1pr1/1Pn1q3/2P3PP/P4P2/2RQ2K1 b KQkq - 0 1",
                 "2r5/5p1k/p4b2/2Rp1pr1/1Pn1q3/2P3PP/P4P2/2RQ2K1 b - - 0 1", "castling rights 'KQkq'"),
                ('"4k3/8/8/8/8/8/8/4K3_b_-_-_3_7"', "4k3/8/8/8/8/8/8/4K3 b - - 3 7", None),
                ("4k3/8/8/8/8/8/8/4K3 b - e3 3 7", "4k3/8/8/8/8/8/8/4K3 b - - 3 7", "en passant square 'e3'"),
                ("4k3/8/8/8/8/8/8/4K3 b - - 0 1 \u2654 moves", "4k3/8/8/8/8/8/8/4K3 b - - 0 1", "'\u2654' is ignored"),
                ("4k3/8/8/8/8/8/8/4K3 b - - hmvc 5; fmvn 9;", "4k3/8/8/8/8/8/8/4K3 b - - 5 9", None),
                ('4k3/8/8/8/8/8/8/4K3 b - - bm Kd7; hmvc 5;', "4k3/8/8/8/8/8/8/4K3 b - - 5 1", "position: 'bm Kd7' is ignored")):
            with self.subTest(text=text):
                self.engine.send(f"position fen {text}")
                answers = self.engine.ask("d", until="Checkers")
                self.assertEqual(answers[-3], f"FEN: {fen}")
                if warning is None:
                    self.assertFalse(answers[0].startswith("info"))
                else:
                    self.assertTrue(answers[0].startswith("info string position: "), answers[0])
                    self.assertIn(warning, answers[0])

    def test_the_position_before_an_illegal_move_is_searched(self):
        error = self.error_of("position startpos moves d2d4 d7d5 e1e3 a7a6")
        self.assertIn("move 3: illegal move 'e1e3'", error)
        self.assertIn("/3p4/3P4/8/PPP1PPPP/RNBQKBNR w ", self.engine.ask("d", until="Checkers")[-3])
        for moves in ("", "moves", "moves e2e5", "moves 0000", "moves \u2654", "moves e4", "e2e4"):
            self.engine.send(f"position startpos {moves}")
            self.assertIn("/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", self.engine.ask("d", until="Checkers")[-3], moves)

    def test_castling_in_standard_chess(self):
        moves = self.engine.legal_moves("fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
        self.assertIn("e1g1", moves)
        self.assertIn("e1c1", moves)
        self.assertNotIn("e1h1", moves)

    def test_both_ways_of_writing_castling_are_read(self):
        for move in ("e1g1", "e1h1"):
            self.engine.send(f"position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 moves {move}")
            self.assertEqual(self.engine.ask("d", until="Checkers")[-3], "FEN: r3k2r/8/8/8/8/8/8/R4RK1 b kq - 1 1")


class Chess960(Conversation):
    def test_castling_is_king_takes_rook(self):
        self.engine.send("setoption name UCI_Chess960 value true")
        moves = self.engine.legal_moves("fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
        self.assertIn("e1h1", moves)
        self.assertIn("e1a1", moves)
        self.assertNotIn("e1g1", moves)

    def test_turned_off_castling_is_written_as_before(self):
        self.engine.send("setoption name UCI_Chess960 value true", "position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
                         "setoption name UCI_Chess960 value false")
        search = self.engine.search("isready", "go searchmoves e1g1 depth 1")
        self.assertEqual(search.best, "e1g1")
        self.assertIn("KQkq", self.engine.ask("d", until="Checkers")[-3])
        self.engine.send("setoption name UCI_Chess960 value true", "position fen 1rk3r1/8/8/8/8/8/8/1RK3R1 w GBgb - 0 1",
                         "setoption name UCI_Chess960 value false")  # which knows no other way
        self.assertIn("GBgb", self.engine.ask("d", until="Checkers")[-3])

    def test_shredder_and_x_fen(self):
        self.engine.send("setoption name UCI_Chess960 value true")
        boards = {self.engine.board(f"fen 1rk3r1/8/8/8/8/8/8/1RK3R1 w {rights} - 0 1")[0] for rights in ("GBgb", "KQkq")}
        self.assertEqual(boards, {"1rk3r1/8/8/8/8/8/8/1RK3R1 w GBgb - 0 1"})

    def test_search_and_castle(self):
        self.engine.send("setoption name UCI_Chess960 value true")
        position = "fen bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"
        self.assert_search_is_sound(self.engine.search(f"position {position}", "go depth 6"), position)


class Go(Conversation):
    LIMITS = ("depth 4", "nodes 1", "nodes 5000", "movetime 50", "movetime 0", "movetime -20", "depth 0", "depth -3",
              "nodes 0", "wtime 1000 btime 1000", "wtime 100", "btime 100", "btime 500 winc 10 wtime 500 binc 10",
              "wtime 0 btime 0", "wtime -50 btime -50", "wtime 1000 btime 1000 movestogo 0",
              "wtime 1000 btime 1000 movestogo -1", "wtime 1000 btime 1000 movestogo 1", "winc 100", "wtime 1 btime 1 winc 0",
              "movestogo 5 binc 0 btime 900 wtime 900 winc 0", "depth 3 nodes 100000 movetime 5000", "DEPTH 2",
              "wtime 9223372036854775807 btime 1 depth 2", "depth 99999 nodes 500", "searchmoves a2a3 h2h4 depth 3",
              "mate 1 nodes 3000")

    def test_limits_of_every_kind_give_a_legal_move(self):
        for limits in self.LIMITS:
            with self.subTest(limits=limits):
                search = self.engine.search("position startpos moves e2e4 e7e5", f"go {limits}")
                self.assert_search_is_sound(search, "startpos moves e2e4 e7e5")

    def test_clock_of_black_only(self):
        search = self.engine.search("position startpos moves e2e4", "go btime 100")
        self.assert_search_is_sound(search, "startpos moves e2e4")

    def test_movetime_is_kept(self):
        start = time.monotonic()
        self.engine.search("position startpos", "go movetime 500")
        self.assertGreater(time.monotonic() - start, 0.3)
        self.assertLess(time.monotonic() - start, within(2.0))

    def test_clock_is_kept(self):
        start = time.monotonic()
        self.engine.search(f"position {MIDDLE_GAME}", "go wtime 300 btime 300")
        self.assertLess(time.monotonic() - start, within(0.3))

    def test_depth_is_kept(self):
        search = self.engine.search("position startpos", "go depth 5")
        self.assertEqual(search.last().depth, 5)

    def test_searchmoves(self):
        search = self.engine.search("position startpos", "go searchmoves a2a3 h2h4 depth 5")
        self.assertIn(search.best, ("a2a3", "h2h4"))
        self.assertEqual({info.pv[0] for info in search.infos} - {"a2a3", "h2h4"}, set())

    def test_mate_is_found(self):
        search = self.engine.search(f"position {MATE_IN_2}", "go mate 2")
        self.assertEqual((search.last().kind, search.last().score), ("mate", 2))

    def test_numbers_as_programs_print_them(self):
        for words in ("movetime 30.7", "movetime 30,7", "wtime 1000.5 btime 1000.5 winc 0 binc 0", "wtime 1e3 btime 1e3", "depth 2.0",
                      "nodes -5", "movetime -30.7"):
            search = self.engine.search("position startpos", f"go {words}")
            self.assertFalse([line for line in search.lines if line.startswith("info string")], words)

    def test_a_limit_without_its_number_does_not_count(self):
        for words in ("depth", "depth many", "depth infinite", "movetime infinite", "wtime", "nodes 9999x", "mate", "perft x", "movetime NaN"):
            with self.subTest(words=words):
                lines = self.engine.ask("position startpos", f"go {words}", until="info depth 1 ")
                self.assertEqual(lines[0], f"info string go: {words.split()[0]} has no number and does not count")
                self.assertFalse([line for line in self.engine.synchronise() if line.startswith("bestmove")])
                self.engine.ask("stop", until="bestmove [a-h]")

    def test_commands_and_moves_in_any_case(self):
        self.engine.send("\ufeffPosition STARTPOS Moves E2E4 e7E5", "position fen x", "\ufeffposition startpos moves D2d4")
        self.assertIn("/8/3P4/8/PPP1PPPP/RNBQKBNR b ", self.engine.ask("D", until="Checkers")[-3])
        self.assertEqual(self.engine.ask("position startpos moves E2E4", "GO depth 1 SearchMoves E7E5", until="bestmove")[-1][:13],
                         "bestmove e7e5")

    def test_a_number_beyond_all_limits_is_the_largest(self):
        for words in ("nodes 18446744073709551615", "movetime 99999999999999999999", "wtime 99999999999999999999 btime -99999999999999999999"):
            self.engine.search("position startpos", f"go depth 3 {words}")

    def test_searchmoves_that_are_not_legal_do_not_count(self):
        search = self.engine.search("position startpos", "go searchmoves e2e5 Nf3 h2h3 depth 3")
        self.assertEqual(search.best, "h2h3")
        self.assertIn("info string go: illegal move 'e2e5'; unreadable move 'Nf3': it needs UCI's notation, such as e2e4", search.lines)
        self.assertEqual(self.engine.search("go depth 4 searchmoves e2e5").lines,
                         ["info string go: illegal move 'e2e5'", "bestmove (none)"])
        self.engine.send("go infinite searchmoves e2e5")
        time.sleep(0.05)
        self.assertFalse([line for line in self.engine.synchronise() if line.startswith("bestmove")])
        self.engine.ask("stop", until=r"bestmove \(none\)")

    def test_same_nodes_after_ucinewgame(self):
        nodes = []
        for _ in range(2):
            self.engine.send("ucinewgame")
            self.engine.synchronise()
            nodes.append(self.engine.search(f"position {MIDDLE_GAME}", "go depth 7").last().nodes)
            self.engine.search("position startpos", "go depth 6")
        self.assertEqual(nodes[0], nodes[1])

    def test_perft(self):
        lines = self.engine.ask("position startpos", "go perft 3", until="Nodes searched")
        self.assertEqual(lines[-1], "Nodes searched: 8902")
        self.assertIn("e2e4: 600", lines)

    def test_no_legal_move(self):
        for position, score in ((STALEMATE, "cp 0"), (MATED, "mate 0")):
            with self.subTest(position=position):
                search = self.engine.search(f"position {position}", "go depth 5")
                self.assertEqual(search.lines[-2:], [f"info depth 0 score {score}", "bestmove (none)"])

    def test_infinite_without_a_legal_move_is_held(self):
        self.engine.send(f"position {MATED}", "go infinite")
        time.sleep(0.3)
        self.assertNotIn("bestmove (none)", self.engine.synchronise())
        self.engine.ask("stop", until=r"bestmove \(none\)")


class Lines(Conversation):
    """Properties of principal variations."""

    def end_of(self, position, pv):
        """The position after the line; fails if a move is illegal."""
        after = f"{position} moves {' '.join(pv)}" if " moves " not in position else f"{position} {' '.join(pv)}"
        self.engine.send(f"position {after}")
        self.assertFalse([line for line in self.engine.synchronise() if "error" in line], after)
        return after

    def test_every_pv_is_legal_to_its_end(self):
        for position in ("startpos", MIDDLE_GAME, MATE_IN_2, "fen 8/8/8/8/8/6k1/4K1p1/8 b - - 0 1",
                         "fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
                         "fen 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"):
            search = self.engine.search("setoption name MultiPV value 2", f"position {position}", "go depth 9")
            for info in search.infos:
                self.end_of(position, info.pv)

    def test_pv_stops_at_the_fifty_move_limit(self):
        position = "fen 8/8/8/8/8/k7/7R/K7 w - - 96 100"
        for info in self.engine.search(f"position {position}", "go depth 12").infos:
            if info.kind == "cp":
                self.assertLessEqual(len(info.pv), 4)

    def test_pv_stops_at_a_threefold_repetition(self):
        position = "startpos moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1"
        for info in self.engine.search(f"position {position}", "go searchmoves f6g8 depth 6").infos:
            self.assertEqual((info.pv, info.kind, info.score), (["f6g8"], "cp", 0))

    def assert_mate(self, position, moves):
        search = self.engine.search(f"position {position}", "go depth 12")
        info = search.last(exact=True)
        self.assertEqual((info.kind, info.score), ("mate", moves))
        self.assertEqual(len(info.pv), 2 * moves - 1 if moves > 0 else -2 * moves)
        end = self.engine.search(f"position {self.end_of(position, info.pv)}", "go depth 1")
        self.assertEqual(end.lines[-2:], ["info depth 0 score mate 0", "bestmove (none)"])

    def test_mate_comes_with_its_whole_line(self):
        self.assert_mate(BACK_RANK_MATE, 1)
        self.assert_mate(MATE_IN_2, 2)

    def test_being_mated_comes_with_its_whole_line(self):
        self.assert_mate("fen 7k/5K2/8/6R1/8/8/8/8 b - - 0 1", -1)

    def test_bounds_are_marked_and_not_the_only_lines(self):
        search = self.engine.search(f"position {MIDDLE_GAME}", "go depth 10")
        self.assertTrue([info for info in search.infos if not info.bound])


class DuringSearch(Conversation):
    def start_infinite(self, position="startpos"):
        self.engine.send(f"position {position}", "go infinite")
        self.engine.read_until("info depth 1 ")

    def test_isready_is_answered_at_once(self):
        self.start_infinite()
        start = time.monotonic()
        self.engine.synchronise()
        self.assertLess(time.monotonic() - start, within(0.5))
        self.assertFalse([line for _, line in self.engine.log if line.startswith("bestmove")])

    def test_stop_ends_an_infinite_search_at_once(self):
        self.start_infinite()
        start = time.monotonic()
        self.engine.ask("stop", until="bestmove")
        self.assertLess(time.monotonic() - start, within(0.5))

    def test_bare_go_is_infinite(self):
        self.engine.send("position startpos", "go")
        time.sleep(0.5)
        self.assertFalse([line for line in self.engine.synchronise() if line.startswith("bestmove")])
        self.engine.ask("stop", until="bestmove")

    def test_stop_right_after_go(self):
        for _ in range(20):
            search = self.engine.search("position startpos", "go infinite", "stop")
            self.assertGreaterEqual(len(search.infos), 1)
            self.assertEqual(search.best, search.last().pv[0])

    def test_other_lines_wait_for_the_best_move(self):
        self.start_infinite()
        self.engine.send("uci", "position startpos moves e2e4", "d")
        time.sleep(0.2)
        self.assertFalse([line for line in self.engine.synchronise() if not line.startswith("info depth")])
        lines = self.engine.ask("stop", until="Checkers")
        kinds = [line.split()[0] for line in lines if line.split() and line.split()[0] in ("bestmove", "uciok", "FEN:")]
        self.assertEqual(kinds, ["bestmove", "uciok", "FEN:"])
        self.assertIn("/4P3/", "\n".join(lines))

    def test_a_queued_go_runs_after_the_first(self):
        self.start_infinite()
        self.engine.send("position startpos moves e2e4", "go depth 2")
        self.assertRegex(self.engine.ask("stop", until="bestmove")[-1], r"^bestmove [a-h][12]")
        self.assertRegex(self.engine.read_until("bestmove")[-1], r"^bestmove [a-h][78]")

    def test_only_info_bestmove_and_readyok_after_go(self):
        self.engine.send("position startpos")
        self.engine.synchronise()
        self.engine.send("go movetime 300", "setoption name MultiPV value 0", "frobnicate", "isready")
        for line in self.engine.read_until("bestmove"):
            self.assertRegex(line, r"^(info depth |bestmove |readyok$)")

    def test_quit_acts_at_once(self):
        self.start_infinite()
        start = time.monotonic()
        self.engine.send("quit")
        self.assertEqual(self.engine.process.wait(HANG), 0)
        self.assertLess(time.monotonic() - start, within(1.0))
        self.assertRegex(self.engine.log[-1][1], "^bestmove ")

    def test_end_of_input_acts_as_stop_then_quit(self):
        self.start_infinite()
        self.engine.process.stdin.close()
        self.assertEqual(self.engine.process.wait(HANG), 0)
        self.engine.reader.join(30)
        self.assertRegex(self.engine.log[-1][1], "^bestmove ")
        self.assertEqual([line for _, line in self.engine.log if line.startswith("info string the input ended")],
                         ["info string the input ended: what runs is stopped"])

    def test_queued_lines_run_before_the_end(self):
        self.start_infinite()
        self.engine.send("position startpos moves e2e4", "d")
        self.engine.process.stdin.close()
        self.assertEqual(self.engine.process.wait(HANG), 0)
        self.engine.reader.join(30)
        self.assertIn("/4P3/", "\n".join(line for _, line in self.engine.log))

    def test_stop_and_ponderhit_without_a_search_do_nothing(self):
        self.engine.send("stop", "ponderhit", "stop")
        self.assertEqual(self.engine.synchronise(), [])


class StopsAndGoes(Conversation):
    """The n-th `stop` ends the n-th `go`, however fast they come; `ponderhit` likewise."""

    def best_moves(self, count):
        for _ in range(count):
            self.engine.read_until("bestmove")

    def test_stop_go_stop_at_once(self):
        for _ in range(20):
            self.engine.send("go infinite")
            self.engine.read_until("info depth ")
            self.engine.send("stop", "position startpos moves e2e4", "go infinite", "stop")
            self.best_moves(2)

    def test_many_pairs_at_once(self):
        self.engine.send(*["go infinite", "stop"] * 200)
        self.best_moves(200)

    def test_stop_ends_the_running_search_and_not_the_queued_one(self):
        self.engine.send("go infinite", "go movetime 1000", "stop")
        self.best_moves(1)
        start = time.monotonic()
        self.best_moves(1)
        self.assertGreater(time.monotonic() - start, 0.1)

    def test_two_stops_end_two_queued_searches(self):
        self.engine.send("go infinite", "position startpos moves e2e4", "go infinite", "d", "stop", "stop")
        self.best_moves(2)

    def test_a_stop_counts_once(self):
        self.engine.send("stop", "go infinite", "stop", "go infinite")
        self.best_moves(1)
        time.sleep(0.3)
        self.assertFalse([line for line in self.engine.synchronise() if line.startswith("bestmove")])
        self.engine.ask("stop", until="bestmove")

    def test_ponderhit_of_a_queued_go(self):
        self.engine.send("go ponder wtime 900 btime 900", "stop", "go ponder wtime 900 btime 900", "ponderhit")
        self.best_moves(2)

    def test_ponderhit_skips_a_queued_go_that_has_its_stop(self):
        self.engine.send("go infinite", "stop", "go ponder infinite", "stop", "go ponder movetime 50", "ponderhit")
        self.best_moves(3)

    def test_ponderhit_skips_a_queued_go_that_does_not_ponder(self):
        self.engine.send("go infinite", "stop", "go depth 2", "go ponder movetime 50", "ponderhit")
        self.best_moves(3)

    def test_a_second_stop_ends_the_queued_search(self):
        for line, end in (("bench 30", "info string error: bench: .*stopped"), ("explain e2e4 nodes 1000000000", "info string explain end"),
                          ("genfens 1000000 seed 1 book None", "info string error: genfens: .*stopped")):
            with self.subTest(line=line):
                self.engine.send("position startpos", "go infinite", line, "stop", "stop")
                self.engine.read_until(end)

    def test_a_stop_after_perft_belongs_to_it(self):
        self.engine.send("go perft 20", "go infinite", "go infinite", "stop", "stop", "stop")
        self.engine.read_until("info string error: go: perft was stopped")
        self.best_moves(2)


class Mates(Conversation):
    def test_go_mate_without_a_mate_ends_and_reports_it(self):
        for moves in (1, 2, 3):
            self.engine.send(f"position {MIDDLE_GAME}", f"go mate {moves}")
            lines = self.engine.read_until("bestmove")
            self.assertIn(f"info string no mate in {moves}: every move was tried", lines)
            self.assertIn(lines[-1].split()[1], self.engine.legal_moves(MIDDLE_GAME))

    def test_another_limit_ends_it(self):
        for limit in ("movetime 200", "nodes 3000", "depth 3"):
            search = self.engine.search(f"position {MIDDLE_GAME}", f"go mate 30 {limit}")
            self.assertIn(search.best, self.engine.legal_moves(MIDDLE_GAME))
        self.engine.send("go mate 30")
        time.sleep(0.2)
        self.engine.ask("stop", until="bestmove")

    def test_a_proof_takes_no_more_than_the_iterations(self):
        nodes = []
        for limits in ("depth 9", "mate 30 depth 9"):
            self.engine.send("ucinewgame", "setoption name Threads value 1", "position startpos")
            nodes.append(max(info.nodes for info in self.engine.search(f"go {limits}").infos if info.depth == 9))
        # The proof after each iteration may take as long as all iterations, which grow.
        self.assertLess(nodes[1], 5 * nodes[0])

    def test_infinite_waits_without_a_core_once_no_shorter_mate_exists(self):
        self.engine.send(f"position {MATE_IN_2}", "go infinite")
        time.sleep(1.0)
        before = processor_time(self.engine)
        time.sleep(1.0)
        self.assertLess(processor_time(self.engine) - before, 0.2)
        self.assertFalse([line for line in self.engine.synchronise() if line.startswith("bestmove")])
        self.engine.ask("stop", until="bestmove f3f7")


class LongWork(Conversation):
    """perft, bench and genfens answer isready, stop and quit."""
    WORK = ("go perft 20", "bench 40", "genfens 10000000 seed 1 book None")

    def test_isready_and_stop(self):
        for line in self.WORK:
            with self.subTest(line=line):
                self.engine.send("position startpos", line)
                self.engine.synchronise()
                self.assertIn("stopped", self.engine.ask("stop", until="info string error")[-1])
                self.engine.synchronise()

    def test_quit(self):
        for line in self.WORK:
            with self.subTest(line=line), Engine() as engine:
                engine.send(line, "quit")
                self.assertEqual(engine.process.wait(HANG), 0)

    def test_end_of_input_does_not_end_it(self):
        result = subprocess.run([LUFT], input="genfens 40 seed 1 book None\nbench 1\n", capture_output=True, text=True,
                                timeout=HANG)
        self.assertEqual(result.stdout.count("info string genfens "), 40)
        self.assertRegex(result.stdout.splitlines()[-1], r"^\d+ nodes \d+ nps$")

    def test_a_book_that_is_a_pipe_is_refused(self):
        self.assertIn("no plain file", self.error_of("genfens 3 seed 1 book -"))

    @unittest.skipIf(is_sanitized(), "a sanitizer needs its own memory")
    def test_the_queue_of_lines_is_bounded(self):
        self.engine.send("go infinite")
        self.engine.read_until("info depth 1 ")
        for _ in range(20):
            self.engine.send(*["debug"] * 180_000)
        self.engine.ask("isready", until="readyok$")
        with open(f"/proc/{self.engine.process.pid}/status", encoding="ascii") as file:
            resident = int(re.search(r"VmRSS:\s+(\d+) kB", file.read()).group(1))
        self.assertLess(resident, 100_000)
        self.engine.search("go depth 1")  # no line is lost
        log = [line for _, line in self.engine.log]
        self.assertEqual(len([line for line in log if line.startswith("bestmove ")]), 2)
        self.assertEqual(len([line for line in log if line.startswith("info string error: input: 16 MiB")]), 1)


class Pondering(Conversation):
    def test_best_move_is_held_until_stop(self):
        self.engine.send("position startpos", "go ponder wtime 50 btime 50 depth 1")
        time.sleep(0.4)
        self.assertFalse([line for line in self.engine.synchronise() if line.startswith("bestmove")])
        self.engine.ask("stop", until="bestmove")

    def test_best_move_is_held_until_ponderhit(self):
        self.engine.send("position startpos", "go ponder wtime 200 btime 200")
        time.sleep(0.5)
        self.assertFalse([line for line in self.engine.synchronise() if line.startswith("bestmove")])
        self.engine.ask("ponderhit", until="bestmove")

    def test_the_clock_runs_from_the_hit(self):
        self.engine.send("position startpos", "go ponder wtime 6000 btime 6000")
        self.engine.read_until("info depth 1 ")
        start = time.monotonic()
        self.engine.ask("ponderhit", until="bestmove")
        self.assertLess(time.monotonic() - start, within(3))

    def test_ponder_without_a_clock_ends_at_the_hit(self):
        self.engine.send("position startpos", "go ponder")
        self.engine.read_until("info depth 1 ")
        self.engine.ask("ponderhit", until="bestmove")

    def test_waiting_uses_no_core(self):
        # With one legal reply the search soon reaches its maximum depth and can only wait.
        self.engine.send(f"position {BACK_RANK_MATE}", "go infinite depth 3")
        time.sleep(0.5)
        before = processor_time(self.engine)
        time.sleep(1.0)
        self.assertLess(processor_time(self.engine) - before, 0.2)
        self.assertFalse([line for line in self.engine.synchronise() if line.startswith("bestmove")])
        self.engine.ask("stop", until="bestmove")


class EveryIteration(Conversation):
    """Some clients ignore a line whose depth is not the last one plus one, and incomplete sets of lines."""
    POSITIONS = ("startpos", MIDDLE_GAME, BACK_RANK_MATE, "fen 8/8/8/4k3/8/8/8/K7 w - - 0 1",
                 "fen 8/8/8/8/8/6k1/4K1p1/8 b - - 0 1", "fen 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1")

    def assert_whole(self, search, lines=1):
        """The lines come in sets of `lines` ranks with depths 1, 2, 3, ...; the last set may belong to an unfinished depth."""
        self.assertEqual([info.rank for info in search.infos], list(range(1, lines + 1)) * (len(search.infos) // lines))
        sets = [search.infos[i:i + lines] for i in range(0, len(search.infos), lines)]
        for depth, infos in enumerate(sets[:-1], 1):
            self.assertEqual([(info.depth, info.bound) for info in infos], [(depth, None)] * lines)
        self.assertLessEqual({info.depth for info in sets[-1]}, {len(sets) - 1, len(sets)} - {0})
        self.assertEqual(search.best, sets[-1][0].pv[0])

    def test_at_a_twentieth_of_a_second(self):
        for position in self.POSITIONS:
            with self.subTest(position=position):
                self.assert_whole(self.engine.search(f"position {position}", "go movetime 50"))

    def test_to_a_depth(self):
        for position, depth in ((BACK_RANK_MATE, 30), (self.POSITIONS[3], 30), (MIDDLE_GAME, 8), ("startpos", 9)):
            with self.subTest(position=position):
                search = self.engine.search(f"position {position}", f"go depth {depth}")
                self.assertEqual([info.depth for info in search.infos if not info.bound], list(range(1, depth + 1)))
                self.assert_whole(search)

    def test_sets_of_several_lines(self):
        self.engine.send("setoption name MultiPV value 3")
        for position in ("startpos", MIDDLE_GAME, BACK_RANK_MATE):
            for limit in ("movetime 50", "depth 6"):
                with self.subTest(position=position, limit=limit):
                    self.assert_whole(self.engine.search(f"position {position}", f"go {limit}"), 3)

    def test_stopped_at_any_moment(self):
        chance = random.Random(7)
        for lines in (1, 4):
            self.engine.send(f"setoption name MultiPV value {lines}")
            for _ in range(25):
                self.engine.send(f"position {chance.choice(self.POSITIONS[:2])}", "go infinite")
                time.sleep(chance.uniform(0, 0.08))
                self.assert_whole(self.engine.search("stop"), lines)

    def test_every_iteration_once_with_threads(self):
        self.engine.send("setoption name Threads value 3")
        search = self.engine.search(f"position {MIDDLE_GAME}", "go movetime 300")
        depths = [info.depth for info in search.infos if not info.bound]
        self.assertEqual(depths[:-2], list(range(1, len(depths) - 1)))  # the line of the elected thread comes last


class Output(Conversation):
    def test_no_trailing_or_double_spaces(self):
        self.engine.search("setoption name MultiPV value 3", f"position {MIDDLE_GAME}", "go depth 7")
        for _, line in self.engine.log:
            self.assertEqual(line, " ".join(line.split(" ")).rstrip())
            self.assertNotIn("  ", line)

    def test_current_move_not_before_three_seconds(self):
        search = self.engine.search(f"position {MIDDLE_GAME}", "go movetime 2500")
        self.assertFalse([line for line in search.lines if "currmove" in line])

    def test_closed_output_pipe_is_survived(self):
        reading, writing = os.pipe()
        process = subprocess.Popen([LUFT], stdin=subprocess.PIPE, stdout=writing, stderr=subprocess.DEVNULL)
        os.close(writing)
        os.read(reading, 10)
        os.close(reading)
        process.stdin.write(b"uci\nposition startpos\ngo depth 5\nisready\n")
        process.stdin.flush()
        time.sleep(0.5)
        self.assertIsNone(process.poll())
        process.stdin.write(b"quit\n")
        process.stdin.close()
        self.assertEqual(process.wait(HANG), 0)


class Evaluation(Conversation):
    def test_a_lone_king_is_evaluated_by_rule(self):
        for position, expected in (("8/8/5k2/8/8/8/8/KBN5 w - - 0 1", True), ("8/8/5k2/8/8/8/7P/KBN5 w - - 0 1", False)):
            lines = self.engine.ask(f"position fen {position}", "eval", "isready", until="readyok$")
            self.assertEqual(any(line.startswith("search: does not ask the network here") for line in lines), expected)

    def test_a_lead_that_rarely_wins_counts_less(self):
        for position, why, part in (("8/8/4k3/2r5/8/8/3B4/6K1 b - - 0 1", "there are no pawns to win with", 8),
                                    ("7k/8/8/8/4K2P/8/8/5B2 w - - 0 1", "the bishop does not rule the corner of promotion", 4),
                                    ("8/4k3/3bp3/3p4/8/8/4K3/5B2 b - - 0 1", "the bishops are of opposite colours", 2)):
            text = "\n".join(self.engine.ask(f"position fen {position}", "eval", "isready", until="readyok$"))
            self.assertIn(f"search: {why}, only 1/{part} of the lead counts", text)
            network, evaluation = (float(re.search(rf"{name}: (\S+) pawns", text)[1]) for name in ("network", "evaluation"))
            self.assertGreater(abs(network), 0.05, position)
            self.assertAlmostEqual(evaluation, network / part, delta=0.02)  # both are rounded

    def test_last_line_is_the_value(self):
        self.engine.send("position startpos", "eval", "isready")
        lines = self.engine.read_until("readyok$")
        self.assertRegex(lines[-2], r"^value: -?\d+$")

    def test_end_is_reached(self):
        self.engine.send("quit")
        while self.engine.read_line() is not END:
            pass


if __name__ == "__main__":
    unittest.main()
