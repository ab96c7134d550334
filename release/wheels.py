#!/usr/bin/env python3
"""Makes the wheels of the Python package luft-chess in build/dist, reproducibly: module, library and program.

    release/wheels.py VERSION [PLATFORM ...]     linux-x86-64 linux-arm64 windows-x86-64 macos-arm64 macos-x86-64; default: all

`make wheels` calls it. The module uses ctypes, so a wheel is for every Python, and pip compiles nothing. It needs what
tests/setup-platforms installs. Standard library only.
"""

import base64
import hashlib
import os
import pathlib
import re
import subprocess
import sys
import time
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "bindings/python"))
from backend import METADATA  # noqa: E402
from licences import licences  # noqa: E402

BUILD = ROOT / "build/wheels"
DIST = ROOT / "build/dist"
OLDEST_GLIBC = 17  # 2.17: pip of older systems knows no such tags
# For each platform: the tag, the compilers of the program and of the library with the options of make, and what strips both. The
# programs are those of the archives, so that `make dist` compiles each once.
PLATFORMS = {
    "linux-x86-64": ("manylinux_2_{glibc}_x86_64",
                     ["CC=gcc", "STATIC=1", "PGO=recorded", "CFLAGS=-O3 -fno-asynchronous-unwind-tables"], ["CC=gcc"], "strip"),
    "linux-arm64": ("manylinux_2_{glibc}_aarch64", ["CC=release/musl-gcc", "ARCH=armv8", "STATIC=1"], ["CC=aarch64-linux-gnu-gcc"],
                    "aarch64-linux-gnu-strip"),
    "windows-x86-64": ("win_amd64", ["CC=x86_64-w64-mingw32-gcc"], ["CC=x86_64-w64-mingw32-gcc"], "x86_64-w64-mingw32-strip"),
    # Stripped by the linker: later it would break the signature.
    "macos-arm64": ("macosx_11_0_arm64", ["CC=release/macos-clang arm64", "LDFLAGS=-Wl,-S,-x"],
                    ["CC=release/macos-clang arm64", "LDFLAGS=-Wl,-S,-x"], None),
    "macos-x86-64": ("macosx_11_0_x86_64", ["CC=release/macos-clang x86_64", "LDFLAGS=-Wl,-S,-x"],
                     ["CC=release/macos-clang x86_64", "LDFLAGS=-Wl,-S,-x"], None),
}
LIBRARIES = re.compile(r"libluft\.so\.\d+|luft\.dll|libluft\.\d+\.dylib")


def fail(reason):
    sys.exit(f"release/wheels.py: {reason}")


def call(arguments):
    result = subprocess.run(arguments, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if result.returncode != 0:
        fail(f"{' '.join(map(str, arguments))} failed:\n{result.stdout[-3000:]}")
    return result.stdout


def date():
    if "SOURCE_DATE_EPOCH" in os.environ:
        return int(os.environ["SOURCE_DATE_EPOCH"])
    if (ROOT / ".git").exists():
        return int(call(["git", "log", "-1", "--format=%ct"]))
    return int((ROOT / "CHANGES.md").stat().st_mtime)  # that of the commit, in the archive of the sources


def glibc_of(library):
    """The minor version of the oldest glibc 2 that has all functions which the library wants."""
    wanted = re.findall(r"GLIBC_2\.(\d+)", call(["objdump", "-T", library]))
    return max([OLDEST_GLIBC, *map(int, wanted)])


def build(platform):
    """Builds program and library; returns both paths and the tag of the wheel."""
    tag, for_program, for_library, strip = PLATFORMS[platform]
    folder = BUILD / platform
    suffix = ".exe" if platform.startswith("windows") else ""
    jobs = f"-j{os.cpu_count()}"
    arch = [] if any(option.startswith("ARCH=") for option in for_program) else ["ARCH=portable"]
    call(["make", jobs, *arch, f"EXE={folder}/luft{suffix}", *for_program, "all"])
    call(["make", jobs, "ARCH=portable", f"LIB={folder}/lib", *for_library, "lib"])
    program = folder / f"luft{suffix}"
    library = next(path for path in (folder / "lib").iterdir() if LIBRARIES.fullmatch(path.name))
    if "glibc" in tag:
        tag = tag.format(glibc=glibc_of(library))
    if strip:
        call([strip, program])
        call([strip, "--strip-unneeded", library])
    return program, library, tag


def digest(data):
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def pack(version, platform, tag, program, library):
    """Writes the wheel; its RECORD has the hash and size of every other file."""
    version = version.replace("-dev", ".dev0")  # as PEP 440 writes it
    info = f"luft_chess-{version}.dist-info"
    module = ROOT / "bindings/python/luft"
    files = {f"luft/{path.name}": path.read_bytes() for path in module.iterdir() if path.suffix in (".py", ".typed")}
    files[f"luft/{library.name}"] = library.read_bytes()
    files[f"luft/bin/{program.name}"] = program.read_bytes()
    files[f"{info}/METADATA"] = METADATA.format(version=version).encode()
    files[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: luft\nRoot-Is-Purelib: false\nTag: py3-none-{tag}\n".encode()
    files[f"{info}/LICENSE"] = (ROOT / "LICENSE").read_bytes()
    files.update((f"{info}/{name}", text) for name, text in licences(platform).items())
    record = [f"{name},{digest(data)},{len(data)}\n" for name, data in sorted(files.items())]
    files[f"{info}/RECORD"] = "".join([*record, f"{info}/RECORD,,\n"]).encode()
    DIST.mkdir(parents=True, exist_ok=True)
    target = DIST / f"luft_chess-{version}-py3-none-{tag}.whl"
    moment = time.gmtime(date())[:6]
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as wheel:
        for name, data in sorted(files.items()):
            entry = zipfile.ZipInfo(name, moment)
            entry.compress_type, entry.create_system = zipfile.ZIP_DEFLATED, 3
            entry.external_attr = (0o100755 if name.startswith("luft/bin/") else 0o100644) << 16
            wheel.writestr(entry, data)
    print(f"{target.relative_to(ROOT)}: {target.stat().st_size} bytes", flush=True)


def main():
    if len(sys.argv) < 2 or not re.fullmatch(r"\d+\.\d+(\.\d+)?(-dev)?", sys.argv[1]):
        fail("expected a version, such as 0.2 or 0.2-dev")
    wanted = sys.argv[2:] or list(PLATFORMS)
    for name in wanted:
        if name not in PLATFORMS:
            fail(f"unknown platform '{name}'; there are {', '.join(PLATFORMS)}")
    os.environ["SOURCE_DATE_EPOCH"] = str(date())  # of linkers, and of strip for Windows
    for name in wanted:
        program, library, tag = build(name)
        pack(sys.argv[1], name, tag, program, library)


if __name__ == "__main__":
    main()
