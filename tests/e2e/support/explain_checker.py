"""Checks the claims of `luft explain --json` by independent rules of chess (rules.py). Each function checks one kind of claim and
yields what is false about it. docs/explain.md describes the claims."""

import collections
import re

from rules import KING, POINTS, Position, between, name, square, step

MINOR = {"n", "b"}


def boards_of(fen, line):
    """The boards of a line, and its moves; None for both if a move is not legal."""
    boards, moves = [Position(fen)], []
    for entry in line:
        move = boards[-1].parse(entry["uci"])
        if move is None:
            return None, None
        moves.append(move)
        boards.append(boards[-1].make(move))
    return boards, moves


def cancel(lost, gained):
    """Cancels equal losses of both sides; a bishop equals a knight."""
    for kind in "pnbrq":
        same = min(lost[kind], gained[kind])
        lost[kind] -= same
        gained[kind] -= same
    for mine, theirs in (("n", "b"), ("b", "n")):
        same = min(lost[mine], gained[theirs])
        lost[mine] -= same
        gained[theirs] -= same


def fallen(boards, moves, end, white):
    """The men of one side and of the other that are taken up to board `end`; a promoted pawn is a pawn."""
    lost, gained, once_pawns = collections.Counter(), collections.Counter(), set()
    for pos, move in zip(boards[:end], moves):
        kind = pos.captured(move)
        if kind:
            (lost if pos.white != white else gained)["p" if move[1] in once_pawns else kind] += 1
        once_pawns.discard(move[1])
        if move[0] in once_pawns or move[2]:
            once_pawns.add(move[1])
        once_pawns.discard(move[0])
    return lost, gained


def promoted(boards, moves, end, white):
    """Points that one side has got by new pieces, as far as they are not taken."""
    points, places = 0, {}
    for pos, move in zip(boards[:end], moves):
        points -= places.pop(move[1], 0)
        if pos.white == white and move[2]:
            points += POINTS[move[2]] - POINTS["p"]
            places[move[1]] = POINTS[move[2]] - POINTS["p"]
        elif move[0] in places:
            places[move[1]] = places.pop(move[0])
    return points


def material(boards, moves, end, white):
    """Points, lost and gained pieces of one side up to board `end`."""
    points = sum(pos.taken(move) * (1 if pos.white != white else -1) for pos, move in zip(boards[:end], moves))
    lost, gained = fallen(boards, moves, end, white)
    cancel(lost, gained)
    return points, +lost, +gained


def differences(claimed, one, other):
    """What is false about material that one line (boards, moves, end, white) loses and the other one does not."""
    letters = {"pawn": "p", "knight": "b", "bishop": "b", "rook": "r", "queen": "q"}
    minors_alike = lambda men: collections.Counter(letters.get(kind, kind.replace("n", "b")) for kind in men.elements())
    claims = [minors_alike(collections.Counter(claimed[part])) for part in ("lost", "gained")]
    net, there, points = material(*one)[0], material(*other)[0], claimed["points"]
    worth = lambda men: sum(POINTS[kind] * count for kind, count in men.items())
    lost_there, won_there = fallen(*other)
    if any(claim - minors_alike(men) for claim, men in zip(claims, fallen(*one))):
        yield f"more men than fall: {claimed}"
    if points != worth(claims[0]) - worth(claims[1]) and not any(move[2] for move in one[1][:one[2]]):
        yield f"material {claimed} is not {points} points"
    if not (points >= 1 and net - there >= 1 and points <= 2 * (net - there) and net - there <= 2 * points):
        yield f"{net - there} points between the lines, not {points}"
    if points > net and worth(won_there) + promoted(*other) < points - net or points < net and there <= 0 and not lost_there:
        yield f"the line loses {net} points, not {points}"


def draw_at_end(boards, moves):
    """How a line ends in a draw by its last board, or None."""
    last, keys = boards[-1], [pos.key() for pos in boards]
    if not last.legal():
        return None if last.in_check() or len(moves) > 12 else "stalemate"
    if keys[-1] in keys[:-1]:
        start = len(keys) - 2 - keys[:-1][::-1].index(keys[-1])
        checks = [pos.in_check() for pos in boards[start + 1:]]
        return "perpetual check" if all(checks[0::2]) or all(checks[1::2]) else "repetition"
    men = sorted(piece.lower() for piece in last.board if piece and piece.lower() != "k")
    return "material" if men in ([], ["b"], ["n"]) or set(men) == {"b"} else None


def results(result, line, better):
    """What is false about a changed result, as far as boards show it."""
    worth = {"win": 2, "open": 1.5, "draw": 1, "loss": 0}
    if worth[result["played"]] >= worth[result["better"]]:
        yield "the result is no worse"
    kind = result.get("draw")
    if kind not in (None, "score"):
        found = draw_at_end(*(better if result["better"] == "draw" else line))
        if found != kind and not (kind == "repetition" and found == "perpetual check"):
            yield f"the line ends in no {kind}"
    elif kind is None and "draw" in (result["better"], result["played"]):
        yield "a draw without a reason"


# --- facts of a board: the squares that show one, for one side ---

def squares_of(pos, white, kinds):
    return [at for at in range(64) if pos.owns(at, white) and pos.kind(at) in kinds]


def rank_for(at, white):
    return at // 8 if white else 7 - at // 8


def ahead(at, white):
    """The squares in front of one, on its file."""
    return range(at + 8, 64, 8) if white else range(at - 8, -1, -8)


def is_dark(at):
    return (at % 8 + at // 8) % 2 == 0


def moves_from(pos, at):
    return [to for to in pos.attacks(at) if not pos.owns(to, pos.owns(at, True))]


def bishop_pair(pos, white):
    own = squares_of(pos, white, "b")
    return own if len({is_dark(at) for at in own}) == 2 and len(squares_of(pos, not white, "b")) < 2 else []


def blocked_pawn(pos, white):
    step_on = 8 if white else -8
    return [at + step_on for at in squares_of(pos, white, "p") if at % 8 in (3, 4) and rank_for(at, white) == 1
            and pos.owns(at + step_on, white) and pos.kind(at + step_on) in "nbrq"]


def king_in_centre(pos, white):
    king = pos.king(white)
    may_castle = any(right.isupper() == white for right in pos.castling)
    return [king] if not may_castle and king % 8 in (3, 4, 5) and rank_for(king, white) < 2 and \
        squares_of(pos, white, "r") and len(squares_of(pos, not white, "nbrq")) >= 3 else []


def files_at_king(pos, white):
    king = pos.king(white)
    if king % 8 in (3, 4) or rank_for(king, white) > 1 or not squares_of(pos, not white, "q"):
        return []
    return [file for file in (king % 8 - 1, king % 8, king % 8 + 1) if 0 <= file < 8]


def second_rank(file, white):
    return file + (8 if white else 48)


def king_shield(pos, white):
    covered = {at % 8 for at in squares_of(pos, white, "p") if rank_for(at, white) in (1, 2)}
    return [second_rank(file, white) for file in files_at_king(pos, white) if file not in covered]


def open_line_at_king(pos, white):
    own = {at % 8 for at in squares_of(pos, white, "p")}
    theirs = {at % 8 for at in squares_of(pos, not white, "p")}
    heavy = {at % 8 for at in squares_of(pos, not white, "rq")}
    if not squares_of(pos, not white, "r"):
        return []
    return [second_rank(file, white) for file in files_at_king(pos, white)
            if file not in own and (file in heavy or file not in theirs)]


def doubled_pawns(pos, white):
    pawns = squares_of(pos, white, "p")
    return [at for at in pawns if any(other in pawns for other in ahead(at, not white))]


def isolated_pawn(pos, white):
    files = {at % 8 for at in squares_of(pos, white, "p")}
    return [at for at in squares_of(pos, white, "p") if not {at % 8 - 1, at % 8 + 1} & files]


def backward_pawn(pos, white):
    pawns, theirs = squares_of(pos, white, "p"), squares_of(pos, not white, "p")
    isolated = isolated_pawn(pos, white)
    return [at for at in pawns if at not in isolated and all(other % 8 != at % 8 for other in theirs)
            and any(ahead(at, white)[0] in pos.attacks(other) for other in theirs)
            and not any(abs(other % 8 - at % 8) == 1 and rank_for(other, white) <= rank_for(at, white) for other in pawns)]


def passed_pawn(pos, white):
    pawns, theirs = squares_of(pos, white, "p"), squares_of(pos, not white, "p")
    return [at for at in pawns if not any(other in pawns for other in ahead(at, white)) and
            not any(abs(other % 8 - at % 8) < 2 and rank_for(other, white) > rank_for(at, white) for other in theirs)]


def open_file(pos, white):
    closed = {at % 8 for at in squares_of(pos, True, "p") + squares_of(pos, False, "p") + squares_of(pos, not white, "rq")}
    return [at for at in squares_of(pos, white, "r") if at % 8 not in closed]


def outpost(pos, white):
    pawns = squares_of(pos, not white, "p")
    return [at for at in squares_of(pos, white, "nb") if rank_for(at, white) in (3, 4, 5)
            and any(at in pos.attacks(pawn) for pawn in squares_of(pos, white, "p"))
            and not any(abs(pawn % 8 - at % 8) == 1 and rank_for(pawn, white) > rank_for(at, white) for pawn in pawns)]


def bad_bishop(pos, white):
    pawns = squares_of(pos, white, "p")
    return [at for at in squares_of(pos, white, "b") if len(moves_from(pos, at)) <= 3
            and sum(is_dark(pawn) == is_dark(at) for pawn in pawns) >= 4]


def passive_rook(pos, white):
    if any(piece and piece.lower() == "q" for piece in pos.board) or \
            len(squares_of(pos, True, "nbr") + squares_of(pos, False, "nbr")) > 6:
        return []
    return [at for at in squares_of(pos, white, "r") if rank_for(at, white) < 2 and len(moves_from(pos, at)) <= 4]


def distant_king(pos, white):
    steps = lambda king: min(max(abs(king % 8 - file), abs(king // 8 - rank)) for file in (3, 4) for rank in (3, 4))
    if any(piece and piece.lower() == "q" for piece in pos.board) or \
            len(squares_of(pos, True, "nbr") + squares_of(pos, False, "nbr")) > 4:
        return []
    return [pos.king(white)] if steps(pos.king(white)) >= steps(pos.king(not white)) + 2 else []


def tension(pos, white):
    theirs = squares_of(pos, not white, "p")
    return [at for at in squares_of(pos, white, "p") if any(at in pos.attacks(pawn) for pawn in theirs)]


def traded(kind):
    """The fact that neither side has a piece of that kind, while both have others."""
    def find(pos, white):
        left = squares_of(pos, True, "nbrq"), squares_of(pos, False, "nbrq")
        return [pos.king(white)] if all(left) and not any(pos.kind(at) == kind for at in left[0] + left[1]) else []
    return find


def undeveloped(pos, white):
    return [at for at in squares_of(pos, white, "nb") if rank_for(at, white) == 0
            and at % 8 in ((1, 6) if pos.kind(at) == "n" else (2, 5))]


# What must be the same on two boards: nothing, the file, or the square. And whether the fact is good for its side.
FACTS = {"bishop_pair": (bishop_pair, "board", True), "blocked_pawn": (blocked_pawn, "file", False),
         "king_in_centre": (king_in_centre, "board", False), "king_shield": (king_shield, "file", False),
         "open_line_at_king": (open_line_at_king, "file", False), "doubled_pawns": (doubled_pawns, "file", False),
         "isolated_pawn": (isolated_pawn, "file", False), "backward_pawn": (backward_pawn, "file", False),
         "passed_pawn": (passed_pawn, "file", True), "open_file": (open_file, "file", True),
         "outpost": (outpost, "square", True), "bad_bishop": (bad_bishop, "board", False),
         "passive_rook": (passive_rook, "file", False), "distant_king": (distant_king, "board", False),
         "tension": (tension, "file", True),
         "no_queens": (traded("q"), "board", False), "no_rooks": (traded("r"), "board", False),
         "undeveloped": (undeveloped, "square", False),
         "worse_square": (lambda pos, white: squares_of(pos, white, "pnbrq"), "square", False),
         "better_square": (lambda pos, white: squares_of(pos, white, "pnbrq"), "square", True)}
PUT_BACK = {"no_queens": {"q": 1, "Q": 1}, "no_rooks": {"r": 1, "R": 1}}  # pieces that an edit adds


def place(boards, moves, ply, at):
    """Where the piece of a square of the first board stands on board `ply`; None if it is taken or promoted."""
    for before, after, move in zip(boards[:ply], boards[1:], moves):
        piece = before.board[at]
        rook = before.castling_rook(move) if before.kind(move[0]) == "k" else None
        if rook is not None and at == rook:
            at = move[0] + (1 if rook > move[0] else -1)
        elif at == move[0]:
            at = move[1]
        if after.board[at] != piece:
            return None
    return at


def moves_to_other_square(fact, on, off):
    """One of the two first moves, or of the replies, is the piece's own, and the edit puts it where it stands on the other line."""
    at, to, ends = square(fact["square"]), square(fact["to"]), [min(len(moves), 12) for _, moves in (on, off)]
    is_reply = fact["kind"] == "better_square"
    for start in (on[1][is_reply][0], off[1][is_reply][0]):
        own, other = ([place(*line, ply, start) for ply in range(last + 1)] for line, last in zip((on, off), ends))
        made, there = ([b for a, b in zip(places, places[1:]) if a != b] for places in (own, other))
        if own[-1] == at and other[-1] is not None:
            if to != ([start] + there)[:len(made) + 1][-1] or is_reply and len(there) < len(made):
                yield f"{fact['kind']}: another place, or worth a move"
            break
    else:
        yield f"{fact['kind']}: another piece"
    for edit in fact["edits"]:
        before, edited = on[0][edit["ply"]], Position(edit["fen"])
        if [other for other in range(64) if edited.board[other] != before.board[other]] != sorted((at, to)):
            yield f"{fact['kind']}: another edit"


def has_fact(pos, kind, white, at):
    same = {"board": lambda other: True, "file": lambda other: other % 8 == at % 8, "square": lambda other: other == at}
    find, scope, _ = FACTS[kind]
    return any(map(same[scope], find(pos, white)))


def second_half(boards):
    last = min(len(boards) - 1, 12)
    return range((last + 1) // 2, last + 1)


def count_pieces(pos):
    """Pieces by kind, with knights and bishops as one."""
    return collections.Counter(piece.replace("n", "b").replace("N", "B") for piece in pos.board if piece)


def facts(explanation, line, better):
    """Test D by the rules above, and test E as far as the boards go. evals() lists what `luft eval` must say of
    these."""
    proved = [fact for fact in explanation.get("facts", []) if fact["refused"] is None]
    if (explanation["reason"] == "fact" or explanation.get("merit", {}).get("kind") == "fact") != bool(proved):
        yield "a fact without a proof, or a proof without a fact"
    gap, good = explanation["best_score"].get("cp", 0) - explanation["score"].get("cp", 0), line
    for fact in proved:
        second = explanation.get("merit", {}).get("second")
        if second:  # of a good move, which is compared with the second best
            better, line = good, boards_of(second["fen"], second["line"])
            gap = explanation["score"].get("cp", 0) - second["score"].get("cp", 0)
        is_better = fact["line"] == ("line" if second else "better")
        on, off = (better, line) if is_better else (line, better)
        white, at = fact["side"] == "White", square(fact["square"])
        is_ours = white == on[0][0].white
        if (FACTS[fact["kind"]][2] == is_ours) != is_better:
            yield f"{fact['kind']}: on the wrong line"
        if not all(has_fact(on[0][ply], fact["kind"], white, at) for ply in second_half(on[0])):
            yield f"{fact['kind']}: does not last"
        if any(has_fact(off[0][ply], fact["kind"], white, at) for ply in second_half(off[0])):
            yield f"{fact['kind']}: on the other line, too"
        if "to" in fact:
            yield from moves_to_other_square(fact, on, off)
        sign, moved = (-1 if is_better else 1), collections.defaultdict(lambda: ([], []))
        for edit in fact["edits"]:
            edited, before = Position(edit["fen"]), on[0][edit["ply"]]
            moved[edit["ply"]][edit["control"]].append(sign * (edit["after"] - edit["before"]))
            changed = [at for at in range(64) if edited.board[at] != before.board[at] and before.board[at]]
            if edit["control"] and not all(before.owns(at, not white) for at in changed):
                yield f"{fact['kind']}: a control that edits its own side"
            if not is_calm(edited):
                yield f"{fact['kind']}: something hangs after the edit"
            if has_fact(edited, fact["kind"], white, at):
                yield f"{fact['kind']}: still there after the edit"
            expected = count_pieces(before) + collections.Counter(PUT_BACK.get(fact["kind"]))
            if count_pieces(edited) != expected or edited.white != before.white:
                yield f"{fact['kind']}: another material"
            if edited.in_check(not edited.white):
                yield f"{fact['kind']}: an impossible position"
        means = [sum(own + controls) / len(own + controls) for own, controls in moved.values()]
        if sum(sum(controls) for _, controls in moved.values()) < -2:
            yield f"{fact['kind']}: a control says otherwise"
        if len(means) != 3 or min(means) <= -1 or sum(means) / 3 < max(14, 0.4 * gap - 2):
            yield f"{fact['kind']}: not worth enough"


def evals(explanation):
    """What the network must say of boards: pairs (FEN, centipawns for White) of proved facts, after the edit."""
    sign = 1 if Position(explanation["fen"]).white else -1
    return [(edit["fen"], sign * edit["after"]) for fact in explanation.get("facts", []) if fact["refused"] is None
            for edit in fact["edits"]]


def is_calm(pos):
    return not pos.in_check() and not any(pos.captured(move) and pos.gain(move) >= 1 for move in pos.legal())


# --- facts of a move: what it does, or allows ---

def is_quiet(pos, move):
    return not pos.captured(move) and not is_castling(pos, move)


def is_castling(pos, move):
    return pos.kind(move[0]) == "k" and pos.castling_rook(move) is not None


def goes_on(boards, moves):
    """The ply, 4 at most, at which the piece that moved first goes on quietly, not in check; None if it does not."""
    for ply, (start, to, _) in enumerate(moves[:5]):
        if ply % 2 and to == moves[0][1]:
            return None
        if ply and ply % 2 == 0 and start == moves[0][1]:
            is_free = is_quiet(boards[0], moves[0]) and is_quiet(boards[ply], moves[ply]) and not boards[ply].in_check()
            return ply if is_free else None
    return None


def loses_time(boards, moves, ply):
    at_once = (moves[0][0], moves[ply][1], "")
    if goes_on(boards, moves) != ply or at_once not in boards[0].legal() or not is_quiet(boards[0], at_once):
        yield "it does not go there, or could not at once"


def answers_with_tempo(boards, ply):
    """The move at `ply` gives check, or attacks a man of the other side that was safe, to win more than a pawn."""
    before, after = boards[ply], boards[ply + 1]
    return after.in_check() or any(before.best_on(at) < 1 and after.passed().best_on(at) > 1
                                   for at in squares_of(after, after.white, "pnbrq"))


def attacks_and_drives(boards, moves, ply):
    """The square of a piece that is safe before a quiet move, attacked after it, and moves away quietly, without attacking
    something in its turn; or None."""
    if ply + 1 >= len(moves) or boards[ply + 1].in_check():
        return None
    at = moves[ply + 1][0]
    if boards[ply + 1].kind(at) in "pk" or not is_quiet(boards[ply], moves[ply]) or not is_quiet(boards[ply + 1], moves[ply + 1]):
        return None
    is_driven = boards[ply].best_on(at) < 1 <= boards[ply + 1].passed().best_on(at)
    return at if is_driven and not answers_with_tempo(boards, ply + 1) else None


def is_prevented(possible, pos, reply):
    """A quiet reply is sound on one board, and on the other impossible or unsound."""
    if possible.captured(reply) or possible.gain(reply) < 0 or pos.in_check() or pos.board[reply[0]] != possible.board[reply[0]]:
        return False
    return reply not in pos.legal() or pos.gain(reply) < 0


def develops(pos, move):
    return move[0] in undeveloped(pos, pos.white) or is_castling(pos, move)


def has_own_pawn(pos, at):
    return any(pawn % 8 == at % 8 for pawn in squares_of(pos, pos.white, "p"))


def changes_file(pos, move, to_open):
    was_shut, is_shut = has_own_pawn(pos, move[0]), has_own_pawn(pos, move[1])
    return pos.kind(move[0]) == "r" and is_quiet(pos, move) and was_shut == to_open and is_shut != to_open


def unguarded(after, move, other):
    """The square on which the other line's reply takes what the move guards; None if it does not."""
    if len(other[1]) < 2 or not other[0][1].captured(other[1][1]) or other[0][1].gain(other[1][1]) < 1:
        return None
    at, loose = other[1][1][1], other[0][1]
    is_guarded = move[1] != at and after.board[at] == loose.board[at] and at in after.attacks(move[1])
    return at if is_guarded and after.best_on(at) < 1 else None


def newly_pinned(before, after, pinner):
    """The square of a piece, no pawn, of the side to move between its king and a piece that has just come there; or None."""
    if before.in_check() or after.in_check():
        return None
    king = squares_of(after, after.white, "k")[0]
    return next((at for at in squares_of(after, after.white, "nbrq")
                 if at in (between(king, pinner) or []) and exposes_king(after, at) and not exposes_king(before.passed(), at)), None)


def has_lost(own, ply):
    """Whether the side that begins a line has lost points by one of its boards."""
    return material(own[0], own[1], min(ply, len(own[1])), own[0][0].white)[0] > 0


def steals(own, other):
    """The reply takes something and wins by it, which it does not after the other move."""
    if len(own[1]) < 2 or not is_quiet(own[0][0], own[1][0]):
        return None
    pos, there, reply = own[0][1], other[0][1], own[1][1]
    gains = lambda board: reply in board.legal() and board.captured(reply) is not None and board.gain(reply) >= 1
    return (1, reply[1]) if gains(pos) and not (reply in there.legal() and there.gain(reply) >= 1) else None


def seizes_file(own, _):
    pos, (start, to, _) = own[0][0], own[1][0]
    files = {at % 8 for at in squares_of(pos, True, "p") + squares_of(pos, False, "p")}
    comes = pos.kind(start) == "r" and is_quiet(pos, own[1][0]) and start % 8 in files and to % 8 not in files
    return (0, start) if comes and own[0][1].best_on(to) < 1 else None


def makes_outpost(own, _):
    for ply in range(0, min(3, len(own[1])), 2):
        before, after, at = own[0][ply], own[0][ply + 1], own[1][ply][1]
        later = own[0][min(len(own[1]), ply + 5)]
        if at not in outpost(before, before.white) and at in outpost(after, before.white) and \
                at in outpost(later, before.white) and is_quiet(before, own[1][ply]):
            return ply, own[1][0][0]
    return None


def gives_pair(own, _):
    (boards, moves), them = own, not own[0][0].white
    gives = len(moves) > 4 and boards[0].kind(moves[0][0]) == "b" and boards[0].captured(moves[0]) == "n" and moves[1][1] == moves[0][1]
    return (1, moves[0][0]) if gives and all(bishop_pair(boards[ply], them) for ply in (2, 5)) else None


def blocks(own, _):
    pos, after, (start, to, _) = own[0][0], own[0][1], own[1][0]
    pawn = to + (-8 if pos.white else 8)
    if not is_quiet(pos, own[1][0]) or to not in blocked_pawn(after, pos.white) or start in blocked_pawn(pos, pos.white):
        return None
    bishop = (2 if pawn % 8 == 3 else 5) + (0 if pos.white else 56)
    return (0, pawn) if pos.owns(bishop, pos.white) and pos.kind(bishop) == "b" else None


def closes_file(own, _):
    pos, (start, to, _) = own[0][0], own[1][0]
    if pos.kind(start) not in "nb" or not is_quiet(pos, own[1][0]) or start % 8 == to % 8 or own[0][1].best_on(to) >= 1:
        return None
    pawns, rooks = ([at for white in (True, False) for at in squares_of(pos, white, kind) if at % 8 == to % 8] for kind in "pr")
    ends = [next((at for at in way if pos.board[at]), None) for way in (range(to + 8, 64, 8), range(to - 8, -1, -8))]
    faces = not pawns and all(at in rooks for at in ends) and pos.owns(ends[0], True) != pos.owns(ends[1], True)
    return (0, start) if faces else None


def avoids_trade(own, other):
    queens = lambda pos: len(squares_of(pos, True, "q") + squares_of(pos, False, "q"))
    trades = len(other[1]) > 2 and queens(other[0][0]) == 2 and queens(other[0][3]) == 0 and other[1][1][1] == other[1][2][1]
    return (0, own[1][0][0]) if trades and len(own[1]) > 4 and queens(own[0][5]) == 2 and is_quiet(own[0][0], own[1][0]) else None


def is_kept_pawn_move(own):
    pos, move = own[0][0], own[1][0]
    return pos.kind(move[0]) == "p" and is_quiet(pos, move) and not move[2] and [move[1]] != [reply[1] for reply in own[1][1:2]]


def lever(own, _):
    after, to = own[0][1], own[1][0][1]
    targets = [at for at in after.attacks(to) if after.owns(at, after.white) and after.kind(at) == "p"] if is_kept_pawn_move(own) else []
    return (0, min(targets)) if targets else None


def pushes(own, _):
    pos, move = own[0][0], own[1][0]
    far = is_kept_pawn_move(own) and rank_for(move[1], pos.white) >= 3 and move[0] in passed_pawn(pos, pos.white)
    return (0, move[0]) if far else None


def before_pawn(pos, move):
    """A king goes to the file of a passed pawn, in front of it, from beside or behind."""
    ahead = lambda king, pawn: king % 8 == pawn % 8 and rank_for(king, pos.white) > rank_for(pawn, pos.white)
    return any(ahead(move[1], pawn) and not ahead(move[0], pawn) for pawn in passed_pawn(pos, pos.white))


def leads_king(own, _):
    pos, move = own[0][0], own[1][0]
    steps = lambda king: min(max(abs(king % 8 - file), abs(king // 8 - rank)) for file in (3, 4) for rank in (3, 4))
    men = squares_of(pos, True, "nbrq") + squares_of(pos, False, "nbrq")
    leads = pos.kind(move[0]) == "k" and is_quiet(pos, move) and not pos.in_check() and len(men) <= 6 and \
        not any(pos.kind(at) == "q" for at in men) and (steps(move[1]) < steps(move[0]) or before_pawn(pos, move))
    return (0, move[0]) if leads else None


def nears_bishop(own, _):
    pos, after, (start, to, _) = own[0][0], own[0][1], own[1][0]
    if pos.kind(start) != "n" or not is_quiet(pos, own[1][0]) or after.best_on(to) >= 1:
        return None
    bishops = lambda board, at: [target for target in board.attacks(at) if target in squares_of(pos, not pos.white, "b")]
    return (0, min(bishops(after, to))) if bishops(after, to) and not bishops(pos, start) else None


def trades(own, _):
    pos, move = own[0][0], own[1][0]
    taken, taker = pos.captured(move), pos.kind(move[0])
    even = taken not in (None, "p") and taker != "k" and not move[2] and len(own[1]) > 1 and \
        own[1][1][1] == move[1] and POINTS[taken] == POINTS[taker]
    return (0, move[1]) if even else None


def has_space(own, other):
    """On each board from ply 6 to 12 more squares than on the other line at the same ply, with as many pieces."""
    white = own[0][0].white
    if min(len(own[1]), len(other[1])) < 12:
        return None
    pieces = lambda pos: collections.Counter(pos.kind(at) for at in squares_of(pos, white, "nbrq"))
    room = lambda pos: sum(len(moves_from(pos, at)) for at in squares_of(pos, white, "nbrq"))
    ours, theirs = own[0][6:13], other[0][6:13]
    if any(pieces(pos) != pieces(there) or room(pos) <= room(there) for pos, there in zip(ours, theirs)):
        return None
    here, there = [room(pos) for pos in ours], [room(pos) for pos in theirs]
    return (0, own[1][0][0]) if sum(here) // 7 >= sum(there) // 7 + 5 else None


def gives_room(own, _):
    pos, (start, to, _) = own[0][0], own[1][0]
    if pos.kind(start) not in "nbr" or not is_quiet(pos, own[1][0]) or own[0][1].best_on(to) >= 1:
        return None
    return (0, start) if len(moves_from(own[0][1], to)) >= len(moves_from(pos, start)) + 4 else None


# Each says at which (ply, square) a line shows the fact of its first move, or None; the other line is the second argument.
MOVE_FACTS = {
    "drops": steals,
    "loses a tempo": lambda own, other: next(((ply, at) for ply in (1, 3)
                                              if (at := attacks_and_drives(*own, ply)) is not None), None),
    "is pinned": lambda own, other: (1, at) if len(own[1]) > 1 and
    (at := newly_pinned(own[0][1], own[0][2], own[1][1][1])) is not None else None,
    "gives the bishop pair": gives_pair,
    "goes on": lambda own, other: (ply, own[1][0][0]) if (ply := goes_on(*own)) and
    (own[1][ply][1] == own[1][0][0] or not list(loses_time(*own, ply))) else None,
    "stops": lambda own, other: (1, own[1][0][0]) if len(own[1]) > 1 and not own[0][1].in_check() and
    own[1][1][1] != other[1][0][1] and is_prevented(own[0][0], own[0][2], other[1][0]) and
    not is_prevented(own[0][0], own[0][1].passed(), other[1][0]) else None,
    "allows": lambda own, other: (1, own[1][0][0]) if len(own[1]) > 1 and not own[0][0].in_check() and
    is_prevented(own[0][1], own[0][0].passed(), own[1][1]) else None,
    "blocks a pawn": blocks,
    "moves again": lambda own, other: (0, own[1][0][0]) if own[0][0].kind(own[1][0][0]) in "nb" and is_quiet(own[0][0], own[1][0])
    and not develops(own[0][0], own[1][0]) and len(undeveloped(own[0][0], own[0][0].white)) > 1 and not own[0][0].in_check()
    and own[0][0].passed().best_on(own[1][0][0]) < 1 else None,
    "leaves a file": lambda own, other: (0, own[1][0][0]) if changes_file(own[0][0], own[1][0], False) else None,
    "takes": lambda own, other: (0, own[1][0][1]) if own[0][0].captured(own[1][0]) and own[0][0].gain(own[1][0]) >= 2 else None,
    "draws the king out": lambda own, other: (2, own[1][0][0]) if len(own[1]) > 2 and own[0][1].kind(own[1][1][0]) == "k" and
    own[1][1][1] == own[1][0][1] and own[0][3].in_check() and rank_for(own[1][1][0], own[0][1].white) == 0 and
    POINTS[own[0][0].kind(own[1][0][0])] > own[0][0].taken(own[1][0]) else None,
    "pins": lambda own, other: (0, at) if (at := newly_pinned(own[0][0], own[0][1], own[1][0][1])) is not None else None,
    "guards": lambda own, other: (0, at) if (at := unguarded(own[0][1], own[1][0], other)) is not None else None,
    "seizes a file": seizes_file, "outpost": makes_outpost,
    "prevents": lambda own, other: (1, own[1][0][0]) if len(other[1]) > 1 and
    is_prevented(other[0][1], own[0][1], other[1][1]) else None,
    "gains a tempo": lambda own, other: (0, at) if (at := attacks_and_drives(*own, 0)) is not None else None,
    "attacks": lambda own, other: next(((0, at) for at in squares_of(own[0][0], not own[0][0].white, "pnbrq")
                                        if own[0][0].best_on(at) < 1 and own[0][1].passed().best_on(at) >=
                                        (1 if own[0][0].kind(at) == "p" and [at] == [move[1] for move in own[1][2:3]] else 2) and
                                        not ([at] == [move[0] for move in own[1][1:2]] and answers_with_tempo(own[0], 1))), None)
    if is_quiet(own[0][0], own[1][0]) and not own[0][1].in_check() else None,
    "avoids a trade": avoids_trade, "closes a file": closes_file, "lever": lever, "pushes a passed pawn": pushes, "leads the king": leads_king,
    "takes the centre": lambda own, other: (0, own[1][0][0]) if own[0][0].kind(own[1][0][0]) == "p" and
    is_quiet(own[0][0], own[1][0]) and rank_for(own[1][0][1], own[0][0].white) in (3, 4) and own[1][0][1] % 8 in (3, 4) and
    own[0][1].best_on(own[1][0][1]) < 1 else None,
    "develops": lambda own, other: (0, own[1][0][0]) if develops(own[0][0], own[1][0]) else None,
    "takes a file": lambda own, other: (0, own[1][0][0]) if changes_file(own[0][0], own[1][0], True) else None,
    "prepares": lambda own, other: (2, own[1][0][0]) if len(own[1]) > 2 and own[1][2][0] == own[1][0][1] and
    is_quiet(own[0][0], own[1][0]) and (own[1][0][0], own[1][2][1], "") not in own[0][0].legal() and
    own[0][2].gain(own[1][2]) >= 0 and
    (own[0][3].in_check() or own[0][2].captured(own[1][2]) and own[0][2].gain(own[1][2]) >= 1) else None,
    "nears a bishop": nears_bishop, "trades": trades, "gives room": gives_room,
    "space": has_space}
TIMES = {"loses a tempo": 0, "goes on": 0, "gains a tempo": 4}  # by which board nothing may be lost; 0: that of the fact
AGAINST = 10  # so many are said against a move


def move_facts(explanation, line, better):
    for part in ("against", "in_favour"):
        fact = explanation.get(part)
        if fact is None:
            continue
        good = explanation["reason"] in ("best", "as good as the best")
        if good and part == "in_favour":
            second = explanation["merit"]["second"]
            own, other = line, boards_of(second["fen"], second["line"])
        else:
            own, other = (line, better) if part == "against" else (better, line)
        holds = MOVE_FACTS[fact["kind"]]
        if (list(MOVE_FACTS).index(fact["kind"]) < AGAINST) != (part == "against"):
            yield f"{fact['kind']}: in the wrong place"
        if holds(own, other) != (fact["ply"], square(fact["square"])):
            yield f"{fact['kind']}: {holds(own, other)}"
        there = holds(other, own)
        if fact["kind"] in TIMES:
            late = lambda ply: TIMES[fact["kind"]] or ply + (fact["kind"] == "loses a tempo")
            if has_lost(own, late(fact["ply"])):
                yield f"{fact['kind']}: more than time is lost"
            there = there if there and not has_lost(other, late(there[0])) else None
        if fact["kind"] in ("takes", "guards"):
            there = there if there and there[1] == square(fact["square"]) else None
        if there and (fact["ply"] == 0 or fact["kind"] == "prevents" or own[1][fact["ply"]] == other[1][there[0]]):
            yield f"{fact['kind']}: on the other line, too"
        if part == "against" and good and fact["kind"] != "blocks a pawn" or explanation["reason"] not in ("fact", "harms", "none", "best", "as good as the best"):
            yield "a fact of a move is no reason of its own"


def is_old_threat(threat, before, passed):
    """The threat was possible before: the same mate in one, or it won as much."""
    move = passed.parse(threat["branch"]["line"][0]["uci"])
    if threat.get("mate") == 1:
        return move in before.legal() and before.make(move).in_check() and not before.make(move).legal()
    return move in before.legal() and before.gain(move) >= passed.gain(move)


def reply_threats(explanation, boards, moves):
    """The reply threatens what it did not threaten before: mate, material, or a pawn of the score."""
    threat = explanation["reply_threat"]
    passed = Position(threat["branch"]["fen"])
    if "mate" in threat or "points" in threat:
        yield from threats(threat, boards[2], not boards[2].white)
    elif passed.board != boards[2].board or passed.white == boards[2].white or boards[2].in_check() or \
            threat["score"]["cp"] > explanation["score"]["cp"] - 98:
        yield "no pass, or it costs too little"
    if is_old_threat(threat, boards[1], passed):
        yield "the threat is not new"


def plans(explanation, boards):
    """The better move threatens mate or material by a move that was impossible before it, or won less."""
    plan = explanation["plan"]
    yield from threats(plan, boards[1], not boards[1].white)
    passed = Position(plan["branch"]["fen"])
    if is_old_threat(plan, boards[0], passed):
        yield "what is planned could be done at once"


def oppositions(explanation, boards, moves):
    """The king's reply, or the good move, stands in line with the other king, an odd number of squares between them."""
    good = "merit" in explanation
    ply = 1 if good else 2
    if len(moves) < ply or not is_pawn_ending(boards[ply]) or boards[ply - 1].kind(moves[ply - 1][0]) != "k":
        yield "no king's move in a pawn ending"
        return
    kings, passed = [boards[ply].king(white) for white in (True, False)], Position(explanation["opposition"]["fen"])
    files, ranks = abs(kings[0] % 8 - kings[1] % 8), abs(kings[0] // 8 - kings[1] // 8)
    if files * ranks != 0 or (files + ranks) % 2 != 0:
        yield "no opposition"
    if passed.board != boards[ply].board or passed.white == boards[ply].white or not good and "result" not in explanation:
        yield "the turn is not passed, or no result changes"


def has_wrong_bishop(pos, white):
    """A side has nothing but pawns on one rook's file and bishops that do not guard its last square; the other has only pawns."""
    bishops, pawns = squares_of(pos, white, "b"), squares_of(pos, white, "p")
    files = {at % 8 for at in pawns}
    if not bishops or files not in ({0}, {7}) or squares_of(pos, white, "nrq") or squares_of(pos, not white, "nbrq"):
        return False
    corner = files.pop() + (56 if white else 0)
    return all(is_dark(at) != is_dark(corner) for at in bishops)


def is_pawn_ending(pos):
    return not any(piece and piece.lower() in "nbrq" for piece in pos.board)


def mates_in_one(pos):
    return any(after.in_check() and not after.legal() for after in map(pos.make, pos.legal()))


def cannot_save(pos, victims, hunter, before=0, checks=1):
    """Whether after every legal reply some victim (followed if it moves) can be captured for at least a point more than the
    replies won. One intermediate check is allowed, if it has an answer after which this holds, too."""
    for reply in pos.legal():
        after, taken = pos.make(reply), before + pos.taken(reply)
        hunted = hunter is not None and reply[1] == hunter and pos.taken(reply)
        if hunted:
            targets = [hunter]
        else:
            targets = [reply[1] if reply[0] == victim else victim for victim in victims]
        if not after.legal():
            return False
        if any(after.best_on(target) >= taken + 1 for target in targets) or mates_in_one(after):
            continue
        if not (checks and after.in_check() and delayed(after, targets, None if hunted else hunter, taken, checks - 1)):
            return False
    return bool(pos.legal())


def delayed(pos, victims, hunter, taken, checks):
    """Whether after some answer to a check the victims are still lost."""
    for answer in pos.legal():
        after = pos.make(answer)
        left = [victim for victim in victims if victim != answer[1] and after.owns(victim, after.white)]
        hunts = answer[1] if answer[0] == hunter else hunter
        if cannot_save(after, left, hunts, taken - pos.taken(answer), checks):
            return True
    return False


def nothing_stops(pos, pawn, pushes=4):
    """Whether a pawn of the side that is not to move promotes by pushes only, whatever the replies."""
    replies = pos.legal()
    return bool(replies) and all(
        reply[1] != pawn and not reply[2] and pushes_on(pos.make(reply), pawn, pushes) for reply in replies)


def pushes_on(pos, pawn, pushes):
    for move in pos.legal():
        if move[0] != pawn or move[0] % 8 != move[1] % 8 or move[2] not in ("", "q"):
            continue
        after = pos.make(move)
        if move[2]:
            if (after.legal() or after.in_check()) and not after.captures_on(move[1]):
                return True
        elif pushes > 1 and nothing_stops(after, move[1], pushes - 1):
            return True
    return False


def exposes_king(pos, index):
    """Whether the side's king would be attacked along a line without the piece on `index`."""
    without = pos.copy()
    without.board[index] = None
    white = pos.owns(index, True)
    return not pos.in_check(white) and without.in_check(white) or \
        len(without.attackers(without.king(white), not white)) > len(pos.attackers(pos.king(white), not white))


def can_take_back(pos, capture, guard):
    return any(answer[0] == guard and answer[1] == capture[1] for answer in pos.make(capture).legal())


# --- motifs: each yields what is false ---

def fork(boards, moves, motif, piece, victims):
    after = boards[motif["ply"] + 1]
    if len(victims) < 2:
        yield "a fork of fewer than two pieces"
    for victim in victims:
        if not after.owns(victim, after.white):
            yield f"nothing to attack on {name(victim)}"
            continue
        if victim not in after.attacks(piece):
            yield f"the forking piece does not attack {name(victim)}"
        guarded = set(after.attackers(victim, after.white)) - set(victims)
        if after.kind(victim) != "k" and guarded and POINTS[after.kind(victim)] <= POINTS[after.kind(piece)]:
            yield f"{name(victim)} is guarded and not dearer than the forking piece"
    if any(after.gain(capture) >= 0 for capture in after.captures_on(piece)):
        yield "the forking piece can be taken"
    reply, taking = moves[motif["ply"] + 1], moves[motif["won_at"]]
    takes_back = reply[1] == taking[1] == piece
    another = motif["forced"] and (takes_back or taking[1] in victims)
    if not another and (taking[0] != piece or taking[1] not in victims):
        yield "the forking piece takes none of the victims"
    if motif["forced"] and not cannot_save(after, [v for v in victims if after.kind(v) != "k"], piece):
        yield "a reply saves the victims"


def skewer(boards, moves, motif, piece, victims):
    after, (front, rear) = boards[motif["ply"] + 1], victims
    line = between(piece, rear)
    if line is None or front not in line or [s for s in line if after.board[s]] != [front]:
        yield "the two victims are not one behind the other"
    if after.kind(front) != "k" and POINTS[after.kind(front)] <= POINTS[after.kind(rear)]:
        yield "the piece in front is not the dearer one"
    if moves[motif["won_at"]][:2] != (piece, rear):
        yield "the piece behind is not taken"
    if motif["forced"] and not cannot_save(after, [v for v in victims if after.kind(v) != "k"], piece):
        yield "a reply saves the victims"


def uncovers(boards, moves, ply, slider, target):
    before, after = between(slider, target), boards[ply + 1]
    return before is not None and moves[ply][0] in before and moves[ply][1] not in before and \
        target in after.attacks(slider) and target not in boards[ply].attacks(slider)


def discovered_attack(boards, moves, motif, piece, victims):
    if not uncovers(boards, moves, motif["ply"], piece, victims[0]):
        yield "no line is opened to the victim"
    if moves[motif["won_at"]][:2] != (piece, victims[0]):
        yield "the uncovered piece does not take the victim"
    if motif["forced"] and not cannot_save(boards[motif["ply"] + 1], victims, None):
        yield "a reply saves the victim"


def discovered_check(boards, moves, motif, piece, victims):
    after, mover = boards[motif["ply"] + 1], moves[motif["ply"]][1]
    if not uncovers(boards, moves, motif["ply"], piece, after.king(after.white)):
        yield "no check is uncovered"
    at_once = motif["won_at"] == motif["ply"]
    if at_once and (victims[0] != mover or not boards[motif["ply"]].captured(moves[motif["ply"]])):
        yield "the piece that moved takes nothing"
    if not at_once and (victims[0] not in after.attacks(mover) or moves[motif["won_at"]][:2] != (mover, victims[0])):
        yield "the piece that moved does not take the victim"
    if motif["kind"] == "double check" and len(after.attackers(after.king(after.white), not after.white)) < 2:
        yield "fewer than two checks"
    if motif["forced"] and not cannot_save(after, victims, mover):
        yield "a reply saves the victim"


def trapped(boards, moves, motif, _, victims):
    after, victim = boards[motif["ply"] + 1], victims[0]
    if after.in_check() or after.passed().best_on(victim) < 1:
        yield "the trapped piece is not attacked"
    for move in after.legal():
        if move[0] == victim and after.make(move).best_on(move[1]) - after.taken(move) < 1:
            yield f"the trapped piece is safe on {name(move[1])}"
    if motif["forced"] and not cannot_save(after, victims, None):
        yield "a reply saves the trapped piece"
    if not motif["forced"] and boards[motif["ply"]].best_on(victim) >= 1:
        yield "the piece was lost before"
    reply, taking = moves[motif["ply"] + 1], moves[motif["won_at"]]
    if taking[1] != (reply[1] if reply[0] == victim else victim):
        yield "the trapped piece is not taken"


def removed_guard(boards, moves, motif, _, victims):
    before, guard, target = boards[motif["ply"]], victims[0], victims[1]
    early = moves[motif["won_at"]]
    if moves[motif["ply"]][1] != guard or not before.captured(moves[motif["ply"]]) or early[1] != target:
        yield "the guard is not taken, or the target is not"
    elif early not in before.legal() or not can_take_back(before, early, guard):
        yield "the guard could not take back"
    elif before.best_on(target) >= 1:
        yield "the target could be taken before"


def overloaded(boards, moves, motif, _, victims):
    before, guard, second = boards[motif["ply"]], victims[0], victims[1]
    first, answer, last = moves[motif["ply"]], moves[motif["ply"] + 1], moves[motif["won_at"]]
    if answer[:2] != (guard, first[1]) or last[1] != second:
        yield "the guard does not take back, or the second piece is not taken"
    elif last not in before.legal() or not can_take_back(before, last, guard):
        yield "the guard did not guard the second piece"
    elif before.best_on(second) >= 1 or before.best_on(first[1]) >= 1:
        yield "one of the two could be taken before"
    elif can_take_back(boards[motif["won_at"]], last, first[1]):
        yield "the guard can still take back"


def guard_fails(boards, moves, motif, guard, guard_then):
    before, taking = boards[motif["ply"]], moves[motif["won_at"]]
    if taking not in before.legal() or not before.captured(taking):
        yield "the capture was not possible before"
    elif before.best_on(taking[1]) >= 1:
        yield "the piece could be taken before"
    elif not can_take_back(before, taking, guard):
        yield "the guard was none"
    elif can_take_back(boards[motif["won_at"]], taking, guard_then):
        yield "the guard can still take back"


def deflection(boards, moves, motif, _, victims):
    guard, target = victims
    first, answer, last = moves[motif["ply"]], moves[motif["ply"] + 1], moves[motif["won_at"]]
    if answer[0] != guard or last[1] != target or target in boards[motif["ply"] + 2].attacks(answer[1]):
        yield "the guard does not leave, or the target is not taken"
    if answer[1] != first[1] and not boards[motif["ply"] + 1].in_check():
        yield "the guard had no need to move"
    before, way = boards[motif["ply"]], between(last[0], target) or []
    if guard not in way or [at for at in way if before.board[at]] != [guard] or \
            any(before.board[at] != boards[motif["ply"] + 1].board[at] for at in (last[0], target)):
        yield from guard_fails(boards, moves, motif, guard, answer[1])


def interference(boards, moves, motif, piece, victims):
    guard, target = victims
    if moves[motif["ply"]][1] != piece or piece not in (between(guard, target) or []) or moves[motif["won_at"]][1] != target:
        yield "nothing comes between, or the target is not taken"
    if moves[motif["ply"] + 1][0] == guard or moves[motif["ply"] + 1][1] == piece:
        yield "the reply moves the guard, or takes what comes between"
    yield from guard_fails(boards, moves, motif, guard, guard)


def attraction(boards, moves, motif, piece, victims):
    ply, lured = motif["ply"], victims[0]
    offer, answer, blow, taking = moves[ply:ply + 4][:3] + [moves[motif["won_at"]]]
    after = boards[ply + 3]
    if not offer[1] == answer[1] == lured or answer[0] != piece or boards[ply + 2].kind(lured) not in ("k", "q", "r"):
        yield "nothing dear takes the offer"
    if lured not in after.attacks(blow[1]):
        yield "what was drawn there is not attacked"
    escape = moves[ply + 3]
    is_taken = taking[1] == (escape[1] if escape[0] == lured else lured)  # there, or where it went
    if motif["won_at"] != ply + 4 or after.kind(lured) != "k" and not is_taken and not fork_or_skewer(after, blow[1], taking):
        yield "nothing is won by it"


def fork_or_skewer(pos, piece, taking):
    """Whether the piece attacks the captured one, or something in front of it."""
    line = between(piece, taking[1])
    return taking[1] in pos.attacks(piece) or line is not None and sum(pos.board[at] is not None for at in line) == 1


def relative_pin(boards, moves, motif, piece, victims):
    before, (front, rear) = boards[motif["ply"] - 1], victims
    line = between(piece, rear)
    if line is None or [at for at in line if before.board[at]] != [front] or front not in before.attacks(piece):
        yield "the two pieces are not one behind the other"
    if POINTS[before.kind(rear)] <= max(POINTS[before.kind(front)], POINTS[before.kind(piece)]):
        yield "the piece behind is not more valuable"
    if moves[motif["won_at"]][1] != front:
        yield "the pinned piece is not taken"
    left = [move for move in before.legal() if move[0] == front and leaves_line(piece, front, move[1])]
    for move in left:
        after = before.make(move)
        if after.in_check() or after.best_on(rear) - before.taken(move) < 1:
            yield f"the pinned piece could go to {name(move[1])}"
    if not left:
        yield "the pinned piece could not leave the line anyway"


def leaves_line(pinner, front, to):
    """Whether a square is outside the line through the pinning and the front piece."""
    df, dr = front % 8 - pinner % 8, front // 8 - pinner // 8
    ef, er = to % 8 - pinner % 8, to // 8 - pinner // 8
    return df * er != dr * ef


def pin(boards, moves, motif, _, victims):
    if not exposes_king(boards[motif["ply"] - 1], victims[0]):
        yield "the piece is not pinned"
    if moves[motif["won_at"]][1] != victims[0]:
        yield "the pinned piece is not taken"


def pinned_guard(boards, moves, motif, _, victims):
    after, target, guard = boards[motif["ply"] + 1], victims[0], victims[1]
    if target not in after.attacks(guard) or any(m[0] == guard and m[1] == target for m in after.legal()):
        yield "the guard does not look there, or can take"
    if not exposes_king(after, guard):
        yield "the guard is not pinned"
    if moves[motif["ply"]][1] != target or motif["won_at"] != motif["ply"] and moves[motif["won_at"]][0] != target:
        yield "the move does not go there, or wins nothing from there"


def promotion(boards, moves, motif, piece, _):
    ply = motif["ply"]
    if motif["won_at"] == ply:
        if not moves[ply][2] or any(boards[ply + 1].gain(c) >= 0 for c in boards[ply + 1].captures_on(piece)):
            yield "no promotion, or the new piece can be taken"
    elif not moves[motif["won_at"]][2] or not nothing_stops(boards[ply + 1], piece):
        yield "the pawn does not promote, or a reply stops it"


def is_recapture(boards, moves, ply):
    """Whether a capture only takes back what was taken by the other side's last move to that square."""
    earlier = [at for at in range(ply - 1, -1, -2) if moves[at][1] == moves[ply][1]]
    return bool(earlier) and bool(boards[earlier[0]].captured(moves[earlier[0]])) and \
        boards[ply].taken(moves[ply]) <= boards[earlier[0]].taken(moves[earlier[0]])


def capture(boards, moves, motif, _, victims):
    before, move = boards[motif["won_at"]], moves[motif["won_at"]]
    back = boards[motif["won_at"] + 1].captures_on(move[1])
    if move[1] != victims[0] or not before.captured(move):
        yield "nothing is taken there"
    elif motif["kind"] == "undefended piece" and back:
        yield "the piece is defended"
    elif is_recapture(boards, moves, motif["won_at"]):
        yield "it only takes back"
    elif before.gain(move) < max(1, POINTS[before.captured(move)] - 1):
        yield "the capture wins less than the piece"


def intermezzo(boards, moves, motif, _, victims):
    ply, first, then = motif["ply"], moves[motif["ply"]], moves[motif["won_at"]]
    if ply == 0 or not boards[ply - 1].captured(moves[ply - 1]) or moves[ply - 1][1] != victims[0]:
        yield "nothing was taken there before"
    if first[1] == victims[0] or then[1] != victims[0] or boards[ply].best_on(victims[0]) < 1:
        yield "it could not be taken back at once, or is taken back at once"
    if not boards[ply + 1].in_check() and not boards[ply].captured(first):
        yield "what comes first is neither a check nor a capture"


def attack_on_pinned(boards, moves, motif, piece, victims):
    ply, target, rear = motif["ply"], victims[0], victims[1]
    after, moved = boards[ply + 1], moves[ply]
    if moved[1] != piece or target not in after.attacks(piece) or target in boards[ply].attacks(moved[0]):
        yield "the pinned piece is not attacked by it, or was before"
    if moves[motif["won_at"]][1] != target or moves[ply + 1][1] == target:
        yield "the pinned piece is not taken"
    if after.kind(rear) == "k":
        if not exposes_king(after, target):
            yield "the piece is not pinned"
        return
    pinners = [at for at in after.attackers(target, not after.white) if after.kind(at) in "brq" and at != piece
               and [on for on in between(at, rear) or [] if after.board[on]] == [target]]
    left = [move for move in after.legal() if move[0] == target and pinners and leaves_line(pinners[0], target, move[1])]
    if not left or any(after.make(move).best_on(rear) - after.taken(move) < 1 for move in left):
        yield "the piece could leave its line"


def mating_check(boards, moves, motif, piece, victims):
    after = boards[motif["ply"] + 1]
    if victims != [after.king(after.white)] or not uncovers(boards, moves, motif["ply"], piece, victims[0]):
        yield "no check is uncovered"
    if motif["kind"] == "double check" and len(after.attackers(after.king(after.white), not after.white)) < 2:
        yield "fewer than two checks"


def mating_attack(boards, moves, motif, piece, victims):
    if not uncovers(boards, moves, motif["ply"], piece, victims[0]):
        yield "no line is opened to the victim"
    if not boards[motif["ply"] + 1].owns(victims[0], boards[motif["ply"] + 1].white):
        yield "no victim there"
    taking = moves[motif["ply"] + 2]
    if taking[:2] != (piece, victims[0]) or not boards[motif["ply"] + 2].captured(taking):
        yield "the uncovered piece does not take the victim"


def mating_pin(boards, moves, motif, _, victims):
    after, (target, guard), moved = boards[motif["ply"] + 1], victims, moves[motif["ply"]][1]
    if target not in after.attacks(guard) or any(m[0] == guard and m[1] == target for m in after.legal()):
        yield "the guard does not look there, or can go there"
    if not exposes_king(after, guard):
        yield "the guard is not pinned"
    king = after.king(after.white)
    checkers = after.attackers(king, not after.white)
    answers = [moved] + (checkers + (between(checkers[0], king) or []) if len(checkers) == 1 else [])
    if target not in answers or after.kind(guard) == "p" and after.board[target] is None:
        yield "to go there would answer nothing"
    if after.captures_on(moved):
        yield "another piece can take the one that moved"


MATING_MOTIFS = {"discovered check": mating_check, "double check": mating_check, "discovered attack": mating_attack,
                 "pinned guard": mating_pin}
MOTIFS = {"fork": fork, "skewer": skewer, "discovered attack": discovered_attack, "discovered check": discovered_check,
          "double check": discovered_check, "trapped piece": trapped, "removed guard": removed_guard,
          "overloaded guard": overloaded, "deflection": deflection, "interference": interference, "attraction": attraction,
          "intermezzo": intermezzo, "attack on a pinned piece": attack_on_pinned,
          "relative pin": relative_pin, "pin": pin, "pinned guard": pinned_guard, "promotion": promotion,
          "undefended piece": capture, "piece not guarded enough": capture}


def later_causes(cause, boards, moves, falls):
    """Of a piece that has not moved and is taken later: the first piece is put back, and the capture wins less."""
    root, pos, (start, to, _), taking = boards[0], boards[falls], moves[0], moves[falls]
    lost, back = taking[1], pos.copy()
    mover = root.board[start]
    if place(boards, moves, falls, lost) != lost or not pos.captured(taking) or pos.gain(taking) < 1 or pos.board[start]:
        yield "nothing falls there, or its place is taken"
        return
    if back.board[to] == mover:
        back.board[to] = None
    back.board[start] = mover
    if taking in back.legal() and back.gain(taking) >= pos.gain(taking):
        yield "it would fall all the same"
    if cause == "opened line" and (taking in back.legal() or start not in (between(taking[0], lost) or [])):
        yield "it did not stand between"
    if cause == "guard moved away" and (lost not in root.attacks(start) or lost not in back.attacks(start) or
                                        pos.board[to] == mover and lost in pos.attacks(to)):
        yield "the piece that moved was no guard"
    if cause == "closed line" and not any(to in (between(guard, lost) or []) for guard in back.attackers(lost, root.white)):
        yield "no guard is cut off"


def causes(cause, boards, moves):
    before, after, move, taking = boards[0], boards[1], moves[0], moves[1]
    lost = taking[1]
    if not after.captured(taking) or after.gain(taking) < 1:
        yield "the reply wins nothing"
    if cause == "poisoned capture" and not (before.captured(move) and lost == move[1]):
        yield "no capture is taken back"
    if cause == "guarded capture" and not (before.captured(move) and before.gain(move) < 0 and moves[3][1] == lost == move[1]):
        yield "no exchange on that square"
    if cause == "moved into attack" and (lost != move[1] or before.passed().best_on(move[0]) >= 1):
        yield "it could be taken before"
    if cause == "ignored threat" and (taking not in before.passed().legal() or before.passed().gain(taking) < 1):
        yield "there was no such threat"
    if cause == "guard moved away" and not can_take_back(before.passed(), taking, move[0]):
        yield "the piece that moved was no guard"
    if cause == "opened line" and (move[0] not in (between(taking[0], lost) or []) or taking in before.passed().legal()):
        yield "it did not stand between"
    if cause == "closed line" and not any(move[1] in (between(guard, lost) or [])
                                          for guard in before.attackers(lost, before.white)):
        yield "no guard is cut off"


def has_left(pos, move, mover, target):
    """Whether the piece that has made the move would attack the target from its old square, and does not from its new one."""
    back = pos.copy()
    back.board[move[0]], back.board[move[1]] = mover, None
    return pos.board[move[1]] == mover and target in back.attacks(move[0]) and target not in pos.attacks(move[1])


def mate_causes(cause, boards, moves, explanation):
    """Causes of a mate: the last board with the piece that moved put back or taken off, or the same mate after a pass."""
    last, (start, to, _), mater, told = boards[-1], moves[0], moves[-1][1], " ".join(explanation["words"])
    if cause == "ignored threat":
        line = boards_of(explanation["pass"]["branch"]["fen"], explanation["pass"]["branch"]["line"])
        if line[0] is None or line[1][0] != moves[1] or line[0][-1].legal() or not line[0][-1].in_check():
            yield "there was no such threat"
        return
    off = last.copy()
    off.board[to] = None
    guards = lambda pos: {at for at in pos.attackers(mater, last.white) if pos.kind(at) != "k"}
    if cause == "guard of the square moved away" and not any(
            has_left(boards[ply + 1], moves[0], boards[1].board[to], moves[ply][1]) and f"guards {name(moves[ply][1])}." in told
            for ply in range(1, len(moves), 2)):
        yield "it did not guard that square"
    if cause == "opened line" and not any(
            start in (between(*moves[ply][:2]) or []) or ply == len(moves) - 1 and
            any(start in (between(at, end) or []) for end in (last.king(last.white), mater) for at in last.attackers(end, not last.white))
            for ply in range(1, len(moves), 2)):
        yield "it stood in no way"
    if cause == "guard of the square cut off" and not guards(off) - guards(last):
        yield "no guard is cut off"
    if cause == "blocked flight square":
        off.board[last.king(last.white)] = None
        if to not in last.attacks(last.king(last.white)) or off.attackers(to, not last.white):
            yield "the king could not go there"


# --- good moves ---

def threats(threat, root, winner):
    """What is false about a threat: the line after a pass must mate, or win for the side that did not pass."""
    line = boards_of(threat["branch"]["fen"], threat["branch"]["line"])
    if line[0] is None or line[0][0].board != root.board or line[0][0].white == root.white or root.in_check():
        yield "no pass"
    elif "mate" in threat:
        if line[0][-1].legal() or not line[0][-1].in_check():
            yield "the threat mates nobody"
    elif "points" not in threat or threat["settled"] > 8 or \
            material(*line, threat["settled"], not winner)[0] != threat["points"] or threat["points"] < 1:
        yield "the threat wins nothing"


def merits(explanation, boards, moves):
    merit, root, after = explanation["merit"], boards[0], boards[1]
    if merit["kind"] == "draws" and draw_at_end(boards, moves) is None:
        yield "no draw on the board"
    if merit["kind"] == "sacrifice":
        offers = max((after.gain(move) for move in after.legal() if after.captured(move)), default=0)
        taken = moves[1] if "accepted" not in merit else after.parse(merit["accepted"]["line"][0]["uci"])
        if taken is None or not after.captured(taken) or after.gain(taken) != offers or \
                merit["offered"] != offers - root.taken(moves[0]) or merit["offered"] < 2:
            yield "no sacrifice"
    if merit["kind"] == "meets a threat":
        yield from threats(explanation["pass"], root, not root.white)
    if merit["kind"] == "threatens":
        yield from threats(merit["threat"], after, root.white)
    if "motif" in merit:
        threat = explanation["pass"] if merit["kind"] == "meets a threat" else merit["threat"]
        motif, line = merit["motif"], boards_of(threat["branch"]["fen"], threat["branch"]["line"])
        yield from MOTIFS[motif["kind"]](*line, motif, square(motif["piece"]), [square(text) for text in motif["victims"]])
    if merit["kind"] == "prevents":
        passed = root.passed()
        move = passed.parse(explanation["pass"]["branch"]["line"][0]["uci"])
        if move is None or passed.gain(move) < 0 or after.in_check() or after.board[move[0]] != passed.board[move[0]]:
            yield "nothing to prevent"
        elif move in after.legal() and after.gain(move) >= passed.gain(move):
            yield "it is not prevented"
    if any("blocks the check" in text for text in explanation["words"]):
        checkers = root.attackers(root.king(root.white), not root.white)
        if len(checkers) != 1 or moves[0][1] not in (between(checkers[0], root.king(root.white)) or []):
            yield "no check is blocked"
    for count in (3, 2):
        if any(f"only {'two three'.split()[count - 2]} legal moves" in text for text in explanation["words"]) and \
                (len(root.legal()) != count or not root.in_check()):
            yield "not in check, or another number of moves"
    if any("only legal move" in text for text in explanation["words"]) and len(root.legal()) != 1:
        yield "not the only legal move"
    if any("every other one allows mate" in text for text in explanation["words"]) and merit["second"]["score"].get("mate", 0) >= 0:
        yield "the second-best move is not mated"
    if merit["only"] and merit["second"]["line"][0]["uci"] == explanation["move"]["uci"]:
        yield "the same move is not the only one"


# --- what the words name, and the line shows ---

SAN = r"(?:[KQRBN][a-h]?[1-8]?x?[a-h][1-8]|[a-h](?:x[a-h])?[1-8](?:=[QRBN])?|O-O(?:-O)?)[+#]?"


def named_moves(text):
    """The moves that a sentence names with their numbers: (number, whether Black moves, move)."""
    return [(int(number), bool(dots), san) for number, dots, san in re.findall(rf"(\d+)\.(\.\.)? ({SAN})", text)]


def numbered(fen, line):
    """The moves of a line in the same form."""
    _, side, *_, number = fen.split()
    first = 2 * int(number) + (side == "b")
    return [((first + ply) // 2, (first + ply) % 2 == 1, move["san"]) for ply, move in enumerate(line)]


def point(explanation, part):
    """The board on which a line shows its reason. Where pieces are lost, that is after the last of them: pawns do not count."""
    end, claimed = explanation["settled"], explanation.get("material", {"lost": {}})["lost"]
    if "mate" in explanation or not set(claimed) - {"pawn"}:
        return end
    boards, moves = boards_of(explanation["fen"], explanation[part])
    taken = lambda ply: (boards[ply].captured(moves[ply]) or "p") != "p" or bool(moves[ply][2])
    return max((ply + 1 for ply in range(min(end, len(moves))) if taken(ply)), default=1)


def short_lines(explanation):
    """Lines that are printed up to a move before the one that they are shown for."""
    shown, merit = explanation["shown"], explanation.get("merit", {})
    seen = {move for part in ("line", "better") for move in numbered(explanation["fen"], explanation[part])[:shown[part]]}
    branches = [explanation.get("natural"), explanation.get("pass", {}).get("branch"), merit.get("second"),
                merit.get("accepted"), merit.get("threat", {}).get("branch"), explanation.get("reply_threat", {}).get("branch"), explanation.get("plan", {}).get("branch")]
    for branch in filter(None, branches):  # a sentence names their first moves, or how a fact of the second-best move comes about
        seen.update(numbered(branch["fen"], branch["line"])[:shown["second"] if branch is merit.get("second") else 2])
    for text in explanation["words"]:
        for move in named_moves(text):
            if move not in seen:
                yield f"the line ends before {move}"
    part = "better" if explanation["reason"] in ("misses material", "misses mate") else "line"
    if explanation["reason"] in ("loses material", "misses material", "allows mate", "misses mate") and \
            shown[part] < min(point(explanation, part), len(explanation[part])):
        yield "the line ends before its point"


def recaptures(explanation, line, better):
    """Gains that may only take back what was taken before: captures after which the game is no better than level."""
    good, missed = explanation["reason"] in ("best", "as good as the best"), explanation["reason"] == "misses material"
    boards, moves = better if missed else line
    score = explanation["best_score" if missed else "score"].get("cp", 10000)
    if (good or missed) and "material" in explanation and boards[0].captured(moves[0]) and score < 48 and \
            not any("wins back" in text or "only" in text for text in explanation["words"]):
        yield "it may only win back"


def common_motifs(motif, boards, moves, other):
    """Whether the other line has the motif's move and, as many plies later, its capture, which wins something there, too, and the
    motif holds there as well."""
    length = motif["won_at"] - motif["ply"]
    victims = [square(text) for text in motif["victims"]]
    act = lambda at, line: (line[1][at], line[1][at + length], line[0][at + length].captured(line[1][at + length]))
    for ply in range(1, len(other[1]) - length - 1):
        if other[0][ply].white != boards[motif["ply"]].white or act(ply, other) != act(motif["ply"], (boards, moves)):
            continue
        if motif["kind"] != "promotion" and other[0][ply + length].gain(other[1][ply + length]) < 1:
            continue
        there = dict(motif, ply=ply, won_at=ply + length)
        if not list(MOTIFS[motif["kind"]](*other, there, square(motif["piece"]), victims)):
            yield f"{motif['kind']}: on the other line, too"


def late_replies(explanation):
    """For material that is complete after ply 8: the loser's replies, as (position, move), that no board shows to be forced.
    All others must be worse, which only a referee can say."""
    if explanation["reason"] not in ("loses material", "misses material") or explanation["settled"] <= 8:
        return []
    if explanation.get("motif", {}).get("forced") and explanation["motif"]["ply"] <= 8:
        return []
    loses = explanation["reason"] == "loses material"
    boards, moves = boards_of(explanation["fen"], explanation["line" if loses else "better"])
    return [(boards[ply], moves[ply]) for ply in range(2 if loses else 1, explanation["settled"], 2)
            if not boards[ply].in_check() and not boards[ply + 1].in_check() and not boards[ply].captured(moves[ply])
            and len(boards[ply].legal()) > 1]


# --- what a referee says (referee.py) ---

def unforced(explanation, referee, fen_of, text_of, depth=16, worse=15):
    """Replies of a late claim that are not forced: another one is hardly worse."""
    for pos, reply in late_replies(explanation):
        fen, others = fen_of(pos, 2), [text_of(move) for move in pos.legal() if move != reply]
        kept, best = referee.search(fen, depth, text_of(reply))[0], referee.search(fen, depth, " ".join(others))[0]
        if best > kept - worse:
            yield f"{text_of(reply)} is not forced"


def contradicted(explanation, referee, depth=25):
    """A changed result that the referee does not see: won from 1 pawn on, level up to 1.5, lost from -1 on."""
    holds = {"win": lambda score: score >= 100, "open": lambda score: score <= 300, "draw": lambda score: abs(score) <= 150, "loss": lambda score: score <= -100}
    for part, move in (("better", "best"), ("played", "move")) if "result" in explanation else ():
        score = referee.search(explanation["fen"], depth, explanation[move]["uci"])[0]
        if not holds[explanation["result"][part]](score):
            yield f"{explanation[move]['san']} is no {explanation['result'][part]}: {score}"
    if "opposition" in explanation and "result" in explanation:
        score = referee.search(explanation["opposition"]["fen"], depth)[0]
        if not holds["loss"](score) if explanation["result"]["better"] == "win" else score >= 100:
            yield f"to pass would not help: {score}"


def naturals(explanation, boards, moves):
    """The natural reply of the loser and its refutation."""
    line = boards_of(explanation["natural"]["fen"], explanation["natural"]["line"])
    first = 2 if explanation["reason"] == "loses material" else 1
    plies = [ply for ply in range(first, len(moves), 2) if line[0] and boards[ply].board == line[0][0].board]
    if not plies:
        yield "no such reply"
    elif line[1][0] == moves[plies[0]]:
        yield "the natural reply is that of the line"


def has_pattern(pattern, pos):
    """Whether the mate on this board has that pattern; docs/explain.md has the rules."""
    king, mater = pos.king(pos.white), not pos.white
    file, rank = king % 8, king // 8
    ring = [at for df, dr in KING if (at := step(king, df, dr)) is not None]
    checkers, kinds = pos.attackers(king, mater), lambda squares: {pos.kind(at) for at in squares}
    own = lambda at: pos.board[at] is not None and pos.owns(at, pos.white)
    apart = lambda at: (abs(at % 8 - file), abs(at // 8 - rank))
    if pattern == "smothered":
        return kinds(checkers) == {"n"} and all(map(own, ring))
    if pattern == "back rank":
        before = [at for at in ring if at // 8 != rank]
        return rank == (0 if pos.white else 7) and all(own(at) and not pos.attackers(at, mater) for at in before) and \
            any(at // 8 == rank for at in checkers)
    if pattern in ("Arabian", "hook"):
        for rook in (at for at in checkers if pos.kind(at) == "r" and max(apart(at)) == 1):
            for knight in (at for at in pos.attackers(rook, mater) if pos.kind(at) == "n"):
                if pattern == "Arabian" and king in (0, 7, 56, 63) and apart(knight) == (2, 2):
                    return True
                if pattern == "hook" and max(apart(knight)) == 1 and "p" in kinds(pos.attackers(knight, mater)):
                    return True
        return False
    if pattern == "Anastasia":
        inward = {0: 1, 7: -1}.get(file)
        if inward is None or rank in (0, 7):
            return False
        knight = king + 3 * inward
        return own(king + inward) and pos.kind(knight) == "n" and not own(knight) and \
            any(at % 8 == file and pos.kind(at) in ("r", "q") for at in checkers)
    if pattern in ("Boden", "double bishop"):
        bishops = [at for at in range(64) if pos.kind(at) == "b" and not own(at)]
        if len(bishops) != 2 or any(kinds(pos.attackers(at, mater)) - {"b"} for at in [king, *ring]):
            return False
        return (sum(at % 8 < file for at in bishops) == 1 and all(at % 8 != file for at in bishops)) == (pattern == "Boden") \
            or any(at % 8 == file for at in bishops)
    if pattern == "dovetail":
        queens = [at for at in checkers if pos.kind(at) == "q" and apart(at) == (1, 1)]
        if not queens or file in (0, 7) or rank in (0, 7):
            return False
        rest = [at for at in ring if at != queens[0]]
        # The king blocks the queen's line, so an empty square behind it has no attacker.
        return all(pos.board[at] is None if pos.attackers(at, mater) == queens else not pos.attackers(at, mater) for at in rest)
    return False


def check(explanation):
    """All false claims of an explanation, as texts."""
    fen, reason = explanation["fen"], explanation["reason"]
    line = boards_of(fen, explanation["line"])
    better = boards_of(fen, explanation["better"])
    if line[0] is None or better[0] is None:
        return ["a line has an illegal move"]
    found = []
    root = line[0][0]
    boards, moves = better if reason in ("misses material", "misses mate") else line
    end = explanation.get("settled", len(moves))
    if reason in ("allows mate", "misses mate") or "mate" in explanation:
        last = boards[len(moves)]
        if last.legal() or not last.in_check():
            found.append("the line does not end in mate")
        elif explanation["mate"] != (len(moves) + 1) // 2:
            found.append("mate in another number of moves")
        if reason in ("allows mate", "misses mate") and (reason == "misses mate") != (len(moves) % 2 == 1):
            found.append("mate for the wrong side")
    if "mate_pattern" in explanation and not has_pattern(explanation["mate_pattern"], boards[len(moves)]):
        found.append(f"no {explanation['mate_pattern']} mate")
    if reason == "stalemate" and (boards[end].legal() or boards[end].in_check() or end > 12):
        found.append("no stalemate")
    if reason == "repetition" and boards[end].key() not in [pos.key() for pos in boards[:end]]:
        found.append("no repetition in the line")
    if reason == "pawn ending" and (not is_pawn_ending(boards[end]) or is_pawn_ending(root)):
        found.append("no trade into a pawn ending")
    if reason == "wrong bishop" and not (has_wrong_bishop(boards[end], root.white) and has_wrong_bishop(boards[-1], root.white)):
        found.append("no wrong bishop")
    if "result" in explanation:
        found += results(explanation["result"], line, better)
    if "material" in explanation:
        white = root.white if reason == "loses material" else not root.white
        points, lost, gained = material(boards, moves, end, white)
        claimed = explanation["material"]
        letters = {"pawn": "p", "knight": "n", "bishop": "b", "rook": "r", "queen": "q"}
        if reason in ("loses material", "misses material"):
            other = line if reason == "misses material" else better
            found += differences(claimed, (boards, moves, end, white), (*other, claimed["compared"], white))
        elif claimed["points"] != points or sum(claimed["lost"].values()) != sum(lost.values()) or \
                {letters[k]: v for k, v in claimed["lost"].items() if letters[k] not in MINOR} != \
                {k: v for k, v in lost.items() if k not in MINOR}:
            found.append(f"material {claimed} is not {points}, {dict(lost)}, {dict(gained)}")
    found += facts(explanation, line, better)
    if "cause" in explanation and reason == "allows mate":
        found += mate_causes(explanation["cause"], *line, explanation)
    elif "falls" in explanation and explanation["cause"] != "guarded capture":
        found += later_causes(explanation["cause"], *line, explanation["falls"])
    elif "cause" in explanation:
        found += causes(explanation["cause"], *line)
    if "merit" in explanation:
        found += merits(explanation, *line)
    if "natural" in explanation:
        found += naturals(explanation, boards, moves)
    if "opposition" in explanation:
        found += oppositions(explanation, *line)
    found += move_facts(explanation, line, better)
    if reason == "loses time":
        found += loses_time(*line, end - 1)
    if "plan" in explanation:
        found += plans(explanation, better[0])
    if "reply_threat" in explanation:
        found += reply_threats(explanation, *line)
    found += short_lines(explanation)
    found += recaptures(explanation, line, better)
    if "also" in explanation and explanation["also"]["kind"] == explanation["motif"]["kind"]:
        found.append("the same motif twice")
    for motif in (explanation[field] for field in ("motif", "also") if field in explanation):
        victims = [square(text) for text in motif["victims"]]
        if "mate" in explanation and "material" not in explanation:
            if motif["won_at"] != len(moves) - 1:
                found.append(f"{motif['kind']}: not up to the mate")
            found += MATING_MOTIFS[motif["kind"]](boards, moves, motif, square(motif["piece"]), victims)
            continue
        won = moves[motif["won_at"]]
        if motif["kind"] != "promotion" and boards[motif["won_at"]].gain(won) < 1:
            found.append(f"{motif['kind']}: the capture wins nothing")
        if motif["won_at"] >= end:
            found.append(f"{motif['kind']}: after the line rests")
        if reason in ("loses material", "misses material"):
            found += common_motifs(motif, boards, moves, line if reason == "misses material" else better)
        found += MOTIFS[motif["kind"]](boards, moves, motif, square(motif["piece"]), victims)
    return found


def check_safely(explanation):
    """As check, for claims that may be nonsense: a claim that cannot be checked is false."""
    try:
        return check(explanation)
    except (AttributeError, IndexError, KeyError, TypeError) as error:
        return [repr(error)]
