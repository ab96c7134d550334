"""The common part of refused memory, full disks and kills. A job is disturbed at some call, once or several times. It must report
the failure and not change its inputs, and running the command again must give the result of an undisturbed run."""

from jobs import make_base, reference, shape
from trial import demand, quote


class Injection:
    """One job in the trial's folder, with the result of an undisturbed run."""

    def __init__(self, trial, job):
        self.trial, self.job = trial, job
        self.reference = reference(trial.world, job)
        trial.take(make_base(trial.world), *job.inputs)
        self.inputs = [name for name in job.inputs if name not in job.saves and trial.path(name).is_file()]
        self.before = trial.fingerprint(self.inputs)
        self.saved = {name: self.kept(name, trial.read(name) or b"") for name in job.saves}
        self.killed = False   # by a signal that may leave temporary files
        self.earlier = {name: None for name in job.writes}
        if trial.random.random() < 0.5:
            for name in set(job.writes) - set(job.fresh):
                whole = self.reference.written[name]
                self.earlier[name] = whole[:max(64, len(whole) // 2)] + b"an earlier result\n"
                trial.path(name).write_bytes(self.earlier[name])

    def check_inputs(self):
        demand(self.trial.fingerprint(self.inputs) == self.before, "an input was changed")

    def kept(self, name, content):
        """The readable part of a growing file: complete lines of a journal or PGN, or the games of a game file."""
        if not name.endswith(".games"):
            return content[:content.rfind(b"\n") + 1]
        if not content:
            return b""
        return self.trial.lab("data", "export", name, expect=[0]).out

    def check_saved(self):
        """No saved data is lost: what was readable before is the beginning of what is readable now."""
        for name, before in self.saved.items():
            now = self.kept(name, self.trial.read(name) or b"")
            demand(now.startswith(before) or name.endswith(".pgn"), f"{name} has lost what was in it")
            self.saved[name] = now

    def check_written(self):
        """A file that is written as a whole is the earlier one or the new one."""
        for name, earlier in self.earlier.items():
            now = self.trial.read(name)
            whole = shape(now) == shape(self.reference.written[name])
            demand(now == earlier or whole, f"{name} is neither what it was nor whole")

    def check_removed(self):
        if self.killed:
            return
        left = [path.name for path in self.trial.folder.rglob("*.tmp")]
        demand(not left, f"files left: {left}")

    def check_sentence(self, result, reasons):
        """The last line of a failure names a file and the reason."""
        line = result.err.decode("utf-8", "replace").strip().rpartition("\n")[2]
        named = any(name in line for name in [*self.reference.names, *self.inputs, "standard output", "toy_engine", "/luft", "(/"])
        demand(named and any(reason in line for reason in reasons), f"no sentence with a file and {reasons}: {quote(line)}")

    def check_result(self, result, when):
        found = self.job.result(self.trial, result)
        demand(found == self.reference.outcome, f"another result {when}: {quote(difference(self.reference.outcome, found))}")

    def check_failure(self, result, *reasons):
        """After the program ended by itself: it either failed and reported it, or its result is complete."""
        reported = any(reason.encode() in result.out + result.err for reason in reasons)
        if result.status != 0 and reasons:
            self.check_sentence(result, reasons)
        elif result.status == 0 and not (self.job.talks and reported):
            self.check_result(result, "after status 0")
        self.check_removed()
        self.check_inputs()
        self.check_written()
        self.check_saved()

    def finish(self):
        """Runs the command again, undisturbed: it must give the result of an undisturbed run."""
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
