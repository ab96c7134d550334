"""Checks the package for npm (`make check-npm`). A part of tests/platforms.py. Standard library only."""

import json
import shutil
import tarfile
import time

import browser
from run import ROOT, run

SECONDS = 1800
LARGEST = 1_500_000  # unpacked
DEPTH = 5
CONFIG = {"compilerOptions": {"module": "nodenext", "target": "esnext", "strict": True, "noEmit": True, "lib": ["esnext", "dom"]},
          "files": ["types.ts", "answers.ts"]}


class Npm:
    """Needs native_with(), expect() and lines_of_cases() of Platforms."""

    def npm(self):
        status, output, seconds = run(["make", "dist", "PLATFORMS=npm"], SECONDS, self.env)
        if self.tally.case("make dist PLATFORMS=npm", status == 0, output, seconds):
            archive = max((ROOT / "build/dist").glob("luft-chess-*.tgz"), key=lambda path: path.stat().st_mtime)
            self.npm_package(archive)

    def npm_package(self, archive):
        """Checks what is in the package, and uses it in Node, on a page as it is, and on a page by Vite."""
        unpacked = self.scratch / "npm"
        with tarfile.open(archive) as packed:
            packed.extractall(unpacked)
        files = {str(path.relative_to(unpacked / "package")): path.stat().st_size for path in (unpacked / "package").rglob("*")
                 if path.is_file()}
        self.tally.case(f"{archive.name}: {sum(files.values()):,} bytes unpacked", sum(files.values()) <= LARGEST, str(files))
        output = run(["npm", "pack", "--json", "--dry-run"], SECONDS, self.env, cwd=unpacked / "package")[1]
        listed = [file["path"] for file in json.loads(output[output.index("["):])[0]["files"]]
        self.expect("files that npm pack would leave out", set(), set(files) - set(listed))
        exported = json.loads((unpacked / "package/package.json").read_text())["exports"].values()
        self.expect("exported files that are missing", [], [name for name in exported if name.removeprefix("./") not in files])
        place = self.scratch / "project"
        shutil.copytree(ROOT / "tests/npm", place)
        (place / "package.json").write_text('{"private": true, "type": "module"}\n')
        status, output, seconds = run(["npm", "install", "--offline", "--no-audit", "--no-fund", str(archive)], SECONDS, self.env, cwd=place)
        if not self.tally.case("npm install", status == 0, output, seconds):
            return
        expected = self.native_with(place / "node_modules/luft-chess/luft.nnue")
        start = time.monotonic()
        output = run(["node", "node.mjs", str(DEPTH), str(expected)], SECONDS, self.env, cwd=place)[1]
        self.lines_of_cases("luft-chess in Node", output, start)
        self.npm_on_pages(place, expected)

    def npm_on_pages(self, place, expected):
        tools = ROOT / "web/node_modules"
        if not tools.is_dir() or browser.find() is None:
            self.tally.group("luft-chess on pages: needs make web and chromium", 0, 0, 0.0, skipped=1)
            return
        (place / "tsconfig.json").write_text(json.dumps(CONFIG))
        (place / "answers.ts").write_text(run(["node", "answers.mjs"], SECONDS, self.env, cwd=place)[1])
        status, output, seconds = run(["node", str(tools / "typescript/bin/tsc"), "-p", "."], SECONDS, self.env, cwd=place)
        self.tally.case("types of luft-chess, and of what the engine answers", status == 0, output, seconds)
        self.npm_on_page("luft-chess on a page", place, f"plain.html?{DEPTH}&{expected}")
        (place / "vite.config.js").write_text('export default { base: "./", worker: { format: "es" } };\n')
        status, output, seconds = run(["node", str(tools / "vite/bin/vite.js"), "build"], SECONDS, self.env, cwd=place)
        if self.tally.case("luft-chess by Vite", status == 0, output, seconds):
            self.npm_on_page("luft-chess on a page by Vite", place / "dist", f"index.html?{DEPTH}&{expected}")

    def npm_on_page(self, name, folder, page):
        start = time.monotonic()
        self.lines_of_cases(name, browser.result_of(folder, page, SECONDS), start)
