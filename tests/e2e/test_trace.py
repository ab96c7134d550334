"""The trace of a search (docs/trace.md), as examples/trace.c writes it: its lines fit the schema, and its tree the rules of chess."""

import json
import os
import pathlib
import re
import subprocess
import unittest

from patience import HANG
from rules import Position

TRACE = pathlib.Path(os.environ.get("LUFT", "./luft")).parent / "examples/trace"
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SCHEMA = json.loads((ROOT / "docs/trace.schema.json").read_text())
MATE = 30000
POSITIONS = (("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", 2), ("2kr3r/ppp3pp/6q1/3Pnp2/1PP1p3/7P/P2QNPP1/R4RK1 w - - 1 17", 1),
             ("8/P6k/8/8/8/6p1/6Kp/8 b - - 0 1", 3), ("8/2P4k/8/8/8/8/5pKp/8 w - - 0 1", 3))


def fits(value, schema):
    """Whether a value fits a schema, as far as docs/trace.schema.json uses the language."""
    if "$ref" in schema:
        schema = SCHEMA["$defs"][schema["$ref"].rsplit("/", 1)[1]]
    if "oneOf" in schema:
        return sum(fits(value, one) for one in schema["oneOf"]) == 1
    if "const" in schema:
        return value == schema["const"]
    if schema["type"] == "object":
        known, others = schema.get("properties", {}), schema["additionalProperties"]
        return isinstance(value, dict) and set(schema.get("required", ())) <= set(value) and all(
            fits(item, known[name]) if name in known else others is not False and fits(item, others) for name, item in value.items())
    if schema["type"] == "array":
        return isinstance(value, list) and len(value) >= schema["minItems"] and all(fits(item, schema["items"]) for item in value)
    if schema["type"] == "integer":
        return type(value) is int and value >= schema.get("minimum", value)
    return isinstance(value, str) and re.search(schema.get("pattern", ""), value) is not None


def tree_of(lines):
    """The root of the last tree: each node has its `children`, the lines below it in their order."""
    waiting = {}
    for line in lines:
        node = dict(line, children=waiting.pop(line["ply"] + 1, []) if "skipped" not in line else [])
        waiting.setdefault(line["ply"], []).append(node)
    return waiting[0][-1]


class Traces(unittest.TestCase):
    def trace(self, *arguments):
        return subprocess.run([TRACE, *arguments], capture_output=True, text=True, timeout=HANG, stdin=subprocess.DEVNULL)

    def walk(self, pos, node):
        """Checks a node and all below it. Returns how many nodes, skipped moves and cuts by a rule there are."""
        searched = [child for child in node["children"] if "skipped" not in child]
        skipped = [move for child in node["children"] if "skipped" in child for move in child["skipped"]]
        moves = [child["move"] for child in searched] + skipped
        legal = {str(move) for move in pos.legal()}
        parsed = [str(pos.parse(move)) for move in moves]
        self.assertEqual(len(set(parsed)), len(moves))
        self.assertLessEqual(set(parsed), legal)
        if node["children"]:
            scores = [-child["score"] for child in searched] + [c["numbers"]["ceiling"] for c in node["children"] if "skipped" in c]
            self.assertEqual(node["score"], max(scores))
            if node["score"] < node["beta"]:
                self.assertEqual(set(parsed), legal, "no move is forgotten")
        elif not legal:
            self.assertEqual(node["score"], node["ply"] - MATE if pos.in_check() else 0)
        else:
            self.assertEqual(node["score"], node["static"])
            self.assertTrue(node["depth"] == 0 or node["score"] - node["numbers"]["margin"] >= node["beta"])
        counts = [1, len(skipped), "rule" in node]
        for child in searched:
            below = self.walk(pos.make(pos.parse(child["move"])), child)
            counts = [a + b for a, b in zip(counts, below)]
        return counts

    def test_the_tree_of_another_engine(self):
        total = [0, 0, 0]
        for fen, depth in POSITIONS:
            result = self.trace(fen, str(depth))
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            lines = [json.loads(line) for line in result.stdout.splitlines()]
            self.assertEqual([line for line in lines if not fits(line, SCHEMA)], [])
            root = tree_of(lines)
            self.assertEqual((root["fen"], root["depth"]), (fen, depth))
            counts = self.walk(Position(fen), root)
            self.assertEqual(counts[0] + sum("skipped" in line for line in lines), len(lines))
            total = [a + b for a, b in zip(total, counts)]
        self.assertTrue(all(count > 2 for count in total), total)
        self.assertEqual(tree_of([json.loads(line) for line in self.trace(*map(str, POSITIONS[0])).stdout.splitlines()])["score"], MATE - 1)

    def test_the_schema_refuses_wrong_lines(self):
        node = {"ply": 1, "move": "e2e4", "depth": 1, "alpha": 0, "beta": 1, "score": 0}
        self.assertTrue(fits(node, SCHEMA))
        for wrong in ({"ply": 0}, {"move": "e4"}, {"score": "0"}, {"skipped": []}, {"numbers": {"margin": "x"}}):
            self.assertFalse(fits(dict(node, **wrong), SCHEMA), wrong)

    def test_the_page_shows_lines_of_the_format(self):
        shown = re.findall(r"^\{.*\}$", (ROOT / "docs/trace.md").read_text(), re.M)
        self.assertGreater(len(shown), 3)
        self.assertEqual([line for line in shown if not fits(json.loads(line), SCHEMA)], [])

    def test_bad_questions_get_a_reason(self):
        for arguments, reason in ((("8/8",), "ranks"), (("", "0"), "depth")):
            result = self.trace(*arguments)
            self.assertEqual((result.returncode, result.stdout), (1, ""))
            self.assertIn(reason, result.stderr)


if __name__ == "__main__":
    unittest.main()
