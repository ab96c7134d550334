"""Checks the Python wheels (`make check-wheels`). A part of tests/platforms.py. Standard library only."""

import base64
import csv
import hashlib
import io
import pathlib
import re
import subprocess
import sys
import zipfile

import macho
from run import ROOT, run

SECONDS = 7200
LARGEST = 8_000_000
NEEDED = {"libc.so.6", "libm.so.6", "libpthread.so.0", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}  # as in manylinux
# Loads the library as ctypes does, and prints its version.
LOADER = r"""#include <stdio.h>
#include <windows.h>
int main(int argc, char **argv) {
    HMODULE library = LoadLibraryA(argv[argc - 1]);
    if (library == NULL) return printf("error %lu\n", GetLastError());
    const char *(*version)(void) = (const char *(*)(void))GetProcAddress(library, "luft_version");
    return printf("version %s\n", version()) < 0;
}
"""


def record_of(wheel):
    """What is wrong in the RECORD of a wheel."""
    [name] = [name for name in wheel.namelist() if name.endswith(".dist-info/RECORD")]
    rows = {row[0]: row[1:] for row in csv.reader(io.StringIO(wheel.read(name).decode()))}
    wrong = sorted(set(rows) ^ set(wheel.namelist()))
    for file, (digest, size) in rows.items():
        data = wheel.read(file) if file in wheel.namelist() else b""
        found = "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        if file != name and (digest, size) != (found, str(len(data))):
            wrong.append(file)
    return wrong


class Wheels:
    """Needs luft(), nodes(), native() and expect() of Platforms."""

    def wheels(self):
        for old in (ROOT / "build/dist").glob("luft_chess-*.whl"):
            old.unlink()
        status, output, seconds = run(["make", "wheels", "PLATFORMS=" + self.options.only], SECONDS, self.env)
        if not self.tally.case("make wheels", status == 0, output, seconds):
            return
        for path in sorted((ROOT / "build/dist").glob("luft_chess-*.whl")):
            tag = path.stem.split("-")[-1]
            folder = self.scratch / tag
            with zipfile.ZipFile(path) as wheel:
                self.expect(f"{path.name}: RECORD", [], record_of(wheel))
                wheel.extractall(folder)
            self.tally.case(f"{path.name}: {path.stat().st_size:,} bytes", path.stat().st_size <= LARGEST)
            if "manylinux" in tag:
                self.needs_old_systems_only(tag, next((folder / "luft").glob("libluft.so.*")))
            if "manylinux" in tag and tag.endswith("x86_64"):
                self.installed(path)
            if tag.endswith("aarch64"):
                program = folder / "luft/bin/luft"
                program.chmod(0o755)
                self.expect(f"bench of {tag}", self.native(), self.nodes(program, ["qemu-aarch64"]))
            if tag == "win_amd64":
                self.for_windows(path)
            if tag.startswith("macosx"):
                image = macho.Image(next((folder / "luft").glob("*.dylib")).read_bytes())
                self.expect(f"libraries of {tag}", ["/usr/lib/libSystem.B.dylib"], image.libraries)
                self.expect(f"signature of {tag}", tag.endswith("arm64"), image.is_signed())

    def needs_old_systems_only(self, tag, library):
        """What auditwheel looks at: the libraries and the newest glibc that the library wants."""
        text = subprocess.run(["objdump", "-p", str(library)], capture_output=True, text=True).stdout
        needed = set(re.findall(r"NEEDED +(\S+)", text))
        newest = max(map(int, re.findall(r"GLIBC_2\.(\d+)", text)))
        promised = int(re.match(r"manylinux_2_(\d+)_", tag).group(1))
        self.tally.case(f"{tag}: libraries, glibc 2.{newest}", bool(needed) and needed <= NEEDED and newest <= promised, text)

    def installed(self, wheel):
        """Installs the wheel into a clean environment without any index, and runs module and program there."""
        place = self.scratch / "venv"
        status, output, _ = run([sys.executable, "-m", "venv", str(place)], SECONDS, self.env)
        if status == 0:
            status, output, _ = run([str(place / "bin/pip"), "install", "-q", "--no-index", str(wheel)], SECONDS, self.env)
        if not self.tally.case(f"pip install --no-index {wheel.name}", status == 0, output):
            return
        env = {key: value for key, value in self.env.items() if not key.startswith(("LUFT", "PYTHON"))}
        python = [str(place / "bin/python"), "-I"]
        code = "import luft; print(luft.version(), luft.bench(5)); print(luft.uci_path())"
        status, output, _ = run([*python, "-c", code], SECONDS, env, cwd=self.scratch)
        version, nodes, program = (output.split() + ["", "", ""])[:3]
        self.expect("version and bench from the wheel", [self.version(), str(self.native())], [version.split("-")[0], nodes])
        inside = pathlib.Path(program).is_relative_to(place) and self.nodes(pathlib.Path(program), [])
        self.expect("bench of the program at luft.uci_path()", self.native(), inside)
        status, output, seconds = run([*python, str(ROOT / "examples/random_game.py")], SECONDS, env, cwd=self.scratch)
        self.tally.case("a random mover against Luft", "mated after" in output, output, seconds)
        status, output, seconds = run([*python, str(ROOT / "tests/library/test_python.py")], SECONDS, env, cwd=self.scratch)
        self.tally.case("tests/library/test_python.py", status == 0, output, seconds)
        status, output, _ = run([str(place / "bin/pip"), "check"], SECONDS, self.env)
        self.tally.case("pip check", status == 0, output)

    def for_windows(self, wheel):
        """pip puts the wheel together for Windows; a program in C loads the library under wine."""
        place = self.scratch / "windows"
        status, output, _ = run([sys.executable, "-m", "pip", "install", "-q", "--no-index", "--platform", "win_amd64",
                                 "--only-binary=:all:", "--target", str(place), str(wheel)], SECONDS, self.env)
        if not self.tally.case("pip install --platform win_amd64", status == 0, output):
            return
        self.env.update(WINEDEBUG="-all", WINEPREFIX=str((ROOT / self.build / "wine").resolve()))
        loader = self.scratch / "loader.exe"
        (self.scratch / "loader.c").write_text(LOADER)
        output = run(["x86_64-w64-mingw32-gcc", str(self.scratch / "loader.c"), "-o", str(loader)], SECONDS, self.env)[1]
        run(["wine", "cmd", "/c", "exit"], SECONDS, self.env)  # the first start creates wine's folder and prints messages
        output += run(["wine", str(loader), str(place / "luft/luft.dll")], SECONDS, self.env)[1]
        self.tally.case("luft.dll under wine", f"version {self.version()}" in output, output)
        self.expect("luft.exe under wine", self.native(), self.nodes(place / "luft/bin/luft.exe", ["wine"]))
