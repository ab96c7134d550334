"""The basis of every trial of `make faults`: the programs, the trial's folder, random numbers from the seed, and a function that
runs a program and detects crashes, hangs and sanitizer reports. Standard library only."""

import collections
import contextlib
import hashlib
import os
import pathlib
import random
import shutil
import signal
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PATIENCE = 1800.0     # seconds until a program counts as hanging; on an idle machine all take less than one
REPORTS = (b"ERROR: AddressSanitizer", b"ERROR: LeakSanitizer", b"WARNING: ThreadSanitizer", b"runtime error:",
           b"Assertion `", b"stack smashing", b"double free", b"corrupted")
QUOTE_MAX = 300


class Defect(Exception):
    """The program did not behave as promised; the text describes how."""


Result = collections.namedtuple("Result", "status out err")


class Programs:
    """The tested programs: named by the environment as in the other tests, or built by `make`."""

    def __init__(self):
        self.luft = self.find("LUFT", "luft")
        self.lab = self.find("LUFT_LAB", "luft-lab")
        toys = sorted(ROOT.glob("build/*/tests/toy/toy_engine"))
        self.toy = self.find("TOY_ENGINE", str(toys[0].relative_to(ROOT)) if toys else "build/toy_engine")
        near = pathlib.Path(self.luft).parent
        switches = [os.environ.get("LUFT_SWITCHES"), near / "luft-switches", near.parent / "lab-options/luft"]
        found = [pathlib.Path(path).resolve() for path in switches if path and pathlib.Path(path).is_file()]
        self.switches = str(found[0]) if found else None
        content = pathlib.Path(self.luft).read_bytes()
        self.sanitized = any(name in content for name in (b"__asan_init", b"__tsan_init", b"__ubsan_handle"))

    @staticmethod
    def find(variable, usual):
        path = pathlib.Path(os.environ.get(variable) or ROOT / usual).resolve()
        if not path.is_file():
            raise SystemExit(f"{path} does not exist: build it, or set {variable}")
        return str(path)


class World:
    """What all trials of a run share. The first trial that needs a fixture makes it; then it is only read."""

    def __init__(self, scratch, compiler="cc"):
        self.scratch = pathlib.Path(scratch)
        self.programs = Programs()
        self.compiler = compiler
        (self.scratch / "fixtures").mkdir(parents=True, exist_ok=True)

    def fixture(self, name, make):
        """The folder of a fixture, filled by `make(folder)`. If two processes make it at once, the first to finish wins."""
        target = self.scratch / "fixtures" / name
        if not target.is_dir():
            folder = pathlib.Path(tempfile.mkdtemp(prefix="new-", dir=self.scratch))
            make(folder)
            try:
                folder.rename(target)
            except OSError:
                shutil.rmtree(folder)
        return target

    def preload(self):
        """Compiles preload.c, which makes a call fail."""
        def build(folder):
            subprocess.run([*self.compiler.split(), "-shared", "-fPIC", "-O1", "-o", str(folder / "preload.so"),
                            str(pathlib.Path(__file__).with_name("preload.c"))], check=True)
        return self.fixture("preload", build) / "preload.so"


class Trial:
    """One injected fault: its random numbers, and the folder in which its programs run."""

    def __init__(self, world, seed, kind, number):
        self.world, self.programs = world, world.programs
        self.kind, self.number = kind, number
        self.random = random.Random(f"{seed} {kind} {number}")
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="trial-", dir=world.scratch))
        self.started = []
        self.log = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in self.started:
            end_session(process)
        for folder, _, _ in os.walk(self.folder):
            with contextlib.suppress(OSError):
                os.chmod(folder, 0o700)

    # --- running ---

    def start(self, arguments, fault=None, **options):
        """Starts a program in the trial's folder, in a new session."""
        environment = dict(os.environ, LC_ALL="C", HOME=str(self.folder), UBSAN_OPTIONS="print_stacktrace=1")
        for name in ("COLUMNS", "XDG_STATE_HOME"):
            environment.pop(name, None)
        if fault:
            environment.update(LD_PRELOAD=str(self.world.preload()), LUFT_FAULT=fault)
        environment.update(options.pop("environment", {}))
        options = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
        process = subprocess.Popen(arguments, cwd=self.folder, env=environment, start_new_session=True, **options)
        self.started.append(process)
        self.log.append((arguments, fault))
        return process

    def finish(self, process, data=None, patience=PATIENCE):
        try:
            out, err = process.communicate(data, timeout=patience)
        except subprocess.TimeoutExpired:
            end_session(process)
            raise Defect(f"no end after {patience:g} s") from None
        except BrokenPipeError:
            out, err = process.communicate()
        # Work that a signal stopped ends with 4, and so does a test without a verdict; one that accepts H0 ends with 3.
        lab = {"luft-lab", b"luft-lab"} & {os.path.basename(word) for word in process.args[:1]}
        expected = (3, 4) if {"sprt", b"sprt"} & set(process.args) else (4,) if lab else ()
        status = 0 if process.returncode in expected else process.returncode
        return Result(status, out or b"", err or b"")

    def run(self, arguments, stdin=None, fault=None, expect=(0, 1, 2), patience=PATIENCE, **options):
        """Runs a program to its end. Death by a signal, a sanitizer report, an unexpected exit status, and a failure without a
        reason are defects."""
        if stdin is not None:
            options["stdin"] = subprocess.PIPE
        result = self.finish(self.start(arguments, fault, **options), stdin, patience)
        self.check(result, expect)
        return result

    def check(self, result, expect=(0, 1, 2)):
        for report in REPORTS:
            if report in result.err:
                raise Defect(f"a report: {quote(result.err[result.err.index(report):])}")
        if result.status < 0 and result.status not in expect:
            raise Defect(f"killed by {signal.Signals(-result.status).name}: {quote(result.err)}")
        if result.status not in expect:
            raise Defect(f"exit status {result.status}: {quote(result.err)}")
        if result.status > 0 and not result.err.strip():
            raise Defect(f"exit status {result.status} without a reason; standard output: {quote(result.out)}")

    def luft(self, *arguments, **options):
        return self.run([self.programs.luft, *arguments], **options)

    def lab(self, *arguments, **options):
        return self.run([self.programs.lab, *arguments], **options)

    # --- files ---

    def take(self, fixture, *names):
        """Copies the named files of a fixture into the trial's folder; without names, all."""
        for name in names or sorted(path.name for path in fixture.iterdir()):
            source = fixture / name
            if source.is_dir():
                shutil.copytree(source, self.folder / name)
            else:
                shutil.copyfile(source, self.folder / name)

    def path(self, name):
        return self.folder / name

    def read(self, name):
        """The content of a file; None if it does not exist."""
        try:
            return (self.folder / name).read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            return None

    def fingerprint(self, names):
        return {name: hashlib.sha256(self.read(name) or b"").hexdigest() for name in names}


def end_session(process):
    """Kills a program and all processes of its session."""
    for pid in [process.pid] * (process.returncode is None) + [int(pid) for pid in survivors(process)]:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGKILL)
    with contextlib.suppress(subprocess.TimeoutExpired, ValueError):
        process.communicate(timeout=5)


def survivors(process):
    """The processes of its session that still run, without zombies."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):  # not glob, which fails when a process ends meanwhile
        with contextlib.suppress(OSError):
            fields = pathlib.Path("/proc", pid, "stat").read_text().rpartition(")")[2].split()
            if int(fields[3]) == process.pid and fields[0] not in "ZX":
                found.append(pid)
    return found


def quote(data):
    text = data.decode("utf-8", "replace") if isinstance(data, bytes) else str(data)
    text = text.strip()
    return ascii(text if len(text) <= QUOTE_MAX else f"{text[:QUOTE_MAX]} ...")


def demand(condition, text):
    if not condition:
        raise Defect(text)
