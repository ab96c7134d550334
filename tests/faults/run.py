#!/usr/bin/env python3
"""Injects thousands of faults into luft and luft-lab and reports each defect: a fault that was not handled as docs/testing.md
promises. `make faults` calls this.

    tests/faults/run.py [--seed N] [--trials N] [--sample N] [--group NAME] [--jobs N]
    tests/faults/run.py --seed N --trial GROUP/KIND:NUMBER [--keep]           one trial again
    tests/faults/run.py --sweep JOB                                           refuses each allocation of a job of jobs.py

LUFT, LUFT_LAB, TOY_ENGINE and LUFT_SWITCHES (a LAB=1 build) name the programs; the defaults are those that make builds."""

import argparse
import collections
import concurrent.futures
import os
import pathlib
import random
import shutil
import sys
import tempfile
import time
import traceback

import damage
import disk
import environment
import kill
import memory
import names
import storms
import verdicts
import writers
from trial import Defect, Trial, World

GROUPS = {"storms": storms, "memory": memory, "disk": disk, "kill": kill, "environment": environment, "writers": writers,
          "damage": damage, "names": names, "verdicts": verdicts}
SECONDS_BETWEEN_REPORTS = 20
SWEEP = "sweep-"         # begins the kind of the trials of a sweep
Task = collections.namedtuple("Task", "group kind number")


def plan(world, options):
    """The list of trials. Each group gets at least its minimum and its share; in a group, kinds count by weight."""
    if options.sweep:
        return [Task("memory", SWEEP + options.sweep, number) for number in range(memory.sweep(world, options.sweep)[1])]
    chosen = {name: group for name, group in GROUPS.items() if options.group in (None, name)}
    share = options.trials / sum(getattr(group, "SHARE", 1) for group in chosen.values())
    tasks = []
    for name, group in chosen.items():
        kinds = group.kinds(world)
        weights = {kind: getattr(group, "WEIGHTS", {}).get(kind.partition("-")[0], 1) for kind in kinds}
        wanted = max(share * getattr(group, "SHARE", 1), group.MINIMUM if options.trials >= 10000 else 0)
        for kind in kinds:
            count = max(1, round(wanted * weights[kind] / sum(weights.values())))
            tasks += [Task(name, kind, number) for number in range(count)]
    if options.sample:
        return random.Random(options.seed).sample(tasks, min(options.sample, len(tasks)))
    # Mixed: slow and quick kinds run at the same time, and a run that ends early has tried all kinds.
    return sorted(tasks, key=lambda task: (task.number, task.group, task.kind))


def perform(world, seed, task, keep=False):
    """Runs a trial; returns None or the defect."""
    with Trial(world, seed, f"{task.group}/{task.kind}", task.number) as trial:
        try:
            if task.kind.startswith(SWEEP):
                memory.sweep(world, task.kind.removeprefix(SWEEP))[0](trial)
            else:
                GROUPS[task.group].kinds(world)[task.kind](trial)
            return None
        except Defect as defect:
            return str(defect)
        except Exception:   # a fault of the harness is reported, too, and does not end the run
            return "the harness failed: " + traceback.format_exc(limit=-3)
        finally:
            if keep:
                print(f"folder {trial.folder}")
                for arguments, fault in trial.log:
                    print(f"ran    {f'LUFT_FAULT={fault!r} ' if fault else ''}{arguments}")
            else:
                shutil.rmtree(trial.folder, ignore_errors=True)


def command(seed, task):
    return f"tests/faults/run.py --seed {seed} --trial {task.group}/{task.kind}:{task.number}"


class Table:
    """The numbers of trials and defects by group and kind."""

    def __init__(self):
        self.trials, self.defects = collections.Counter(), collections.Counter()

    def add(self, task, failed):
        for key in (task.group, ""), (task.group, task.kind), ("", ""):
            self.trials[key] += 1
            self.defects[key] += failed

    def row(self, name, key):
        trials, defects = self.trials[key], self.defects[key]
        return f"| {name:<32} | {trials:>7,} | {trials - defects:>8,} | {defects:>7} |"

    def print(self, kinds):
        print(f"\n| {'kind':<32} |  trials | survived | defects |\n| {'-' * 32} | ------: | -------: | ------: |")
        for group in GROUPS:
            if self.trials[group, ""]:
                print(self.row(group, (group, "")))
            for key in sorted(key for key in self.trials if key[0] == group and key[1] and kinds):
                print(self.row(f"  {key[1]}", key))
        print(self.row("all", ("", "")))


def run_all(world, options):
    tasks = plan(world, options)
    table, start, reported = Table(), time.monotonic(), 0.0
    print(f"{len(tasks):,} trials, seed {options.seed}, {options.jobs} at once", flush=True)
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        futures = {pool.submit(perform, world, options.seed, task): task for task in tasks}
        for future in concurrent.futures.as_completed(futures):
            task, reason = futures[future], future.result()
            table.add(task, reason is not None)
            if reason is not None:
                print(f"DEFECT {task.group}/{task.kind}: {reason}\n       {command(options.seed, task)}", flush=True)
            seconds = time.monotonic() - start
            if seconds - reported > SECONDS_BETWEEN_REPORTS:
                reported = seconds
                print(f"{table.trials['', '']:,} trials, {table.defects['', '']} defects, {seconds:.0f} s", flush=True)
    table.print(options.kinds)
    print(f"{time.monotonic() - start:.0f} s")
    return table.defects["", ""]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1, help="seed of all random numbers (default 1)")
    parser.add_argument("--trials", type=int, default=20000, help="about N trials (default 20000)")
    parser.add_argument("--sample", type=int, help="run only N of these, chosen by the seed")
    parser.add_argument("--group", choices=sorted(GROUPS), help="run this group only")
    parser.add_argument("--sweep", metavar="JOB", help="refuse each allocation of this job, once and from it on")
    parser.add_argument("--jobs", type=int, default=3 * (os.cpu_count() or 1), help="trials at the same time")
    parser.add_argument("--kinds", action="store_true", help="print a row for each kind, not only for each group")
    parser.add_argument("--trial", help="run one trial, GROUP/KIND:NUMBER")
    parser.add_argument("--keep", action="store_true", help="keep the folder of that trial, and print its commands")
    parser.add_argument("--cc", default=os.environ.get("CC", "cc"), help="the compiler for preload.c")
    options = parser.parse_args()
    near_memory = pathlib.Path("/dev/shm")
    usual = near_memory if os.access(near_memory, os.W_OK) and "TMPDIR" not in os.environ else None
    scratch = pathlib.Path(tempfile.mkdtemp(prefix="luft-faults-", dir=usual))
    scratch.chmod(0o755)   # for trials under another user
    world = World(scratch, options.cc)
    try:
        if options.trial is None:
            return 1 if run_all(world, options) else 0
        name, _, number = options.trial.rpartition(":")
        reason = perform(world, options.seed, Task(*name.split("/", 1), int(number)), options.keep)
        print(reason or "survived")
        return 1 if reason else 0
    finally:
        if not options.keep:
            shutil.rmtree(scratch, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
