"""`luft explain` as a user calls it, with its claims checked independently (explain_checker.py).

puzzles.csv holds 500 puzzles of the Lichess puzzle database (CC0), drawn by a seed: the position before the mistake, the
mistake and its refutation. A run tests some of them; LUFT_TEST_FULL=1 tests all."""

import copy
import csv
import json
import os
import pathlib
import pty
import random
import re
import resource
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree

import explain_checker
import terminal
from patience import HANG, within
from rules import Position, name
from uci_engine import is_sanitized

LUFT = os.environ.get("LUFT", "./luft")
FULL = os.environ.get("LUFT_TEST_FULL") == "1"
HERE = pathlib.Path(__file__).resolve().parent
TAGS = {"fork": {"fork", "attraction"},  # tags of the puzzles, and the motifs with the same meaning
        "pin": {"pin", "relative pin", "pinned guard"},
        "skewer": {"skewer", "attraction"},
        "discoveredAttack": {"discovered attack", "discovered check", "double check"},
        "hangingPiece": {"undefended piece", "piece not guarded enough"},
        "trappedPiece": {"trapped piece"}}
FORK = "2kr3r/ppp3pp/6q1/3Pnp2/1PP1p3/7P/P2QNPP1/R4RK1 w - - 1 17"
QUIET = "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3"
GAME = """[White "A"]
[Black "B"]

1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0
"""


def explain(*arguments, text_in=""):
    return subprocess.run([LUFT, "explain", *arguments], input=text_in, capture_output=True, text=True, timeout=HANG)


class Answers(unittest.TestCase):
    def test_a_move_in_either_notation(self):
        for move in ("Qd4", "d2d4"):
            result = explain(FORK, move, "--nodes", "20000")
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn("Qd4 loses the queen", result.stdout)
            self.assertIn("forks the king on g1 and the queen on d4: no reply saves both", result.stdout.replace("\n", " "))
            self.assertTrue(all(len(line) <= 80 for line in result.stdout.splitlines()), result.stdout)

    def test_a_pawn_that_can_be_kept_is_not_won(self):
        """5. O-O holds the pawn on g2: who lets it go gets something for it."""
        start = "rnb1kbnr/ppp1pppp/8/8/4q3/5N2/PPPPBPPP/RNBQK2R b KQkq - 4 4"
        for nodes in ("3000", "20000"):
            self.assertNotIn("wins a pawn", " ".join(explain(start, "Qg4", "--nodes", nodes).stdout.split()))

    def test_an_answer_in_german(self):
        words = " ".join(explain(FORK, "Qd4", "--nodes", "20000", "--language", "de").stdout.split())
        self.assertIn("Dd4 verliert die Dame", words)
        self.assertIn("17... Sf3+ ist eine Gabel: Angegriffen sind der König auf g1 und die Dame auf d4, und keine Antwort rettet", words)
        answer = json.loads(explain(FORK, "Qd4", "--nodes", "20000", "--language", "de", "--json").stdout)
        self.assertEqual((answer["reason"], answer["move"]["san"]), ("loses material", "Qd4"))
        self.assertIn("Dame", answer["words"][0])
        self.assertEqual(explain(FORK, "Qd4", "--language", "xx").returncode, 2)

    def test_json_has_the_same_content(self):
        result = explain(f"{FORK} Qd4", "--json", "--nodes=20000")
        answer = json.loads(result.stdout)
        self.assertEqual(answer["schema"], 4)
        self.assertEqual(answer["reason"], "loses material")
        self.assertEqual(answer["motif"]["kind"], "fork")
        self.assertEqual(answer["move"], {"uci": "d2d4", "san": "Qd4"})

    def test_a_good_move_is_reported_with_what_it_achieves(self):
        fork = "2kr3r/ppp3pp/6q1/3Pnp2/1PPQp3/7P/P3NPP1/R4RK1 b - - 1 17"
        answer = json.loads(explain(fork, "Nf3", "--json", "--nodes", "20000").stdout)
        self.assertEqual((answer["reason"], answer["motif"]["kind"]), ("best", "fork"))
        self.assertIn("queen", answer["material"]["lost"])
        self.assertIn("the best move: in this line it wins the queen", answer["words"][0])
        self.assertEqual(explain_checker.check(answer), [])
        mate = "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4"
        answer = json.loads(explain(mate, "Qxf7", "--json", "--nodes", "20000").stdout)
        self.assertEqual((answer["mate"], answer["words"]), (1, ["Qxf7# is the best move: mate."]))

    def test_facts_are_worth_what_luft_eval_says(self):
        """Strategic errors of explained_moves.tsv: what the network says of an edited board is what `luft eval` prints."""
        with open(HERE / "support/explained_moves.tsv", newline="") as file:
            rows = [row for row in csv.DictReader(file, delimiter="\t") if row["label"] in ("A19", "C1", "C3", "C7", "C13")]
        questions = "".join(f"{row['fen']} {row['move']}\n" for row in rows)
        answers = [json.loads(line) for line in explain("-", "--json", "--nodes", "40000", text_in=questions).stdout.splitlines()]
        boards = [board for answer in answers for board in explain_checker.evals(answer)]
        self.assertGreater(len(boards), 2)
        self.assertTrue(any("pass" in answer for answer in answers))
        for answer in answers:
            self.assertEqual(explain_checker.check(answer), [], answer)
        commands = "".join(f"position fen {fen}\neval\n" for fen, _ in boards)
        text = subprocess.run([LUFT], input=commands + "quit\n", capture_output=True, text=True, timeout=HANG).stdout
        values = [float(value) for value in re.findall(r"network: (\S+) pawns for White", text)]
        self.assertEqual(len(values), len(boards))
        for value, (fen, centipawns) in zip(values, boards):
            self.assertAlmostEqual(value, centipawns / 100, delta=0.011, msg=fen)

    def test_how_the_search_handled_the_move(self):
        search = json.loads(explain(f"{FORK} Qd4", "--json", "--nodes=60000").stdout)["search"]
        self.assertEqual(search["moves"], 37)
        self.assertEqual(search["dropped"], 0)
        self.assertGreater(len(search["iterations"]), 6)
        for row in search["iterations"]:
            # A move is made once and may be searched three times, each time cut off by the table.
            self.assertTrue(1 <= row["place"] <= 37 and row["nodes"] >= 1 and row["searches"] >= 1, row)
            self.assertLessEqual(row["depth"], row["deepest"])
        self.assertEqual([node["move"]["san"] for node in search["refutation"][:2]], ["Qd4", "Nf3+"])
        acts = [act for node in search["refutation"] for act in node["acts"]]
        self.assertTrue(acts)
        for act in acts:
            self.assertTrue(act["technique"] and act["words"] and act["count"] >= 1, act)
        words = explain(FORK, "Qd4", "--search", "--nodes", "60000").stdout
        self.assertIn("one of 37 moves", words)
        self.assertNotIn("one of 37 moves", explain(FORK, "Qd4", "--nodes", "60000").stdout)
        self.assertTrue(all(len(line) <= 80 for line in words.splitlines()), words)

    def test_what_the_search_finds_without_a_technique(self):
        answer = json.loads(explain(f"{FORK} Qd4", "--json", "--nodes=20000", "--without", "late_move_reductions").stdout)
        base, trial = answer["without"]
        self.assertEqual((base["without"], trial["without"]), (None, "late_move_reductions"))
        self.assertEqual(base["same_depth"]["best"], answer["best"])
        self.assertLess(trial["same_nodes"]["depth"], base["same_depth"]["depth"])
        self.assertLessEqual(trial["same_nodes"]["nodes"], 20000)
        self.assertLessEqual(trial["same_depth"]["nodes"], 3 * 20000)
        sums = {row["technique"]: row for row in answer["totals"]["techniques"]}
        self.assertGreater(sums["late_move_reductions"]["saved"], sums["futility"]["saved"])
        self.assertGreater(sums["futility"]["skipped"], 0)
        self.assertLess(answer["totals"]["re_searched"], answer["totals"]["reduced"])

    def test_the_techniques_that_touched_the_move(self):
        words = explain(FORK, "Qd4", "--nodes", "5000", "--techniques").stdout
        table = words.split("without  ", 1)[1]
        self.assertIn("(none)", table)
        self.assertIn("nodes saved", table)
        self.assertTrue(all(len(line) <= 80 for line in words.splitlines()), words)
        rows = len(table.split("\n\n")[0].splitlines()) - 2
        self.assertTrue(1 <= rows <= 8, table)

    def test_without_each_technique(self):
        answer = json.loads(explain(f"{FORK} Qd4", "--json", "--nodes=500", "--all").stdout)
        names = re.findall(r"^TECHNIQUE\((\w+)", (HERE.parent.parent / "src/search/techniques.def").read_text(), re.M)
        expected = [None] + [name for name in names if not name.startswith("time_")]
        self.assertEqual([trial["without"] for trial in answer["without"]], expected)

    def test_the_root_has_rules_or_reports_none(self):
        for move in ("e2e4", "a2a3", "h2h4"):
            words = explain("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", move, "--search", "--nodes", "20000").stdout
            found = re.search(r"At the root, iteration \d+, which spent most nodes on it(:\n  \w|, no rule touched it\.\n)", words)
            self.assertIsNotNone(found, words)

    def test_an_unknown_technique(self):
        for name, reason in (("nul_move", "did you mean null_move?"), ("luck", "no technique 'luck'"),
                             ("time_stability", "of the clock")):
            result = explain(FORK, "Qd4", "--without", name)
            self.assertEqual((result.returncode, result.stdout), (2, ""))
            self.assertIn(reason, result.stderr)
        self.assertIn("razoring", explain(FORK, "Qd4", "--without", "luck").stderr)

    @unittest.skipIf(is_sanitized(), "a sanitizer makes it slow")
    def test_an_answer_does_not_take_long(self):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        explain(FORK, "Qd4")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.assertLess(after.ru_utime - before.ru_utime, within(4))  # with asserts

    def test_the_worst_moves_of_a_game(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "game.pgn")
            path.write_text(GAME)
            result = explain(str(path), "--nodes", "8000", "--worst", "1")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("Nf6 allows mate.", result.stdout)
        self.assertNotIn("Nc6 ", result.stdout.split("\n\n")[0])

    def test_a_mate_in_a_lost_game_is_not_skipped(self):
        """Morphy's opera game: 15... Nxd7 allows the famous mate, in a position that is lost anyway."""
        games = (HERE / "support/classic_games.pgn").read_text()
        opera = games[:games.index("[Event", 1)]
        text = explain("-", "--nodes", "40000", "--worst", "1", text_in=opera).stdout
        self.assertIn("15... Nxd7\nNxd7 allows mate in 2.", text)
        answers = [json.loads(line) for line in explain("-", "--nodes", "2000", "--json", text_in=opera).stdout.splitlines()]
        self.assertTrue(answers)
        for answer in answers:
            self.assertNotIn(answer["reason"], ("best", "as good as the best"))
        self.assertEqual(explain("-", "--nodes", "2000", text_in="1. e4 e5 2. Nf3 Nc6 *\n").stdout, "No move cost much.\n\n")
        two = explain("-", "--nodes", "2000", text_in='[White "Ann"]\n\n1. e4 *\n\n1. d4 *\n').stdout
        self.assertEqual(two, "Game 1: Ann - ?\n\nNo move cost much.\n\nGame 2: ? - ?\n\nNo move cost much.\n\n")

    def test_a_lost_game_is_called_lost(self):
        """What was given away after that is not among the worst moves."""
        lost = f'[FEN "{FORK}"]\n\n17. Qd4 Nf3+ 18. Kh1 Nxd4 19. Nxd4 Rxd5 20. Nb3 Rd3 21. Rad1 Rxd1 22. Rxd1 Qg5 23. a4 a6 0-1\n'
        self.assertIn("From move 18 on White was lost: what was given away", explain("-", "--nodes", "4000", text_in=lost).stdout)
        self.assertNotIn("was lost", explain("-", "--nodes", "4000", text_in=GAME).stdout)

    def test_an_unreadable_game_does_not_hide_the_next_one(self):
        result = explain("-", "--nodes", "8000", "--worst", "1", text_in='[White "C"]\n\n1. e4 e4 *\n\n' + GAME)
        self.assertEqual(result.returncode, 1)
        self.assertIn("Nf6 allows mate.", result.stdout)
        self.assertIn("faults that cost moves or games: 1", result.stderr)

    def test_a_file_of_questions(self):
        result = explain("-", "--json", "--nodes", "5000", text_in=f"{FORK} Qd4\nnonsense\n\n{FORK} Qe3\n")
        self.assertEqual([json.loads(line)["move"]["san"] for line in result.stdout.splitlines()], ["Qd4", "Qe3"])
        self.assertIn("line 2:", result.stderr)
        self.assertEqual(result.returncode, 1)
        with_mark = explain("-", "--json", "--nodes", "5000", text_in=f"\ufeff{FORK} Qd4\n")
        self.assertEqual((with_mark.returncode, json.loads(with_mark.stdout)["move"]["san"]), (0, "Qd4"))

    def test_suites_are_read(self):
        """EPD: the move to avoid, to find or to play; without one, what is going on. A bad move costs its line."""
        suite = (f"# a comment\n{FORK} Qd9\n{FORK[:-5]} bm Qe3; am Qd4; id \"a; b\";\n{FORK[:-5]} id \"x\"; bm Qe3;\n"
                 f"{FORK} 17. Qd4\n{FORK} ;D1 20 ;D2 400\n")
        result = explain("-", "--json", "--nodes", "5000", text_in=suite)
        answers = [json.loads(line) for line in result.stdout.splitlines()]
        self.assertEqual([answer["move"]["san"] for answer in answers[:3]], ["Qd4", "Qe3", "Qd4"])
        self.assertEqual(["pieces" in answer for answer in answers], [False, False, False, True])
        self.assertIn("line 2: unreadable move 'Qd9'", result.stderr)

    def test_bad_questions_get_a_reason(self):
        for words, reason in (((FORK, "Qd9"), "Qd9"), ((FORK, "Nf5"), "Nf5"), ((FORK.replace("k", "x"),), "a FEN, then a move"),
                              (("7k/8/8/8/8/8/5qr1/7K w - - 0 1", "h1h2"), "White is stalemated; expected one with a legal move"),
                              (("7k/8/8/8/8/8/5q1r/7K w - - 0 1",), "White is checkmated; expected"),
                              ((FORK, "Qd4", "Nf3+"), "expected one move, and more follow it: 'Nf3+'"), ((), "WHAT")):
            result = explain(*words)
            self.assertEqual(result.returncode, 2, words)
            self.assertIn(reason, result.stderr)
            self.assertEqual(result.stdout, "")
        self.assertEqual(explain("/nowhere/game.pgn").returncode, 1)
        self.assertIn("legal moves: Nc1, Nc3, Ng3, Nd4, Nf4", explain(FORK, "Nf5").stderr)
        self.assertIn("legal moves: Rad1, Rfd1", explain(FORK, "Rd1").stderr)

    def test_a_terminal_shows_why_it_takes_long(self):
        """Until the answer stands in its place."""
        waits = b"Longer searches look whether the reason holds ..."
        for fen, move, shown in ((FORK, "Qd4", b""), (QUIET, "h6", waits)):
            leader, follower = pty.openpty()
            process = subprocess.Popen([LUFT, "explain", fen, move, "--nodes", "10000"], stdout=subprocess.DEVNULL, stderr=follower)
            os.close(follower)
            self.assertRegex(terminal.take_all(leader), re.escape(shown) + rb"(\r\x1b\[K)+\Z")
            os.close(leader)
            self.assertEqual(process.wait(HANG), 0)

    def test_every_bench_position_gets_an_answer(self):
        source = (HERE.parent.parent / "src/engine/bench.c").read_text()
        fens = re.findall(r'^\s*\{"([^"]+ [wb] [^"]+)", "[^"]*"\},$', source, re.M)
        self.assertEqual(len(fens), 48)
        generator, questions = random.Random(21), []
        for fen in fens:
            moves = sorted(Position(fen).legal())
            if moves:
                start, to, promotion = generator.choice(moves)
                questions.append(f"{fen} {name(start)}{name(to)}{promotion}")
            else:
                self.assertIn("game is over", explain(fen, "a1a2").stderr)
        self.assertGreater(len(questions), 40)
        result = explain("-", "--json", "--nodes", "2000", text_in="\n".join(questions) + "\n")
        answers = [json.loads(line) for line in result.stdout.splitlines()]
        self.assertEqual(len(answers), len(questions), result.stderr)
        for answer in answers:
            self.assertEqual(explain_checker.check(answer), [], answer)
            self.assertTrue(answer["words"] and answer["line"] and answer["better"], answer)
            self.assertIn("search", answer)
        words = explain("-", "--search", "--nodes", "2000", text_in="\n".join(questions) + "\n").stdout
        self.assertEqual(words.count("How the search treated"), len(questions))
        self.assertTrue(all(len(line) <= 80 for line in words.splitlines() if line not in questions))
        for question in questions:
            picture = explain(question, "--svg", "--nodes", "2000")
            self.assertEqual((picture.returncode, picture.stderr), (0, ""), question)
            root = xml.etree.ElementTree.fromstring(picture.stdout)
            self.assertEqual(root.tag, "{http://www.w3.org/2000/svg}svg")
            self.assertTrue("".join(root.itertext()).strip(), question)


class Puzzles(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with open(HERE / "support/puzzles.csv", newline="") as file:
            cls.puzzles = list(csv.DictReader(file))[::1 if FULL else 8]
        questions = "".join(f"{puzzle['fen']} {puzzle['moves'].split()[0]}\n" for puzzle in cls.puzzles)
        result = explain("-", "--json", "--nodes", "100000" if FULL else "8000", text_in=questions)
        cls.answers = [json.loads(line) for line in result.stdout.splitlines()]

    def test_each_has_an_answer_without_a_false_claim(self):
        self.assertEqual(len(self.answers), len(self.puzzles))
        found = ((puzzle["id"], explain_checker.check(answer)) for puzzle, answer in zip(self.puzzles, self.answers))
        false = {name: faults for name, faults in found if faults}
        self.assertEqual(false, {})

    def test_the_refutation_is_the_puzzle_s_solution(self):
        same = sum(len(answer["line"]) > 1 and answer["line"][1]["uci"] == puzzle["moves"].split()[1]
                   for puzzle, answer in zip(self.puzzles, self.answers))
        self.assertGreaterEqual(same / len(self.puzzles), 0.95 if FULL else 0.85)

    def test_mates_are_named(self):
        mates = [answer.get("mate") for puzzle, answer in zip(self.puzzles, self.answers) if "mate" in puzzle["themes"].split()]
        self.assertGreaterEqual(sum(mate is not None for mate in mates) / len(mates), 0.98 if FULL else 0.75)

    def test_tagged_motifs_are_named(self):
        """One of a puzzle's tagged motifs is named, unless only the mate is reported. Tags come from a program and are not always
        right: they only help to find motifs that are missing. Of all puzzles, 106 of 153 are named."""
        tagged = named = 0
        for puzzle, answer in zip(self.puzzles, self.answers):
            themes = puzzle["themes"].split()
            kinds = set().union(*(TAGS[tag] for tag in themes if tag in TAGS and "mate" not in themes))
            tagged += bool(kinds)
            named += bool(kinds & {answer[field]["kind"] for field in ("motif", "also") if field in answer})
        self.assertGreater(tagged, len(self.puzzles) / 4)
        self.assertGreaterEqual(named / tagged, 0.67 if FULL else 0.6, f"{named} of {tagged}")

    def test_mate_patterns_are_named(self):
        """mate_patterns.csv: puzzles of the same database before the mating move, with the pattern of their tag. The last ones
        have none of these tags."""
        with open(HERE / "support/mate_patterns.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        result = explain("-", "--json", "--nodes", "400", text_in="".join(f"{row['fen']} {row['move']}\n" for row in rows))
        answers = [json.loads(line) for line in result.stdout.splitlines()]
        self.assertEqual([answer.get("mate_pattern", "") for answer in answers], [row["pattern"] for row in rows])
        for answer in answers:
            self.assertEqual(explain_checker.check(answer), [], answer)
            if "mate_pattern" in answer:
                others = {row["pattern"] for row in rows} - {"", answer["mate_pattern"]}
                board = explain_checker.boards_of(answer["fen"], answer["line"])[0][-1]
                self.assertIn(answer["mate_pattern"].split()[0].lower(), answer["words"][1].lower())
                held = [other for other in others if explain_checker.has_pattern(other, board)]
                self.assertLessEqual(len(held), 1, answer)

    def test_the_checker_detects_a_false_claim(self):
        """Altered claims must be detected; otherwise the checks above prove nothing."""
        found = total = 0
        for answer in self.answers[::2]:
            if "motif" not in answer or not answer["motif"]["victims"]:
                continue
            false = copy.deepcopy(answer)
            file, rank = false["motif"]["victims"][0]
            false["motif"]["victims"][0] = chr(ord("a") + (ord(file) - ord("a") + 3) % 8) + rank
            total += 1
            found += bool(explain_checker.check_safely(false))
            false = copy.deepcopy(answer)
            false["shown"] = {part: 1 for part in false["shown"]}
            total += 1
            found += bool(explain_checker.check(false))
            false = copy.deepcopy(answer)
            if "material" in false:
                false["material"]["points"] += 1
                total += 1
                found += bool(explain_checker.check(false))
        self.assertGreater(total, 10)
        self.assertGreaterEqual(found, 0.97 * total)  # a few altered claims are true, too


if __name__ == "__main__":
    unittest.main()
