"""What goes into the engine and what comes out: limits, moves and boards, scores and lines, options, verdicts."""

from __future__ import annotations

import ctypes
import math
import operator
from dataclasses import dataclass
from typing import Any, Dict, Iterable, List, Literal, Optional, Protocol, Sequence, Tuple, TypedDict, Union

from . import _native


class LuftError(ValueError):
    """A call was refused; the text gives the reason. A value of a wrong type is a TypeError."""


# --- moves and boards: texts, or the objects of python-chess, which is not needed ---

class MoveLike(Protocol):
    """A chess.Move."""
    def uci(self) -> str: ...


class BoardLike(Protocol):
    """A chess.Board."""
    @property
    def chess960(self) -> bool: ...
    @property
    def move_stack(self) -> Sequence[MoveLike]: ...
    def root(self) -> BoardLike: ...
    def fen(self) -> str: ...


Move = Union[str, MoveLike]
Moves = Union[str, Iterable[Move]]  # a text has blanks between its moves


def encode(name: str, value: str) -> bytes:
    """A text for C, where a zero character would end it."""
    if not isinstance(value, str):
        raise TypeError(f"{name} needs a text, not {value!r}")
    if "\0" in value:
        raise LuftError(f"{name} has a zero character: {value!r}")
    try:
        return value.encode()
    except UnicodeEncodeError:
        raise LuftError(f"{name} is not valid Unicode: {value!r}") from None


def encode_move(name: str, value: Move) -> bytes:
    if not isinstance(value, str) and not hasattr(value, "uci"):
        raise TypeError(f"{name} needs a move, not {value!r}")
    return encode(name, value if isinstance(value, str) else value.uci())


def encode_moves(name: str, value: Moves) -> bytes:
    if isinstance(value, str):
        return encode(name, value)
    if not isinstance(value, Iterable):
        raise TypeError(f"{name} needs a text or a list, not {value!r}")
    return b" ".join(encode_move(name, move) for move in value)


# --- numbers: C would cut them in silence ---

def whole(name: str, value: Any, least: int = 0, kind: Any = ctypes.c_int) -> int:
    try:
        if isinstance(value, bool):
            raise TypeError
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} needs a whole number, not {value!r}") from None
    most = 2 ** (8 * ctypes.sizeof(kind) - 1) - 1
    if not least <= number <= most:
        raise LuftError(f"{name} must be from {least} to {most}, not {number}")
    return int(number)


def milliseconds(name: str, seconds: float, may_be_negative: bool) -> int:
    """For C, where 0 means no limit: what is shorter than a millisecond becomes one."""
    if not isinstance(seconds, (int, float)):
        raise TypeError(f"{name} needs seconds, not {seconds!r}")
    if not math.isfinite(seconds) or abs(seconds) > 1e9 or (seconds < 0 and not may_be_negative):
        raise LuftError(f"{name} cannot be {seconds} seconds")
    return round(seconds * 1000) or (seconds > 0) - (seconds < 0)


# --- limits ---

class Limits(TypedDict, total=False):
    """The limits of a search, as in LuftLimits of luft.h, but times are in seconds. 0 is no limit, but a clock at 0 has run out;
    None is no clock."""
    depth: int
    nodes: int
    time: float
    white_clock: Optional[float]
    black_clock: Optional[float]
    white_increment: float
    black_increment: float
    moves_to_go: int
    mate: int
    ponder: bool
    search_moves: Moves


_KINDS: Dict[str, Any] = dict(_native.Limits._fields_)


def limits_of(*values: Any) -> _native.Limits:
    """From the values of all Limits, in their order."""
    raw = _native.Limits()
    for name, given in zip(Limits.__annotations__, values):
        field = "move_time" if name == "time" else name
        kind = _KINDS[field]
        if name == "search_moves":
            raw.search_moves = encode_moves(name, given)
        elif name.endswith("_clock"):
            if given is not None:
                setattr(raw, field, milliseconds(name, given, True) or -1)
        elif kind is ctypes.c_int64:
            setattr(raw, field, milliseconds(name, given, False))
        else:
            setattr(raw, field, whole(name, int(given) if name == "ponder" and isinstance(given, bool) else given, kind=kind))
    return raw


def can_end(limits: _native.Limits) -> bool:
    """Whether a search with these limits ends without stop()."""
    return any((limits.depth, limits.nodes, limits.move_time, limits.mate, limits.white_clock, limits.black_clock,
                limits.white_increment, limits.black_increment))


# --- what a search reports ---

BOUNDS: Dict[int, Literal["exact", "lower", "upper"]] = {0: "exact", 1: "lower", -1: "upper"}


@dataclass(frozen=True)
class Score:
    """A score from the point of view of the side to move: `centipawns`, or the number of moves to `mate` (negative: the side to
    move is mated). `win`, `draw` and `loss` are chances and add up to 1. Bound "lower": at least that score; "upper": at most."""
    centipawns: Optional[int] = None
    mate: Optional[int] = None
    win: float = 0.0
    draw: float = 0.0
    loss: float = 0.0
    bound: Literal["exact", "lower", "upper"] = "exact"

    def __str__(self) -> str:
        if self.mate is not None:
            return f"#{self.mate}"
        return f"{(self.centipawns or 0) / 100:+.2f}"


# For judge(), where the game is over.
CHECKMATED = Score(mate=0, loss=1.0)
DRAWN = Score(centipawns=0, draw=1.0)


@dataclass(frozen=True)
class Info:
    """A line of play that a search reports, as LuftInfo of luft.h."""
    depth: int
    selective_depth: int
    rank: int  # from 1; above 1 only with the option MultiPV
    score: Score
    nodes: int
    time: float  # seconds since the search began
    hash_full: float  # the part of the hash table that is used, 0 to 1
    line: Tuple[str, ...]  # the moves in UCI


def info_of(raw: Any) -> Info:
    score = Score(None if raw.is_mate else raw.score, raw.score if raw.is_mate else None,
                  raw.win / 1000, raw.draw / 1000, raw.loss / 1000, BOUNDS[raw.bound])
    return Info(raw.depth, raw.selective_depth, raw.rank, score, raw.nodes, raw.time / 1e6, raw.hash_full / 1000,
                tuple(raw.line.decode().split()))


def raw_of(name: str, found: Union[Score, Info]) -> _native.Info:
    """What luft_judge reads of a line."""
    score = found.score if isinstance(found, Info) else found
    if not isinstance(score, Score):
        raise TypeError(f"a move is judged by scores: {name} cannot be {found!r}")
    is_mate = score.mate is not None
    if not is_mate and not score.win + score.draw + score.loss > 0:
        raise LuftError(f"{name} needs win, draw and loss, or a mate")
    return _native.Info(is_mate=is_mate, score=score.mate if is_mate else score.centipawns or 0,
                        win=round(1000 * score.win), draw=round(1000 * score.draw), loss=round(1000 * score.loss))


@dataclass(frozen=True)
class Verdict:
    """What judge() says of a move: its PGN sign (6 inaccuracy, 2 mistake, 4 blunder, 7 only move, 1 good move, 0 none), the
    expected score that it lost (0 to 1), its accuracy in percent, and the expected score of the side that moved `before` and
    `after` it (0 lost, 1 won)."""
    nag: int
    loss: float
    accuracy: float
    before: float
    after: float


GameEnd = Literal["checkmate", "stalemate", "repetition", "fifty moves", "dead position"]

# --- options ---

OPTION_TYPES = ("flag", "number", "text", "button", "choice")


@dataclass(frozen=True)
class Option:
    """An option of the UCI protocol. `type` is "flag", "number", "text", "button" or "choice"; only a number has `low` and
    `high`."""
    name: str
    type: str
    help: str
    standard: str
    low: Optional[int]
    high: Optional[int]
    choices: Tuple[str, ...]


def option_of(raw: _native.Option) -> Option:
    kind = OPTION_TYPES[raw.type]
    is_number = kind == "number"
    choices: List[str] = []
    while raw.choices and raw.choices[len(choices)] is not None:
        choices.append(raw.choices[len(choices)].decode())
    return Option(raw.name.decode(), kind, raw.help.decode(), raw.standard.decode(), raw.low if is_number else None,
                  raw.high if is_number else None, tuple(choices))


def encode_option(name: str, value: Union[str, int, bool]) -> bytes:
    if not isinstance(value, (str, int)):
        raise TypeError(f"the option {name} needs a text, a whole number or a truth value, not {value!r}")
    return encode(name, str(value).lower() if isinstance(value, bool) else str(value))
