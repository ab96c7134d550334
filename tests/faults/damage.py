"""Damages bytes in every kind of file. A file with a checksum must be refused if it was changed or cut. A text must be read, or
refused with a reason. No program may damage the file further."""

import re
import signal
import time

import hostile
from conversation import Conversation, after, demand_legal
from injection import Injection
from jobs import JOBS, TRAIN, Job, content, make_base, reference
from trial import Trial, demand, quote

MINIMUM = 200
JOB = {job.name: job for job in JOBS}


def kinds(world):
    found = {f"games-{name}": lambda trial, name=name: damaged_games(trial, name)
             for name in ("export", "stats", "merge", "train", "fit", "relabel", "datagen-more", "salvage")}
    found |= {f"net-{name}": lambda trial, name=name: damaged_net(trial, name) for name in ("show", "eval", "duel", "start")}
    found |= {"floats": damaged_floats, "checkpoint": damaged_checkpoint, "tablebases": damaged_tables, "climb": damaged_climb}
    found |= {f"journal-{name}": lambda trial, name=name: damaged_journal(trial, name)
              for name in ("match", "sprt", "judge", "tune")}
    found |= {"pgn-resumed": lambda trial: damaged_journal(trial, "match", "out.pgn")}
    found |= {f"text-{name}-{file}": lambda trial, name=name, file=file: damaged_text(trial, name, file)
              for name, file in (("match", "book.epd"), ("tune", "book.epd"), ("epd", "suite.epd"), ("judge", "games.pgn"),
                                 ("analyse", "blunders.pgn"), ("explain", "blunders.pgn"), ("analyse-fens", "fens"),
                                 ("import", "a.txt"), ("tune-moves", "games.pgn"), ("evolve", "plan"))}
    found |= {"text-pgn-opening-book": damaged_pgn_book, "text-pgn-import": damaged_pgn_import}
    return found


def spoil(trial, name, times=None):
    data = hostile.edit_bytes(trial.random, trial.read(name), times)
    trial.path(name).write_bytes(data)
    return data


def damaged_games(trial, name):
    """If only the end is missing, the games before it are read; any other damage is refused."""
    job = JOB[name]
    injection = Injection(trial, job)
    whole = trial.lab("data", "export", "a.games", expect=[0]).out
    kept = spoil(trial, "a.games")
    result = job.run(trial, expect=(0, 1))
    if name == "export":
        text = trial.lab("data", "export", "a.games").out
        demand(whole.startswith(text), "games that were never played")
    elif name == "salvage":
        text = trial.lab("data", "export", "out.games").out if result.status == 0 else b""
        demand(set(text.splitlines()) <= set(whole.splitlines()), "games that were never played")
    elif name == "datagen-more":
        if result.status == 1:
            demand(trial.read("a.games") == kept, "refused, but changed")
        else:
            text = trial.lab("data", "export", "a.games", expect=[0]).out
            demand(text.count(b"\n") == 40, "not all games")
    if name != "datagen-more":
        demand(trial.read("a.games") == kept, "the damaged file was changed")
    del injection


def damaged_net(trial, name):
    """A network has a checksum: any change is refused, and the old network stays in use."""
    trial.take(make_base(trial.world), "n.nnue", "a.games")
    spoil(trial, "n.nnue")
    if name == "eval":
        result = trial.luft("setoption name EvalFile value n.nnue", "eval")
        demand(b"error" in result.out + result.err, "a damaged network was loaded")
        return
    commands = {"show": ("net", "show", "n.nnue"), "duel": ("duel", "n.nnue", "random:8:2", "--pairs", "1", "--nodes", "10", "--quiet"),
                "start": (*TRAIN, "--out", "out", "--start", "n.nnue", "a.games")}
    result = trial.lab(*commands[name])
    demand(result.status == 1, f"a damaged network was read: {quote(result.out)}")


def damaged_floats(trial):
    trial.take(make_base(trial.world), "n.nnue.floats", "a.games")
    spoil(trial, "n.nnue.floats")
    result = trial.lab(*TRAIN, "--out", "out", "--start", "n.nnue.floats", "a.games")
    demand(result.status == 1, "damaged weights were taken")


def make_checkpoint(world):
    job = Job("train-long", (*TRAIN, "--out", "out.nnue", "--epochs", "300", "a.games", "b.games"), ("a.games", "b.games"),
              content("out.nnue"))

    def make(folder):
        for attempt in range(50):
            with Trial(world, attempt, "checkpoint", 0) as trial:
                trial.take(make_base(world), *job.inputs)
                process = trial.start(job.command(world.programs))
                while not trial.path("out.nnue.tsv").exists() and process.poll() is None:
                    time.sleep(0.002)
                process.send_signal(signal.SIGTERM)
                trial.finish(process)
                if trial.path("out.nnue.checkpoint").exists():
                    for path in trial.folder.iterdir():
                        path.rename(folder / path.name)
                    return
    return job, world.fixture("checkpoint", make)


def damaged_checkpoint(trial):
    job, folder = make_checkpoint(trial.world)
    expected = reference(trial.world, job).outcome
    trial.take(folder)
    kept = spoil(trial, "out.nnue.checkpoint")
    result = job.run(trial, again=True, expect=(0, 1))
    if result.status == 1:
        demand(trial.read("out.nnue.checkpoint") == kept, "refused, but changed")
        demand(trial.read("out.nnue") is None, "refused, but there is a network")
    else:
        demand(job.result(trial, result) == expected, "another network from a damaged checkpoint")


def complete(trial, name):
    """The folder after the whole job."""
    job = JOB[name]

    def make(folder):
        with Trial(trial.world, 0, f"complete {name}", 0) as maker:
            maker.take(make_base(trial.world), *job.inputs)
            job.run(maker, expect=[0])
            for path in list(maker.folder.iterdir()):
                path.rename(folder / path.name)
    trial.take(trial.world.fixture(f"complete-{name}", make))
    return job


def demand_untouched(kept, now):
    """A refused file is unchanged, except that an incomplete last line may be cut off or an incomplete header completed."""
    torn = now is not None and kept.startswith(now) and b"\n" not in kept[len(now):]
    demand(torn or now is not None and now.startswith(kept), "refused, but changed")


def damaged_journal(trial, name, file=None):
    """The journal is refused and unchanged, or what it lost is done again with the result of an undisturbed run."""
    job = complete(trial, name)
    file = file or {"match": "out.pgn.journal", "sprt": "out.pgn.journal", "judge": "judgements.journal",
                    "tune": "tuned/tune.journal"}[name]
    kept, games = spoil(trial, file), trial.read("out.pgn")
    result = job.run(trial, again=True, expect=(0, 1))
    if result.status == 0:
        # A journal without its first row begins another match, whose games come after those of the old one.
        begin = re.search(rb"^0\tbegin (\d+) ", trial.read(file), re.M)
        if begin and int(begin[1]) > 0:
            now, size = trial.read("out.pgn"), int(begin[1])
            demand(now[:size] == games, "games were lost")
            trial.path("out.pgn").write_bytes(now[size:])
        demand(job.result(trial, result) == reference(trial.world, job).outcome, "another result")
    else:
        demand_untouched(kept, trial.read(file))


def damaged_climb(trial):
    job = complete(trial, "evolve")
    file = trial.random.choice(["climb.tsv", "climb.tsv", "generation-0.nnue", "generation-1.nnue", "generation-1.games",
                                "generation-0.nnue.floats"])
    kept = spoil(trial, f"climb/{file}")
    result = job.run(trial, again=True, expect=(0, 1))
    if result.status == 1:
        demand_untouched(kept, trial.read(f"climb/{file}"))
    elif file.endswith(".nnue") or file == "climb.tsv":
        demand(job.result(trial, result)[0] == reference(trial.world, job).outcome[0], "another climb")


def damaged_tables(trial):
    """Tables that are cut, longer, of another kind or changed are refused, or answer wrongly: the move is legal in any case."""
    trial.take(make_base(trial.world), "tb")
    name = f"tb/{trial.random.choice(sorted(path.name for path in trial.path('tb').iterdir()))}"
    data = trial.read(name)
    other = hostile.junk(trial.random, 4)
    changed = bytearray(data)
    for _ in range(trial.random.randint(1, 3)):
        changed[trial.random.randrange(min(len(data), trial.random.choice([100, 1 << 20])))] = trial.random.randrange(256)
    trial.path(name).write_bytes(trial.random.choice([data[:trial.random.randrange(len(data))],
                                                      data + hostile.junk(trial.random, trial.random.choice([1, 4, 100])),
                                                      (b"Luft" if other == data[:4] else other) + data[4:], changed]))
    fen, engine = trial.random.choice(["4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", "4k3/8/4K3/8/8/8/8/7R w - - 0 1",
                                       "8/8/8/8/4k3/8/7q/K7 b - - 3 40"]), Conversation(trial)
    engine.send("setoption name SyzygyPath value tb", f"position fen {fen}", "go depth 3")
    engine.wait(b"bestmove", 1)
    result = engine.end("quit")
    demand_legal(after(fen, []), re.search(rb"(?m)^bestmove (\S+)", result.out).group(1).decode(), "bestmove")


# --- text ---

def damaged_text(trial, name, file):
    job = JOB[name]
    trial.take(make_base(trial.world), *job.inputs)
    kept = spoil(trial, file)
    process = trial.start(job.command(trial.programs))
    # A damaged plan may run for long.
    if name == "evolve":
        time.sleep(0.7)
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
    result = trial.finish(process)
    trial.check(result, (0, 1, 2, -signal.SIGTERM) if name == "evolve" else (0, 1))
    demand(trial.read(file) == kept, "an input was changed")
    demand(b"\x1b" not in result.err, "an escape sequence of the file reaches the terminal")


def damaged_pgn_book(trial):
    trial.take(make_base(trial.world), "games.pgn")
    spoil(trial, "games.pgn")
    toy = f"cmd={trial.programs.toy}"
    result = trial.lab("match", "-engine", toy, "name=a", "-engine", toy, "name=b", "-each", "depth=1", "-openings", "file=games.pgn",
                       "plies=6", "-maxmoves", "9", "-rounds", "2", "-pgnout", "out.pgn", "-reproducible", "-quiet", expect=(0, 1))
    if result.status == 0:
        for game in re.split(r"(?=\[Event )", trial.read("out.pgn").decode())[1:]:
            hostile.demand_legal_game(game)


def damaged_pgn_import(trial):
    trial.take(make_base(trial.world), "games.pgn")
    kept = spoil(trial, "games.pgn")
    result = trial.lab("data", "import", "--format", "pgn", "--out", "out.games", "games.pgn", expect=(0, 1))
    demand(trial.read("games.pgn") == kept, "an input was changed")
    if trial.read("out.games") is not None:  # the moves before a fault
        trial.lab("data", "export", "out.games", expect=[0])
    else:
        demand(result.status == 1, "nothing was written, and nobody says so")


