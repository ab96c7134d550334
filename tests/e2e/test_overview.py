"""`luft explain FEN`: what is going on in a position. Its claims are checked independently (overview_checker.py)."""

import csv
import json
import os
import pathlib
import re
import subprocess
import unittest

import overview_checker
from patience import HANG
from rules import Position

LUFT = os.environ.get("LUFT", "./luft")
FULL = os.environ.get("LUFT_TEST_FULL") == "1"
HERE = pathlib.Path(__file__).resolve().parent
FORK = "2kr3r/ppp3pp/6q1/3Pnp2/1PP1p3/7P/P2QNPP1/R4RK1 w - - 1 17"
OPERA = "rn2kb1r/p3qppp/2p2n2/1N2p1B1/2B1P3/1Q6/PPP2PPP/R3K2R b KQkq - 0 10"  # Morphy - Duke and Count, 1858, after 10. Nxb5


def explain(*arguments, text_in=""):
    return subprocess.run([LUFT, "explain", *arguments], input=text_in, capture_output=True, text=True, timeout=HANG)


def overview(fen, *arguments):
    result = explain(fen, "--json", "--nodes", "30000", *arguments)
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


class Words(unittest.TestCase):
    def test_a_threat_is_named_with_its_motif(self):
        answer = overview("2kr3r/ppp3pp/6q1/3Pnp2/1PPQp3/7P/P3NPP1/R4RK1 w - - 2 18")
        words = " ".join(answer["words"])
        self.assertIn("Black threatens 18... Nf3+, which wins ", words)
        self.assertIn("18... Nf3+ forks the king on g1 and the queen on d4", words)
        self.assertEqual(answer["threat"]["motif"]["kind"], "fork")

    def test_what_the_side_to_move_can_win(self):
        words = " ".join(overview("2kr3r/ppp3pp/6q1/3Pnp2/1PPQp3/7P/P3NPP1/R4RK1 b - - 2 17")["words"])
        self.assertIn("Black can play 17... Nf3+, which wins the queen", words)
        words = " ".join(overview("6k1/5ppp/8/8/8/8/q4PPP/4R1K1 w - - 0 1")["words"])
        self.assertIn("White is winning. ", words)
        self.assertIn("White can play 1. Re8#: mate. ", words)

    def test_pieces_in_trouble(self):
        for fen, sentence in (("6k1/8/8/4n3/7q/8/8/4RK1R w - - 0 1", "The knight on e5 (Black) is attacked, and nothing guards it."),
                              ("4k3/4r3/8/8/8/8/8/4QK2 b - - 0 1", "The rook on e7 (Black) is pinned to its king."),
                              ("6k1/3n4/8/8/n2r4/7B/8/R3K3 b - - 0 1",
                               "The rook on d4 (Black) alone guards the knight on d7 and the knight on a4: it cannot do both.")):
            self.assertIn(sentence, overview(fen)["words"])
        self.assertIn("Der Springer auf e5 (Schwarz) ist angegriffen und ungedeckt.",
                      overview("6k1/8/8/4n3/7q/8/8/4RK1R w - - 0 1", "--language", "de")["words"])

    def test_a_side_in_check_has_no_threat_to_fear_but_that(self):
        answer = overview("4k3/8/8/8/8/8/4q3/4K2R w K - 0 1")
        self.assertIn("White is in check.", answer["words"])
        self.assertNotIn("threat", answer)

    def test_the_only_legal_move_is_named(self):
        self.assertIn("Kxa2 is the only legal move.", overview("6k1/5ppp/8/8/8/8/q7/K7 w - - 0 1")["words"])
        self.assertNotIn("only legal", " ".join(overview(FORK)["words"]))

    def test_the_material_is_named_piece_by_piece(self):
        for fen, sentence in (("4k3/pppp4/8/8/8/8/PPPP4/4K2R w - - 0 1", "White is a rook up."),
                              ("4k2r/pppp4/8/8/8/8/PPPPP3/2B1K3 w - - 0 1", "Black has a rook for a bishop and a pawn."),
                              ("3rk1b1/pppp4/8/8/8/8/PPPPQ3/4K3 b - - 0 1", "White has the queen for a rook and a bishop."),
                              ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "Material is even.")):
            self.assertEqual(overview(fen)["words"][1], sentence)

    def test_a_quiet_position_has_no_threat(self):
        self.assertIn("Black threatens neither mate nor material.",
                      overview("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")["words"])

    def test_a_mate_at_hand_is_not_counted_in_pawns(self):
        fen = "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2"  # 2... Qh4#
        said = explain(fen, "--nodes", "20000").stdout
        self.assertIn("Qh4#", said)
        self.assertNotIn("to pass would cost", said)

    def test_an_answer_is_short(self):
        for fen in (FORK, OPERA):
            text = explain(fen, "--nodes", "30000").stdout
            self.assertTrue(all(len(line) <= 80 for line in text.splitlines()), text)
            self.assertLessEqual(len(text.splitlines()), 12, text)
            self.assertRegex(text, r"\nbest +[+-]\d")

    def test_the_same_answer_over_uci(self):
        plain = explain(FORK, "--nodes", "20000", "--json").stdout
        session = subprocess.run([LUFT, f"position fen {FORK}", "explain nodes 20000 json"], capture_output=True, text=True,
                                 timeout=HANG).stdout
        answer = next(line for line in session.splitlines() if line.startswith("info string {"))
        self.assertEqual(json.loads(plain), json.loads(answer[len("info string "):]))

    def test_no_answer_where_there_is_nothing_to_say(self):
        for fen, reason in (("7k/8/8/8/8/8/5qr1/7K w - - 0 1", "game is over"), (FORK.replace("k", "x"), "a FEN, then a move")):
            result = explain(fen)
            self.assertEqual((result.returncode, result.stdout), (2, ""))
            self.assertIn(reason, result.stderr)


class Claims(unittest.TestCase):
    def test_no_claim_is_false(self):
        """Positions of the bench and of puzzles, before and after the mistake."""
        source = (HERE.parent.parent / "src/engine/bench.c").read_text()
        fens = re.findall(r'^\s*\{"([^"]+ [wb] [^"]+)", "[^"]*"\},$', source, re.M)
        with open(HERE / "support/puzzles.csv", newline="") as file:
            fens += [row["fen"] for row in csv.DictReader(file)][::1 if FULL else 10]
        fens = [fen for fen in fens if Position(fen).legal()]
        result = explain("-", "--json", "--nodes", "10000", text_in="".join(fen + "\n" for fen in fens))
        answers = [json.loads(line) for line in result.stdout.splitlines()]
        self.assertEqual(len(answers), len(fens), result.stderr)
        for answer in answers:
            self.assertEqual(overview_checker.check(answer), [], answer)
        kinds = {piece["kind"] for answer in answers for piece in answer["pieces"]}
        self.assertGreaterEqual(kinds, {"hanging", "pinned", "not guarded enough"})
        self.assertGreater(sum("threat" in answer for answer in answers), len(answers) / 5)
        self.assertTrue(any(fact["refused"] is None for answer in answers for fact in answer["facts"]))

    def test_the_checker_detects_a_false_claim(self):
        answer = overview("6k1/8/8/4n3/8/8/8/4RK2 b - - 0 1")
        self.assertEqual(overview_checker.check(answer), [])
        answer["pieces"][0]["kind"] = "pinned"
        answer["pieces"][0]["others"] = ["e1"]
        self.assertNotEqual(overview_checker.check(answer), [])


if __name__ == "__main__":
    unittest.main()
