"""Checks what `luft explain FEN --json` says of a position by independent rules of chess (rules.py)."""

import collections

import explain_checker
from rules import POINTS, Position, square


def is_attacked(pos, at):
    """Whether the side to move wins something on the square."""
    return any(pos.gain(move) >= 1 for move in pos.captures_on(at))


def has_retaker(pos, capture):
    return bool(pos.make(capture).captures_on(capture[1]))


def hanging(pos, _, attack, at, __):
    return is_attacked(attack, at) and any(not has_retaker(attack, move) for move in attack.captures_on(at))


def outnumbered(pos, _, attack, at, __):
    return is_attacked(attack, at) and all(has_retaker(attack, move) for move in attack.captures_on(at))


def trapped(pos, own, attack, at, _):
    moves = [move for move in own.legal() if move[0] == at]
    return is_attacked(attack, at) and \
        all(max([0] + [own.make(move).gain(answer) for answer in own.make(move).captures_on(move[1])]) - own.taken(move) >= 1
            for move in moves)


def pinned(pos, own, _, at, others):
    return explain_checker.exposes_king(own, at) and own.board[others[0]].lower() in "brq"


def relative_pin(pos, own, _, at, others):
    pinner, rear = others
    if not {at} <= set(explain_checker.between(pinner, rear)) or \
            POINTS[own.kind(rear)] <= max(POINTS[own.kind(at)], POINTS[own.kind(pinner)]):
        return False
    leaving = [move for move in own.legal() if move[0] == at and explain_checker.leaves_line(pinner, at, move[1])]
    return bool(leaving) and all(
        not own.make(move).in_check() and own.make(move).best_on(rear) - own.taken(move) >= 1 for move in leaving)


def overloaded(pos, _, attack, at, others):
    """Some capture of one piece, taken back by the guard alone, lets the other fall for more than was given."""
    first, second = others
    if is_attacked(attack, first) or is_attacked(attack, second):
        return False
    for capture in attack.captures_on(first):
        after = attack.make(capture)
        answers = after.captures_on(first)
        if {answer[0] for answer in answers} != {at}:
            continue
        later = after.make(answers[0])
        won = attack.taken(capture) - POINTS[attack.kind(capture[0])]
        if won + max([later.gain(move) for move in later.captures_on(second)], default=-100) >= 1:
            return True
    return False


TROUBLES = {"hanging": hanging, "not guarded enough": outnumbered, "trapped": trapped, "overloaded": overloaded, "pinned": pinned,
            "relative pin": relative_pin}


def branches(overview):
    """The best move and the threat, as the checker of explanations reads them."""
    for name in ("best", "threat"):
        if name in overview:
            branch, words = overview[name], overview["words"] if name == "best" else []
            yield name, dict(branch, reason=name, better=branch["line"], best_score=branch["score"], words=words,
                             shown={"line": len(branch["line"]), "better": len(branch["line"])})


def short_lines(overview):
    """Moves that a sentence names and no line shows."""
    seen = set()
    for branch in (overview[name] for name in ("best", "threat") if name in overview):
        seen.update(explain_checker.numbered(branch["fen"], branch["line"])[:branch["shown"]])
        if branch["shown"] < min(branch.get("settled", 0), len(branch["line"])):
            yield "the line ends before its point"
    for text in overview["words"]:
        yield from (f"the line ends before {move}" for move in explain_checker.named_moves(text) if move not in seen)


def pieces(overview, pos):
    for piece in overview["pieces"]:
        white, at = piece["side"] == "White", square(piece["square"])
        own = pos if pos.white == white else pos.passed()
        attack = own.passed()
        if not pos.owns(at, white) or not TROUBLES[piece["kind"]](pos, own, attack, at, list(map(square, piece["others"]))):
            yield f"{piece}: not so"
        if piece.get("lost") and not explain_checker.cannot_save(pos, {at}, None):
            yield f"{piece}: can be saved"


def facts(overview, boards):
    for fact in (fact for fact in overview["facts"] if fact["refused"] is None):
        white, at = fact["side"] == "White", square(fact["square"])
        if not all(explain_checker.has_fact(pos, fact["kind"], white, at) for pos in
                   [boards[0]] + [boards[ply] for ply in explain_checker.second_half(boards)]):
            yield f"{fact['kind']}: does not stand"
        is_ours = white == boards[0].white
        sign = -1 if explain_checker.FACTS[fact["kind"]][2] == is_ours else 1
        moved = collections.defaultdict(list)
        for edit in fact["edits"]:
            moved[edit["ply"]].append(sign * (edit["after"] - edit["before"]))
            if explain_checker.has_fact(Position(edit["fen"]), fact["kind"], white, at):
                yield f"{fact['kind']}: still there after the edit"
        means = [sum(values) / len(values) for values in moved.values()]
        if len(means) != 3 or min(means) <= -1 or sum(means) / 3 < 14:
            yield f"{fact['kind']}: not worth enough"


def check(overview):
    """All false claims, as texts."""
    pos = Position(overview["fen"])
    found = [f"{name}: {fault}" for name, branch in branches(overview) for fault in explain_checker.check(branch)
             if not fault.startswith("the line ends before")]  # it knows one line only
    found += short_lines(overview)
    boards, _ = explain_checker.boards_of(overview["fen"], overview["best"]["line"])
    if "threat" in overview:
        threat = overview["threat"]
        after = Position(threat["fen"])
        if pos.in_check() or after.board != pos.board or after.white == pos.white:
            found.append("the threat does not follow a pass")
        cost = overview["score"].get("cp", 10000) - overview["pass"].get("cp", -10000)
        if "mate" not in threat and (threat["settled"] > 8 if "material" in threat else cost < 99):
            found.append("the threat wins nothing")
    return found + list(pieces(overview, pos)) + list(facts(overview, boards))
