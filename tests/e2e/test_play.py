"""`luft play`: games through a pipe and on a terminal, interrupted games, the saved PGN."""

import os
import pathlib
import re
import signal
import subprocess
import tempfile
import time
import unittest

from patience import HANG, within
from terminal import Session
from uci_engine import LUFT, is_sanitized

MATE_IN_ONE = "6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1"
FAST = ("--nodes", "300")
SLOW = ("--nodes", "100000000000")  # longer than any test


class Play(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.kept = self.folder / "state/luft/game.pgn"
        self.environment = dict(os.environ, XDG_STATE_HOME=str(self.folder / "state"), USER="Ann")

    def play(self, *lines, arguments=FAST):
        """Plays through a pipe; returns what is printed for these lines."""
        result = subprocess.run([LUFT, "play", *arguments], input="".join(line + "\n" for line in lines), capture_output=True,
                                text=True, timeout=HANG, env=self.environment, cwd=self.folder)
        self.assertEqual((result.returncode, result.stderr), (0, ""), result.stdout)
        self.assertNotIn("\033", result.stdout)
        return result.stdout

    def session(self, *arguments, columns=80, rows=24):
        return Session([LUFT, "play", *arguments], columns, rows, XDG_STATE_HOME=str(self.folder / "state"), USER="Ann")


class Pipe(Play):
    def test_a_conversation(self):
        text = self.play("e4", "nf3", "moves", "legal", "help")
        self.assertIn(" 8  r n b q k b n r\n", text)
        self.assertRegex(text, r"(?m)^1\.\.\. \S+$")
        self.assertRegex(text, r"(?m)^2\.\.\. \S+$")
        self.assertRegex(text, r"(?m)^1\. e4 \S+ 2\. Nf3 \S+$")
        self.assertIn("takes back your last move", text)

    def test_with_black_luft_begins(self):
        self.assertRegex(self.play(arguments=(*FAST, "--black")), r"(?m)^1\. \S+$")

    def test_the_result_and_its_reason(self):
        for fen, moves, words in ((MATE_IN_ONE, ["Re8"], "Checkmate: White has won. 1-0"),
                                  ("k7/8/1K6/8/8/8/7Q/8 w - - 0 1", ["Qc7"], "Stalemate: a draw. 1/2-1/2"),
                                  ("4k3/8/8/8/8/8/4r3/3K4 w - - 0 1", ["Kxe2"], "enough pieces to mate. 1/2-1/2"),
                                  ("4k3/8/8/8/8/8/8/R3K3 w - - 99 80", ["Ra2"], "fifty-move rule. 1/2-1/2"),
                                  (MATE_IN_ONE, ["resign"], "White resigns: Black has won. 0-1"),
                                  (MATE_IN_ONE, ["Re8", "e4"], "The game is over;")):
            self.assertIn(words, self.play(*moves, arguments=(*FAST, fen)), fen)
            self.assertFalse(self.kept.exists())

    def test_undo_after_the_end(self):
        text = self.play("Re8", "undo", "Re7", "moves", arguments=(*FAST, MATE_IN_ONE))
        self.assertIn("1-0", text)
        self.assertRegex(text, r"(?m)^1\. Re7 \S+$")

    def test_a_level_plays_the_same_game_from_the_same_seed(self):
        level = ("--level", "900", "--seed", "5")
        text = self.play("e4", "d4", "Nf3", arguments=level)
        self.assertRegex(text, r"at\sUCI_Elo\s989,\sabout\s900\s\+-\s100\sin\sblitz")
        self.kept.unlink()
        self.assertEqual(self.play("e4", "d4", "Nf3", arguments=level), text)
        pgn = self.kept.read_text(encoding="utf-8")
        self.assertIn('[LuftElo "989"]', pgn)
        self.assertIn('[LuftSeed "5"]', pgn)
        self.play("y", "h3", arguments=())
        self.assertIn('[LuftSeed "5"]', self.kept.read_text(encoding="utf-8"))

    def test_strengths_that_there_are_not(self):
        self.assertIn("There is no strength of 99999: the nearest is 1907.", self.play("e4", arguments=("--level", "99999")))
        text = self.play("e4", arguments=("--elo", "99999"))
        self.assertIn("There is no strength of 99999: the nearest is 3000.", text)
        self.assertNotIn("in blitz", " ".join(text.split()))  # nobody knows which
        self.assertIn("There is no strength of 5: the nearest is 600.", self.play("e4", arguments=("--elo", "5")))
        for arguments in (("--level", "banana"), ("--elo", "banana"), ("--level", "900", "--elo", "900"), ("--seed", "-1")):
            result = subprocess.run([LUFT, "play", *arguments], input="", capture_output=True, text=True, timeout=HANG,
                                    env=self.environment)
            self.assertEqual((result.returncode, result.stdout), (2, ""), arguments)
            self.assertIn(arguments[0], result.stderr)

    def test_hints_come_from_full_strength(self):
        text = self.play("hint", arguments=("--level", "700", "--seed", "1", "6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1"))
        self.assertIn("Hint: 1. Re8#\n", text)

    def test_hint_and_evaluation(self):
        text = self.play("hint", "eval", arguments=("--nodes", "3000", MATE_IN_ONE))
        self.assertIn("Hint: 1. Re8#\n", text)
        self.assertIn("#1 as White sees it", text)
        self.assertIn("White wins 100 %", text)
        self.assertIn("Best line: 1. Re8#\n", text)

    def test_a_draw_is_offered(self):
        self.assertIn("declines", self.play("draw"))
        moves = ["Kd1", "Ke1"] * 5
        text = self.play(*moves, "draw", arguments=("--nodes", "1000", "4k3/8/8/8/8/8/PPPPPPPP/4K3 w - - 0 1"))
        self.assertIn("A draw", text)

    def test_a_refused_move_changes_nothing(self):
        text = self.play("Nf6", "e4", "Zz9", "moves")
        self.assertIn("illegal move 'Nf6': no knight can go to f6; legal moves: Na3, Nc3, Nf3, Nh3\n", text)
        self.assertIn("neither a move", text)
        self.assertRegex(text, r"(?m)^1\. e4 \S+$")

    def test_odds_and_chess960(self):
        self.assertIn(" 8  r n b . k b n r\n", self.play(arguments=(*FAST, "--odds", "queen")))
        self.assertIn(" 1  R N B K Q B . R\n", self.play(arguments=(*FAST, "--odds", "knight", "--black", "--new")))
        self.assertIn(" 1  B B Q N N R K R\n", self.play(arguments=(*FAST, "--chess960", "0", "--new")))

    def test_the_player_loses_on_time(self):
        process = subprocess.Popen([LUFT, "play", *FAST, "--time", "0.005+0"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   text=True, env=self.environment)
        with process:
            start = time.monotonic()
            lines = iter(process.stdout.readline, "")
            self.assertTrue(any("White is out of time: Black has won. 0-1" in line for line in lines))
            self.assertLess(time.monotonic() - start, within(20))
            process.stdin.close()

    def test_while_luft_thinks(self):
        for words, said in (("undo", "1... "), ("resign", "White resigns")):
            process = subprocess.Popen([LUFT, "play", *SLOW], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                       env=self.environment)
            with process:
                process.stdin.write(f"e4\n{words}\nmoves\nquit\n")
                process.stdin.flush()
                text = process.stdout.read()
                self.assertEqual(process.wait(HANG), 0)
                self.assertIn("There is no move yet." if words == "undo" else said, text)

    def test_errors_of_the_command_line(self):
        for arguments, reason in ((("--time", "x"), "like 5+3, not 'x'"), (("--time", "0+1"), "like 5+3"),
                                  (("--odds", "quen"), "none, queen, rook, knight or pawn"), (("8/8/8 w",), "bad FEN"),
                                  (("--odds", "queen", "--chess960", "3"), "choose one"),
                                  (("7k/5KQ1/8/8/8/8/8/8 b - - 0 1",), "Checkmate: White has won.")):
            result = subprocess.run([LUFT, "play", *arguments], capture_output=True, text=True, timeout=HANG, env=self.environment,
                                    stdin=subprocess.DEVNULL)
            self.assertEqual((result.returncode, result.stdout), (2, ""), arguments)
            self.assertIn(reason, result.stderr)


class Pgn(Play):
    def test_analyse_reads_a_saved_game(self):
        text = self.play("e4", "save game.pgn", "save game.pgn", "save", "save /no/such/folder/game.pgn",
                         arguments=(*FAST, "--time", "5+3", "--odds", "rook"))
        self.assertIn("The game is in game.pgn.", text)
        self.assertIn("there is a file game.pgn already", text)
        self.assertIn("wants the name of a file", text)
        self.assertIn("/no/such/folder", text)
        pgn = (self.folder / "game.pgn").read_text()
        for tag in ('[White "Ann"]', '[Black "Luft ', '[Result "*"]', '[TimeControl "300+3"]', '[SetUp "1"]',
                    '[FEN "1nbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQk - 0 1"]'):
            self.assertIn(tag, pgn)
        self.assertRegex(pgn, r"1\. e4 \{\[%clk 0:05:0\d\.\d\]\} 1\.\.\. \S+ \{\[%clk 0:05:0\d\.\d\]\}")
        result = subprocess.run([LUFT, "analyse", "game.pgn", "--depth", "2"], capture_output=True, text=True, timeout=HANG,
                                cwd=self.folder)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("1. e4", result.stdout)


class Interrupted(Play):
    def test_an_interrupted_game_is_offered(self):
        self.assertIn("The game is kept", self.play("e4"))
        self.play("no")
        self.assertTrue(self.kept.exists())
        text = self.play("what?", "yes", "moves", arguments=FAST)
        self.assertIn("1 move was played", text)
        self.assertIn("Answer 'yes' or 'no'", text)
        self.assertRegex(text, r"1\. e4 \S+\n")

    def test_a_new_game_replaces_it(self):
        self.play("e4")
        self.assertRegex(self.play("no", "d4", "moves"), r"1\. d4 \S+\n")
        self.assertRegex(self.play("c4", "moves", arguments=(*FAST, "--new")), r"1\. c4 \S+\n")
        self.assertIn("1. c4", self.kept.read_text())

    def test_it_survives_every_way_to_kill_the_program(self):
        for number in (signal.SIGKILL, signal.SIGINT, signal.SIGHUP):
            # A shell that runs the tests in the background makes them ignore SIGINT; nohup, SIGHUP.
            process = subprocess.Popen([LUFT, "play", "--new", *FAST], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                       env=self.environment, preexec_fn=lambda: signal.signal(number, signal.SIG_DFL)
                                       if number != signal.SIGKILL else None)
            with process:
                process.stdin.write("e4\n")
                process.stdin.flush()
                for line in iter(process.stdout.readline, ""):
                    if line.startswith("1... "):
                        break
                process.send_signal(number)
                process.wait(HANG)
            self.assertRegex(self.play("y", "moves"), r"1\. e4 \S+\n", number)

    def test_a_finished_game_is_not_offered(self):
        self.play("e4", "resign")
        self.assertFalse(self.kept.exists())
        self.assertNotIn("Go on", self.play())

    def test_a_damaged_one_is_reported(self):
        self.kept.parent.mkdir(parents=True)
        self.kept.write_text("[Event \"x\"]\n\n1. Zz9 *\n")
        text = self.play("e4")
        self.assertIn("cannot be read", text)
        self.assertIn("1. e4", self.kept.read_text())

    def test_if_it_cannot_be_saved_the_game_continues(self):
        (self.folder / "state").write_text("a file where the folder should be")
        text = self.play("e4", "d4")
        self.assertEqual(text.count("cannot be kept"), 1)
        self.assertRegex(text, r"(?m)^2\.\.\. \S+$")


class OnTerminal(Play):
    def test_board_last_move_and_prompt(self):
        with self.session(*FAST) as session:
            session.read_until(r"^1\. *$")
            session.send("e4")
            session.read_until(r"^2\. *$")
            rows = session.screen.visible()
            self.assertTrue(rows[0].startswith(" 8  ♜"), rows)
            self.assertRegex("\n".join(rows), r"\n1\. e4 \S+\n")
            self.assertTrue(any(re.match(r"Luft plays 1\.\.\. \S+", row) for row in rows), rows)
            session.send("flip")
            session.read_until(r"^    h  g  f  e  d  c  b  a")
            session.send("quit")
            self.assertEqual(session.end(), 0)

    def test_black_is_at_the_bottom(self):
        with self.session(*FAST, "--black") as session:
            session.read_until(r"^1\.\.\. *$")
            self.assertTrue(session.screen.visible()[0].startswith(" 1  ♜"))

    def test_clocks_run_on_the_screen(self):
        with self.session(*FAST, "--time", "1+0") as session:
            session.read_until(r"^White 0:59, Black 1:00$")
            os.write(session.leader, b"e")
            session.read_until(r"^White 0:5[0-8], Black 1:00$")
            os.write(session.leader, b"4\n")
            session.read_until(r"^2\. *$")

    def test_small_windows(self):
        for columns, rows in ((30, 24), (40, 10), (200, 50)):
            with self.subTest(columns=columns, rows=rows), self.session("--new", *FAST, columns=columns, rows=rows) as session:
                session.read_until(r"^1\. *$")
                session.resize(80, 24)
                session.send("e4")
                session.read_until(r"^2\. *$")
                self.assertTrue(session.screen.visible()[0].startswith(" 8  ♜"), session.screen.visible())
                session.send("quit")
                self.assertEqual(session.end(), 0)

    def test_the_window_is_closed(self):
        with self.session(*FAST) as session:
            session.read_until(r"^1\. *$")
            session.send("e4")
            session.read_until(r"^2\. *$")
            self.assertNotEqual(session.close(), None)
        with self.session(*FAST) as session:
            session.read_until(r"^\[Y/n\]")
            session.send("")
            session.read_until(r"^2\. *$")
            self.assertIn("1. e4", "\n".join(session.screen.visible()))


if __name__ == "__main__":
    unittest.main()
