"""The Python module, with the library at LUFT_LIBRARY: what it answers, what it refuses, and that Ctrl-C ends its calls."""

import asyncio
import copy
import gc
import importlib.metadata
import json
import os
import pathlib
import pickle
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import typing
import unittest

import luft

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "tests/fuzz"))
import archive  # noqa: E402

FORKED = "2kr3r/ppp3pp/6q1/3Pnp2/1PP1p3/7P/P2QNPP1/R4RK1 w - - 1 17"


HANG = 60  # seconds; a call that takes longer is a failure


class ChessMove:
    """A move, and below a board, as python-chess has them."""

    def __init__(self, uci):
        self.text = uci

    def uci(self):
        return self.text


class ChessBoard:
    def __init__(self, fen, moves=(), chess960=False, variant="chess"):
        self.start, self.move_stack, self.chess960, self.uci_variant = fen, [ChessMove(move) for move in moves], chess960, variant

    def root(self):
        return ChessBoard(self.start)

    def fen(self):
        return self.start


def counting(test):
    """Counts the engines that are freed while `test` runs."""
    def counted(self):
        library, freed = luft._native.library, []
        destroy = library.luft_destroy
        library.luft_destroy = lambda engine: (freed.append(engine), destroy(engine))[1]
        try:
            test(self, freed)
        finally:
            library.luft_destroy = destroy
    return counted


class Reading(unittest.TestCase):
    def test_the_corpus_is_read_as_by_the_programs(self):
        """See tests/e2e/test_reading.py. Only the library reads the moves of variations, and reports those it cannot."""
        with tempfile.TemporaryDirectory() as folder, luft.Engine({"Hash": 1}) as engine:
            archive.unpack((ROOT / "tests/e2e/support/reading.tar").read_bytes(), folder)
            cases = json.loads(pathlib.Path(folder, "expected.json").read_text(encoding="utf-8"))
            for name, expected in cases.items():
                with self.subTest(name):
                    self.check(engine, pathlib.Path(folder, name).read_bytes(), expected)

    def check(self, engine, data, expected):
        if "refused" in expected:
            try:
                self.assertEqual(engine.read(data)["games"], [])
            except luft.LuftError as error:
                self.assertIn(expected["refused"], str(error))
            return
        read = engine.read(data)
        games = [[" ".join(move["uci"] for move in game["line"]), game["result"]] for game in read["games"]]
        if "games" in expected:
            self.assertEqual(games, expected["games"])
        else:
            self.assertEqual([game["fen"] for game in read["games"]], expected["positions"])
        problems = [line for game in read["games"] for line in game["problems"]] + read["problems"]
        problems = [line for line in problems if "variation cannot be read to its end" not in line]
        self.assertEqual(len(problems), len(expected["problems"]), problems)
        for line, part in zip(problems, expected["problems"]):
            self.assertIn(part, line)


class Answers(unittest.TestCase):
    def setUp(self):
        self.engine = luft.Engine({"Hash": 4})
        self.addCleanup(self.engine.close)

    def test_positions_and_moves(self):
        self.assertEqual(len(self.engine.legal_moves()), 20)
        self.assertEqual((self.engine.san("g1f3"), self.engine.move_from_san("Nf3")), ("Nf3", "g1f3"))
        self.assertEqual(self.engine.san(["g1f3", "d7d5", "Nd4"]), "Nf3 d5 Nd4")
        with self.assertRaisesRegex(TypeError, "the move needs a text or a list, not 5"):
            self.engine.san(5)
        with self.assertRaisesRegex(TypeError, "whole number, not True"):
            self.engine.play(depth=True)
        self.engine.position(moves=["e2e4", "e7e5"])
        self.assertIn("4p3", self.engine.fen)
        self.assertIsInstance(self.engine.evaluate(), int)
        self.assertEqual(self.engine.play(depth=1, search_moves=["Nf3"]), "g1f3")
        self.engine.position(moves="e4 e5")
        self.assertIn("4p3", self.engine.fen)
        for moves in ("e2e5", "e4 Ke3"):
            with self.assertRaisesRegex(luft.LuftError, moves[-3:]):
                self.engine.position(moves=moves)
        self.assertTrue(issubclass(luft.LuftError, ValueError))

    def test_searches_and_verdicts(self):
        self.engine.position(moves="f2f3 e7e5")
        line = list(self.engine.analyse(depth=6))[-1]
        self.assertEqual((line.depth, line.line[0], line.score.bound), (6, self.engine.best, "exact"))
        before = line.score
        self.assertAlmostEqual(before.win + before.draw + before.loss, 1)
        verdict = luft.judge(before, luft.CHECKMATED)
        self.assertEqual((verdict.nag, verdict.loss, verdict.after), (0, 0, 1))
        self.assertAlmostEqual(verdict.before, before.win + before.draw / 2, places=2)
        self.engine.position(moves="f2f3 e7e5 g2g4")
        after = list(self.engine.analyse(depth=6))[-1].score
        self.assertEqual((after.mate, after.centipawns, str(after)), (1, None, "#1"))
        self.assertEqual(luft.judge(before, after).nag, 4)
        self.assertEqual(luft.judge(luft.Score(centipawns=0, draw=1), luft.DRAWN).loss, 0)
        self.assertEqual(luft.accuracy([]), 100)
        self.assertLess(luft.accuracy([luft.judge(before, after).loss]), 50)
        self.assertEqual(luft.judge(line, after), luft.judge(before, after))
        self.assertEqual(luft.judge(before, before, second=luft.CHECKMATED, best=True, hidden=True).nag, 1)
        self.assertEqual(self.engine.play(depth=6), "d8h4")

    def test_lines_come_while_the_search_goes_on(self):
        lines = self.engine.analyse()
        first = next(lines)
        self.assertIsInstance(first.time, float)
        self.assertLess(first.time, HANG)
        with self.assertRaisesRegex(luft.LuftError, "a search is running"):
            self.engine.position(moves="e2e4")
        with self.assertRaisesRegex(luft.LuftError, "a search is running"):
            self.engine.play(depth=1)
        self.assertEqual(len(self.engine.legal_moves()), 20)
        del lines
        self.assertNotEqual(self.engine.best, "")
        for info in self.engine.analyse():
            if info.depth == 3:
                break
        self.engine.position(moves="e2e4")
        stopped = self.engine.analyse()
        next(stopped)
        self.engine.stop()
        luft._native.library.luft_wait(self.engine._engine)
        self.assertNotEqual(self.engine.play(depth=2), "")
        self.assertTrue(all(info.nodes > 0 for info in stopped))  # its lines are still there, and it ends

    def test_times_are_seconds(self):
        for limits in ({"time": 0.02}, {"time": 1e-9}, {"white_clock": 0.05, "black_clock": 0.05, "white_increment": 0.01}):
            start = time.monotonic()
            self.assertNotEqual(self.engine.play(**limits), "")
            self.assertLess(time.monotonic() - start, HANG)

    def test_moves_are_made_and_taken_back(self):
        for move in ("e2e4", "e5", ChessMove("g1f3")):
            self.engine.make_move(move)
        self.engine.take_back()
        self.assertEqual((self.engine.fen.split()[3:], self.engine.game_end()), (["-", "0", "2"], None))
        self.engine.position("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")
        self.assertEqual((self.engine.game_end(), self.engine.in_check(), self.engine.play(depth=1)), ("stalemate", False, ""))

    def test_boards_and_moves_of_python_chess(self):
        self.engine.position(board=ChessBoard("4k3/8/8/8/8/8/8/4K2R w K - 0 1", ["e1g1", "e8e7"]))
        self.assertTrue(self.engine.fen.startswith("8/4k3/8/8/8/8/8/5RK1 w"))
        self.assertEqual(self.engine.san(ChessMove("g1g2")), "Kg2")
        self.assertEqual(self.engine.play(depth=2, search_moves=[ChessMove("g1h1"), "g1h1"]), "g1h1")
        self.engine.position(board=ChessBoard("4k3/8/8/8/8/8/8/4K2R w K - 0 1", ["e1h1"], chess960=True))
        self.assertTrue(self.engine.fen.startswith("4k3/8/8/8/8/8/8/5RK1 b"))
        with self.assertRaisesRegex(luft.LuftError, "atomic"):
            self.engine.position(board=ChessBoard("", variant="atomic"))
        with self.assertRaisesRegex(TypeError, "both"):
            self.engine.position(FORKED, board=ChessBoard(FORKED))

    def test_options_are_objects(self):
        options = {option.name: option for option in luft.options()}
        self.assertEqual((options["Hash"].type, options["Hash"].low, options["Hash"].standard), ("number", 1, "16"))
        self.assertEqual((options["Ponder"].type, options["Ponder"].low), ("flag", None))
        self.assertEqual(options["Clear Hash"].type, "button")

    def test_techniques_have_summaries(self):
        self.assertEqual(self.engine.techniques(), luft.techniques())
        self.engine.set_language("de")
        self.assertNotEqual(self.engine.techniques(), luft.techniques())

    def test_games_and_positions_are_read(self):
        for text in ('[White "Gießen"]\n\n1. e4 (1. d4) e5 *', '[White "Gießen"]\n\n1. e4 (1. d4) e5 *'.encode("latin-1")):
            [game] = self.engine.read(text)["games"]
            self.assertEqual(game["tags"], [["White", "Gießen"]])
            self.assertEqual([move["san"] for move in game["line"]], ["e4", "e5"])
            self.assertEqual(game["line"][0]["variations"][0]["line"][0]["uci"], "d2d4")
        self.assertEqual(self.engine.read(FORKED + "\n" + FORKED, most=1)["games"][0]["fen"], FORKED)
        self.assertEqual(self.engine.read("good morning")["games"], [])

    def test_explanations(self):
        self.engine.position(FORKED)
        self.assertEqual(self.engine.explain("Qd4", nodes=20000)["move"]["uci"], "d2d4")
        self.assertEqual(len(self.engine.tree(4, ["null_move"], 40)["trees"]), 2)
        self.assertEqual(self.engine.without(["null_move"], depth=4)["depth"], 4)

    def test_answers_are_as_their_types_say(self):
        engine, answers = self.engine, luft.answers
        for fen, move in ((FORKED, "Qd4"), (FORKED, "Qe3"), ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "Ra8"),
                          ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "Kf1"), ("", "e4"), ("7k/8/8/8/8/8/5qr1/7K b - - 0 1", "Qe3")):
            engine.position(fen)
            self.assert_fits(engine.explain(move, nodes=5000), answers.Explanation, f"explain {move}")
            self.assert_fits(engine.explain(nodes=5000), answers.Overview, f"explain {fen}")
        self.assert_fits(engine.tree(5, ["null_move", "futility_margin=60"], 200), answers.Trees, "tree")
        self.assert_fits(engine.without(["null_move"], depth=4), answers.Finding, "without")
        self.assert_fits(engine.read('[White "A"]\n\n1. e4 $1 {x} (1. d4 d5) e5 2. Ke3 *'), answers.ReadText, "read")

    def assert_fits(self, value, kind, place):
        """That a value has the type of an annotation: all fields that must be there, and no other."""
        origin, inner = typing.get_origin(kind), typing.get_args(kind)
        if typing.is_typeddict(kind):
            hints = typing.get_type_hints(kind, localns={"NotRequired": typing.NotRequired}, include_extras=True)
            optional = {name for name, hint in hints.items() if typing.get_origin(hint) is typing.NotRequired or name == "pass"}
            self.assertIsInstance(value, dict, place)
            self.assertLessEqual(value.keys(), hints.keys(), place)
            self.assertLessEqual(hints.keys() - optional, value.keys(), place)
            for name, field in value.items():
                hint = hints[name]
                self.assert_fits(field, typing.get_args(hint)[0] if typing.get_origin(hint) is typing.NotRequired else hint, f"{place}.{name}")
        elif origin is list:
            self.assertIsInstance(value, list, place)
            for item in value:
                self.assert_fits(item, inner[0], f"{place}[]")
        elif origin is dict:
            for item in value.values():
                self.assert_fits(item, inner[1], f"{place}{{}}")
        elif origin is typing.Literal:
            self.assertIn(value, inner, place)
        elif origin is typing.Union:
            self.assertTrue(any(self.fits(value, option, place) for option in inner), f"{place}: {value}")
        else:
            self.assertIsInstance(value, (int, float) if kind is float else kind, place)
            self.assertEqual(isinstance(value, bool), kind is bool, place)

    def fits(self, value, kind, place):
        try:
            self.assert_fits(value, kind, place)
        except self.failureException:
            return False
        return True


class Versions(unittest.TestCase):
    def test_the_module_and_the_library_have_one(self):
        self.assertEqual(luft.__version__, luft.version().replace("-dev", ".dev0"))

    def test_packagers_install_it_so_that_tools_find_it(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([sys.executable, ROOT / "bindings/python/backend.py", folder, "tester"], check=True, timeout=HANG)
            [found] = importlib.metadata.distributions(path=[folder])
            self.assertEqual((found.metadata["Name"], found.version, found.read_text("INSTALLER")),
                             ("luft-chess", luft.__version__, "tester\n"))
            self.assertEqual(sorted(os.listdir(pathlib.Path(folder, "luft"))),
                             sorted(path.name for path in (ROOT / "bindings/python/luft").iterdir() if path.suffix))


@unittest.skipIf(shutil.which("mypy") is None, "mypy is not installed")
class Types(unittest.TestCase):
    PROGRAM = """import luft
with luft.Engine({"Hash": 1}) as engine:
    reveal_type(engine.explain("e4")["merit"])
    reveal_type(engine.explain(nodes=5)["best"]["line"][0]["san"])
    reveal_type(engine.tree(3)["trees"][0]["root"]["children"])
    reveal_type(engine.without([], depth=3)["wdl"])
    reveal_type(luft.judge(luft.DRAWN, luft.DRAWN).before)
    reveal_type(next(engine.analyse(depth=3)).score.mate)
"""
    SHOWN = ("answers.Merit", '"builtins.str"', "answers.TreeNode", "builtins.list[builtins.int]", '"builtins.float"', "builtins.int")

    WRONG = """import luft
async def wrong(engine: luft.Engine, other: luft.AsyncEngine) -> None:
    engine.play(dpth=3)
    engine.analyse(depth="3")
    other.analyse(search_moves=3)
    await other.play(time=None)
def right(engine: luft.Engine, limits: luft.Limits) -> None:
    engine.play(**limits)
    engine.analyse(time=1, search_moves=["e4", "d4"])
"""

    def mypy(self, folder, *arguments):
        """The oldest mypy for which this is meant is Debian 12's, 1.0.1."""
        return subprocess.run(["mypy", "--strict", "--cache-dir", folder, *arguments], cwd=ROOT / "bindings/python",
                              capture_output=True, text=True, timeout=HANG)

    def test_wrong_limits_are_found(self):
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder, "program.py")
            program.write_text(self.WRONG)
            done = self.mypy(folder, program)
            lines = [int(line.split(":")[1]) for line in done.stdout.splitlines() if ": error:" in line]
            self.assertEqual(lines, [3, 4, 5, 6], done.stdout + done.stderr)

    def test_they_are_strict(self):
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder, "program.py")
            program.write_text(self.PROGRAM)
            done = self.mypy(folder, "luft", program)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            notes = [line for line in done.stdout.splitlines() if "Revealed type" in line]
            for note, shown in zip(notes, self.SHOWN, strict=True):
                self.assertIn(shown, note)


class Refusals(unittest.TestCase):
    def setUp(self):
        self.engine = luft.Engine({"Hash": 4})
        self.addCleanup(self.engine.close)

    def test_the_words_of_mistakes(self):
        with self.assertRaisesRegex(TypeError, "in a dictionary"):
            luft.Engine(hash=16)
        with self.assertRaisesRegex(luft.LuftError, "depth must be from 1 to 239, not 400"):
            self.engine.tree(400)
        closed = luft.Engine({"Hash": 1})
        closed.close()
        with self.assertRaisesRegex(luft.LuftError, "closed"), closed:
            pass

    def test_unknown_words_are_type_errors(self):
        for word in ("dept", "move_time", "movetime", "__class__", "in_slices"):
            for call in (self.engine.play, self.engine.analyse):
                with self.assertRaisesRegex(TypeError, word):
                    call(**{word: 1})
        with self.assertRaises(TypeError):
            self.engine.explain("e4", node=1)

    def test_a_search_without_a_limit(self):
        for limits in ({}, {"depth": 0}, {"moves_to_go": 10}, {"ponder": 1}, {"white_clock": None}):
            with self.assertRaisesRegex(luft.LuftError, "limit"):
                self.engine.play(**limits)

    def test_numbers_name_their_argument(self):
        engine = self.engine
        for name, wrong, call in (
                ("depth", 1.5, lambda: engine.play(depth=1.5)), ("depth", "5", lambda: engine.play(depth="5")),
                ("nodes", None, lambda: engine.play(nodes=None)), ("rows", 1.0, lambda: engine.tree(3, rows=1.0)),
                ("time", "1", lambda: engine.analyse(time="1")), ("Hash", 1.5, lambda: engine.set_option("Hash", 1.5)),
                ("depth", float("nan"), lambda: luft.bench(float("nan"))), ("board", 5, lambda: engine.position(board=5)),
                ("board", None, lambda: engine.position(board=None)),
                ("moves", 5, lambda: engine.position(moves=5)), ("search_moves", 5, lambda: engine.play(search_moves=5))):
            with self.assertRaisesRegex(TypeError, name, msg=repr(wrong)):
                call()
        for name, call in (
                ("depth", lambda: engine.play(depth=-1)), ("depth", lambda: engine.play(depth=2 ** 32 + 5)),
                ("nodes", lambda: engine.play(nodes=-1)), ("time", lambda: engine.play(time=-1)),
                ("time", lambda: engine.play(time=float("nan"))), ("white_clock", lambda: engine.play(white_clock=2 ** 63)),
                ("nodes", lambda: engine.explain("e4", nodes=-1)),
                ("rows", lambda: engine.tree(3, rows=-1)), ("depth", lambda: engine.without([], depth=2 ** 31)),
                ("depth", lambda: luft.bench(0))):
            with self.assertRaisesRegex(luft.LuftError, name):
                call()
        self.assertNotEqual(engine.play(white_clock=-5, black_clock=1000), "")
        for clocks in ({"white_clock": 0, "black_clock": 10 ** 8}, {"white_clock": 0, "black_clock": 0}, {"black_clock": 10 ** 8}):
            self.assertNotEqual(engine.play(**clocks), "")

    def test_verdicts_need_scores_and_numbers(self):
        self.assertRaisesRegex(TypeError, "scores", luft.judge, luft.DRAWN, 3)
        self.assertRaisesRegex(luft.LuftError, "after needs win", luft.judge, luft.DRAWN, luft.Score(centipawns=30))
        self.assertRaisesRegex(luft.LuftError, "losses", luft.accuracy, [0.5, float("nan")])

    def test_options_networks_and_texts(self):
        with self.assertRaisesRegex(luft.LuftError, "Skil Levle"):
            self.engine.set_option("Skil Levle", 3)
        with self.assertRaisesRegex(luft.LuftError, "Hsah"):
            luft.Engine({"Hsah": 4})
        with self.assertRaisesRegex(luft.LuftError, "not a network"):
            self.engine.load_network(b"x")
        for call in (lambda: self.engine.set_option("Hash\0", 4), lambda: self.engine.position("8/8\0"),
                     lambda: self.engine.explain("e4\0")):
            with self.assertRaisesRegex(luft.LuftError, "zero"):
                call()

    def test_a_copied_or_forked_engine(self):
        for call in (copy.copy, copy.deepcopy, pickle.dumps):
            with self.assertRaisesRegex(TypeError, "copied"):
                call(self.engine)
        child = os.fork()
        if child == 0:
            try:
                self.engine.play(depth=1)
            except luft.LuftError as error:
                os._exit("fork" not in str(error))
            os._exit(2)
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        self.assertNotEqual(self.engine.play(depth=1), "")

    def test_a_missing_library(self):
        for path in ("/nowhere/libluft.so", __file__):
            env = dict(os.environ, LUFT_LIBRARY=path, PYTHONPATH=os.pathsep.join(sys.path))
            shown = subprocess.run([sys.executable, "-c", "import luft"], env=env, capture_output=True, text=True, timeout=HANG)
            for part in (f"ImportError: LUFT_LIBRARY={path}", "make lib"):
                self.assertIn(part, shown.stderr)

    def test_a_closed_engine(self):
        self.engine.close()
        for call in (lambda: self.engine.fen, lambda: self.engine.play(depth=1), self.engine.take_back,
                     self.engine.position, lambda: self.engine.explain("e4")):
            with self.assertRaisesRegex(luft.LuftError, "closed"):
                call()

    @counting
    def test_an_engine_with_a_bad_option_is_freed(self, freed):
        with self.assertRaises(luft.LuftError):
            luft.Engine({"Hash": "x"})
        self.assertEqual(len(freed), 1)

    @counting
    def test_a_forgotten_engine_is_freed(self, freed):
        luft.Engine().play(depth=1)
        gc.collect()
        self.assertEqual(len(freed), 1)


class Interrupts(unittest.TestCase):
    """A signal ends each call that searches, and the engine can be used afterwards."""

    def interrupted(self, call):
        def interrupt():
            while not ended.wait(0.1):  # what is not yet waiting for a signal is not hurt by one
                os.kill(os.getpid(), signal.SIGINT)
        ended = threading.Event()
        thread = threading.Thread(target=interrupt)
        previous = signal.signal(signal.SIGINT, self.end_once)
        self.is_over = False
        thread.start()
        try:
            with self.assertRaises(KeyboardInterrupt):
                call()
        finally:
            ended.set()
            thread.join()
            signal.signal(signal.SIGINT, previous)

    def end_once(self, *_):
        if not self.is_over:
            self.is_over = True
            raise KeyboardInterrupt

    def test_interrupts(self):
        with luft.Engine({"Hash": 4}) as engine:
            engine.position(FORKED)
            for call in (lambda: engine.play(time=10 ** 6), lambda: list(engine.analyse()),
                         lambda: engine.play(depth=1, ponder=1), lambda: engine.explain("Qd4", nodes=10 ** 15),
                         lambda: engine.tree(60), lambda: engine.without([], nodes=10 ** 15)):
                self.interrupted(call)
                self.assertNotEqual(engine.play(depth=3), "")

    def test_interrupts_the_bench(self):
        """Nothing ends it, but nobody has to wait for it."""
        self.interrupted(lambda: luft.bench(14))

    def test_ponderhit_and_stop_from_another_thread(self):
        with luft.Engine({"Hash": 4}) as engine:
            for end in (engine.ponderhit, engine.stop):
                found = []
                thread = threading.Thread(target=lambda: found.append(engine.play(depth=1, ponder=1)))
                thread.start()
                while thread.is_alive():
                    end()
                    time.sleep(0.02)
                self.assertNotEqual(found, [""])


class Async(unittest.TestCase):
    def run_with_engine(self, test):
        async def run():
            async with luft.AsyncEngine({"Hash": 4}) as engine:
                await asyncio.wait_for(test(engine), HANG)
        asyncio.run(run())

    def test_searches(self):
        async def test(engine):
            engine.position(moves="f2f3 e7e5 g2g4")
            self.assertEqual(await engine.play(depth=6), "d8h4")
            async for info in engine.analyse():
                if info.score.mate == 1:
                    break
            self.assertEqual(engine.best, "d8h4")
            lines = [info async for info in engine.analyse(depth=3)]
            self.assertEqual(lines[-1].depth, 3)
            self.assertEqual((await engine.explain("Nc6", nodes=2000))["move"]["uci"], "b8c6")
            self.assertEqual(len((await engine.read("1. e4 *"))["games"]), 1)
        self.run_with_engine(test)

    def test_several_engines_and_the_loop_run_at_once(self):
        async def test(engine):
            async with luft.AsyncEngine({"Hash": 1}) as other:
                lines = engine.analyse()
                await lines.__anext__()
                self.assertNotEqual(await other.play(depth=4), "")
                with self.assertRaisesRegex(luft.LuftError, "a search is running"):
                    await engine.play(depth=1)
                await lines.aclose()
                found = await asyncio.gather(engine.play(nodes=2000), other.play(nodes=2000))
                self.assertNotIn("", found)
        self.run_with_engine(test)

    def test_what_is_cancelled_ends(self):
        async def test(engine):
            for start in (lambda: engine.play(time=10 ** 6), lambda: engine.play(depth=1, ponder=True),
                          lambda: engine.explain("e4", nodes=10 ** 15), lambda: engine.tree(60)):
                task = asyncio.create_task(start())
                await asyncio.sleep(0.05)
                task.cancel()
                with self.assertRaises(asyncio.CancelledError):
                    await task
                self.assertNotEqual(await engine.play(depth=2), "")
        self.run_with_engine(test)


class Mistakes(unittest.TestCase):
    def test_what_was_wrong_is_named(self):
        with luft.Engine({"Hash": 1}) as engine:
            for call, wanted in ((lambda: engine.read(3), "text needs"), (lambda: luft.accuracy(["a"]), "losses needs"),
                                 (lambda: luft.Engine(["Hash"]), "options needs"), (lambda: engine.tree(1, 3), "without needs")):
                with self.assertRaisesRegex(TypeError, wanted):
                    call()
            with self.assertRaisesRegex(luft.LuftError, "from 0 to 1"):
                luft.accuracy([5])
            self.assertEqual(engine.without("null_move", nodes=100).keys(), engine.without(["null_move"], nodes=100).keys())
            games = engine.read("1. e4 *\n\n" * 50)
            self.assertEqual((len(games["games"]), games["lost"]), (50, 0))
            self.assertEqual(engine.read("")["games"], [])

    @unittest.skipUnless(hasattr(os, "fork"), "no fork")
    def test_a_child_cannot_read_the_lines_of_its_parent(self):
        with luft.Engine({"Hash": 1}) as engine:
            lines = engine.analyse()
            next(lines)
            child = os.fork()
            if child == 0:
                try:
                    for _ in lines:
                        pass
                except luft.LuftError as error:
                    os._exit(0 if "fork" in str(error) else 1)
                os._exit(2)
            self.assertEqual(os.waitpid(child, 0)[1], 0)
            lines.close()

    def test_an_engine_is_steered_while_it_is_closed(self):
        engine, over = luft.Engine({"Hash": 1}), threading.Event()

        def steer():
            while not over.is_set():
                try:
                    engine.stop()
                except luft.LuftError:
                    pass  # it is closed
        thread = threading.Thread(target=steer)
        thread.start()
        try:
            for _ in range(30):
                next(engine.analyse())
                engine.close()
                engine.close()  # to end it again works
                engine = luft.Engine({"Hash": 1})
        finally:
            over.set()
            thread.join()
            engine.close()

    def test_a_store_that_cannot_be_used_is_reported(self):
        with self.assertRaisesRegex(luft.LuftError, "option StoreFile: there is no folder '/nonexistent/'"):
            luft.Engine({"Hash": 1, "StoreFile": "/nonexistent/a.store", "StoreMode": "write"})
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "a.store")
            with luft.Engine({"Hash": 1, "StoreFile": str(path), "StoreMode": "write"}) as engine:
                path.write_text("no store any more")
                with self.assertWarnsRegex(RuntimeWarning, "store"):
                    self.assertTrue(engine.play(depth=2))


class Sequences(unittest.TestCase):
    """Random calls with right and wrong arguments against the table of docs/library.md, while another thread steers: LUFT_SEQUENCES
    of 20 calls each, from LUFT_SEED."""
    WRONG = (None, -1, 0.5, float("nan"), "x\0", "\ud800", "e2e5", b"\xff", [], {}, 2 ** 70, object())
    CHANGES = {"set_option": ["Hash", 1], "set_language": ["de"], "position": ["", "e2e4"], "make_move": ["e4"], "take_back": [],
               "new_game": [], "explain": ["", 50], "tree": [1], "without": [["null_move"], 50], "load_network": [b"x"]}
    QUESTIONS = {"san": ["e2e4"], "move_from_san": ["Nf3"], "evaluate": [], "read": ["1. e4 *", 1], "legal_moves": [], "fen": []}
    STEERS = {"stop": [], "ponderhit": []}
    SEARCHES = ("play", "analyse")

    def call(self, engine, name, dice):
        if name in self.SEARCHES:
            limit = {dice.choice(["depth", "nodes", "time", "depht"]): dice.choice([2, 1, *self.WRONG])}
            if name == "play":
                return engine.play(**limit)
            lines = engine.analyse(**limit)
            next(lines, None)
            self.lines = dice.choice([lines, None])  # a search that goes on, or has been left
            return None
        if name == "fen":
            return engine.fen
        right = {**self.CHANGES, **self.QUESTIONS, **self.STEERS}.get(name, [])
        return getattr(engine, name)(*(dice.choice(self.WRONG) if dice.random() < 0.25 else value for value in right))

    def check(self, name, fault, is_closed):
        """A search may have ended by itself."""
        if fault == "the engine is closed":
            self.assertTrue(is_closed, name)
        if fault == "a search is running":
            self.assertTrue(self.lines is not None and (name in self.CHANGES or name in self.SEARCHES), name)
        self.assertNotIn(fault, ("another call is running", "a callback of the engine cannot make this call"), name)

    def test_every_call_answers_or_is_refused(self):
        seed, count = os.environ.get("LUFT_SEED", "1"), int(os.environ.get("LUFT_SEQUENCES", "20"))
        names = [*self.CHANGES, *self.QUESTIONS, *self.STEERS, *self.SEARCHES, "close"]
        dice, engine, over, longest = random.Random(seed), luft.Engine({"Hash": 1}), threading.Event(), 0
        self.lines, is_closed = None, False

        def steer():
            while not over.wait(0.01):
                try:
                    engine.stop()
                except luft.LuftError:
                    pass  # it is closed
        thread = threading.Thread(target=steer)
        thread.start()
        try:
            for _ in range(20 * count):
                if is_closed and dice.random() < 0.25:
                    self.lines, engine, is_closed = None, luft.Engine({"Hash": 1}), False
                name, start, used = dice.choice(names), time.monotonic(), time.thread_time()
                if name == "close" and dice.random() < 0.9:
                    continue  # to make an engine costs more than a sequence
                try:
                    self.call(engine, name, dice)
                except luft.LuftError as error:
                    self.check(name, str(error), is_closed)
                except (TypeError, ValueError, OverflowError):
                    pass
                else:
                    self.assertFalse(is_closed and name != "close", f"{name} works after close")
                self.assertLess(time.thread_time() - used, 1)
                longest = max(longest, time.monotonic() - start)
                is_closed = is_closed or name == "close"
        finally:
            over.set()
            thread.join()
            engine.close()
        if "LUFT_SEQUENCES" in os.environ:
            print(f"{count} sequences, seed {seed}; the longest call took {1000 * longest:.0f} ms")


if __name__ == "__main__":
    unittest.main()
