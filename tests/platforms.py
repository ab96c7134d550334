#!/usr/bin/env python3
"""Checks the builds for other machines by running them here, and ends with "N passed, N failed".

    tests/platforms.py portable | windows | arm64 | macos | 32 | lib | wasm | npm | wheels | dist | debian | speed [--build FOLDER]

`make check-portable` and similar targets call this. tests/setup-platforms installs what it needs. docs/platforms.md describes
each check. Standard library only.
"""

import argparse
import gzip
import os
import pathlib
import re
import resource
import shutil
import statistics
import subprocess
import sys
import time

import browser
import macho
from npm import Npm
from releases import BENCH_DEPTH, Releases
from run import ROOT, Suite, run
from wheels import Wheels

# Long, because emulators are 20 times slower and other work may run at the same time. The perft suite takes half an hour.
SECONDS_FOR_BUILD = 3600
SECONDS_FOR_PROGRAM = 1800
SECONDS_FOR_EMULATED = 4 * 3600
CMOCKA_FLAGS = ["-DHAVE_INTTYPES_H", "-DHAVE_SIGNAL_H", "-DHAVE_MALLOC_H", "-DHAVE_STRUCT_TIMESPEC"]


FORK = "2kr3r/ppp3pp/6q1/3Pnp2/1PP1p3/7P/P2QNPP1/R4RK1 w - - 1 17"


def guide(language):
    """The programs in docs/library.md."""
    return re.findall(rf"^```{language}\n(.*?)^```", (ROOT / "docs/library.md").read_text(encoding="utf-8"), re.M | re.S)


class Platforms(Releases, Wheels, Npm):
    seconds_for_build = SECONDS_FOR_BUILD

    def __init__(self, options):
        super().__init__(options)
        self.emulator = []

    def tap(self, name, arguments, env=None, timeout=SECONDS_FOR_EMULATED):
        """Runs a test program under the emulator; Python runs natively."""
        foreign = arguments[0] != sys.executable
        if foreign and self.emulator and self.emulator[0].startswith("qemu"):
            env = dict(env or self.env, LUFT_TEST_EMULATED="1")  # a tenth of what the longest tests try (tests/unit/test_support.h)
        super().tap(name, (self.emulator if foreign else []) + arguments, env, timeout)

    def run_tests(self, jobs):
        """What programs() and conversations() return. That there are none is a fault."""
        if not jobs:
            self.tally.case("there are tests to run", False)
        self.side_by_side(jobs)

    def luft(self, binary, *arguments, emulator=None, **variables):
        """Runs the engine, under the emulator if there is one; returns exit status and output."""
        env = dict(self.env, WINEDEBUG="-all", **variables)
        command = [*(self.emulator if emulator is None else emulator), str(binary), *arguments]
        status, output, _ = run(command, SECONDS_FOR_PROGRAM, env)
        return status, output.replace("\r", "")

    def nodes(self, binary, emulator=None, **variables):
        output = self.luft(binary, "bench", str(BENCH_DEPTH), emulator=emulator, **variables)[1]
        found = re.search(r"^(\d+) nodes \d+ nps$", output, re.M)
        return int(found.group(1)) if found else output[-500:]

    def kernels(self, binary, emulator=None, **variables):
        output = self.luft(binary, "--version", emulator=emulator, **variables)[1]
        found = re.search(r"kernels:? +(.+)", output)
        return found.group(1) if found else output[-500:]

    def expect(self, name, expected, found):
        return self.tally.case(f"{name}: {found}"[:90], found == expected, f"expected {expected}\n{found}")

    def native(self, name="native", **variables):
        """The bench of a build for this machine, which all other builds must equal."""
        folder = self.make(name, "engine", CC=self.options.cc, **variables)
        return self.nodes(folder / "luft", emulator=[]) if folder else None

    def cmocka(self, cc, *flags):
        """Compiles cmocka for a target from Debian's source package; returns the variables for make."""
        sources = sorted((ROOT / "build/sources").glob("cmocka-*"))
        if not sources:
            self.tally.case("the source of cmocka exists (tests/setup-platforms)", False)
            return {}
        target = ROOT / self.build / f"cmocka-{re.sub(r'[ /]', '-', cc)}.o"
        command = [*cc.split(), "-O1", "-w", *CMOCKA_FLAGS, *flags, f"-I{sources[-1]}/include", "-c", f"{sources[-1]}/src/cmocka.c",
                   "-o", str(target)]
        status, output, seconds = run(command, SECONDS_FOR_PROGRAM)
        self.tally.case(f"cmocka by {cc}", status == 0, output, seconds)
        return dict(CMOCKA=str(target), CPPFLAGS=f"-isystem {sources[-1]}/include")

    # --- one binary for all x86-64 processors ---

    # The last three: no BMI2, a system that saves no AVX registers, and a server whose AVX-512 qemu lacks.
    # With them: the kernels, and which of the two programs.
    MODELS = [("core2duo", "SSE2", "portable"), ("Nehalem", "SSE2", "portable"), ("SandyBridge", "SSE2", "portable"),
              ("Haswell", "AVX2", "portable-v3"), ("EPYC", "AVX2", "portable-v3"), ("EPYC-Rome", "AVX2", "portable-v3"),
              ("Haswell,-bmi2", "AVX2", "portable"), ("Haswell,-xsave", "SSE2", "portable"),
              ("Skylake-Server", "AVX2", "portable-v3")]
    SETS = {"sse2": "SSE2", "avx2": "AVX2", "avx512": "AVX-512", "avx512vnni": "AVX-512 VNNI"}

    def portable(self):
        expected = self.native()
        folder = self.make("portable", "engine", CC=self.options.cc, ARCH="portable", WERROR=1)
        asserts = self.make("portable-asserts", "src-tests", CC=self.options.cc, ARCH="portable", DEBUG=1, WERROR=1)
        if not folder or not asserts:
            return
        binary = folder / "luft"
        for model, kernels, program in self.MODELS:
            emulator = ["qemu-x86_64", "-cpu", model]
            self.expect(f"kernels on {model}", kernels, self.kernels(binary, emulator))
            about = self.luft(binary, "--version", emulator=emulator)[1]
            self.expect(f"program on {model}", f"ARCH={program}", (re.findall(r"ARCH=\S+", about) or [about])[0])
            self.expect(f"bench {BENCH_DEPTH} on {model}", expected, self.nodes(binary, emulator))
        refused = self.luft(binary, "bench", "1", LUFT_KERNELS="mmx")
        runs = re.search(r"runs only (.*)", refused[1])
        self.tally.case("unknown kernels are refused in a sentence", refused[0] == 1 and runs is not None, refused[1])
        for name in runs.group(1).split(", ") if runs else []:
            self.expect(f"LUFT_KERNELS={name}", self.SETS[name], self.kernels(binary, LUFT_KERNELS=name))
            self.expect(f"bench {BENCH_DEPTH} with {name}", expected, self.nodes(binary, LUFT_KERNELS=name))
        if runs and "avx512" not in runs.group(1):
            self.tally.group("AVX-512: this processor has none", 0, 0, 0.0, skipped=1)
        self.run_tests(self.programs(asserts, " (portable)", ["unit/test_*", "perft/*"]))
        for model in ("core2duo", "Haswell"):
            self.emulator = ["qemu-x86_64", "-cpu", model]
            kernels = [f"unit/test_{name}" for name in ("kernels", "processor", "bits", "attacks")]
            self.run_tests(self.programs(asserts, f" ({model})", kernels))
        for arch, model, lacking in (("x86-64-v2", "core2duo", "sse4.1"), ("x86-64-v3", "Nehalem", "avx"),
                                     ("x86-64-v3", "SandyBridge", "fma"), ("x86-64-v3", "Haswell,-xsave", "avx"),
                                     ("x86-64-v3", "Haswell,-bmi2", "bmi2"), ("x86-64-v4", "Haswell", "avx512f")):
            folder = self.make(arch, "engine", CC=self.options.cc, ARCH=arch)
            if folder:
                status, output = self.luft(folder / "luft", "bench", "1", emulator=["qemu-x86_64", "-cpu", model])
                good = status == 1 and f"this build needs {lacking}, which this processor" in output
                self.tally.case(f"{arch} on {model} is refused in a sentence", good, f"status {status}\n{output}")

    # --- Windows ---

    def windows(self):
        cc = "x86_64-w64-mingw32-gcc"
        expected = self.native()
        self.env.update(WINEDEBUG="-all", WINEPREFIX=str((ROOT / self.build / "wine").resolve()))
        folder = self.make("windows", "engine", CC=cc, ARCH="portable", WERROR=1)
        asserts = self.make("windows-asserts", "src-tests", CC=cc, ARCH="portable", DEBUG=1, WERROR=1, **self.cmocka(cc))
        if not folder or not asserts:
            return
        self.no_aligned_moves(folder / "luft.exe")
        self.imports(folder / "luft.exe")
        self.emulator = ["wine"]
        self.luft(folder / "luft.exe", "--version")  # the first start creates wine's folder
        for name, kernels in self.SETS.items():
            if self.kernels(folder / "luft.exe", LUFT_KERNELS=name) == kernels:
                self.expect(f"bench {BENCH_DEPTH} with {name}", expected, self.nodes(folder / "luft.exe", LUFT_KERNELS=name))
        self.run_tests(self.programs(asserts, " (Windows)", ["unit/test_*.exe", "perft/*.exe"]))
        # The conversations start a program by one word, so a script calls wine.
        (folder / "luft").write_text('#!/bin/sh\nexec wine "${0}.exe" "$@"\n')
        (folder / "luft").chmod(0o755)
        self.paths_with_umlauts(folder / "luft")
        # wine draws on terminals in its own way, and a memory limit stops wine before the engine.
        self.env["SKIP"] = "terminal_gets_pieces|out_of_memory"
        self.run_tests(self.conversations(folder, " (Windows)", "test_(cli|uci).py"))

    def no_aligned_moves(self, binary):
        """Windows aligns the stack to 16 bytes only: an aligned move of 32 or 64 bytes can crash."""
        code = subprocess.run(["x86_64-w64-mingw32-objdump", "-d", str(binary)], capture_output=True, text=True).stdout
        bad = [line for line in code.splitlines() if re.search(r"vmov(dqa|ap)\S* .*%[yz]mm", line) and "(" in line]
        self.tally.case("no aligned move of a wide vector", len(code) > 10000 and not bad, "\n".join(bad[:20]))

    def imports(self, binary):
        """The program must be static: it may import only libraries that every Windows has."""
        text = subprocess.run(["x86_64-w64-mingw32-objdump", "-p", str(binary)], capture_output=True, text=True).stdout
        names = {name.lower() for name in re.findall(r"DLL Name: (\S+)", text)}
        extra = names - {"kernel32.dll", "msvcrt.dll", "shell32.dll", "advapi32.dll"}
        self.tally.case("imports system libraries only", names and not extra, str(names))

    def paths_with_umlauts(self, luft):
        name = "Läufer und Türme ♞.nnue"
        net = self.scratch / name
        shutil.copy(next((ROOT / "nets").glob("*.nnue")), net)
        lines = f"setoption name EvalFile value {net}\r\nposition startpos\r\ngo depth 5\r\n"
        result = subprocess.run([str(luft)], input=lines.encode() + b"isready\r\nquit\r\n", capture_output=True,
                                env=self.env, timeout=60)
        good = b"error" not in result.stdout and b"bestmove" in result.stdout and b"\r" not in result.stdout
        self.tally.case("CRLF in, LF out, a network with umlauts in its name", good, str(result.stdout[-2000:]))

    # --- ARM, and 32 bits ---

    def cross(self, name, cc, emulator, **variables):
        """Runs all unit tests of src, perft and bench of a cross-compiled engine under its emulator."""
        expected = self.native()
        folder = self.make(name, "engine", CC=cc, LDFLAGS="-static", WERROR=1, **variables)
        asserts = self.make(f"{name}-asserts", "src-tests", CC=cc, LDFLAGS="-static", DEBUG=1, WERROR=1, **variables,
                            **self.cmocka(cc))
        if not folder or not asserts:
            return
        self.emulator = emulator
        self.tally.group(f"kernels: {self.kernels(folder / 'luft')}", 1, 0, 0.0)
        self.expect(f"bench {BENCH_DEPTH}", expected, self.nodes(folder / "luft"))
        self.run_tests(self.programs(asserts, f" ({name})", ["unit/test_*", "perft/*"]))

    def arm64(self):
        self.cross("arm64", "aarch64-linux-gnu-gcc", ["qemu-aarch64"], ARCH="armv8")
        self.android()

    # All are calls of Android's own C library. Android ends a program that makes others, such as glibc's set_robust_list and rseq.
    ALLOWED_CALLS = {"read", "readv", "write", "writev", "mmap", "munmap", "madvise", "mprotect", "brk", "futex", "clone",
                     "clock_gettime", "openat", "close", "lseek", "sysinfo", "ioctl", "rt_sigprocmask", "rt_sigaction", "rt_sigpending",
                     "sched_getaffinity", "set_tid_address", "exit", "exit_group"}

    def android(self):
        """The released program: static, with segments that fit pages of 16 KB, and the system calls that Android allows."""
        build = (ROOT / self.build / "musl").resolve()
        status, output, seconds = run(["make", "arm64", f"BUILD={build}", "WERROR=1"], SECONDS_FOR_BUILD, self.env)
        if not self.tally.case("make arm64", status == 0, output, seconds):
            return
        program = next((build / "dist").glob("*-linux-arm64"))
        expected = self.native()
        self.expect(f"bench {BENCH_DEPTH} of the program with musl", expected, self.nodes(program))
        self.expect(f"bench {BENCH_DEPTH} on the first ARMv8", expected, self.nodes(program, ["qemu-aarch64", "-cpu", "cortex-a53"]))
        text = run(["readelf", "-lW", str(program)], SECONDS_FOR_PROGRAM)[1]
        aligned = {line.split()[-1] for line in text.splitlines() if line.split()[:1] == ["LOAD"]}
        self.expect("alignment of its segments", {"0x4000"}, aligned)
        self.tally.case("it is static", "INTERP" not in text, text)
        lines = ["setoption name Threads value 2", "go depth 6", "explain e2e4 1000"]
        for arguments in (lines, ["bench", "1"], ["selftest"], ["analyse", FORK, "--depth", "5"]):
            output = self.luft(program, *arguments, emulator=["qemu-aarch64", "-strace"])[1]
            calls = set(re.findall(r"^\d+ (\w+)\(", output, re.M))
            self.expect(f"other system calls of luft {arguments[0]}", set(), calls - self.ALLOWED_CALLS)
            self.tally.case(f"system calls of luft {arguments[0]} are seen", "write" in calls or "writev" in calls, output)

    def check_32(self):
        self.cross("32", "i686-linux-gnu-gcc", ["qemu-i386"], ARCH="i686")

    # --- macOS, which nothing here can run ---

    def macos(self):
        """Checks the structure of the universal program and library, and links all unit tests for both processors."""
        build = (ROOT / self.build / "make").resolve()
        status, output, seconds = run(["make", "macos", f"BUILD={build}", "WERROR=1"], SECONDS_FOR_BUILD, self.env)
        if not self.tally.case("make macos", status == 0, output, seconds):
            return
        folder = next((build / "dist").glob("*-macos"))
        functions = sorted(re.findall(r"^LUFT_API .*?(luft_\w+)\(", (ROOT / "include/luft.h").read_text(), re.M))
        for path in (folder / "luft", next(folder.glob("libluft.*.dylib"))):
            self.expect(f"{path.name} is for both processors, {path.stat().st_size:,} bytes", ["arm64", "x86_64"],
                        sorted(macho.slices(path.read_bytes())))
            for machine, data in macho.slices(path.read_bytes()).items():
                image = macho.Image(data)
                name = f"{path.name} for {machine}"
                self.expect(f"{name}: oldest macOS", "11.0", image.oldest_system)
                self.expect(f"{name}: libraries", ["/usr/lib/libSystem.B.dylib"], image.libraries)
                self.expect(f"{name}: ad-hoc signature of every page", machine == "arm64", image.is_signed())
                self.tally.case(f"{name}: at any address", image.is_position_independent)
                if path.suffix == ".dylib":
                    self.expect(f"{name}: exported names", functions, image.exports)
        for machine in ("arm64", "x86_64"):
            cc = f"release/macos-clang {machine}"
            self.make(f"macos-{machine}", "unit-tests", CC=cc, ARCH="portable", DEBUG=1, WERROR=1, **self.cmocka(cc, "-UHAVE_MALLOC_H"))

    # --- WebAssembly ---

    SHARES = {"luft.wasm": 0.60, "luft-plain.wasm": 0.18}  # least speed relative to x86-64-v2
    SPEED_DEPTH = 9

    def wasm(self):
        """Checks both modules in Node: bench, the functions of luft.h, how a search ends; prints sizes and speed."""
        build = (ROOT / self.build / "make").resolve()
        status, output, seconds = run(["make", "wasm", f"BUILD={build}", "WERROR=1"], SECONDS_FOR_BUILD, self.env)
        if not self.tally.case("make wasm", status == 0, output, seconds):
            return
        folder = next((build / "dist").glob("*-wasm"))
        network = next(folder.glob("*.nnue"))
        expected = self.native_with(network)
        start = time.monotonic()
        node = ["node", str(ROOT / "tests/wasm/check.mjs"), str(folder), str(network)]
        output = run([*node, str(BENCH_DEPTH), str(expected)], SECONDS_FOR_PROGRAM, self.env)[1]
        self.lines_of_cases("tests/wasm/check.mjs", output, start)
        self.guide_in_javascript(folder)
        self.wasm_in_a_browser(folder, network, expected)
        self.wasm_border(folder)
        for name in self.SHARES:
            data = (folder / name).read_bytes()
            print(f"     {name}: {len(data)} bytes, {len(gzip.compress(data, 9, mtime=0))} compressed by gzip")
        self.wasm_speed(folder, node, network)

    def guide_in_javascript(self, folder):
        """The programs in docs/library.md and the examples, with the package as npm installs it."""
        place = self.scratch / "guide"
        shutil.copytree(ROOT / "examples/web", place)
        shutil.copytree(folder, place / "node_modules/luft-chess")
        for number, program in enumerate(guide("js"), 1):
            (place / f"{number}.mjs").write_text(program)
            status, output, seconds = run(["node", f"{number}.mjs"], SECONDS_FOR_PROGRAM, self.env, cwd=place)
            self.tally.case(f"program {number} in docs/library.md, in Node", status == 0, output, seconds)
        (place / "games.pgn").write_text("1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n\n1. d4 d5 *\n")
        status, output, seconds = run(["node", str(ROOT / "examples/analyse.mjs"), str(folder), "games.pgn"], SECONDS_FOR_PROGRAM,
                                      self.env, cwd=place)
        self.tally.case("examples/analyse.mjs", status == 0 and "game 1: 3… Nf6 loses" in output and "game 2" in output, output, seconds)
        for test in ("async.mjs", "sequences.mjs"):
            status, output, seconds = run(["node", str(ROOT / "tests/wasm" / test), str(folder)], SECONDS_FOR_PROGRAM, self.env)
            self.tally.case(f"tests/wasm/{test}", status == 0 and "ok " in output, output, seconds)
        self.with_vite(place)

    def with_vite(self, place):
        """examples/web, by the Vite of the page."""
        vite = ROOT / "web/node_modules/vite/bin/vite.js"
        if not vite.is_file():
            self.tally.group("examples/web: `make web` has not fetched Vite", 0, 0, 0.0, skipped=1)
            return
        status, output, seconds = run(["node", str(vite), "build"], SECONDS_FOR_PROGRAM, self.env, cwd=place)
        built = [path.suffix for path in (place / "dist/assets").glob("*")]
        self.tally.case("examples/web", status == 0 and sorted(built) == [".js", ".js", ".nnue", ".wasm", ".wasm"], output, seconds)

    def native_with(self, network):
        """The bench with the module's network, which may differ from the program's."""
        return self.native("native-with-its-network", EVALFILE=network)

    def lines_of_cases(self, name, output, start):
        good, bad = (len(re.findall(rf"^{word} ", output, re.M)) for word in ("ok", "FAIL"))
        failed = "\n".join(line for line in output.splitlines() if not line.startswith("ok "))
        self.tally.group(name, good, bad + (good == 0), time.monotonic() - start, failed)

    def wasm_in_a_browser(self, folder, network, expected):
        """Runs the cases in a browser that can suspend a search; Node 20 cannot."""
        name = "tests/wasm/browser.html, suspending (JSPI)"
        if browser.find() is None:
            self.tally.group(f"{name}: chromium is not installed", 0, 0, 0.0, skipped=1)
            return
        start = time.monotonic()
        site = browser.gather(self.scratch / "site", *folder.iterdir(), ROOT / "tests/wasm/cases.mjs",
                              ROOT / "tests/wasm/browser.html")
        page = f"browser.html?network={network.name}&nodes={expected}"
        self.lines_of_cases(name, browser.result_of(site, page, SECONDS_FOR_PROGRAM), start)

    def wasm_border(self, folder):
        """The module imports only the clock and what luft.mjs provides, and exports the header's functions."""
        code = ("const m = new WebAssembly.Module(require('fs').readFileSync(process.argv[1]));"
                "console.log(WebAssembly.Module.imports(m).map(i => i.name).sort().join(' '));"
                "console.log(WebAssembly.Module.exports(m).map(i => i.name).sort().join(' '))")
        functions = re.findall(r"^LUFT_API .*?(luft_\w+)\(", (ROOT / "include/luft.h").read_text(), re.M)
        wanted = [sorted(["clock_time_get", "fd_close", "fd_seek", "fd_write", "luft_host_best_move", "luft_host_info",
                          "luft_host_poll", "luft_host_rest"]),
                  sorted([*functions, "_initialize", "free", "luft_host_create", "malloc", "memory"])]
        for name in self.SHARES:
            output = run(["node", "-e", code, str(folder / name)], SECONDS_FOR_PROGRAM, self.env)[1]
            self.tally.case(f"imports and exports of {name}", [line.split() for line in output.splitlines()] == wanted, output)

    def wasm_speed(self, folder, node, network):
        """Compares processor times of alternating runs; the median of three rounds counts."""
        plain = self.make("x86-64-v2", "engine", CC=self.options.cc, ARCH="x86-64-v2", EVALFILE=network)
        if not plain:
            return
        shares = {name: [] for name in self.SHARES}
        for _ in range(3):
            native = self.speed_of(plain / "luft")
            for name, found in shares.items():
                output = run([*node, str(self.SPEED_DEPTH), "speed", name], SECONDS_FOR_PROGRAM, self.env)[1]
                found.append(int(output) / native)
        for name, found in shares.items():
            self.at_least(f"{name} against x86-64-v2", self.SHARES[name], found)

    # --- speed; needs an idle machine ---

    PORTABLE_SHARE = 0.97
    ROUNDS = 41          # of half a second: a shared machine can be a third slower for a second or a minute
    SLICED_SHARE = 0.92  # time to depth: slices cost at most 8 %

    def speed_of(self, program):
        """Nodes a second of processor time."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        output = run([str(program), "bench", str(self.SPEED_DEPTH)], SECONDS_FOR_PROGRAM, self.env)[1]
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return int(re.search(r"^(\d+) nodes", output, re.M).group(1)) / (after.ru_utime - before.ru_utime)

    def at_least(self, name, least, found):
        share = statistics.median(found)
        shown = " ".join(f"{one:.3f}" for one in sorted(found))
        print(f"     {name}: {shown}")
        self.tally.case(f"{name}: {share:.3f} (at least {least})", share >= least, shown)

    def speed(self):
        """Compares the portable build with the native one, and a search in slices with one in a single slice. Runs the tests
        that measure how fast an answer comes, with their limits for an idle machine."""
        if os.getloadavg()[0] > 0.5:
            print(f"     the machine is not idle (load {os.getloadavg()[0]:.1f}): the ratios may be wrong")
        folders = {arch: self.make(arch, "engine", CC=self.options.cc, ARCH=arch) for arch in ("native", "portable")}
        if None in folders.values():
            return
        shares = []
        for i in range(self.ROUNDS):
            order = ("native", "portable") if i % 2 == 0 else ("portable", "native")
            found = {arch: self.speed_of(folders[arch] / "luft") for arch in order}
            shares.append(found["portable"] / found["native"])
        self.at_least("portable against native", self.PORTABLE_SHARE, shares)
        self.slices()
        if folder := self.make("asserts", "tests", CC=self.options.cc, DEBUG=1):
            self.env["LUFT_LATENCY"] = "1"
            timed = [f"unit/test_{name}" for name in ("clock", "iterate", "pgn", "pool", "process", "sync")]
            self.run_tests(self.programs(folder, " (latency)", timed))
            self.run_tests(self.conversations(folder, " (latency)", "test_(cli|explain|match|play|uci|uci_explain).py"))

    def slices(self):
        """Compares processor time to depth 13 in Node on the bench positions: in one slice, and in slices of 50 ms."""
        build = (ROOT / self.build / "make").resolve()
        status, output, seconds = run(["make", "wasm", f"BUILD={build}"], SECONDS_FOR_BUILD, self.env)
        if not self.tally.case("make wasm", status == 0, output, seconds):
            return
        folder = next((build / "dist").glob("*-wasm"))
        command = ["node", str(ROOT / "tests/wasm/check.mjs"), str(folder), str(next(folder.glob("*.nnue"))), "13", "slices"]
        shares = []
        for _ in range(3):
            output = run(command, SECONDS_FOR_PROGRAM, self.env)[1]
            whole, sliced = map(float, output.split())
            shares.append(whole / sliced)
        self.at_least("slices of 50 ms against one", self.SLICED_SHARE, shares)

    # --- the library ---

    def lib(self):
        """Checks that the library exports the header's functions only, that the examples run, and several engines at once."""
        build = (ROOT / self.build / "make").resolve()
        root = self.scratch / "root"
        command = ["make", "-j2", "install-lib", f"BUILD={build}", f"DESTDIR={root}", "PREFIX=/usr", "WERROR=1",
                   f"CC={self.options.cc}"]
        status, output, seconds = run(command, SECONDS_FOR_PROGRAM, self.env)
        if not self.tally.case("make install-lib", status == 0, output, seconds):
            return
        header = (ROOT / "include/luft.h").read_text()
        wanted = sorted(re.findall(r"^LUFT_API .*?(luft_\w+)\(", header, re.M))
        for name, flags in (("libluft.so", ["-D"]), ("libluft.a", ["-g"])):
            text = subprocess.run(["nm", *flags, "--defined-only", root / "usr/lib" / name], capture_output=True, text=True)
            self.expect(f"{name} exports the header's functions only", wanted, sorted(re.findall(r"^\w+ [A-Z] (\w+)$",
                                                                                              text.stdout, re.M)))
        self.tally.case("luft.h has at most 300 lines", header.count("\n") <= 300)
        private = re.search(r"Libs.private: (.*)", (root / "usr/lib/pkgconfig/luft.pc").read_text()).group(1).split()
        source, include = str(ROOT / "examples/best_move.c"), f"-I{root}/usr/include"
        for name, link in (("shared", [f"-L{root}/usr/lib", "-lluft", f"-Wl,-rpath,{root}/usr/lib"]),
                           ("static", [f"{root}/usr/lib/libluft.a", *private])):
            program = str(self.scratch / name)
            command = [*self.options.cc.split(), "-std=c11", "-Wall", "-Wextra", "-Werror", include, source, "-o", program, *link]
            status, output, _ = run(command, SECONDS_FOR_PROGRAM, self.env)
            if status == 0:
                output = run([program, "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "4"], SECONDS_FOR_PROGRAM, self.env)[1]
            self.tally.case(f"examples/best_move.c, {name}", "best move: a1a8" in output, output)
        self.on_other_processors(root, private)
        self.restarts(root)
        self.guide_in_c(root)
        self.python(root)
        self.several_engines()

    def on_other_processors(self, root, private):
        """The installed library has the right bench on each processor of the family."""
        program = str(self.scratch / "bench")
        build = [*self.options.cc.split(), "-std=c11", "-Wall", "-Wextra", "-Werror", f"-I{root}/usr/include",
                 str(ROOT / "tests/library/bench.c"), f"{root}/usr/lib/libluft.a", *private, "-o", program]
        status, output, _ = run(build, SECONDS_FOR_PROGRAM, self.env)
        expected = run([program, str(BENCH_DEPTH)], SECONDS_FOR_PROGRAM, self.env)[1] if status == 0 else output
        self.tally.case("tests/library/bench.c", expected.startswith(f"{self.native()} "), expected)
        for model, *_ in self.MODELS if os.uname().machine == "x86_64" else []:
            output = run(["qemu-x86_64", "-cpu", model, program, str(BENCH_DEPTH)], SECONDS_FOR_EMULATED, self.env)[1]
            shown = "".join(line for line in output.splitlines(True) if not line.startswith("qemu"))
            self.tally.case(f"the library's bench on {model}", shown == expected, output)

    def restarts(self, root):
        """A thousand engines and ten thousand restarts do not make a program larger, and the first line comes at once."""
        program = str(self.scratch / "restarts")
        build = [*self.options.cc.split(), "-std=c11", "-D_GNU_SOURCE", "-O2", "-Wall", "-Wextra", "-Werror", f"-I{root}/usr/include",
                 str(ROOT / "tests/library/restarts.c"), "-o", program, f"-L{root}/usr/lib", "-lluft", f"-Wl,-rpath,{root}/usr/lib",
                 "-pthread"]
        status, output, seconds = run(build, SECONDS_FOR_PROGRAM, self.env)
        if status == 0:
            status, output, seconds = run([program], SECONDS_FOR_PROGRAM, self.env)
        print(f"     {output.strip()}")
        self.tally.case("tests/library/restarts.c", status == 0, output, seconds)

    def guide_in_c(self, root):
        """The program in docs/library.md, by pkg-config and by CMake, with an installation that was moved."""
        folder = self.scratch / "guide"
        folder.mkdir()
        [program], [lists] = guide("c"), guide("cmake")
        (folder / "program.c").write_text(program)
        (folder / "CMakeLists.txt").write_text(lists)
        env = dict(self.env, PKG_CONFIG_PATH=str(root / "usr/lib/pkgconfig"), LD_LIBRARY_PATH=str(root / "usr/lib"))
        status, output, _ = run(["sh", "-ec", f"{self.options.cc} -Wall -Wextra -Werror program.c "
                                 "$(pkg-config --cflags --libs luft) -o program"], SECONDS_FOR_PROGRAM, env, cwd=folder)
        if status == 0:
            status, output, _ = run([str(folder / "program")], SECONDS_FOR_PROGRAM, env)
        self.tally.case("the program in docs/library.md, by pkg-config", status == 0 and "best move:" in output, output)
        status, output, _ = run(["sh", "-ec", f"cmake -S . -B made -DCMAKE_PREFIX_PATH={root}/usr && cmake --build made"],
                                SECONDS_FOR_PROGRAM, self.env, cwd=folder)
        if status == 0:
            status, output, _ = run([str(folder / "made/program")], SECONDS_FOR_PROGRAM, self.env)
        self.tally.case("the same by CMake", status == 0 and "best move:" in output, output)

    def python(self, root):
        """Installs bindings/python offline, and runs it and its example."""
        env = dict(self.env, LUFT_LIBRARY=str(root / "usr/lib/libluft.so"), PYTHONPATH=str(self.scratch / "site"))
        interpreter = next((name for name in (sys.executable, "/usr/bin/python3") if run([name, "-c", "import pip"], 60)[0] == 0),
                           sys.executable)
        folder = ROOT / "bindings/python"
        before = sorted(path.name for path in folder.iterdir())
        pip = [interpreter, "-m", "pip", "install", "-q", "--no-index", "--root-user-action=ignore", "--target", env["PYTHONPATH"],
               str(folder)]
        status, output, seconds = run(pip, SECONDS_FOR_PROGRAM, self.env)
        left = sorted(path.name for path in folder.iterdir() if path.name != "__pycache__" or "__pycache__" in before)
        self.tally.case("pip install bindings/python", status == 0 and left == before, f"{output}\n{left}", seconds)
        status, output, seconds = run([sys.executable, str(ROOT / "examples/random_game.py")], SECONDS_FOR_PROGRAM, env)
        self.tally.case("a random mover against Luft", status == 0 and re.search(r"^mated after", output, re.M), output, seconds)
        code = f"import luft; assert luft.bench({BENCH_DEPTH}) == {self.native()}; print('good')"
        status, output, seconds = run([sys.executable, "-c", code], SECONDS_FOR_PROGRAM, env)
        self.tally.case("the bench from Python", output == "good\n", output, seconds)
        for number, program in enumerate(guide("python"), 1):
            status, output, seconds = run([sys.executable, "-c", program], SECONDS_FOR_PROGRAM, env)
            self.tally.case(f"program {number} in docs/library.md, in Python", status == 0, output, seconds)
        status, output, seconds = run([sys.executable, str(ROOT / "tests/library/test_python.py")], SECONDS_FOR_PROGRAM, env)
        self.tally.case("tests/library/test_python.py", status == 0, output, seconds)

    def several_engines(self):
        """Runs eight engines under the thread sanitizer, and creates and frees many under the leak checker."""
        for kind, word in (("thread", "few"), ("address", "many")):
            folder = (ROOT / self.build / kind).resolve()
            flags = f"SANITIZE={kind}"
            status, output, seconds = run(["make", "-j2", "lib", f"BUILD={folder}", flags, "DEBUG=1", "CC=clang"],
                                          SECONDS_FOR_PROGRAM, self.env)
            program = str(self.scratch / kind)
            if status == 0:
                status, output, _ = run(["clang", "-std=c11", "-D_GNU_SOURCE", f"-fsanitize={kind}", "-I.",
                                         "tests/library/eight_engines.c", f"{folder}/lib/libluft.a", "-o", program, "-lm",
                                         "-pthread"], SECONDS_FOR_PROGRAM, self.env)
            if status == 0:
                status, output, seconds = run([program, word], SECONDS_FOR_PROGRAM, self.env)
            self.tally.case(f"eight engines at once, {kind} sanitizer", status == 0 and "ok:" in output, output, seconds)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["portable", "windows", "arm64", "macos", "32", "lib", "wasm", "npm", "wheels", "dist",
                                         "debian", "speed"])
    parser.add_argument("--build", default="build/check")
    parser.add_argument("--cc", default="cc")
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    options.build = os.path.join(options.build, options.what)
    suite = Platforms(options)
    start = time.monotonic()
    getattr(suite, "check_32" if options.what == "32" else options.what)()
    shutil.rmtree(suite.scratch, ignore_errors=True)
    print(f"{time.monotonic() - start:.0f} s")
    return suite.tally.finish()


if __name__ == "__main__":
    sys.exit(main())
