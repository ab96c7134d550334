"""A thousand rounds of commands at random moments: the engine must not hang, crash, or answer in the wrong order.

ROUNDS and SEED can be set in the environment. If LUFT names a build with the thread sanitizer, the test also finds races: the
sanitizer then ends the engine with its report.
"""

import os
import random
import time
import unittest

from patience import HANG
from uci_engine import Engine

ROUNDS = int(os.environ.get("ROUNDS", "1000"))
SEED = int(os.environ.get("SEED", "20240229"))
POSITIONS = ("startpos", "startpos moves e2e4 e7e5 g1f3", "fen 8/8/8/8/8/6k1/6p1/6K1 w - - 0 1",
             "fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
             "fen 7k/7P/6K1/8/3B4/8/8/8 b - - 0 1", "fen 8/8/8/4k3/8/8/4P3/4K3 w - - 99 80", "fen bad", "startpos moves e2e5")
GOES = ("infinite", "ponder wtime 100 btime 100", "ponder", "depth 3", "movetime 5", "nodes 300", "wtime 20 btime 20", "",
        "ponder depth 2", "infinite depth 2", "mate 1 movetime 10", "depth x", "wtime 0 btime 0 movestogo 1")
OPTIONS = ("Hash value 1", "Hash value 4", "Hash value 0", "Clear Hash", "MultiPV value 1", "MultiPV value 3",
           "Move Overhead value 0", "UCI_Chess960 value true", "UCI_Chess960 value false", "Nonsense value 1",
           "Ponder value true", "UCI_ShowWDL value true", "UCI_ShowWDL value false", "UCI_AnalyseMode value true",
           "UCI_AnalyseMode value false")
OTHERS = ("isready", "isready", "stop", "stop", "ponderhit", "ucinewgame", "uci", "d", "eval", "junk", "go perft 2")


class RandomTiming(unittest.TestCase):
    def round_of(self, random_source):
        """The commands of one round, with the pauses before them in seconds. A stop follows each `go`."""
        commands = []
        for _ in range(random_source.randint(2, 9)):
            kind = random_source.random()
            if kind < 0.35:
                command = f"go {random_source.choice(GOES)}"
            elif kind < 0.5:
                command = f"position {random_source.choice(POSITIONS)}"
            elif kind < 0.6:
                command = f"setoption name {random_source.choice(OPTIONS)}"
            else:
                command = random_source.choice(OTHERS)
            commands.append((random_source.choice((0, 0, 0, 0.0005, 0.002, 0.006)), command))
        return commands

    def test_random_moments(self):
        random_source = random.Random(SEED)
        with Engine() as engine:
            for number in range(ROUNDS):
                commands = self.round_of(random_source)
                expected = 0
                for pause, command in commands:
                    if pause:
                        time.sleep(pause)
                    engine.send(command)
                    expected += command.startswith("go") and command not in ("go depth x", "go perft 2")
                self.drain(engine, number, commands, expected)
            self.assertEqual(engine.close(), 0)

    def drain(self, engine, number, commands, expected):
        """Sends stops until every search has answered. Each `go` must get one best move, in order."""
        answered = 0
        deadline = time.monotonic() + HANG
        engine.send("stop", "isready")
        readies = 1 + sum(command == "isready" for _, command in commands)
        while answered < expected or readies > 0:
            line = engine.read_line(60)
            self.assertIsNotNone(line, f"round {number}, seed {SEED}: the engine died at {commands}")
            self.assertLess(time.monotonic(), deadline, f"round {number}, seed {SEED}: no end of {commands}")
            if line == "readyok":
                readies -= 1
            if line.startswith("bestmove "):
                answered += 1
            if line == "readyok" or line.startswith("bestmove "):
                if answered < expected and readies <= 0:
                    engine.send("stop", "isready")
                    readies += 1
                    time.sleep(0.0005)
        self.assertEqual((answered, readies), (expected, 0), f"round {number}, seed {SEED}: {commands}")


if __name__ == "__main__":
    unittest.main()
