"""Runs the commands of docs/search.md again and updates the output that the page shows.

    make LAB=1 EXE=build/lab/luft
    python3 tests/tools/search_examples.py            shows the lines that would change
    python3 tests/tools/search_examples.py --write    changes them

Each line of output keeps its depth and gets today's score, nodes and moves. The choice of depths and the text around them are
not updated: read the page again after a change."""

import difflib
import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PAGE = ROOT / "docs" / "search.md"
BLOCK = re.compile(r"^```\n(.*?)^```\n", re.M | re.S)
FIELDS = ("score", "nodes", "pv")
MOVES_SHOWN = 3


def run(command):
    """Runs a command of the page; returns the static value or bench nodes, and the last exact line of each depth."""
    words = shlex.split(command.replace("\\\n", " "))
    output = subprocess.run([str(ROOT / words[0]), *words[1:]], capture_output=True, text=True, check=True, cwd=ROOT).stdout
    depths = {}
    for line in output.splitlines():
        info = re.match(r"info depth (\d+) .*?score (cp -?\d+|mate -?\d+) (?!upperbound|lowerbound).*?nodes (\d+).* pv (.*)", line)
        if info:
            depth, score, nodes, moves = info.groups()
            depths[int(depth)] = {"score": score, "nodes": nodes, "pv": " ".join(moves.split()[:MOVES_SHOWN])}
    singles = re.findall(r"^(value: .*|\d+ nodes)", output, re.M)
    return singles[-1] if singles else None, depths


def in_columns(rows):
    """Aligns rows of cells: each column is as wide as its widest cell."""
    widths = [max(len(row[i]) for row in rows if i < len(row)) for i in range(max(map(len, rows)))]
    return ["  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows]


def updated_output(command, lines):
    """The lines of output with today's figures."""
    single, depths = run(command)
    singles, rows = [], []
    for line in lines:
        depth = re.match(r"  depth (\d+)", line)
        if depth is None:
            singles.append(f"  {single}")
            continue
        found = depths.get(int(depth.group(1)))
        if found is None:
            sys.exit(f"search_examples.py: no line of depth {depth.group(1)} in the output of\n{command}")
        named = [field for field in FIELDS if re.search(rf"\b{field} ", line)]
        rows.append([f"depth {depth.group(1)}", *(f"{field} {found[field]}" for field in named)])
    return singles + (in_columns(rows) if rows else [])


def refresh_block(match):
    """A block with today's outputs; one without commands of the engine is left alone."""
    text = match.group(1)
    if not re.match(r'(build/lab|\.)/luft "', text):
        return match.group(0)
    answer, command, lines = [], "", []

    def finish():
        if command:
            answer.append(command)
            answer.extend(line + "\n" for line in updated_output(command, lines))

    for line in text.splitlines(keepends=True):
        if line.startswith("  ") and not command.endswith("\\\n"):
            lines.append(line.rstrip())
        elif command.endswith("\\\n"):
            command += line
        else:
            finish()
            command, lines = line, []
    finish()
    return "```\n" + "".join(answer) + "```\n"


def main():
    before = PAGE.read_text()
    after = BLOCK.sub(refresh_block, before)
    if "--write" in sys.argv[1:]:
        PAGE.write_text(after)
    else:
        sys.stdout.writelines(difflib.unified_diff(before.splitlines(True), after.splitlines(True), "now", "today", n=1))


if __name__ == "__main__":
    main()
