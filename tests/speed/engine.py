"""A UCI engine as the speed comparisons need it: lines in, one awaited answer out, and its processor time."""

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
        """The next line that fits; `note`, if given, gets every line before it."""
        for line in self.process.stdout:
            found = re.match(pattern, line.strip())
            if found:
                return found
            if note:
                note(line)
        sys.exit(f"{self.process.args[0]} ended while '{pattern}' was awaited")

    def ask(self, line, pattern, note=None):
        self.send(line)
        return self.wait(pattern, note)

    def seconds(self):
        """Processor time used so far, by all threads; the wall clock where Linux does not tell."""
        try:
            fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
            return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        except OSError:
            return time.perf_counter()
