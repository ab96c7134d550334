"""The command line of `luft`: sub-commands, UCI lines as arguments, exit codes."""

import os
import pty
import re
import resource
import subprocess
import tempfile
import time
import unittest

from patience import HANG, within
from uci_engine import LUFT, is_sanitized

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
GAME = """[Event "Test"]
[White "Adams"]
[Black "Torre"]
[Result "1-0"]

1. e4 {a good move} e5 2. Qh5 Ke7 3. Qxe5# 1-0
"""


def luft(*arguments, text_in="", patience=HANG, **options):
    return subprocess.run([LUFT, *arguments], input=text_in, capture_output=True, text=True, timeout=patience, **options)


class Help(unittest.TestCase):
    def test_help_teaches_every_sub_command(self):
        result = luft("--help")
        self.assertEqual(result.returncode, 0)
        for word in ("analyse", "play", "perft", "eval", "bench", "selftest", "Examples"):
            self.assertIn(word, result.stdout)
        self.assertEqual(luft("help").stdout, result.stdout)
        self.assertEqual(luft("-h").stdout, result.stdout)

    def test_every_sub_command_has_its_own_help(self):
        for command in ("analyse", "analyze", "play", "perft", "eval", "bench", "selftest"):
            text = luft(command, "--help").stdout
            self.assertTrue(text.startswith("Usage: luft " + command.replace("z", "s")), text)
            for asking in ((command, "-h"), (command, "help"), ("help", command)):
                result = luft(*asking)
                self.assertEqual((result.returncode, result.stdout), (0, text), asking)
        for option in ("--time", "--depth", "--lines", "--hash", "--ascii"):
            self.assertIn(option, luft("analyse", "--help").stdout)

    def test_help_fits_a_terminal(self):
        for command in ("analyse", "play", "perft", "eval", "bench", "selftest", "help"):
            for line in luft(command, "--help").stdout.splitlines():
                self.assertLessEqual(len(line), 80, line)

    def test_version(self):
        result = luft("--version")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertRegex(result.stdout, r"^Luft \d+\.\d+(-dev(-[0-9a-f]{7,})?)?\ncompiler: \S.*\nkernels: \S.*\n"
                                        r"network: \S.*, \d+ hidden units a side, hash [0-9a-f]{16}\nbuild: ARCH=\S.*\n$")

    def test_uci_reports_the_same_version(self):
        self.assertIn("id name " + luft("--version").stdout.splitlines()[0] + "\n", luft("uci").stdout)

    def test_an_unknown_command_names_the_nearest(self):
        for word, reason in (("--frobnicate", "unknown command '--frobnicate'"), ("perf", "did you mean 'perft'?"),
                             ("postion startpos", "did you mean 'position'?"), ("analize", "did you mean 'analy"),
                             ("nonsense", "unknown command 'nonsense'")):
            result = luft(word, text_in="isready\n")
            self.assertEqual((result.returncode, result.stdout), (2, ""), word)
            self.assertIn(reason, result.stderr)


class Bench(unittest.TestCase):
    def test_format(self):
        lines = luft("bench", "3").stdout.splitlines()
        self.assertEqual(len(lines), 50)
        for number, line in enumerate(lines[:48], 1):
            self.assertRegex(line, rf"^Position {number}/48: nodes=\d+ time=\d+\.\d+s nps=\d+$")
        self.assertRegex(lines[-1], r"^\d+ nodes \d+ nps$")
        nodes = [int(re.search(r"nodes=(\d+)", line).group(1)) for line in lines[:48]]
        self.assertEqual(sum(nodes), int(lines[-1].split()[0]))
        self.assertEqual(nodes[46:], [0, 0])
        self.assertEqual([number for number in nodes[:46] if number == 0], [])

    def test_signature_is_the_same_every_time_and_ignores_options(self):
        first = luft("bench", "4").stdout.splitlines()[-1].split()[0]
        second = luft("setoption name Hash value 1", "setoption name MultiPV value 4", "setoption name UCI_Chess960 value true",
                      "position startpos moves e2e4", "go depth 5", "bench 4").stdout.splitlines()[-1].split()[0]
        self.assertEqual(first, second)

    def test_bad_depth(self):
        for depth in ("0", "-1", "x", "1000", "99999999999999999999"):
            result = luft("bench", depth)
            self.assertEqual((result.returncode, result.stdout), (2, ""))
            self.assertIn("DEPTH must be a whole number from 1 to ", result.stderr)

    @unittest.skipIf(is_sanitized(), "a sanitizer makes it slow")
    def test_default_depth_ends_within_a_minute(self):
        result = luft("bench")
        self.assertRegex(result.stdout.splitlines()[-1], r"^\d+ nodes \d+ nps$")


class Genfens(unittest.TestCase):
    def fens(self, command):
        result = luft(command, "quit")
        self.assertEqual(result.returncode, 0)
        for line in result.stdout.splitlines():
            self.assertTrue(line.startswith("info string genfens "), line)
        return [line[len("info string genfens "):] for line in result.stdout.splitlines()]

    def test_lines_and_seed(self):
        fens = self.fens("genfens 12 seed 42 book None")
        self.assertEqual(len(fens), 12)
        self.assertEqual(len(set(fens)), 12)
        self.assertEqual(self.fens("genfens 12 seed 42 book None extra words 7"), fens)
        self.assertNotEqual(self.fens("genfens 12 seed 43 book None"), fens)
        for fen in fens:
            self.assertNotIn("error", luft(f"position fen {fen}", "quit").stdout)

    def test_book(self):
        with tempfile.NamedTemporaryFile("w", suffix=".epd") as book:
            book.write("8/8/4k3/8/3PP3/3K4/8/8 w - - bm d5; id \"one\";\n4k3/pp6/8/8/8/8/PP6/4K3 w - - 0 1\n")
            book.flush()
            fens = self.fens(f"genfens 8 seed 1 book {book.name}")
        self.assertEqual(len(fens), 8)
        for fen in fens:
            self.assertLessEqual(sum(letter.isalpha() for letter in fen.split()[0]), 6)

    def test_errors(self):
        for command in ("genfens", "genfens x seed 1 book None", "genfens 0 seed 1", "genfens 1 seed x book None",
                        "genfens 1 seed 1 book /does/not/exist.epd"):
            self.assertIn("info string error: genfens: ", luft(command, "quit").stdout)


class Lines(unittest.TestCase):
    def test_each_argument_runs_to_its_end(self):
        lines = luft("position startpos moves e2e4", "go depth 6", "d", "go movetime 100", "isready").stdout.splitlines()
        kinds = [line.split()[0] for line in lines if re.match("bestmove|FEN|readyok", line)]
        self.assertEqual(kinds, ["bestmove", "FEN:", "bestmove", "readyok"])

    def test_an_endless_command_ends_by_itself(self):
        mated = "position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"
        for lines in ([mated, "go"], ["go infinite depth 2", "stop"], ["go ponder depth 2"]):
            with self.subTest(lines=lines):
                output = luft(*lines, "isready").stdout
                self.assertIn("bestmove", output)
                self.assertTrue(output.endswith("readyok\n"), output)

    def test_a_limit_that_cannot_be_read_is_refused(self):
        """No line follows that would end the search."""
        for line in ("go nodes 20x", "go depth", "go movetime infinite"):
            result = luft(line, "isready")
            self.assertEqual(result.returncode, 1)
            self.assertEqual(result.stdout.splitlines()[-2:], ["bestmove (none)", "readyok"])
            self.assertIn("has no number", result.stderr)

    def test_quit_ends_them(self):
        self.assertEqual(luft("isready", "quit", "isready").stdout, "readyok\n")

    def test_standard_input_is_not_read(self):
        self.assertEqual(luft("isready", text_in="isready\nisready\n").stdout, "readyok\n")

    def test_exit_status(self):
        for lines, status in ((["position fen 4k3/8/8/8/8/8/8/4K3 w KQ - 0 1", "go depth 1"], 0), (["position fen x", "go depth 1"], 1),
                              (["position startpos moves d2d4 a1f8", "go depth 1"], 1), (["isready", "unknown", "go depth 1"], 1)):
            result = luft(*lines)
            self.assertEqual((result.returncode, result.stderr.count("\n")), (status, status), lines)
            self.assertEqual(result.stdout.count("bestmove"), 1)

    def test_sub_command_as_a_line_with_arguments(self):
        self.assertRegex(luft("bench 2").stdout.splitlines()[-1], r"^\d+ nodes \d+ nps$")


class Tools(unittest.TestCase):
    def test_perft(self):
        result = luft("perft", "4")
        self.assertIn("Nodes searched: 197281\n", result.stdout)
        self.assertNotIn("e2e4", result.stdout)
        self.assertIn("Nodes searched: 97862\n", luft("perft", "3", KIWIPETE).stdout)

    def test_perft_takes_an_unquoted_fen_and_divide(self):
        result = luft("perft", "2", *KIWIPETE.split(), "--divide")
        self.assertIn("Nodes searched: 2039\n", result.stdout)
        self.assertIn("\ne1g1: 43\n", "\n" + result.stdout)

    def test_perft_errors(self):
        for arguments in ((), ("x",), ("-1",), ("3", "badfen"), ("3", "--frob")):
            result = luft("perft", *arguments)
            self.assertEqual(result.returncode, 2)
            self.assertIn("luft perft: ", result.stderr)

    def test_eval_ends_with_the_value(self):
        self.assertRegex(luft("eval", KIWIPETE).stdout.splitlines()[-1], r"^value: -?\d+$")
        self.assertRegex(luft("eval").stdout.splitlines()[-1], r"^value: -?\d+$")
        self.assertEqual(luft("eval", "x").returncode, 2)

    def test_every_command_that_evaluates_takes_a_network(self):
        for command in ("eval", "tree", "explain", "analyse", "play"):
            words = [KIWIPETE] if command == "explain" else []
            result = luft(command, *words, "--net", __file__)
            self.assertEqual((result.returncode, result.stdout), (1, ""))
            self.assertIn("not a network of Luft", result.stderr)

    def test_eval_in_uci_is_the_same(self):
        value = luft("eval", KIWIPETE).stdout.splitlines()[-1]
        self.assertEqual(luft(f"position fen {KIWIPETE}", "eval").stdout.splitlines()[-1], value)

    def test_selftest_passes(self):
        result = luft("selftest")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertNotIn("FAILED", result.stdout)
        self.assertGreaterEqual(result.stdout.count("ok"), 10)


class Analyse(unittest.TestCase):
    def test_position_is_plain_when_piped(self):
        result = luft("analyse", "--depth", "6", KIWIPETE)
        self.assertEqual(result.returncode, 0)
        self.assertNotIn("\033", result.stdout)
        self.assertIn(" 8  r . . . k . . r\n", result.stdout)
        self.assertRegex(result.stdout, r"\ndepth +6 +[+-]\d+\.\d\d  1\. \S+")
        self.assertRegex(result.stdout.splitlines()[-1], r"^Best move: 1\. \S+$")

    def test_lines(self):
        result = luft("analyse", "--depth", "5", "--lines", "3")
        self.assertEqual(len(re.findall(r"^depth +5 ", result.stdout, re.M)), 3)

    def test_time(self):
        start = time.monotonic()
        luft("analyse", "--time", "0.3", KIWIPETE)
        self.assertGreater(time.monotonic() - start, 0.2)

    def test_black_to_move_is_scored_for_white(self):
        result = luft("analyse", "--depth", "4", "4k3/8/8/8/8/8/8/QQ2K3 b - - 0 1")
        self.assertRegex(result.stdout, r"depth +4 +(\+\d|#\d)")
        self.assertRegex(result.stdout, r"1\.\.\. K")

    def test_chances_are_those_of_white(self):
        for side in "wb":
            result = luft("analyse", "--depth", "3", f"4k3/pppp4/8/8/8/8/PPPP4/QR2K3 {side} - - 0 1")
            chances = re.search(r"\nChances: White wins (\d+) %, draw (\d+) %, Black wins (\d+) %\nBest move", result.stdout)
            white, draw, black = map(int, chances.groups())
            self.assertEqual(white + draw + black, 100)
            self.assertGreater(white, black)
        self.assertNotIn("Chances", luft("analyse", "--depth", "3", "6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1").stdout)

    def test_ends_of_games(self):
        for fen, words in (("7k/8/6Q1/8/8/8/8/K7 b - - 0 1", "Stalemate"), ("R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1", "White has won")):
            self.assertIn(words, luft("analyse", fen).stdout)

    def test_standard_input(self):
        self.assertIn("Best move", luft("analyse", "-", "--depth", "3", text_in=KIWIPETE + "\n").stdout)

    def test_file_of_positions(self):
        with tempfile.NamedTemporaryFile("w", suffix=".fen") as file:
            file.write(KIWIPETE + "\n\n8/8/4k3/8/3PP3/3K4/8/8 w - - 0 1\n")
            file.flush()
            self.assertEqual(luft("analyse", file.name, "--depth", "3").stdout.count("Best move"), 2)

    def test_a_bad_position_does_not_affect_others(self):
        for first, second, bad in (("\ufeff" + KIWIPETE, "8/8/8/8 w - - 0 1", 3), ("8/8/8/8/8/8/8/8 w - - 0 1", KIWIPETE, 1)):
            with tempfile.NamedTemporaryFile("w", suffix=".fen", encoding="utf-8") as file:
                file.write(first + "\n\n" + second + "\n" + KIWIPETE + "\n")
                file.flush()
                result = luft("analyse", file.name, "--depth", "2")
            self.assertEqual((result.returncode, result.stdout.count("Best move")), (1, 2), result.stderr)
            self.assertIn(f"line {bad}: bad FEN", result.stderr)
            self.assertIn("1 of the 3 lines", result.stderr)

    def test_a_long_game_takes_no_more_than_its_moves(self):
        game = "[Event \"long\"]\n\n" + "Nf3 Nf6 Ng1 Ng8 " * 1500 + "*\n"
        start = time.monotonic()
        result = luft("analyse", "-", "--depth", "1", text_in=game)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertLess(time.monotonic() - start, within(20))

    def test_game_is_annotated(self):
        result = luft("analyse", "-", "--depth", "5", text_in=GAME)
        self.assertEqual(result.returncode, 0, result.stderr)
        text = " ".join(result.stdout.split())
        self.assertIn('[White "Adams"]', text)
        self.assertRegex(text, r"1\. e4 \{a good move\} \{\[%eval -?\d+\.\d\d\]\}")
        self.assertRegex(text, r"Ke7 \$4 \{\[%eval #1\] Blunder\. Ke7 allows mate\.\} \(2\.\.\. \S+ 3\. [^)]+\)")
        self.assertTrue(text.endswith("3. Qxe5# 1-0"), text)
        self.assertIn("game 1", result.stderr)

    def test_annotated_game_is_read_again(self):
        once = luft("analyse", "-", "--depth", "2", text_in=GAME).stdout
        twice = luft("analyse", "-", "--depth", "2", text_in=once)
        self.assertEqual(twice.returncode, 0, twice.stderr)

    def test_a_faulty_game_is_skipped_and_reported(self):
        result = luft("analyse", "-", "--depth", "2", text_in="[Event \"a\"]\n\n1. e4 e5 2. Ke3 *\n\n" + GAME)
        self.assertEqual(result.returncode, 1)
        self.assertIn("Ke3", result.stderr)
        self.assertIn("Qxe5#", result.stdout)

    def test_everything_between_the_moves_is_kept(self):
        text = ('\ufeff[Event "x"]\r\n\r\n{before} $3 1. e4! {a} (1. d4 {b} (1. c4 $5)) ; c\r\n% escaped\r\n'
                "1... e5?! $10 (1... c5) {d [%clk 0:01:00]} 2. Qh5 Ke7 3. Qxe5# 1-0 {after}\r\n")
        result = luft("analyse", "-", "--depth", "2", text_in=text)
        self.assertEqual(result.returncode, 0, result.stderr)
        for words in ("\n\n{before} $3 1. e4 $1 {a} (1. d4 {b} (1. c4 $5)) {c}", " e5 $6 $10 (1... c5) {d [%clk 0:01:00]}",
                      "1-0 {after}\n\n"):
            ours = r" \{\[%eval[^}]*\}| \$4"
            self.assertIn(" ".join(words.split()), re.sub(ours, "", " ".join(result.stdout.split())))
        self.assertNotIn("escaped", result.stdout)

    def test_an_unclosed_comment_costs_one_game(self):
        for broken in ("{ open", "(1. d4 d5", "{ open } (1. d4 { open"):
            result = luft("analyse", "-", "--depth", "2", text_in=f'[Event "a"]\n\n1. e4 e5 {broken}\n\n{GAME}\n{GAME}')
            self.assertEqual(result.returncode, 1)
            self.assertRegex(result.stderr, "line 3: the (comment|variation) that begins here has no closing")
            self.assertIn("faults that cost moves or games: 1", result.stderr)
            self.assertEqual(result.stdout.count("Qxe5#"), 2)

    def test_errors(self):
        for arguments, reason in ((("--depth", "x"), "--depth must be"), (("--depth",), "needs a value"), (("--time", "-1"), "--time"),
                                  (("--frob",), "unknown option --frob"), (("--lins", "3"), "did you mean --lines?"),
                                  (("8/8/8/8/8/8/8/8 w - - 0 1",), "bad FEN"), ((KIWIPETE.split()[0], "x"), "bad FEN")):
            result = luft("analyse", *arguments)
            self.assertEqual((result.returncode, result.stdout), (2, ""), arguments)
            self.assertIn("luft analyse: ", result.stderr)
            self.assertIn(reason, result.stderr)

    def test_a_fen_is_read_as_well_as_it_can_be(self):
        fen = "2r5/5p1k/p4b2/2Rp1pr1/1Pn1q3/2P3PP/P4P2/2RQ2K1 b KQkq - 0 1"
        for arguments in (("analyse", "--depth", "1", fen), ("eval", fen), ("perft", "1", fen), ("tree", "--depth", "1", fen),
                          ("explain", "--nodes", "1k", fen, "Kg6")):
            result = luft(*arguments)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn("the castling rights 'KQkq' are dropped", result.stderr)

    def test_other_words_than_a_fen_name_a_file(self):
        for name in ("nofen", "missing.pgn", "/does/not/exist.pgn"):
            result = luft("analyse", name)
            self.assertEqual((result.returncode, result.stdout), (1, ""))
            self.assertIn(f"{name}: No such file", result.stderr)

    def test_options_in_every_spelling(self):
        for depth in (["--depth", "3"], ["--depth=3"], ["-depth", "3"], ["-depth=3"]):
            result = luft("analyse", *KIWIPETE.split(), *depth)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn("depth   3", result.stdout)

    def on_terminal(self, *arguments, **environment):
        """The output of `luft analyse` on a terminal."""
        leader, follower = pty.openpty()
        env = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "TERM")}
        process = subprocess.Popen([LUFT, "analyse", *arguments], stdout=follower, stdin=subprocess.DEVNULL,
                                   env=dict(env, TERM="xterm", **environment))
        os.close(follower)
        output = b""
        while True:
            try:
                piece = os.read(leader, 4096)
            except OSError:
                break
            if not piece:
                break
            output += piece
        os.close(leader)
        self.assertEqual(process.wait(HANG), 0)
        return output.decode()

    def test_terminal_gets_pieces_and_updates_in_place(self):
        output = self.on_terminal("--time", "0.3")
        self.assertIn("♚", output)
        self.assertIn("\033[2A\r", output)
        self.assertIn("Best move", output)

    def test_no_color_and_ascii_get_letters(self):
        for arguments, environment in ((("--ascii",), {}), ((), {"NO_COLOR": "1"})):
            output = self.on_terminal("--depth", "2", *arguments, **environment)
            self.assertIn("R N B Q K B N R", output)
            self.assertNotIn("♚", output)
            self.assertNotIn("\033[48", output)


@unittest.skipIf(is_sanitized(), "a sanitizer needs terabytes of addresses")
class Memory(unittest.TestCase):
    def test_out_of_memory_at_the_start(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_AS, (16 << 20, 16 << 20))

        result = luft(text_in="uci\n", preexec_fn=limit)
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stderr, r"^luft: .*memory")

    def test_out_of_memory_later(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_AS, (400 << 20, 400 << 20))

        result = luft("setoption name Hash value 1000", "position startpos", "go depth 3", preexec_fn=limit)
        self.assertEqual(result.returncode, 1)
        self.assertIn("info string error: setoption: ", result.stdout)
        self.assertIn("bestmove", result.stdout)


class ClosedOutput(unittest.TestCase):
    def test_closed_standard_output_ends_a_tool(self):
        reading, writing = os.pipe()
        process = subprocess.Popen([LUFT, "perft", "4", "--divide"], stdout=writing, stderr=subprocess.DEVNULL)
        os.close(writing)
        os.close(reading)
        self.assertIsNotNone(process.wait(HANG))

    @unittest.skipUnless(os.path.exists("/dev/full"), "a disk that is always full is needed")
    def test_a_full_disk_is_reported(self):
        """Output that cannot be written is a failure: exit status 1, and soon."""
        for arguments in (("bench", "12"), ("perft", "3"), ("eval",), ("selftest",), ("--help",), ("--version",),
                          ("analyse", "--depth", "3"), ("analyse", "-", "--depth", "3"), ("uci",), ("go infinite",),
                          ("bench 12", "isready"), ("genfens 10000000 seed 1 book None", "quit"), ("go depth 2", "quit")):
            with self.subTest(arguments=arguments), open("/dev/full", "w", encoding="ascii") as full:
                result = subprocess.run([LUFT, *arguments], input=GAME, stdout=full, stderr=subprocess.PIPE, text=True,
                                        timeout=HANG)
                self.assertEqual(result.returncode, 1)
                self.assertIn("could not be written", result.stderr)


if __name__ == "__main__":
    unittest.main()
