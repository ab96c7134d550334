"""Forced mates are found: 200 positions from Luft's own games with mates in 3 to 10 moves, each found by a search of at least a
million nodes. With 100,000 nodes a position Luft found 140 when this was written, 126 with the shortest mate (Stockfish 15.1: 173
and 108). The test requires somewhat less, because every change of the search reorders the tree. A run tests every fifth position;
LUFT_TEST_FULL=1 tests all and prints both counts."""

import os
import pathlib
import re
import unittest

from uci_engine import Engine

FULL = os.environ.get("LUFT_TEST_FULL") == "1"
NODES = 100_000
SEEN, SHORTEST = 0.62, 0.55  # shares of the positions


def positions():
    """Pairs of a FEN and its shortest known mate, in moves."""
    lines = (pathlib.Path(__file__).parent / "support/mates.epd").read_text(encoding="ascii").splitlines()
    found = [re.fullmatch(r"(.+) dm (\d+);", line).groups() for line in lines if not line.startswith("#")]
    return [(fen, int(moves)) for fen, moves in found]


def mate_seen(engine, fen):
    """The last mate that a search of NODES reports, in moves; None if there is none, or if the engine is mated."""
    search = engine.search("ucinewgame", f"position fen {fen} 0 1", f"go nodes {NODES}")
    last = search.last(exact=True)
    return last.score if last.kind == "mate" and last.score > 0 else None


class Mates(unittest.TestCase):
    def test_forced_mates_are_found(self):
        chosen = positions()[:: 1 if FULL else 5]
        with Engine() as engine:
            mates = [(mate_seen(engine, fen), moves) for fen, moves in chosen]
        seen = sum(mate is not None for mate, _ in mates)
        shortest = sum(mate is not None and mate <= moves for mate, moves in mates)
        if FULL:
            print(f"of {len(mates)} mates {seen} seen, {shortest} of them the shortest", flush=True)
        self.assertGreaterEqual(seen, SEEN * len(mates))
        self.assertGreaterEqual(shortest, SHORTEST * len(mates))

    def test_the_positions_are_two_hundred_mates_of_three_moves_and_more(self):
        self.assertEqual(len(positions()), 200)
        self.assertEqual(len({fen for fen, _ in positions()}), 200)
        for fen, moves in positions():
            self.assertTrue(3 <= moves <= 12, fen)


if __name__ == "__main__":
    unittest.main()
