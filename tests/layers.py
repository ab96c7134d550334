#!/usr/bin/env python3
"""Checks the rules of the source code that a compiler does not check (see docs/architecture.md).

Fails on: an include that points upward, a cycle between modules, a header that declares what another module defines,
includes out of order, a wrong guard, a mutable global outside MUTABLE_GLOBALS, a function over 100 lines, a file over 700,
a folder with too many modules, a search technique whose switch is not tested in exactly one place, and calls (malloc,
exit, printf, threads) outside the files they are confined to.
Reads another tree if an argument names one (the test of this script does). --show prints the layers instead.
Prints one line in TAP for each rule, followed by its offences. Standard library only.
"""

import pathlib
import re
import sys

SHOW = "--show" in sys.argv[1:]
TREES = [argument for argument in sys.argv[1:] if argument != "--show"]
ROOT = pathlib.Path(TREES[0] if TREES else pathlib.Path(__file__).resolve().parent.parent)

# The layers from the bottom up: each folder, and the folders that its files may include.
ENGINE = ["src/base", "src/chess", "src/nnue", "src/tb", "src/level", "src/search", "src/engine"]
LAYERS = {
    "src/base": [],
    "src/chess": ["src/base"],
    "src/nnue": ["src/base", "src/chess"],
    "src/tb": ["src/base", "src/chess"],
    "src/level": ["src/base", "src/chess"],
    "src/search": ["src/base", "src/chess", "src/nnue", "src/tb", "src/level"],
    "src/store": ["src/base", "src/chess", "src/nnue", "src/search"],
    "src/engine": ["src/base", "src/chess", "src/nnue", "src/tb", "src/level", "src/search", "src/store"],
    "src/record": ENGINE,
    "src/explain": ENGINE + ["src/record"],
    "src/overview": ENGINE + ["src/record", "src/explain"],
    "src/learn": ENGINE + ["src/record", "src/explain"],
    "src/library": ENGINE + ["src/record", "src/explain", "src/overview", "include"],  # the public header
    "src/review": ENGINE + ["src/record", "src/explain"],
    "src/uci": ENGINE + ["src/record", "src/explain", "src/overview"],
    "src/mcp": ENGINE + ["src/record", "src/explain", "src/overview", "src/review", "src/uci"],
    "src/cli": ENGINE + ["src/record", "src/explain", "src/overview", "src/learn", "src/review", "src/uci", "src/mcp",
                         "src/store"],
    "lab/kit": ["src/base"],
    "lab/client": ["src/base", "src/chess", "lab/kit"],
    "lab/match": ENGINE + ["lab/kit", "lab/client"],
    "lab/data": ["src/base", "src/chess", "src/search", "lab/kit", "lab/match"],
    "lab/selfplay": ENGINE + ["lab/kit", "lab/match", "lab/data"],
    "lab/train": ENGINE + ["lab/kit", "lab/match", "lab/data", "lab/selfplay"],
    "lab/net": ENGINE + ["lab/kit", "lab/data", "lab/train"],
    "lab/rate": ["src/base", "src/chess", "lab/kit"],
    "lab/study": ["src/base", "src/chess", "src/search", "src/store", "lab/kit", "lab/client"],
    "lab/tune": ENGINE + ["lab/kit", "lab/client", "lab/match"],
}
LAB = [folder for folder in LAYERS if folder.startswith("lab/")]
LAYERS["lab/commands"] = ENGINE + ["src/store"] + LAB
LAYERS["lab"] = ENGINE + LAB + ["lab/commands"]
LAYERS["lab/commands"] = LAYERS["lab/commands"] + ["lab"]
# Pairs (folder, lower folder): the only headers that the first may include from the second.
ONLY_HEADERS = {("src/search", "src/nnue"): ["src/nnue/evaluate.h"], ("src/search", "src/tb"): ["src/tb/syzygy.h"],
                ("lab/data", "src/search"): ["src/search/score.h"],
                ("src/store", "src/nnue"): ["src/nnue/evaluate.h"],
                ("src/store", "src/search"): ["src/search/limits.h", "src/search/score.h", "src/search/tt.h",
                                              "src/search/value.h"],
                ("src/engine", "src/store"): ["src/store/harvest.h", "src/store/recall.h", "src/store/store.h"]}
ONLY_HEADERS[("lab/commands", "lab")] = ["lab/command.h"]

# The traced search includes .c files that are also compiled alone.
UNITY = "src/search/trace.c"

# Tables that are filled once at the start, before a second thread exists; the tunables of the LAB=1 build; the listener of a
# thread's traced search; and whose callback a thread is in.
MUTABLE_GLOBALS = {
    "src/base/processor.c": ["answers"],
    "src/chess/attacks.c": ["attack_tables", "slider_table"],
    "src/chess/position.c": ["zobrist_keys"],
    "src/chess/draw.c": ["reversible_moves"],
    "src/nnue/embedded.c": ["provided", "provided_size"],
    "src/search/params.c": ["params", "techniques"],
    "src/search/trace.h": ["traced_by"],
    "src/library/library.c": ["tables"],
    "src/library/contract.c": ["reporting"],
}

# Calls that are confined to certain files or folders: (what, pattern, where allowed).
CONFINED = [
    ("allocation", r"\b(malloc|calloc|realloc|free|aligned_alloc|posix_memalign|mmap)\s*\(", ["src/base/memory.c"]),
    ("exit", r"\b(exit|_Exit|_exit|quick_exit|abort)\s*\(", ["src/cli/main.c", "lab/main.c", "lab/kit/process.c"]),
    # What comes from outside must not reach a terminal as it is: text_print escapes it. The two files of `main` print before
    # the processor is known to run anything else.
    ("printing", r"\b(printf|vprintf|puts|putchar|putc|fputs|fputc|fprintf|vfprintf|fwrite|perror)\b",
     ["src/base/progress.c", "src/base/text.c", "src/cli/main.c", "lab/main.c"]),
    ("printing raw", r"\bbuffer_print_raw\b", ["src/base/text.c", "src/base/text.h", "src/cli/", "lab/match/report.c",
      "lab/study/screen.c"]),
    # Temporary files have one origin, names of their own included (base/file). What grows is opened by ownership_take.
    ("creating files", r"\b(O_CREAT|mkstemp|mkostemp|tmpfile|creat|freopen|rename)\b",
     ["src/base/file.c", "lab/kit/ownership.c", "lab/kit/process.c", "lab/selfplay/datagen.c"]),
    ("streams of files", r"\bfopen\b",  # all of them read
     ["src/base/file.c", "src/base/memory.c", "src/tb/folder.c", "lab/data/record.c", "lab/kit/machine.c"]),
    ("standard streams", r"\b(stdout|stderr)\b",
     ["src/base/commands.c", "src/base/file.c", "src/base/progress.c", "src/base/system.c", "src/base/text.c", "src/uci/",
      "src/cli/", "lab/"]),
    ("raw threads", r"\b(pthread_(?!sigmask|kill|self)\w+|thrd_\w+|mtx_\w+|cnd_\w+)\s*\(", ["src/base/sync.c"]),
    ("longjmp", r"\b(setjmp|longjmp|sigsetjmp|siglongjmp)\b", []),
    ("volatile", r"\bvolatile\b(?!\s*\()", []),
]

FUNCTION_LINES = 100
LONG_FUNCTIONS = {"src/search/search.c": 200}  # the recursion
FILE_LINES = 700
FOLDER_MODULES = 17
# Each large technique of the search has its own file, each kind of reason, and each command.
LARGE_FOLDERS = {"src/search": 21, "src/explain": 20, "lab/commands": 20}


def blank_comments(text, keep_strings=False):
    """Replaces comments and the contents of literals by spaces. Keeps the lines."""
    token = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)

    def blank(match):
        found = match.group()
        if found[0] in "\"'":
            return found if keep_strings else found[0] + " " * (len(found) - 2) + found[0]
        return re.sub(r"[^\n]", " ", found)

    return token.sub(blank, text)


def blank_directives(text):
    """Replaces preprocessor lines (with continuations) and attributes by spaces."""
    pattern = r"^[ \t]*#(?:[^\n\\]|\\.|\\\n)*|__attribute__\s*\(\(.*?\)\)(?!\))"
    return re.sub(pattern, lambda m: re.sub(r"[^\n]", " ", m.group()), text, flags=re.M)


def top_level_items(code):
    """Yields (line, head, body, body_lines) for each declaration at file scope; body is None without braces."""
    depth, start, open_at, line, line_of_start, line_of_open = 0, 0, None, 1, 1, 1
    for index, character in enumerate(code):
        if character == "\n":
            line += 1
        if not code[start:index].strip():
            line_of_start = line
        if character == "{":
            if depth == 0 and open_at is None:
                open_at, line_of_open = index, line
            depth += 1
        elif character == "}":
            depth -= 1
            head = code[start:open_at] if open_at is not None else ""
            if depth == 0 and is_function_head(head):
                yield line_of_start, head.strip(), code[open_at:index + 1], line - line_of_start + 1
                start, open_at = index + 1, None
        elif character == ";" and depth == 0:
            body = code[open_at:index] if open_at is not None else None
            head = code[start:open_at if open_at is not None else index]
            if body is not None:  # after the braces: the objects of a type defined in the same declaration
                head += " {} " + body[body.rindex("}") + 1:]
            yield line_of_start, head.strip(), body, 0
            start, open_at = index + 1, None


def is_function_head(head):
    head = head.strip()
    return head.endswith(")") and "=" not in head and not re.match(r"(typedef\b)", head)


def is_mutable_variable(declaration, function_types=()):
    """Whether a declaration (without the braces of an initialiser) defines a mutable object."""
    text = re.sub(r"_Alignas\s*\([^)]*\)|_Static_assert.*", "", declaration, flags=re.S)
    text = text.split("=")[0].strip()
    if re.match(r"\w+", text) and re.match(r"\w+", text).group() in function_types:
        return False  # a prototype written with a function type
    if not text or re.match(r"(typedef|extern|_Static_assert)\b", text):
        return False
    if re.match(r"(static\s+|const\s+)*(struct|union|enum)\s*\w*\s*(\{\}\s*)?$", text):
        return False  # the declaration of a type
    function_pointer = re.match(r"[^()]*\(\s*\*", text)
    if "(" in text and not function_pointer:
        return False  # a prototype
    if function_pointer:
        return not re.search(r"\(\s*\*\s*const\b", text)
    text = re.sub(r"\[.*?\]", "", text, flags=re.S)
    after_pointer = text.rsplit("*", 1)[-1] if "*" in text else text
    return not re.search(r"\bconst\b", after_pointer)


def variable_name(declaration):
    text = re.sub(r"_Alignas\s*\([^)]*\)|\[.*?\]", "", declaration.split("=")[0], flags=re.S)
    pointer = re.search(r"\(\s*\*\s*(\w+)", text)
    names = re.findall(r"\w+", text)
    return pointer.group(1) if pointer else names[-1] if names else "?"


class Source:
    def __init__(self, path):
        self.path = path
        self.folder = path.rsplit("/", 1)[0]
        self.text = (ROOT / path).read_text(encoding="utf-8")
        self.code = blank_comments(self.text)
        self.includes = [
            (line, name)
            for line, content in enumerate(blank_comments(self.text, keep_strings=True).split("\n"), 1)
            for name in re.findall(r'^\s*#\s*include\s*"([^"]+)"', content)
        ]


def module(path):
    """The module of a file: x.c and x.h are one module."""
    return path.rsplit(".", 1)[0] if path.endswith((".c", ".h")) else path


def load_sources():
    paths = [p for pattern in ("src/**/*", "lab/**/*") for p in ROOT.glob(pattern)]
    return [Source(p.relative_to(ROOT).as_posix()) for p in sorted(paths) if p.suffix in (".c", ".h", ".def")]


def resolve(name):
    """The file that an include names, relative to src/ or the root, never to the including file."""
    for candidate in ("src/" + name, name):
        if (ROOT / candidate).is_file():
            return candidate
    return None


def check_includes(sources):
    for source in sources:
        allowed = LAYERS.get(source.folder)
        if allowed is None:
            yield f"{source.path}: the folder {source.folder} is in no layer"
            continue
        for line, name in source.includes:
            target = resolve(name)
            if target is None:
                yield f"{source.path}:{line}: \"{name}\" is not a file in src/ or the root"
                continue
            folder = target.rsplit("/", 1)[0]
            if folder != source.folder and folder not in allowed:
                yield f"{source.path}:{line}: {source.folder} must not include {target}"
            only = ONLY_HEADERS.get((source.folder, folder))
            if only is not None and target not in only:
                yield f"{source.path}:{line}: {source.folder} may include from {folder} {', '.join(only)} only"
            if target.endswith(".c") and source.path != UNITY:
                yield f"{source.path}:{line}: includes a .c file"


def module_graph(sources):
    graph = {}
    for source in sources:
        edges = graph.setdefault(module(source.path), set())
        if source.path == UNITY:
            continue
        edges.update(module(target) for _, name in source.includes if (target := resolve(name)) is not None)
        edges.discard(module(source.path))
    return graph


def check_cycles(sources):
    graph = module_graph(sources)
    done, path = set(), []

    def visit(node):
        if node in path:
            yield " -> ".join(path[path.index(node):] + [node])
            return
        if node in done:
            return
        path.append(node)
        for target in sorted(graph.get(node, ())):
            yield from visit(target)
        path.pop()
        done.add(node)

    for node in sorted(graph):
        yield from visit(node)


def function_name(head):
    """The name of the function that this declares or defines; None for anything else."""
    head = re.sub(r"__attribute__\s*\(\(.*?\)\)", "", head, flags=re.S).strip()
    if re.match(r"(typedef|_Static_assert)\b", head) or "=" in head or re.match(r"[^()]*\(\s*\*", head):
        return None
    match = re.match(r"[^(]*?\b(\w+)\s*\(", head)
    return match.group(1) if match else None


def check_declarations(sources):
    """A header must not declare what another module defines. Otherwise two modules could call each other without an
    include that the graph shows."""
    defined, declared = {}, []
    for source in sources:
        if not source.path.endswith((".c", ".h")):
            continue
        for line, head, _, length in top_level_items(blank_directives(source.code)):
            name = function_name(head)
            if name is None or re.match(r"static\b", head):
                continue
            if length:
                defined.setdefault(name, source.path)
            elif source.path.endswith(".h"):
                declared.append((source.path, line, name))
    for path, line, name in declared:
        home = defined.get(name)
        if home is not None and module(home) != module(path):
            yield f"{path}:{line}: declares {name}, which {home} defines"


def check_globals(sources):
    function_types = {name for source in sources
                      for name in re.findall(r"^typedef\s+[\w\s*]+?\b(\w+)\s*\([^)]*\);", source.code, flags=re.M)}
    for source in sources:
        named = MUTABLE_GLOBALS.get(source.path, [])
        code = blank_directives(source.code)
        for line, head, body, length in top_level_items(code):
            if length:  # a function: look for statics inside
                for match in re.finditer(r"(?<=[;{}])\s*((?:static|_Thread_local)\b[^;{]*)", body):
                    if is_mutable_variable(match.group(1)):
                        at = line + head.count("\n") + body.count("\n", 0, match.start(1))
                        yield f"{source.path}:{at}: mutable static {variable_name(match.group(1))}"
            elif source.path.endswith((".c", ".h")) and is_mutable_variable(head, function_types):
                if variable_name(head) not in named:
                    yield f"{source.path}:{line}: mutable global {variable_name(head)}"


def leading_includes(text):
    """The includes at the top of a file, up to the first other line that is not blank."""
    names = []
    for line in blank_comments(text, keep_strings=True).split("\n"):
        match = re.match(r'#\s*include\s*([<"][^>"]+[>"])', line)
        if match:
            names.append(match.group(1))
        elif names and line.strip():
            break
    return names


def check_include_order(sources):
    for source in sources:
        names = leading_includes(source.text)
        own = '"' + module(source.path).removeprefix("src/") + '.h"'
        first = [own] if source.path.endswith(".c") and own in names else []
        expected = first + sorted(n for n in names if n not in first and n[0] == '"')
        expected += sorted(n for n in names if n[0] == "<")
        if names != expected:
            wrong = next(i for i, name in enumerate(expected) if names[i] != name)
            yield f"{source.path}: {names[wrong]} is where {expected[wrong]} belongs"


def check_guards(sources):
    for source in sources:
        guard = "LUFT_" + "_".join(module(source.path).split("/")[-2:]).upper() + "_H"
        if source.path.endswith(".h") and not re.search(rf"^#ifndef {guard}\n#define {guard}\n", source.text, re.M):
            yield f"{source.path}: its guard is not {guard}"


def check_lengths(sources):
    for source in sources:
        lines = source.text.count("\n")
        if lines > FILE_LINES and source.path.endswith((".c", ".h")):
            yield f"{source.path}: {lines} lines, more than {FILE_LINES}"
        for line, head, _, length in top_level_items(blank_directives(source.code)):
            if length > LONG_FUNCTIONS.get(source.path, FUNCTION_LINES):
                name = re.search(r"(\w+)\s*\(", head)
                yield f"{source.path}:{line}: {name.group(1) if name else head} has {length} lines"


def folders_of(sources):
    """The modules of each folder, both in the order of LAYERS."""
    return {folder: sorted({pathlib.PurePath(module(s.path)).name for s in sources if s.folder == folder
                            and s.path.endswith((".c", ".h"))}) for folder in LAYERS}


def check_folders(sources):
    for folder, modules in folders_of(sources).items():
        if len(modules) > LARGE_FOLDERS.get(folder, FOLDER_MODULES):
            yield f"{folder} has {len(modules)} modules"


def show(sources):
    """Prints the layers from the top down: each folder, its number of modules, and their order."""
    graph = module_graph(sources)
    for folder, modules in reversed(folders_of(sources).items()):
        heights = {}

        def height(name):
            if name not in heights:
                below = [pathlib.PurePath(t).name for t in graph.get(f"{folder}/{name}", ()) if t.rsplit("/", 1)[0] == folder]
                heights[name] = 1 + max((height(other) for other in below if other in modules and other != name), default=-1)
            return heights[name]

        rows = [[m for m in modules if height(m) == level] for level in range(len(modules))]
        print(f"{folder} ({len(modules)}): " + " < ".join(", ".join(row) for row in rows if row))


def check_confined(sources, pattern, places):
    for source in sources:
        if any(source.path == place or (place.endswith("/") and source.path.startswith(place)) for place in places):
            continue
        for match in re.finditer(pattern, blank_directives(source.code)):
            line = source.code.count("\n", 0, match.start()) + 1
            yield f"{source.path}:{line}: {match.group().strip('( ')}"


def check_switches(sources):
    """Each technique tests its switch in one place, its rule; callers do not test it."""
    names = re.findall(r"^TECHNIQUE\((\w+)", "\n".join(s.text for s in sources if s.path.endswith("techniques.def")), flags=re.M)
    read = {name: [] for name in names}
    for source in sources:
        for match in re.finditer(r"\btechniques\.(\w+)", blank_directives(source.code)):
            place = f"{source.path}:{source.code.count(chr(10), 0, match.start()) + 1}"
            read.setdefault(match.group(1), []).append(place)
    for name, places in read.items():
        if len(places) != 1:
            yield f"techniques.{name} is tested {'in ' + ' and '.join(places) if places else 'nowhere'}"


def longest_function(sources):
    longest = (0, "none")
    for source in sources:
        for line, head, _, length in top_level_items(blank_directives(source.code)):
            name = re.search(r"(\w+)\s*\(", head)
            longest = max(longest, (length, f"{name.group(1) if name else head} in {source.path}:{line}"))
    return longest


def main():
    sources = load_sources()
    if SHOW:
        show(sources)
        return 0
    rules = [
        ("includes point downward", check_includes(sources)),
        ("no cycle between modules", check_cycles(sources)),
        ("headers declare what their own module defines", check_declarations(sources)),
        ("includes are in order: own header, ours sorted, the system's sorted", check_include_order(sources)),
        ("guards are named LUFT_<FOLDER>_<FILE>_H", check_guards(sources)),
        ("no mutable global outside the named ones", check_globals(sources)),
        (f"functions up to {FUNCTION_LINES} lines (the search recursion 200), files up to {FILE_LINES}",
         check_lengths(sources)),
    ]
    rules.append((f"up to {FOLDER_MODULES} modules a folder", check_folders(sources)))
    rules.append(("the switch of a technique is tested once", check_switches(sources)))
    rules += [(f"{what} only where allowed", check_confined(sources, pattern, places))
              for what, pattern, places in CONFINED]
    failed = 0
    print(f"1..{len(rules)}")
    for number, (name, offences) in enumerate(rules, 1):
        offences = sorted(set(offences))
        failed += bool(offences)
        print(f"{'not ok' if offences else 'ok'} {number} - {name}")
        for offence in offences:
            print(f"  {offence}")
    lines, where = longest_function(sources)
    print(f"# {len(sources)} files; the longest function has {lines} lines: {where}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
