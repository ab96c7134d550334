"""Checks the documents against the programs: techniques, options, commands, files, links.

A technique, an option, a command or a file that is added must appear in its document, and each command line that a
document shows must be one that the programs accept. Standard library only.
"""

import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

from patience import HANG

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LUFT = os.path.abspath(os.environ.get("LUFT", str(ROOT / "luft")))
LAB_ENGINE = os.environ.get("LUFT_SWITCHES") or str(pathlib.Path(LUFT).parent.parent / "lab-options/luft")
LUFT_LAB = os.path.abspath(os.environ.get("LUFT_LAB", str(ROOT / "luft-lab")))
DOCUMENTS = sorted(path for pattern in ("*.md", "docs/*.md", "nets/*.md", "books/*.md", "results/*.md") for path in ROOT.glob(pattern))
MANUAL = ROOT / "docs/luft.6"
LAB_MANUAL = ROOT / "docs/luft-lab.6"
LONGEST_LINE = 130
SEARCH_DEPTH = 4               # instead of the depth that a document shows
UNKNOWN = "--no-such-option"
POSITION = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3"
GAME = '[White "A"]\n[Black "NAME"]\n[Result "1-0"]\n\n1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0\n'


def read(path):
    return (ROOT / path).read_text(encoding="utf-8")


def output_of(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, timeout=HANG, stdin=subprocess.DEVNULL, **options)


def names_in(table, macro):
    """The first argument of each MACRO(name, ...) line of a .def file."""
    return re.findall(rf"^{macro}\((\w+)", read(table), re.M)


def has_word(word, text):
    return re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", text) is not None


def prose_lines(path):
    """(number, line) of each line outside tables, comments and fenced blocks."""
    fenced = False
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        elif not fenced and not line.lstrip().startswith(("|", "<!--")):
            yield number, line


def anchors_of(path):
    """The anchors that GitHub generates from headings."""
    titles = [line.lstrip("# ") for _, line in prose_lines(path) if line.startswith("#")]
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def commands_of(path):
    """(number, command line) of each command in the fenced and indented blocks, continued lines joined, comments cut."""
    fenced, started, ending, pending = False, None, None, ""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        elif ending is not None:  # a here-document
            ending = None if line == ending else ending
        elif pending or fenced and not line.startswith("  ") or not fenced and line.startswith("    "):
            started = started if pending else number
            text = pending + line.strip()
            pending = text[:-1] if text.endswith("\\") else ""
            if not pending:
                heredoc = re.search(r"<<'(\w+)'$", text)
                ending = heredoc.group(1) if heredoc else None
                for part in re.sub(r"\s#\s.*", "", text).split(" && "):
                    yield started, part


class Tables(unittest.TestCase):
    def test_every_technique_is_explained_in_docs_search(self):
        text = read("docs/search.md")
        missing = [name for name in names_in("src/search/techniques.def", "TECHNIQUE") if not has_word(name, text)]
        self.assertEqual(missing, [])

    def test_the_man_pages_are_what_make_man_writes(self):
        for program, page in ((LUFT, MANUAL), (LUFT_LAB, LAB_MANUAL)):
            template = pathlib.Path(f"{page}.in").read_text(encoding="utf-8")
            made = re.sub(r"^@.*\n", lambda _, program=program: output_of(program, "--man").stdout, template, flags=re.M)
            self.assertIn("\n.SH COMMANDS\n", made)
            self.assertEqual(made, page.read_text(encoding="utf-8"), f"{page}: run make man")

    def test_every_file_of_the_search_is_in_its_row_of_the_architecture(self):
        row = next(line for line in read("docs/architecture.md").splitlines() if line.startswith("| `src/search`"))
        modules = sorted({path.stem for path in (ROOT / "src/search").glob("*.[ch]")})
        self.assertEqual([name for name in modules if f"`{name}`" not in row], [])
        self.assertEqual([name for name in re.findall(r"`(\w+)`", row) if name not in modules], [])

    def test_every_folder_of_sources_has_its_row_in_the_architecture(self):
        text = read("docs/architecture.md")
        folders = sorted({str(path.parent.relative_to(ROOT)) for top in ("src", "lab") for path in ROOT.glob(f"{top}/*/*.c")})
        self.assertEqual([folder for folder in folders if f"| `{folder}` |" not in text], [])

    def test_the_readme_links_to_every_document(self):
        seen, todo = set(), [ROOT / "README.md"]
        while todo:
            path = todo.pop()
            if path in seen:
                continue
            seen.add(path)
            targets = re.findall(r"\]\(([^)#]+)", path.read_text(encoding="utf-8")) if path.suffix == ".md" else []
            todo += [found for found in ((path.parent / target).resolve() for target in targets) if found.is_file()]
        self.assertEqual([str(path.relative_to(ROOT)) for path in DOCUMENTS if path not in seen], [])


class Technique(unittest.TestCase):
    """The walk-through of CONTRIBUTING.md has a patch to follow."""

    PATCH = "docs/technique.patch"

    @unittest.skipUnless(shutil.which("git"), "needs git")
    def test_the_patch_applies(self):
        environment = dict(os.environ, GIT_CEILING_DIRECTORIES=str(ROOT.parent))
        result = output_of("git", "apply", "--check", self.PATCH, cwd=ROOT, env=environment)
        self.assertEqual((result.returncode, result.stderr), (0, ""), "make its change again, and `git diff -U1` writes the patch")

    def test_the_patch_changes_the_files_of_the_table(self):
        table = re.search(r"\*\*The files\.\*\*.*?\n\n(\|.*?)\n\n", read("CONTRIBUTING.md"), re.S)[1]
        changed = re.findall(r"^\+\+\+ b/(\S+)$", read(self.PATCH), re.M)
        self.assertEqual(sorted(re.findall(r"^\| `(\S+?)` \|", table, re.M)), sorted(changed))


class Contract(unittest.TestCase):
    """The table of calls in docs/library.md is that of the sources."""

    def test_every_call_is_in_the_row_of_its_kind(self):
        rows = dict(re.findall(r"^\| \*\*(\w+)\*\*: ([^|]*) \|", read("docs/library.md"), re.M))
        for kind in rows:
            calls = re.findall(rf"^CALL\((\w+), {kind.upper()}\)", read("src/library/calls.def"), re.M)
            self.assertEqual(re.findall(r"`(\w+)`", rows[kind]), calls)
        self.assertEqual(len(rows), len(set(re.findall(r"^CALL\(\w+, (\w+)\)", read("src/library/calls.def"), re.M))))

    def test_every_refusal_is_shown(self):
        sentences = re.findall(r'^static const char [A-Z_]+\[\] = "(.*)";', read("src/library/contract.c"), re.M)
        self.assertEqual(len(sentences), 5)
        self.assertEqual([sentence for sentence in sentences if sentence not in read("docs/library.md")], [])


class Picture(unittest.TestCase):
    def test_the_terminal_is_drawn_with_all_squares_of_the_board(self):
        with tempfile.TemporaryDirectory() as folder:
            result = output_of(sys.executable, str(ROOT / "tests/tools/terminal_svg.py"), f"{folder}/a.svg", "luft analyse",
                               LUFT, "analyse", "--depth", str(SEARCH_DEPTH))
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            made = pathlib.Path(folder, "a.svg")
            for picture in (made, ROOT / "docs/analyse.svg"):
                root = xml.etree.ElementTree.parse(picture).getroot()
                texts = ["".join(text.itertext()) for text in root.iter("{http://www.w3.org/2000/svg}text")]
                self.assertEqual(sum(text[0] in "\u265a\u265b\u265c\u265d\u265e\u265f" for text in texts), 32, picture)
                self.assertTrue(any(text.startswith("Best move: ") for text in texts), picture)


class Readme(unittest.TestCase):
    def test_its_explanation_is_real(self):
        command, *sentences = re.search(r"```\n(\./luft explain .*?)```", read("README.md"), re.S).group(1).splitlines()
        words = output_of(LUFT, *shlex.split(command)[1:]).stdout.splitlines()
        self.assertEqual([sentence.strip() for sentence in sentences], words[:len(sentences)])


class Text(unittest.TestCase):
    def test_no_line_of_prose_is_too_long(self):
        long = [f"{path.relative_to(ROOT)}:{number}" for path in DOCUMENTS + [MANUAL, LAB_MANUAL]
                for number, line in prose_lines(path) if len(line) > LONGEST_LINE]
        self.assertEqual(long, [])

    def test_every_relative_link_has_a_target(self):
        broken = []
        for path in DOCUMENTS:
            for target in re.findall(r"\]\(([^)\s]+)\)", path.read_text(encoding="utf-8")):
                if "://" in target:
                    continue
                name, _, anchor = target.partition("#")
                place = (path.parent / name).resolve() if name else path
                if place.suffix == ".jpg" and not (ROOT / ".git").exists():
                    continue  # the archive of the sources has no pictures
                if not place.exists() or anchor and anchor not in anchors_of(place):
                    broken.append(f"{path.relative_to(ROOT)}: {target}")
        self.assertEqual(broken, [])


class Commands(unittest.TestCase):
    """Every command in a document must be accepted. `luft` runs it with shorter searches, `luft-lab` must accept its words, and
    the words of `make` must be in the Makefile."""

    @classmethod
    def setUpClass(cls):
        cls.makefile = "".join(path.read_text() for path in [ROOT / "Makefile", *ROOT.glob("mk/*.mk")])
        cls.techniques = names_in("src/search/techniques.def", "TECHNIQUE")
        cls.numbers = names_in("src/search/params.def", "PARAM")

    def complaint(self, words):
        """The reason why the command is not accepted, or None."""
        while words and words[0] in ("nice", "...") or words and re.match(r"\w+=", words[0]):
            words = words[1:]
        program = os.path.basename(words[0]) if words else ""
        if program in ("luft", "luft-before"):
            return self.complaint_of_luft(LAB_ENGINE if words[0].startswith("build/lab/") else LUFT, words[1:])
        if program == "luft-lab":
            return self.complaint_of_lab(words[1:])
        if program == "make":
            return self.complaint_of_make(words[1:])
        if words and words[0].startswith("tests/") and not (ROOT / words[0]).is_file():
            return f"there is no {words[0]}"
        return None

    def complaint_of_luft(self, program, words):
        for technique in re.findall(r"name Use (\w+) ", " ".join(words)):
            if technique not in self.techniques:
                return f"no technique is called {technique}"
        short = [re.sub(r"(go .*depth) \d+", rf"\1 {SEARCH_DEPTH}", word) for word in words]
        short = [re.sub(r"^bench \d+", "bench 2", word) for word in short]
        short = [word for word in short if word != ">" and word != "annotated.pgn"]
        short = [{"FEN": POSITION, "bench": "bench 1" if len(words) > 1 else "bench"}.get(word, word) for word in short]
        if short[:1] == ["analyse"]:
            for option in ("--time", "--depth"):
                if option in short:
                    del short[short.index(option):short.index(option) + 2]
            short += ["--depth", str(SEARCH_DEPTH)]
        elif short[:1] == ["explain"]:
            short += ["--nodes", "1000"]
        elif short[:1] == ["bench"]:
            short = ["bench", "1"]
        elif short[:1] == ["perft"]:
            short[1] = "3"
        elif short[:1] == ["selftest"] or short == [] or not os.path.exists(program):  # a LAB=1 build may be missing
            return None
        with tempfile.TemporaryDirectory() as folder:
            for name in ("game.pgn", "games.pgn"):
                (pathlib.Path(folder) / name).write_text(GAME)
            result = output_of(program, *short, cwd=folder, env=dict(os.environ, XDG_STATE_HOME=folder))
        wrong = [line for line in result.stdout.splitlines() if "error" in line]
        if result.returncode != 0 or wrong:
            return f"exit status {result.returncode}: {(wrong or [result.stderr.strip()])[0]}"
        return None

    def complaint_of_lab(self, words):
        """Nothing is played: an unknown option at the end must be what is refused. It is there twice, because the text may omit
        the value of the last option."""
        if "--help" in words:
            result = output_of(LUFT_LAB, *words)
            return None if result.returncode == 0 else result.stderr.strip()
        if words[:1] in (["ablate"], ["tune"]):
            for word in words[1:]:
                if re.fullmatch(r"[a-z]+(_[a-z]+)+", word) and word not in self.techniques + self.numbers:
                    return f"neither a technique nor a number: {word}"
        with tempfile.TemporaryDirectory() as folder:
            result = output_of(LUFT_LAB, *words, UNKNOWN, UNKNOWN, cwd=folder)
        return None if result.returncode != 0 and UNKNOWN in result.stderr else result.stderr.strip() or "it was run"

    def complaint_of_make(self, words):
        for word in words:
            name, is_variable, _ = word.partition("=")
            if word.startswith("-"):
                continue
            known = (rf"\$\({name}\)|^{name} *[?:]?=|filter 1,\$\({name}\)|or \$\({name}\)" if is_variable else
                     rf"^{re.escape(name)}:")
            if not re.search(known, self.makefile, re.M):
                return f"make knows no {word}"
        return None

    def test_every_command_shown_is_accepted(self):
        seen, wrong = 0, []
        for path in DOCUMENTS:
            for number, line in commands_of(path):
                try:
                    words = shlex.split(line)
                except ValueError:
                    continue  # a drawing
                complaint = self.complaint(words)
                seen += bool(words) and os.path.basename(words[0]) in ("luft", "luft-lab", "make")
                if complaint:
                    wrong.append(f"{path.relative_to(ROOT)}:{number}: {line}: {complaint}")
        self.assertEqual(wrong, [])
        self.assertGreater(seen, 40)

    def test_every_command_in_a_sentence_or_table_is_accepted(self):
        wrong = []
        for path in DOCUMENTS:
            for line in re.findall(r"`((?:\./)?luft-lab [^`]+|make [^`]+)`", path.read_text(encoding="utf-8")):
                complaint = self.complaint(shlex.split(line.replace("…", "").replace("...", "")))
                if complaint:
                    wrong.append(f"{path.relative_to(ROOT)}: {line}: {complaint}")
        self.assertEqual(wrong, [])

    def test_every_key_of_the_plan_shown_is_known(self):
        plan = re.search(r"<<'END'\n(.*?)^END$", read("docs/nnue.md"), re.S | re.M).group(1)
        keys = re.findall(r"^([a-z-]+) +=", plan, re.M)
        self.assertIn("generations", keys)
        self.assertEqual([key for key in keys if not has_word(key, output_of(LUFT_LAB, "evolve", "--help").stdout)], [])

    def test_a_wrong_command_is_detected(self):
        for line in ("./luft-lab match -frobnicate 1", "./luft-lab match -rounds x", "./luft-lab frobnicate",
                     "make frobnicate", "make FROBNICATE=1",
                     "./luft analyse --frobnicate", "./luft 'position fen 8/8 w - - 0 1'", "./luft-lab ablate null_moves",
                     "build/lab/luft 'setoption name Use null_moves value false' 'go depth 3'"):
            self.assertIsNotNone(self.complaint(shlex.split(line)), line)


if __name__ == "__main__":
    unittest.main()
