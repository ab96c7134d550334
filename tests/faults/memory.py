"""Refused memory: at the Nth allocation, once or from then on."""

from injection import Injection
from jobs import jobs_for
from trial import demand

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
    if job.name == "uci":
        check_conversation(injection, result)
    else:
        injection.check_failure(result)
    injection.finish()


def check_conversation(injection, result):
    """Every go has its bestmove and every isready its answer, unless the engine ends; failures are reported."""
    reported = b"error" in result.out or b"error" in result.err or result.status != 0
    same = injection.job.result(injection.trial, result) == injection.reference.outcome
    demand(same or result.status != 0, "a go or an isready was not answered")
    demand(same or reported, "something failed and nothing was reported")
    injection.check_inputs()
