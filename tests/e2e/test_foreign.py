"""What comes from outside steers no terminal: control characters, bytes that are no UTF-8 and the direction of text are fed to
every option and input of every command. Each must come out escaped, if at all, and other UTF-8 as it is."""

import os
import pathlib
import pty
import re
import stat
import subprocess
import tempfile
import unicodedata
import unittest

import terminal
from patience import HANG

PROGRAMS = {"luft": os.environ["LUFT"], "luft-lab": os.environ["LUFT_LAB"]}

# Colours, a bell, the C1 form of a control sequence as UTF-8 and alone, the direction of text, an end of line, no UTF-8.
HOSTILE = b"\x1b[31mR\x07\xc2\x9b1m\xe2\x80\xaeE\x9b2J\xe2\x80\xa8\xff\x7fD"
GOOD = "Mü♘🙂".encode()
WORD = GOOD + HOSTILE
FEN = b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
SECONDS = 3  # for a command that found work to do in what it was given

ENGINE = b"""#!/bin/sh
while read -r word rest; do case $word in
uci) echo 'id name NAME'; echo 'option name NAME type string default NAME'; echo 'option name Hash type spin default 1 min 1 max 9'
     echo uciok;;
setoption) echo 'info string error NAME';;
isready) echo 'NAME'; echo readyok;;
go) echo 'NAME' >&2; echo 'info depth 1 score cp 1 pv NAME'; echo 'info string NAME'; echo 'bestmove NAME';;
quit) exit;;
esac; done
"""

GAME = b"""[Event "NAME"]
[White "NAME"]
[Black "NAME"]
[Opening "NAME"]
[Result "1-0"]

1. e4 {NAME} e5 (1... NAME) 2. Nf3 $1 Nc6 ; NAME
3. Bb5 1-0

[Event "NAME"]

1. e4 NAME 1-0

[Event "NAME"]
[FEN "NAME"]

1. e4 *
"""

# What a command may find in a file.
FILES = {
    "game.pgn": GAME,
    "moves.txt": FEN + b" e2e4\n" + FEN + b" NAME\nNAME\n",
    "positions.fen": FEN + b"\n8/8/8/8/NAME/8/8/8 w - - 0 1\nNAME\n",
    "suite.epd": FEN[:-4] + b' bm NAME; id "NAME";\n' + FEN[:-4] + b" dm NAME;\n" + FEN[:-4] + b' bm e4; id "NAME"; c0 NAME;\n'
                 + FEN[:-4] + b" NAME x;\n",
    "games.text": b"standard; 1-0; rules; NAME -\nNAME; 1-0; rules; e2e4 -\n",
    "table.tsv": b"engine\tNAME\nNAME\t1\n",
}


def offences(output):
    """The characters that steer a terminal, cannot be seen or are no UTF-8."""
    text = output.decode(errors="surrogateescape")
    return sorted({repr(c) for c in text if c not in "\n\t" and unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp")})


def helps(program, *command):
    """The text of each help: (command, text). An action of `data` and `net` is a command of its own."""
    text = subprocess.run([program, *command, "--help"], capture_output=True, text=True, timeout=HANG).stdout
    yield command, text
    if not command or " ACTION " in text.split("\n", 1)[0]:
        for name in re.findall(r"^  ([a-z]+)  ", text.split("Examples:")[0], re.M):
            yield from (helps(program, *command, name) if name != "luft" else ())


def option_words(text):
    """What stands before a hostile word: nothing, an option, or an option and the beginning of a word."""
    yield (), b""
    option = None
    for line in text.split("Examples:")[0].split("\n"):
        if match := re.match(r" +(--[A-Za-z0-9-]+)", line):
            option = match.group(1)
            yield (option,), b""
        elif option and (match := re.match(r"    ([a-z]+=)", line)):
            yield (option,), match.group(1).encode()


class Foreign(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        for name, content in FILES.items():
            (self.folder / name).write_bytes(content.replace(b"NAME", WORD))
            with open(os.fsencode(self.folder) + b"/" + HOSTILE + name.encode(), "wb") as file:
                file.write(content.replace(b"NAME", WORD))
        self.engine = self.folder / "engine"
        self.engine.write_bytes(ENGINE.replace(b"NAME", WORD))
        self.engine.chmod(self.engine.stat().st_mode | stat.S_IXUSR)

    def run_on(self, *command, entered=b""):
        """The output and the errors of a command, which must show nothing that steers a terminal."""
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   cwd=self.folder, env=dict(os.environ, HOME=str(self.folder)), start_new_session=True)
        try:
            shown = process.communicate(entered, timeout=SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            shown = process.communicate()
        for output in shown:
            self.assertEqual(offences(output), [], f"{command}: {output[-2000:]}")
        self.assertLessEqual(process.returncode, 4)
        return b"".join(shown)

    def test_every_option_of_every_command(self):
        runs = shown = 0
        for program in PROGRAMS.values():
            for command, text in helps(program):
                for options, prefix in option_words(text):
                    shown += GOOD in self.run_on(program, *command, *options, prefix + WORD)
                    runs += 1
        self.assertGreater(runs, 250)
        self.assertGreater(shown, 200)  # what can be shown is shown

    def test_every_command_with_every_file(self):
        for program in PROGRAMS.values():
            for command, text in helps(program):
                if not command or command[-1] in ("bench", "selftest", "play"):
                    continue
                for name in FILES:
                    few = ["--nodes", "100"] if "--nodes" in text else []
                    options = [["--report"], ["--json"]] if "--report" in text else [[]]  # annotated games: see below
                    options += [["--out", "out"], ["--format", "pgn", "--out", "out"]] if "--out" in text else []
                    for option in options:
                        self.run_on(program, *command, *few, *option, HOSTILE + name.encode())

    def test_games_on_a_terminal(self):
        """An annotated game keeps its bytes in a file, and is escaped where somebody looks at it."""
        command = [PROGRAMS["luft"], "analyse", self.folder / "game.pgn", "--depth", "1", "--threads", "1"]
        primary, secondary = pty.openpty()
        with subprocess.Popen(command, stdout=secondary, stderr=subprocess.DEVNULL) as process:
            os.close(secondary)
            output = terminal.take_all(primary)
            process.wait(timeout=HANG)
        os.close(primary)
        self.assertEqual(offences(output.replace(b"\r\n", b"\n")), [])
        self.assertIn(GOOD, output)
        kept = subprocess.run(command, capture_output=True, timeout=HANG).stdout
        self.assertIn("\u202eE".encode(), kept.split(b"\n\n", 1)[1])

    def test_everything_that_engines_say(self):
        engine, toy = f"cmd={self.engine}", f"cmd={os.environ['TOY_ENGINE']}"
        lab = PROGRAMS["luft-lab"]
        each = ("-each", "nodes=10", "-rounds", "1", "-journal", "none")
        name = b"name=" + WORD
        option = b"option." + WORD + b"=" + WORD
        shown = b"".join((
            self.run_on(lab, "match", "-engine", engine, name, "-engine", toy, *each),
            self.run_on(lab, "match", "-engine", engine, "option.Hash=1", "-engine", toy, *each),
            self.run_on(lab, "match", "-engine", toy, name, option, "-engine", toy, *each),
            self.run_on(lab, "match", "-engine", toy, b"arg=stderr=" + WORD, name, "-engine", toy, *each),
            self.run_on(lab, "sprt", "-engine", engine, name, "-engine", toy, *each[:2], "-rounds", "30", "-openings", "generate=1"),
            self.run_on(lab, "epd", "-engine", engine, name, "suite.epd"),
            self.run_on(lab, "epd", "-engine", toy, name, "suite.epd"),
            self.run_on(lab, "judge", "-engine", engine, name, "-engine", toy, "game.pgn"),
            self.run_on(lab, "tune", "--engine", self.engine, "--folder", "tuned"),
            self.run_on(lab, "ablate", "--engine", self.engine, "--folder", "ablated"),
            self.run_on(lab, "benchmark", "--engine", self.engine)))
        self.assertGreater(shown.count(GOOD), 50)

    def test_a_game_of_a_person(self):
        lines = (b"NAME", b"save NAME", b"save NAME", b"e4 NAME", b"hint", b"quit")
        entered = b"\n".join(lines).replace(b"NAME", WORD) + b"\n"
        self.assertIn(GOOD, self.run_on(PROGRAMS["luft"], "play", "--nodes", "10", entered=entered))
        kept = [path for path in self.folder.rglob("*") if path.is_file() and "luft" in str(path.relative_to(self.folder))]
        for path in kept:
            path.write_bytes(GAME.replace(b"NAME", WORD))
        self.run_on(PROGRAMS["luft"], "play", "--nodes", "10", entered=b"y\n")

    def test_every_uci_command(self):
        luft = PROGRAMS["luft"]
        listed = subprocess.run([luft], input="help\n", capture_output=True, text=True, timeout=HANG).stdout
        commands = re.findall(r"^([a-z]+)  ", listed, re.M)
        self.assertIn("position", commands)
        options = re.findall(r"^option name (.+) type", subprocess.run([luft, "uci"], capture_output=True, text=True,
                                                                        timeout=HANG).stdout, re.M)
        lines = [command.encode() + rest + WORD for command in commands if command != "bench"
                 for rest in (b" ", b" fen ", b" startpos moves ", b" depth ", b" name ")]
        lines += [b"setoption name " + option.encode() + b" value " + WORD for option in options]
        shown = sum(GOOD in self.run_on(luft, entered=line + b"\nisready\nquit\n") for line in lines)
        self.assertGreater(shown, 15)


if __name__ == "__main__":
    unittest.main()
