"""Full disks: at the Nth change of a file, once or from then on; at a size limit; or on standard output."""

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
    mode = trial.random.choice(["once", "always"])
    result = job.run(trial, fault=f"disk {mode} {trial.random.randint(1, injection.reference.changes)}")
    injection.check_failure(result)
    injection.check_saved()
    injection.finish()


def limit_size(trial, job):
    """Limits the size of files by setrlimit, so the system itself reports a full disk."""
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
    """Printing to a full disk must fail; the files must be complete anyway."""
    injection = Injection(trial, job)
    with open("/dev/full", "wb") as full:
        result = job.run(trial, stdout=full)
    demand(result.status != 0 or injection.reference.printed == 0, "status 0, but standard output is full")
    injection.check_inputs()
    injection.finish()
