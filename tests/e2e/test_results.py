"""The measured results: every row of results/*.tsv, the tables that documents make of them, what the lessons point to, and
the rows that commands append with --results."""

import os
import pathlib
import re
import subprocess
import tempfile
import unittest

from patience import HANG
from rows import read, results

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LAB = os.environ.get("LUFT_LAB", str(ROOT / "luft-lab"))
LUFT = os.environ.get("LUFT", str(ROOT / "luft"))
TOY = os.environ.get("TOY_ENGINE", "")


def version_of(program):
    """The commit and the network that a Luft says: "Luft 0.2-dev-1a2b3c4", "network: Luft 16, ..."."""
    words = subprocess.run([program, "--version"], capture_output=True, text=True, timeout=HANG).stdout
    return re.match(r"Luft (?:\S+-dev-)?(\S+)\n", words)[1], re.search(r"^network: Luft ([^,]+),", words, re.M)[1]


class Rows(unittest.TestCase):
    def test_every_row_has_its_columns_and_the_elo_of_its_games(self):
        self.assertEqual(list(results.complaints()), [])

    def test_every_file_is_described(self):
        text = (ROOT / "results/README.md").read_text(encoding="utf-8")
        names = sorted(path.name for path in (ROOT / "results").glob("*.tsv"))
        self.assertEqual(names, sorted(f"{name}.tsv" for name in results.COLUMNS))
        self.assertEqual([name for name in names if f"`{name}`" not in text], [])

    def test_a_wrong_row_is_detected(self):
        row = {"games": "2122", "wins": "556", "draws": "1137", "losses": "429", "pentanomial": "18 207 494 314 28",
               "elo": "20.82", "error": "8.47"}
        self.assertEqual(list(results.complaints_of_games(row)), [])
        for column, text in (("elo", "21.82"), ("error", "9.47"), ("games", "2120"), ("wins", "557"),
                             ("pentanomial", "18 207 494 314 29")):
            self.assertNotEqual(list(results.complaints_of_games({**row, column: text})), [], column)

    def test_elo_and_error_are_those_of_the_match_runner(self):
        elo, error = results.estimate([18, 207, 494, 314, 28])  # the block of CONTRIBUTING.md
        self.assertAlmostEqual(elo, 20.82, delta=0.006)
        self.assertAlmostEqual(error, 8.47, delta=0.006)


class Documents(unittest.TestCase):
    def test_the_tables_are_those_of_the_rows(self):
        for name in results.DOCUMENTS:
            text = (ROOT / name).read_text(encoding="utf-8")
            self.assertIsNotNone(results.MARKER.search(text), name)
            self.assertEqual(text, results.render(text), f"{name}: `make results-tables` writes its tables again")

    def test_the_readme_names_the_strength_of_its_row(self):
        elo = abs(int(results.rows_of(["stockfish-14"], "matches")[0]["elo"]))
        self.assertIn(f"about {elo} Elo below Stockfish 15.1 at 4+0.04 s", (ROOT / "README.md").read_text(encoding="utf-8"))

    def test_every_id_in_the_lessons_is_that_of_a_row(self):
        ids = {row["id"] for name, columns in results.COLUMNS.items() if "id" in columns for row in results.load(name)}
        text = (ROOT / "docs/lessons.md").read_text(encoding="utf-8")
        inner = " ".join(re.findall(r"(?<!\])\(([^()]*)\)", re.sub(r"`[^`]*`", "", text)))
        words = re.findall(r"(?<!\S)[a-z][a-z0-9.]*(?:-[a-z0-9.]+)+(?=[\s,:;]|$)", inner)
        self.assertGreater(len(words), 50)
        self.assertEqual([word for word in words if word not in ids], [])


class Commands(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def lab(self, *words, status=None):
        result = subprocess.run([LAB, *words, "--results", "rows.tsv"], capture_output=True, text=True, cwd=self.folder,
                                timeout=HANG)
        self.assertEqual(result.returncode, status if status is not None else 3 if words[0] == "sprt" else 0, result.stderr)
        return result.stdout

    def rows(self):
        return read(self.folder / "rows.tsv", "matches")

    @unittest.skipUnless(TOY, "needs TOY_ENGINE")
    def test_a_match_appends_a_row_for_each_pairing(self):
        toys = [word for name in "ABC" for word in ("-engine", f"cmd={TOY}", f"name={name}", f"option.Seed={ord(name)}")]
        conditions = ("-each", "tc=10+0.1", "-rounds", "2", "-openings", "generate=1", "-quiet")
        self.lab("match", *toys, *conditions)
        self.assertEqual([(row["subject"], row["opponent"]) for row in self.rows()], [("A", "B"), ("A", "C"), ("B", "C")])
        self.assertEqual({(row["games"], row["limit"]) for row in self.rows()}, {("4", "10+0.1")})
        self.assertEqual({row["conditions"] for row in self.rows()}, {"generated openings, concurrency 1"})
        before = self.rows()
        self.lab("match", *toys, *conditions, "-resume")  # nothing is left to play
        self.assertEqual(self.rows(), before)
        (self.folder / "rows.tsv").unlink()
        for _ in range(2):  # who forgot --results says it afterwards
            self.lab("match", *toys, *conditions)
        self.assertEqual(self.rows(), before)

    @unittest.skipUnless(TOY, "needs TOY_ENGINE")
    def test_a_test_that_is_decided_appends_its_verdict(self):
        toys = [word for name in "AB" for word in ("-engine", f"cmd={TOY}", f"name={name}", "option.Seed=1")]
        self.lab("sprt", *toys, "-each", "tc=10+0.1", "--bounds", "0,300", "-openings", "generate=1", "-quiet")
        self.assertEqual([row["verdict"] for row in self.rows()], ["failed"])

    @unittest.skipUnless(TOY, "needs TOY_ENGINE")
    def test_a_test_that_ends_undecided_appends_that(self):
        toys = [word for name in "AB" for word in ("-engine", f"cmd={TOY}", f"name={name}", "option.Seed=1")]
        conditions = ("-each", "depth=1", "-maxmoves", "5", "--bounds", "0,1", "-openings", "generate=1", "-quiet")
        self.assertIn("more -rounds carries on", self.lab("sprt", *toys, *conditions, "-rounds", "2", status=4))
        self.assertEqual([(row["games"], row["verdict"]) for row in self.rows()], [("4", "undecided")])
        (self.folder / "one.epd").write_text("4k3/8/8/8/8/8/4P3/R3K3 w - -\n")
        used_up = self.lab("sprt", *toys, *conditions[:-3], "-openings", "one.epd", "-rounds", "1", status=4)
        self.assertIn("-openings generate=SEED --again starts over", used_up)
        self.assertEqual([(row["games"], row["verdict"]) for row in self.rows()], [("4", "undecided"), ("2", "undecided")])

    @unittest.skipUnless(TOY, "needs TOY_ENGINE")
    def test_a_row_has_the_version_of_its_luft(self):
        engines = ("-engine", f"cmd={LUFT}", "name=Luft", "-engine", f"cmd={TOY}", "name=T")
        conditions = ("-each", "nodes=10", "-maxmoves", "2", "-openings", "generate=1", "-quiet")
        for _ in range(2):  # the second time nothing is played
            self.lab("match", *engines, *conditions)
            row, = self.rows()
            self.assertEqual((row["commit"], row["net"]), version_of(LUFT))
            (self.folder / "rows.tsv").unlink()
        self.lab("match", *engines[3:], *engines[:3], *conditions)  # of another engine nothing is known
        self.assertEqual([(row["commit"], row["net"]) for row in self.rows()], [("", "")])

    @unittest.skipUnless(TOY, "needs TOY_ENGINE")
    def test_a_row_of_a_decided_test_has_its_version_afterwards(self):
        engines = ("-engine", f"cmd={LUFT}", "name=A", "-engine", f"cmd={LUFT}", "name=B", "option.Hash=2")
        for _ in range(2):
            report = self.lab("sprt", *engines, "-each", "nodes=10", "-maxmoves", "2", "--bounds", "0,300", "-openings", "generate=1",
                              "-quiet")
            row, = self.rows()
            self.assertEqual((row["verdict"], row["commit"], row["net"]), ("failed", *version_of(LUFT)))
            (self.folder / "rows.tsv").unlink()

    def test_a_duel_appends_a_row(self):
        report = self.lab("duel", "random:8:1", "random:8:2", "--pairs", "2", "--nodes", "20", "--hash", "1", "--quiet")
        self.assertRegex(report, r"^match       random:8:1 against random:8:2\nelo         ((won|lost) all games|-?\d+\.\d+)")
        row, = self.rows()
        self.assertEqual((row["subject"], row["games"], row["limit"]), ("random:8:1", "4", "nodes=20"))
        self.assertEqual(row["commit"], version_of(LAB)[0])


if __name__ == "__main__":
    unittest.main()
