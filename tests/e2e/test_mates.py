"""Forced mates are found, by the side that gives them and by the side that suffers them: 200 positions from Luft's own games with
mates in 3 to 10 moves, each found by a search of at least a million nodes, and 100 of them after the first move. With 100,000 nodes
a position Luft finds 140 and 75 of them (network 16), Stockfish 15.1 173 and 84. The test requires somewhat less, because every
change of the search reorders the tree. A run tests every fifth position; LUFT_TEST_FULL=1 tests all and prints both counts."""

import os
import pathlib
import re
import unittest

from uci_engine import Engine

FULL = os.environ.get("LUFT_TEST_FULL") == "1"
NODES = 100_000
SEEN, SHORTEST = 0.62, 0.55  # shares of the positions


def positions(name):
    """Pairs of a FEN and its shortest known mate, in moves; negative when the side to move is mated."""
    lines = (pathlib.Path(__file__).parent / f"support/{name}.epd").read_text(encoding="ascii").splitlines()
    found = [re.fullmatch(r"(.+) dm (-?\d+);", line).groups() for line in lines if not line.startswith("#")]
    return [(fen, int(moves)) for fen, moves in found]


def mate_seen(engine, fen, moves):
    """The moves of the last mate that a search of NODES reports; None if there is none, or if it is one of the other side."""
    search = engine.search("ucinewgame", f"position fen {fen} 0 1", f"go nodes {NODES}")
    last = search.last(exact=True)
    return abs(last.score) if last.kind == "mate" and (last.score > 0) == (moves > 0) else None


class Mates(unittest.TestCase):
    def check(self, name):
        chosen = positions(name)[:: 1 if FULL else 5]
        with Engine() as engine:
            mates = [(mate_seen(engine, fen, moves), abs(moves)) for fen, moves in chosen]
        seen = sum(mate is not None for mate, _ in mates)
        shortest = sum(mate is not None and mate <= moves for mate, moves in mates)
        if FULL:
            print(f"{name}: of {len(mates)} mates {seen} seen, {shortest} of them the shortest", flush=True)
        self.assertGreaterEqual(seen, SEEN * len(mates))
        self.assertGreaterEqual(shortest, SHORTEST * len(mates))

    def test_forced_mates_are_found(self):
        self.check("mates")

    def test_forced_mates_are_seen_by_the_side_that_suffers_them(self):
        self.check("mated")

    def test_the_positions_are_mates_of_three_moves_and_more(self):
        for name, count, sign in (("mates", 200, 1), ("mated", 100, -1)):
            self.assertEqual(len(positions(name)), count)
            self.assertEqual(len({fen for fen, _ in positions(name)}), count)
            for fen, moves in positions(name):
                self.assertTrue(3 <= sign * moves <= 12, fen)


if __name__ == "__main__":
    unittest.main()
