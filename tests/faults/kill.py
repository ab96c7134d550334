"""Kills a job at any moment, or at a chosen change of a file, then runs the command again until it ends."""

import signal
import time

from injection import Injection
from jobs import RESUMED, jobs_for
from trial import demand, survivors

MINIMUM = 300
POLITE = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def kinds(world):
    found = {}
    for job in jobs_for(world.programs):
        if job.name in RESUMED or job.saves:
            found[f"resume-{job.name}"] = lambda trial, job=job: interrupt(trial, job, trial.random.randint(1, 4))
        elif job.files:
            found[f"again-{job.name}"] = lambda trial, job=job: interrupt(trial, job, 1)
    return found


def interrupt(trial, job, times):
    injection = Injection(trial, job)
    for number in range(times):
        again = number > 0
        # Training saves on a signal and rarely otherwise, so it gets signals more often.
        how = trial.random.choice(["moment", "call", "call", "signal"] + ["signal"] * (job.name == "train"))
        if how == "call" and not trial.programs.sanitized:
            kill_at_call(trial, job, again, trial.random.randint(1, injection.reference.changes))
        else:
            stop_at_moment(trial, job, again, signal.SIGKILL if how != "signal" else trial.random.choice(POLITE))
        injection.check_inputs()
        injection.check_saved()
    injection.finish()


def kill_at_call(trial, job, again, number):
    mode = trial.random.choice(["before", "torn", "after"])
    process = trial.start(job.command(trial.programs, again), f"kill {mode} {number}")
    trial.check(trial.finish(process), (0, 1, -signal.SIGKILL))
    wait_for_children(process)


def stop_at_moment(trial, job, again, number):
    """Sends a signal after a random time, mostly a short one, because most jobs end soon."""
    process = trial.start(job.command(trial.programs, again))
    time.sleep(trial.random.choice([0.02, 0.1, 0.4]) * trial.random.random())
    if process.poll() is None:
        process.send_signal(number)
    # Signals still kill the program until it has blocked them.
    trial.check(trial.finish(process), (0, 1, -number))
    wait_for_children(process)


def wait_for_children(process):
    """Engines must end with the program that started them, however it ended."""
    for _ in range(200):
        if not survivors(process):
            return
        time.sleep(0.02)
    demand(False, "an engine outlives the program that started it")


