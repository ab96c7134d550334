"""What the right reason is why a move is worse, decided without Luft: from the lines that Stockfish gives at depth 20 for the
best move and for the answer to the move that was played, and from rules of chess of their own (rules.py). Written down before
Luft was asked:

1. A position counts when the move costs 150 centipawns or more by Stockfish's two scores (a mate counts 10000), and one of the
   reasons below holds. Scores are for the side that moved.
2. `allows mate`: after the move Stockfish sees the side mated, before it not.
3. `misses mate`: before the move Stockfish sees a mate for the side, after it none.
4. `stalemate`, `repetition`: the score after the move is 0 and the line ends so within its moves.
5. `loses material`: the line after the move comes to rest with a loss of a point or more, and by then or two plies later the best
   line has lost at least a point less. A line rests on the first board on which the side to move is not in check, no capture
   wins a point by exchanges and no pawn can promote, and the next four moves take nothing.
6. `misses material`: the same for the best line, with a gain of a point or more that the line after the move does not have.

Luft is right when its reason is one of those that hold, and for material when the dearest piece that it says is lost is the
dearest one that is lost in Stockfish's line (knight and bishop alike), or its points are as many. A reason with a false claim
(explain_checker.py) is wrong."""

import explain_checker

WORTH, MATE, REST = 150, 10000, 4


def quiet(pos):
    """No check, no capture that wins a point, no promotion."""
    legal = pos.legal()
    if not legal:
        return True
    return not pos.in_check() and not any(move[2] for move in legal) and \
        not any(pos.captured(move) and pos.gain(move) >= 1 for move in legal)


def rests(boards, moves):
    """The plies at which a line rests, in order."""
    for ply in range(1, len(boards)):
        if quiet(boards[ply]) and not any(boards[at].taken(moves[at]) for at in range(ply, min(ply + REST, len(moves)))):
            yield ply


def net(boards, moves, end, white):
    return explain_checker.material(boards, moves, end, white)


def net_at_rest(boards, moves, until, white):
    """Points lost by the last board at rest up to a ply and two more; before the first such board none."""
    points = 0
    for ply in rests(boards, moves):
        if ply <= until + 2:
            points = net(boards, moves, ply, white)[0]
    return points


def loss(line, other, white):
    """(points, kinds) that a side loses in a line and not in the other; None where it loses nothing."""
    for ply in rests(*line):
        points, lost, _ = net(*line, ply, white)
        if points >= 1 and points - net_at_rest(*other, ply, white) >= 1:
            return points, lost
    return None


def reasons(fen, line, better, score, best_score):
    """What holds, by reason; material with its points and kinds. The lines begin with the move and with the best one, as texts in
    UCI's notation; scores in centipawns."""
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
    lost, missed = loss(played, best, white), loss(best, played, not white)
    if lost:
        found["loses material"] = lost
    if missed:
        found["misses material"] = missed
    return found


def dearest(kinds):
    order = {"p": 1, "n": 3, "b": 3, "r": 5, "q": 9}
    return max((order[kind] for kind in kinds), default=0)


def is_right(answer, truth):
    """Whether an explanation names a reason that holds."""
    reason = answer["reason"]
    if reason not in truth or explain_checker.check_safely(answer):
        return False
    if truth[reason] is None:
        return True
    points, kinds = truth[reason]
    letters = {"pawn": "p", "knight": "n", "bishop": "b", "rook": "r", "queen": "q"}
    told = answer["material"]
    return told["points"] == points or dearest(letters[kind] for kind in told["lost"]) == dearest(kinds)
