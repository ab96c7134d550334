"""The archives of fuzz inputs: packing reverses unpacking byte for byte, and unpacking writes nowhere else."""

import io
import os
import pathlib
import sys
import tarfile
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "tests/fuzz"))
import archive  # noqa: E402


class Corpus(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def test_each_fuzzer_has_an_archive_and_each_archive_a_fuzzer(self):
        self.assertEqual([path.stem for path in sorted(archive.CORPUS.glob("*"))],
                         [path.stem[len("fuzz_"):] for path in sorted((ROOT / "tests/fuzz").glob("fuzz_*.c"))])

    def test_packing_what_was_unpacked_gives_the_same_bytes(self):
        for path in sorted(archive.CORPUS.glob("*.tar")):
            inputs = archive.unpack_corpus(path.stem, self.folder / path.stem)
            self.assertGreater(len(inputs), 5, path)
            os.utime(inputs[0], (1, 1))
            self.assertTrue(archive.pack(self.folder / path.stem) == path.read_bytes(), f"{path} was not made by archive.py")

    def test_any_bytes_and_an_empty_input_survive(self):
        inputs = {"all": bytes(range(256)) * 9, "empty": b"", "zeros": bytes(512)}
        source = self.folder / "source"
        source.mkdir()
        for name, content in inputs.items():
            (source / name).write_bytes(content)
        unpacked = archive.unpack(archive.pack(source), self.folder / "target")
        self.assertEqual({path.name: path.read_bytes() for path in unpacked}, inputs)

    def test_a_name_that_leads_elsewhere_is_refused(self):
        for name in ("../elsewhere", "/elsewhere", "folder/file", ".."):
            content = io.BytesIO()
            with tarfile.open(fileobj=content, mode="w") as file:
                file.addfile(tarfile.TarInfo(name))
            with self.assertRaises(ValueError, msg=name):
                archive.unpack(content.getvalue(), self.folder / "target")
        self.assertEqual(list(self.folder.rglob("elsewhere")), [])


if __name__ == "__main__":
    unittest.main()
