"""`luft tree` as a user calls it: the text, the JSON replayed by independent rules, the picture."""

import collections
import json
import os
import re
import subprocess
import unittest
import xml.etree.ElementTree

from patience import HANG
from rules import Position, name

LUFT = os.environ.get("LUFT", "./luft")
FEN = "2kr3r/ppp3pp/6q1/3Pnp2/1PP1p3/7P/P2QNPP1/R4RK1 w - - 1 17"
DEPTHS = ("6", "7", "8", "9")  # how much of the last search the table cuts varies
SVG = "{http://www.w3.org/2000/svg}"


def tree(*arguments):
    return subprocess.run([LUFT, "tree", *arguments], capture_output=True, text=True, timeout=HANG, stdin=subprocess.DEVNULL)


def nodes_of(node):
    """Yields a node and all its descendants, as (node, its children)."""
    children = [child for child in node["children"] if "purpose" in child]
    yield node, children
    for child in children:
        yield from nodes_of(child)


def walk(case, pos, node):
    """Replays a node and its descendants: every searched or skipped move must be legal. Returns the number of nodes."""
    seen = 1
    for child in node["children"]:
        for entry in child.get("moves", []):
            case.assertIsNotNone(pos.parse(entry["uci"]), (entry, pos.board))
        if "purpose" not in child:
            continue
        after = pos
        if "move" in child:
            move = pos.parse(child["move"]["uci"])
            case.assertIsNotNone(move, child["move"])
            after = pos.make(move)
        elif child["purpose"] == "null move":
            after = pos.passed()
        seen += walk(case, after, child)
    return seen


class Trees(unittest.TestCase):
    def json(self, *arguments):
        result = tree(FEN, "--json", *arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)

    def test_every_move_of_the_tree_is_legal(self):
        nodes = 0
        for depth in DEPTHS:
            answer = self.json("--depth", depth, "--rows", "0")
            self.assertEqual((answer["schema"], answer["fen"], len(answer["trees"])), (2, FEN, 1))
            nodes += walk(self, Position(FEN), answer["trees"][0]["root"])
        self.assertGreater(nodes, 1000)

    def test_the_root_has_all_moves(self):
        root = self.json("--depth", "4", "--rows", "0")["trees"][0]["root"]
        moves = {child["move"]["uci"] for child in root["children"] if "move" in child}
        self.assertEqual(len(moves), len(Position(FEN).legal()))

    def test_numbers_agree(self):
        purposes, rules = set(), set()
        for depth in DEPTHS:
            whole = self.json("--depth", depth, "--rows", "0")["trees"][0]
            self.assertEqual(whole["dropped"], 0)
            for node, children in nodes_of(whole["root"]):
                purposes.add(node["purpose"])
                rules |= {act["technique"] for act in node.get("acts", []) if act["effect"] == "cuts"}
                self.assertGreaterEqual(node["nodes"], sum(child["nodes"] for child in children))
                self.assertLessEqual(node["score"] <= node["alpha"], node["bound"] == "upper")
                self.assertEqual(node["score"] >= node["beta"], node["bound"] == "lower")
                self.assertLessEqual(sum(child["best"] for child in children), 1)
                for child in children:
                    self.assertEqual(child["ply"],
                                     node["ply"] + (child["purpose"] not in ("singular", "razoring", "verification")))
            best = next(child for child in whole["root"]["children"] if child.get("best"))
            self.assertEqual((best["move"], -best["score"]), (whole["best"], whole["root"]["score"]))
        self.assertTrue({"move", "move again", "null move"} <= purposes, purposes)
        self.assertTrue({"table_cutoffs", "null_move"} <= rules, rules)

    def test_techniques_that_are_off_do_nothing(self):
        off = ["futility", "late_move_reductions"]
        with_all = ""
        for depth in DEPTHS:
            trees = self.json("--depth", depth, "--rows", "0", "--without", ",".join(off))["trees"]
            self.assertEqual([one["without"] for one in trees], [[], off])
            text = [json.dumps(one["root"]) for one in trees]
            with_all += text[0]
            for name in off:
                self.assertFalse(f'"{name}"' in text[1], (name, depth))
            self.assertNotEqual(trees[1]["root"]["nodes"], trees[0]["root"]["nodes"])  # small trees may shrink
        for name in off:
            self.assertTrue(f'"{name}"' in with_all, name)

    def test_a_number_can_be_set(self):
        for arguments, number, same in ((["--set", "futility_margin=31"], 31, True), (["--set", "futility_margin=150"], 150, False)):
            trees = self.json("--depth", "7", "--rows", "20", *arguments)["trees"]
            self.assertEqual([one["set"] for one in trees], [{}, {"futility_margin": number}])
            self.assertEqual(trees[0]["nodes"] == trees[1]["nodes"], same)
        text = tree(FEN, "--depth", "3", "--set", "futility_margin=150,see_pawn=50", "--without", "null_move").stdout
        self.assertIn("without null_move, with futility_margin=150, see_pawn=50", " ".join(text.split()))

    def test_what_has_fewest_nodes_is_folded(self):
        whole = self.json("--depth", "6", "--rows", "0")["trees"][0]["root"]
        small = self.json("--depth", "6", "--rows", "50")["trees"][0]["root"]
        self.assertEqual(whole["nodes"], small["nodes"])
        shown = list(nodes_of(small))
        rows = len(shown) + sum("skipped_by" in child or "folded" in child for node, _ in shown for child in node["children"])
        self.assertTrue(40 <= rows <= 50, rows)
        for node, children in shown:
            folded = sum(child["nodes"] for child in node["children"] if "folded" in child)
            self.assertIn(node["nodes"] - folded - sum(child["nodes"] for child in children), (0, 1), node)

    def test_a_line_is_a_part_of_the_same_search(self):
        whole = self.json("--depth", "6", "--rows", "0")["trees"][0]["root"]
        node, line, pos = whole, [], Position(FEN)
        while True:  # down the moves with most nodes
            children = [child for _, children in [next(nodes_of(node))] for child in children if child["purpose"].startswith("move")]
            if len(line) == 3 or not children:
                break
            move = max(children, key=lambda child: child["nodes"])["move"]["uci"]
            node = [child for child in children if child["move"]["uci"] == move][-1]
            line.append(move)
        self.assertGreater(len(line), 1)
        part = self.json("--depth", "6", "--rows", "0", "--line", " ".join(line))["trees"][0]["root"]
        self.assertEqual({key: part[key] for key in ("nodes", "score", "depth", "ply")},
                         {key: node[key] for key in ("nodes", "score", "depth", "ply")})
        self.assertEqual(part["children"], node["children"])
        for words in ("17. {} {}".format(*line), "17.{} 17...{}".format(*line)):
            self.assertEqual(tree(FEN, "--depth", "6", "--line", words).returncode, 0)

    def test_nodes_end_it(self):
        first, second = self.json("--nodes", "2000"), self.json("--nodes", "20000")
        self.assertLess(first["trees"][0]["depth"], second["trees"][0]["depth"])
        self.assertLessEqual(second["trees"][0]["root"]["nodes"], 20000)

    def test_text_fits_eighty_columns(self):
        for arguments in (["--depth", "5"], ["--depth", "3", "--rows", "0"], ["--depth", "7", "--without", "null_move,futility"]):
            result = tree(FEN, *arguments)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertTrue(all(len(line) <= 80 for line in result.stdout.splitlines()), result.stdout)
            self.assertIn("see_pruning: skipped", result.stdout)
            self.assertNotIn("\033", result.stdout)
        self.assertIn("with all techniques, and without null_move, futility", " ".join(result.stdout.split()))

    def test_moves_of_which_both_trees_say_the_same_are_counted(self):
        for technique, language, word in (("null_move", "en", r"moves? unchanged"), ("correction_reduction", "de", "(Zug|Züge) unverändert")):
            text = tree(FEN, "--depth", "5", "--without", technique, "--language", language).stdout
            rows = text.split("\n\n")[0].splitlines()[2:]
            unchanged = [int(row.split()[0]) for row in rows if re.search(word, row)]
            sides = [row.split()[1:] for row in rows if not re.search(word, row)]
            sides = [[cell for cell in side if cell not in ("<=", ">=")] for side in sides[:-1]]
            self.assertEqual(len(unchanged), 1, text)
            self.assertGreater(unchanged[0], 0)
            for side in sides:
                self.assertNotEqual(side[:3], side[3:], text)

    def test_a_picture_of_a_small_and_of_a_large_tree(self):
        for depth, rows, nodes in (("8", "1000", 200), ("18", "60", 20000)):
            result = tree(FEN, "--depth", depth, "--rows", rows, "--svg", "--without", "late_move_reductions" if depth == "8" else "")
            self.assertEqual(result.returncode, 0, result.stderr)
            picture = xml.etree.ElementTree.fromstring(result.stdout)
            boxes = [box for box in picture.iter(f"{SVG}rect") if box.get("rx")]
            texts = ["".join(text.itertext()) for text in picture.iter(f"{SVG}text")]
            count = int(next(text for text in texts if "in this tree" in text).split(", ")[1].split()[0])
            self.assertGreater(count, nodes)
            self.assertTrue(10 < len(boxes) <= 2 * int(rows), len(boxes))
            if depth == "8":
                self.assertTrue(any(" skipped" in text for text in texts))
            width, height = int(picture.get("width")), int(picture.get("height"))
            for box in boxes:
                self.assertLessEqual(int(box.get("x")) + int(box.get("width")), width)
                self.assertLessEqual(int(box.get("y")) + int(box.get("height")), height)
            places = [(box.get("x"), box.get("y")) for box in boxes]
            self.assertEqual(len(places), len(set(places)))
            if rows == "60":
                self.assertLess(height, 1500)

    def test_nodes_end_with_a_finished_iteration(self):
        """Its tree is that of the same depth, though the limit fell within the next iteration."""
        for nodes in "200", "1000", "3000", "4000":
            limited = tree(FEN, "--nodes", nodes).stdout
            depth = re.match(r"Depth (\d+) ", limited).group(1)
            self.assertEqual(limited, tree(FEN, "--depth", depth).stdout)
            self.assertLess(int(re.search(r"(\d+) nodes in\s+all iterations", limited).group(1)), int(nodes))

    def test_windows_that_missed_count_in_their_iteration(self):
        """The tree is that of the last window; the nodes of the others stand in the iteration's sum."""
        before, parts = None, 0
        for depth in range(5, 10):
            narrow = self.json("--depth", str(depth), "--set", "aspiration_delta=4")["trees"][1]
            self.assertEqual((narrow["depth"], narrow["root"]["bound"]), (depth, "exact"))
            if before is not None:
                self.assertEqual(narrow["iteration_nodes"], narrow["nodes"] - before)
            before = narrow["nodes"]
            parts += narrow["root"]["nodes"] < narrow["iteration_nodes"]
        self.assertGreater(parts, 0)
        text = tree(FEN, "--depth", "4", "--line", "Qc3").stdout
        self.assertRegex(text, r"in the\s+last\s+one,\s+\d+\s+of\s+them\s+in\s+this\s+tree\.")

    def test_a_rule_that_changed_the_depth_of_a_node_stands_in_its_row(self):
        """As fail_high_reduction at the root, and whatever else the JSON has."""
        for depth in range(5, 10):
            root = self.json("--depth", str(depth))["trees"][0]["root"]
            rules = [f"{act['technique']} {act['effect'].rstrip('s')}d" for act in root["acts"] if act["effect"] in ("reduces", "extends")]
            text = tree(FEN, "--depth", str(depth)).stdout
            rows = text[text.index("(root)"):].split("\n  ")
            for rule in rules:
                self.assertTrue(any(row.endswith(rule) for row in rows[:2]), (rule, rows[:2]))
            if "windows that" in " ".join(text.split()):
                return
        self.fail("no iteration had a window that missed")

    def test_a_line_that_ended_in_one_search_is_not_compared(self):
        """Neither is a line called the root."""
        ended = " ".join(tree("8/k1r3p1/7p/8/p5KP/5P2/1R4P1/8 w - - 0 42", "--depth", "1", "--line", "Rb4", "--without", "null_move").stdout.split())
        self.assertIn("Each move after Rb4 with all techniques, and without null_move", ended)
        found = 0
        for move in ("Qc3", "Qe3", "Qd4", "Qc2", "Nd4", "Qb2"):
            for technique in ("late_move_reductions", "see_pruning", "reverse_futility"):
                text = " ".join(tree(FEN, "--depth", "6", "--line", move, "--without", technique).stdout.split())
                found += f"ended at {move} without a move of its own" in text
                self.assertEqual("Each move after" in text, "without a move of its own" not in text)
        self.assertGreater(found, 0)

    def test_bad_questions_get_a_reason(self):
        for arguments, reason in (((FEN, "--without", "nul_move"), "did you mean null_move?"),
                                  ((FEN, "--set", "futilty_margin=3"), "did you mean futility_margin?"),
                                  ((FEN, "--set", "see_prning=1"), "did you mean see_pruning?"),
                                  ((FEN, "--set", "see_pruning=1"), "is a technique, which has no value"),
                                  ((__file__,), "is a file, and this command takes a position as FEN"),
                                  ((FEN, "--set", "futility_margin=12"), "from 13 to 150"), ((FEN, "--set", "see_pawn"), "see_pawn must be"),
                                  ((FEN, "--set", "time_soft=900"), "of the clock"), (("7k/8/8/8/8/8/5qr1/7K w - - 0 1",), "game is over"),
                                  ((FEN, "--line", "e9"), "--line: "), ((FEN, "--line", " ".join(["Kh1 Kb8 Kg1 Kc8"] * 8)), "more than 30"),
                                  ((FEN, "--svg", "--json"), "which of the two"), (("8/8",), "ranks"), ((FEN, "--depth", "0"), "depth"),
                                  ((FEN, "Qc3"), "expected one position, and 'Qc3' follows it"),
                                  (("startpos", "e4"), "expected one position, and 'e4' follows it")):
            result = tree(*arguments)
            self.assertEqual((result.returncode, result.stdout), (2, ""), arguments)
            self.assertIn(reason, result.stderr)
        self.assertEqual(tree("startpos", "--depth", "2").stdout, tree("--depth", "2").stdout)
        result = tree(FEN, "--depth", "2", "--line", "Qc3 Nd3 Nf4 Qf6 Rad1")
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertRegex(result.stderr, r"the last iteration did not search move \d of the line, \S+: \S")

    def gaps(self, pos, node, line):
        """What the tree says of moves that it does not have: their line, and why; of nodes that were searched once."""
        moves = [child["move"]["uci"] for child in node["children"] if "purpose" in child and "move" in child]
        rules = [act["technique"] for act in node.get("acts", []) if act["effect"] == "cuts"]
        best = [child["move"]["san"] for child in node["children"] if child.get("best")]
        skips = [(move["uci"], child["skipped_by"]) for child in node["children"] if "skipped_by" in child for move in child["moves"]]
        missing = sorted({name(start) + name(end) + more for start, end, more in pos.legal()} - set(moves))
        if not skips and missing and rules:
            yield [*line, missing[0]], f"{rules[0]} ended the node before"
        elif not skips and missing and best and node["bound"] == "lower" and node["depth"] > 0:
            yield [*line, missing[0]], f"{best[0]} was good enough for a cut before it"
        for move, rule in skips:
            if move not in moves:
                yield [*line, move], f"{rule} skipped "
        for child in node["children"]:
            if "purpose" in child and "move" in child and moves.count(child["move"]["uci"]) == 1:
                yield from self.gaps(pos.make(pos.parse(child["move"]["uci"])), child, [*line, child["move"]["uci"]])

    def test_a_line_that_ends_gets_its_reason(self):
        tried = collections.Counter()
        root = self.json("--depth", "6", "--rows", "0")["trees"][0]["root"]
        for line, reason in self.gaps(Position(FEN), root, []):
            kind = re.sub(r"^\S+ (was|skipped|ended).*", r"\1", reason)
            tried[kind] += 1
            if tried[kind] > 2:
                continue
            result = tree(FEN, "--depth", "6", "--line", " ".join(line))
            self.assertEqual(result.returncode, 1, line)
            self.assertIn(f"did not search move {len(line)} of the line, ", result.stderr)
            self.assertIn(f": {reason}" + ("" if kind == "skipped" else "\n"), result.stderr, line)
            if reason == "see_pruning skipped ":
                self.assertRegex(result.stderr, r"loses more than \d+\.\d\d by exchanges\n")
        self.assertEqual(set(tried), {"was", "skipped", "ended"})

    def test_a_line_without_the_technique_that_skipped_it(self):
        root = self.json("--depth", "6", "--rows", "0")["trees"][0]["root"]
        line = next(line for line, reason in self.gaps(Position(FEN), root, []) if reason == "see_pruning skipped ")
        result = tree(FEN, "--depth", "6", "--line", " ".join(line), "--without", "see_pruning", "--json")
        known = result.returncode == 0
        self.assertIn(f"did not search move {len(line)} of the line, ", result.stderr)
        if not known:  # another technique kept the second search from the line
            self.assertIn("; with the changes, the last iteration did not search move ", result.stderr)
        else:
            self.assertTrue(result.stderr.startswith("luft tree: with all techniques, "), result.stderr)
            self.assertEqual([shown["without"] for shown in json.loads(result.stdout)["trees"]], [["see_pruning"]])

    def test_titles_of_techniques(self):
        for techniques, title in (("null_move", "without null_move"), ("all,+null_move", "with null_move alone"), ("all", "without any technique"),
                                  ("all,+futility,+null_move", "with null_move and futility alone")):
            self.assertIn(f"with all techniques, and {title}\n", tree("--depth", "1", "--rows", "2", "--without", techniques).stdout)


if __name__ == "__main__":
    unittest.main()
