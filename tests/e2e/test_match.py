"""luft-lab match with the toy engine: faults, files, resuming, bad input; and a few real games against Stockfish."""

import collections
import os
import pathlib
import pty
import re
import resource
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

from patience import HANG, within

LAB = os.environ["LUFT_LAB"]
LUFT = os.environ["LUFT"]
TOY = os.environ.get("TOY_ENGINE", "")
ROOT = pathlib.Path(__file__).resolve().parents[2]


def toys(*, first=(), second=("option.Seed=1",), each=("tc=10+0.1",)):
    """Two toy engines, A and B, that play different moves."""
    return ["-engine", f"cmd={TOY}", "name=A", *first, "-engine", f"cmd={TOY}", "name=B", *second, "-each", *each]


def tags(pgn, name):
    return re.findall(rf'^\[{name} "([^"]*)"\]$', pgn, re.M)


class Match(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def lab(self, *arguments, timeout=HANG, **keywords):
        return subprocess.run([LAB, "match", *arguments], capture_output=True, text=True, cwd=self.folder,
                              timeout=timeout, **keywords)

    def play(self, *arguments, **keywords):
        """Runs a match that must succeed; returns its progress and its result."""
        result = self.lab(*arguments, **keywords)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        return result.stderr + result.stdout

    def read(self, name):
        return (self.folder / name).read_text()

    def write(self, name, text):
        (self.folder / name).write_text(text)
        return name


class Faults(Match):
    """Each fault is named and counted, its game is scored, the engine is restarted, and the match is played to its end."""

    def check(self, fault, name, detail, ends_game=True, tc="tc=10+0.1", timeout=HANG):
        output = self.play(*toys(second=("option.Seed=3", f"option.Fault={fault}", "option.Fault Move=2",
                                         "option.Fault Game=1"), each=(tc,)),
                           "-rounds", "2", "-openings", "generate=1", "-pgnout", "games.pgn", timeout=timeout)
        notices = [line for line in output.splitlines() if line.startswith("game ")]
        # A restarted engine counts its games from one again, so it repeats the fault.
        self.assertGreaterEqual(len(notices), 1, output)
        self.assertRegex(notices[0], rf"^game 1, A - B: .*{re.escape(detail)}")
        faults = re.search(r"^Faults of B: (.*)$", output, re.M).group(1)
        self.assertRegex(faults, rf"\d {re.escape(name)}\b")
        # A pipe that is closed between two games may be noticed in another way.
        count = sum(int(number) for number in re.findall(r"\d+", faults))
        self.assertEqual(count, len(notices))
        self.assertNotIn("Faults of A", output)
        results = tags(self.read("games.pgn"), "Result")
        self.assertEqual(len(results), 4)
        if ends_game:
            self.assertIn(f"{name} by B", notices[0])
            self.assertEqual(results[0], "1-0")
            if tags(self.read("games.pgn"), "PlyCount")[0] != "0":
                self.assertIn(f"Black loses by {name}", self.read("games.pgn").replace("\n", " "))
            self.assertIn(f"{count} fault", output)
        return output

    def test_crash(self):
        self.check("crash", "crash", "killed by signal 6")

    def test_exit(self):
        self.check("exit", "crash", "exited with status 3")

    def test_death_in_the_middle_of_a_line(self):
        self.check("mid-line", "crash", "exited with status 0")

    def test_hang(self):
        self.check("hang", "stall", "not even on stop", tc="tc=1+0.1")

    def test_time_loss(self):
        self.check("time", "time loss", "ms used of", tc="tc=1+0.1")

    def test_time_loss_with_only_an_increment(self):
        output = self.play(*toys(second=("option.Fault=time", "option.Fault Move=1", "option.Fault Game=1"), each=("tc=0+1",)),
                           "-rounds", "1", "-maxmoves", "5")
        self.assertRegex(output, r"game 1, A - B: 1-0: time loss by B, move 1: [\d.]+ ms used of 1000.0 ms")

    def test_illegal_move(self):
        self.check("illegal", "illegal move", "bestmove a1h7 in ")

    def test_no_move(self):
        self.check("no-move", "illegal move", "bestmove (none) in ")

    def test_illegal_pv(self):
        self.check("bad-pv", "illegal PV", "move 2 (e1e8) of the PV is illegal", ends_game=False)

    def test_pv_past_the_end(self):
        self.check("long-pv", "PV past the end", "of the PV comes after the end of the game", ends_game=False)

    def test_flood_of_lines(self):
        self.check("flood", "flood", "lines for one answer", tc="tc=20+1")

    def test_endless_line(self):
        self.check("long-line", "flood", "a line of more than", tc="tc=20+1")

    def test_closed_output(self):
        self.check("close", "disconnect", "closed its end of the pipe")

    def test_closed_input(self):
        self.check("deaf", "disconnect", "closed its end of the pipe")

    def test_crash_between_games(self):
        self.check("crash-new-game", "crash", "killed by signal 6")

    def test_two_moves(self):
        self.check("two-moves", "extra move", "after its bestmove before")

    def test_binary(self):
        output = self.check("binary", "illegal move", "bestmove ")
        for text in output, self.read("games.pgn"):
            self.assertFalse([c for c in text if ord(c) < 32 and c != "\n" or 127 <= ord(c) < 160], ascii(text))

    def test_limit_ignored(self):
        """What the engine reports of its search decides: far too many nodes at once, the others after the time of a stall."""
        for limit, detail in (("nodes=200", "ignores the limit of 200 nodes: it searched 2000000 and went on"),
                              ("depth=2", "ignores the limit of depth 2: it searched to depth 30 and went on"),
                              ("nodes=100000", "ignores the limit of 100000 nodes: it searched 2000000 and went on")):
            with self.subTest(limit=limit):
                output = self.play(*toys(second=("option.Fault=limit", "option.Fault Move=2", "option.Fault Game=1"),
                                         each=(limit,)), "-rounds", "1", "-maxmoves", "5", "-stalltimeout", "1")
                self.assertIn(f"game 1, A - B: 1-0: limit ignored by B, move 2: {detail}", output)
                self.assertIn("Faults of B: 1 limit ignored", output)

    def test_an_engine_that_ignores_its_limit_again_and_again_ends_the_match(self):
        words = [*toys(second=("option.Fault=limit", "option.Fault Move=1"), each=("nodes=200",)), "-openings", "generate=1",
                 "-maxmoves", "5", "-pgnout", "games.pgn", "-rounds"]
        sentence = "luft-lab match: B ignores its limit, nodes=200: it lost its last 4 games by that; give it one that"
        first = self.lab(*words, "20")
        self.assertEqual(first.returncode, 1, first.stderr)
        self.assertIn(sentence, first.stderr)
        self.assertIn("or leave it out, in a match with another -pgnout; luft-lab rate A.pgn B.pgn rates both\n", first.stderr)
        self.assertIn("Faults of B: 4 limit ignored", first.stdout)
        self.assertEqual(len(tags(self.read("games.pgn"), "Result")), 4)
        again = self.lab(*words, "20")  # plays nothing
        self.assertEqual((again.returncode, again.stderr.startswith(sentence)), (1, True), again.stderr)
        self.assertEqual(len(tags(self.read("games.pgn"), "Result")), 4)
        journal = self.read("games.pgn.journal")
        more = self.lab(*words, "20", "-engine", "cmd=" + TOY, "name=C")
        self.assertEqual((more.returncode, more.stderr.startswith(sentence)), (1, True), more.stderr)
        self.assertEqual(self.read("games.pgn.journal"), journal)  # no engine joins a match that is refused
        self.assertIn("4 limit ignored", self.play(*words, "2"))  # a match that is over has its report
        kept = self.play(*toys(second=("option.Fault=limit", "option.Fault Move=1", "option.Fault Game=2"), each=("nodes=200",)),
                         "-openings", "generate=1", "-maxmoves", "5", "-rounds", "6")
        self.assertIn("Faults of B: 1 limit ignored", kept)  # once is no reason to end it

    def test_unused_nodes(self):
        output = self.play(*toys(second=("nodes=6000",), first=("nodes=30",)), "-rounds", "1")
        self.assertIn("warning: B used 20 of 6000 nodes a move (median)\n", output)
        self.assertNotIn("warning: A used", output)

    def test_same_moves(self):
        arguments = "-rounds", "3", "-openings", "generate=1", "-maxmoves", "20"
        output = self.play(*toys(second=("option.Threads=1",), each=("nodes=30",)), *arguments)
        self.assertIn("warning: A and B play the same moves in all 3 pairs: they may be the same program", output)
        output = self.play(*toys(second=("option.Seed=3",), each=("nodes=30",)), *arguments)
        self.assertNotIn("the same moves", output)

    def test_stall_without_a_clock(self):
        output = self.play(*toys(second=("option.Fault=hang", "option.Fault Move=1", "option.Fault Game=1"),
                                 each=("depth=1",)), "-stalltimeout", "1")
        self.assertIn("Faults of B: 2 stall", output)

    def test_time_loss_by_the_machine(self):
        """More engines that need most of their time than processors: none of them is at fault."""
        games = 5 * len(os.sched_getaffinity(0))
        output = self.play(*toys(first=("option.Work=30",), second=("option.Work=30", "option.Seed=1"),
                                 each=("st=0.06", "timemargin=0")),
                           "-rounds", str(games), "-concurrency", str(games), "-maxmoves", "10")
        self.assertIn("time loss (machine)", output)
        self.assertIn("; the game is played again", output)
        self.assertRegex(output, r"Played again, because the machine had decided them: \d+ games?")
        self.assertNotRegex(output, r"\d time loss(,|$)")
        self.assertIn("times will not be fair", output)
        self.assertIn("warning: the machine was loaded", output)

    def test_margin(self):
        output = self.play(*toys(second=("option.Fault=time", "option.Fault Move=2", "timemargin=60000"),
                                 each=("tc=0.1+0.05",)), "-maxmoves", "5")
        self.assertNotIn("Faults", output)


class Games(Match):
    def test_reproducible(self):
        games = []
        for number in range(2):
            self.play(*toys(), "-rounds", "5", "-reproducible", "-chess960", "-srand", "7", "-pgnout", f"{number}.pgn")
            games.append(self.read(f"{number}.pgn"))
        self.assertEqual(games[0], games[1])
        self.assertEqual(len(tags(games[0], "Result")), 10)
        self.assertEqual(set(tags(games[0], "Variant")), {"Chess960"})
        self.assertEqual(len(set(tags(games[0], "FEN"))), 5)
        self.assertNotIn("UTCTime", games[0])
        self.assertNotRegex(games[0], r"\d\.\d{3}s")

    def test_quiet_prints_only_the_result(self):
        output = self.play(*toys(), "-rounds", "2", "-openings", "generate=1", "-quiet").strip().split("\n")
        lines = [line for line in output if not line.startswith("warning: the machine is loaded")]
        self.assertRegex(lines[0], r"A against B +\+\d+ -\d+ =\d+ ")
        self.assertLessEqual(len(lines), 3, lines)

    def test_comments(self):
        self.play(*toys(), "-pgnout", "games.pgn")
        game = self.read("games.pgn").replace("\n", " ")
        self.assertRegex(game, r"1\. \S+ \{[+-]\d+\.\d\d/1 \d\.\d{3}s, cpu \d\.\d{3}s(, wait \d\.\d{3}s)?\}")
        self.assertEqual(tags(self.read("games.pgn"), "TimeControl"), ["10+0.1"] * 2)

    def test_colours_are_reversed(self):
        self.play(*toys(), "-games", "6", "-pgnout", "games.pgn", "-concurrency", "2")
        games = self.read("games.pgn")
        self.assertEqual(tags(games, "White"), ["A", "B"] * 3)
        self.assertEqual(sorted(tags(games, "Round")), ["1.1", "1.2", "2.1", "2.2", "3.1", "3.2"])

    def test_draw_adjudication(self):
        output = self.play(*toys(), "-draw", "movenumber=3", "movecount=2", "score=30000", "-pgnout", "games.pgn")
        self.assertIn("2 draw adjudicated", output)
        self.assertEqual(tags(self.read("games.pgn"), "PlyCount"), ["6", "6"])
        self.assertEqual(tags(self.read("games.pgn"), "Termination"), ["adjudication"] * 2)

    def test_win_adjudication(self):
        output = self.play(*toys(), "-resign", "movecount=2", "score=300", "-rounds", "5", "-pgnout", "games.pgn")
        self.assertRegex(output, r"\d+ win adjudicated")
        two_sided = self.play(*toys(), "-resign", "movecount=2", "score=300", "twosided=true", "-rounds", "5")
        self.assertRegex(two_sided, r"\d+ win adjudicated")

    def test_longest_game(self):
        output = self.play(*toys(), "-maxmoves", "4", "-pgnout", "games.pgn")
        self.assertIn("2 maximum length", output)
        self.assertEqual(tags(self.read("games.pgn"), "PlyCount"), ["8", "8"])

    def test_dead_position(self):
        book = self.write("book.epd", "8/8/3k4/8/8/3K4/2p5/1B6 w - - hmvc 0;\n")
        self.assertIn("2 dead position", self.play(*toys(), "-openings", f"file={book}"))

    def test_epd_book(self):
        fens = ["4k3/8/8/8/8/8/4P3/4K3 w - -", "4k3/4p3/8/8/8/8/8/4K3 b - -", "4k3/8/8/8/8/8/8/R3K3 w Q - 3 9"]
        book = self.write("book.epd", "# a comment\n" + "\n".join(fens) + "\n\n")
        self.play(*toys(), "-rounds", "3", "-openings", f"file={book}", "start=2", "-pgnout", "a.pgn", "-maxmoves", "2")
        played = tags(self.read("a.pgn"), "FEN")
        self.assertEqual(played[0::2], played[1::2])
        self.assertEqual([fen.split()[0] for fen in played[0::2]], [fens[i].split()[0] for i in (1, 2, 0)])
        self.assertIn("R3K3 w Q - 3 9", played[2])
        orders = set()
        for seed in range(8):
            self.play(*toys(), "-rounds", "3", "-openings", f"file={book}", "order=random", f"seed={seed}", "-pgnout",
                      f"{seed}.pgn", "-maxmoves", "1")
            order = tuple(tags(self.read(f"{seed}.pgn"), "BookLine")[0::2])
            self.assertEqual(sorted(order), ["1", "2", "3"])
            orders.add(order)
        self.assertGreater(len(orders), 1)

    def test_pgn_book(self):
        book = self.write("book.pgn", '[Event "x"]\n\n1. e4 e5 2. Nf3 Nc6 *\n\n[Event "y"]\n\n1. d4 d5 2. c4 *\n')
        self.play(*toys(), "-rounds", "2", "-openings", f"file={book}", "plies=3", "-pgnout", "a.pgn", "-maxmoves", "2")
        games = self.read("a.pgn").replace("\n", " ")
        self.assertEqual(games.count("1. e4 {book} 1... e5 {book} 2. Nf3 {book} 2... "), 2, games)
        self.assertEqual(games.count("1. d4 {book} 1... d5 {book} 2. c4 {book} 2... "), 2)
        self.assertNotIn("Nc6 {book}", games)

    def test_round_robin_and_gauntlet(self):
        engines = sum((["-engine", f"cmd={TOY}", f"option.Seed={i}", f"name=E{i}"] for i in range(4)), [])
        for kind, expected in (("roundrobin", 6), ("gauntlet", 3)):
            output = self.play(*engines, "-each", "nodes=10", "-tournament", kind, "-rounds", "2", "-concurrency", "2",
                               "-pgnout", f"{kind}.pgn", "-maxmoves", "30")
            games = self.read(f"{kind}.pgn")
            pairs = collections.Counter(zip(tags(games, "White"), tags(games, "Black")))
            self.assertEqual(len(pairs), 2 * expected)
            self.assertEqual(set(pairs.values()), {2})
            self.assertRegex(output, r"Rank +Engine +Rating +Error +Games +Result\n")
            self.assertRegex(output, r"\d+/\d+ games: E0 [\d.]+/\d+, E1 [\d.]+/\d+, E2 [\d.]+/\d+, E3 [\d.]+/\d+")
            self.assertNotIn("Elo", output.split("## Pairings")[0])
            counted = int(re.search(r"(\d+) games of 4 players. Model: half points", output)[1])
            matrix = re.search(r"## Head to head\n\n(.*?)\n\n", output, re.S)[1].splitlines()[2:]
            points = [[float(cell.split("/")[0]) for cell in row.split("|")[2:-1] if "/" in cell] for row in matrix]
            self.assertEqual(sum(map(sum, points)), counted)
            self.assertEqual(sum(map(len, points)), 2 * expected)
            pairings = [[cell.strip() for cell in row.split("|")[1:-1]]
                        for row in re.search(r"## Pairings\n\n(.*?)\n\n", output, re.S)[1].splitlines()[2:]]
            self.assertEqual(len(pairings), expected)
            for row in pairings:
                self.assertEqual(len(row), 7)
                self.assertRegex(row[5], r"^-?[\d.]+ \+- [\d.]+$|^-?[\d.]+, (above|below) |error unknown$|all games$")
            self.assertEqual(sum(int(row[2]) for row in pairings), counted)
            if kind == "gauntlet":
                self.assertTrue(all("E0" in pair for pair in pairs))

    def test_joint_ratings_on_the_way_and_on_a_scale(self):
        engines = sum((["-engine", f"cmd={TOY}", f"option.Seed={i}", f"name=E{i}"] for i in range(3)), [])
        words = [*engines, "-each", "nodes=10", "-rounds", "4", "-openings", "generate=1", "-maxmoves", "30", "-ratinginterval"]
        result = self.lab(*words, "6", "-anchor", "E1=2000")
        self.assertEqual(result.returncode, 0, result.stderr)
        table = r"{} games: E0 .*\nRank +Engine +Rating +Error +Games +Result\n( +\d  E\d .*\n){{3}}"
        for games in ("12/24", "24/24"):
            self.assertRegex(result.stderr, table.format(games))
        self.assertRegex(result.stdout, r"\n +\d  E1 +2000\.0  anchor +16  ")
        self.assertRegex(result.stdout, r"\| E1 +\| +2000\.0 \| +anchor \|")
        ratings = [float(row) for row in re.findall(r"\| E\d +\| +([\d.]+) \|", result.stdout.split("## Head")[0])]
        self.assertEqual((len(ratings), ratings), (3, sorted(ratings, reverse=True)))
        self.assertGreater(min(ratings), 1000)
        plain = self.lab(*words[:-1], "--anchor", "E1=0")  # played before; another scale is no other match
        self.assertRegex(plain.stdout, r"\| E1 +\| +0\.0 \| +anchor \|")
        self.assertNotIn("Rank", plain.stderr)

    def test_an_anchor_that_nobody_is(self):
        engines = sum((["-engine", f"cmd={TOY}", f"name={name}"] for name in ("stockfish", "B", "C")), [])
        for words, status, sentence in (
                ((*engines, "-anchor", "stokfish=3000"), 1, "--anchor: no player is called 'stokfish'; did you mean 'stockfish'?"),
                ((*engines, "-anchor", "B=high"), 1, "--anchor: 'B=high' is not NAME=ELO"),
                ((*engines[:6], "-anchor", "B=0"), 2, "two engines have no joint ratings")):
            result = self.lab(*words, "-each", "nodes=10", "-pgnout", "a.pgn")
            self.assertEqual((result.returncode, result.stdout), (status, ""))
            self.assertIn(sentence, result.stderr)
            self.assertEqual(list(self.folder.iterdir()), [])

    def test_openings_without_a_word(self):
        one = "warning: all games begin from one position; -openings generate=SEED gives each pair its own"
        self.assertIn(one, self.play(*toys(), "-maxmoves", "2", "-rounds", "2"))
        self.assertNotIn(one, self.play(*toys(), "-maxmoves", "2", "-rounds", "1"))
        self.assertNotIn(one, self.play(*toys(), "-maxmoves", "2", "-rounds", "2", "-openings", "generate=1"))

    def test_a_match_that_never_began_stands_in_nobodys_way(self):
        wrong = self.lab("-engine", "cmd=/bin/true", "name=A", "-engine", f"cmd={TOY}", "-each", "nodes=10", "-pgnout", "x.pgn")
        self.assertEqual(wrong.returncode, 1)
        self.assertEqual(list(self.folder.iterdir()), [])
        own = self.write("own.pgn", '[Event "x"]\n\n1. e4 *\n')
        self.lab("-engine", "cmd=/bin/true", "name=A", "-engine", f"cmd={TOY}", "-each", "nodes=10", "-pgnout", own, "-epdout", "x.epd")
        self.assertEqual([path.name for path in self.folder.iterdir()], ["own.pgn"])
        self.play(*toys(), "-pgnout", "x.pgn")
        other = self.lab(*toys(first=("option.Seed=7",)), "-pgnout", "x.pgn")
        self.assertRegex(other.stderr, r"'engine 1: [^']*' there, now 'engine 1: [^']*Seed=7'; --again starts over")

    def go_lines(self, *limits):
        """The go commands that an engine with these limits received."""
        script = f"tee -a go.log | exec {TOY}"
        self.play("-engine", "cmd=/bin/sh", "arg=-c", f"arg={script}", "name=A", *limits, "-engine", f"cmd={TOY}",
                  "tc=5+1", "-maxmoves", "3")
        return [line for line in self.read("go.log").splitlines() if line.startswith("go")]

    def test_limits(self):
        self.assertEqual(self.go_lines("depth=7", "nodes=123")[0], "go depth 7 nodes 123")

    def test_time_for_each_move(self):
        self.assertEqual(self.go_lines("st=0.25")[0], "go movetime 250")

    def test_moves_to_go(self):
        lines = self.go_lines("tc=2/1:01+0.5")
        self.assertEqual(lines[0], "go wtime 61000 btime 5000 winc 500 binc 1000 movestogo 2")
        self.assertEqual([line.split()[-1] for line in lines], ["2", "1", "2"] * 2)
        self.assertGreater(int(lines[2].split()[2]), 120000)

    def test_standard_error_is_kept(self):
        self.play(*toys(first=("arg=stderr=something to say",)), "-pgnout", "games.pgn")
        logs = sorted((self.folder / "games.pgn.logs").iterdir())
        self.assertTrue(logs and all(log.name.startswith("A-") for log in logs), logs)
        self.assertIn("something to say", logs[-1].read_text())

    def test_restart_for_every_game(self):
        self.play(*toys(first=("arg=stderr=started", "restart=on")), "-rounds", "3", "-log", "logs")
        self.assertEqual(self.read("logs/A-1.log").count("started"), 6)

    def test_slow_start(self):
        self.play(*toys(first=("arg=slow-start=700",)))
        result = self.lab(*toys(first=("arg=slow-start=700",)), "-starttimeout", "0.2", "-again")
        self.assertIn("no uciok within 0.2 s", result.stderr)

    def test_pinned(self):
        self.play(*toys(), "-pin", "-maxmoves", "2")
        result = self.lab(*toys(), "-pin", "-concurrency", "500")
        self.assertIn("-pin: 500 games of 1 threads need 500 processors", result.stderr)

    def test_own_cost(self):
        output = self.play(*toys(each=("tc=1+0.01",)), "-rounds", "50", "-concurrency", "2", "-journal", "none")
        cost = float(re.search(r"Runner: ([\d.]+) us of processor time a ply", output).group(1))
        self.assertLess(cost, within(100))
        waits = re.findall(r"Engines: waited for a processor in ([\d.]+)% of their thinking time\n", output)
        self.assertEqual(len(waits), 1)
        self.assertLessEqual(float(waits[0]), 100)

    def test_live_table(self):
        master, slave = pty.openpty()
        process = subprocess.Popen([LAB, "match", *toys(), "-rounds", "20"], stdout=slave, stderr=slave, cwd=self.folder)
        os.close(slave)
        shown = b""
        try:
            while block := os.read(master, 65536):
                shown += block
        except OSError:
            pass  # the end of a terminal
        self.assertEqual(process.wait(HANG), 0)
        text = shown.decode()
        self.assertRegex(text, r"\[#+-*\] \d+/40 games")
        self.assertIn("\033[", text)
        self.assertIn("A against B", text)


class Resuming(Match):
    ROUNDS = 8
    SLOW = ("option.Delay=2",)

    def arguments(self, *more, rounds=ROUNDS):
        return [*toys(first=self.SLOW, second=("option.Seed=1", *self.SLOW)), "-rounds", str(rounds), "-reproducible",
                "-chess960", "-pgnout", "games.pgn", "-maxmoves", "40", *more]

    def start(self, *arguments):
        return subprocess.Popen([LAB, "match", *arguments], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def wait_for_pairs(self, count, process):
        deadline = time.monotonic() + HANG
        while time.monotonic() < deadline and process.poll() is None:
            journal = self.folder / "games.pgn.journal"
            if journal.exists() and journal.read_text().count("\tpair ") >= count:
                return
            time.sleep(0.01)
        self.fail("the match did not get so far")

    def tear(self):
        """Makes what a kill during a write leaves."""
        with open(self.folder / "games.pgn", "a") as file:
            file.write('[Event "half a ga')
        with open(self.folder / "games.pgn.journal", "a") as file:
            file.write("4\tpair 5 1 1 0 0 77")

    def test_after_kill(self):
        whole = self.play(*self.arguments())
        expected = self.read("games.pgn")
        (self.folder / "games.pgn").unlink()
        (self.folder / "games.pgn.journal").unlink()
        for count in (1, 3):
            process = self.start(*self.arguments())
            self.wait_for_pairs(count, process)
            process.send_signal(signal.SIGKILL)
            process.communicate()
            self.tear()
        resumed = self.play(*self.arguments())
        self.assertEqual(self.read("games.pgn"), expected)
        for line in ("A against B", "Elo ", "Pairs ", "Endings: "):
            pick = [next(row for row in text.splitlines() if row.startswith(line)) for text in (whole, resumed)]
            self.assertEqual(pick[0], pick[1])
        self.assertIn("Restored from the journal: ", resumed)
        again = self.play(*self.arguments())
        self.assertIn(f"Restored from the journal: {2 * self.ROUNDS} games", again)
        self.assertEqual(self.read("games.pgn"), expected)

    def test_after_kills_with_several_games_at_once(self):
        for count in (2, 5):
            process = self.start(*self.arguments("-concurrency", "3"))
            self.wait_for_pairs(count, process)
            process.kill()
            process.communicate()
        self.play(*self.arguments("-concurrency", "3"))
        rounds = tags(self.read("games.pgn"), "Round")
        self.assertEqual(sorted(rounds), sorted(f"{r + 1}.{g}" for r in range(self.ROUNDS) for g in (1, 2)))

    def test_longer_match(self):
        self.play(*self.arguments(rounds=2))
        output = self.play(*self.arguments(rounds=3))
        self.assertIn("Restored from the journal: 4 games", output)
        self.assertEqual(len(tags(self.read("games.pgn"), "Round")), 6)

    def test_interruption(self):
        process = self.start(*self.arguments())
        self.wait_for_pairs(1, process)
        process.send_signal(signal.SIGINT)
        output = process.communicate(timeout=HANG)[0]
        self.assertEqual(process.returncode, 4)
        self.assertRegex(output, r"stopped before the end; the same command carries on from \S+\.journal\n")
        self.play(*self.arguments())
        self.assertEqual(len(tags(self.read("games.pgn"), "Round")), 2 * self.ROUNDS)

    def test_interrupted_before_a_pair_is_whole(self):
        """One sentence, and not tables of nothing; the same command begins."""
        engines = sum((["-engine", f"cmd={TOY}", f"name={name}", "option.Fault=hang", "option.Fault Move=1"] for name in "ABC"), [])
        process = self.start(*engines, "-each", "tc=600", "-pgnout", "games.pgn")
        deadline = time.monotonic() + HANG
        while not (self.folder / "games.pgn.journal").exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        output = process.communicate(timeout=HANG)[0]
        self.assertEqual(process.returncode, 4, output)
        self.assertIn("No pair of games was finished.\n", output)
        for word in ("Rank", "##", "Runner", "Endings"):
            self.assertNotIn(word, output)

    def test_no_engine_outlives_a_kill(self):
        marker = f"stderr={self.folder.name}"
        process = self.start(*toys(first=(f"arg={marker}", "option.Fault=hang", "option.Fault Move=1"), each=("tc=60",)))

        def alive():
            found = 0
            for pid in filter(str.isdigit, os.listdir("/proc")):  # not glob: it fails where a process ends meanwhile
                try:
                    words = pathlib.Path("/proc", pid, "cmdline").read_bytes().split(b"\0")
                except OSError:
                    continue
                found += words[0] == TOY.encode() and marker.encode() in words
            return found

        def wait_until(condition):
            deadline = time.monotonic() + HANG
            while not condition():
                self.assertLess(time.monotonic(), deadline)
                time.sleep(0.05)

        wait_until(lambda: alive() == 1)
        process.kill()
        process.communicate()
        wait_until(lambda: alive() == 0)

    def test_a_tag_that_is_too_long_is_refused_before_a_game(self):
        result = self.lab(*self.arguments("-event", "x" * 256, rounds=1))
        self.assertEqual(result.returncode, 2)
        self.assertIn("--event: a tag of the PGN has at most 255 bytes", result.stderr)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_other_set_up_is_refused(self):
        self.play(*self.arguments(rounds=1))
        before = self.read("games.pgn"), self.read("games.pgn.journal")
        result = self.lab(*self.arguments("-srand", "9"))
        self.assertEqual(result.returncode, 1)
        self.assertIn("is of another match", result.stderr)
        self.assertIn("seed 9", result.stderr)
        self.assertEqual((self.read("games.pgn"), self.read("games.pgn.journal")), before)

    def test_one_more_engine_joins(self):
        """The games of the others stay, each pairing is played once; where it does not come last, it is another match."""
        third = ("-engine", "cmd=" + TOY, "name=third", "option.Seed=2")
        self.play(*self.arguments(rounds=2))
        before, journal = self.read("games.pgn"), self.read("games.pgn.journal")
        result = self.lab(*self.arguments("-engine", "cmd=/no/such/engine", "name=third", rounds=2))
        self.assertIn("/no/such/engine", result.stderr)
        self.assertEqual((result.returncode, self.read("games.pgn"), self.read("games.pgn.journal")), (1, before, journal))
        output = self.play(*self.arguments(*third, rounds=2))
        self.assertIn("carries on after 4 of 12 games", output)
        games = self.read("games.pgn")
        self.assertEqual(games[:len(before)], before)
        played = collections.Counter(frozenset(pair) for pair in zip(tags(games, "White"), tags(games, "Black")))
        self.assertEqual((len(played), set(played.values())), (3, {4}))
        self.assertIn("All games were played before", self.play(*self.arguments(*third, rounds=2)))
        self.assertEqual(self.read("games.pgn"), games)
        result = self.lab(*self.arguments(rounds=2))
        self.assertEqual(result.returncode, 1)
        self.assertIn("it has 3 engines, this command 2; the games of these alone need another -pgnout", result.stderr)
        result = self.lab("-engine", "cmd=" + TOY, "name=first", *self.arguments(*third, rounds=2))
        self.assertIn("it has 3 engines, this command 4; engines that are new come last", result.stderr)
        self.assertEqual(self.read("games.pgn"), games)

    def test_another_book_under_the_same_name_is_refused(self):
        book = ("-openings", "file=" + self.write("book.epd", "4k3/8/8/8/8/8/4P3/4K3 w - -\n"))
        self.play(*self.arguments(*book, rounds=1))
        self.write("book.epd", "4k3/8/8/8/8/8/3P4/4K3 w - -\n")
        result = self.lab(*self.arguments(*book, rounds=2))
        self.assertEqual(result.returncode, 1)
        self.assertIn("book.epd was rebuilt or changed since the match began", result.stderr)

    def test_a_file_that_ends_within_a_line_gets_its_end(self):
        self.write("games.pgn", '[Event "x"]\n[Result "1-0"]\n\n1. e4 e5 1-0')
        self.play(*self.arguments(rounds=1))
        self.assertIn("1. e4 e5 1-0\n\n[Event ", self.read("games.pgn"))

    def test_again_starts_over_and_keeps_the_old_files(self):
        self.play(*self.arguments(rounds=1))
        for old in (".old", ".old2"):
            before = self.read("games.pgn"), self.read("games.pgn.journal")
            self.assertIn("All games were played before; --again starts over", self.play(*self.arguments(rounds=1)))
            self.assertEqual((self.read("games.pgn"), self.read("games.pgn.journal")), before)
            self.play(*self.arguments("--again", rounds=1))
            self.assertEqual((self.read("games.pgn" + old), self.read("games.pgn.journal" + old)), before)
        self.write("games.pgn", "Dear Santa,\n")
        self.refused("is not a file of games", "--again", rounds=1)

    def test_each_command_without_files_has_its_own_journal(self):
        words = ["-rounds", "2", "-maxmoves", "5", "-openings", "generate=1"]
        self.play(*toys(), *words)
        self.play(*toys(second=("option.Seed=2",)), *words)
        journals = sorted(path.name for path in self.folder.glob("luft-lab-*.journal"))
        self.assertEqual(len(journals), 2)
        self.assertIn("All games were played before", self.play(*toys(), *words, "-concurrency", "2"))
        self.assertEqual(sorted(path.name for path in self.folder.glob("*.journal")), journals)

    def test_damaged_journal(self):
        self.play(*self.arguments(rounds=3))
        journal = self.read("games.pgn.journal").replace("\tpair 1 ", "\tpair 2 ")
        self.write("games.pgn.journal", journal)
        self.assertIn("is damaged at byte", self.lab(*self.arguments(rounds=3)).stderr)

    def test_missing_games(self):
        self.play(*self.arguments(rounds=2))
        self.write("games.pgn", "")
        self.assertIn("games are missing", self.lab(*self.arguments(rounds=2)).stderr)

    def refused(self, reason, *arguments, rounds=3):
        before = {path: path.read_bytes() for path in self.folder.iterdir() if path.is_file()}
        result = self.lab(*self.arguments(*arguments, rounds=rounds))
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn(reason, result.stderr)
        self.assertEqual({path: path.read_bytes() for path in self.folder.iterdir() if path.is_file()}, before)

    def test_resume_touches_no_other_file(self):
        """Only the PGN file of the match is truncated, and it loses nothing that another program added."""
        self.play(*self.arguments(rounds=2))
        games = self.read("games.pgn")
        self.write("library.pgn", '[Event "x"]\n\n1. d4 *\n\n' * 1000)
        self.refused("now 'pgn: library.pgn'", "-pgnout", "library.pgn", "-journal", "games.pgn.journal")
        self.write("games.pgn", games.replace("1.1", "9.9", 1))
        self.refused("does not hold the games of")
        own = '[Event "my own"]\n\n1. e4 *\n\n'
        self.write("games.pgn", games + own)
        output = self.play(*self.arguments(rounds=3))
        self.assertIn("belong to no finished pair: now in games.pgn.tail", output)
        self.assertEqual(self.read("games.pgn.tail"), own)
        self.assertTrue(self.read("games.pgn").startswith(games))
        self.assertEqual(len(tags(self.read("games.pgn"), "Round")), 6)

    def test_games_without_a_journal_stay_and_new_ones_follow(self):
        self.play(*self.arguments(rounds=2))
        journal, games = self.read("games.pgn.journal"), self.read("games.pgn")
        for left in ("", journal[:30], journal[:journal.index("\tbegin") + 8], None):
            self.write("games.pgn", games)
            self.write("games.pgn.journal", left or "")
            if left is None:
                (self.folder / "games.pgn.journal").unlink()
            self.assertIn("games.pgn has games already: new ones follow them", self.play(*self.arguments(rounds=2)))
            self.assertTrue(self.read("games.pgn").startswith(games))
            self.assertEqual(len(tags(self.read("games.pgn"), "Round")), 8)

    def test_missing_and_moved_lines(self):
        self.play(*self.arguments(rounds=4))
        lines = self.read("games.pgn.journal").splitlines(keepends=True)
        for changed in (lines[:-3] + lines[-2:], lines[:-2] + [lines[-1], lines[-2]]):
            self.write("games.pgn.journal", "".join(changed))
            self.refused("is damaged at byte", rounds=4)

    def test_another_engine_is_refused(self):
        engine = self.folder / "engine"
        shutil.copy(TOY, engine)
        self.play(*self.arguments("-engine", f"cmd={engine}", "name=C", rounds=1))
        with open(engine, "ab") as file:
            file.write(b"rebuilt")
        result = self.lab(*self.arguments("-engine", f"cmd={engine}", "name=C", rounds=2))
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stderr, r"/engine was rebuilt or changed since the match began .*; --again starts over")

    def test_an_engine_that_is_replaced_meanwhile_is_not_started(self):
        engine, other = self.folder / "engine", self.folder / "other"
        shutil.copy(TOY, engine)
        shutil.copy(TOY, other)
        process = subprocess.Popen([LAB, "match", *self.arguments("-engine", f"cmd={engine}", "name=C", "restart=on", rounds=500)],
                                   cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.wait_for_pairs(1, process)
        os.replace(other, engine)
        _, errors = process.communicate(timeout=HANG)
        self.assertEqual(process.returncode, 1)
        self.assertIn("the program of C was rebuilt or changed during the match", errors)

    def test_a_file_that_is_no_pgn_is_refused(self):
        self.write("thesis.txt", "years of work\n")
        self.refused("is not a file of games (PGN)", "-pgnout", "thesis.txt")
        self.write("games.pgn", "")
        self.refused("or no journal of a match", "-journal", "thesis.txt")
        self.write("book.pgn", '[Event "x"]\n\n1. e4 *\n')
        self.refused("is also an input", "-pgnout", "book.pgn", "-openings", "file=book.pgn")

    def test_two_matches_on_one_journal(self):
        process = self.start(*self.arguments())
        self.wait_for_pairs(1, process)
        result = self.lab(*self.arguments())
        self.assertIn("is being written by another luft-lab", result.stderr)
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=HANG)


class BadInput(Match):
    """Bad input is refused by one line that names the error and its place, before any game is lost."""

    def check(self, arguments, *expected, code=1, **keywords):
        result = self.lab(*arguments, **keywords)
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        lines = [line for line in result.stderr.splitlines() if not line.endswith("the same program with the same settings")
                 and not line.startswith("warning: ")]
        self.assertEqual(len(lines), 1, result.stderr)
        for text in expected:
            self.assertIn(text, lines[0])
        self.assertNotIn("games:", result.stdout + result.stderr)

    def test_engines(self):
        there = ["-engine", f"cmd={TOY}", "depth=1", "-each", "depth=1"]
        self.check(["-engine", "cmd=/no/such/engine", *there], "/no/such/engine", "No such file")
        self.check(["-engine", "cmd=/etc/passwd", *there], "/etc/passwd", "ermission denied")
        self.check(["-engine", "cmd=/bin/true", *there], "/bin/true", "is it a UCI engine?")
        self.check(["-engine", "cmd=/bin/cat", *there, "-starttimeout", "0.3"], "/bin/cat", "no uciok within 0.3 s",
                   "is it a UCI engine?")
        self.check(["-engine", "cmd=/bin/sh", "arg=-c", "arg=echo one >&2; echo 'libfathom.so.1: no such file' >&2; exit 127", *there],
                   "exited with status 127", "it said 'libfathom.so.1: no such file' (", "/sh-0.log)")
        self.check(["-engine", f"cmd={TOY}", "arg=exit-at-start", *there], "exited with status 4")
        self.check(["-engine", f"cmd={TOY}", "arg=not-an-engine", *there], "exited with status 2")
        self.check(["-engine", f"cmd={TOY}", "arg=silent", *there, "-starttimeout", "0.3"], "no uciok")
        self.check(["-engine", f"cmd={TOY}", "dir=/no/such/folder", *there], "No such file")
        self.check(["-engine", f"cmd={TOY}", "name=X", "option.Nonsense=1", *there], "engine X", "no option Nonsense")
        self.check(["-engine", f"cmd={TOY}", "option.Hash=4096", *there], "option Hash is 4096", "from 1 to 1024")
        self.check(["-engine", f"cmd={TOY}", "option.Hash=big", *there], "option Hash", "whole number")
        self.check(["-engine", f"cmd={TOY}", "option.Fault=nothing", *there], "option Fault has no choice")
        self.check(["-engine", f"cmd={TOY}", "option.UCI_Chess960=yes", *there], "must be true or false")
        self.check(["-engine", f"cmd={TOY}", "arg=refuse-options", "option.Hash=2", *there], "takes no options")

    def test_command_line(self):
        def two(*more):
            return [*toys(), *more]

        self.check(two("-nonsense"), "-nonsense", code=2)
        self.check(two("stray"), "stray", code=2)
        self.check(two("-games", "3"), "-games 3", code=2)
        self.check(two("-games"), "-games needs a value", code=2)
        self.check(two("-concurrency", "0"), "-concurrency", code=2)
        self.check(two("-rounds", "x"), "-rounds", "'x'", code=2)
        self.check(two("-draw", "movecount=x"), "-draw", "movecount", code=2)
        self.check(two("-draw", "score=5"), "-draw needs movecount", code=2)
        self.check(two("-resign", "size=5"), "-resign", "unknown key size", code=2)
        self.check(two("-variant", "atomic"), "atomic", code=2)
        self.check(two("-tournament", "swiss"), "swiss", code=2)
        self.check(toys(each=("tc=abc",)), "tc", "abc", code=2)
        self.check(toys(each=("colour=red",)), "colour", code=2)
        self.check(toys(each=("option.Hash=1",)), "has no limit")
        self.check(["-engine", f"cmd={TOY}", "depth=1"], "at least two engines", code=2)
        self.check(["-engine", f"cmd={TOY}", "tc=inf", "-engine", f"cmd={TOY}", "-each", "tc=1+1"], "has no limit")
        self.check(two("-round", "3"), "unknown option --round; did you mean --rounds?", code=2)
        self.check(two("-openings", "fiel=x"), "unknown key fiel; did you mean file?", code=2)
        self.check(["-engine", "name=x", "-engine", "name=y", "-each", "depth=1"], "has no command")

    def test_books(self):
        def book(text, name="book.epd"):
            self.write(name, text)
            return [*toys(), "-openings", f"file={name}"]

        self.check([*toys(), "-openings", "file=missing.epd"], "missing.epd", "No such file")
        self.check([*toys(), "-openings", "file=."], "cannot read")
        self.check([*toys(), "-openings", "order=random"], "needs file=BOOK", code=2)
        self.check([*toys(), "-openings", "file=x", "order=odd"], "order must be sequential or random", code=2)
        self.check(book(""), "book.epd: there is neither a position nor a game in it")
        kings, over = "4k3/8/8/8/8/8/4P3/4K3 w - -\n", "4k3/8/8/8/8/8/8/4K3 w - -\n"
        for arguments, expected in ((book(f"{kings}rubbish\n{over}"), ["book.epd: line 2: bad FEN", "line 3: the game is already over",
                                                                     "2 of the 3 lines could not be read; --skip-faults"]),
                                    (book("1. e4 e5 2. Ke3 *\n", "book.pgn"), ["line 1, move 2. illegal move 'Ke3'", "games: 1"])):
            result = self.lab(*arguments)
            self.assertEqual(result.returncode, 1)
            for line, words in zip(result.stderr.splitlines(), expected, strict=True):
                self.assertIn(words, line)
            result = self.lab(*arguments, "-skip-faults", "-rounds", "1")
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn(expected[0], result.stderr)

    def test_files(self):
        self.check([*toys(), "-pgnout", "missing/x.pgn"], "missing/x.pgn", "No such file")
        self.assertFalse((self.folder / "missing").exists())
        self.check([*toys(), "-pgnout", "."], "cannot write .")
        self.check([*toys(), "-log", "/dev/null/x"], "/dev/null")
        if os.path.exists("/dev/full"):
            self.check([*toys(), "-pgnout", "/dev/full", "-journal", "j"], "/dev/full", "No space left")
            self.check([*toys(), "-journal", "/dev/full"], "/dev/full", "No space left")

    def test_disk_full_in_the_middle(self):
        """The results so far are kept complete, and the match can resume when there is room again."""
        arguments = [*toys(), "-rounds", "12", "-reproducible", "-chess960", "-maxmoves", "40", "-log", "none"]
        self.play(*arguments, "-pgnout", "whole.pgn")
        expected = self.read("whole.pgn")

        result = self.lab(*arguments, "-pgnout", "games.pgn",
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (len(expected) // 2,) * 2))
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stderr, r"\nluft-lab match: cannot write games\.pgn: [^\n]*\n$")
        saved = self.read("games.pgn")
        self.assertTrue(expected.startswith(saved))
        self.assertEqual(len(tags(saved, "Round")) % 2, 0)
        self.assertGreaterEqual(len(tags(saved, "Round")), 6)
        self.play(*arguments, "-pgnout", "games.pgn")
        self.assertEqual(self.read("games.pgn"), expected)

    def test_closed_streams(self):
        """No file takes the place of a closed stream, so no message is in it."""
        arguments = [*toys(), "-rounds", "2", "-reproducible", "-maxmoves", "40", "-log", "none"]
        self.play(*arguments, "-pgnout", "whole.pgn")
        for closed in ([1], [2], [0, 1, 2]):
            result = self.lab(*arguments, "-pgnout", f"{closed}.pgn", preexec_fn=lambda closed=closed: list(map(os.close, closed)))
            self.assertEqual(result.returncode, 0)
            self.assertEqual(self.read(f"{closed}.pgn"), self.read("whole.pgn"))

    def test_help(self):
        result = self.lab("--help")
        self.assertEqual(result.returncode, 0)
        for word in ("-engine", "-each", "--again", "-openings", "luft-lab match -engine"):
            self.assertIn(word, result.stdout)


class RealGames(Match):
    def test_more_search_plays_better(self):
        """Also in the first iterations: late move pruning once made depth 3 worse than depth 2, and 300 nodes no better than one.
        The games depend only on the engine."""
        for more, less, least in (("nodes=300", "nodes=1", 26), ("depth=2", "depth=1", 20), ("depth=3", "depth=2", 20)):
            with self.subTest(more=more, less=less):
                output = self.play("-engine", f"cmd={LUFT}", "name=More", more, "-engine", f"cmd={LUFT}", "name=Less",
                                   less, "-each", "option.Hash=4", "-rounds", "20", "-openings",
                                   f"file={ROOT / 'books/standard.epd'}", "order=random", "seed=1", "-journal", "none")
                won, drawn = map(int, re.search(r"^More against Less +\+(\d+) -\d+ =(\d+)", output, re.M).groups())
                self.assertGreater(won + drawn / 2, least, output)

    def test_luft_against_stockfish(self):
        stockfish = shutil.which("stockfish", path=os.environ["PATH"] + ":/usr/games")
        if stockfish is None:
            self.skipTest("no stockfish here; make setup installs it")
        book = self.write("book.epd", "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3\n"
                                      "rnbqkbnr/pp2pppp/2p5/3p4/3PP3/8/PPP2PPP/RNBQKBNR w KQkq - 0 3\n")
        output = self.play("-engine", f"cmd={LUFT}", "name=Luft", "-engine", f"cmd={stockfish}", "name=Stockfish",
                           "option.Skill Level=3", "-each", "tc=1+0.01", "timemargin=1000", "option.Hash=16",
                           "option.Threads=1", "-rounds", "2", "-concurrency", "2", "-openings", f"file={book}",
                           "-pgnout", "games.pgn", "-checkpv", timeout=HANG)
        self.assertNotIn("Faults of Luft", output)
        games = self.read("games.pgn")
        self.assertEqual(len(tags(games, "Result")), 4)
        self.assertEqual(collections.Counter(tags(games, "White")), {"Luft": 2, "Stockfish": 2})


if __name__ == "__main__":
    unittest.main()
