#!/usr/bin/env python3
"""Builds what the tests need, runs them, and ends with "N passed, N failed". `make check` and its kin call this.

    tests/run.py check | check-all | sanitize | tsan | tidy   [--build FOLDER] [--cc COMPILER] [--only REGEX]
    tests/run.py unittest FILE                     one file of Python tests, reported in TAP

--only runs the test programs whose name (unit/test_tt, e2e/test_uci.py, ...) matches. Everything that is made lies
in the build folder. Standard library only; docs/testing.md tells what is tested where.
"""

import argparse
import concurrent.futures
import contextlib
import glob
import hashlib
import importlib.util
import os
import pathlib
import platform
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.dont_write_bytecode = True
sys.path.append(str(ROOT / "tests/fuzz"))
import archive  # noqa: E402

JOBS = os.cpu_count() or 1
AT_ONCE = 2 * JOBS  # conversations wait half of their time
X86 = platform.machine() in ("x86_64", "AMD64")
SECONDS_FOR_PROGRAM = 3600  # more is a hang: nothing fails because the machine is slow
SECONDS_FOR_BUILD = 3600
BENCH_DEPTH = 6
PROGRAMS = ["unit/test_*", "perft/*", "fuzz/replay_*"]
COLOR = sys.stdout.isatty() and "NO_COLOR" not in os.environ


class Tally:
    """Counts test cases, and prints one line for each group of them and the whole output of what failed. Any thread."""

    def __init__(self):
        self.passed = self.failed = self.skipped = 0
        self.lock = threading.Lock()

    def group(self, name, passed, failed, seconds, output="", skipped=0):
        mark = "FAIL" if failed else "ok  "
        if COLOR:
            mark = f"\033[{31 if failed else 32}m{mark}\033[0m"
        counts = f"{passed} passed" + (f", {failed} failed" if failed else "") + (f", {skipped} skipped" if skipped else "")
        with self.lock:
            self.passed += passed
            self.failed += failed
            self.skipped += skipped
            print(f"{mark} {name:<44} {counts:<28} {seconds:6.1f} s", flush=True)
            if failed and output:
                print("".join(f"     | {line}\n" for line in interesting(output)[-80:]), end="", flush=True)

    def case(self, name, good, output="", seconds=0.0):
        good = bool(good)
        self.group(name, int(good), int(not good), seconds, output)
        return good

    def finish(self):
        if self.skipped:
            print(f"{self.skipped} skipped here")
        print(f"{self.passed} passed, {self.failed} failed", flush=True)
        return 1 if self.failed or not self.passed else 0


def run(arguments, timeout, env=None, cwd=ROOT):
    """Exit status, output, seconds. What runs over the limit is killed with all that it started."""
    start = time.monotonic()
    process = subprocess.Popen(arguments, cwd=cwd, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, start_new_session=True)
    try:
        output, _ = process.communicate(timeout=timeout)
        status = process.returncode
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        output, _ = process.communicate()
        output += f"\nkilled after {timeout} s\n".encode()
        status = 124
    return status, output.decode("utf-8", "replace"), time.monotonic() - start


def count_tap(status, output):
    """Passed, failed, skipped of a TAP report. A program that dies or reports nothing has failed at least once.
    cmocka writes "not ok 1 # SKIP" for what was skipped."""
    output = re.sub(r"^not (ok \d+ # SKIP)", r"\1", output, flags=re.M)
    skipped = len(re.findall(r"^ok \d+.*# SKIP", output, re.M))
    passed = len(re.findall(r"^ok \d+", output, re.M)) - skipped
    failed = len(re.findall(r"^not ok \d+", output, re.M))
    plan = re.search(r"^1\.\.(\d+)", output, re.M)
    if plan:
        failed += max(0, int(plan.group(1)) - passed - failed - skipped)
    if failed == 0 and (status != 0 or passed + skipped == 0):
        failed = 1
    return passed, failed, skipped


def interesting(output):
    """Without make's progress and what passed."""
    return [line for line in output.rstrip().splitlines() if not re.match(r"  (CC|LINK) |ok \d+", line)]


class Suite:
    seconds_for_build = SECONDS_FOR_BUILD

    def __init__(self, options):
        self.options = options
        self.build = pathlib.Path(options.build)
        self.tally = Tally()
        self.scratch = (ROOT / self.build / "tmp").resolve()
        shutil.rmtree(self.scratch, ignore_errors=True)
        self.scratch.mkdir(parents=True, exist_ok=True)
        # What make hands down (its job server, command line variables) is not for the builds in here.
        inherited = {k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "MAKEOVERRIDES")}
        self.env = dict(inherited, PATH=inherited.get("PATH", "") + ":/usr/games:/usr/local/games",
                        TMPDIR=str(self.scratch), PYTHONDONTWRITEBYTECODE="1", CMOCKA_MESSAGE_OUTPUT="TAP",
                        # What is too large is refused, as by the C library: tests ask for it.
                        ASAN_OPTIONS="detect_leaks=1 allocator_may_return_null=1", UBSAN_OPTIONS="print_stacktrace=1",
                        TSAN_OPTIONS="halt_on_error=1 second_deadlock_stack=1 allocator_may_return_null=1")
        self.compilers = [options.cc] + [cc for cc in ("gcc", "clang") if self.kind(cc) != self.kind(options.cc)]

    @staticmethod
    def kind(cc):
        text = subprocess.run([*cc.split(), "--version"], capture_output=True, text=True).stdout.lower() \
            if shutil.which(cc.split()[0]) else cc
        return "clang" if "clang" in text else "gcc"

    def wants(self, name):
        return re.search(self.options.only, name) is not None

    def names(self, pattern):
        """Of the test programs with these sources, those that are wanted."""
        paths = sorted((ROOT / "tests").glob(pattern))
        names = [str(path.relative_to(ROOT / "tests").with_suffix("")).replace("fuzz_", "replay_") for path in paths]
        return [name for name in names if self.wants(name)]

    def has_cmocka(self):
        """Whether the unit tests would compile; libraries and paths that make is given are for make to find."""
        compiler = self.options.cc.split()
        is_asked = self.options.what != "tidy" and self.names("unit/test_*.c") and "CMOCKA" not in os.environ
        if not is_asked or not shutil.which(compiler[0]):
            return True
        source = "#include <stdarg.h>\n#include <stddef.h>\n#include <setjmp.h>\n#include <stdint.h>\n#include <cmocka.h>\n"
        return subprocess.run([*compiler, "-fsyntax-only", "-x", "c", "-"], input=source.encode(), capture_output=True).returncode == 0

    # --- builds ---

    def make(self, name, goal, **variables):
        """Builds one configuration in its own folder; `goal` may be a list of files. A failure is a failed case; what could be
        built is tested all the same. The folder, or None when there is no program in it."""
        folder = self.build / name
        goals = [goal] if isinstance(goal, str) else goal
        arguments = ["make", f"-j{JOBS}", "--keep-going", *goals, f"BUILD={self.build}", f"OBJECTS={folder}"]
        arguments += [f"{key}={value}" for key, value in variables.items()]
        status, output, seconds = run(arguments, self.seconds_for_build, self.env)
        about = " ".join(f"{k}={v}" for k, v in variables.items())
        self.tally.case(f"build {name}: {about}"[:60], status == 0, output, seconds)
        return ROOT / folder if goals != [goal] or any((ROOT / folder / f"luft{end}").is_file() for end in ("", ".exe")) else None

    def build_from_archive(self):
        """As OpenBench does: sources without .git in an empty folder, `make -j EXE=...`, no other word."""
        folder = self.build / "archive"
        target = ROOT / folder
        shutil.rmtree(target, ignore_errors=True)
        for name in ("include", "mk", "src", "lab", "lessons", "nets", "docs", "tests"):
            if (ROOT / name).is_dir():
                shutil.copytree(ROOT / name, target / name)
        for name in ("Makefile", "LICENSE"):
            shutil.copy(ROOT / name, target)
        arguments = ["make", f"-j{JOBS}", "EXE=luft-from-archive", f"CC={self.options.cc}"]
        status, output, seconds = run(arguments, SECONDS_FOR_BUILD, self.env, cwd=target)
        binary = target / "luft-from-archive"
        good = self.tally.case("build from an archive without .git", status == 0 and binary.is_file(), output, seconds)
        if good:
            first = run([str(binary), "--version"], SECONDS_FOR_PROGRAM, self.env)[1].split("\n")[0]
            self.tally.case(f"no commit in its version: {first}", bool(re.fullmatch(r"Luft \d+\.\d+(-dev)?", first)), first)
            self.install(arguments, target)
        return binary if good else None

    def install(self, arguments, target):
        """`make install` puts program, man page and licence below DESTDIR and PREFIX; uninstall takes them away again."""
        arguments += [f"DESTDIR={self.scratch / 'root'}", "PREFIX=/usr"]
        files = [self.scratch / "root/usr" / name for name in ("bin/luft", "share/man/man6/luft.6", "share/doc/luft/LICENSE")]
        status, output, seconds = run(arguments + ["install"], SECONDS_FOR_BUILD, self.env, cwd=target)
        good = status == 0 and all(file.is_file() for file in files)
        status, more, _ = run(arguments + ["uninstall"], SECONDS_FOR_BUILD, self.env, cwd=target)
        good = good and status == 0 and not any(file.exists() for file in files)
        self.tally.case("install and uninstall", good, output + more, seconds)

    # --- test programs ---

    def tap(self, name, arguments, env=None, timeout=SECONDS_FOR_PROGRAM):
        status, output, seconds = run(arguments, timeout, env or self.env)
        passed, failed, skipped = count_tap(status, output)
        self.tally.group(name, passed, failed, seconds, output, skipped)

    def programs(self, folder, label, patterns):
        """A job for each test program of a build that matches."""
        found = sorted(path for pattern in patterns for path in glob.glob(str(folder / "tests" / pattern))
                       if os.access(path, os.X_OK) and not path.endswith((".o", ".d")))
        jobs = []
        for path in found:
            name = os.path.relpath(path, folder / "tests")
            if not self.wants(name):
                continue
            arguments = [path]
            if name.startswith("perft/"):
                arguments.append(str(ROOT / "tests/perft/perft.txt"))
            if name.startswith("fuzz/replay_"):
                fuzzer = name[len("fuzz/replay_"):]
                arguments += map(str, archive.unpack_corpus(fuzzer, self.scratch / "corpus" / fuzzer))
            jobs.append((self.tap, f"{name}{label}", arguments, self.env))
        return jobs

    @staticmethod
    def side_by_side(jobs, count=JOBS):
        """Runs jobs (a function and its arguments) in their order, `count` at once."""
        with concurrent.futures.ThreadPoolExecutor(count) as pool:
            for job in [pool.submit(*job) for job in jobs]:
                job.result()

    @contextlib.contextmanager
    def full(self):
        """Jobs that are made in here test all that they sample otherwise."""
        sampled, self.env = self.env, dict(self.env, LUFT_TEST_FULL="1")
        yield
        self.env = sampled

    def environment(self, folder):
        """Names the programs of a build."""
        env = dict(self.env, LUFT=str(folder / "luft"), LUFT_LAB=str(folder / "luft-lab"))
        toy = folder / "tests/toy/toy_engine"
        if toy.is_file():
            env["TOY_ENGINE"] = str(toy)
        return env

    def conversations(self, folder, label, only=""):
        """A job for each file of tests/e2e, large ones first: they take longest."""
        env = self.environment(folder)
        files = sorted(glob.glob(str(ROOT / "tests/e2e/test_*.py")), key=os.path.getsize, reverse=True)
        paths = {f"e2e/{os.path.basename(path)}": path for path in files}
        return [(self.tap, name + label, [sys.executable, __file__, "unittest", path], env)
                for name, path in paths.items() if self.wants(name) and re.search(only, name)]

    def layers(self):
        self.tap("layers", [sys.executable, str(ROOT / "tests/layers.py")])

    # --- tidiness ---

    def sources(self, *endings):
        return sorted(str(path.relative_to(ROOT)) for folder in ("src", "lab", "tests")
                      for path in (ROOT / folder).rglob("*") if path.suffix in endings)

    def tidy(self, analyser=True):
        """`analyser`: with clang's static analyser, which takes nearly all of the time; `make check` goes without."""
        self.format()
        checks = [] if analyser else ["--checks=-clang-analyzer-*"]
        headers = hashlib.sha256("".join(checks).encode())
        for path in self.sources(".h", ".def") + [".clang-tidy"]:
            headers.update((ROOT / path).read_bytes())
        stamps = ROOT / self.build / "tidy"
        stamps.mkdir(parents=True, exist_ok=True)

        def one(path):
            """Silent about a file that has not changed, with its headers, since it was last found clean."""
            digest = headers.copy()
            digest.update((ROOT / path).read_bytes())
            stamp = stamps / digest.hexdigest()
            if stamp.exists():
                return True, "", 0.0
            status, output, seconds = run(["clang-tidy", "--quiet", "--warnings-as-errors=*", *checks, path, "--",
                                           "-std=c11", "-D_GNU_SOURCE", '-DLUFT_EVALFILE="net"', "-Isrc", "-I.", "-march=native"],
                                          SECONDS_FOR_PROGRAM, self.env)
            if status == 0:
                stamp.touch()
            return status == 0, output, seconds

        start = time.monotonic()
        paths = [path for path in self.sources(".c") if not path.startswith("tests/")]
        with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
            results = list(pool.map(one, paths))
        bad = "\n".join(sorted({line.replace(f"{ROOT}/", "") for good, output, _ in results if not good
                               for line in output.splitlines() if re.search(r": (error|warning): ", line)}))
        failed = sum(not good for good, _, _ in results)
        self.tally.group("clang-tidy", len(paths) - failed, failed, time.monotonic() - start, bad)

    def format(self):
        """Layout differs between versions of clang-format: only the one of Debian 12 judges."""
        tool = shutil.which("clang-format-14") or "clang-format"
        version = subprocess.run([tool, "--version"], capture_output=True, text=True).stdout
        if "version 14." not in version:
            self.tally.group("clang-format (only version 14 judges)", 0, 0, 0.0, skipped=1)
            return
        status, output, seconds = run([tool, "--dry-run", "-Werror", *self.sources(".c", ".h")], SECONDS_FOR_PROGRAM)
        untidy = sorted(set(re.findall(r"^(\S+?):\d+:\d+: error", output, re.M)))
        self.tally.case("clang-format", status == 0, "\n".join(f"clang-format -i {path}" for path in untidy), seconds)

    # --- bench: one number everywhere ---

    def bench(self, binaries, *depth):
        expected = None
        for name, binary in binaries:
            status, output, seconds = run([str(binary), "bench", *map(str, depth)], SECONDS_FOR_PROGRAM, self.env)
            last = re.fullmatch(r"(\d+) nodes (\d+) nps", (output.strip().splitlines() or [""])[-1])
            nodes = int(last.group(1)) if last else None
            expected = expected or nodes
            good = status == 0 and nodes is not None and nodes == expected
            self.tally.case(f"bench, {name}: {nodes}", good, f"expected {expected}\n{output}", seconds)

    # --- what make asks for ---

    def build_with_asserts(self):
        """By the compiler at hand; and by the other one, for the oldest processor: SSE2, no popcount, magic numbers."""
        first, second = self.compilers[:2] if len(self.compilers) > 1 else self.compilers * 2
        arch = {"ARCH": "x86-64"} if X86 else {}
        return [self.make("asserts", "tests", CC=first, DEBUG=1, WERROR=1),
                self.make("asserts-floor", "tests", CC=second, DEBUG=1, WERROR=1, **arch)]

    def check_only(self):
        """The programs and conversations that --only names, after a build of what they need."""
        programs = self.names("unit/test_*.c") + self.names("perft/*.c") + self.names("fuzz/fuzz_*.c")
        talks = [path for path in (ROOT / "tests/e2e").glob("test_*.py") if self.wants(f"e2e/{path.name}")]
        if not talks and not programs:
            self.tally.case(f"no test is called {self.options.only}", False, "names are unit/test_tt, e2e/test_uci.py, ...")
            return
        goals = [f"{self.build}/asserts/tests/{name}" for name in programs] + ["programs"] * bool(talks)
        failed = self.tally.failed
        folder = self.make("asserts", goals, CC=self.compilers[0], DEBUG=1, WERROR=1)
        if self.tally.failed > failed:
            return  # what is there may be older than the sources
        if any("LUFT_SWITCHES" in path.read_text() for path in talks):
            self.make("lab-options", "engine", CC=self.compilers[0], LAB=1, WERROR=1)
        self.side_by_side(self.conversations(folder, "") + self.programs(folder, "", programs))

    def check(self):
        if self.options.only:
            self.check_only()
            return
        before = self.git_status()
        builds = self.build_with_asserts()
        builds.append(self.make("lab-options", "engine", CC=self.compilers[0], LAB=1, WERROR=1))
        binaries = [(folder.name, folder / "luft") for folder in builds if folder]
        if archive := self.build_from_archive():
            binaries.append(("archive", archive))
        jobs = [(self.layers,), (self.bench, binaries, BENCH_DEPTH)]
        if builds[0]:
            jobs = self.conversations(builds[0], "") + jobs + self.programs(builds[0], "", PROGRAMS)
        self.side_by_side(jobs, AT_ONCE)
        self.tidy(analyser=False)
        if before is not None:
            after = self.git_status() or []
            left = sorted(set(after) - set(before))
            self.tally.case("the tests leave nothing in the tree", not left, "\n".join(left))

    def check_all(self):
        """What `check` skips: other builds, the whole bench, all sampled positions, how the time of readers grows, sanitizers,
        thousands of faults, clang's analyser. Everything is built first: then what takes longest overlaps with all the rest."""
        main, floor = self.build_with_asserts()
        binaries = [(folder.name, folder / "luft") for folder in (main, floor) if folder]
        builds = [("clang", dict(CC=self.compilers[-1]))]
        if X86:
            builds += [(arch, dict(ARCH=arch)) for arch in ("x86-64", "x86-64-v2", "x86-64-v3", "x86-64-v4") if processor_runs(arch)]
        for name, variables in builds:
            goal = "programs" if name == "x86-64" else "engine"  # gcc sees more of luft-lab when it optimises
            if folder := self.make(name, goal, **{"CC": self.compilers[0], "WERROR": 1, **variables}):
                binaries.append((name, folder / "luft"))
        jobs = []
        if main:
            with self.full():
                jobs = self.conversations(main, " (full)", "explain|mates|reading|uci_sequences")
                jobs += self.programs(main, " (full)", ["fuzz/replay_pgn"])
        if floor:
            # By this build: valgrind does not know the instructions of the newest processors.
            jobs.append((self.tap, "growth", [sys.executable, __file__, "unittest", str(ROOT / "tests/growth.py")],
                         self.environment(floor)))
        jobs += self.sanitized() + self.threaded()
        if floor:
            jobs += self.programs(floor, " (floor)", PROGRAMS)
        self.side_by_side(jobs + [(self.bench, binaries)], AT_ONCE)
        self.tidy()
        status, output, seconds = run(["make", "faults", f"BUILD={self.build}", f"CC={self.compilers[0]}"],
                                      6 * SECONDS_FOR_PROGRAM, self.env)
        output = re.sub(r"(?m)^[\d,]+ trials, .*\n", "", output)  # its progress
        self.tally.case("make faults", status == 0, output, seconds)

    def sanitized(self):
        """Jobs with a build by the address and undefined behaviour sanitizers, which is made at once."""
        folder = self.make("sanitize", "tests", CC=self.options.cc, DEBUG=1, SANITIZE="address,undefined")
        if not folder:
            return []
        with self.full():  # 100,000 positions there and back, 5,000 changed files of each format
            jobs = self.programs(folder, " (sanitized, full)", ["unit/test_foreign", "fuzz/replay_foreign"])
        return jobs + self.conversations(folder, " (sanitized)") + self.programs(folder, " (sanitized)", PROGRAMS)

    def threaded(self):
        """Jobs for what runs more than one thread (the search pool, the engine and its conversations), in a build by the thread
        sanitizer, which is made at once."""
        clang = next((cc for cc in self.compilers if self.kind(cc) == "clang"), self.options.cc)
        folder = self.make("tsan", "tests", CC=clang, DEBUG=1, SANITIZE="thread")
        if not folder:
            return []
        programs = [f"unit/test_*{part}*" for part in ("sync", "pool", "engine", "uci", "schedule", "datagen")]
        return self.conversations(folder, " (threads)", "uci") + self.programs(folder, " (threads)", programs)

    def sanitize(self):
        self.side_by_side(self.sanitized(), AT_ONCE)

    def tsan(self):
        self.side_by_side(self.threaded())

    @staticmethod
    def git_status():
        if not (ROOT / ".git").exists() or not shutil.which("git"):
            return None
        result = subprocess.run(["git", "status", "--porcelain", "--untracked-files=all"], cwd=ROOT, capture_output=True, text=True)
        return [line for line in result.stdout.splitlines() if line.startswith("??")]


def processor_runs(arch):
    """Whether this processor runs a level of x86-64, by the flags that Linux lists."""
    needed = {"x86-64": [], "x86-64-v2": ["popcnt", "sse4_2", "ssse3"]}
    needed["x86-64-v3"] = needed["x86-64-v2"] + ["avx2", "bmi1", "bmi2", "fma", "abm", "movbe", "f16c"]
    needed["x86-64-v4"] = needed["x86-64-v3"] + ["avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"]
    try:
        flags = re.search(r"^flags\s*:(.*)$", pathlib.Path("/proc/cpuinfo").read_text(), re.M).group(1).split()
    except (OSError, AttributeError):
        flags = []
    return all(flag in flags for flag in needed[arch])


def run_unittest(path):
    """Runs one file of Python tests in this process and reports each case in TAP."""
    class TapResult(unittest.TestResult):
        number = 0

        def line(self, good, test, note=""):
            self.number += 1
            print(f"{'ok' if good else 'not ok'} {self.number} - {test}{note}", flush=True)

        def addSuccess(self, test):
            self.line(True, test)

        def addSkip(self, test, reason):
            self.line(True, test, f" # SKIP {reason}")

        def addExpectedFailure(self, test, err):
            self.line(True, test)

        def addUnexpectedSuccess(self, test):
            self.line(False, test, " succeeded unexpectedly")

        def addFailure(self, test, err):
            super().addFailure(test, err)
            self.line(False, test)
            print(self.failures[-1][1], flush=True)

        def addError(self, test, err):
            super().addError(test, err)
            self.line(False, test)
            print(self.errors[-1][1], flush=True)

        def addSubTest(self, test, subtest, err):
            super().addSubTest(test, subtest, err)
            if err is not None:
                self.line(False, subtest)
                print((self.failures + self.errors)[-1][1], flush=True)

    sys.path.insert(0, str(pathlib.Path(path).resolve().parent / "support"))
    spec = importlib.util.spec_from_file_location(pathlib.Path(path).stem, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    result = TapResult()
    skip = os.environ.get("SKIP")
    for suite in unittest.defaultTestLoader.loadTestsFromModule(module):
        for test in suite:
            if skip and re.search(skip, test.id()):
                setattr(test, test._testMethodName, unittest.skip("not on this platform")(getattr(test, test._testMethodName)))
        suite.run(result)
    return 0 if result.wasSuccessful() else 1


def main():
    # The tests send signals that nohup or a shell's background job ignores, here and in every program that is started.
    if hasattr(signal, "SIGHUP"):
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if sys.argv[1:2] == ["unittest"] and len(sys.argv) == 3:
        return run_unittest(sys.argv[2])
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["check", "check-all", "sanitize", "tsan", "tidy"])
    parser.add_argument("--build", default="build/check")
    parser.add_argument("--cc", default="cc")
    parser.add_argument("--only", default="")
    suite = Suite(parser.parse_args())
    if not suite.has_cmocka():
        print("cmocka is missing: make setup installs what the tests need", flush=True)
        return 1
    start = time.monotonic()
    getattr(suite, suite.options.what.replace("-", "_"))()
    shutil.rmtree(suite.scratch, ignore_errors=True)
    print(f"{time.monotonic() - start:.0f} s")
    return suite.tally.finish()


if __name__ == "__main__":
    sys.exit(main())
