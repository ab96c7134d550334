#!/usr/bin/env python3
"""Plays a game of Luft against a player that moves at random: random_game.py [SEED]. Needs bindings/python and libluft."""

import random
import sys

import luft


def main():
    rng = random.Random(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
    moves, text = [], []
    with luft.Engine({"Hash": 4}) as engine:
        while True:
            engine.position(moves=moves)
            legal = engine.legal_moves()
            if not legal or len(moves) == 300:
                break
            move = engine.play(nodes=3000) if len(moves) % 2 else rng.choice(legal)
            text.append((f"{len(moves) // 2 + 1}. " if len(moves) % 2 == 0 else "") + engine.san(move))
            moves.append(move)
        print(" ".join(text))
        print("mated" if not legal and engine.in_check() else "not mated", "after", len(moves), "plies")


if __name__ == "__main__":
    main()
