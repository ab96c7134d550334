"""The jobs to disturb: each command of luft and luft-lab that reads or writes files, so small that it takes a fraction of a
second, and how to read its result. After any interruption the same command must give this result."""

import dataclasses
import os
import pickle
import re
import shutil

from trial import ROOT, Trial, demand, quote

DATAGEN = ("datagen", "--net", "random:8:1", "--nodes", "30", "--first-generation", "--threads", "1", "--hash", "1",
           "--plies-max", "60", "--quiet")
TRAIN = ("train", "--width", "8", "--batch", "64", "--share", "1", "--threads", "1", "--quiet")
PLAN = """generations = 2
random-width = 8
width = 8
plies = 400
nodes = 20
epochs = 2
batch = 64
match-pairs = 2
match-nodes = 20
threads = 1
"""
SUITE = """6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - bm Ra8#; id "back rank";
7k/8/8/8/8/8/8/RR4K1 w - - dm 2; id "two rooks";
r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 0 1 bm Qxf7#; id "scholar";
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - am f3; id "start";
"""
BLUNDERS = """[Event "one"]
[Result "0-1"]

1. f3 e5 2. g4 Qh4# 0-1

[Event "two"]
[Result "*"]

1. e4 e5 2. Qh5 Nc6 {a comment} 3. Bc4 $1 (3. Nc3 d6) Nf6 4. Qxf7# *
"""


def make_base(world):
    """Makes the input files of the jobs, by the programs themselves."""
    def make(folder):
        with Trial(world, 0, "base", 0) as trial:
            book = (ROOT / "books/standard.epd").read_text().splitlines(keepends=True)[:60]
            trial.path("book.epd").write_text("".join(book))
            trial.path("fens").write_text("".join(" ".join(line.split()[:4]) + " 0 1\n" for line in book[:8]))
            trial.path("suite.epd").write_text(SUITE)
            trial.path("plan").write_text(PLAN)
            trial.path("blunders.pgn").write_text(BLUNDERS)
            trial.path("typed").write_text("e4\nd4\nmoves\nsave out.pgn\n")
            shutil.copytree(ROOT / "tests/syzygy", trial.path("tb"))
            for name, games, seed in (("a", 20, 1), ("b", 30, 2)):
                trial.lab(*DATAGEN, "--out", f"{name}.games", "--games", str(games), "--seed", str(seed), expect=[0])
            trial.lab(*DATAGEN, "--out", "gold", "--games", "5", "--gold-nodes", "100", expect=[0])
            trial.lab(*TRAIN, "--out", "n.nnue", "--epochs", "1", "a.games", expect=[0])
            trial.lab("data", "export", "--out", "a.txt", "a.games", expect=[0])
            trial.lab("match", *toys(trial.programs), "-openings", "file=book.epd", "-rounds", "10", "-pgnout", "games.pgn",
                      "-maxmoves", "30", "-reproducible", "-journal", "none", "-log", "none", "-quiet", expect=[0])
            for path in trial.folder.iterdir():
                shutil.move(path, folder / path.name)
    return world.fixture("base", make)


def toys(programs, *more):
    return ("-engine", f"cmd={programs.toy}", "name=a", "-engine", f"cmd={programs.toy}", "name=b", "option.Seed=2", *more,
            "-each", "depth=1")


# --- results ---

def content(*names):
    """The bytes of these files."""
    def read(trial, result):
        found = [trial.read(name) for name in names]
        demand(None not in found, f"not all of {names} are there at the end")
        return found
    return read


def records(*names):
    """The games of these files as text; their division into blocks does not count."""
    return lambda trial, result: [trial.lab("data", "export", name, expect=[0]).out for name in names]


def printed(pattern=rb"(?s).*"):
    """The parts of standard output that match."""
    return lambda trial, result: re.findall(pattern, result.out)


def both(*readers):
    return lambda trial, result: [reader(trial, result) for reader in readers]


def shape(content):
    """The content with all numbers made one, for files with times or dates in them."""
    return content and re.sub(rb"[-\d., ]+", b"#", content)


def shaped(*names):
    """The shape of these files."""
    return lambda trial, result: [shape(text) for text in content(*names)(trial, result)]


def sorted_games(name):
    def read(trial, result):
        text = re.sub(rb'\[Round "[^"]*"\]\n', b"", trial.read(name) or b"")
        return sorted(text.split(b"[Event ")[1:])
    return read


@dataclasses.dataclass
class Job:
    name: str
    arguments: tuple                   # {toy}, {luft}, {switches} are replaced by programs
    inputs: tuple = ()                 # from make_base
    result: object = printed()
    saves: tuple = ()                  # files that grow and never lose data
    fresh: tuple = ()                  # files to remove before another run
    program: str = "lab"
    files: bool = True                 # whether it writes files
    writes: tuple = ()                 # files that are written once, as a whole
    stdin: str = None                  # the input that it reads there
    talks: bool = False                # what fails is part of a conversation, after which the status is 0

    def command(self, programs):
        words = self.arguments
        named = {"{luft}": programs.luft, "{toy}": programs.toy, "{switches}": programs.switches or ""}
        for name, path in named.items():
            words = [word.replace(name, path) for word in words]
        return [getattr(programs, self.program), *words]

    @property
    def plays(self):
        """Whether it starts engines, which time can beat."""
        return any("{" in word for word in self.arguments)

    def start(self, trial, again=False, **options):
        if again:
            for name in self.fresh:
                trial.path(name).unlink(missing_ok=True)
        with open(trial.path(self.stdin) if self.stdin else os.devnull, "rb") as stdin:
            return trial.start(self.command(trial.programs), **{"stdin": stdin, **options})

    def run(self, trial, again=False, expect=(0, 1, 2), **options):
        result = trial.finish(self.start(trial, again, **options))
        trial.check(result, expect)
        return result


# Passed as arguments, so each command ends before the next. Every line is sound: a fault ends with status 1.
UCI = ("setoption name Hash value 2", "setoption name MultiPV value 2", "isready", "position startpos moves e2e4 e7e5 g1f3",
       "go nodes 300", "d", "eval", "setoption name EvalFile value n.nnue", "ucinewgame",
       "position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1 moves e1g1", "go depth 3",
       "setoption name SyzygyPath value tb", "position fen 4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", "go nodes 100 searchmoves e6d6 e6f6",
       "setoption name Threads value 2", "go depth 2", "go perft 2", "isready")
TWO_TOYS = ("-engine", "cmd={toy}", "name=a", "-engine", "cmd={toy}", "name=b", "option.Seed=2")
MATCH = (*TWO_TOYS, "-each", "depth=1", "-openings", "file=book.epd", "order=random", "-maxmoves", "12", "-quiet", "-pgnout",
         "out.pgn")

JOBS = [
    Job("uci", UCI, ("n.nnue", "tb"), printed(rb"(?m)^bestmove|^readyok"), program="luft", files=False,
        talks=True),
    Job("analyse", ("analyse", "blunders.pgn", "--depth", "1", "--hash", "1"), ("blunders.pgn",), program="luft", files=False),
    Job("analyse-fens", ("analyse", "fens", "--depth", "1", "--hash", "1", "--ascii"), ("fens",), printed(rb"(?m)^\S+ [wb] \S+ \S+ \d+ \d+$"),
        program="luft", files=False),
    Job("analyse-svg", ("analyse", "blunders.pgn", "--depth", "1", "--hash", "1", "--svg", "out.svg"), ("blunders.pgn",),
        content("out.svg", "out-2.svg"), program="luft", writes=("out.svg", "out-2.svg")),
    Job("play", ("play", "--nodes", "20", "--ascii", "--new"), ("typed",), both(shaped("out.pgn"), printed(rb"(?m)^1\. .*")),
        fresh=("out.pgn",), program="luft", stdin="typed", talks=True),
    # The search part of the answer has times in it, so only the first fields count.
    Job("explain", ("explain", "blunders.pgn", "--nodes", "300", "--json"), ("blunders.pgn",),
        printed(rb'"fen":"[^"]*","move":\{[^}]*\},"best":\{[^}]*\}'), program="luft", files=False),
    Job("eval", ("eval",), program="luft", files=False),
    Job("perft", ("perft", "3"), result=printed(rb"\b8902\b"), program="luft", files=False),
    Job("bench", ("bench", "1"), result=printed(rb"(\d+) nodes"), program="luft", files=False),

    Job("match", ("match", *MATCH, "-rounds", "4", "-reproducible"), ("book.epd",), content("out.pgn"), ("out.pgn",)),
    Job("match-two", ("match", *MATCH, "-rounds", "6", "-concurrency", "2", "-reproducible"), ("book.epd",),
        sorted_games("out.pgn"), ("out.pgn",)),
    Job("sprt", ("sprt", *MATCH, "-rounds", "4", "-reproducible", "--bounds", "-5,0", "--results", "out.tsv"), ("book.epd",),
        both(content("out.pgn"), printed(rb"(?s)Elo.*")), ("out.pgn", "out.tsv")),
    Job("datagen", (*DATAGEN, "--out", "out.games", "--games", "30", "--flush-seconds", "1"), (), records("out.games"),
        ("out.games",)),
    Job("datagen-more", (*DATAGEN, "--out", "a.games", "--games", "40"), ("a.games",), records("a.games"), ("a.games",)),
    Job("gold", (*DATAGEN, "--out", "out.gold", "--games", "6", "--gold-nodes", "50"), (), records("out.gold")),
    Job("speed", ("benchmark", "speed", "--engine", "{luft}", "--depth", "1", "--runs", "1", "--save", "out.baseline", "--output",
                  "out.md", "--quiet"), (), shaped("out.baseline"), writes=("out.baseline", "out.md")),
    Job("relabel", ("data", "relabel", "--out", "out.games", "--net", "random:8:3", "--nodes", "10", "--threads", "1", "--hash",
                    "1", "--quiet", "a.games", "b.games"), ("a.games", "b.games"), records("out.games"), fresh=("out.games",)),
    Job("merge", ("data", "merge", "--out", "out.games", "a.games", "b.games"), ("a.games", "b.games"), records("out.games"),
        fresh=("out.games",), writes=("out.games",)),
    Job("filter", ("data", "filter", "--out", "out.games", "--result", "draw", "a.games"), ("a.games",), records("out.games"),
        fresh=("out.games",), writes=("out.games",)),
    Job("split", ("data", "split", "--out", "one.games", "--rest", "two.games", "--share", "0.5", "b.games"), ("b.games",),
        records("one.games", "two.games"), fresh=("one.games", "two.games"), writes=("one.games", "two.games")),
    Job("export", ("data", "export", "--out", "out.pgn", "--format", "pgn", "a.games"), ("a.games",), content("out.pgn"),
        fresh=("out.pgn",), writes=("out.pgn",)),
    Job("import", ("data", "import", "--out", "out.games", "a.txt"), ("a.txt",), records("out.games"), fresh=("out.games",),
        writes=("out.games",)),
    Job("salvage", ("data", "salvage", "a.games", "out.games"), ("a.games",), records("out.games"), fresh=("out.games",),
        writes=("out.games",)),
    Job("train", (*TRAIN, "--out", "out.nnue", "--epochs", "40", "a.games", "b.games"), ("a.games", "b.games"),
        content("out.nnue", "out.nnue.floats"), fresh=("out.nnue", "out.nnue.floats"), writes=("out.nnue", "out.nnue.floats")),
    Job("train-on", (*TRAIN, "--out", "out.nnue", "--epochs", "3", "--start", "n.nnue", "--max-positions", "500", "--plot",
                     "out.svg", "b.games"), ("n.nnue", "b.games"), content("out.nnue", "out.nnue.floats", "out.svg"),
        fresh=("out.nnue", "out.nnue.floats"), writes=("out.nnue", "out.nnue.floats")),
    Job("evolve", ("evolve", "plan", "--folder", "climb", "--quiet"), ("plan",),
        both(content("climb/generation-0.nnue", "climb/generation-1.nnue"),
             records("climb/generation-0.games", "climb/generation-1.games"))),
    Job("judge", ("judge", "games.pgn", *TWO_TOYS, "-each", "nodes=10", "-judge-nodes", "100", "-stretches", "8", "-quiet",
                   "-output", "out.md"), ("games.pgn",), content("out.md"), saves=("judgements.journal",), writes=("out.md",)),
    Job("tune", ("tune", "Seed", "Fault Game", "--engine", "{toy}", "--book", "book.epd", "--iterations", "6", "--plot", "none",
                 "--folder", "tuned", "--nodes", "10", "--quiet", "--results", "out.tsv"), ("book.epd",),
        content("tuned/tune.csv", "tuned/tune.params", "tuned/tune.md"), saves=("tuned/tune.journal", "out.tsv")),
    Job("tune-moves", ("tune", "Seed", "--engine", "{toy}", "--moves", "games.pgn", "--iterations", "6", "--plot", "none",
                       "--folder", "tuned", "--nodes", "10", "--judge-nodes", "100", "--quiet"), ("games.pgn",),
        content("tuned/tune.csv", "tuned/tune.params"), saves=("tuned/tune.journal",)),
    Job("ablate", ("ablate", "null_move", "futility", "--engine", "{switches}", "--book", "book.epd", "--nodes", "10", "--games",
                   "4", "--runs", "0", "--hash", "1", "--adjudicate", "--plot", "none", "--folder", "ablated", "--quiet"),
        ("book.epd",), content("ablated/ablation.csv")),
    Job("openings", ("openings", "-engine", "{toy}", "--count", "3", "--nodes", "10", "--window", "9999", "--output", "out.epd",
                     "--quiet"), (), content("out.epd"), writes=("out.epd",)),
    Job("epd", ("epd", "suite.epd", "-engine", "cmd={toy}", "name=a", "-each", "nodes=10", "-output", "out.md", "-quiet"),
        ("suite.epd",), lambda trial, result: re.findall(rb"\*\*|yes|no|back rank|[0-9]+/[0-9]+", trial.read("out.md") or b""),
        writes=("out.md",)),
    Job("duel", ("duel", "n.nnue", "random:8:2", "--pairs", "2", "--nodes", "20", "--threads", "1", "--hash", "1", "--quiet",
                 "--results", "out.tsv"), ("n.nnue",), printed(rb"\+\d+ =\d+ -\d+"), saves=("out.tsv",)),
    Job("fit", ("fit", "a.games", "b.games"), ("a.games", "b.games"), files=False),
    Job("stats", ("data", "stats", "a.games"), ("a.games",), files=False),
    Job("net-random", ("net", "random", "out.nnue", "--width", "8", "--seed", "5"), (), content("out.nnue"), fresh=("out.nnue",),
        writes=("out.nnue",)),
    Job("net-mean", ("net", "mean", "out.floats", "n.nnue.floats", "n.nnue.floats"), ("n.nnue.floats",), content("out.floats"),
        fresh=("out.floats",), writes=("out.floats",)),
    Job("net-show", ("net", "show", "n.nnue"), ("n.nnue",), files=False),
    Job("net-gold", ("net", "gold", "gold", "n.nnue", "--results", "out.tsv"), ("gold", "n.nnue"), saves=("out.tsv",)),
]
RESUMED = ("match", "match-two", "sprt", "datagen", "datagen-more", "relabel", "train", "evolve", "judge", "tune", "tune-moves",
           "ablate")


@dataclasses.dataclass
class Reference:
    """The outcome of an undisturbed run, and its numbers of calls that can be disturbed."""
    outcome: object
    allocations: int
    changes: int
    bytes: int                         # written to files
    looks: int                         # at clocks
    out: bytes                         # standard output
    written: dict                      # the contents of job.writes
    names: list                        # of all files at the end


def jobs_for(programs, names=None):
    return [job for job in JOBS if (names is None or job.name in names) and
            (programs.switches or "{switches}" not in job.arguments)]


def reference(world, job):
    """The Reference of a job; runs it on first use."""
    def make(folder):
        with Trial(world, 0, f"reference {job.name}", 0) as trial:
            trial.take(make_base(world), *job.inputs)
            fault = None if world.programs.sanitized else "count"
            result = job.run(trial, fault=fault, expect=[0], environment={"LUFT_FAULT_COUNT": str(folder / "count")})
            outcome = job.result(trial, result)
            demand(outcome and any(outcome), f"{job.name}: the undisturbed run has no result: {quote(result.out)}")
            counts = (folder / "count").read_text().split() if fault else "0000"
            written = {name: trial.read(name) for name in job.writes}
            names = [path.name for path in trial.folder.rglob("*")]
            (folder / "outcome").write_bytes(pickle.dumps(Reference(outcome, *map(int, counts), result.out, written, names)))

    name = f"reference-{job.name}"
    make_base(world)
    return pickle.loads((world.fixture(name, make) / "outcome").read_bytes())
