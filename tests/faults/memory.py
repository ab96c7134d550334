"""Refused memory: at the Nth allocation, once or from then on."""

from injection import Injection
from jobs import jobs_for

MINIMUM = 200


def kinds(world):
    """Empty under a sanitizer, which has its own allocator."""
    if world.programs.sanitized:
        return {}
    return {job.name: lambda trial, job=job: refuse(trial, job) for job in jobs_for(world.programs)}


def refuse(trial, job):
    injection = Injection(trial, job)
    mode = trial.random.choice(["once", "always"])
    number = trial.random.randint(1, injection.reference.allocations)
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
