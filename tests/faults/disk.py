"""Full disks: at the Nth change of a file, once or from then on; at any byte; at a size limit; and standard output that takes
nothing."""

import os
import resource
import signal

from injection import Injection
from jobs import jobs_for
from trial import demand

MINIMUM = 200


def kinds(world):
    found = {}
    for job in jobs_for(world.programs):
        # preload.c does not see what stdio writes, and sees nothing under a sanitizer.
        if job.files and job.name != "export" and not world.programs.sanitized:
            found[f"write-{job.name}"] = lambda trial, job=job: fail_write(trial, job)
        if job.files:
            found[f"size-{job.name}"] = lambda trial, job=job: limit_size(trial, job)
        found[f"output-{job.name}"] = lambda trial, job=job: fill_output(trial, job)
    return found


def fail_write(trial, job):
    injection = Injection(trial, job)
    mode = trial.random.choice(["once", "always", "room"])
    last = injection.reference.bytes if mode == "room" else injection.reference.changes
    result = job.run(trial, fault=f"disk {mode} {trial.random.randint(1, last)}")
    injection.check_failure(result, "No space left on device")
    injection.finish()


def limit_size(trial, job):
    """Limits the size of files by setrlimit, so the system itself reports a full disk."""
    injection = Injection(trial, job)
    limit = int(2 ** trial.random.uniform(0, 16))
    result = job.run(trial, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
    injection.check_failure(result, "File too large", "File size limit exceeded")   # the second of gnuplot
    injection.finish()


def fill_output(trial, job):
    """Printing to a full disk, or to a pipe that nobody reads, must fail; the files must be complete anyway."""
    injection = Injection(trial, job)
    full = os.open("/dev/full", os.O_WRONLY)
    if trial.random.random() < 0.5:
        os.close(full)
        reader, full = os.pipe()
        os.close(reader)
    try:
        result = job.run(trial, stdout=full, expect=(0, 1, 2, -signal.SIGPIPE))
    finally:
        os.close(full)
    demand(result.status != 0 or not injection.reference.out, "status 0, but standard output takes nothing")
    injection.check_removed()
    injection.check_inputs()
    injection.check_written()
    injection.finish()
