"""Decides without Luft what the right reason is why a move is worse: from Stockfish's lines for the best move and for the reply
to the played move, and by independent rules of chess (rules.py). These rules were written before Luft was tested with them:

1. A position counts if the move loses 150 centipawns or more by Stockfish's two scores (a mate counts 10000), and one of the
   reasons below holds. Scores are for the side that moved.
2. `allows mate`: after the move Stockfish finds that the side is mated, before it not.
3. `misses mate`: before the move Stockfish finds a mate for the side, after it none.
4. `stalemate`, `repetition`: the score after the move is 0, and the line ends that way.
5. `loses material`: the line after the move comes to rest with a loss of a point or more, and by then or two plies later the best
   line has lost at least a point less. A line rests on the first board on which the side to move is not in check, no capture
   wins a point by exchanges and no pawn can promote, and the next four moves take nothing. Where it rests more than once, the
   loss of each such board counts: which of them to report is a matter of taste, and "a knight" is correct even if a pawn was lost
   first.
6. `misses material`: the same for the best line, with a gain of a point or more that the line after the move does not have.
7. A refutation is known if it is stable: the reason holds in the referee's searches of depth 16 to 20, and the loss at
   depth 20 is alike in each of the others. Two losses are alike if the most valuable piece is the same (knight and bishop count
   as the same), or if the points are equal: "a pawn" and "two pawns", or "the queen" and "the queen for a knight", are one
   reason in two lengths. A loss of another piece and other points is another reason. Only positions without a stable reason are
   skipped.

Luft is right if its reason is stable and its loss is alike to a stable one. A reason with a false claim (explain_checker.py) is
wrong.

8. Another refutation that the referee finds equally good is right, too (is_as_good). Its reason is of a stable kind, and at the
   end of Luft's line, where it rests, the referee's score is that of depth 20 after the first move, within 50 centipawns or a tenth.
   Then neither side made a mistake on that line, and its loss is real. The loss must be a point more than on the referee's other
   line. A reason of another kind remains wrong."""

import explain_checker
import own_games
from referee import MATE

WORTH, REST = 150, 4
AS_GOOD, AS_GOOD_SHARE, AS_GOOD_DEPTH = 50, 0.1, 18


def quiet(pos):
    """No check, no capture that wins a point, no promotion."""
    legal = pos.legal()
    if not legal:
        return True
    return not pos.in_check() and not any(move[2] for move in legal) and \
        not any(pos.captured(move) and pos.gain(move) >= 1 for move in legal)


def rests(boards, moves):
    """The plies at which a line rests."""
    taken = [bool(board.taken(move)) for board, move in zip(boards, moves)]
    return [ply for ply in range(1, len(boards)) if not any(taken[ply:ply + REST]) and quiet(boards[ply])]


def at_rest(line, white):
    """The losses of a side on each board where the line rests: (ply, points, points of the most valuable piece)."""
    found = []
    for ply in rests(*line):
        points, lost, _ = explain_checker.material(*line, ply, white)
        found.append((ply, points, dearest(lost)))
    return found


def losses(line, other, white):
    """The losses (points, points of the most valuable piece) of a side in a line and not in the other, for each board at rest.
    Before the other line rests for the first time, its loss is nothing."""
    found, others = [], at_rest(other, white)
    for ply, points, piece in at_rest(line, white):
        until_then = [row[1] for row in others if row[0] <= ply + 2]
        if points >= 1 and points - (until_then[-1] if until_then else 0) >= 1 and (points, piece) not in found:
            found.append((points, piece))
    return found


def reasons(fen, line, better, score, best_score):
    """The reasons that hold; for material, with the losses that count. The lines are UCI moves and begin with the played and with
    the best move; scores are in centipawns."""
    if best_score - score < WORTH:
        return {}
    played = explain_checker.boards_of(fen, [{"uci": text} for text in line])
    best = explain_checker.boards_of(fen, [{"uci": text} for text in better])
    white, found = played[0][0].white, {}
    if score <= -MATE / 2 < best_score:
        found["allows mate"] = None
    if best_score >= MATE / 2 > score:
        found["misses mate"] = None
    if score == 0:
        keys = [pos.key() for pos in played[0]]
        if not played[0][-1].legal() and not played[0][-1].in_check():
            found["stalemate"] = None
        if len(set(keys)) < len(keys):
            found["repetition"] = None
    lost, missed = losses(played, best, white), losses(best, played, not white)
    if lost:
        found["loses material"] = lost
    if missed:
        found["misses material"] = missed
    return found


def dearest(kinds):
    order = {"p": 1, "n": 3, "b": 3, "r": 5, "q": 9}
    return max((order[kind] for kind in kinds), default=0)


def alike(a, b):
    return a[0] == b[0] or a[1] == b[1]


def stable(iterations):
    """The reasons of the last iteration that hold in all iterations; each iteration is a result of reasons()."""
    found = {}
    for reason, lost in iterations[-1].items():
        if not all(reason in other for other in iterations):
            continue
        kept = lost and [loss for loss in lost if all(any(alike(loss, one) for one in other[reason]) for other in iterations)]
        if kept or lost is None:
            found[reason] = kept
    return found


def is_right(answer, truth):
    """Whether an explanation names a stable reason."""
    reason = answer["reason"]
    if reason not in truth or explain_checker.check_safely(answer):
        return False
    if truth[reason] is None:
        return True
    letters = {"pawn": "p", "knight": "n", "bishop": "b", "rook": "r", "queen": "q"}
    material = answer["material"]
    loss = material["points"], dearest(letters[kind] for kind in material["lost"])
    return any(alike(loss, other) for other in truth[reason])


def is_as_good(answer, truth, row, referee):
    """Whether an explanation reports material that is lost on a line without mistakes, as the referee finds (rule 8)."""
    reason = answer["reason"]
    if "material" not in answer or reason not in truth or explain_checker.check_safely(answer):
        return False
    loses, end = reason == "loses material", answer["settled"]
    boards, _ = explain_checker.boards_of(row["fen"], answer["line" if loses else "better"])
    other = explain_checker.boards_of(row["fen"], [{"uci": text} for text in row["better" if loses else "line"].split()])
    white, last = boards[0].white, boards[end]
    others = [points for ply, points, _ in at_rest(other, white == loses) if ply <= end + 2]
    if answer["material"]["points"] - (others[-1] if others else 0) < 1:
        return False
    expected = int(row["score" if loses else "best_score"])
    referee.forget()
    score = referee.search(own_games.fen_of(last, end), AS_GOOD_DEPTH)[0] * (1 if last.white == white else -1)
    return abs(score - expected) <= max(AS_GOOD, AS_GOOD_SHARE * abs(expected))
