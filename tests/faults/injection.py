"""What refused memory, full disks and kills have in common: a job is disturbed at some call, once or several times; what it says
must be true, its inputs must be as they were, and the same command again must come to the result of an undisturbed run."""

import os

from jobs import make_base, reference
from trial import demand, quote


class Injection:
    """One job in the trial's folder, next to what it comes to undisturbed."""

    def __init__(self, trial, job):
        self.trial, self.job = trial, job
        self.reference = reference(trial.world, job)
        trial.take(make_base(trial.world), *job.inputs)
        self.inputs = [name for name in job.inputs if name not in job.saves and trial.path(name).is_file()]
        self.before = trial.fingerprint(self.inputs)
        self.saved = {name: self.kept(name, trial.read(name) or b"") for name in job.saves}

    def check_inputs(self):
        demand(self.trial.fingerprint(self.inputs) == self.before, "an input was changed")

    def kept(self, name, content):
        """What can be read of a file that grows: whole lines of a journal or PGN, the games of a file of records."""
        if not name.endswith(".games"):
            return content[:content.rfind(b"\n") + 1]
        if not content:
            return b""
        return self.trial.lab("data", "export", name, expect=[0]).out

    def check_saved(self):
        """Nothing that was on the disk is lost: what could be read before is the beginning of what can be read now."""
        for name, before in self.saved.items():
            now = self.kept(name, self.trial.read(name) or b"")
            demand(now.startswith(before) or name.endswith(".pgn"), f"{name} has lost what was in it")
            self.saved[name] = now

    def check_result(self, result, when):
        found = self.job.result(self.trial, result)
        demand(found == self.reference.outcome, f"another result {when}: {quote(difference(self.reference.outcome, found))}")

    def check_failure(self, result):
        """After an end that the program itself chose: either it failed and says so, or all is as if nothing had been."""
        if result.status == 0:
            self.check_result(result, "after status 0")
        left = [name for name in os.listdir(self.trial.folder) if name.endswith(".tmp")]
        demand(not left, f"left behind: {left}")
        self.check_inputs()

    def finish(self):
        """Undisturbed, again: the result of the undisturbed run."""
        result = self.job.run(self.trial, again=True, expect=[0])
        self.check_result(result, "after another run")
        self.check_inputs()
        self.check_saved()


def difference(expected, found):
    """The first place where two results differ."""
    if isinstance(expected, (list, tuple)) and isinstance(found, (list, tuple)):
        if len(expected) != len(found):
            return f"{len(expected)} items expected, {len(found)} found"
        for number, (one, other) in enumerate(zip(expected, found)):
            if one != other:
                return f"item {number}: {difference(one, other)}"
    if isinstance(expected, bytes) and isinstance(found, bytes):
        at = next((i for i, (a, b) in enumerate(zip(expected, found)) if a != b), min(len(expected), len(found)))
        return f"byte {at} of {len(expected)} and {len(found)}: {expected[at:at + 60]!r}, {found[at:at + 60]!r}"
    return f"{expected!r}, {found!r}"
