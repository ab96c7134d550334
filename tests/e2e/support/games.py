"""Self-play games of an engine, as test input."""

import os
import pathlib
import subprocess

BOOK = pathlib.Path(__file__).resolve().parents[3] / "books/standard.epd"


def play_games(path, engine, limit, count):
    """Writes `count` games to `path`, two for each opening. Reproducible with fixed nodes or depth."""
    players = [word for name in ("a", "b") for word in ("-engine", f"cmd={engine}", f"name={name}", limit)]
    subprocess.run([os.environ["LUFT_LAB"], "match", *players, "-openings", f"file={BOOK}", "-rounds", str(count // 2),
                    "-pgnout", str(path), "-journal", "none", "-log", "none", "-reproducible", "-quiet"],
                   check=True, capture_output=True)
    return str(path)
