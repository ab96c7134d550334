"""A small terminal emulator: shows what a user sees of a program on a pseudo-terminal. Standard library only.

It supports the control sequences that `luft` uses, and fails on any other.
"""

import codecs
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time
import unicodedata

from patience import HANG

SEQUENCE = re.compile(r"\x1b\[([\d;]*)([A-Za-z])")


class Screen:
    """Rows of characters. A full row wraps at the next character, like in xterm. `reflows`: a change of the width wraps lines
    again (VTE, tmux); otherwise it cuts them (xterm)."""

    def __init__(self, columns, rows, reflows=False):
        self.columns, self.rows, self.reflows = columns, rows, reflows
        self.lines = [""]       # including lines that have scrolled off
        self.wrapped = [False]  # whether the line continues in the next one
        self.row = self.column = 0
        self.pending = ""
        self.saved = (0, 0)

    @property
    def top(self):
        """The line in the first row of the window."""
        return max(0, len(self.lines) - self.rows)

    def visible(self):
        return [line.rstrip() for line in self.lines[self.top:]]

    def everything(self):
        return [line.rstrip() for line in self.lines]

    def feed(self, text):
        text = self.pending + text
        self.pending, at = "", 0
        while at < len(text):
            if text[at] != "\x1b":
                self._put(text[at])
                at += 1
                continue
            match = SEQUENCE.match(text, at)
            if text[at:at + 2] in ("\x1b7", "\x1b8"):
                self._save_or_restore(text[at + 1])
                at += 2
                continue
            if match is None:
                if re.fullmatch(r"\x1b(\[[\d;]*)?", text[at:]):
                    self.pending = text[at:]
                    return
                raise ValueError(f"an unknown sequence: {text[at:at + 12]!r}")
            self._control(match.group(1), match.group(2))
            at = match.end()

    def resize(self, columns, rows):
        if self.reflows and columns != self.columns:
            self._reflow(columns)
        elif columns < self.columns:
            self.lines = [line[:columns] for line in self.lines]
        self.columns, self.rows = columns, rows
        self.column = min(self.column, columns)

    def _reflow(self, columns):
        lines, wrapped, row = [], [], 0
        start = 0
        while start < len(self.lines):
            end = start
            while self.wrapped[end]:
                end += 1
            text = "".join(self.lines[start:end + 1])
            parts = [text[i:i + columns] for i in range(0, max(1, len(text)), columns)]
            if start <= self.row <= end:
                row = len(lines) + len(parts) - 1
            lines += parts
            wrapped += [True] * (len(parts) - 1) + [False]
            start = end + 1
        self.lines, self.wrapped, self.row = lines, wrapped, row

    def _line_feed(self):
        self.row += 1
        if self.row == len(self.lines):
            self.lines.append("")
            self.wrapped.append(False)

    def _put(self, character):
        if character == "\r":
            self.column = 0
        elif character == "\n":
            self._line_feed()
        elif character == "\a":
            pass
        elif character == "\b":
            self.column = max(0, self.column - 1)
        elif unicodedata.category(character) == "Cc":
            raise ValueError(f"an unknown control character: {character!r}")
        elif character != "\ufe0e":  # a variation selector, takes no cell
            if self.column >= self.columns:
                self.wrapped[self.row] = True
                self._line_feed()
                self.column = 0
            line = self.lines[self.row].ljust(self.column)
            self.lines[self.row] = line[:self.column] + character + line[self.column + 1:]
            self.column += 1

    def _control(self, parameters, final):
        number = int(parameters or 0) if parameters.isdigit() or not parameters else None
        if final == "A" and number is not None:
            self.row = max(self.top, self.row - max(1, number))
        elif final == "K" and number == 0:
            self.lines[self.row] = self.lines[self.row][:self.column]
            self.wrapped[self.row] = False
        elif final == "H":
            row, column = (int(word) - 1 for word in (parameters or "1;1").split(";"))
            self._fill()
            self.row, self.column = self.top + min(row, self.rows - 1), column
        elif final == "J" and number in (0, 2):
            first = self.top if number == 2 else self.row + 1
            if number == 0:
                self.lines[self.row] = self.lines[self.row][:self.column]
            for row in range(first, len(self.lines)):
                self.lines[row], self.wrapped[row] = "", False
        elif final != "m":
            raise ValueError(f"an unknown sequence: ESC [ {parameters}{final}")

    def _save_or_restore(self, character):
        if character == "7":
            self.saved = (self.row - self.top, self.column)
        else:
            self.row, self.column = self.top + self.saved[0], self.saved[1]

    def _fill(self):
        """Adds empty rows, so the window has all its rows."""
        while len(self.lines) < self.rows:
            self.lines.append("")
            self.wrapped.append(False)


def take(leader):
    """What has come from a terminal; b"" at the end of its output."""
    try:
        return os.read(leader, 65536)
    except OSError:  # how Linux reports the end
        return b""


def take_all(leader):
    return b"".join(iter(lambda: take(leader), b""))


class Session:
    """A program that runs on its own terminal."""

    def __init__(self, command, columns=80, rows=24, reflows=False, **environment):
        self.screen = Screen(columns, rows, reflows)
        self.leader, follower = pty.openpty()
        self._set_size(columns, rows)
        env = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "TERM")}
        self.process = subprocess.Popen(command, stdin=follower, stdout=follower, stderr=follower, start_new_session=True,
                                        env=dict(env, TERM="xterm-256color", **environment),
                                        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
        os.close(follower)
        self.decoder = codecs.getincrementaldecoder("utf-8")()
        self.is_open = True

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        if self.leader is not None:
            os.close(self.leader)

    def _set_size(self, columns, rows):
        fcntl.ioctl(self.leader, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def resize(self, columns, rows):
        self._set_size(columns, rows)
        self.screen.resize(columns, rows)

    def read(self, seconds):
        """Shows output that arrives within that time; False at the end of the output."""
        deadline = time.monotonic() + seconds
        while self.is_open:
            ready, _, _ = select.select([self.leader], [], [], max(0, deadline - time.monotonic()))
            if not ready:
                return True
            data = take(self.leader)
            self.is_open = bool(data)
            self.screen.feed(self.decoder.decode(data))
        return False

    def read_until(self, pattern, patience=HANG):
        """Reads until some visible row matches."""
        deadline = time.monotonic() + patience
        while not any(re.search(pattern, row) for row in self.screen.visible()):
            if time.monotonic() > deadline or not self.read(0.05):
                if any(re.search(pattern, row) for row in self.screen.visible()):
                    return
                raise AssertionError(f"no row matches {pattern!r}:\n" + "\n".join(self.screen.visible()))

    def send(self, *lines):
        for line in lines:
            os.write(self.leader, (line + "\n").encode())

    def end(self):
        """Reads to the end; returns the exit status."""
        deadline = time.monotonic() + HANG
        while self.read(0.2):
            if time.monotonic() > deadline:
                raise AssertionError("the program does not end:\n" + "\n".join(self.screen.visible()))
        return self.process.wait(HANG)

    def signal(self, number=signal.SIGINT):
        self.process.send_signal(number)

    def close(self):
        """Closes the window: the program gets SIGHUP."""
        os.close(self.leader)
        self.leader = None
        return self.process.wait(HANG)
