"""A UCI engine for the speed comparisons: sends commands, waits for an answer, reads its processor time."""

import os
import pathlib
import re
import subprocess
import sys
import time


class Engine:
    def __init__(self, command, **options):
        self.process = subprocess.Popen([command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.name = self.ask("uci", r"id name (.*)").group(1)
        self.wait(r"uciok")
        for name, value in options.items():
            self.send(f"setoption name {name} value {value}")
        self.ask("isready", r"readyok")

    def send(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def wait(self, pattern, note=None):
        """Returns the match of the next line that fits. `note`, if given, is called with every line before it."""
        for line in self.process.stdout:
            found = re.match(pattern, line.strip())
            if found:
                return found
            if note:
                note(line)
        sys.exit(f"{self.process.args[0]} ended before it printed '{pattern}'")

    def ask(self, line, pattern, note=None):
        self.send(line)
        return self.wait(pattern, note)

    def seconds(self):
        """Processor time of all threads so far; wall-clock time on systems other than Linux."""
        try:
            fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
            return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        except OSError:
            return time.perf_counter()
