"""What surrounds a program: closed standard streams, few open files, missing permissions, locales, clocks that jump."""

import copy
import os
import pathlib
import resource
import shutil
import subprocess

from injection import Injection
from jobs import jobs_for
from trial import demand

MINIMUM = 200
NOBODY = 65534   # whose permissions count where the tests run as root
DAY = 86400


def kinds(world):
    found = {}
    for job in jobs_for(world.programs):
        found[f"closed-{job.name}"] = lambda trial, job=job: close_streams(trial, job)
        found[f"handles-{job.name}"] = lambda trial, job=job: limit_handles(trial, job)
        found[f"locale-{job.name}"] = lambda trial, job=job: change_locale(trial, job)
        if not world.programs.sanitized:
            found[f"clock-{job.name}"] = lambda trial, job=job: turn_clock(trial, job)
        if job.files or job.inputs:
            found[f"denied-{job.name}"] = lambda trial, job=job: deny(trial, job)
    return found


def close_streams(trial, job):
    """A closed stream is /dev/null: no file takes its number, and what is printed is not missed."""
    injection = Injection(trial, job)
    streams = trial.random.sample([0, 1, 2], trial.random.randint(1, 3))
    if job.stdin:
        streams = [stream for stream in streams if stream != 0]
    result = job.run(trial, preexec_fn=lambda: [os.close(stream) for stream in streams], expect=[0])
    if 1 in streams:
        result = result._replace(out=injection.reference.out)
    injection.check_failure(result)
    injection.finish()


def limit_handles(trial, job):
    injection = Injection(trial, job)
    limit = trial.random.randint(4, 16)
    result = job.run(trial, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit)))
    injection.check_failure(result, "Too many open files")
    injection.finish()


def change_locale(trial, job):
    """Neither the environment nor a program that uses the library, and has set its locale, changes a result."""
    injection = Injection(trial, job)
    environment = {"LC_ALL": trial.random.choice(locales(trial.world) + ["C", "C.UTF-8", "xx_XX"])}
    fault = None if trial.programs.sanitized or trial.random.random() < 0.2 else "locale"
    injection.check_failure(job.run(trial, fault=fault, environment=environment, expect=[0]))
    injection.finish()


def locales(world):
    """de_DE.UTF-8, with its decimal comma, where tests/setup could make it."""
    def make(folder):
        names = subprocess.run(["locale", "-a"], capture_output=True, text=True).stdout.split()
        (folder / "names").write_text("de_DE.UTF-8" if "de_DE.utf8" in names else "")
    return (world.fixture("locales", make) / "names").read_text().split() * 3


def turn_clock(trial, job):
    """The wall clock jumps forward or back; the steady clock only forward, as after a standstill, which may cost a game that is
    played on the clock."""
    injection = Injection(trial, job)
    wall = trial.random.choice([-3600, 3600, -400 * DAY, 400 * DAY, -40000 * DAY, 60000 * DAY, 1 << 40])
    steady = trial.random.choice([0, 1, 3600, 400 * DAY])
    look = trial.random.randint(1, max(1, injection.reference.looks))
    may_fail = job.plays and steady > 0
    result = job.run(trial, fault=f"clock jumps {look} {wall} {steady}", expect=(0, 1) if may_fail else [0])
    if may_fail:
        injection.check_inputs()
        injection.check_removed()
    else:
        injection.check_failure(result)
        injection.finish()


def deny(trial, job):
    """A folder or file that may not be written, or an input that may not be read. Root may do everything, hence another user."""
    injection = Injection(trial, job)
    protected = [name for name, earlier in injection.earlier.items() if earlier]
    choices = [(".", 0o555)] + [(name, 0) for name in injection.inputs] + [(name, 0o444) for name in protected]
    name, mode = trial.random.choice(choices)
    options = {}
    if os.geteuid() == 0:
        trial.programs = copies(trial.world)
        for path in [trial.folder, *trial.folder.rglob("*")]:
            os.chown(path, NOBODY, NOBODY)
        options = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
    os.chmod(trial.path(name), mode)
    result = job.run(trial, **options)
    os.chmod(trial.path(name), 0o755 if name == "." else 0o644)
    for protected_name in protected:
        demand(name != protected_name or result.status != 0 and trial.read(name) == injection.earlier[name],
               f"{name} was replaced, although it is write-protected")
    injection.check_failure(result, "Permission denied")
    injection.finish()


def copies(world):
    """The programs where another user may run them."""
    def make(folder):
        folder.chmod(0o755)
        for path in {world.programs.luft, world.programs.lab, world.programs.toy, world.programs.switches} - {None}:
            target = folder / pathlib.Path(path).parent.name / pathlib.Path(path).name
            target.parent.mkdir(exist_ok=True)
            target.parent.chmod(0o755)
            shutil.copy(path, target)
            target.chmod(0o755)
    folder, programs = world.fixture("programs", make), copy.copy(world.programs)
    for name in ("luft", "lab", "toy", "switches"):
        path = getattr(programs, name)
        if path:
            setattr(programs, name, str(folder / pathlib.Path(path).parent.name / pathlib.Path(path).name))
    return programs
