"""Builds the wheel of this folder for pip (PEP 517), with the standard library alone: to install needs no network, and leaves
nothing in the tree. `make wheels` makes those with the library inside."""

import base64
import hashlib
import pathlib
import re
import sys
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
METADATA = """Metadata-Version: 2.1
Name: luft-chess
Version: {version}
Summary: The chess engine Luft: search, explanations and judgements of moves from Python
License: GPL-3.0-or-later
Keywords: chess,engine,uci,analysis
Classifier: Development Status :: 4 - Beta
Classifier: License :: OSI Approved :: GNU General Public License v3 or later (GPLv3+)
Classifier: Programming Language :: Python :: 3
Classifier: Topic :: Games/Entertainment :: Board Games
Classifier: Typing :: Typed
Requires-Python: >=3.8
Provides-Extra: chess
Requires-Dist: chess; extra == "chess"
Description-Content-Type: text/plain

    import luft
    with luft.Engine() as engine:
        engine.position(moves="e2e4 e7e5")
        print(engine.play(time=0.5))

luft.uci_path() is the path of the UCI program, for python-chess and others, in wheels that have it.
"""


def _version():
    return re.search(r'^__version__ = "(.*?)"', (HERE / "luft/__init__.py").read_text(encoding="utf-8"), re.M).group(1)


def _module():
    """The files of the module, by their paths where it is installed."""
    found = [path for path in sorted((HERE / "luft").iterdir()) if path.suffix in (".py", ".typed")]
    return {f"luft/{path.name}": path.read_bytes() for path in found}


def _write(folder, files):
    version = _version()
    info = f"luft_chess-{version}.dist-info"
    files[f"{info}/METADATA"] = METADATA.format(version=version).encode()
    licence = HERE.parents[1] / "LICENSE"
    if licence.is_file():
        files[f"{info}/LICENSE"] = licence.read_bytes()
    files[f"{info}/WHEEL"] = b"Wheel-Version: 1.0\nGenerator: luft\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    record = f"{info}/RECORD,,\n"
    for name, data in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        record += f"{name},sha256={digest},{len(data)}\n"
    wheel = f"luft_chess-{version}-py3-none-any.whl"
    with zipfile.ZipFile(pathlib.Path(folder, wheel), "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in [*files.items(), (f"{info}/RECORD", record.encode())]:
            archive.writestr(name, data)
    return wheel


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    return _write(wheel_directory, _module())


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    return _write(wheel_directory, {"luft.pth": f"{HERE}\n".encode()})


def install(folder, installer):
    """For packagers: the module in `folder`, with what tells pip and importlib.metadata that it is there."""
    version = _version()
    info = f"luft_chess-{version}.dist-info"
    files = {**_module(), f"{info}/METADATA": METADATA.format(version=version).encode(), f"{info}/INSTALLER": f"{installer}\n".encode()}
    for name, data in files.items():
        path = pathlib.Path(folder, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: backend.py FOLDER INSTALLER")
    install(*sys.argv[1:])
