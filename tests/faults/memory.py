"""Refused memory: at the Nth allocation, once or from then on. A trial draws N, a sweep tries each N of one job."""

from injection import Injection
from jobs import jobs_for, reference

MINIMUM = 200
MODES = ("once", "always")


def kinds(world):
    """Empty under a sanitizer, which has its own allocator."""
    if world.programs.sanitized:
        return {}
    return {job.name: lambda trial, job=job: refuse_any(trial, job) for job in jobs_for(world.programs)}


def sweep(world, name):
    """The kind of trial that tries each allocation of a job in order, and how many trials that takes."""
    job = next((job for job in jobs_for(world.programs) if job.name == name), None)
    if job is None or world.programs.sanitized:
        raise SystemExit(f"no job {name} to sweep: tests/faults/jobs.py has their names, and a sanitizer has its own allocator")
    return lambda trial: refuse_next(trial, job), len(MODES) * reference(world, job).allocations


def refuse_any(trial, job):
    injection = Injection(trial, job)
    refuse(injection, trial.random.choice(MODES), trial.random.randint(1, injection.reference.allocations))


def refuse_next(trial, job):
    refuse(Injection(trial, job), MODES[trial.number % len(MODES)], 1 + trial.number // len(MODES))


def refuse(injection, mode, number):
    trial, job = injection.trial, injection.job
    result = job.run(trial, fault=f"memory {mode} {number}")
    if job.talks:
        check_conversation(injection, result)
    else:
        injection.check_failure(result)
    injection.finish()


def check_conversation(injection, result):
    """All lines are answered, unless the program ends; failures are reported. Every go has its bestmove."""
    reported = b"error" in result.out + result.err or b"memory" in result.out + result.err
    if result.status == 0 and (injection.job.name == "uci" or not reported):
        injection.check_result(result, "after status 0")
    injection.check_inputs()
