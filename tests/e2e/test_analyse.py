"""`luft analyse` and its options: search resources, JSON, reports and pictures, refusals."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree

from patience import HANG
from pgn_checker import START, san_of
from rules import Position
from uci_engine import LUFT

ROOT = pathlib.Path(__file__).resolve().parents[2]
NETWORK = next((ROOT / "nets").glob("*.nnue"))
GAME = '[White "Adams <&> \u00e9"]\n[Black "Torre"]\n[Result "1-0"]\n\n1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0\n'
FEN = "4k3/8/8/8/8/8/PPP5/4K2R w K - 0 1"
WON = "8/8/8/8/4k3/8/8/4K2R w - - 0 1"


def analyse(*arguments, text_in=None, status=0, **options):
    result = subprocess.run([LUFT, "analyse", *arguments], input=text_in, capture_output=True, text=True, timeout=HANG, **options)
    assert result.returncode == status, (result.returncode, result.stderr)
    return result.stdout if status == 0 else result.stdout + result.stderr


def objects(text):
    return [json.loads(line) for line in text.splitlines()]


class Limits(unittest.TestCase):
    def test_nodes_end_the_search(self):
        lines = objects(analyse("--nodes", "3k", "--threads", "1", "--json"))
        self.assertLessEqual(lines[-2]["nodes"], 3100)
        self.assertEqual(objects(analyse("--nodes", "3000", "--threads=1", "--json"))[-1]["best"], lines[-1]["best"])

    def test_the_resources_used_are_reported(self):
        self.assertIn("; 1 thread\n", analyse("--depth", "2", "--threads", "1"))
        self.assertIn("; 3 threads\n", analyse("--depth", "2", "--threads", "3"))
        self.assertIn(f"; {len(os.sched_getaffinity(0))} thread", analyse("--depth", "2"))

    def test_another_network(self):
        same = [analyse("--depth", "4", "--threads", "1", *net) for net in ((), ("--net", str(NETWORK)))]
        self.assertEqual(*same)

    def test_tablebases(self):
        found = objects(analyse("--tablebases", str(ROOT / "tests/syzygy"), "--depth", "3", "--json", WON))
        self.assertGreater(found[-2]["tbhits"], 0)
        self.assertGreater(found[-2]["score"].get("cp", 20000), 19000)


class Refusals(unittest.TestCase):
    def test_wrong_values(self):
        for arguments, reason in ((("--threads", "0"), "--threads must be a whole number from 1 to 1024"),
                                  (("--threads", "x"), "--threads"), (("--nodes", "0"), "--nodes must be"),
                                  (("--report",), "name a PGN file"), (("--svg", "x.svg"), "name a PGN file"),
                                  (("--summary", "A"), "name a PGN file"), (("g.pgn", "--page", "p.html"), "with --summary"),
                                  (("g.pgn", "--summary", "A", "--page", "p.htm"), "ends in .html"),
                                  (("g.pgn", "--summary", "A", "--report"), "choose one"), (("g.pgn", "--summary", ""), "part of it"),
                                  ((FEN, "--report"), "name a PGN file"), (("g.pgn", "--svg", "g.png"), "ends in .svg"),
                                  (("g.pgn", "--svg", ".svg"), "ends in .svg"),
                                  (("g.pgn", "--report", "--json"), "choose one")):
            self.assertIn(reason, analyse(*arguments, status=2), arguments)

    def test_files_that_cannot_be_used(self):
        with tempfile.TemporaryDirectory() as folder:
            game, positions, empty = (str(pathlib.Path(folder, name)) for name in ("g.pgn", "p.fen", "e.pgn"))
            pathlib.Path(game).write_text(GAME, encoding="utf-8")
            pathlib.Path(positions).write_text(FEN + "\n")
            pathlib.Path(empty).write_text("")
            cases = [(("--net", folder + "/none"), "No such file"), (("--net", game), "not a network"),
                     ((positions, "--report"), "begins with a position"),
                     ((game, "--svg", folder + "/none/x.svg"), "No such file"), ((folder,), "directory"),
                     ((empty,), "neither a position nor a game"),
                     (("--tablebases", folder + "/none"), "No such file"), (("--tablebases", folder), "no tablebase")]
            for arguments, reason in cases:
                self.assertIn(reason, analyse(*arguments, "--depth", "2", status=1), arguments)
            self.assertEqual(sorted(os.listdir(folder)), ["e.pgn", "g.pgn", "p.fen"])

    def test_a_picture_never_replaces_the_game(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "game.svg")
            path.write_text(GAME, encoding="utf-8")
            os.symlink(path, pathlib.Path(folder, "other.svg"))
            for name in ("game.svg", "other.svg"):
                text = analyse(str(path), "--svg", str(pathlib.Path(folder, name)), status=2)
                self.assertIn("names the file that is read", text)
            self.assertEqual(path.read_text(encoding="utf-8"), GAME)

    def test_a_file_is_not_appended_to_itself(self):
        """`luft analyse game.pgn >> game.pgn`, and the same through standard input."""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "game.pgn")
            for text in (GAME, FEN + "\n"):
                for command, limit in (("analyse", "--depth"), ("explain", "--nodes")):
                    for name in (str(path), "-"):
                        path.write_text(text, encoding="utf-8")
                        with path.open("a") as out, path.open() as standard_input:
                            result = subprocess.run([LUFT, command, name, limit, "100"], stdin=standard_input, stdout=out,
                                                    stderr=subprocess.PIPE, text=True, timeout=HANG)
                        self.assertEqual(result.returncode, 1, result.stderr)
                        self.assertIn("standard output goes there, too", result.stderr)
                        self.assertEqual(path.read_text(encoding="utf-8"), text)

    @unittest.skipUnless(os.path.exists("/dev/full"), "a disk that is always full is needed")
    def test_a_full_disk_is_reported(self):
        for arguments in (("--json",), ("-", "--json"), ("-",)):
            with open("/dev/full", "w", encoding="ascii") as full:
                result = subprocess.run([LUFT, "analyse", *arguments, "--depth", "2"], input=GAME, stdout=full,
                                        stderr=subprocess.PIPE, text=True, timeout=HANG)
            self.assertEqual(result.returncode, 1)
            self.assertIn("could not be written", result.stderr)


class Json(unittest.TestCase):
    def assert_line(self, pos, line):
        for move in line:
            read = pos.parse(move["uci"])
            self.assertIsNotNone(read, move)
            self.assertEqual(san_of(pos, read), move["san"])
            pos = pos.make(read)

    def assert_scores(self, found):
        self.assertEqual(sum(found["wdl"]), 1000)
        self.assertEqual(list(found["score"]), ["mate"] if "mate" in found["score"] else ["cp"])

    def test_a_position(self):
        *lines, last = objects(analyse("--json", "--depth", "6", "--lines", "2", FEN))
        self.assertEqual([(line["depth"], line["rank"]) for line in lines], [(d, r) for d in range(1, 7) for r in (1, 2)])
        for line in lines:
            self.assertEqual((line["schema"], line["fen"]), (1, FEN))
            self.assert_scores(line)
            self.assert_line(Position(FEN), line["pv"])
            self.assertTrue({"seldepth", "nodes", "time", "hashfull", "tbhits"} <= set(line))
        self.assertEqual(last["best"], lines[-2]["pv"][0])

    def test_the_end_of_a_game_has_no_best_move(self):
        self.assertIsNone(objects(analyse("--json", "7k/8/6Q1/8/8/8/8/K7 b - - 0 1"))[-1]["best"])

    def test_a_game(self):
        *moves, last = objects(analyse("-", "--json", "--depth", "5", text_in=GAME))
        pos = Position(START)
        for ply, move in enumerate(moves, 1):
            self.assertEqual((move["game"], move["ply"]), (1, ply))
            self.assert_scores(move)
            self.assert_line(Position(move["fen"]), move["pv"])
            self.assert_line(pos, [move["move"]])
            pos = pos.make(pos.parse(move["move"]["uci"]))
        self.assertEqual((moves[3]["verdict"], moves[3]["nag"], moves[4]["score"]), ("blunder", 4, {"mate": 1}))
        self.assertEqual((last["result"], last["moves"], last["judged"], last["black"]["blunders"]), ("1-0", 5, 5, 1))


class Report(unittest.TestCase):
    def test_report_and_picture(self):
        with tempfile.TemporaryDirectory() as folder:
            game, svg = pathlib.Path(folder, "g.pgn"), pathlib.Path(folder, "g.svg")
            game.write_text(GAME + "\n" + GAME, encoding="utf-8")
            text = analyse(str(game), "--report", "--depth", "4", "--svg", str(svg))
            self.assertEqual(sorted(os.listdir(folder)), ["g-2.svg", "g.pgn", "g.svg"])
            root = xml.etree.ElementTree.parse(svg).getroot()
        self.assertEqual(text.count("Adams <&> \u00e9 - Torre, 1-0\n"), 2)
        self.assertRegex(text, r"\nBlack +\d+\.\d %  +\d+  +\d+  +[12]\n")
        self.assertRegex(text, r"2\.\.\. Ke7 +blunder +allows mate\.\n +better 2\.\.\. ")
        self.assertIn("\u2588", text)
        for line in text.splitlines():
            self.assertLessEqual(len(line), 80)
        titles = [title.text for title in root.iter("{http://www.w3.org/2000/svg}title")]
        self.assertTrue(any(title == "2... Ke7: blunder, allows mate." for title in titles))
        texts = [found.text for found in root.iter("{http://www.w3.org/2000/svg}text")]
        self.assertTrue(texts[0].startswith("Adams <&> \u00e9 (accuracy "), texts[0])

    def test_ascii(self):
        with tempfile.NamedTemporaryFile("w", suffix=".pgn", encoding="utf-8") as file:
            file.write(GAME)
            file.flush()
            self.assertTrue(analyse(file.name, "--report", "--ascii", "--depth", "2").isascii())


if __name__ == "__main__":
    unittest.main()
