"""Draws the pictures of docs/search.md: small trees with and without a technique, side by side.

    make trees                                        writes docs/trees/<technique>.svg and the tree in docs/explain.md
    python3 tests/tools/tree_pictures.py [./luft] [--check]     the same; with --check it only names what has changed

They change when the search or the network does; then read the sentences next to them again."""

import pathlib
import re
import shlex
import subprocess
import sys

PICTURES = [  # technique, position, plies of the search, rows, plies shown
    ("null_move", "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3", 8, 26, 1),
    ("futility", "Q7/p5pk/2p5/1p3b1p/3P2p1/2P1P2q/P4P1B/2R2RK1 b - - 0 29", 8, 24, 4),
    ("late_move_pruning", "8/k1r3p1/7p/8/p5KP/5P2/1R4P1/8 w - - 0 42", 6, 24, 3),
    ("late_move_reductions", "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3", 6, 26, 1),
    ("singular_extensions", "8/1p5p/6p1/2P5/1P2k3/P3qp1Q/8/5K2 w - - 6 44", 13, 24, 3),
    ("quiescence_see", "1r4k1/5ppp/8/8/8/8/1P3PPP/4R1K1 b - - 0 1", 2, 24, 3),
]
DOCS = pathlib.Path(__file__).resolve().parent.parent.parent / "docs"
QUOTED = re.compile(r"(?<=```\n)\$ luft (tree .*)\n((?:.+\n)+)(?=```\n)")


def run(luft, *words):
    return subprocess.run([luft, *words], capture_output=True, text=True, check=True).stdout


def draw(luft):
    """What the documents should have: the text of each file."""
    files = {}
    for technique, fen, depth, rows, plies in PICTURES:
        files[DOCS / "trees" / f"{technique}.svg"] = run(luft, "tree", fen, "--depth", str(depth), "--rows", str(rows),
                                                         "--plies", str(plies), "--svg", "--without", technique)
    page = DOCS / "explain.md"

    def quote(match):  # as many lines as before
        lines = run(luft, *shlex.split(match.group(1))).splitlines(keepends=True)
        return f"$ luft {match.group(1)}\n" + "".join(lines[:match.group(2).count("\n")])

    files[page], count = QUOTED.subn(quote, page.read_text())
    assert count > 0, "docs/explain.md quotes no tree"
    return files


def main(words):
    check = "--check" in words
    luft = next((word for word in words if word != "--check"), "./luft")
    stale = {path: text for path, text in draw(luft).items() if not path.exists() or path.read_text() != text}
    for path, text in stale.items():
        print(path.relative_to(DOCS.parent), "is of another search: make trees" if check else "is new: read what the page says of it")
        if not check:
            path.write_text(text)
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
