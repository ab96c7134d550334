#!/usr/bin/env python3
"""The kept inputs of a fuzzer are one archive, tests/fuzz/corpus/NAME.tar, whose bytes depend on nothing but the inputs.

    tests/fuzz/archive.py unpack NAME FOLDER    writes each input into a file of FOLDER
    tests/fuzz/archive.py pack NAME FOLDER      makes the archive of the files of FOLDER
"""

import io
import pathlib
import sys
import tarfile

CORPUS = pathlib.Path(__file__).resolve().parent / "corpus"


def pack(folder):
    """The bytes of an archive of all files of a folder: by name, without dates and owners."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for path in sorted(pathlib.Path(folder).iterdir()):
            content = path.read_bytes()
            member = tarfile.TarInfo(path.name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return out.getvalue()


def unpack(content, folder):
    """Writes the files of an archive into a folder, which is made. Returns their paths, by name."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    with tarfile.open(fileobj=io.BytesIO(content)) as archive:
        for member in archive:
            if not member.isfile() or "/" in member.name or member.name == "..":
                raise ValueError(f"'{member.name}' is not the name of a file")
            (folder / member.name).write_bytes(archive.extractfile(member).read())
    return sorted(folder.iterdir())


def unpack_corpus(name, folder):
    return unpack((CORPUS / f"{name}.tar").read_bytes(), folder)


def main():
    if len(sys.argv) != 4 or sys.argv[1] not in ("pack", "unpack"):
        sys.exit(__doc__)
    what, name, folder = sys.argv[1:]
    if what == "pack":
        (CORPUS / f"{name}.tar").write_bytes(pack(folder))
    else:
        unpack_corpus(name, folder)


if __name__ == "__main__":
    main()
