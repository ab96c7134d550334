"""The options of fastchess and cutechess-cli: each works or is answered, and docs/lab.md says which. The names are data."""

import csv
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

from patience import HANG

LAB = os.environ["LUFT_LAB"]
TOY = os.environ["TOY_ENGINE"]
ROOT = pathlib.Path(__file__).resolve().parents[2]
TABLES = ROOT / "tests/syzygy"


def options():
    """(option, key or None) of both programs."""
    with open(pathlib.Path(__file__).with_name("support") / "runner_options.tsv", newline="") as file:
        return sorted({(row["option"], None if row["key"] == "-" else row["key"]) for row in csv.DictReader(file, delimiter="\t")},
                      key=lambda pair: (pair[0], pair[1] or ""))


class Options(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def lab(self, *arguments):
        return subprocess.run([LAB, *arguments], capture_output=True, text=True, cwd=self.folder, timeout=HANG)

    def play(self, *arguments):
        result = self.lab("match", "-engine", f"cmd={TOY}", "name=a", "-engine", f"cmd={TOY}", "name=b", "option.Seed=1", "-each",
                          "nodes=1", "-reproducible", "-pgnout", "games.pgn", *arguments)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        return result.stderr + result.stdout, (self.folder / "games.pgn").read_text()

    @staticmethod
    def engines(names, *more):
        return [word for name in names for word in ("-engine", f"cmd={TOY}", f"name={name}", f"option.Seed={ord(name)}", *more)]

    def test_each_is_known(self):
        """An option that is read needs more, such as engines; one that is refused says what to write instead."""
        for option, key in options():
            command = "sprt" if option == "sprt" else "match"
            result = self.lab(command, f"-{option}", *([f"{key}=1"] if key else []))
            with self.subTest(option=option, key=key):
                for word in ("unknown option", "unknown key", "no engine setting is called", "should be key=value"):
                    self.assertNotIn(word, result.stderr)
                self.assertIn(result.returncode, (0, 2))

    def test_each_is_in_the_table(self):
        table = (ROOT / "docs/lab.md").read_text().partition("## Options of other match runners\n")[2].partition("\n## ")[0]
        named = {}
        for row in re.findall(r"^\| (.+?) \| (.+) \|$", table, re.M):
            for option in re.findall(r"`-+([\w-]+)", row[0]):
                named.setdefault(option, "")
                named[option] += " " + row[0] + " " + row[1]
        for option, key in options():
            with self.subTest(option=option, key=key):
                self.assertIn(option, named)
                if key:
                    self.assertRegex(named[option], rf"`{re.escape(key.replace('Hash', 'NAME'))}\b")

    def test_the_words_of_a_test(self):
        words = ["sprt", "-sprt", "elo0=-3", "elo1=1", "alpha=0.1", "beta=0.1", "model=logistic", "--from", "18,207,494,314,28"]
        self.assertIn("[-3.00, 1.00]", self.lab(*words).stdout)
        self.assertIn("model=bayesian: BayesElo is another strength for each share of draws",
                      self.lab("sprt", "-sprt", "model=bayesian").stderr)

    def test_what_holds_anyway_is_accepted(self):
        """Only the other value of an option that Luft does not have is answered."""
        self.play("-log", "file=all.log", "compress=false", "-config", "discard=false", "stats=true", "-pgnout",
                  "file=games.pgn", "latency=false", "-recover=true", "-tbignore50=false", "-ratinginterval", "0",
                  "-autosaveinterval", "0", "-crc32", "pgn=true", "-report", "penta=true", "-maxmoves", "3")
        for words in (("-log", "compress=true"), ("-config", "discard=true"), ("-config", "stats=false"),
                      ("-pgnout", "latency=true"), ("-pgnout", "latency")):
            with self.subTest(words=words):
                self.assertIn(f"{words[0]}: {words[1].split('=')[0]}: ", self.lab("match", *words).stderr)

    def test_names_that_luft_has_another_word_for(self):
        for words, answer in ((("-openings", "policy=encounter"), "one opening for all pairings"),
                              (("-startup-ms", "1000"), "-starttimeout SECONDS"), (("-ping-ms", "1000"), "-starttimeout SECONDS")):
            with self.subTest(words=words):
                self.assertIn(answer, self.lab("match", *words).stderr)

    def test_processors(self):
        first = min(os.sched_getaffinity(0))
        for words in ((), (str(first),)):
            self.play("-use-affinity", *words, "-maxmoves", "3", "-again")
        for words, complaint in ((("9999",), "there is no processor 9999"), (("1,x",), "'1,x' is no list"),
                                 ((f"{first},{first}",), "twice"), ((str(first), "-concurrency", "2"), "need 2 processors")):
            result = self.lab("match", *self.engines("ab"), "-each", "nodes=1", "-use-affinity", *words, "-journal", "none")
            with self.subTest(words=words):
                self.assertEqual(result.returncode, 1)
                self.assertIn(complaint, result.stderr)

    def test_details_of_the_search_in_comments(self):
        games = self.play("seldepth=true", "nodes=true", "min=false")[1].replace("\n", " ")
        self.assertTrue(re.search(r"\{[+-]\d+\.\d\d/1, nodes 20, seldepth 1\}", games))
        self.assertNotIn("{", self.play("min", "fi", "-again")[1])

    def test_tables_end_games(self):
        """White wins with the queen, nobody with the knight; under another rule the knight's game goes on to its end."""
        (self.folder / "book.epd").write_text("8/8/8/4k3/8/8/8/3QK3 w - -\n8/8/8/4k3/8/3p4/3N4/4K3 w - -\n")
        book = ("-openings", "file=book.epd", "-rounds", "2", "-tb", str(TABLES))
        output, games = self.play(*book)
        self.assertEqual(re.findall(r'\[Result "(.*)"\]', games)[:2], ["1-0", "1-0"])
        self.assertEqual(re.findall(r'\[PlyCount "(.*)"\]', games)[:2], ["0", "0"])
        self.assertRegex(output, r"Endings: .*adjudicat")
        _, games = self.play(*book, "-tbadjudicate", "DRAW", "-maxmoves", "3", "-again")
        self.assertNotIn("1-0", re.findall(r'\[Result "(.*)"\]', games)[:2])
        self.assertIn("need --tb", self.lab("match", "-engine", "cmd=a", "-engine", "cmd=b", "-each", "nodes=1", "-tbignore50").stderr)
        self.assertIn("nowhere", self.lab("match", "-engine", "cmd=a", "-engine", "cmd=b", "-each", "nodes=1", "-tb", "nowhere").stderr)

    def test_pyramid(self):
        self.assertEqual(self.whites("-tournament", "pyramid"), ["b", "a", "c", "a", "c", "b"])

    def test_seeds(self):
        self.assertEqual(self.whites("-tournament", "gauntlet", "-seeds", "2"), ["a", "c", "b", "c"])

    def whites(self, *words):
        result = self.lab("match", *self.engines("abc"), "-each", "nodes=1", "-pgnout", "games.pgn", "-maxmoves", "5", *words)
        self.assertEqual(result.returncode, 0, result.stderr)
        return re.findall(r'\[White "(.)"\]', (self.folder / "games.pgn").read_text())

    def test_last_positions(self):
        """A position for each game; after an interruption no more and no fewer."""
        words = ("-epdout", "last.fen", "-maxmoves", "5")
        path = self.folder / "last.fen"
        self.play(*words, "-rounds", "2")
        first = path.read_text().splitlines()
        self.assertEqual([line.split()[1:2] + line.split()[5:] for line in first], [["w", "6"]] * 4)
        path.write_text("\n".join(first) + "\nof a pair that was not finished\n")
        self.assertIn("bytes at the end of last.fen belong to no finished pair", self.play(*words, "-rounds", "3")[0])
        self.assertEqual(path.read_text().splitlines()[:4], first)
        self.assertEqual(len(path.read_text().splitlines()), 6)

    def test_the_log_and_first_lines(self):
        words = ["match", *self.engines("ab", r"initstr=debug on\nregister later"), "-each", "nodes=1", "-maxmoves", "5"]
        self.assertEqual(self.lab(*words, "-log", "file=all.log", "level=trace").returncode, 0)
        log = (self.folder / "all.log").read_text()
        said = ["a-1 > setoption name Seed value 97", "a-1 > debug on", "a-1 > register later", "a-1 > isready", "a-1 < readyok"]
        self.assertRegex(log, r"(?m)" + r"\n *\d+\.\d{6} ".join(said) + "$")
        self.assertRegex(log, r"(?m)^ *\d+\.\d{6} b-1 < bestmove [a-h][1-8]")
        self.assertRegex(log, r"(?m)^ *\d+\.\d{6} match game 2, b - a: 1/2-1/2: draw: ")
        self.assertEqual(self.lab(*words, "-again", "-log", "file=games.log", "level=info").returncode, 0)
        self.assertRegex((self.folder / "games.log").read_text(), r"\A.* match game 1, .*\n.* match game 2, .*\n\Z")

    def test_config(self):
        """A journal has the command that made it; what is said besides comes after its words."""
        self.play("-maxmoves", "5", "-quiet")
        result = self.lab("match", "-config", "file=games.pgn.journal", "-rounds", "2")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual((self.folder / "games.pgn").read_text().count("[Event "), 4)
        self.assertIn("All games were played before", self.lab("match", "--config=games.pgn.journal").stdout)
        (self.folder / "two.epd").write_text("4k3/8/8/8/8/8/4P3/R3K3 w - -\n4k3/4p3/8/8/8/8/4P3/R3K2r w - -\n")
        other = ("match", "-config", "games.pgn.journal", "-again", "-openings", "generate=1")
        self.assertEqual(self.lab(*other).returncode, 0)
        self.assertEqual(self.lab(*other[:-1], "file=two.epd", "start=2").returncode, 0)  # replaces the other openings
        self.assertIn("start=3, but two.epd has 2", self.lab(*other[:-1], "file=two.epd", "start=3").stderr)
        (self.folder / "elsewhere").mkdir()
        elsewhere = subprocess.run([LAB, "match", "-config", "../games.pgn.journal"], capture_output=True, text=True,
                                   cwd=self.folder / "elsewhere", timeout=HANG)
        self.assertEqual(elsewhere.returncode, 1)
        self.assertRegex(elsewhere.stderr, r"the command of \S+ was given in the folder \S+, and its paths mean files there")
        self.assertIn("is of luft-lab match, not of luft-lab sprt", self.lab("sprt", "-config", "games.pgn.journal").stderr)
        self.assertIn("--config: outname: -journal FILE", self.lab("match", "-config", "outname=x.json").stderr)
        self.assertIn("is no journal of a match", self.lab("match", "-config", "games.pgn").stderr)


if __name__ == "__main__":
    unittest.main()
