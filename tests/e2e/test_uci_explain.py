"""The UCI command `explain`: its answer, and that it does not affect other commands."""

import json
import subprocess
import time
import unittest

from patience import HANG, within
from uci_engine import LUFT, Engine

POSITION = "position fen 2kr3r/ppp3pp/6q1/3Pnp2/1PP1p3/7P/P2QNPP1/R4RK1 w - - 1 17"
END = "info string explain end$"
LONG = "explain Qd4 depth 200"


class Explain(unittest.TestCase):
    def setUp(self):
        self.engine = Engine()
        self.addCleanup(self.engine.close)
        self.engine.read_line()

    def explain(self, *lines):
        """Sends lines that end in an `explain`; returns the answer without its last line."""
        answer = self.engine.ask(*lines, until=END)
        self.assertEqual([line for line in answer if not line.startswith("info string ")], [])
        return [line[len("info string "):] for line in answer[:-1]]

    def test_the_answer_in_words(self):
        answer = self.explain(POSITION, "explain Qd4 nodes 100000")
        self.assertTrue(answer[0].startswith("Qd4 loses the queen"), answer)
        self.assertIn("17... Nf3+ forks the king on g1 and the queen on d4", " ".join(answer))
        self.assertTrue(any(line.startswith("played ") for line in answer), answer)

    def test_as_json(self):
        answer = self.explain(POSITION, "explain d2d4 nodes 100000 json")
        self.assertEqual(len(answer), 1)
        answer = json.loads(answer[0])
        self.assertEqual((answer["move"], answer["motif"]["kind"]), ({"uci": "d2d4", "san": "Qd4"}, "fork"))

    def test_without_a_move(self):
        answer = " ".join(self.explain(POSITION, "explain nodes 50000"))
        self.assertIn("Black threatens ", answer)
        answer = json.loads(self.explain(POSITION, "explain json nodes 50000")[0])
        self.assertEqual((answer["threat"]["fen"].split()[1], "move" in answer), ("b", False))

    def test_depth_is_a_limit(self):
        answer = json.loads(self.explain(POSITION, "explain Qd4 depth 6 json")[0])
        self.assertEqual(answer["depth"], 6)

    def test_a_search_is_the_same_with_an_explanation_before_it(self):
        results = []
        for before in ([], ["explain a4 depth 8"]):
            with Engine() as engine:
                engine.send("position startpos moves e2e4 e7e5", "go depth 9")
                engine.read_until("bestmove")
                for line in before:
                    engine.ask(line, until=END)
                search = engine.search("position startpos moves e2e4 e7e5 g1f3", "go depth 9")
                results.append((search.best, search.last().nodes, search.last().pv))
        self.assertEqual(results[0], results[1])

    def test_it_answers_isready_and_obeys_stop(self):
        self.engine.send(POSITION, LONG)
        self.assertEqual(self.engine.ask("isready", until="readyok$"), ["readyok"])
        time.sleep(0.3)
        start = time.monotonic()
        answer = self.explain("stop")
        self.assertLess(time.monotonic() - start, within(5))
        self.assertTrue(any(line.startswith("played ") for line in answer), answer)

    def test_a_stop_at_once(self):
        for _ in range(20):
            answer = self.explain(POSITION, LONG, "stop")
            self.assertGreater(len(answer), 2)

    def test_other_commands_wait_for_its_end(self):
        self.engine.send(POSITION, LONG, "position startpos", "go depth 2", "stop")
        lines = self.engine.read_until("bestmove")
        self.assertLess(lines.index("info string explain end"), len(lines) - 2)

    def test_it_waits_for_the_end_of_a_search(self):
        self.engine.send("position startpos", "go infinite", "explain a4 depth 4", "stop")
        lines = self.engine.read_until(END)
        self.assertTrue(any(line.startswith("bestmove") for line in lines))

    def test_quit_ends_it(self):
        self.engine.send(POSITION, LONG)
        start = time.monotonic()
        self.assertEqual(self.engine.close(), 0)
        self.assertLess(time.monotonic() - start, within(10))

    def test_the_end_of_the_input_ends_it(self):
        result = subprocess.run([LUFT], input=f"{POSITION}\n{LONG}\n", capture_output=True, text=True, timeout=HANG)
        self.assertEqual(result.returncode, 0)
        self.assertTrue(result.stdout.endswith("info string explain end\n"), result.stdout)

    def test_on_a_command_line_it_runs_to_its_end(self):
        result = subprocess.run([LUFT, POSITION, "explain Qd4 nodes 100000", "isready"], capture_output=True, text=True, timeout=HANG)
        self.assertEqual(result.returncode, 0)
        self.assertIn("Qd4 loses the queen", result.stdout)
        self.assertTrue(result.stdout.endswith("info string explain end\nreadyok\n"), result.stdout)

    def test_wrong_questions_get_a_reason(self):
        for words, reason in (("Qd9", "Qd9"), ("jsn", "jsn"), ("Qd4 depth x", "depth must be"), ("Qd4 dept 3", "unknown word")):
            answer = self.explain(POSITION, f"explain {words}")
            self.assertEqual(len(answer), 1)
            self.assertTrue(answer[0].startswith("error: explain: ") and reason in answer[0], answer)


if __name__ == "__main__":
    unittest.main()
