"""luft-lab datagen and data: games are generated, survive kill -9, and are merged, split, converted and relabelled."""

import base64
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import time
import unittest

from patience import HANG

LAB = os.environ["LUFT_LAB"]
SCORE = pathlib.Path(__file__).resolve().parents[2] / "src/search/score.h"
UNITS = int(re.search(r"SCORE_UNITS_PER_PAWN = (\d+)", SCORE.read_text(encoding="ascii"))[1])
# Of program 0.2: the first versions of the format, without tags and with them.
OLD = ("THVmdEdhbWUBAAAALwAAAAEAAAAYAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAD8McjJ8bbUFwCr4QPPrAnYYF5OwlhQFOPFqGMQNgJW/g5n"
       "IGzOgQf4OQGpXfl9alZaxKgI082u")
OLD_WITH_TAGS = ("THVmdEdhbWUCAAAAOQAAAAEAAAAHAAAAAAAAAAIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABe8WNp+HQClQBABuxM/y39j3NXWbWikEk3"
                 "rlCW3NuauDBzms1fCjAp0a9j5GbQhEQ0Hwg8bsM+xrO8Y0rauwAAAA==")
# The same game with coarse scores, from before chances depended on what a move attacks.
OLD_COARSE = ("THVmdEdhbWUHAAAAIwAAAAEAAAAYAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAzg1s7wwGqNABV8EATWk5+HvZHNwQ88rLVO3eXb5dE9zV0rfbw"
              "fYQzm2YA")
DATAGEN = ("--net", "random:8:1", "--nodes", "30", "--first-generation", "--hash", "1", "--quiet")


def lab(*arguments, timeout=HANG):
    return subprocess.run([LAB, *map(str, arguments)], capture_output=True, text=True, timeout=timeout)


def wait_for_size(path, size, seconds=60):
    """Waits until the file has that size, however busy the machine is."""
    deadline = time.monotonic() + seconds
    while not (path.exists() and path.stat().st_size >= size) and time.monotonic() < deadline:
        time.sleep(0.05)


class Data(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.scratch.cleanup)
        cls.folder = pathlib.Path(cls.scratch.name)
        cls.games = cls.folder / "some.games"
        result = lab("datagen", "--out", cls.games, "--games", "60", "--chess960", "0.3", *DATAGEN)
        assert result.returncode == 0, result.stderr
        cls.report = result.stdout

    def ok(self, *arguments):
        result = lab(*arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def text(self, path):
        return self.ok("data", "export", path)

    def test_datagen_reports(self):
        self.assertRegex(self.report, r"60 games, [\d,]+ plies, \d\.\d+ bytes a ply")
        self.assertRegex(self.report, r"[\d,]+ plies an hour, \d+ nodes a move")
        self.assertLess(float(re.search(r"([\d.]+) bytes a ply", self.report).group(1)), 1.8)
        self.assertEqual(len(self.text(self.games).splitlines()), 60)

    def test_stats(self):
        stats = self.ok("data", "stats", self.games)
        for part in ("games       60 in", "usable", "results", "agreement", "duplicates", "| random"[:1], "pieces on the board"):
            self.assertIn(part, stats)
        self.assertRegex(stats, r"\| [0-9a-f]{16} \|\s+30 \|")

    def test_text_and_pgn_round_trips(self):
        text = self.text(self.games)
        self.assertIn("chess960 ", text)
        for form in ("text", "pgn"):
            there, back = self.folder / f"there.{form}", self.folder / f"back-{form}.games"
            self.ok("data", "export", "--format", form, "--out", there, self.games)
            there.write_bytes(b"\xef\xbb\xbf" + there.read_bytes())  # as some editors write it
            self.ok("data", "import", "--again", "--format", form, "--out", back, there)
            self.imports_unasked(there, back)
            again = self.text(back)
            if form == "pgn":  # PGN stores positions, not Chess960 numbers
                again, text = (re.sub(r"^[^;]*;", "", t, flags=re.M) for t in (again, text))
            self.assertEqual(again, text)

    def imports_unasked(self, path, expected):
        """The first line says what it is."""
        out = self.folder / "unasked.games"
        self.ok("data", "import", "--again", "--out", out, path)
        self.assertEqual(out.read_bytes(), expected.read_bytes())

    def test_formats_of_other_trainers(self):
        """Luft, another format, Luft: what each of them holds, and that a wrong one is refused."""
        score = re.compile(r" ([a-h]\S+) (-?\d+|-)")
        moves = [score.findall(line) for line in self.text(self.games).splitlines()]
        scored = sum(number != "-" for game in moves for _, number in game)
        for form, size in (("plain", None), ("bulletformat", 32 * scored), ("viriformat", None)):
            there, back = self.folder / f"there.{form}", self.folder / f"back-{form}.games"
            self.ok("data", "export", "--format", form, "--out", there, self.games)
            printed = self.ok("data", "import", "--again", "--format", form, "--out", back, there)
            if form == "plain":
                self.imports_unasked(there, back)
            else:
                self.assertEqual(lab("data", "import", "--out", self.folder / "none.games", there).returncode, 1)
            lines = self.text(back).splitlines()
            if form == "bulletformat":
                self.assertEqual(there.stat().st_size, size)
                self.assertEqual(len(lines), scored)
                self.assertIn(f": {scored} positions\n", printed)
                self.assertRegex(self.ok("data", "stats", back), r"positions   [\d,]+ in .*\nsize        [\d.]+ bytes a position\n")
                self.assertRegex(lines[0], r"^\S+ w - - 0 1; \S+; (rules|other); = -?\d+$")
            else:
                self.assertEqual([score.findall(line) for line in lines], [game for game in moves if game])
                self.check_strangers(back)
            result = lab("data", "import", "--again", "--format", form, "--out", back, self.games)
            self.assertEqual(result.returncode, 1)
            self.assertRegex(result.stderr, r"(position|game) 1, byte 0: .|line 1: .|position")

    def check_strangers(self, games):
        """A game that names nobody is not said to be Luft's, nor after Luft has judged it."""
        judged = self.folder / "judged.games"
        self.ok("data", "relabel", "--again", "--out", judged, "--net", "random:8:1", "--nodes", "1", "--quiet", games)
        for path in (games, judged):
            text = self.ok("data", "export", "--format", "pgn", path)
            self.assertNotIn("Luft", text)
            self.assertIn('[Event "?"]\n[Site "?"]\n', text)
            self.assertLess(text.count("Termination"), text.count("[Result "))
        self.assertIn('[Event "Luft against itself"]', self.ok("data", "export", "--format", "pgn", self.games))

    def test_import_keeps_tags_and_what_is_before_a_fault(self):
        """Names, dates and scores come back; a game without a result is skipped, and both are counted."""
        pgn, games, back = self.folder / "played.pgn", self.folder / "played.games", self.folder / "played-back.pgn"
        pgn.write_text('[White "Ann"]\n[Black "Bob \u00e9"]\n[Date "2024.05.06"]\n[Result "1-0"]\n[WhiteElo "2100"]\n\n'
                       "1. e4 {[%eval 0.35]} e5 {[%eval 1.14]} 1-0\n\n"
                       '[White "Cid"]\n[Result "*"]\n\n1. d4 *\n\n'
                       '[White "Dan"]\n[Result "0-1"]\n\n1. c4 {+0.35/12 0.2s} Nf6 2. Ke5 0-1\n')
        result = lab("data", "import", "--format", "pgn", "--out", games, pgn)
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn(f"{pgn}: PGN, 2 games, 4 plies; 3 positions with a score\n", result.stdout)
        self.assertIn("skipped: 1 game without a result, 0 without a move or a score, 0 with a fault before "
                      "the first move; cut before a fault: 1", result.stdout)
        self.assertIn(f"faults that cost moves or games: 1; what could be read is in {games}\n", result.stderr)
        self.assertIn("is there already; --again", lab("data", "import", "--out", games, pgn).stderr)
        self.assertEqual(lab("data", "import", "--again", "--format", "pgn", "--skip-faults", "--out", games, pgn).returncode, 0)
        first, last = (8 * round(pawns * UNITS / 8) for pawns in (0.35, 1.14))  # files keep scores in steps of 8
        self.assertEqual(self.text(games), f"standard; 1-0; other; e2e4 - e7e5 {first} = {last}\n"
                                           f"standard; 0-1; other; c2c4 {first} g8f6 -\n")
        chosen = self.folder / "chosen.games"
        for options, found in ((("--player", "Bob \u00e9"), 1), (("--player", "Bob*"), 1), (("--player", "Bob"), 0), (("--tag", "White=Dan"), 1),
                               (("--tag", "Date=2024*"), 1), (("--tag", "Result=1-0"), 0), (("--player", "*"), 2), (("--not-tag", "White=dan"), 1),
                               (("--not-tag", "Date=*"), 1), (("--not-tag", "Termination=time forfeit"), 2)):
            self.assertIn(f": {found} game", self.ok("data", "filter", "--again", *options, "--out", chosen, games), options)
        self.assertIn("--not-tag is NAME=VALUE", lab("data", "filter", "--not-tag", "=x", "--out", chosen, games).stderr)
        self.assertIn("--tag is NAME=VALUE", lab("data", "filter", "--tag", "White", "--out", chosen, games).stderr)
        self.assertIn("imported", self.ok("data", "stats", games))
        self.ok("data", "filter", "--again", "--player", "Bob", "--out", chosen, games)
        self.assertEqual(self.ok("data", "stats", chosen), "no games\n")
        self.ok("data", "merge", "--out", self.folder / "mixed-kinds.games", games, self.games, games)
        self.ok("data", "export", "--format", "pgn", "--out", back, self.folder / "mixed-kinds.games")
        text = back.read_text()
        for tag in ('[White "Ann"]', '[Black "Bob \u00e9"]', '[Date "2024.05.06"]', '[WhiteElo "2100"]', '[White "Dan"]'):
            self.assertEqual(text.count(tag), 2, tag)
        # Ours to the last unit, and for other programs in pawns: before and after the move.
        self.assertIn(f"1. e4 {{[%eval {first / UNITS:.2f}]}} 1... e5 {{score {first} [%eval {last / UNITS:.2f}]}} "
                      f"{{last score {last}}} 1-0", text)
        self.ok("data", "import", "--format", "pgn", "--out", self.folder / "again.games", back)
        standard = re.compile(r"^[^;]*;", re.M)  # PGN stores positions, not Chess960 numbers
        self.assertEqual(standard.sub("", self.text(self.folder / "again.games")),
                         standard.sub("", self.text(games) + self.text(self.games) + self.text(games)))

    def test_import_counts_what_it_skipped(self):
        """A game with a bad start, or whose first move is none, is skipped and not counted as cut."""
        pgn, games = self.folder / "faults.pgn", self.folder / "faults.games"
        whole = '[Result "1-0"]\n\n1. e4 e5 1-0\n\n'
        pgn.write_text(whole + '[FEN "8/8 w"]\n[Result "1-0"]\n\n1. e4 1-0\n\n'
                       + '[Variant "Atomic"]\n[Result "1-0"]\n\n1. e4 1-0\n\n'
                       + '[Result "0-1"]\n\n1. e5 0-1\n\n' + whole + '[Result "0-1"]\n\n1. c4 Nf6 2. Ke5 0-1\n')
        result = lab("data", "import", "--out", games, pgn)
        self.assertIn(f"{pgn}: PGN, 3 games, 6 plies", result.stdout)
        self.assertIn("skipped: 0 games without a result, 0 without a move or a score, 3 with a fault before the "
                      "first move; cut before a fault: 1", result.stdout)
        self.assertIn("faults that cost moves or games: 4;", result.stderr)

    def test_import_names_what_is_wrong(self):
        bad = self.folder / "bad.text"
        out = self.folder / "bad.games"
        for line, reason in (("nonsense", "line 1: expected start; result; end; moves"),
                             ("standard; 1-0; rules; e2e5 -", "line 1: ply 0"),
                             ("standard; 2-0; rules; e2e4 -", "result must be"),
                             ("standard; 1-0; rules; e2e4 much", "ply 0 has no score"),
                             ("8/8 w; 1-0; rules;", "line 1:")):
            bad.write_text(line + "\n")
            result = lab("data", "import", "--again", "--format", "text", "--out", out, bad)
            self.assertEqual(result.returncode, 1)
            self.assertIn(reason, result.stderr)
            self.assertFalse(out.exists())
        for content, reason in ((b"BINP\x08\0\0\0", "is a binpack: the tools of nnue-pytorch convert it to text (.plain)\n"),
                                (b"\x1f\x8b\x08\0\0", "it is a gzip file: unpack it first\n"),
                                (bytes(range(250)), "of some program; bulletformat and viriformat must be said: --format\n")):
            bad.write_bytes(content)
            self.assertIn(reason, lab("data", "import", "--out", out, bad).stderr)
        for action in ("export", "import"):
            self.assertRegex(lab("data", action, "--format", "binpack", "--out", out, bad).stderr, "--format: .*plain")
        self.assertIn("is a file of Luft's games already; luft-lab data merge joins those",
                      lab("data", "import", "--out", out, self.games).stderr)
        self.no_temporary_files()

    def test_export_of_usable_positions(self):
        """What stats counts as usable is what a trainer of single positions gets."""
        out = self.folder / "usable.bf"
        usable = re.search(r"usable +([\d,]+) of ([\d,]+) with", self.ok("data", "stats", self.games))
        usable, scored = (int(number.replace(",", "")) for number in usable.groups())
        for options, size, words in (((), scored, r"^among them are \d+ in check, \d+ noisy"),
                                     (("--usable",), usable, r"^left out as not usable: [\d,]+ positions; \d+ early, ")):
            result = lab("data", "export", "--again", "--format", "bulletformat", "--out", out, *options, self.games)
            self.assertEqual((result.returncode, out.stat().st_size), (0, 32 * size))
            self.assertRegex(result.stderr, re.compile(words, re.M))
        self.assertLess(usable, scored)
        for options, words in ((("--format", "viriformat", "--usable"), "the other formats hold whole games"),
                               (("--format", "plain", "--min-ply", "4"), "--min-ply and --max-score are for --usable")):
            refused = lab("data", "export", "--out", self.folder / "none", *options, self.games)
            self.assertEqual(refused.returncode != 0, True)
            self.assertIn(words, refused.stderr)

    def no_temporary_files(self):
        self.assertEqual([p.name for p in self.folder.iterdir() if p.name.endswith((".part", ".tmp"))], [])

    def test_no_link_leads_astray(self):
        """Names that a program makes up may be links that somebody else made."""
        victim, out = self.folder / "victim", self.folder / "out.text"
        for suffix in (".part", ".tmp", ".0.tmp"):
            pathlib.Path(f"{out}{suffix}").symlink_to(victim)
        victim.write_text("precious")
        out.write_text("old")
        out.chmod(0o666)
        self.assertIn("is there already; --again", lab("data", "export", "--out", out, self.games).stderr)
        self.assertRegex(self.ok("data", "export", "--again", "--out", out, self.games), r"out.text: from 60 games, \d+ plies\n")
        self.assertEqual(len(out.read_text().splitlines()), 60)
        self.assertEqual(pathlib.Path(f"{out}.old").read_text(), "old")
        self.assertEqual(out.stat().st_mode & 0o777, 0o666)
        games = self.folder / "out.games"
        pathlib.Path(f"{games}.part").symlink_to(victim)
        self.ok("data", "merge", "--out", games, self.games)
        pathlib.Path(f"{games}.part").unlink()
        for suffix in (".part", ".tmp", ".0.tmp"):
            pathlib.Path(f"{out}{suffix}").unlink()
        self.assertEqual(victim.read_text(), "precious")
        self.no_temporary_files()
        torn, tail = self.folder / "torn.games", self.folder / "torn.games.tail"
        torn.write_bytes(self.games.read_bytes() + b"LuftGame")
        tail.symlink_to(victim)
        result = lab("datagen", "--out", torn, "--games", "70", *DATAGEN)
        self.assertEqual(result.returncode, 1)
        self.assertIn("torn.games.tail", result.stderr)
        self.assertEqual(victim.read_text(), "precious")

    def test_an_interrupted_export_leaves_nothing(self):
        many = self.folder / "many.games"
        many.write_bytes(self.games.read_bytes() * 2000)
        out = self.folder / "many.text"
        process = subprocess.Popen([LAB, "data", "export", "--out", out, many], stderr=subprocess.PIPE, text=True)
        deadline = time.monotonic() + HANG
        while not list(self.folder.glob("*.tmp")) and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=HANG)
        many.unlink()
        if process.returncode == 0:  # it was faster than this test
            return
        self.assertEqual(process.returncode, 1)
        self.assertIn("interrupted", errors)
        self.assertFalse(out.exists())
        self.no_temporary_files()

    def test_merge_split_filter(self):
        merged, one, two = (self.folder / name for name in ("merged.games", "one.games", "two.games"))
        self.ok("data", "split", "--share", "0.4", "--seed", "3", "--out", one, "--rest", two, self.games)
        lines = [sorted(self.text(path).splitlines()) for path in (self.games, one, two)]
        self.assertEqual(sorted(lines[1] + lines[2]), lines[0])
        self.assertTrue(10 < len(lines[1]) < 40)
        self.ok("data", "merge", "--out", merged, one, two, self.games)
        self.assertEqual(len(self.text(merged).splitlines()), 120)
        self.ok("data", "filter", "--again", "--unique", "--out", one, merged)
        self.assertEqual(sorted(self.text(one).splitlines()), lines[0])
        for option, value, pattern in (("--result", "white", "; 1-0;"), ("--result", "draw", "; 1/2-1/2;"),
                                       ("--start", "chess960", "^chess960"), ("--start", "standard", "^standard")):
            self.ok("data", "filter", "--again", option, value, "--out", one, self.games)
            self.assertEqual(self.text(one).splitlines(),
                             [line for line in self.text(self.games).splitlines() if re.search(pattern, line)])
        self.assertIn("two files are needed",
                      lab("data", "split", "--out", one, "--rest", one, self.games).stderr)
        joined = self.folder / "joined.games"
        joined.write_bytes(self.games.read_bytes() + two.read_bytes())  # files joined end to end are a file
        self.assertEqual(self.text(joined), self.text(self.games) + self.text(two))

    def test_files_of_older_versions(self):
        """They can be read; convert writes them again with coarse scores, except where the games have tags."""
        old, new, again = (self.folder / name for name in ("old.games", "new.games", "again-new.games"))
        old.write_bytes(base64.b64decode(OLD))
        opening = "chess960 658 205; 1/2-1/2; other; c2c3 - b8c6 - h2h3 - f7f6 - a2a4 - d7d5 - f2f4 - h7h5 - c1a2 - "
        self.assertEqual(self.text(old), opening + "d5d4 96 f4f5 296 e8d7 -128 b2b3 400 e7e6 -48 d1c1 208 d7d6 -56 d2d3 168 "
                         "d6c5 -80 e2e4 248 c6a5 -72 c3c4 216 h8h6 -80 c1d1 240 e6e5 -104\n")
        self.ok("data", "convert", "--out", new, old)
        self.assertEqual(self.text(new), opening + "d5d4 96 f4f5 320 e8d7 -128 b2b3 384 e7e6 -64 d1c1 224 d7d6 -64 d2d3 160 "
                         "d6c5 -96 e2e4 256 c6a5 -64 c3c4 224 h8h6 -96 c1d1 256 e6e5 -96\n")
        old.write_bytes(base64.b64decode(OLD_COARSE))
        self.assertEqual(self.text(old), self.text(new))
        self.ok("data", "convert", "--out", again, new)
        self.assertEqual(again.read_bytes(), new.read_bytes())
        old.write_bytes(base64.b64decode(OLD_WITH_TAGS))
        self.ok("data", "convert", "--again", "--out", new, old)
        for path in (old, new):
            self.assertEqual(self.text(path), "standard; 1-0; rules; e2e4 - e7e5 32 d1h5 - b8c6 - f1c4 - g8f6 - h5f7 -\n")
        self.assertIn('[White "Zo\u00eb"]', self.ok("data", "export", "--format", "pgn", new))

    def test_relabel(self):
        out = self.folder / "relabelled.games"
        self.ok("data", "relabel", "--net", "random:8:9", "--nodes", "20", "--out", out, "--quiet", self.games)
        strip = re.compile(r"( \S+) -?\d+(?= |$)", re.M)
        before, after = self.text(self.games), self.text(out)
        self.assertNotEqual(before, after)
        self.assertEqual(strip.sub(r"\1", before), strip.sub(r"\1", after))
        self.assertIn("later", self.ok("data", "stats", out))

    def test_relabel_scores_games_that_others_played(self):
        """An imported game gets a score before each move; in games of Luft a random move has none."""
        pgn, games, out = (self.folder / f"unscored{end}" for end in (".pgn", ".games", "-new.games"))
        pgn.write_text('[White "Ann"]\n[Termination "time forfeit"]\n\n1. e4 {[%eval 0.3]} e5 2. Nf3 0-1\n\n'
                       "; a comment; and another; and a third\n1. d4 1-0\n")
        self.ok("data", "import", "--out", games, pgn)
        stats = self.ok("data", "stats", games)
        self.assertIn("otherwise 100.0 %", stats)
        self.assertNotIn("agreement", stats)
        self.assertNotIn("pieces on the board", stats)
        (self.folder / "bare.pgn").write_text("1. d4 d5 1-0\n")
        self.ok("data", "import", "--out", self.folder / "bare.games", self.folder / "bare.pgn")
        self.assertIn("none: luft-lab data relabel adds them", self.ok("data", "stats", self.folder / "bare.games"))
        self.assertIn('[Termination "time forfeit"]', self.ok("data", "export", "--format", "pgn", games))
        self.ok("data", "relabel", "--net", "random:8:9", "--nodes", "20", "--out", out, "--quiet", games)
        self.assertRegex(self.text(out), r"; other; e2e4 -?\d+ e7e5 -?\d+ g1f3 -?\d+\n.*; d2d4 -?\d+\n$")

    def test_no_termination_is_invented(self):
        """What was imported comes back; where nobody knows why a game ended, there is no tag."""
        pgn, games = self.folder / "ends.pgn", self.folder / "ends.games"
        moves = "1. f3 e5 2. g4 "
        pgn.write_text("\n".join(f'[White "{name}"]\n{tag}\n{moves}{last}\n' for name, tag, last in (
            ("Unknown", "", "0-1"), ("Drawn", "", "{Draw by adjudication} 1/2-1/2"), ("Mate", "", "Qh4# 0-1"),
            ("Resigned", '[Termination "normal"]\n', "0-1"), ("Scored", '[Termination "adjudication"]\n', "0-1"))))
        self.ok("data", "import", "--out", games, pgn)
        found = {}
        for game in self.ok("data", "export", "--format", "pgn", games).split("[Event ")[1:]:
            ends = re.findall(r'\[Termination "(.*)"\]', game)
            found[re.search(r'\[White "(.*)"\]', game)[1]] = ends
        self.assertEqual(found, {"Unknown": [], "Drawn": [], "Mate": ["normal"], "Resigned": ["normal"], "Scored": ["adjudication"]})

    def test_a_file_of_another_kind(self):
        """Whoever expects games says how to make them of it, and stats prints no page of zeros."""
        pgn = self.folder / "other.pgn"
        pgn.write_text("1. e4 1-0\n" * 20)
        for command in (("data", "stats"), ("train", "--quiet", "--out", self.folder / "x.nnue"), ("fit",)):
            result = lab(*command, pgn)
            self.assertEqual((result.returncode, result.stdout), (1, ""))
            self.assertIn("luft-lab data import", result.stderr)

    def test_relabel_resumes_its_own_work_only(self):
        out = self.folder / "mixed.games"
        part = pathlib.Path(f"{out}.relabelling")
        part.write_bytes(self.games.read_bytes())
        result = lab("data", "relabel", "--net", "random:8:9", "--nodes", "20", "--out", out, "--quiet", self.games)
        self.assertEqual(result.returncode, 1)
        self.assertIn("was begun with another network or node limit", result.stderr)
        self.assertEqual(part.read_bytes(), self.games.read_bytes())
        self.assertFalse(out.exists())

    def test_relabel_does_not_resume_work_on_more_files(self):
        """The unfinished output for more files must not count as the result for fewer."""
        whole, out = self.folder / "whole.games", self.folder / "fewer.games"
        relabel = ("data", "relabel", "--net", "random:8:9", "--nodes", "20", "--quiet")
        self.ok(*relabel, "--out", whole, self.games, self.games)
        part = pathlib.Path(f"{out}.relabelling")
        part.write_bytes(whole.read_bytes())
        result = lab(*relabel, "--out", out, self.games)
        self.assertEqual(result.returncode, 1)
        self.assertIn("has more games than there are to relabel", result.stderr)
        self.assertEqual(part.read_bytes(), whole.read_bytes())
        self.assertFalse(out.exists())

    def test_relabel_does_not_resume_work_on_other_games(self):
        """The unfinished output for other games must not be continued, even if it has enough games."""
        other, half, out = (self.folder / name for name in ("other.games", "half.games", "taken.games"))
        self.ok("datagen", "--out", other, "--seed", "10", "--games", "3", *DATAGEN)
        relabel = ("data", "relabel", "--net", "random:8:9", "--nodes", "20", "--quiet")
        self.ok(*relabel, "--out", half, other)
        part = pathlib.Path(f"{out}.relabelling")
        part.write_bytes(half.read_bytes())
        result = lab(*relabel, "--out", out, self.games)
        self.assertEqual(result.returncode, 1)
        self.assertIn("was begun with other games", result.stderr)
        self.assertFalse(out.exists())
        # Its own unfinished output is continued, and a merge to the same name does not change it.
        self.ok("data", "merge", "--out", out, other)
        self.assertEqual(part.read_bytes(), half.read_bytes())
        self.ok(*relabel, "--again", "--out", out, other, self.games)
        self.assertFalse(part.exists())
        self.ok(*relabel, "--again", "--out", half, other, self.games)
        self.assertEqual(self.text(out), self.text(half))

    def test_survives_kill_9_and_resumes(self):
        path = self.folder / "killed.games"
        process = subprocess.Popen([LAB, "datagen", "--out", str(path), "--flush-seconds", "1", "--seed", "9", *DATAGEN],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_for_size(path, 1)
        process.send_signal(signal.SIGKILL)
        process.wait()
        before = self.text(path).splitlines()
        self.assertGreater(len(before), 0)
        with open(path, "ab") as file:  # an incomplete block
            file.write(self.games.read_bytes()[:100])
        self.assertEqual(self.text(path).splitlines(), before)
        self.assertIn("torn        100 bytes", self.ok("data", "stats", path))
        more = self.ok("datagen", "--out", path, "--games", len(before) + 5, "--seed", "9", *DATAGEN)
        self.assertIn("torn end of 100 bytes", more)
        self.assertEqual(pathlib.Path(f"{path}.tail").read_bytes(), self.games.read_bytes()[:100])
        after = self.text(path).splitlines()
        self.assertEqual(after[:len(before)], before)
        self.assertEqual(len(after), len(before) + 5)
        self.assertEqual(len(set(after)), len(after))  # no game is played twice

    def test_a_torn_end_is_named(self):
        """By every action that leaves it out; the header of the block, where it is whole, still says how many games it had."""
        cut, out, whole = self.folder / "cut.games", self.folder / "of-cut.games", self.games.read_bytes()
        for kept, games in (len(whole) - 100, "60 games, "), (30, "nothing says"):
            cut.write_bytes(whole[:kept])
            warning = rf"warning: \S+cut.games: the last block, {kept} bytes from offset 0 on, is torn and left out: .*{games}"
            for arguments in ("stats", cut), ("merge", "--again", "--out", out, cut, self.games), ("export", cut):
                with self.subTest(action=arguments[0], kept=kept):
                    result = lab("data", *arguments)
                    self.assertEqual(result.returncode, 0, result.stderr)
                    self.assertRegex(result.stderr, warning)
            self.assertEqual(self.text(out), self.text(self.games))
        self.assertIn("there are no whole games", lab("train", "--out", self.folder / "cut", cut).stderr)

    def test_a_flipped_bit_in_the_last_block_loses_nothing(self):
        """It looks like an incomplete end: when more is written, all after the last good block is saved to another file."""
        path, whole = self.folder / "flipped.games", self.games.read_bytes()
        path.write_bytes(whole + whole[:-20] + bytes([whole[-20] ^ 1]) + whole[-19:])
        result = lab("data", "stats", path)
        self.assertIn(f"torn        {len(whole)} bytes", result.stdout)
        self.assertIn(f"offset {len(whole)} on, is damaged (its checksum is wrong) and left out: 60 games", result.stderr)
        self.ok("datagen", "--out", path, "--games", "61", "--seed", "7", *DATAGEN)
        self.assertEqual(self.text(path).splitlines()[:60], self.text(self.games).splitlines())
        aside = pathlib.Path(f"{path}.tail").read_bytes()
        self.assertEqual(len(aside), len(whole))
        self.assertEqual([i for i, (a, b) in enumerate(zip(aside, whole)) if a != b], [len(whole) - 20])

    def test_a_signal_ends_it_cleanly(self):
        for number in signal.SIGTERM, signal.SIGHUP:
            with self.subTest(number):
                path = self.folder / f"signal-{number}.games"
                process = subprocess.Popen([LAB, "datagen", "--out", str(path), "--flush-seconds", "1", *DATAGEN],
                                           stdout=subprocess.PIPE, text=True)
                wait_for_size(path, 1)
                process.send_signal(number)
                output, _ = process.communicate(timeout=HANG)
                self.assertEqual(process.returncode, 0)
                count = int(re.search(r": ([\d,]+) games", output).group(1).replace(",", ""))
                self.assertGreater(count, 0)
                self.assertEqual(len(self.text(path).splitlines()), count)

    def test_nohup_is_respected(self):
        path = self.folder / "nohup.games"
        process = subprocess.Popen(["nohup", LAB, "datagen", "--out", str(path), *DATAGEN], stdout=subprocess.PIPE,
                                   stderr=subprocess.DEVNULL)
        wait_for_size(path, 0)
        process.send_signal(signal.SIGHUP)
        with self.assertRaises(subprocess.TimeoutExpired):
            process.wait(timeout=1)
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=HANG)
        self.assertEqual(process.returncode, 0)

    def test_salvage(self):
        """The second of two joined files is damaged: the first is saved, and the loss is reported."""
        bytes_ = bytearray(self.games.read_bytes())
        bytes_[200] ^= 1
        damaged, saved = self.folder / "joined.games", self.folder / "saved.games"
        damaged.write_bytes(self.games.read_bytes() + bytes(bytes_))
        report = self.ok("data", "salvage", damaged, saved)
        self.assertIn("saved.games: 60 games, ", report)
        self.assertRegex(report, r"lost: \d+ bytes at offset \d+, with \d+ games, \d+ plies as far as known\n")
        self.assertEqual(self.text(saved), self.text(self.games))
        self.assertEqual(lab("data", "salvage", damaged).returncode, 2)

    def test_damage_and_foreign_files(self):
        bytes_ = bytearray(self.games.read_bytes())
        damaged = self.folder / "damaged.games"
        damaged.write_bytes(bytes(bytes_[:200]) + bytes([bytes_[200] ^ 1]) + bytes(bytes_[201:]) + bytes(bytes_))
        result = lab("data", "stats", damaged)
        self.assertEqual(result.returncode, 1)
        self.assertIn("offset 0: the block is damaged (checksum)", result.stderr)
        # No game is appended where no reader would find it.
        before = damaged.read_bytes()
        result = lab("datagen", "--out", damaged, "--games", "130", *DATAGEN)
        self.assertEqual(result.returncode, 1)
        self.assertIn("offset 0: the block is damaged (checksum)", result.stderr)
        self.assertEqual(damaged.read_bytes(), before)
        result = lab("datagen", "--out", self.games, "--games", "70", "--net", "random:8:2", "--nodes", "30", "--quiet")
        self.assertEqual(result.returncode, 1)
        self.assertIn("holds games of another network", result.stderr)
        foreign = self.folder / "foreign"
        foreign.write_text("hello")
        for command in (("data", "stats", foreign), ("data", "merge", "--out", self.folder / "x", foreign),
                        ("datagen", "--out", foreign, "--games", "1", *DATAGEN)):
            result = lab(*command)
            self.assertEqual(result.returncode, 1)
            self.assertIn("no block of game records", result.stderr)
        self.assertEqual(foreign.read_text(), "hello")
        self.assertFalse((self.folder / "x").exists())

    def test_wrong_arguments(self):
        for arguments in (("data",), ("data", "dance", self.games), ("data", "stats"), ("datagen",),
                          ("datagen", "--out", "x", "--nodes", "none"), ("datagen", "--out", "x", "--share", "1"),
                          ("data", "export", "--format", "xml", self.games), ("train", self.games), ("fit",)):
            result = lab(*arguments)
            self.assertEqual(result.returncode, 2, arguments)
            self.assertIn("--help", result.stderr)
        self.assertIn("--pairs N: a pair is two games", lab("duel", "random:8:1", "random:8:2", "--games", "20").stderr)
        self.assertIn("the file is a word", lab("net", "random", "--out", "x.nnue").stderr)
        self.assertIn("\ncompiler: ", self.ok("--version"))
        for command in ("data", "datagen", "train", "fit", "duel"):
            self.assertIn("Usage: luft-lab " + command, self.ok(command, "--help"))


if __name__ == "__main__":
    unittest.main()
