"""Sequential tests with planted faults: openings that repeat, an engine that crashes, kill -9 of the runner, a second runner on the
same files; then the same command until it ends. No pair counts twice, and the verdict is that of the different pairs in the PGN."""

import os
import re
import signal
import time

from jobs import make_base
from trial import demand, quote

MINIMUM = 200
SHARE = 0.1
OUTCOMES = (0, 3, 4)   # decided or not: no failure


def kinds(world):
    del world
    return {"sprt": play}


def play(trial):
    random = trial.random
    trial.take(make_base(trial.world), "book.epd")
    lines = trial.path("book.epd").read_text().splitlines(keepends=True)
    different = random.sample(lines, random.randint(1, 8))
    book = different + [random.choice(different) for _ in range(random.randint(0, 12))]
    random.shuffle(book)
    trial.path("book.epd").write_text("".join(book))
    bounds = ["--bounds", f"{random.choice([-50, 0])},{random.choice([100, 200, 400])}",
              "--alpha", str(random.choice([0.05, 0.2, 0.4])), "--beta", str(random.choice([0.05, 0.2, 0.4]))]
    toy = ["-engine", f"cmd={trial.programs.toy}"]
    crash = ["option.Fault=crash", f"option.Fault Move={random.randint(1, 9)}", f"option.Fault Game={random.randint(1, 4)}"]
    words = [trial.programs.lab, "sprt", *toy, "name=a", *(crash if random.random() < 0.3 else []), *toy, "name=b",
             f"option.Seed={random.randint(0, 3)}", *(crash if random.random() < 0.3 else []),
             "-each", random.choice(["depth=1", "tc=60+1"]), "-openings", "file=book.epd",
             f"order={random.choice(['random', 'sequential'])}", "-rounds", str(random.randint(2, 30)),
             "-concurrency", str(random.randint(1, 2)), "-maxmoves", "40", "-reproducible", "-quiet", "-pgnout", "out.pgn", *bounds]
    for _ in range(random.randint(0, 3)):
        disturb(trial, words)
    result = trial.run(words, expect=OUTCOMES)
    check(trial, result.out.decode(), bounds)
    again = trial.run(words, expect=OUTCOMES)
    demand(block(again.out.decode()) == block(result.out.decode()), f"another report the second time: {quote(again.out)}")


def disturb(trial, words):
    """A runner that is killed, perhaps next to another one, of which only one may write."""
    runners = [trial.start(words) for _ in range(trial.random.choice([1, 1, 2]))]
    time.sleep(0.6 * trial.random.random())
    if len(runners) == 1 or trial.random.random() < 0.5:
        os.kill(runners[0].pid, signal.SIGKILL)
    for runner in runners:
        result = trial.finish(runner)
        trial.check(result, (*OUTCOMES, 1, -signal.SIGKILL))
        if result.status == 1:
            demand(b"is being written by another luft-lab" in result.err, f"refused without the reason: {quote(result.err)}")


def block(report):
    return re.findall(r"^(?:Elo|LLR|Games|Penta) .*|^H[01] is accepted|^Not decided", report, re.M)


def games_of(text):
    """(round, number, white, what makes the game different, points of White) of each game."""
    for game in re.split(r"\n\n(?=\[Event )", text.strip()):
        tags = dict(re.findall(r'^\[(\w+) "(.*)"\]$', game, re.M))
        moves = re.sub(r"\{[^}]*\}|\d+\.+|\s+", " ", game.rpartition("]\n")[2]).split()
        points = {"1-0": 2, "1/2-1/2": 1, "0-1": 0}[tags["Result"]]
        round_number, number = map(int, tags["Round"].split("."))
        yield round_number, number, tags["White"], (tags["White"], tags.get("FEN"), *moves[:-1]), points


def count_different(trial):
    """Counts of pairs by half points of `a`, in the order of the file, without pairs whose games were both there before."""
    pairs, counts, seen = {}, [[0] * 5], set()
    for round_number, number, white, game, points in games_of(trial.path("out.pgn").read_text()):
        pair = pairs.setdefault(round_number, [])
        demand(number == len(pair) + 1, f"round {round_number} has game {number} twice")
        pair.append((game, points if white == "a" else 2 - points))
        if number == 1:
            continue
        if not {game for game, _ in pair} <= seen:
            counts.append(list(counts[-1]))
            counts[-1][sum(points for _, points in pair)] += 1
        seen |= {game for game, _ in pair}
    demand(all(len(pair) == 2 for pair in pairs.values()), "half a pair is in the PGN")
    return counts


def llr_line(trial, counts, bounds):
    out = trial.lab("sprt", "--from", ",".join(map(str, counts)), *bounds, expect=OUTCOMES).out.decode()
    return re.search(r"^LLR .*", out, re.M).group()


def is_decided(line):
    """1 for H1, 0 for H0, None for neither, by two decimals: "LLR   | 2.94 (-2.25, 2.89) [0.00, 5.00]"."""
    llr, low, high = map(float, re.match(r"LLR +\| (\S+) \((\S+), (\S+)\)", line).groups())
    return 1 if llr >= high else 0 if llr <= low else None


def check(trial, report, bounds):
    counts = count_different(trial)
    penta = re.search(r"^Penta \| \[(.*)\]", report, re.M)
    demand(penta, f"no result: {quote(report)}")
    demand([int(count) for count in penta.group(1).split(",")] == counts[-1], f"{penta.group()}, but the PGN has {counts[-1]}")
    line = llr_line(trial, counts[-1], bounds)
    demand(line in report, f"{line}, but the report is {quote(report)}")
    said = 1 if "H1 is accepted" in report else 0 if "H0 is accepted" in report else None
    llr, low, high = map(float, re.match(r"LLR +\| (\S+) \((\S+), (\S+)\)", line).groups())
    near = min(abs(llr - low), abs(llr - high)) < 0.011
    demand(near or said == is_decided(line), f"the verdict does not follow from {line}")
    if said is not None and len(counts) > 2:
        before = llr_line(trial, counts[-2], bounds)
        llr = float(re.match(r"LLR +\| (\S+)", before).group(1))
        near = min(abs(llr - low), abs(llr - high)) < 0.011
        demand(near or is_decided(before) is None, f"decided after {before} already")
