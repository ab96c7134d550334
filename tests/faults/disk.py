"""Disks that are full: at the Nth change of a file, once, or from then on; or when a file reaches a size; or standard output."""

import resource
import signal

from injection import Injection
from jobs import jobs_for
from trial import demand

MINIMUM = 200


def kinds(world):
    found = {}
    for job in jobs_for(world.programs):
        # What is written by stdio is not seen by preload.c, and under a sanitizer nothing is.
        if job.files and job.name != "export" and not world.programs.sanitized:
            found[f"write-{job.name}"] = lambda trial, job=job: fail_write(trial, job)
        if job.files:
            found[f"size-{job.name}"] = lambda trial, job=job: limit_size(trial, job)
        found[f"output-{job.name}"] = lambda trial, job=job: fill_output(trial, job)
    return found


def fail_write(trial, job):
    injection = Injection(trial, job)
    mode = trial.random.choice(["once", "always"])
    result = job.run(trial, fault=f"disk {mode} {trial.random.randint(1, injection.reference.changes)}")
    injection.check_failure(result)
    injection.check_saved()
    injection.finish()


def limit_size(trial, job):
    """No file may grow beyond some bytes: the system's own way to say that a disk is full."""
    injection = Injection(trial, job)
    limit = int(2 ** trial.random.uniform(0, 16))

    def prepare():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    result = job.run(trial, preexec_fn=prepare, restore_signals=False)
    injection.check_failure(result)
    injection.check_saved()
    injection.finish()


def fill_output(trial, job):
    """Who prints to a full disk has failed; what went to files is whole all the same."""
    injection = Injection(trial, job)
    with open("/dev/full", "wb") as full:
        result = job.run(trial, stdout=full)
    demand(result.status != 0 or injection.reference.printed == 0, "status 0, but standard output is full")
    injection.check_inputs()
    injection.finish()
