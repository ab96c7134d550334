"""The files for an OpenBench server (Engines/*.json): complete, correct, and `make` builds each engine as they promise.

There is no server in the test: these are its rules as in docs/openbench.md. Standard library only.
"""

import json
import os
import pathlib
import shlex
import subprocess
import unittest

from patience import HANG

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
KINDS = {  # the fields that each kind of preset needs, in the preset or in "default"
    "test_presets": {"base_branch", "book_name", "test_bounds", "test_confidence", "both_options", "both_time_control", "win_adj",
                     "draw_adj", "workload_size"},
    "tune_presets": {"book_name", "dev_options", "dev_time_control", "win_adj", "draw_adj"},
    "datagen_presets": {"both_options", "both_time_control", "win_adj", "draw_adj", "workload_size"},
}


class Engines(unittest.TestCase):
    def setUp(self):
        self.engines = {path.stem: json.loads(path.read_text()) for path in sorted((ROOT / "Engines").glob("*.json"))}

    def test_both_exist_and_the_document_names_them(self):
        document = (ROOT / "docs/openbench.md").read_text()
        self.assertEqual(sorted(self.engines), ["Luft", "LuftLab"])
        for name in self.engines:
            self.assertIn(f"`{name}`", document)
            self.assertIn(f"Engines/{name}.json", document)

    def test_any_processor_will_do(self):
        for name, engine in self.engines.items():
            with self.subTest(name):
                self.assertEqual((engine["private"], engine["build"]["cpuflags"], engine["build"]["systems"]), (False, [], ["Linux"]))
                self.assertEqual(engine["build"]["compilers"], ["gcc", "clang"])
                self.assertGreater(engine["nps"], 0)

    def test_presets_are_complete(self):
        for name, engine in self.engines.items():
            for kind, needed in KINDS.items():
                base = engine[kind]["default"]
                for preset, words in engine[kind].items():
                    # If "default" is the only preset of a kind, it must have all fields.
                    if preset == "default" and len(engine[kind]) > 1:
                        continue
                    with self.subTest(f"{name}, {kind}, {preset}"):
                        self.assertEqual(needed - set(base) - set(words), set())
                        options = next(value for key, value in {**base, **words}.items() if key.endswith("_options"))
                        self.assertLessEqual({"Threads", "Hash"}, {word.split("=")[0] for word in shlex.split(options)})

    def test_only_the_laboratory_has_its_options(self):
        """Tuning with a build without these options would silently change nothing."""
        env = {key: value for key, value in os.environ.items() if not key.startswith("MAKE") and key != "MFLAGS"}
        for name, lab in (("Luft", False), ("LuftLab", True)):
            folder = ROOT / self.engines[name]["build"]["path"]
            self.assertTrue((folder / "Makefile").is_file())
            command = ["make", "-n", "-B", "-C", folder, "EXE=/nowhere/Luft-1234", "CC=gcc"]
            result = subprocess.run(command, capture_output=True, text=True, env=env, timeout=HANG)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertEqual("-DLUFT_LAB" in result.stdout, lab, name)
            self.assertIn("/nowhere/Luft-1234", result.stdout)


if __name__ == "__main__":
    unittest.main()
