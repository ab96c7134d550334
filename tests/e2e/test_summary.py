"""What `luft analyse` says of faults: in annotated games and reports, and of a player's games by --summary."""

import html.parser
import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

import explain_checker
from patience import HANG
from pgn_checker import read_games
from rules import Position
from uci_engine import LUFT

GAMES = pathlib.Path(__file__).resolve().parent / "support/classic_games.pgn"
ENGLISH = set("""the is are and of to by with without better best worse misses loses allows wins takes White Black move moves game
    games fault faults mistake blunder inaccuracy pawn pawns knight bishop rook queen king mate accuracy score played position
    positions opening middlegame endgame none nothing cost depth Decisive Checkmate""".split())
FORK = "2kr3r/ppp3pp/6q1/3Pnp2/1PP1p3/7P/P2QNPP1/R4RK1 w - - 1 17"
FEW = ("--nodes", "2000", "--threads", "1")


def analyse(*arguments, status=0):
    result = subprocess.run([LUFT, "analyse", str(GAMES), *FEW, *arguments], capture_output=True, text=True, timeout=HANG)
    assert result.returncode == status, (result.returncode, result.stderr)
    return result.stdout if status == 0 else result.stderr


class Page(html.parser.HTMLParser):
    """Counts elements, and fails on one that is not closed."""

    def __init__(self, text):
        super().__init__()
        self.open, self.seen, self.text = [], {}, []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.seen[tag] = self.seen.get(tag, 0) + 1
        if tag != "meta":
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        pass

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)


class Comments(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.games = read_games(analyse())
        cls.objects = [json.loads(line) for line in analyse("--json").splitlines()]

    def test_a_comment_is_the_first_sentence_of_the_explanation(self):
        moves = [entry for entry in self.objects if "reason" in entry]
        self.assertGreater(len(moves), 8)
        for entry in moves:
            node = self.games[entry["game"] - 1].line[entry["ply"]]
            self.assertEqual(node.san, entry["move"]["san"])
            self.assertEqual(node.comments[-1].split("] ")[-1], f"{entry['verdict'].capitalize()}. {entry['words'][0]}")

    def test_a_refutation_that_was_not_played_is_a_variation(self):
        for entry in (entry for entry in self.objects if "reason" in entry):
            line = self.games[entry["game"] - 1].line
            node, follows = line[entry["ply"]], line[entry["ply"] + 1:entry["ply"] + 2]
            better, *refutations = node.variations
            self.assertEqual(better[1].san, entry["better"][0]["san"])
            played = follows and len(entry["line"]) > 1 and follows[0].san == entry["line"][1]["san"]
            if played:
                self.assertEqual(refutations, [])
            for refutation in refutations:
                self.assertEqual([move.san for move in refutation[1:3]], [move["san"] for move in entry["line"][:2]])
        for reply, shown in (("Kb8", True), ("Nf3+", False), ("", True)):
            game = f'[FEN "2kr3r/ppp3pp/6q1/3Pnp2/1PP1p3/7P/P2QNPP1/R4RK1 w - - 1 17"]\n\n17. Qd4 {reply} *\n'
            result = subprocess.run([LUFT, "analyse", "-", "--nodes", "20000", "--threads", "1"], input=game, capture_output=True,
                                    text=True, timeout=HANG)
            node = read_games(result.stdout)[0].line[1]
            self.assertIn("Blunder. Qd4 loses the queen", node.comments[-1])
            self.assertEqual(["Qd4 Nf3+" in " ".join(move.san for move in line[1:]) for line in node.variations],
                             [False, True] if shown else [False])

    def test_no_claim_is_false(self):
        for entry in (entry for entry in self.objects if "reason" in entry):
            for line in (entry["line"], entry["better"]):
                self.assertIsNotNone(explain_checker.boards_of(entry["fen"], line)[0])

    def test_one_sentence_says_what_decided(self):
        text = analyse("--report")
        said = ("Decisive: ", "No single move decided the game.", "Neither side was ahead", "White was ahead", "Black was ahead")
        self.assertEqual(sum(text.count(f"\n{sentence}") for sentence in said), 3)
        self.assertIn("\nDecisive: ", text)
        self.assertNotRegex(text, r"of a point|\d points")
        self.assertTrue(all(len(line) <= 80 for line in text.splitlines()))
        for game in (entry for entry in self.objects if "decisive" in entry):
            move = next(entry for entry in self.objects if (entry["game"], entry.get("ply")) == (game["game"], game["decisive"]))
            self.assertIn(move["verdict"], ("inaccuracy", "mistake", "blunder"))


class Summary(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "doe.html")
            cls.summary = json.loads(analyse("--summary", "doe", "--page", str(path), "--json"))
            cls.page = path.read_text(encoding="utf-8")

    def test_tables(self):
        summary = self.summary
        self.assertEqual((summary["games"], summary["name"]), (3, "doe"))
        self.assertEqual([table["by"] for table in summary["tables"]], ["phase", "cause", "motif", "piece"])
        numbers = [position["number"] for position in summary["positions"]]
        self.assertEqual(numbers, list(range(1, len(numbers) + 1)))
        for table in summary["tables"]:
            rows = table["rows"]
            self.assertEqual(sum(row["faults"] for row in rows), summary["explained"])
            self.assertEqual(rows, sorted(rows, key=lambda row: (row["name"] == "none", -row["lost"])))
            for row in rows:
                self.assertEqual(row["allowed"] + row["missed"], row["faults"])
                self.assertEqual(len(row["positions"]), min(3, row["faults"]))
                shown = [summary["positions"][number - 1] for number in row["positions"]]
                self.assertEqual({position[table["by"]] for position in shown}, {row["name"]})
                self.assertEqual(sorted((position["loss"] for position in shown), reverse=True),
                                 [position["loss"] for position in shown])
        for position in summary["positions"]:
            board = Position(position["fen"])
            self.assertIsNotNone(board.parse(position["move"]["uci"]))
            self.assertIsNotNone(board.parse(position["best"]["uci"]))
            self.assertFalse(board.white)

    def test_as_text(self):
        text = analyse("--summary", "Doe, J")
        self.assertTrue(text.startswith("Doe, J: 3 games (score 0.0 of 3), "), text)
        for heading in ("by phase", "by cause", "by motif", "by piece"):
            self.assertRegex(text, heading + r" +faults +allowed +missed +cost +positions\n")
        self.assertRegex(text, r"#1 game \d, (inaccuracy|mistake|blunder): ")
        self.assertTrue(all(len(line) <= 80 for line in text.splitlines()), text)

    def test_as_a_page(self):
        page = Page(self.page)
        self.assertEqual(page.open, [])
        count = len(self.summary["positions"])
        self.assertEqual((page.seen["svg"], page.seen["figure"], page.seen["table"]), (count, count, 4))
        text = " ".join("".join(page.text).split())
        for position in self.summary["positions"]:
            self.assertIn(position["says"], text)

    def test_in_german(self):
        """Nothing but moves, tags and names looks English in what people read."""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "doe.html")
            texts = [analyse("--language", "de"), analyse("--language", "de", "--report"),
                     analyse("--language", "de", "--summary", "doe", "--page", str(path))]
            page = Page(path.read_text(encoding="utf-8"))
        texts.append(" ".join(page.text))
        for command in (["analyse", FORK, "--depth", "3"], ["explain", FORK, "--nodes", "2000"], ["explain", FORK, "Qd4", "--nodes", "2000"]):
            texts.append(subprocess.run([LUFT, *command, "--language", "de"], capture_output=True, text=True, timeout=HANG).stdout)
        self.assertIn("Patzer", texts[0])
        self.assertIn("nach Motiv", texts[2])
        for text in texts:
            words = set(re.findall(r"[A-Za-z]+", re.sub(r"(?m)^\[.*\]$|<style>.*?</style>", "", text)))
            self.assertEqual(words & ENGLISH, set(), text)

    def test_a_player_of_that_name_must_have_played(self):
        error = analyse("--summary", "Steinitz", "--depth", "1", status=1)
        self.assertIn("nobody in these games is called 'Steinitz'; their players: Morphy, Paul; Doe, John; Anderssen, Adolf", error)


if __name__ == "__main__":
    unittest.main()
