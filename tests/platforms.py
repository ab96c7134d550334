#!/usr/bin/env python3
"""Proves the builds for other machines by running them here, and ends with "N passed, N failed".

    tests/platforms.py portable | windows | arm64 | 32 ...     [--build FOLDER]

`make check-portable` and its kin call this; tests/setup-platforms installs what it needs. docs/platforms.md says what
each proof shows. Standard library only.
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

from run import ROOT, SECONDS_FOR_PROGRAM, Suite, run

BENCH_DEPTH = 5
CMOCKA_FLAGS = ["-DHAVE_INTTYPES_H", "-DHAVE_SIGNAL_H", "-DHAVE_MALLOC_H", "-DHAVE_STRUCT_TIMESPEC"]


class Platforms(Suite):
    def __init__(self, options):
        super().__init__(options)
        self.emulator = []

    def tap(self, name, arguments, env=None, timeout=SECONDS_FOR_PROGRAM):
        """What was compiled for another machine runs under its emulator; Python does not."""
        foreign = arguments[0] != sys.executable
        super().tap(name, (self.emulator if foreign else []) + arguments, env, timeout)

    def luft(self, binary, *arguments, emulator=None, **variables):
        """Exit status and output of the engine, under an emulator if there is one."""
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

    def native(self):
        """Another compilation for this machine: the bench that all the others must show."""
        folder = self.make("native", "engine", CC=self.options.cc)
        return self.nodes(folder / "luft", emulator=[]) if folder else None

    def cmocka(self, cc, *flags):
        """cmocka compiled for a target, from Debian's source package; the variables that make needs."""
        sources = sorted((ROOT / "build/sources").glob("cmocka-*"))
        if not sources:
            self.tally.case("the source of cmocka is there (tests/setup-platforms)", False)
            return {}
        target = ROOT / self.build / f"cmocka-{cc}.o"
        command = [cc, "-O1", "-w", *CMOCKA_FLAGS, *flags, f"-I{sources[-1]}/include", "-c", f"{sources[-1]}/src/cmocka.c",
                   "-o", str(target)]
        status, output, seconds = run(command, SECONDS_FOR_PROGRAM)
        self.tally.case(f"cmocka by {cc}", status == 0, output, seconds)
        return dict(CMOCKA=str(target), CPPFLAGS=f"-isystem {sources[-1]}/include")

    # --- one binary for all x86-64 processors ---

    MODELS = [("core2duo", "SSE2"), ("Nehalem", "SSE2"), ("Haswell", "AVX2"), ("EPYC", "AVX2"), ("EPYC-Rome", "AVX2")]
    SETS = {"sse2": "SSE2", "avx2": "AVX2", "avx512": "AVX-512", "avx512vnni": "AVX-512 VNNI"}

    def portable(self):
        expected = self.native()
        folder = self.make("portable", "engine", CC=self.options.cc, ARCH="portable", WERROR=1)
        asserts = self.make("portable-asserts", "src-tests", CC=self.options.cc, ARCH="portable", DEBUG=1, WERROR=1)
        if not folder or not asserts:
            return
        binary = folder / "luft"
        for model, kernels in self.MODELS:
            emulator = ["qemu-x86_64", "-cpu", model]
            self.expect(f"kernels on {model}", kernels, self.kernels(binary, emulator))
            self.expect(f"bench {BENCH_DEPTH} on {model}", expected, self.nodes(binary, emulator))
        refused = self.luft(binary, "bench", "1", LUFT_KERNELS="mmx")
        runs = re.search(r"runs only (.*)", refused[1])
        self.tally.case("unknown kernels are refused in a sentence", refused[0] == 1 and runs is not None, refused[1])
        for name in runs.group(1).split(", ") if runs else []:
            self.expect(f"LUFT_KERNELS={name}", self.SETS[name], self.kernels(binary, LUFT_KERNELS=name))
            self.expect(f"bench {BENCH_DEPTH} with {name}", expected, self.nodes(binary, LUFT_KERNELS=name))
        if runs and "avx512" not in runs.group(1):
            self.tally.group("AVX-512: this processor has none", 0, 0, 0.0, skipped=1)
        self.programs(asserts, " (portable)", ["unit/test_*", "perft/*"])
        self.emulator = ["qemu-x86_64", "-cpu", "core2duo"]
        self.programs(asserts, " (core2duo)",
                      ["unit/test_kernels", "unit/test_processor", "unit/test_bits", "unit/test_attacks"])
        for arch, model, lacking in (("x86-64-v2", "core2duo", "sse4.1"), ("x86-64-v3", "Nehalem", "avx"),
                                     ("x86-64-v4", "Haswell", "avx512f")):
            folder = self.make(arch, "engine", CC=self.options.cc, ARCH=arch)
            if folder:
                status, output = self.luft(folder / "luft", "bench", "1", emulator=["qemu-x86_64", "-cpu", model])
                good = status == 1 and f"this build needs {lacking}, which this processor" in output
                self.tally.case(f"{arch} on {model} is refused in a sentence", good, f"status {status}\n{output}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["portable"])
    parser.add_argument("--build", default="build/check")
    parser.add_argument("--cc", default="cc")
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    options.build = os.path.join(options.build, options.what)
    suite = Platforms(options)
    start = time.monotonic()
    getattr(suite, options.what)()
    shutil.rmtree(suite.scratch, ignore_errors=True)
    print(f"{time.monotonic() - start:.0f} s")
    return suite.tally.finish()


if __name__ == "__main__":
    sys.exit(main())
