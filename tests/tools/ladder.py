"""Measures the ladder of the first lesson: each row of its table of techniques against the row before.

    make LAB=1 OBJECTS=build/lab EXE=build/lab/luft engine && make luft-lab
    python3 tests/tools/ladder.py build/lab/luft ./luft-lab COMMIT BENCH NET

Plays GAMES games for each rung with NODES nodes a move, and writes them to results/experiments.tsv in place of those that stood
there. The page shows them. COMMIT, BENCH and NET are those of the engine."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

import results

GAMES, NODES, HASH, SEED = 400, 1000, 16, 1
LESSON = results.ROOT / "lessons/bare-engine.txt"
BOOK = "books/standard.epd"


def rungs(known):
    """The rows of the lesson's table, as (name, techniques that are off)."""
    text = re.sub(r"\n(?!\n|@)", " ", LESSON.read_text())
    searches = dict(re.findall(r"^@search (\w+) \w+ \d+ ?(.*)$", text, re.M))
    names = re.search(r"@step off.*?^@table (.*?)$", text, re.M | re.S).group(1).split()
    for name in names:
        words = searches[name].split()
        on = {word[1:] for word in words if word.startswith("+")}
        if words[:1] not in ([], ["all"]) or not on <= set(known):
            sys.exit(f"{LESSON}: the search '{name}' does not begin with 'all', or adds what is no technique")
        yield name, [technique for technique in known if words and technique not in on]


def play(lab, engine, upper, lower, file):
    sides = []
    for name, off in (upper, lower):
        sides += ["-engine", f"cmd={engine}", f"name={name}", *(f"option.Use {technique}=false" for technique in off)]
    subprocess.run([lab, "match", *sides, "-each", f"nodes={NODES}", f"option.Hash={HASH}", "-rounds", str(GAMES // 2),
                    "-openings", f"file={results.ROOT / BOOK}", "order=random", f"seed={SEED}",
                    "-draw", "movenumber=40", "movecount=8", "score=10", "-resign", "movecount=4", "score=600", "twosided=yes",
                    "-results", file], stdout=subprocess.DEVNULL, check=True, cwd=pathlib.Path(file).parent)


def main():
    if len(sys.argv) != 6:
        sys.exit(__doc__.strip())
    engine, lab = (os.path.abspath(path) for path in sys.argv[1:3])
    commit, bench, net = sys.argv[3:]
    listed = subprocess.run([lab, "ablate", "--list", "--engine", engine], capture_output=True, text=True, check=True).stdout.split()
    steps = list(rungs([name for name in listed if not name.startswith("time_")]))
    rows = []
    for number, (lower, upper) in enumerate(zip(steps, steps[1:]), 1):
        with tempfile.TemporaryDirectory() as folder:
            play(lab, engine, upper, lower, f"{folder}/rows.tsv")
            row = results.read_rows(f"{folder}/rows.tsv", "matches")[-1]
        row.update(id=f"ladder-{number}-{upper[0]}", commit=commit, bench=bench, net=net, subject=upper[0], opponent=lower[0],
                   conditions=f"{HASH} MB, {BOOK}, adjudicated", note="the ladder of the lesson bare-engine")
        rows.append(row)
        print(row["subject"], row["elo"], row["error"], flush=True)
    results.store("experiments", [row for row in results.load("experiments") if not row["id"].startswith("ladder-")] + rows)


if __name__ == "__main__":
    main()
