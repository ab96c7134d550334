#!/usr/bin/env python3
"""Makes the archives of a release in build/dist, reproducibly: any run in any folder gives the same bytes.

    release/dist.py VERSION [--url=URL] [PLATFORM ...]

The platforms are source linux-x86-64 windows-x86-64 linux-arm64 macos wasm npm web wheels; default: all. With the address of the folder
where the archives will be, it also writes the files of release/channels for package managers, and adds download.html to the page,
with that address and the right checksums.

`make dist` calls it. It packs the sources, then builds everything from that archive in build/release. All files have the date of
the last commit (or SOURCE_DATE_EPOCH; without a repository, that of CHANGES.md). It needs what tests/setup-platforms installs,
and no network. Standard library only.
"""

import gzip
import hashlib
import io
import json
import lzma
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import time
import zipfile

sys.dont_write_bytecode = True
from licences import licences  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent
DIST = ROOT / "build/dist"
WORK = ROOT / "build/release"
DOCUMENTS = {"README.md": "release/README.md", "LICENSE": "LICENSE", "CHANGES.md": "CHANGES.md", "luft.6": "docs/luft.6"}
# What only those need who train networks from the repository; answers that readers have marked; the documents' pictures.
NOT_PACKED = (".games", ".floats", ".answers", ".jpg")
LIST = "FILES"  # in the archive of the sources: the names of its files
# xz for text and code, and for networks, which are numbers of two bytes: 5 % of an archive.
TEXT = [{"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "lc": 4, "lp": 0, "pb": 0}]
CODE_X86 = [{"id": lzma.FILTER_X86}, *TEXT]
NUMBERS = [{"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "lc": 3, "lp": 1, "pb": 0}]
# Variables of the caller that must not affect a release.
NOT_INHERITED = re.compile(r"MAKE\w*|MFLAGS|CC|CFLAGS|CPPFLAGS|LDFLAGS|ARCH|LAB|DEBUG|SANITIZE|STATIC|PGO|EVALFILE|BUILD|OBJECTS|"
                           r"EXE|LAB_EXE|WERROR|CMOCKA|DESTDIR|PREFIX|BINDIR|MANDIR|VERSION|GCC_\w*|DEB_\w*")


def fail(reason):
    sys.exit(f"release/dist.py: {reason}")


def call(arguments, cwd=ROOT, env=None):
    result = subprocess.run(arguments, cwd=cwd, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if result.returncode != 0:
        fail(f"{' '.join(map(str, arguments))} failed:\n{result.stdout[-3000:]}")
    return result.stdout


class Release:
    def __init__(self, version, url=""):
        self.version, self.url = version, url.rstrip("/")
        self.name = f"luft-{version}"
        self.epoch = self.date()
        self.tree = WORK / self.name
        self.env = {key: value for key, value in os.environ.items() if not NOT_INHERITED.fullmatch(key)}
        self.env.update(LC_ALL="C", TZ="UTC", SOURCE_DATE_EPOCH=str(self.epoch), PYTHONDONTWRITEBYTECODE="1")

    @staticmethod
    def date():
        if "SOURCE_DATE_EPOCH" in os.environ:
            return int(os.environ["SOURCE_DATE_EPOCH"])
        if (ROOT / ".git").exists():
            return int(call(["git", "log", "-1", "--format=%ct"]))
        return int((ROOT / "CHANGES.md").stat().st_mtime)

    # --- archives ---

    def files_of_the_sources(self):
        """The files of the repository without debian/, pictures and what only the training of networks needs, and the recorded
        profile; in an unpacked archive, those that its list names."""
        if (ROOT / ".git").exists():
            names = call(["git", "ls-files", "-z"]).split("\0")
            names += [str(path.relative_to(ROOT)) for path in (ROOT / "release/profile").rglob("*") if path.is_file()]
        else:
            names = (ROOT / LIST).read_text().splitlines()
        return {name: (ROOT / name).read_bytes() for name in names
                if name and not name.startswith("debian/") and not name.endswith(NOT_PACKED) and (ROOT / name).is_file()}

    @staticmethod
    def sums(files):
        lines = [f"{hashlib.sha256(data).hexdigest()}  {name}\n" for name, data in sorted(files.items())]
        return "".join(lines).encode()

    def pack(self, platform, kind, files, folder=None):
        """Packs files (name: bytes) and their list into one folder of an archive: SHA256SUMS, but the names alone for the
        sources, where a thousand checksums, which do not compress, would be more than a hundredth of the archive."""
        DIST.mkdir(parents=True, exist_ok=True)
        folder = folder or f"{self.name}-{platform}"
        if platform == "source":
            files = {**files, LIST: "".join(f"{name}\n" for name in sorted(files)).encode()}
        else:
            files = {**files, "SHA256SUMS": self.sums(files)}
        target = DIST / f"{self.name}-{platform}.{kind}"
        if kind == "zip":
            self.pack_zip(target, folder, files)
        else:
            self.pack_tar(target, folder, files, platform)
        print(f"{target.relative_to(ROOT)}: {target.stat().st_size} bytes", flush=True)

    def is_program(self, name, data):
        return data.startswith((b"#!", b"\x7fELF", b"\xca\xfe\xba\xbe"))  # of macOS, for several processors

    def parts(self, tar, platform):
        """The parts of a tar file, and the filters of xz for each. A network that occurs more than once is not cut out."""
        networks = [path.read_bytes() for path in sorted((ROOT / "nets").rglob("*.nnue"))]
        if any(tar.count(network) > 1 for network in networks):
            return [(tar, NUMBERS)]
        other, parts, end = CODE_X86 if platform == "linux-x86-64" else TEXT, [], 0
        for start, network in sorted((tar.find(network), network) for network in networks):
            if start >= 0:
                parts += [(tar[end:start], other), (network, NUMBERS)]
                end = start + len(network)
        return [*parts, (tar[end:], other)]

    def pack_tar(self, target, folder, files, platform):
        """Networks are streams of xz of their own; xz and tar read several streams as one. Programs and networks come last, so
        that all text is in one."""
        tar = io.BytesIO()
        with tarfile.open(None, "w", tar, format=tarfile.USTAR_FORMAT) as archive:
            for name, data in sorted(files.items(), key=lambda item: (len(item[1]) > 700_000, item)):
                entry = tarfile.TarInfo(f"{folder}/{name}")
                entry.size, entry.mtime = len(data), self.epoch
                entry.mode = 0o755 if self.is_program(name, data) else 0o644
                archive.addfile(entry, io.BytesIO(data))
        target.write_bytes(b"".join(lzma.compress(part, filters=filters) for part, filters in self.parts(tar.getvalue(), platform)))

    def pack_npm(self, target, files):
        """Packs the files as npm does."""
        with open(target, "wb") as file, gzip.GzipFile("", "wb", 9, file, self.epoch) as packed, \
             tarfile.open(None, "w", packed, format=tarfile.USTAR_FORMAT) as archive:
            for name, data in sorted(files.items()):
                entry = tarfile.TarInfo(f"package/{name}")
                entry.size, entry.mtime, entry.mode = len(data), self.epoch, 0o644
                archive.addfile(entry, io.BytesIO(data))
        print(f"{target.relative_to(ROOT)}: {target.stat().st_size} bytes", flush=True)

    def pack_zip(self, target, folder, files):
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
            for name, data in sorted(files.items()):
                entry = zipfile.ZipInfo(f"{folder}/{name}", time.gmtime(self.epoch)[:6])
                entry.compress_type, entry.create_system = zipfile.ZIP_DEFLATED, 3
                entry.external_attr = (0o755 if self.is_program(name, data) else 0o644) << 16
                archive.writestr(entry, data)

    # --- the platforms ---

    def source(self):
        """Packs the sources, with this version's number in them."""
        files = self.files_of_the_sources()
        for name, pattern, version in (
                ("src/engine/version.h", r'^(#define ENGINE_VERSION +)"[^"]*".*$', self.version),
                ("bindings/python/luft/__init__.py", r'^(__version__ = )"[^"]*"', self.version.replace("-dev", ".dev0"))):
            stamped, count = re.subn(pattern, rf'\1"{version}"', files[name].decode(), flags=re.M)
            if count != 1:
                fail(f"{name} has no version")
            files[name] = stamped.encode()
        self.pack("source", "tar.xz", files, folder=self.name)

    def unpack(self):
        """Unpacks the source archive into an empty folder, where everything else is built."""
        shutil.rmtree(WORK, ignore_errors=True)
        WORK.mkdir(parents=True)
        with tarfile.open(DIST / f"{self.name}-source.tar.xz") as archive:
            archive.extractall(WORK)
        (self.tree / "build").mkdir()
        (self.tree / "build/sources").symlink_to(ROOT / "build/sources")  # headers of other systems

    def make(self, *arguments):
        call(["make", f"-j{os.cpu_count()}", *arguments], cwd=self.tree, env=self.env)

    def program(self, platform, kind, suffix, prefix, *arguments):
        """Builds and packs the engine, with its documents and licences."""
        program = self.tree / f"build/dist/{self.name}-{platform}{suffix}"
        self.make(*arguments)
        stripped = program.parent / f"{program.name}.stripped"  # make check-dist looks at both
        call([f"{prefix}strip", "-o", str(stripped), str(program)], env=self.env)  # for Windows it writes a date
        self.pack(platform, kind, {f"luft{suffix}": stripped.read_bytes(), **self.documents(platform)})

    def documents(self, platform):
        files = {name: (self.tree / path).read_bytes() for name, path in DOCUMENTS.items()}
        return {**files, **licences(platform)}

    def macos(self):
        self.make("macos")
        folder = self.tree / f"build/dist/{self.name}-macos"
        files = {path.name: path.read_bytes() for path in folder.iterdir()}
        self.pack("macos", "tar.xz", {**files, **self.documents("macos")})

    def linux_x86_64(self):
        # A program without symbols has no use for unwind tables.
        self.program("linux-x86-64", "tar.xz", "", "", "CC=gcc", "ARCH=portable", "STATIC=1", "PGO=recorded",
                     "CFLAGS=-O3 -fno-asynchronous-unwind-tables",
                     f"EXE=build/dist/{self.name}-linux-x86-64", "all")

    def windows_x86_64(self):
        self.program("windows-x86-64", "zip", ".exe", "x86_64-w64-mingw32-", "windows")

    def linux_arm64(self):
        self.program("linux-arm64", "tar.xz", "", "aarch64-linux-gnu-", "arm64")

    def wasm(self):
        self.make("wasm")
        folder = self.tree / f"build/dist/{self.name}-wasm"
        files = {path.name: path.read_bytes() for path in folder.iterdir()}
        self.pack("wasm", "zip", {**files, **self.documents("wasm")})

    def npm(self):
        """Packs the package of npm: that for WebAssembly, without the module for hosts that have no SIMD."""
        self.make("wasm")
        folder = self.tree / f"build/dist/{self.name}-wasm"
        files = {path.name: path.read_bytes() for path in folder.iterdir() if path.name != "luft-plain.wasm"}
        package = json.loads(files["package.json"])
        package["version"] = re.sub(r"^(\d+\.\d+)(-|$)", r"\1.0\2", self.version)
        del package["exports"]["./luft-plain.wasm"]
        files["package.json"] = (json.dumps(package, indent=2) + "\n").encode()
        files.update((name, data) for name, data in self.documents("wasm").items() if name.upper().startswith("LICEN"))
        self.pack_npm(DIST / f"luft-chess-{package['version']}.tgz", files)

    def web(self):
        """Builds and packs the page, with the tools of the working tree's web/node_modules."""
        if not (ROOT / "web/node_modules").is_dir():
            fail("web/node_modules is missing: run make web once")
        os.utime(ROOT / "web/node_modules")  # otherwise make installs them again, because the new package lists are younger
        (self.tree / "web/node_modules").symlink_to(ROOT / "web/node_modules")
        self.make("web", *(["VITE_DOWNLOADS=1"] if self.url else []))
        folder = self.tree / "web/dist"
        if self.url:
            (folder / "download.html").write_text(self.filled(self.tree / "release/download.html"))
        files = {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
        self.pack("web", "zip", {**files, **self.documents("wasm")})

    def wheels(self):
        """Makes the wheels next to the archives, with the same objects."""
        call([sys.executable, "release/wheels.py", self.version], cwd=self.tree, env=self.env)
        for old in DIST.glob("luft_chess-*.whl"):
            old.unlink()
        for wheel in sorted((self.tree / "build/dist").glob("luft_chess-*.whl")):
            shutil.copy(wheel, DIST)
            print(f"{(DIST / wheel.name).relative_to(ROOT)}: {wheel.stat().st_size} bytes", flush=True)

    def platforms(self):
        return {"source": self.source, "linux-x86-64": self.linux_x86_64, "windows-x86-64": self.windows_x86_64,
                "linux-arm64": self.linux_arm64, "macos": self.macos, "wasm": self.wasm, "npm": self.npm, "web": self.web,
                "wheels": self.wheels}

    def write_sums(self):
        """Writes the checksums of all archives of this version."""
        archives = [path for name in (f"{self.name}-*.tar.xz", f"{self.name}-*.zip", f"luft-chess-{self.version}*.tgz", "luft_chess-*.whl")
                    for path in DIST.glob(name)]
        (DIST / "SHA256SUMS").write_bytes(self.sums({path.name: path.read_bytes() for path in archives}))

    def filled(self, path):
        """The text of a file: @VERSION@, @URL@, @SUM FILE@ and @SIZE FILE@ stand for what their names say."""
        def archive(name):
            path = DIST / f"{self.name}-{name}"
            if not path.is_file():
                fail(f"{path.name}, whose checksum is wanted, is missing: make all platforms")
            return path.read_bytes()

        text = path.read_text().replace("@VERSION@", self.version).replace("@URL@", self.url)
        text = re.sub(r"@SIZE ([^@\s]+)@", lambda match: f"{len(archive(match.group(1))) / 1e6:.1f} MB", text)
        return re.sub(r"@SUM ([^@\s]+)@", lambda match: hashlib.sha256(archive(match.group(1))).hexdigest(), text)

    def write_channels(self):
        """Writes the files for package managers."""
        folder = DIST / f"{self.name}-channels"
        folder.mkdir(exist_ok=True)
        for path in (self.tree / "release/channels").iterdir():
            (folder / path.name).write_text(self.filled(path))


def main():
    if len(sys.argv) < 2 or not re.fullmatch(r"\d+\.\d+(\.\d+)?(-dev)?", sys.argv[1]):
        fail("expected a version, such as 0.2 or 0.2-dev")
    urls = [word.removeprefix("--url=") for word in sys.argv[2:] if word.startswith("--url=")]
    release = Release(sys.argv[1], *urls[-1:])
    known = release.platforms()
    wanted = [word for word in sys.argv[2:] if not word.startswith("--")] or list(known)
    for name in wanted:
        if name not in known:
            fail(f"unknown platform '{name}'; there are {', '.join(known)}")
    number = release.version.removesuffix("-dev")
    if not re.search(rf"^## {re.escape(number)}\b", (ROOT / "CHANGES.md").read_text(), re.M):
        fail(f"CHANGES.md has no section for {number}")
    os.umask(0o022)
    release.source()
    release.unpack()
    for name in wanted:
        if name != "source":
            known[name]()
    release.write_sums()
    if release.url:
        release.write_channels()


if __name__ == "__main__":
    main()
