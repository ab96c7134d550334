"""Draws the pictures of docs/search.md: small trees with and without a technique, side by side.

    python3 tests/tools/tree_pictures.py [./luft]     writes docs/trees/<technique>.svg

Draw them again when the search or the network changes, like the figures of the page."""

import pathlib
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
FOLDER = pathlib.Path(__file__).resolve().parent.parent.parent / "docs" / "trees"


def draw(luft):
    FOLDER.mkdir(exist_ok=True)
    for technique, fen, depth, rows, plies in PICTURES:
        command = [luft, "tree", fen, "--depth", str(depth), "--rows", str(rows), "--plies", str(plies), "--svg", "--without", technique]
        picture = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        (FOLDER / f"{technique}.svg").write_text(picture)


if __name__ == "__main__":
    draw(sys.argv[1] if len(sys.argv) > 1 else "./luft")
