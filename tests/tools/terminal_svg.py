#!/usr/bin/env python3
r"""Draws the final screen of a terminal program as an SVG picture, in colour.

    F="r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3"
    tests/tools/terminal_svg.py --columns 92 docs/analyse.svg "luft analyse \"$F\" --lines 3" ./luft analyse "$F" --lines 3

The program runs on a pseudo-terminal. The script supports the control sequences that `luft analyse` uses: colours, cursor up,
erase to the end of the line. Standard library only.
"""

import argparse
import fcntl
import html
import os
import pathlib
import pty
import re
import struct
import sys
import termios

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "e2e/support"))
import terminal  # noqa: E402

CELL_WIDTH, CELL_HEIGHT, MARGIN = 8.45, 18, 14
BACKGROUND, FOREGROUND, PROMPT = "#1b1d23", "#d8dbe2", "#7fb069"
TEXT_STYLE = "\ufe0e"  # after a pawn symbol: show it as text, not as an emoji; takes no cell
TOKEN = re.compile(r"\x1b\[([\d;]*)([A-Za-z])|([\r\n])|([^\x1b\r\n])")


def colour(number):
    """A colour of the 256-colour palette: the 6 x 6 x 6 cube and the greys. The first sixteen are not used."""
    if number >= 232:
        return "#" + f"{8 + 10 * (number - 232):02x}" * 3
    levels = (0, 95, 135, 175, 215, 255)
    cube = max(0, number - 16)
    return "#" + "".join(f"{levels[cube // step % 6]:02x}" for step in (36, 6, 1))


def output_of(command, columns):
    """All that the command writes to a terminal of `columns` columns."""
    child, leader = pty.fork()
    if child == 0:
        fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
        os.environ.update(TERM="xterm-256color")
        os.environ.pop("NO_COLOR", None)
        os.execvp(command[0], command)
    data = terminal.take_all(leader)
    os.waitpid(child, 0)
    return data.decode("utf-8")


def screen_of(text):
    """The lines of the final screen; each is a list of cells (character, foreground, background)."""
    lines, row, column, fore, back = [[]], 0, 0, None, None
    for parameters, final, control, character in TOKEN.findall(text):
        if control == "\r":
            column = 0
        elif control == "\n":
            row, column = row + 1, 0
        elif final == "A":
            row = max(0, row - int(parameters or 1))
        elif final == "K":
            del lines[row][column:]
        elif final == "m":
            numbers = [int(number or 0) for number in parameters.split(";")]
            while numbers:
                number = numbers.pop(0)
                if number == 0:
                    fore = back = None
                elif number in (38, 48) and numbers[:1] == [5]:
                    fore, back = (colour(numbers[1]), back) if number == 38 else (fore, colour(numbers[1]))
                    del numbers[:2]
        elif character == TEXT_STYLE:
            pass
        elif character:
            line = lines[row]
            line += [(" ", None, None)] * (column + 1 - len(line))
            line[column] = (character, fore, back)
            column += 1
        while row >= len(lines):
            lines.append([])
    while lines and not lines[-1]:
        lines.pop()
    return lines


def svg_of(lines, columns):
    width = max(columns, *map(len, lines)) * CELL_WIDTH + 2 * MARGIN
    height = len(lines) * CELL_HEIGHT + 2 * MARGIN
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" '
             f'height="{height:.0f}" font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="14">',
             f'<rect width="100%" height="100%" rx="8" fill="{BACKGROUND}"/>']
    for row, line in enumerate(lines):
        top, column = MARGIN + row * CELL_HEIGHT, 0
        while column < len(line):  # runs of one style; a chess piece is drawn alone, centred in its cell
            character, fore, back = line[column]
            end = column + 1
            while end < len(line) and line[end][1:] == (fore, back) and ord(character) < 0x2500 > ord(line[end][0]):
                end += 1
            text = "".join(cell[0] for cell in line[column:end])
            left, length = MARGIN + column * CELL_WIDTH, (end - column) * CELL_WIDTH
            if back:
                parts.append(f'<rect x="{left:.1f}" y="{top}" width="{length + 0.4:.1f}" height="{CELL_HEIGHT}.4" fill="{back}"/>')
            if ord(character) >= 0x2500:
                parts.append(f'<text x="{left + CELL_WIDTH / 2:.1f}" y="{top + 14.5}" text-anchor="middle" font-size="18" '
                             f'fill="{fore or FOREGROUND}">{character}{TEXT_STYLE}</text>')
            elif text.strip():
                parts.append(f'<text x="{left:.1f}" y="{top + 13}" textLength="{length:.1f}" lengthAdjust="spacingAndGlyphs" '
                             f'xml:space="preserve" fill="{fore or FOREGROUND}">{html.escape(text)}</text>')
            column = end
    return "\n".join(parts) + "\n</svg>\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--columns", type=int, default=80)
    parser.add_argument("picture", help="the SVG file to write")
    parser.add_argument("prompt", help="the command line to show in the first line")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    prompt = [(character, PROMPT, None) for character in "$ " + options.prompt]
    lines = [prompt, []] + screen_of(output_of(options.command, options.columns))
    with open(options.picture, "w", encoding="utf-8") as file:
        file.write(svg_of(lines, options.columns))


if __name__ == "__main__":
    main()
