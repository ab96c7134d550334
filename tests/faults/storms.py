"""Unusual and wrong input: lines, positions, arguments and faulty engines, many in one process."""

import re
import subprocess
import time

import hostile
from conversation import START, Conversation, after, demand_legal, games, positions, rules
from jobs import JOBS, make_base, reference
from trial import demand, quote

MINIMUM = 200
SHARE = 2.5   # these trials are cheap
WEIGHTS = {"conversation": 6, "positions": 6, "junk": 6, "words": 6, "lab": 1, "luft": 6}


def kinds(world):
    found = {"conversation": conversation, "positions": edited_positions, "junk": junk_lines, "words": known_words,
             "lines-long": long_lines, "pipe-closed": closed_pipe, "luft-arguments": luft_arguments}
    for job in JOBS:
        if job.program == "lab" and job.name not in ("ablate", "evolve"):
            found[f"lab-{job.name}"] = lambda trial, job=job: lab_arguments(trial, job)
    for fault in ("crash", "exit", "illegal", "no-move", "bad-pv", "long-pv", "flood", "mid-line", "close", "deaf",
                  "crash-new-game"):
        found[f"engine-{fault}"] = lambda trial, fault=fault: faulty_engine(trial, fault)
    return found


# --- a client that does not wait ---

def conversation(trial):
    """Searches with all kinds of limits, stopped at any moment: each go gets one bestmove, legal by the referee."""
    random, engine, asked = trial.random, Conversation(trial), []
    ready = 0
    engine.send(f"setoption name Hash value {random.randint(1, 4)}", f"setoption name Threads value {random.choice([1, 1, 2])}")
    for _ in range(random.randint(3, 12)):
        for _ in range(random.randint(0, 2)):
            engine.send(random.choice(["isready", "ucinewgame", "d", "setoption name Clear Hash", "uci", "",
                                       f"setoption name MultiPV value {random.randint(1, 4)}",
                                       f"setoption name Move Overhead value {random.randint(0, 50)}", "eval", "nonsense"]))
        moves = random.choice(games(trial.world))
        moves = moves[:random.randint(0, len(moves) - 1)]
        lines = [f"position startpos moves {' '.join(moves)}" if moves else "position startpos"]
        limit, endless = random_go(random)
        asked.append(after(START, moves))
        lines.append(limit)
        ponder = "ponder" in limit
        stop = endless or random.random() < 0.5
        between = ["isready"] * random.randint(0, 2)
        ready += len(between)
        ending = [random.choice(["stop", "ponderhit"]) if ponder and not endless else "stop"] if stop or ponder else []
        pause = random.choice([0, 0, 0.002, 0.02]) * random.random()
        if pause:
            engine.send(*lines)
            engine.process.poll()
            time.sleep(pause)
            engine.send(*between, *ending)
        else:
            engine.send(*lines, *between, *ending)
        # The n-th stop ends the n-th go, so a go without a stop must end before the next go.
        if ending != ["stop"] or random.random() < 0.3:
            engine.wait(b"bestmove", len(asked))
    engine.wait(b"bestmove", len(asked))
    engine.send("isready")
    engine.wait(b"readyok", ready + 1)
    result = engine.end("quit")
    best = re.findall(rb"(?m)^bestmove (\S+)", result.out)
    demand(len(best) == len(asked), f"{len(asked)} go, {len(best)} bestmove")
    for position, move in zip(asked, best):
        if move == b"(none)":
            demand(not position.legal(), "no move, but there are legal moves")
        else:
            demand_legal(position, move.decode(), "bestmove")


def random_go(random):
    """A go command, and whether only stop ends it."""
    number = random.choice([0, 1, 2, 5, 30, 300, -7])
    endless = random.random() < 0.3
    if endless:
        return random.choice(["go infinite", "go", "go ponder infinite"]), True
    limits = [f"nodes {max(1, number)}", f"depth {max(0, min(number, 5))}", f"movetime {min(number, 30)}",
              f"wtime {number} btime {number}", f"wtime {number} winc 10 btime {number} binc 5 movestogo {random.randint(0, 3)}",
              f"nodes {random.randint(1, 2000)} depth 4", "mate 1 depth 3"]
    return ("go ponder " if random.random() < 0.15 else "go ") + random.choice(limits), False


# --- positions ---

def edited_positions(trial):
    """FENs with random edits: refused with a reason, or accepted with the legal moves that the referee finds."""
    random = trial.random
    pool, lines, asked = positions(trial.world), [], []
    for _ in range(8):
        fen = random.choice(pool)
        edited = fen if random.random() < 0.2 else hostile.edit_fen(random, fen)
        lines += [f"position fen {edited}", "d", "go perft 1"]
        asked.append((fen, edited))
    engine = Conversation(trial)
    engine.send(*lines, "explain")
    engine.wait(b"info string explain end", 1)
    result = engine.end("quit")
    answers = re.split(rb"Nodes searched|bestmove \(none\)", result.out)[:-1]
    demand(len(answers) == len(asked), f"{len(asked)} positions, {len(answers)} answers")
    for (fen, edited), answer in zip(asked, answers):
        if b"info string error" in answer:
            demand(edited != fen, f"refused: {fen}: {quote(answer)}")
            continue
        accepted = re.search(rb"(?m)^FEN: (.*)$", answer).group(1).decode()
        found = sorted(re.findall(r"(?m)^([a-h][1-8][a-h][1-8][nbrq]?): 1$", answer.decode("utf-8", "replace")))
        expected = sorted(rules.name(a) + rules.name(b) + c for a, b, c in rules.Position(accepted).legal())
        demand(found == expected, f"{edited}: {set(found) ^ set(expected)} differ")


# --- lines ---

def junk_lines(trial):
    """Sends random bytes; the engine must still answer afterwards."""
    random = trial.random
    lines = [hostile.junk(random, random.choice([3, 30, 300, 3000])).replace(b"\n", b" ") for _ in range(random.randint(5, 60))]
    answer_at_last(trial, [line for line in lines if b"go" not in line])


def known_words(trial):
    """Sends the protocol's words in random order, without commands that take long."""
    random = trial.random
    words = ["uci", "isready", "position", "startpos", "fen", "moves", "e2e4", "e7e5", START, "go", "depth", "nodes", "movetime",
             "wtime", "btime", "winc", "movestogo", "ponder", "infinite", "searchmoves", "mate", "stop", "ponderhit", "setoption",
             "name", "value", "MultiPV", "Move Overhead", "UCI_Chess960", "true", "false", "Clear Hash", "ucinewgame", "d",
             "eval", "debug", "on", "register", "help", "0", "1", "-1", "7", "99999999999999999999", "UCI_ShowWDL", "", "\t",
             "UCI_LimitStrength", "UCI_Elo", "SyzygyPath", "EvalFile", "nowhere", "<empty>", "xyzzy", "é", "\x1b[31m"]
    lines = [" ".join(random.choice(words) for _ in range(random.randint(1, 9))).encode() for _ in range(random.randint(10, 80))]
    answer_at_last(trial, lines)


def answer_at_last(trial, lines):
    """Sends the lines, enough stops, then isready. The end of input ends the engine."""
    engine = Conversation(trial)
    engine.send(*lines, *["stop"] * (len(lines) + 1), "isready")
    engine.wait(b"readyok", 1 + sum(line.split()[:1] == [b"isready"] for line in lines))
    engine.end(*trial.random.choice([[], ["quit"]]))


def long_lines(trial):
    """Sends lines with many moves, many words, or no line feed."""
    random = trial.random
    shuffle = " g1f3 g8f6 f3g1 f6g8" * random.randint(100, 6000)
    lines = [f"position startpos moves{shuffle}", "d", "x" * random.randint(1000, 1000000), "position fen " + "8/" * 20000,
             "setoption name " + "y " * 5000 + "value " + "z" * 5000, "go nodes 50 searchmoves" + " e2e4" * 5000]
    random.shuffle(lines)
    result = trial.luft(stdin="\n".join([*lines, "isready", ""]).encode() + b"position startpos mo", expect=[0])
    demand(result.out.count(b"readyok") == 1, "no readyok")
    demand(len(re.findall(rb"(?m)^bestmove", result.out)) == 1, "no bestmove")


def closed_pipe(trial):
    """When the client dies, the engine ends soon, whatever it was doing."""
    engine = trial.start([trial.programs.luft], stdin=subprocess.PIPE)   # no Conversation: its reader would keep the pipe open
    lines = [b"isready", b"go infinite", b"go perft 6", b"bench 8", b"genfens 100000 seed 1 book None", b"go ponder", b"d"]
    engine.stdin.write(b"\n".join([*trial.random.sample(lines, 3), b""]))
    engine.stdin.flush()
    time.sleep(trial.random.choice([0, 0.01, 0.05]) * trial.random.random())
    engine.stdout.close()
    engine.stdin.close()
    try:
        engine.wait(30)
    except subprocess.TimeoutExpired:
        demand(False, "the engine outlives both its pipes")
    demand(engine.returncode in (0, 1), f"exit status {engine.returncode}")


# --- arguments ---

def luft_arguments(trial):
    """Runs luft with right and wrong arguments: it ends soon, with status 0 or a reason."""
    random = trial.random
    trial.take(make_base(trial.world), "blunders.pgn", "fens", "n.nnue")
    start = random.choice([["analyse", "fens", "--depth", "1"], ["analyse", START, "--depth", "1", "--lines", "2"],
                           ["explain", "blunders.pgn", "--nodes", "50"], ["eval", START], ["perft", "2"],
                           ["position startpos", "go nodes 20"], ["d"], ["isready"], ["--version"], ["--help"],
                           ["explain", START, "e2e4", "--nodes", "50"], ["genfens 2 seed 1 book None", "quit"]])
    trial.luft(*hostile.edit_arguments(random, start, ["--depth", "--lines", "--hash", "--nodes", "--worst", "--json", "--ascii"]))


def lab_arguments(trial, job):
    """Runs a command of luft-lab with a few wrong words."""
    reference(trial.world, job)
    trial.take(make_base(trial.world), *job.inputs)
    words = job.command(trial.programs)[1:]
    trial.lab(*words[:1], *hostile.edit_arguments(trial.random, words[1:], [word for word in words if word.startswith("-")]))


# --- engines ---

def faulty_engine(trial, fault):
    """A match against an engine that misbehaves: the match ends, and all games in the PGN are legal."""
    random = trial.random
    trial.take(make_base(trial.world), "book.epd")
    toy = f"cmd={trial.programs.toy}"
    result = trial.lab("match", "-engine", toy, "name=good", "-engine", toy, "name=bad", f"option.Fault={fault}",
                       f"option.Fault Move={random.randint(1, 6)}", f"option.Fault Game={random.randint(0, 2)}",
                       f"option.Seed={random.randint(1, 1000)}", "-each", "depth=1", "-openings", "file=book.epd", "order=random",
                       f"seed={random.randint(1, 1000)}", "-maxmoves", "8", "-rounds", "1", "-pgnout", "out.pgn", "-reproducible",
                       "-stalltimeout", "2", "-quiet")
    if result.status == 0:
        demand(trial.read("out.pgn").count(b"[Event ") == 2, "not every game is in the PGN file")
    demand(b"\x1b" not in result.err, "an escape sequence")
    for game in re.split(r"(?=\[Event )", (trial.read("out.pgn") or b"").decode())[1:]:
        hostile.demand_legal_game(game)
