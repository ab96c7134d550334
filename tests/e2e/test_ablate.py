"""luft-lab ablate: with a script that pretends to have switches, so any build will do; and with a LAB=1 build if there is
one."""

import csv
import os
import pathlib
import re
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import unittest

from patience import HANG
from rows import read as rows_of

LAB = os.environ["LUFT_LAB"]
LUFT = os.environ["LUFT"]
LAB_ENGINE = pathlib.Path(os.environ.get("LUFT_SWITCHES") or pathlib.Path(LUFT).parent.parent / "lab-options/luft")
BOOK = pathlib.Path(__file__).resolve().parents[2] / "books/standard.epd"

# A wrapper of Luft with two switches: without `thought` it plays at one node a move and reports a bench three times as large
# to the same depth; the whole bench is another number;
# without `nothing` it is unchanged.
PRETENDER = """#!{python}
import subprocess, sys, threading
arguments = " ".join(sys.argv[1:])
if "bench" in arguments:
    nodes = (3000 if "Use thought value false" in arguments else 1000) if "bench " in arguments else 7777
    print(f"Position 1/1: nodes={{nodes}} time=0.010s nps=100000")
    print(f"{{nodes}} nodes 100000 nps")
    sys.exit(0)
engine = subprocess.Popen([{luft!r}], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
thought = True
def forward():
    global thought
    for line in sys.stdin:
        if line.startswith("setoption name Use thought"):
            thought = line.split()[-1] == "true"
        elif line.startswith("setoption name Use "):
            pass
        elif line.startswith("go nodes") and not thought:
            engine.stdin.write("go nodes 1\\n")
        else:
            engine.stdin.write(line)
        engine.stdin.flush()
    engine.stdin.close()
threading.Thread(target=forward, daemon=True).start()
for line in engine.stdout:
    if line.strip() == "uciok":
        print("option name Use thought type check default true")
        print("option name Use nothing type check default true")
        print("option name Use time_care type check default true")
    sys.stdout.write(line)
    sys.stdout.flush()
"""


def ablate(*arguments, timeout=HANG):
    return subprocess.run([LAB, "ablate", *arguments], capture_output=True, text=True, timeout=timeout)


class Ablate(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.engine = self.folder / "pretender"
        self.engine.write_text(PRETENDER.format(python=sys.executable, luft=LUFT))
        self.engine.chmod(self.engine.stat().st_mode | stat.S_IXUSR)
        self.out = self.folder / "out"

    def ablate(self, *arguments):
        return ablate("--engine", str(self.engine), "--book", str(BOOK), "--folder", str(self.out), *arguments)

    def table(self, text):
        rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line.startswith("|")]
        return rows[0], {row[0]: row for row in rows[2:]}

    def test_table_csv_plot_and_resume(self):
        arguments = ["--nodes", "1000", "--games", "6", "--runs", "2", "--results", str(self.folder / "rows.tsv")]
        result = self.ablate(*arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        header, rows = self.table(result.stdout)
        self.assertEqual(header, ["technique", "Elo lost without it, nodes=1000", "games", "bench nodes", "time to depth"])
        self.assertEqual(set(rows), {"thought", "nothing", "time_care"})
        self.assertEqual(rows["thought"][2:], ["6", "3.000", "3.000 +- 0.000"])
        self.assertEqual(rows["nothing"][1:4], ["0.00, error unknown", "6", "1.000"])
        self.assertEqual(rows["time_care"][1:3], ["-", "-"])
        self.assertIn("\nMeasured with: 6 games each, 16 MB of hash, ", result.stdout)
        self.assertEqual(result.stdout, (self.out / "ablation.md").read_text())
        with open(self.out / "ablation.csv", newline="") as file:
            records = {record["technique"]: record for record in csv.DictReader(file)}
        thought = records["thought"]
        self.assertEqual(int(thought["games"]), 6)
        self.assertGreater(int(thought["wins"]), int(thought["losses"]))
        self.assertEqual(sum(int(thought[f"pairs_{i}"]) for i in range(5)), 3)
        self.assertEqual(float(thought["bench_node_ratio"]), 3)
        if shutil.which("gnuplot"):
            self.assertIn("<svg", (self.out / "ablation.svg").read_text())
        row, other = rows_of(self.folder / "rows.tsv", "ablation")
        self.assertEqual((row["subject"], row["limit"]), ("thought", "nodes=1000"))
        self.assertEqual((row["bench"], row["nodes_ratio"]), ("7777", "3.00"))
        words = subprocess.run([LUFT, "--version"], capture_output=True, text=True, timeout=HANG).stdout
        self.assertIn(f"network: Luft {row['net']},", words)
        self.assertTrue(row["commit"] and words.splitlines()[0].endswith(row["commit"]), (row["commit"], words))
        self.assertEqual((row["wins"], row["losses"], other["subject"]), (thought["wins"], thought["losses"], "nothing"))
        # Nothing is measured, played or noted again.
        before = {path.name: path.read_text() for path in self.out.glob("*.pgn")}
        self.assertTrue(before)
        again = self.ablate(*arguments)
        self.assertEqual(again.stdout, result.stdout)
        self.assertIn("All was measured before; --again starts over", again.stderr)
        self.assertEqual(before, {path.name: path.read_text() for path in self.out.glob("*.pgn")})
        self.assertEqual(rows_of(self.folder / "rows.tsv", "ablation"), [row, other])
        changed = self.ablate(*arguments, "--hash", "8")
        self.assertEqual(changed.returncode, 1)
        self.assertRegex(changed.stderr, r"is of another match: .*; --again starts over")
        fresh = self.ablate(*arguments, "--hash", "8", "--again")
        self.assertEqual(fresh.returncode, 0, fresh.stderr)
        old = self.out.with_name(self.out.name + ".old")
        self.assertEqual(before, {path.name: path.read_text() for path in old.glob("*.pgn")})

    def test_named_techniques_on_the_clock(self):
        result = self.ablate("nothing", "--tc", "0.2+0.005", "--games", "2", "--runs", "0", "--plot", "none")
        self.assertEqual(result.returncode, 0, result.stderr)
        header, rows = self.table(result.stdout)
        self.assertIn("0.2+0.005", header[1])
        self.assertEqual(set(rows), {"nothing"})
        self.assertEqual(rows["nothing"][2], "2")
        self.assertFalse(any(self.out.glob("*.svg")))

    def test_sprt_stops_early(self):
        result = self.ablate("thought", "--nodes", "1000", "--games", "200", "--sprt", "0,400", "--runs", "0", "--plot", "none")
        self.assertEqual(result.returncode, 0, result.stderr)
        games = int(self.table(result.stdout)[1]["thought"][2])
        self.assertLess(games, 100)

    def test_adjudicated_games_are_shorter(self):
        endings, plies = {}, {}
        for extra in ([], ["--adjudicate"]):
            self.out = self.folder / f"out{len(extra)}"
            result = self.ablate("thought", "--nodes", "1000", "--games", "6", "--runs", "0", "--plot", "none", *extra)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertEqual("adjudicated" in result.stdout, bool(extra))
            games = (self.out / "thought-nodes.pgn").read_text()
            endings[len(extra)] = games.count('[Termination "adjudication"]')
            plies[len(extra)] = sum(int(count) for count in re.findall(r'\[PlyCount "(\d+)"\]', games))
        self.assertEqual(endings[0], 0)
        self.assertGreater(endings[1], 2)
        self.assertLess(plies[1], plies[0])

    def test_another_call_keeps_the_rows_of_the_folder(self):
        options = ("--nodes", "100", "--games", "2", "--runs", "1", "--plot", "none")
        first = self.table(self.ablate("thought", *options).stdout)[1]["thought"]
        result = self.ablate("nothing", *options)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(self.table(result.stdout)[1]["thought"], first)
        self.assertNotIn("No pair", result.stderr)
        self.assertEqual(set(self.table(result.stdout)[1]), {"nothing", "thought"})
        more = self.ablate("nothing", "--games", "4", *options[:2], *options[4:])   # and none of the other
        self.assertEqual(self.table(more.stdout)[1]["thought"], first)
        self.assertEqual((self.out / "thought-nodes.pgn").read_text().count("[Event "), 2)
        self.assertEqual(set(self.table(self.ablate("nothing", "--again", *options).stdout)[1]), {"nothing"})

    def test_a_missing_book_says_what_to_do(self):
        result = self.ablate("thought", "--nodes", "100", "--book", str(self.out / "none.epd"))
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stderr, r"there is no \S+none.epd here: run this in the folder of Luft's source, or name another")
        self.assertFalse(self.out.exists())

    def test_rows_of_another_limit_cost_no_bench(self):
        options = ("--games", "2", "--runs", "1", "--plot", "none")
        self.ablate("thought", "--nodes", "100", *options)
        refused = self.ablate("thought", "--nodes", "200", *options)
        self.assertRegex(refused.stderr, r"of another match: .*nodes=100.*nodes=200.*--folder DIR keeps both")
        self.assertNotIn("bench", refused.stderr)
        other = self.ablate("nothing", "--nodes", "200", *options)
        self.assertEqual(set(self.table(other.stdout)[1]), {"nothing"})
        self.assertRegex(other.stderr, r"thought is not in the table: .*nodes=100.*nodes=200")

    def test_interrupted_in_bench(self):
        process = subprocess.Popen([LAB, "ablate", "thought", "--engine", str(self.engine), "--book", str(BOOK), "--folder",
                                    str(self.out), "--nodes", "100", "--games", "2", "--runs", "1000", "--plot", "none"],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        process.stderr.readline()  # that bench begins
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        self.assertIn("interrupted; the same command carries on", errors)
        self.assertEqual(process.returncode, 4)

    def test_bench_only(self):
        result = self.ablate("--games", "0", "--runs", "1", "--plot", "none")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(self.table(result.stdout)[1]["thought"], ["thought", "3.000", "3.000"])

    def test_bad_input(self):
        for arguments, reason in ((["unknown_technique"], "unknown_technique"),
                                  (["thougt"], "no technique 'thougt'; did you mean 'thought'?"),
                                  (["tho"], "did you mean 'thought'?"), (["thous"], "did you mean 'thought'?"),
                                  (["--games", "3"], "even"),
                                  (["thought", "thought"], "twice"), (["--plot", "gif"], "--plot"),
                                  (["--tc", "x"], "tc"), (["--book", "/nonexistent.epd"], "/nonexistent.epd"),
                                  (["--engine", LUFT], "LAB=1"), (["--engine", "/nonexistent"], "/nonexistent"),
                                  (["--engine", "true"], "engine")):
            if "--engine" in arguments and arguments[1] == LUFT and LAB_ENGINE == pathlib.Path(LUFT):
                continue
            result = self.ablate(*arguments)
            self.assertNotEqual(result.returncode, 0, arguments)
            self.assertIn(reason, result.stderr)

    def test_list(self):
        result = self.ablate("--list")
        self.assertEqual(result.stdout, "thought\nnothing\ntime_care\n")

    def test_help_teaches(self):
        result = ablate("--help")
        self.assertEqual(result.returncode, 0)
        self.assertIn("Example", result.stdout)

    @unittest.skipUnless(LAB_ENGINE.exists(), "needs a LAB=1 build")
    def test_real_switches(self):
        result = ablate("--engine", str(LAB_ENGINE), "--book", str(BOOK), "--folder", str(self.out), "--games", "2", "--nodes",
                        "200", "--depth", "4", "--runs", "1", "--plot", "none", "null_move", "late_move_reductions")
        self.assertEqual(result.returncode, 0, result.stderr)
        rows = self.table(result.stdout)[1]
        self.assertEqual(set(rows), {"null_move", "late_move_reductions"})
        self.assertNotEqual(float(rows["late_move_reductions"][3]), 1)


if __name__ == "__main__":
    unittest.main()
