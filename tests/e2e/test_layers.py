"""tests/layers.py must detect each offence: every rule is broken in a small tree of its own."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

LAYERS = pathlib.Path(__file__).resolve().parent.parent / "layers.py"

SOUND = {
    "src/base/text.h": "typedef struct Text {\n    int length;\n} Text;\nint text_length(const Text *text);\n",
    "src/base/text.c": '#include "base/text.h"\n\nstatic const char *const NAMES[] = {"a", "b"};\n\n'
                       "int text_length(const Text *text) { return text->length + NAMES[0][0]; }\n",
    "src/chess/fen.h": '#include "base/text.h"\nint fen_read(Text text);\n',
    "src/chess/fen.c": '#include "chess/fen.h"\n/* malloc( in a comment, exit(1) too */\n'
                       'int fen_read(Text text) {\n    return text.length + (int)sizeof "printf(";\n}\n',
}


def guard_of(name):
    """A header's guard, appended so the line numbers do not change."""
    guard = "LUFT_" + "_".join(name.removesuffix(".h").split("/")[-2:]).upper() + "_H"
    return f"#ifndef {guard}\n#define {guard}\n#endif\n"


class Layers(unittest.TestCase):
    def run_on(self, changes):
        """Runs layers.py on a correct tree with some files replaced or added; returns exit status and report."""
        with tempfile.TemporaryDirectory() as folder:
            for name, text in {**SOUND, **changes}.items():
                path = pathlib.Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text + guard_of(name) if name.endswith(".h") and "#ifndef" not in text else text)
            result = subprocess.run([sys.executable, LAYERS, folder], capture_output=True, text=True)
            return result.returncode, result.stdout

    def assert_fails(self, changes, *parts):
        status, report = self.run_on(changes)
        self.assertEqual(status, 1, report)
        self.assertEqual(report.count("not ok"), 1, report)
        for part in parts:
            self.assertIn(part, report)

    def test_a_correct_tree_passes(self):
        status, report = self.run_on({})
        self.assertEqual(status, 0, report)

    def test_upward_include(self):
        self.assert_fails({"src/base/clock.c": '#include "chess/fen.h"\n'}, "src/base/clock.c:1", "must not include")

    def test_search_sees_one_header_of_the_network(self):
        self.assert_fails({"src/nnue/simd.h": "\n", "src/search/see.c": '#include "nnue/simd.h"\n'}, "evaluate.h only")

    def test_lab_never_sees_uci(self):
        self.assert_fails({"src/uci/uci.h": "\n", "lab/match/game.c": '#include "uci/uci.h"\n'}, "lab/match/game.c:1")

    def test_switch_tested_twice_or_never(self):
        table = {"src/search/techniques.def": 'TECHNIQUE(futility, "skip")\n'}
        test = "static inline int NAME(void) { return techniques.futility; }\n"
        rule = {"src/search/prune.h": test.replace("NAME", "prune")}
        self.assertEqual(self.run_on(table | rule)[0], 0)
        self.assert_fails(table, "techniques.futility", "nowhere")
        self.assert_fails(table | rule | {"src/search/see.h": test.replace("NAME", "see")}, "prune.h:1 and src/search/see.h:1")

    def test_missing_include(self):
        self.assert_fails({"src/base/clock.c": '#include "base/nowhere.h"\n'}, "nowhere.h")

    def test_cycle_through_headers(self):
        self.assert_fails({"src/chess/a.h": '#include "chess/b.h"\n', "src/chess/b.h": '#include "chess/a.h"\n'}, "->")

    def test_cycle_through_sources(self):
        self.assert_fails({"src/chess/a.h": "\n", "src/chess/b.h": "\n", "src/chess/a.c": '#include "chess/b.h"\n',
                           "src/chess/b.c": '#include "chess/a.h"\n'}, "src/chess/a -> src/chess/b")

    def test_a_header_declares_for_its_own_module(self):
        """Otherwise a second header hides that two modules call each other."""
        self.assert_fails({"src/chess/a.h": "int a(void);\nint b(void);\n", "src/chess/a.c": '#include "chess/a.h"\nint a(void) { return b(); }\n',
                           "src/chess/b.c": '#include "chess/a.h"\nint b(void) { return a(); }\n'},
                          "src/chess/a.h:2: declares b, which src/chess/b.c defines")

    def test_a_header_with_attributes_and_function_types(self):
        status, report = self.run_on({
            "src/base/clock.h": "typedef int Compare(int, int);\nint run(Compare *compare) __attribute__((cold));\n",
            "src/base/clock.c": '#include "base/clock.h"\nint run(Compare *compare) { return compare(1, 2); }\n'})
        self.assertEqual(status, 0, report)

    def test_includes_out_of_order(self):
        headers = {"src/chess/a.h": "int a(void);\n", "src/chess/b.h": "int b(void);\n"}
        for text in ('#include "chess/a.h"\n#include "chess/b.h"\n',
                     '#include "chess/b.h"\n\n#include <stdio.h>\n#include <math.h>\n',
                     '#include "chess/b.h"\n\n#include <math.h>\n\n#include "chess/a.h"\n'):
            with self.subTest(text):
                self.assert_fails(headers | {"src/chess/b.c": text}, "src/chess/b.c: ", "is where")
        good = '/* b */\n#include "chess/b.h"\n\n#include "chess/a.h"\n\n#include <math.h>\n#include <stdio.h>\n'
        self.assertEqual(self.run_on(headers | {"src/chess/b.c": good})[0], 0)

    def test_guards_of_another_name(self):
        for guard in ("CHESS_A_H", "LUFT_CHESS_B_H"):
            with self.subTest(guard):
                self.assert_fails({"src/chess/a.h": f"#ifndef {guard}\n#define {guard}\n#endif\n"}, "LUFT_CHESS_A_H")

    def test_a_crowded_folder(self):
        self.assert_fails({f"src/chess/m{i}.h": "\n" for i in range(17)}, "src/chess has 18 modules")

    def test_the_layers_are_shown(self):
        result = subprocess.run([sys.executable, LAYERS, "--show"], capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, result.stderr)
        lines = [line.split(" (")[0] for line in result.stdout.splitlines()]
        self.assertLess(lines.index("lab/commands"), lines.index("lab/kit"))
        self.assertLess(lines.index("src/cli"), lines.index("src/base"))
        self.assertIn("types < bitboard < attacks < position", result.stdout)

    def test_mutable_global(self):
        for text in ("static int counter;\n", "int table[4] = {1, 2};\n", 'static const char *name = "x";\n',
                     "static void (*hook)(int);\n", "static struct Point {\n    int x;\n} point;\n", "struct {\n    int x;\n} point;\n",
                     "int next(void) {\n    static int calls;\n    return ++calls;\n}\n"):
            with self.subTest(text):
                self.assert_fails({"src/base/clock.c": text}, "mutable")

    def test_constants_are_not_mutable_globals(self):
        status, report = self.run_on({"src/base/clock.c": (
            "static const int A[2][2] = {{1, 2}, {3, 4}};\nextern int elsewhere;\ntypedef int Compare(int, int);\n"
            "Compare compare_numbers;\nint use(int (*order)(int), int x);\nenum { SIZE = 3 };\n"
            "static void (*const HOOK)(int) = 0;\n_Static_assert(1, \"fine\");\n"
            "static inline int twice(int x) {\n    static const int two = 2;\n    return x * two + A[0][0];\n}\n")})
        self.assertEqual(status, 0, report)

    def test_long_function(self):
        body = "    x++;\n" * 120
        self.assert_fails({"src/base/clock.c": f"int slow(int x) {{\n{body}    return x;\n}}\n"}, "slow has 123 lines")

    def test_search_may_be_longer(self):
        body = "    x++;\n" * 120
        status, report = self.run_on({"src/search/search.c": f"int search(int x) {{\n{body}    return x;\n}}\n"})
        self.assertEqual(status, 0, report)

    def test_long_file(self):
        self.assert_fails({"src/base/clock.c": "\n" * 800}, "800 lines")

    def test_calls_in_the_wrong_place(self):
        for text, part in (("void f(void) { free(0); }\n", "free"), ("void f(void) { exit(1); }\n", "exit"),
                           ('void f(void) { printf("x"); }\n', "printf"), ("volatile int *x(void);\n", "volatile"),
                           ("void f(void) { buffer_print_raw(x, file); }\n", "buffer_print_raw"),
                           ("int f(void) { return open(x, O_CREAT, 0666); }\n", "O_CREAT"),
                           ('void f(void) { fopen("x", "w"); }\n', "fopen"),
                           ("void f(void) { longjmp(0, 1); }\n", "longjmp"),
                           ("void f(void) { pthread_join(0, 0); }\n", "pthread_join")):
            with self.subTest(part):
                self.assert_fails({"src/chess/bad.c": text}, "src/chess/bad.c:1", part)


if __name__ == "__main__":
    unittest.main()
