"""Another engine that evaluates positions to a depth, with one thread and a small table."""

import subprocess

MATE = 10000  # centipawns for a mate


class Referee:
    def __init__(self, path):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.say("setoption name Hash value 64")

    def say(self, line):
        self.process.stdin.write(line + "\n")

    def forget(self):
        self.say("ucinewgame")

    def search(self, fen, depth, move=None):
        """Returns (score in centipawns, line)."""
        self.say(f"position fen {fen}")
        self.say(f"go depth {depth}" + (f" searchmoves {move}" if move else ""))
        score, line = 0, []
        for text in self.process.stdout:
            words = text.split()
            if text.startswith("bestmove"):
                return score, line
            if "pv" in words and "score" in words and "lowerbound" not in words and "upperbound" not in words:
                kind, value = words[words.index("score") + 1:][:2]
                score = int(value) if kind == "cp" else MATE * (1 if int(value) > 0 else -1)
                line = words[words.index("pv") + 1:]
        raise EOFError("the referee ended")

    def close(self):
        self.say("quit")
        self.process.wait(20)
        self.process.stdin.close()
        self.process.stdout.close()
