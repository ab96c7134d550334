"""Signals at any moment, and before, in or after a chosen call; then the same command again until it ends. SIGKILL and
SIGPIPE leave temporary files, other signals leave none, and SIGSTOP is followed by SIGCONT."""

import os
import signal
import threading
import time

from injection import Injection
from jobs import RESUMED, jobs_for
from trial import demand, survivors

MINIMUM = 300
POLITE = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
ALL = (*POLITE, signal.SIGSTOP, signal.SIGKILL)


def kinds(world):
    found = {}
    for job in jobs_for(world.programs):
        if job.name in RESUMED or job.saves:
            found[f"resume-{job.name}"] = lambda trial, job=job: interrupt(trial, job, trial.random.randint(1, 4))
        else:
            found[f"again-{job.name}"] = lambda trial, job=job: interrupt(trial, job, 1)
    return found


def interrupt(trial, job, times):
    injection = Injection(trial, job)
    for number in range(times):
        # Training saves on a signal and rarely otherwise, so it gets signals more often.
        how = trial.random.choice(["moment", "call", "call"] + ["moment"] * (job.name == "train"))
        if how == "call" and not trial.programs.sanitized:
            strike_at_call(injection, number > 0)
        else:
            strike_at_moment(injection, number > 0)
        injection.check_inputs()
        injection.check_written()
        injection.check_saved()
    injection.finish()


def strike_at_call(injection, again):
    trial, job, reference = injection.trial, injection.job, injection.reference
    number = trial.random.choice(ALL)
    modes = ["memory"] + ["before", "torn", "after"] * (reference.changes > 0)
    mode = trial.random.choice(modes)
    last = reference.allocations if mode == "memory" else reference.changes
    process = job.start(trial, again, fault=f"signal {mode} {trial.random.randint(1, last)} {number}")
    wait_for_end(injection, process, number)


def strike_at_moment(injection, again):
    """Sends a signal after a random time, mostly a short one, because most jobs end soon."""
    trial = injection.trial
    number = trial.random.choice([*ALL, signal.SIGPIPE])
    process = injection.job.start(trial, again)
    time.sleep(trial.random.choice([0.02, 0.1, 0.4]) * trial.random.random())
    if process.poll() is None:
        process.send_signal(number)
    wait_for_end(injection, process, number)


def wait_for_end(injection, process, number):
    trial = injection.trial
    if number == signal.SIGSTOP:
        threading.Thread(target=wake, args=[process], daemon=True).start()
    injection.killed |= number in (signal.SIGKILL, signal.SIGPIPE)
    result = trial.finish(process)
    # Signals still kill the program until it has blocked them.
    trial.check(result, (0, 1, -number))
    if number == signal.SIGSTOP and result.status == 0:
        injection.check_result(result, "after a stop")
    injection.check_removed()
    for _ in range(200):
        if not survivors(process):
            return
        time.sleep(0.02)
    demand(False, "an engine outlives the program that started it")


def wake(process):
    """Sends SIGCONT whenever the process stands still, until it ends."""
    try:
        while os.waitid(os.P_PID, process.pid, os.WEXITED | os.WSTOPPED | os.WNOWAIT).si_code == os.CLD_STOPPED:
            time.sleep(0.01)
            os.kill(process.pid, signal.SIGCONT)
    except (ChildProcessError, ProcessLookupError):
        pass   # it has ended
