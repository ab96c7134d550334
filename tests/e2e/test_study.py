"""luft-lab study: a tree that lasts, workers that fail, join, leave and are far away, reports, the engine that a study is."""

import ctypes
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import time
import unittest

from patience import HANG
from pgn_checker import read_games

LAB = os.path.abspath(os.environ["LUFT_LAB"])
LUFT = os.path.abspath(os.environ["LUFT"])
TOY = os.environ.get("TOY_ENGINE") and os.path.abspath(os.environ["TOY_ENGINE"])
MIDDLE_GAME = "r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/3P1N2/PPP2PPP/RNBQK2R w KQkq - 1 5"

# Stands in for the program ssh: without a network, and with what a network does.
SSH = """#!/bin/sh
while [ $# -gt 2 ]; do shift; done
echo "$1: $2" >> "$SSH_LOG"
case $1 in
off) echo "ssh: connect to host off: No route to host" >&2; exit 255 ;;
dies) exec 3<&0; sh -c "$2" <&3 & sleep 0.7; kill -9 $!; exit 255 ;;
*) exec sh -c "$2" ;;
esac
"""
# An engine of which is known what it was asked.
ASKED = """#!/bin/sh
tee -a "%s" | exec "%s"
"""


def has_sqlite():
    for name in ("libsqlite3.so.0", "libsqlite3.dylib"):
        try:
            ctypes.CDLL(name)
            return True
        except OSError:
            continue
    return False


STORE = [] if has_sqlite() else ["--no-store"]


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.environment = dict(os.environ, PATH=f"{folder.name}:{os.environ['PATH']}", SSH_LOG=str(self.folder / "ssh.log"))
        self.script("ssh", SSH)

    def script(self, name, text):
        path = self.folder / name
        path.write_text(text)
        path.chmod(0o755)
        return str(path)

    def command(self, name, *arguments):
        return [LAB, "study", name, "--plot", "none", *STORE, *arguments]

    def study(self, name, *arguments, code=0):
        result = subprocess.run(self.command(name, *arguments), cwd=self.folder, env=self.environment, capture_output=True,
                                text=True, timeout=HANG)
        self.assertEqual(result.returncode, code, result.stderr)
        return result

    def start(self, name, *arguments):
        with open(self.folder / "said", "w") as said:
            process = subprocess.Popen(self.command(name, *arguments), cwd=self.folder, env=self.environment,
                                       stdout=subprocess.PIPE, stderr=said, text=True)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def said(self):
        return (self.folder / "said").read_text()

    def until_said(self, name, *arguments, reasons, tasks=0):
        """Runs a study until it has said all this and has so many tasks."""
        process = self.start(name, *arguments)
        self.wait_for(process, lambda: all(re.search(reason, self.said()) for reason in reasons)
                      and len(self.tasks(name)) >= tasks)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(HANG), 0, self.said())

    def tasks(self, name):
        """What each finished task was about: no two are the same."""
        path = self.folder / f"{name}.study"
        lines = path.read_text().splitlines()[2:] if path.exists() else []
        return [tuple(line.split("\t")[2:5]) for line in lines if line.split("\t")[1:2] == ["task"] and line.count("\t") >= 8]

    def wait_for(self, process, condition):
        while not condition():
            self.assertIsNone(process.poll(), self.said())
            time.sleep(0.02)


LUFT_ENGINE = ["-engine", f"cmd={LUFT}", "option.Hash=1", "--nodes", "1000"]


class Study(Folder):
    def test_a_study_and_its_reports(self):
        first = self.study("one", "--fen", MIDDLE_GAME, *LUFT_ENGINE, "--worker", "local:2", "--tasks", "25")
        self.assertRegex(first.stdout, r"^25 tasks, [\d.]+k nodes, \S+ [+-]\d\.\d\d\n$")
        tasks = self.tasks("one")
        self.assertEqual((len(tasks), len(set(tasks))), (25, 25))
        pgn = (self.folder / "one.pgn").read_text()
        self.assertIn(f'[FEN "{MIDDLE_GAME}"]', pgn)
        self.assertRegex(pgn, r"\{\[%eval -?\d+\.\d\d\] depth \d+, \d+ tasks?\}")
        self.assertRegex(pgn, r"\(5\. \S+ \{")
        self.assertEqual(len(read_games(pgn)), 1)  # strictly read: every move of every variation is legal
        report = (self.folder / "one.md").read_text()
        self.assertRegex(report, r"\| local +\| +25 \|")
        self.assertRegex(report, r"\| +1 \| +[\d,]+ \| \S+ +\| +[+-]\d\.\d\d \|")  # the first opinion
        # The same command has nothing left to do, a larger one carries on.
        again = self.study("one", "--fen", MIDDLE_GAME, *LUFT_ENGINE, "--worker", "local:2", "--tasks", "25")
        self.assertEqual(again.stdout, first.stdout)
        self.assertIn("carried on", again.stderr)
        self.study("one", "--fen", MIDDLE_GAME, *LUFT_ENGINE, "--worker", "local:1", "--tasks", "30")
        self.assertEqual(len(set(self.tasks("one"))), 30)
        self.assertEqual(self.tasks("one")[:25], tasks)
        # Another position under this name is refused; --again starts over, and the old one is kept.
        refused = self.study("one", *LUFT_ENGINE, code=1)
        self.assertIn("another name begins another study, --again starts over", refused.stderr)
        self.study("one", *LUFT_ENGINE, "--again", "--tasks", "3", "--worker", "local:1")
        self.assertEqual(len(self.tasks("one")), 3)
        self.assertTrue((self.folder / "one.study.old").exists())

    @unittest.skipIf(STORE, "needs SQLite")
    def test_a_store_makes_tasks_unnecessary(self):
        self.study("one", *LUFT_ENGINE, "--worker", "local:1", "--tasks", "12")
        store = str(self.folder / "one.store")
        self.assertIn("rows", subprocess.run([LUFT, "store", "show", store], capture_output=True,
                                                                    text=True, timeout=HANG).stdout)
        self.study("two", *LUFT_ENGINE, "--worker", "local:1", "--tasks", "12", "--store", store)
        self.assertRegex((self.folder / "two.md").read_text(), r"\| store +\| +\d+ \|")

    def test_a_game_and_a_ply(self):
        (self.folder / "g.pgn").write_text('[Event "?"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bc4 *\n')
        self.study("one", "--pgn", "g.pgn", "--ply", "4", *LUFT_ENGINE, "--worker", "local:1", "--tasks", "2")
        header = (self.folder / "one.study").read_text().splitlines()[1]
        self.assertTrue(header.endswith(" moves e2e4 e7e5 g1f3 b8c6"), header)
        self.assertIn("--ply 9: the game has 5",
                      self.study("two", "--pgn", "g.pgn", "--ply", "9", *LUFT_ENGINE, code=1).stderr)
        self.assertIn("no game number 2", self.study("two", "--pgn", "g.pgn", "--game", "2", *LUFT_ENGINE, code=1).stderr)

    def test_a_mate_ends_it(self):
        mate = self.study("one", "--fen", "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1", *LUFT_ENGINE, "--worker", "local:1")
        self.assertRegex(mate.stdout, r"1 task, .*Ra8# #1")
        over = self.study("two", "--fen", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", *LUFT_ENGINE, "--worker", "local:1")
        self.assertEqual(over.stdout, "0 tasks, 0 nodes\n")

    def test_kills_cost_a_task_each_at_most(self):
        asked = self.folder / "asked"
        engine = self.script("asking", ASKED % (asked, LUFT))
        kills, workers, goal = 3, 2, 30
        arguments = ["--fen", MIDDLE_GAME, "-engine", f"cmd={engine}", "option.Hash=1", "--nodes", "1500", "--worker",
                     f"local:{workers}"]
        for kill in range(kills):
            before = len(self.tasks("one"))
            process = self.start("one", *arguments)
            self.wait_for(process, lambda: len(self.tasks("one")) > before + 3)
            process.send_signal(signal.SIGKILL)
            process.wait()
            self.assertGreater(len(self.tasks("one")), before)
        done = len(self.tasks("one"))
        self.study("one", *arguments, "--tasks", str(max(goal, done)))
        tasks = self.tasks("one")
        self.assertEqual(len(tasks), len(set(tasks)))
        self.assertEqual(len(tasks), max(goal, done))
        questions = asked.read_text().count("go nodes")
        self.assertLessEqual(questions - len(tasks), kills * workers)

    def test_ctrl_c_ends_it_with_reports(self):
        process = self.start("one", *LUFT_ENGINE, "--worker", "local:2")
        self.wait_for(process, lambda: len(self.tasks("one")) > 2)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(HANG), 0)
        self.assertRegex(process.stdout.read(), r"^\d+ tasks, ")
        self.assertTrue((self.folder / "one.pgn").exists())
        self.assertTrue((self.folder / "one.md").exists())


class Workers(Folder):
    def test_other_computers(self):
        """ssh runs what it should; a computer that is off is named, one whose connection dies comes back."""
        self.until_said("one", *LUFT_ENGINE, "--worker", "ssh:anna@pc2:2", "--worker", "ssh:off:3", "--worker",
                        f"ssh:pc3:1:{LUFT}", reasons=[
            "ssh:off: cannot be reached: ssh exited with status 255, and says why in one.errors", "ssh:anna@pc2: works",
            "ssh:pc3: works"])
        self.assertIn("No route to host", (self.folder / "one.errors").read_text())
        self.assertIn(f"anna@pc2: exec {LUFT}", (self.folder / "ssh.log").read_text())
        process = self.start("two", *LUFT_ENGINE, "--nodes", "20000", "--worker", "ssh:dies:2")
        log = self.folder / "ssh.log"
        self.wait_for(process, lambda: log.read_text().count("dies") >= 4)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(HANG), 0, self.said())
        self.assertRegex(self.said(), "ssh:dies: (the connection is lost|cannot be reached): ssh exited with status 255")
        tasks = self.tasks("two")
        self.assertEqual(len(tasks), len(set(tasks)))

    @unittest.skipIf(TOY is None, "needs the toy engine")
    def test_bad_workers_are_named_and_the_rest_goes_on(self):
        toy = self.script("toy", f'#!/bin/sh\nexec "{TOY}"\n')
        self.script("chatter", "#!/bin/sh\nexec yes\n")
        self.study("one", *LUFT_ENGINE, "--worker", "local:1", "--tasks", "3")
        arguments = ["--worker", "local:1", "--worker", f"local:1:{toy}", "--worker", "ssh:pc2:1:true", "--worker",
                     "local:1:./missing", "--worker", "ssh:pc3:1:chatter"]
        self.until_said("one", *LUFT_ENGINE, *arguments, reasons=[
            "local: left out: its engine is 'Toy'", r"engine ssh:pc2 \(ssh\): .*exited with status 0; is it a UCI engine\?",
            "cannot start ./missing", r"engine ssh:pc3 \(ssh\): printed over"], tasks=5)
        tasks = self.tasks("one")
        self.assertEqual(len(tasks), len(set(tasks)))

    def test_an_engine_with_other_scores_is_left_out(self):
        """The same name, but another network: here it counts other nodes."""
        other = self.script("other", f"#!/bin/sh\n'{LUFT}' | sed -u 's/ nodes / nodes 1/'\n")
        engine = LUFT_ENGINE
        self.study("one", *engine, "--worker", "local:1", "--tasks", "2")
        self.until_said("one", *engine, "--worker", "local:1", "--worker", f"ssh:pc2:1:{other}",
                        reasons=["ssh:pc2: left out: .*do not compare"])
        self.assertNotIn("ssh:pc2\t", (self.folder / "one.study").read_text())
        more = str(len(self.tasks("one")) + 5)
        mixed = self.study("one", *engine, "--worker", f"ssh:pc2:1:{other}", "--tasks", more, "--any-engine")
        self.assertIn("ssh:pc2: works", mixed.stderr)
        alone = self.study("one", *engine, "--worker", f"ssh:pc2:1:{other}", code=1)
        self.assertIn("no engine could be used: left out", alone.stderr)

    @unittest.skipIf(TOY is None, "needs the toy engine")
    def test_faults_in_the_middle(self):
        for fault in ("crash", "flood", "illegal", "close", "two-moves", "binary"):
            with self.subTest(fault=fault):
                engine = ["-engine", f"cmd={TOY}", f"option.Fault={fault}", "option.Fault Move=6", "--nodes", "10",
                          "--patience", "3"]
                self.study(fault, *engine, "--worker", "local:3", "--tasks", "8")
                self.assertEqual(len(set(self.tasks(fault))), 8)

    @unittest.skipIf(TOY is None, "needs the toy engine")
    def test_one_that_hangs_is_replaced(self):
        engine = ["-engine", f"cmd={TOY}", "option.Fault=hang", "option.Fault Move=5", "--nodes", "10", "--patience", "1"]
        result = self.study("one", *engine, "--worker", "local:2", "--tasks", "5")
        self.assertIn("local: stall", result.stderr)
        self.assertEqual(len(set(self.tasks("one"))), 5)

    @unittest.skipIf(TOY is None, "needs the toy engine")
    def test_joining_and_leaving(self):
        """Who leaves owes nothing: here one that would never have answered."""
        self.script("never", f"""#!/bin/sh
while read -r line; do case $line in "go nodes"*) exec sleep 10000 ;; esac; echo "$line"; done | exec '{TOY}'
""")
        workers = self.folder / "one.workers"
        workers.write_text("# mine\nlocal:1:./never\n")
        process = self.start("one", "-engine", f"cmd={TOY}", "--nodes", "10", "--tasks", "6")
        self.wait_for(process, lambda: "local: " in self.said())
        workers.write_text("ssh:pc2:1\nnonsense:1\n")
        self.assertEqual(process.wait(HANG), 0)
        self.assertEqual(len(self.tasks("one")), 6)
        self.assertEqual((self.folder / "one.study").read_text().count("\tssh:pc2\t"), 6)
        self.assertIn("local: leaves the study", self.said())
        self.assertIn("worker 'nonsense:1': local:N or ssh:HOST:N", self.said())

    def test_wrong_words(self):
        for words, reason in (("tcp:pc2:1", "local:N or ssh:HOST:N"), ("ssh:-oProxyCommand=x:1", "is no name of a computer"),
                              ("ssh:pc2;ls:1", "is no name of a computer"), ("ssh::1", "is no name of a computer"),
                              ("local:0", "is no number of engines"), ("local:x", "is no number of engines")):
            with self.subTest(words=words):
                self.assertIn(reason, self.study("one", *LUFT_ENGINE, "--worker", words, code=1).stderr)
        none = self.study("one", "-engine", "cmd=./missing", "--worker", "local:2", code=1)
        self.assertIn("no engine could be used: ", none.stderr)


class Face(Folder):
    def test_a_study_is_an_engine(self):
        process = subprocess.Popen(self.command("face", "--uci", *LUFT_ENGINE, "--worker", "local:2"), cwd=self.folder,
                                   env=self.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.addCleanup(process.stdout.close)

        def send(text):
            process.stdin.write(text + "\n")
            process.stdin.flush()

        def until(word):
            lines = []
            while True:
                line = process.stdout.readline()
                self.assertNotEqual(line, "", lines)
                lines.append(line.rstrip("\n"))
                if line.startswith(word):
                    return lines

        send("uci")
        self.assertIn("id name Luft study", until("uciok"))
        send("setoption name MultiPV value 2")
        send("setoption name Hash value 2")
        send("isready")
        until("readyok")
        send("position startpos moves e2e4 e7e5")
        send("go nodes 30000")
        lines = until("bestmove")
        infos = [line for line in lines if line.startswith("info depth")]
        self.assertTrue(any(" multipv 2 " in line for line in infos), lines)
        depths = [int(re.search(r"depth (\d+)", line).group(1)) for line in infos]
        self.assertEqual(depths, sorted(depths))
        self.assertRegex(lines[-1], r"^bestmove [a-h][1-8][a-h][1-8]$")
        send("go infinite")
        until("info depth")
        send("stop")
        until("bestmove")
        send("position fen 6k1/5ppp/8/8/8/8/8/R6K w - - 0 1")
        send("go movetime 100000")
        self.assertEqual(until("bestmove")[-1], "bestmove a1a8")
        send("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")
        send("go wtime 1000 btime 1000")
        self.assertEqual(until("bestmove")[-1], "bestmove 0000")
        send("position fen nonsense")
        send("isready")
        self.assertTrue(any("error" in line for line in until("readyok")))
        process.stdin.close()
        self.assertEqual(process.wait(HANG), 0)
        self.assertEqual(len(list(self.folder.glob("face-*.study"))), 3)


if __name__ == "__main__":
    unittest.main()
