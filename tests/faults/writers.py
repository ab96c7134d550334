"""Two writers: one command twice at the same time, another command on its files, or files that are taken away."""

import collections
import os
import re
import time

from injection import Injection
from jobs import DATAGEN, jobs_for, make_base
from trial import demand, quote

MINIMUM = 200
OUTPUTS = {"match": "out.pgn", "match-two": "out.pgn", "sprt": "out.pgn", "datagen": "out.games", "datagen-more": "a.games",
           "train": "out.nnue", "evolve": "climb/climb.tsv", "judge": "judgements.journal", "tune": "tuned/tune.journal",
           "relabel": "out.games", "merge": "out.games", "export": "out.pgn"}


def kinds(world):
    found = {}
    for job in jobs_for(world.programs):
        if job.files and job.name != "salvage":
            found[f"twice-{job.name}"] = lambda trial, job=job: twice(trial, job)
        if job.name in OUTPUTS:
            found[f"taken-{job.name}"] = lambda trial, job=job: take_away(trial, job)
    found["one-table"] = one_table
    for action in (["merge"], ["filter", "--result", "draw"], ["relabel", "--net", "random:8:3", "--nodes", "5", "--threads", "1",
                                                              "--hash", "1", "--quiet"]):
        found[f"datagen-against-{action[0]}"] = lambda trial, action=action: against(trial, action)
    return found


def twice(trial, job):
    """Runs a job twice at once: at least one succeeds, a refused one gives a reason, and the files are as after one run."""
    injection = Injection(trial, job)
    first = job.start(trial, again=True)
    time.sleep(trial.random.choice([0, 0.05, 0.2]) * trial.random.random())
    second = job.start(trial, again=True)
    results = [trial.finish(process) for process in (first, second)]
    for result in results:
        trial.check(result, (0, 1))
    demand(any(result.status == 0 for result in results), f"both failed: {[quote(result.err) for result in results]}")
    injection.check_inputs()
    injection.check_saved()
    injection.finish()


def one_table(trial):
    """Several commands append to one table at once: no row is lost."""
    trial.take(make_base(trial.world), "gold", "n.nnue")
    words = [trial.programs.lab, "net", "gold", "gold", "n.nnue", "--results", "out.tsv"]
    processes = [trial.start(words) for _ in range(trial.random.randint(2, 4))]
    for process in processes:
        trial.check(trial.finish(process), [0])
    rows = collections.Counter(line.partition(b"\t")[2] for line in trial.read("out.tsv").splitlines()[1:])   # without the date
    demand(rows and all(count % len(processes) == 0 for count in rows.values()), f"rows are lost: {rows}")


def take_away(trial, job):
    """Renames, removes or replaces the output during the run. The job fails with a reason, or makes a new file."""
    injection = Injection(trial, job)
    path = trial.path(OUTPUTS[job.name])
    process = job.start(trial)
    wait_for(lambda: path.exists() or process.poll() is not None)
    time.sleep(0.1 * trial.random.random())
    how = trial.random.choice(["renamed", "removed", "replaced"])
    precious = b"what is precious\n"
    try:
        if how == "renamed":
            path.rename(trial.path("moved"))
        elif how == "removed":
            path.unlink()
        else:
            trial.path("precious").write_bytes(precious)
            os.replace(trial.path("precious"), path)
    except FileNotFoundError:
        pass   # the job has ended, or not yet started to write
    result = trial.finish(process)
    trial.check(result, (0, 1))
    injection.check_inputs() if job.name != "datagen-more" else None
    if how == "replaced" and path.exists() and job.saves:
        demand(path.read_bytes() == precious or result.status == 0, "the job wrote to a file of somebody else")


def against(trial, action):
    """Runs `data merge --again --out X X` while datagen writes X."""
    trial.take(make_base(trial.world), "a.games")
    process = trial.start([trial.programs.lab, *DATAGEN, "--out", "x.games", "--games", "200", "--flush-seconds", "1"])
    wait_for(lambda: trial.path("x.games").exists() or process.poll() is not None)
    time.sleep(trial.random.random() * 0.2)
    other = trial.lab("data", *action[:1], "--again", "--out", "x.games", *action[1:], "x.games", "a.games", expect=(0, 1))
    result = trial.finish(process)
    trial.check(result, (0, 1))
    printed = re.search(rb": ([\d,]+) games", result.out)
    count = trial.lab("data", "export", "x.games", expect=[0]).out.count(b"\n")
    if result.status == 0 and other.status != 0:
        demand(printed and int(printed.group(1).replace(b",", b"")) == count == 200, f"{quote(result.out)}, but there are {count} games")
    demand(0 in (result.status, other.status), "both failed")


def wait_for(condition, seconds=20):
    deadline = time.monotonic() + seconds
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.002)


