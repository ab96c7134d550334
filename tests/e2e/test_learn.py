"""`luft learn`: what the lessons say is what the search does, and their texts keep the rules of docs/learn.md."""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

from patience import HANG

LUFT = os.environ.get("LUFT", "./luft")
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LESSONS = sorted((ROOT / "lessons").glob("*.txt"))
sys.path.append(str(ROOT / "tests/tools"))
import challenges  # noqa: E402

EXERCISES = [line.split("\t") for line in (ROOT / "lessons/challenge/exercises.tsv").read_text().splitlines()[1:]]
STEPS = ["predict", "see", "off", "knob", "fail", "worth", "code", "check"]
STEP_WORDS = 120
SMALL = """@title Small
@source Nobody
@technique futility
@position start rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
@search with start 4
@step see It

The best move is {with.move}: {with.nodes + 1} and {7 // 2} and {1 % 4}.

"""


def luft(command, *arguments):
    return subprocess.run([LUFT, command, *arguments], capture_output=True, text=True, timeout=HANG, stdin=subprocess.DEVNULL)


def blocks(path):
    """The directives and paragraphs of a lesson, as (name, text)."""
    text = re.sub(r"\n(?=@)", "\n\n", path.read_text())
    for block in re.split(r"\n\s*\n", text):
        name, _, rest = block.strip().partition(" ") if block.strip().startswith("@") else ("@text", "", block.strip())
        yield name[1:], rest.replace("\n", " ")


class Lessons(unittest.TestCase):
    def file(self, text, *arguments):
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as lesson:
            lesson.write(text)
            lesson.flush()
            return luft("learn", "--file", lesson.name, *arguments)

    def test_all_that_the_lessons_claim_holds(self):
        result = luft("learn", "--check")
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""))
        listed = [line.split()[0] for line in luft("learn").stdout.splitlines()]
        self.assertEqual(sorted(listed), [path.stem for path in LESSONS])

    def test_texts_have_no_numbers_of_their_own(self):
        for path in LESSONS:
            steps, words, shown = [], 0, {}
            for name, text in blocks(path):
                shown[name] = shown.get(name, 0) + 1
                bare = re.sub(r"\{[^}]*\}", "0", text)
                if name == "step":
                    steps.append(text.split()[0])
                    words = 0
                if name in ("text", "question", "options", "answer", "step"):
                    self.assertNotRegex(re.sub(r"\{[^}]*\}", "", text), r"\d", path.name)
                if name in ("text", "question"):
                    words += len(bare.split()) if name == "text" else 0
                    self.assertLessEqual(words, STEP_WORDS, (path.name, steps[-1]))
                if name == "code":
                    source, function = text.split()
                    self.assertIn(f" {function}(", (ROOT / source).read_text())
            self.assertEqual(list(dict.fromkeys(steps)), STEPS, path.name)
            self.assertEqual((shown["question"], shown["answer"], shown["source"]), (3, 3, 1))
            self.assertGreaterEqual(shown["options"], 3, "each question takes an answer")
            self.assertGreater(shown["claim"], 8)

    def test_the_tree_shows_the_same_numbers(self):
        lesson = json.loads(luft("learn", "futility", "--json").stdout)
        self.assertEqual((lesson["schema"], lesson["technique"]), (1, "futility"))
        changed = 0
        for search in lesson["searches"][:4]:
            arguments = ["--set" if "=" in search["changes"] else "--without", search["changes"]]
            trees = luft("tree", search["fen"], "--depth", str(search["depth"]), "--json", "--rows", "1", *arguments).stdout
            tree = json.loads(trees)["trees"][-1]
            self.assertEqual([tree[name] for name in ("nodes", "best", "score")], [search[name] for name in ("nodes", "best", "score")])
            changed += bool(search["changes"])
        self.assertEqual(changed, 3)
        self.assertTrue(all(item["holds"] for item in lesson["items"] if item["kind"] == "claim"))
        self.assertFalse([item for item in lesson["items"] if item["kind"] == "text" and "{" in item["text"]])
        example = lesson["examples"][0]
        operands = {operand["name"]: operand["value"] for operand in example["operands"]}
        self.assertEqual((example["technique"], example["effect"]), ("futility", "skips"))
        self.assertEqual(len(example["moves"]), example["skipped"])
        self.assertLessEqual(operands["ceiling"], example["alpha"])
        margin = next(number for number in lesson["numbers"] if number["name"] == "futility_margin")
        self.assertTrue(margin["low"] < margin["value"] < margin["high"])

    def test_exercises_are_what_they_say(self):
        self.assertEqual(len(EXERCISES), 10)
        self.assertGreater(len({technique for technique, _, _ in EXERCISES}), 4)
        for technique, depth, fen in EXERCISES:
            with self.subTest(technique=technique, fen=fen):
                self.assertTrue(challenges.holds(LUFT, technique, int(depth), fen))
        self.assertFalse(challenges.holds(LUFT, "null_move", 2, "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1"))

    def test_a_position_can_follow_a_search(self):
        lesson = json.loads(self.file(SMALL + "@position after after with\n@search reply after 3\n@board after\n", "--json").stdout)
        first, reply = lesson["searches"]
        self.assertIn(" b ", reply["fen"])
        self.assertEqual(lesson["items"][-1]["fen"], reply["fen"])
        trees = luft("tree", reply["fen"], "--depth", "3", "--json", "--rows", "1").stdout
        self.assertEqual(json.loads(trees)["trees"][-1]["nodes"], reply["nodes"])
        mated = "@title M\n@source -\n@position m 7k/8/5KQ1/8/8/8/8/8 w - - 0 1\n@search s m 3\n@position n after s\n"
        self.assertIn("no legal move in the position 'n'", self.file(mated).stderr)

    def test_a_false_claim_fails(self):
        true = self.file(SMALL + "@claim with.depth = 4\n@claim with.move != a3\n", "--check")
        self.assertEqual((true.returncode, true.stderr), (0, ""))
        false = self.file(SMALL + "@claim with.depth = 5\n", "--check")
        self.assertNotEqual(false.returncode, 0)
        self.assertIn("line 10: 'with.depth = 5' does not hold: its sides are 4 and 5", false.stderr)

    def test_placeholders_are_calculated(self):
        nodes = int(re.search(r"(\d+) nodes in all", luft("tree", "--depth", "4").stdout).group(1))
        text = self.file(SMALL).stdout
        self.assertRegex(" ".join(text.split()), rf"The best move is \w+: {nodes + 1} and 3 and 25\.")
        page = self.file(SMALL + "@board start\n", "--html").stdout
        self.assertIn("<svg", page)
        self.assertNotIn("<script", page)

    def test_all_techniques_can_be_off(self):
        lesson = SMALL + "@search bare start 4 all\n@search one start 4 all +futility\n@search most start 4 futility, null_move\n"
        searches = {search["name"]: search for search in json.loads(self.file(lesson, "--json").stdout)["searches"]}
        self.assertEqual([searches[name]["changes"] for name in ("with", "bare", "one", "most")],
                         ["", "all", "all, +futility", "null_move, futility"])
        self.assertGreater(searches["bare"]["nodes"], 3 * searches["with"]["nodes"])
        trees = json.loads(luft("tree", "--depth", "4", "--json", "--rows", "1", "--without", "all,+futility").stdout)["trees"]
        self.assertEqual(trees[1]["nodes"], searches["one"]["nodes"])
        self.assertNotIn("futility", trees[1]["without"])
        self.assertIn("null_move", trees[1]["without"])

    def test_commands_can_be_copied(self):
        """Each stands in one row, however long it is."""
        shown = [line for line in luft("learn", "null-move").stdout.splitlines() if line.startswith("$ ")]
        self.assertTrue(any(" --depth 10 --without " in line and len(line) > 80 for line in shown), shown)
        self.assertIn("did you mean null-move?", luft("learn", "nulmove").stderr)

    def test_a_bad_lesson_gets_a_reason(self):
        for line, reason in (("@search a nowhere 3", "no position 'nowhere'"), ("@search a start 0", "needs a depth"),
                             ("@search a start 3 futility_margin=500", "from 13 to 150"), ("@search a start 3 futilty", "did you mean futility?"),
                             ("@position x 8/8 w - - 0 1", "ranks"), ("@position x after start", "no search 'start'"), ("@position x 7k/8/8/8/8/8/5qr1/7K w - - 0 1", "no legal move"),
                             ("@example x with futility eats", "no effect 'eats'"), ("@exmple", "no directive 'exmple'"),
                             ("{with.nods}", "'with.nods'"), ("{1 / 0}", "division by zero"), ("{with.move + 1}", "only numbers"),
                             ("@claim with.depth", "a claim compares"), ("@claim with.nods != a3", "'with.nods'"), ("@claim futility_margn < 3", "'futility_margn'"),
                             ("@claim with.move = 3", "a number with a word"), ("{futility_margin.lwo}", "'futility_margin.lwo'"),
                             ("{with.nodes", "has no end"), ("@table start", "no search 'start'"), ("@board with", "no position 'with'"),
                             ("@search with start 3", "'with' is taken"), ("@search", "a name is missing")):
            result = self.file(SMALL + line + "\n", "--check")
            self.assertEqual(result.returncode, 1, line)
            self.assertIn(reason, result.stderr)
            self.assertIn("line ", result.stderr)
        self.assertIn("no lesson 'nul-move'", luft("learn", "nul-move").stderr)
        self.assertIn("@title", self.file("Hello.\n").stderr)


if __name__ == "__main__":
    unittest.main()
