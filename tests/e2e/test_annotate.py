"""Annotated games: the output of `luft analyse game.pgn` is read by a strict reader (pgn_checker.py), and by Debian's
pgn-extract if it is installed."""

import os
import pathlib
import pty
import re
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

from patience import HANG
from pgn_checker import Game, read_games
from uci_engine import LUFT

PGN_EXTRACT = shutil.which("pgn-extract", path=os.environ.get("PATH", "") + ":/usr/games")
# 7. Be2 allows mate in one; 4. Nxe5 wins a pawn, and falls into the trap.
TRAP = """[Event "Trap"]
[White "A \\"quoted\\" name"]
[Black "B"]
[Result "0-1"]
[Annotator "A person"]

{Before.} 1. e4 {[%clk 0:10:00]} e5 2. Nf3 Nc6 3. Bc4 {Italian} Nd4 $6 4. Nxe5 (4. c3 Nxf3+ {good} 5. Qxf3 (5. gxf3)) 4... Qg5!
5. Nxf7 Qxg2 6. Rf1 Qxe4+ 7. Be2 {[%clk 0:05:00] [%emt 0:00:07]} Nf3# 0-1 {After.}
"""
FOOL = "1. f3 e5 2. g4 Qh4# 0-1\n"
# Black has no queen, and gives a bishop away.
LOST = """[SetUp "1"]
[FEN "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1"]

1... e5 2. Nf3 Bc5 3. Nxe5 Nf6 4. d4 Bxd4 5. Qxd4 a6 1-0
"""
ENDGAME = """[Event "Black begins"]
[Result "*"]
[SetUp "1"]
[FEN "4k3/P6R/8/8/8/8/8/4K2R b K - 0 40"]

40... Kd8 41. a8=Q+ *
"""


def annotate(text, *options):
    result = subprocess.run([LUFT, "analyse", "-", *options], input=text, capture_output=True, text=True, timeout=HANG)
    assert result.returncode == 0, result.stderr
    return result.stdout


class Annotation(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.text = annotate(TRAP, "--depth", "9")
        cls.game = Game(cls.text)

    def test_old_notes_remain_and_new_ones_follow(self):
        line = self.game.line
        self.assertEqual((line[0].comments, self.game.after), (["Before."], ["After."]))
        self.assertEqual(line[1].comments[0], "[%clk 0:10:00]")
        self.assertEqual(line[5].comments[0], "Italian")
        self.assertEqual((line[6].nags[0], line[8].nags[0]), (6, 1))
        self.assertEqual([node.san for node in line[7].variations[0]][1:], ["c3", "Nxf3+", "Qxf3"])
        self.assertEqual(line[7].variations[0][3].variations[0][1].san, "gxf3")
        self.assertEqual(line[13].comments[0], "[%clk 0:05:00] [%emt 0:00:07]")

    def test_every_position_has_its_score(self):
        for node in self.game.line[1:-1]:
            self.assertEqual(len(node.evals()), 1, node.comments)
        self.assertEqual(self.game.line[-1].evals(), [])  # mate on the board

    def test_notes_have_the_order_that_programs_expect(self):
        for node in self.game.line[1:]:
            self.assertEqual(node.kinds, sorted(node.kinds, key=["nag", "comment", "variation"].index))

    def test_a_mistake_has_a_better_line(self):
        faults = [node for node in self.game.line if {2, 4} & set(node.nags)]
        self.assertGreaterEqual(len(faults), 2)
        for node in faults:
            self.assertRegex(node.comments[-1], r"^(\[%eval \S+\] )?(Mistake|Blunder)\. [^.].*\.$")
            self.assertNotRegex(node.comments[-1], "point")
            better, *refutation = [line for line in node.variations if line[1].san not in ("c3",)]
            self.assertNotEqual(better[1].san, node.san)
            self.assertTrue(all(line[1].san == node.san and len(line) > 2 for line in refutation))

    def test_tags(self):
        tags = self.game.tags
        self.assertEqual(tags["White"], 'A \\"quoted\\" name')
        self.assertRegex(tags["Annotator"], r"^A person, Luft \d")
        for color, first in (("White", 1), ("Black", 2)):
            nodes = self.game.line[first::2]
            self.assertTrue(0 < float(tags[color + "Accuracy"]) < 100)
            for nag, what in ((6, "Inaccuracy"), (2, "Mistake"), (4, "Blunder")):
                found = [node for node in nodes if node.comments and f" {what}. " in node.comments[-1]]
                self.assertEqual(int(tags[f"{color}{what}s".replace("ys", "ies")]), len(found))
                self.assertTrue(all(nag in node.nags for node in found))
        self.assertGreater(float(tags["BlackAccuracy"]), float(tags["WhiteAccuracy"]))

    def test_a_mate_allowed_is_a_blunder_but_in_a_lost_game(self):
        """At every depth."""
        for options in (("--depth", "3"), ("--depth", "7"), ("--time", "0.02", "--threads", "1", "--hash", "1")):
            for game, ply, san, nag in ((FOOL, 3, "g4", 4), (TRAP, 13, "Be2", 6)):
                fault = Game(annotate(game, *options)).line[ply]
                self.assertEqual((fault.san, fault.nags, fault.evals()), (san, [nag], ["#-1"]), options)
                self.assertIn(f"{san} allows mate.", fault.comments[-1])

    def test_it_is_said_once_that_a_game_is_lost(self):
        game = Game(annotate(LOST, "--depth", "6"))
        said = [ply for ply, node in enumerate(game.line) if any("was lost" in comment for comment in node.comments)]
        self.assertEqual(said, [1])
        self.assertRegex(game.line[1].comments[-1], r"From move 1 on Black was lost: .* is not marked\.$")
        self.assertEqual([node.nags for node in game.line if node.nags], [])
        self.assertIn("From move 1 on Black was lost", annotate(LOST, "--depth", "6", "--report"))

    def test_a_game_from_a_position_with_black_to_move(self):
        game = Game(annotate(ENDGAME, "--depth", "4"))
        self.assertEqual([node.san for node in game.line[1:]], ["Kd8", "a8=Q#"])
        self.assertEqual(game.line[1].evals(), ["#1"])

    def test_a_second_annotation_loses_nothing(self):
        again = Game(annotate(self.text, "--depth", "4"))
        for once, twice in zip(self.game.line, again.line):
            self.assertEqual(twice.comments[:len(once.comments)], once.comments)
            self.assertTrue(set(once.nags) <= set(twice.nags) and len(twice.nags) == len(set(twice.nags)))
        self.assertEqual(again.tags["Annotator"].count("Luft"), 1)

    def test_several_games(self):
        games = read_games(annotate(TRAP + "\n" + ENDGAME + "\n" + TRAP, "--depth", "2"))
        self.assertEqual([game.tags["Event"] for game in games], ["Trap", "Black begins", "Trap"])

    def test_shards_are_the_file(self):
        text = TRAP + "\n" + ENDGAME + "\n" + TRAP
        parts = [annotate(text, "--nodes", "50", "--threads", "1", "--shard", f"{number}/5") for number in range(1, 6)]
        self.assertEqual("".join(parts), annotate(text, "--nodes", "50", "--threads", "1"))
        self.assertGreater(sum(map(bool, parts)), 1)
        for shard in ("0/3", "4/3", "3", "a/b"):
            result = subprocess.run([LUFT, "analyse", "-", "--shard", shard], input=text, capture_output=True, text=True, timeout=HANG)
            self.assertEqual(result.returncode, 2)
            self.assertIn("the K-th of N parts of the file", result.stderr)

    @unittest.skipIf(PGN_EXTRACT is None, "pgn-extract is not installed")
    def test_pgn_extract_reads_it(self):
        for text in (self.text, annotate(ENDGAME, "--depth", "3")):
            result = subprocess.run([PGN_EXTRACT, "-Wlalg"], input=text, capture_output=True, text=True, timeout=HANG)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertNotRegex(result.stderr, r"(?i)error|illegal|unknown|missing|line \d+")
            self.assertIn("1 game matched out of 1", result.stderr)


class OnTerminal(unittest.TestCase):
    def run_until(self, shown, number, *options):
        """Sends the signal when the pattern `shown` is on the terminal. Returns status, standard output, and all that was shown."""
        leader, follower = pty.openpty()
        with tempfile.TemporaryDirectory() as folder:
            path, output = pathlib.Path(folder, "game.pgn"), pathlib.Path(folder, "annotated.pgn")
            path.write_text(TRAP + "\n" + ENDGAME)
            with output.open("w") as out:
                process = subprocess.Popen([LUFT, "analyse", str(path), *options], stdout=out, stderr=follower)
            os.close(follower)
            text = b""
            while True:
                try:
                    piece = os.read(leader, 4096)
                except OSError:
                    break
                if not piece:
                    break
                text += piece
                if number and re.search(shown, text.decode()):
                    process.send_signal(number)
                    number = None
            os.close(leader)
            self.assertEqual(path.read_text(), TRAP + "\n" + ENDGAME)
            return process.wait(HANG), output.read_text(), text.decode()

    def test_the_progress_is_shown(self):
        status, output, shown = self.run_until("", None, "--time", "0.1", "--threads", "1")
        self.assertEqual((status, len(read_games(output))), (0, 2))
        self.assertRegex(shown, r"\r\[#+\.+\] \d+/14 moves of game 1, .* left\x1b\[K")
        self.assertIn("game 2: 2 moves judged", shown)

    def test_an_interruption_writes_what_is_done(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            status, output, shown = self.run_until(r" [4-9]/14 moves", number, "--time", "0.3")
            self.assertEqual(status, 1)
            done = int(re.search(r"game 1: (\d+) moves judged of 14\r\n.*stopped in game 1", shown).group(1))
            games = read_games(output)
            self.assertEqual(len(games), 1)
            self.assertEqual([bool(node.evals()) for node in games[0].line[1:]], [ply < done for ply in range(14)])
            self.assertNotIn("WhiteAccuracy", games[0].tags)
            self.assertEqual(games[0].after, ["After."])
            self.assertIn(done, range(3, 13))

    def test_a_long_search_ends_at_once(self):
        """And a picture of the whole game is not replaced by one of nothing."""
        start = time.monotonic()
        with tempfile.NamedTemporaryFile(suffix=".svg") as picture:
            picture.write(b"the whole game")
            picture.flush()
            status, output, _ = self.run_until(" 0/14 moves", signal.SIGINT, "--time", "50", "--svg", picture.name)
            self.assertEqual(pathlib.Path(picture.name).read_text(), "the whole game")
        self.assertEqual((status, len(read_games(output))), (1, 1))
        self.assertLess(time.monotonic() - start, HANG)


if __name__ == "__main__":
    unittest.main()
