"""Checks the released archives (`make check-dist`) and Debian packages (`make check-debian`).

A part of tests/platforms.py. Standard library only.
"""

import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import tarfile
import zipfile

from run import ROOT, Suite, run

BENCH_DEPTH = 5
SECONDS = 7200
MORE_THAN_PLAIN = 2_000_000  # bytes by which a released program may exceed the one that `make` builds here
PROFILES = "release/profile/"
NOT_PACKED = (".games", ".floats", ".answers", ".jpg")  # not in the archive of the sources
KINGS_AND_QUEEN = "8/8/8/8/8/2k5/8/KQ6 w - - 0 1"


def unpack(archive, folder):
    """Unpacks an archive; returns the one folder in it."""
    folder.mkdir(parents=True)
    if archive.suffix == ".zip":
        with zipfile.ZipFile(archive) as packed:
            packed.extractall(folder)
        for path in folder.glob("*/luft*"):
            path.chmod(0o755)
    else:
        with tarfile.open(archive) as packed:
            packed.extractall(folder)
    return next(folder.iterdir())


class Releases(Suite):
    """Needs luft(), nodes(), native(), native_with() and expect() of Platforms."""

    RUNNERS = {"linux-x86-64": [], "windows-x86-64": ["wine"], "linux-arm64": ["qemu-aarch64"]}
    KINDS = {"source": "tar.xz", "linux-x86-64": "tar.xz", "linux-arm64": "tar.xz", "windows-x86-64": "zip", "wasm": "zip", "macos": "tar.xz",
             "web": "zip"}

    def version(self):
        return re.search(r'ENGINE_VERSION +"([\d.]+)', (ROOT / "src/engine/version.h").read_text()).group(1)

    # --- archives ---

    def dist(self):
        version = self.version()
        self.env.update(WINEDEBUG="-all", WINEPREFIX=str((ROOT / self.build / "wine").resolve()))
        status, output, seconds = run(["make", "dist", f"VERSION={version}"], SECONDS, self.env)
        if not self.tally.case(f"make dist VERSION={version}", status == 0, output, seconds):
            return
        folder = ROOT / "build/dist"
        platforms = [name for name in self.KINDS if name != "web" or f"luft-{version}-web" in output]
        archives = {name: folder / f"luft-{version}-{name}.{self.KINDS[name]}" for name in platforms}
        listed = {name for _, name in self.sums(folder)}
        self.expect("SHA256SUMS lists the archives", sorted(path.name for path in archives.values()),
                    sorted(name for name in listed if name.startswith(f"luft-{version}-")))
        self.sums_are_right("the archives", folder)
        trees = {name: unpack(path, self.scratch / "unpacked" / name) for name, path in archives.items()}
        for name, tree in trees.items():
            self.contents(name, tree, archives[name])
        expected = self.native()
        run(["wine", "cmd", "/c", "exit"], SECONDS, self.env)  # the first start creates wine's folder and prints messages
        for name, runner in self.RUNNERS.items():
            self.released_program(name, trees[name], runner, version, expected)
        self.released_module(trees["wasm"])
        self.npm_package(next(folder.glob(f"luft-chess-{version}*.tgz")))
        self.size(trees)
        self.reproduces_itself(archives, version)

    @staticmethod
    def sums(folder):
        return [line.split("  ", 1) for line in (folder / "SHA256SUMS").read_text().splitlines()]

    def sums_are_right(self, what, folder):
        wrong = [name for digest, name in self.sums(folder)
                 if hashlib.sha256((folder / name).read_bytes()).hexdigest() != digest]
        self.tally.case(f"SHA256SUMS of {what}", not wrong, str(wrong))

    def contents(self, name, tree, archive):
        files = {str(path.relative_to(tree)) for path in tree.rglob("*") if path.is_file()}
        kind = "FILES" if name == "source" else "SHA256SUMS"
        listed = {kind, *((tree / kind).read_text().splitlines() if name == "source" else [file for _, file in self.sums(tree)])}
        wanted = {"README.md", "LICENSE", "CHANGES.md", "docs/luft.6" if name == "source" else "luft.6"}
        if name in self.RUNNERS:
            wanted |= {"luft.exe" if "windows" in name else "luft"}
        if name == "source":
            listed_by_git = set(subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True,
                                               text=True).stdout.split("\0")) - {""}
            differing = {path for path in listed_by_git ^ files if not path.startswith(("debian/", PROFILES)) and
                         not (path in listed_by_git and path.endswith(NOT_PACKED))} - {"FILES"}
            self.expect("the sources are those of the repository", set(), differing)
            recorded = {path.split("/")[-2] for path in files if path.startswith(PROFILES) and path.endswith("/search.gcda")}
            self.expect("profiles in the sources", {"portable", "portable-v3"}, recorded)
        self.tally.case(f"{archive.name}, {archive.stat().st_size:,} bytes", wanted <= files and files == listed,
                        f"missing {wanted - files}, not in {kind} {files ^ listed}")
        if name != "source":
            self.sums_are_right(name, tree)

    def released_program(self, name, tree, runner, version, expected):
        """Checks version, bench and tablebases of a released program."""
        program = tree / ("luft.exe" if "windows" in name else "luft")
        about = self.luft(program, "--version", emulator=runner)[1]
        self.tally.case(f"{name} is Luft {version}", about.startswith(f"Luft {version}\n") and str(ROOT) not in about, about)
        self.expect(f"bench of {name}", expected, self.nodes(program, runner))
        tables = "Z:" + str(ROOT / "tests/syzygy").replace("/", "\\") if runner == ["wine"] else ROOT / "tests/syzygy"
        output = self.luft(program, f"setoption name SyzygyPath value {tables}", f"position fen {KINGS_AND_QUEEN}",
                           "go depth 8", emulator=runner)[1]
        hits = re.findall(r"tbhits (\d+)", output)
        self.tally.case(f"{name} reads tablebases", bool(hits) and int(hits[-1]) > 0, output)
        if name.startswith("linux"):
            self.keeps_analysis(name, program, runner)
        if name == "linux-x86-64":
            self.alone(program)
        self.hardened(name, program, ROOT / f"build/release/luft-{version}/build/dist" / f"luft-{version}-{name}{program.suffix}")

    def keeps_analysis(self, name, program, runner):
        """A static program has SQLite inside, for its stores."""
        file = self.scratch / f"{name}.store"
        self.luft(program, f"setoption name StoreFile value {file}", "setoption name StoreMode value write", "go depth 9",
                  emulator=runner)
        output = self.luft(program, "store", "verify", str(file), emulator=runner)[1]
        self.tally.case(f"{name} keeps analysis in a store", "every row is sound" in output, output)

    def alone(self, program):
        """The self-test in a root folder that contains nothing but the program."""
        folder = self.scratch / "alone"
        folder.mkdir()
        shutil.copy(program, folder / "luft")
        as_root = [] if os.geteuid() == 0 else ["unshare", "--map-root-user"]
        status, output, seconds = run([*as_root, "chroot", str(folder), "/luft", "selftest"], SECONDS, self.env)
        self.tally.case("the program alone in a root folder: selftest", status == 0, output, seconds)

    def hardened(self, name, program, whole):
        """Checks how a released program was compiled and linked; `whole` is the same program with its symbols."""
        def show(tool, *arguments):
            return subprocess.run([tool, *arguments], capture_output=True, text=True).stdout

        prefix = {"linux-arm64": "aarch64-linux-gnu-", "windows-x86-64": "x86_64-w64-mingw32-"}.get(name, "")
        if name.startswith("windows"):
            text = show(prefix + "objdump", "-p", "-h", program)
            wanted = {"HIGH_ENTROPY_VA", "DYNAMIC_BASE", "NX_COMPAT", ".reloc"}
        else:
            text = show("readelf", "-hldW", program)
            wanted = {"(Position-Independent Executable file)", "GNU_RELRO", "BIND_NOW"}
            self.tally.case(f"{name} is static", "LOAD" in text and "INTERP" not in text, text)
        missing = {part for part in wanted if part not in text}
        self.tally.case(f"{name} may be loaded at any address", not missing, f"{missing} not in {text}")
        code = show(prefix + "objdump", "-d", "--disassemble=command_analyse", whole)
        jumps = {"linux-x86-64": "endbr64", "linux-arm64": r"\b(bti|paciasp)\b"}.get(name, "")
        self.tally.case(f"{name} has guarded stacks and jumps", "stack_chk_fail" in code and bool(re.search(jumps, code)), code)
        if name == "linux-x86-64":  # musl has none
            self.tally.case(f"{name} has checked copies", "__vsnprintf_chk" in show(prefix + "nm", whole))

    def released_module(self, tree):
        network = next(tree.glob("*.nnue"))
        expected = self.native_with(network)
        node = ["node", str(ROOT / "tests/wasm/check.mjs"), str(tree), str(network), "5", str(expected)]
        output = run(node, SECONDS, self.env)[1]
        self.tally.case("wasm: tests/wasm/check.mjs", "ok " in output and "FAIL" not in output, output)

    def size(self, trees):
        """Compares sizes with the engine that `make` builds here."""
        plain = (ROOT / self.build / "native/luft").stat().st_size
        for name in self.RUNNERS:
            size = next(path for path in (trees[name] / "luft", trees[name] / "luft.exe") if path.exists()).stat().st_size
            self.tally.case(f"{name}: {size - plain:+,} bytes against the plain program ({plain:,})",
                            name != "linux-x86-64" or size - plain < MORE_THAN_PLAIN)

    def reproduces_itself(self, archives, version):
        """Rebuilds from the source archive in another folder, at another time, with another time zone and umask."""
        tree = unpack(archives["source"], self.scratch / "elsewhere/and/deeper")
        (tree / "build").mkdir()
        (tree / "build/sources").symlink_to(ROOT / "build/sources")
        env = dict(self.env, TZ="Asia/Tokyo", HOME=str(self.scratch), CCACHE_DISABLE="1", CFLAGS="-O1", LC_ALL="C.UTF-8")
        command = ["sh", "-c", f"umask 077; exec python3 release/dist.py {version} source linux-x86-64 windows-x86-64"]
        status, output, seconds = run(command, SECONDS, env, cwd=tree)
        self.tally.case("make dist from the source archive", status == 0, output, seconds)
        for name in ("source", "linux-x86-64", "windows-x86-64"):
            again = tree / "build/dist" / archives[name].name
            same = again.is_file() and again.read_bytes() == archives[name].read_bytes()
            output = "" if same or not again.is_file() else run(["diffoscope", str(archives[name]), str(again)], 600)[1]
            self.tally.case(f"{name}: rebuilt byte for byte", same, output)

    # --- Debian's packages ---

    MAY_SAY = {"initial-upload-closes-no-bugs"}

    def debian(self):
        text = (ROOT / "debian/changelog").read_text()
        version = re.match(r"luft \(([\d.]+(?:~dev)?)-\d+\)", text).group(1)
        status, output, seconds = run(["python3", "release/dist.py", version.replace("~", "-"), "source"], SECONDS, self.env)
        if not self.tally.case(f"the source archive of {version}", status == 0, output, seconds):
            return
        folder = ROOT / self.build / "debian"
        shutil.rmtree(folder, ignore_errors=True)
        archive = ROOT / f"build/dist/luft-{version.replace('~', '-')}-source.tar.xz"
        tree = unpack(archive, folder)
        shutil.copytree(ROOT / "debian", tree / "debian")
        shutil.copy(archive, folder / f"luft_{version}.orig.tar.xz")
        status, output, seconds = run(["dpkg-buildpackage", "-us", "-uc", f"-j{os.cpu_count()}"], SECONDS, self.env, cwd=tree)
        if not self.tally.case("dpkg-buildpackage", status == 0, output, seconds):
            return
        changes = next(folder.glob("luft_*.changes"))
        output = run(["lintian", "--allow-root", "--tag-display-limit", "0", str(changes)], SECONDS, self.env)[1]
        tags = re.findall(r"^[EWIPX]: \S+(?: \S+)?: (\S+)", output, re.M)
        self.expect("tags of lintian", [], [tag for tag in tags if tag not in self.MAY_SAY])
        self.tally.case("lintian checked it", "initial-upload-closes-no-bugs" in tags, output)
        self.packages(folder)

    def packages(self, folder):
        """Checks the contents of the packages, and runs debian/tests/game with the unpacked programs."""
        root = self.scratch / "root"
        for name in ("luft", "luft-lab"):
            package = next(folder.glob(f"{name}_*.deb"))
            run(["dpkg-deb", "-x", str(package), str(root)], 600)
            about = run(["dpkg-deb", "-f", str(package), "Depends"], 600)[1]
            self.tally.case(f"{package.name}, {package.stat().st_size:,} bytes", "libc6" in about, about)
        files = [f"usr/games/{name}" for name in ("luft", "luft-lab")]
        files += [f"usr/share/man/man6/{name}.6.gz" for name in ("luft", "luft-lab")]
        for name in ("libluft1", "libluft-dev", "python3-luft"):
            run(["dpkg-deb", "-x", str(next(folder.glob(f"{name}_*.deb"))), str(root)], 600)
        library = next(root.glob("usr/lib/*/libluft.so.1"))
        env = dict(self.env, LUFT_LIBRARY=str(library), PYTHONPATH=str(root / "usr/lib/python3/dist-packages"))
        output = run(["/usr/bin/python3", "-c", f"import luft; print(luft.bench({BENCH_DEPTH}))"], SECONDS, env)[1]
        self.expect("bench of python3-luft with libluft1", f"{self.native()}\n", output)
        code = "import importlib.metadata as m, luft; print(m.version('luft-chess') == luft.__version__, m.files('luft-chess'))"
        self.expect("python3-luft is known to pip", "True None\n", run(["/usr/bin/python3", "-c", code], SECONDS, env)[1])
        self.expect("programs and manuals", files, [name for name in files if (root / name).is_file()])
        about = self.luft(root / "usr/games/luft", "--version", emulator=[])[1]
        self.tally.case("dpkg's flags and no build path", "-fstack-protector-strong" in about and "-D_FORTIFY_SOURCE" in about and
                        str(ROOT) not in about, about)
        self.expect("bench of the package", self.native(), self.nodes(root / "usr/games/luft", []))
        env = {key: value for key, value in self.env.items() if key != "LUFT"}
        env.update(PATH=f"{root}/usr/games:{env['PATH']}", BOOKS=str(root / "usr/share/luft-lab/books"),
                   AUTOPKGTEST_TMP=str(self.scratch))
        status, output, seconds = run([str(ROOT / "debian/tests/game")], SECONDS, env)
        self.tally.case("debian/tests/game", status == 0 and "two games" in output, output, seconds)
