"""The licences of what is inside the programs beside Luft: C libraries, which Debian's packages bring. A part of dist.py and
wheels.py. Standard library only."""

import pathlib

ROOT = pathlib.Path(__file__).resolve().parent.parent
PACKAGES = {
    "linux-x86-64": ["libc6-dev"],
    "windows-x86-64": ["mingw-w64-common", "mingw-w64-x86-64-dev"],
    "wasm": ["wasi-libc", "libclang-rt-14-dev-wasm32"],
}


def licences(platform):
    """The bytes of the files, by names in a folder of their own. SQLite is in the public domain."""
    files = {f"licences/{package}": pathlib.Path(f"/usr/share/doc/{package}/copyright").read_bytes()
             for package in PACKAGES.get(platform, [])}
    if platform == "linux-arm64":
        files["licences/musl"] = (ROOT / "build/sources/musl/copyright").read_bytes()
    return files
