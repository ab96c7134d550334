#!/usr/bin/env python3
"""Plays games between Luft and a UCI engine and judges the behaviour, not the strength: illegal moves, losses on time,
crashes, stalls, lines out of turn. Ends with 0 if Luft did nothing wrong.

    tests/e2e/play_match.py --games 100 --tc 1+0.01 --opponent /usr/games/stockfish --option "Skill Level=0"
    tests/e2e/play_match.py --games 100 --tc 1+0.01                                    (against itself)

The referee is a third engine process (Luft itself, or --referee stockfish): its `go perft 1` names the legal moves.
Standard library only.
"""

import argparse
import concurrent.futures
import random
import re
import sys
import time

from uci_engine import LUFT, Engine, Silence

STALL = 10.0      # seconds beyond the clock before an engine is given up
MARGIN = 0.0      # seconds beyond the clock that are forgiven
LONGEST_GAME = 400


class Player:
    def __init__(self, name, path, options):
        self.name, self.path, self.options = name, path, options
        self.faults = []
        self.start()

    def start(self):
        self.engine = Engine([self.path])
        self.engine.ask("uci", until="uciok")
        for option, value in self.options:
            self.engine.send(f"setoption name {option} value {value}")
        self.engine.ask("isready", until="readyok")

    def new_game(self):
        self.engine.send("ucinewgame")
        self.engine.ask("isready", until="readyok")

    def restart(self):
        self.engine.process.kill()
        self.engine.close()
        self.start()


class Referee:
    """Knows the legal moves and whether a game is over, by another process."""

    def __init__(self, path):
        self.engine = Engine([path])
        self.engine.ask("uci", until="uciok")

    def look(self, moves):
        """Legal moves, FEN, in check."""
        position = "position startpos" + (" moves " + " ".join(moves) if moves else "")
        lines = self.engine.ask(position, "go perft 1", until="Nodes searched")
        legal = [line.split(":")[0] for line in lines if re.fullmatch(r"[a-h][1-8][a-h][1-8][nbrq]?: 1", line)]
        lines = self.engine.ask("d", until="Checkers")
        fen = next(line for line in lines if line.lower().startswith("fen"))[4:].strip()
        return legal, fen, bool(lines[-1].partition(":")[2].split())


def is_bare(fen):
    """Dead material: kings alone, or with one minor piece."""
    men = re.sub(r"[^a-zA-Z]", "", fen.split()[0]).lower().replace("k", "")
    return men in ("", "n", "b")


def play_game(players, referee, base, increment, opening_plies, rng):
    """Players in the order white, black; the result as text. A fault is entered with the player and ends the game."""
    moves, clocks, seen = [], [base, base], {}
    for player in players:
        player.new_game()
    while True:
        legal, fen, in_check = referee.look(moves)
        key = " ".join(fen.split()[:4])
        seen[key] = seen.get(key, 0) + 1
        side = len(moves) % 2
        if not legal:
            return ("0-1 mate" if side == 0 else "1-0 mate") if in_check else "1/2 stalemate"
        if seen[key] >= 3 or int(fen.split()[4]) >= 100 or is_bare(fen) or len(moves) >= LONGEST_GAME:
            return "1/2 draw by rule"
        if len(moves) < opening_plies:
            moves.append(rng.choice(legal))
            continue
        player = players[side]
        fault = ask_move(player, moves, clocks, side, increment, legal)
        if fault:
            player.faults.append(f"{fault} (game: {' '.join(moves)})")
            player.restart()
            return ("0-1 " if side == 0 else "1-0 ") + fault


def ask_move(player, moves, clocks, side, increment, legal):
    """Adds the player's move and takes its time off the clock; what was wrong with it, or None."""
    times = [max(1, int(clock * 1000)) for clock in clocks]
    plus = int(increment * 1000)
    start = time.monotonic()
    try:
        player.engine.send("position startpos" + (" moves " + " ".join(moves) if moves else ""),
                           f"go wtime {times[0]} btime {times[1]} winc {plus} binc {plus}")
        lines = player.engine.read_until("bestmove", clocks[side] + STALL)
    except Silence as silence:
        return f"stall or crash: {silence}"
    except OSError as error:
        return f"crash: {error}"
    # The reader's own time stamp: what this script does while others wait is not the engine's fault.
    used = player.engine.log[-1][0] - start
    clocks[side] -= used
    words = lines[-1].split()
    if len(words) < 2 or words[1] not in legal:
        return f"illegal move {lines[-1]!r}"
    if clocks[side] < -MARGIN:
        own = max([int(time) for line in lines for time in re.findall(r" time (\d+)", line)], default=0)
        return (f"loss on time by {-clocks[side]:.3f} s: had {times[side] / 1000:.3f} s, used {used:.3f} s, "
                f"{own / 1000:.3f} s by its own clock")
    if not any(" score " in line for line in lines):
        return "no line with a score"
    if any("error" in line for line in lines):
        return f"error: {[line for line in lines if 'error' in line][0]}"
    clocks[side] += increment
    moves.append(words[1])
    return None


def play_series(arguments, numbers):
    base, increment = (float(part) for part in arguments.tc.split("+"))
    options = [tuple(option.split("=", 1)) for option in arguments.option]
    luft = Player("Luft", arguments.luft, [])
    other = Player("opponent", arguments.opponent or arguments.luft, options)
    referee = Referee(arguments.referee or arguments.luft)
    results = []
    for number in numbers:
        players = [luft, other] if number % 2 == 0 else [other, luft]
        # Both colours of an opening.
        rng = random.Random(arguments.seed + number // 2)
        result = play_game(players, referee, base, increment, arguments.opening_plies, rng)
        score = 0.5 if result.startswith("1/2") else float(result.startswith("1-0") == (players[0] is luft))
        results.append(score)
        if arguments.verbose:
            print(f"game {number + 1}: {players[0].name} - {players[1].name} {result}", flush=True)
    for engine in (luft.engine, other.engine, referee.engine):
        engine.close()
    return results, luft.faults, other.faults


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--luft", default=LUFT)
    parser.add_argument("--opponent", help="a UCI engine; default: Luft itself")
    parser.add_argument("--option", action="append", default=[], help="NAME=VALUE for the opponent")
    parser.add_argument("--referee", help="a UCI engine with `go perft` and `d`; default: Luft")
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--tc", default="1+0.01", help="seconds+increment")
    parser.add_argument("--opening-plies", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1, help="games at once")
    parser.add_argument("--verbose", action="store_true")
    arguments = parser.parse_args()
    results, faults, others = [], [], []
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        shares = [[number for number in range(arguments.games) if number // 2 % arguments.jobs == job]
                  for job in range(arguments.jobs)]
        for score, mine, theirs in pool.map(lambda share: play_series(arguments, share), shares):
            results += score
            faults += mine
            others += theirs
    print(f"{len(results)} games at {arguments.tc}: {results.count(1.0)} won, {results.count(0.5)} drawn, "
          f"{results.count(0.0)} lost; faults of Luft: {len(faults)}, of the opponent: {len(others)}")
    for fault in faults + [f"opponent: {fault}" for fault in others]:
        print("  " + fault)
    return 1 if faults or (others and not arguments.opponent) or len(results) != arguments.games else 0


if __name__ == "__main__":
    sys.exit(main())
