"""Types of the dictionaries that calls return. docs/explain.md, docs/analyse.md and luft.h describe their fields. A name that is
a `str` here (a reason, a motif, a technique) is one of a list there that may grow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Dict, List, Literal, Optional, TypedDict, Union

if TYPE_CHECKING:
    from typing_extensions import NotRequired

Bound = Literal["exact", "lower", "upper"]
Side = Literal["White", "Black"]
Outcome = Literal["open", "win", "draw", "loss"]


class NamedMove(TypedDict):
    uci: str
    san: str


class Points(TypedDict):
    """One of them, for the side to move."""
    cp: NotRequired[int]
    mate: NotRequired[int]


# --- explain ---

class Branch(TypedDict):
    """A line from `fen`; its score is for the side to move there."""
    fen: str
    score: Points
    line: List[NamedMove]


class Threat(TypedDict):
    score: Points
    mate: NotRequired[int]
    settled: NotRequired[int]
    points: NotRequired[int]
    branch: Branch


class Motif(TypedDict):
    kind: str
    ply: int
    won_at: int
    forced: bool
    piece: str
    victims: List[str]


class Material(TypedDict):
    points: int
    compared: int
    lost: Dict[str, int]
    gained: Dict[str, int]


class MoveFact(TypedDict):
    kind: str
    ply: int
    square: str


class Edit(TypedDict):
    ply: int
    control: bool
    before: int
    after: int
    fen: str


class Fact(TypedDict):
    kind: str
    side: Side
    square: str
    to: NotRequired[str]
    line: Literal["line", "better", "second", "best"]
    ply: int
    refused: Optional[str]
    worth: int
    edits: List[Edit]


class Achievement(TypedDict):
    """What a line achieves."""
    mate: NotRequired[int]
    mate_pattern: NotRequired[str]
    settled: NotRequired[int]
    material: NotRequired[Material]
    motif: NotRequired[Motif]
    also: NotRequired[Motif]


class Merit(TypedDict):
    kind: str
    only: bool
    offered: NotRequired[int]
    second: NotRequired[Branch]
    accepted: NotRequired[Branch]
    threat: NotRequired[Threat]
    motif: NotRequired[Motif]


class Act(TypedDict):
    technique: str
    effect: str
    count: int
    moves: List[NamedMove]
    words: str


class StoryNode(TypedDict):
    ply: int
    depth: int
    alpha: int
    beta: int
    score: int
    bound: Bound
    searched: int
    move: NotRequired[NamedMove]
    acts: List[Act]


class Iteration(TypedDict):
    iteration: int
    place: int
    depth: int
    deepest: int
    searches: int
    nodes: int
    units: int
    bound: Bound


class Story(TypedDict):
    """How the search treated the move."""
    moves: int
    iterations: List[Iteration]
    refutation: List[StoryNode]
    dropped: int


class SearchResult(TypedDict):
    depth: int
    nodes: int
    units: int
    best: NotRequired[NamedMove]


class SearchWithout(TypedDict):
    without: Optional[str]
    same_depth: SearchResult
    same_nodes: SearchResult


class TechniqueTotals(TypedDict):
    technique: str
    acted: int
    skipped: int
    saved: NotRequired[float]


class Totals(TypedDict):
    nodes: int
    visits: int
    table_visits: int
    reduced: int
    re_searched: int
    techniques: List[TechniqueTotals]


class Result(TypedDict):
    better: Outcome
    played: Outcome
    draw: NotRequired[str]


class Shown(TypedDict):
    line: int
    better: int
    second: NotRequired[int]


# `pass` is no name for a class's field.
ThreatAfterPass = TypedDict("ThreatAfterPass", {"pass": Threat}, total=False)


class Explanation(Achievement, ThreatAfterPass):
    schema: int
    fen: str
    move: NamedMove
    best: NamedMove
    score: Points
    best_score: Points
    loss: float
    depth: int
    nodes: int
    reason: str
    words: List[str]
    result: NotRequired[Result]
    cause: NotRequired[str]
    natural: NotRequired[Branch]
    opposition: NotRequired[Branch]
    against: NotRequired[MoveFact]
    in_favour: NotRequired[MoveFact]
    reply_threat: NotRequired[Threat]
    merit: NotRequired[Merit]
    facts: NotRequired[List[Fact]]
    line: List[NamedMove]
    better: List[NamedMove]
    shown: Shown
    search: Story
    without: List[SearchWithout]
    totals: Totals


# --- explain without a move ---

class Plan(Achievement):
    fen: str
    move: NamedMove
    score: Points
    shown: int
    line: List[NamedMove]


class Trouble(TypedDict):
    kind: str
    side: Side
    square: str
    lost: NotRequired[bool]
    others: List[str]


ScoreOfPass = TypedDict("ScoreOfPass", {"pass": Points}, total=False)


class Overview(ScoreOfPass):
    schema: int
    fen: str
    score: Points
    depth: int
    nodes: int
    words: List[str]
    best: Plan
    threat: NotRequired[Plan]
    pieces: List[Trouble]
    facts: List[Fact]


# --- without ---

class Finding(TypedDict):
    """A line, as `luft analyse --json` writes it."""
    schema: int
    fen: str
    depth: int
    seldepth: int
    rank: int
    score: Points
    wdl: List[int]
    nodes: int
    time: int
    hashfull: int
    tbhits: int
    pv: List[NamedMove]


# --- tree ---

class TreeAct(TypedDict):
    technique: str
    effect: str
    words: str


class TreeNode(TypedDict):
    move: NotRequired[NamedMove]
    purpose: str
    ply: int
    depth: int
    alpha: int
    beta: int
    score: NotRequired[int]
    bound: NotRequired[Bound]
    best: bool
    nodes: int
    changed_by: NotRequired[List[TreeAct]]
    acts: NotRequired[List[TreeAct]]
    children: List[Union[TreeNode, SkippedMoves, Folded]]


class SkippedMoves(TypedDict):
    skipped_by: str
    count: int
    moves: List[NamedMove]
    words: str


class Folded(TypedDict):
    folded: int
    nodes: int


class Tree(TypedDict):
    without: List[str]
    set: Dict[str, int]
    depth: int
    nodes: int
    best: Optional[NamedMove]
    score: Points
    root: TreeNode
    dropped: int
    iteration_nodes: NotRequired[int]


class Trees(TypedDict):
    schema: int
    fen: str
    trees: List[Tree]


# --- read ---

class ReadMove(TypedDict):
    uci: str
    san: str
    nags: List[int]
    comments: List[str]
    variations: List[ReadLine]


class ReadLine(TypedDict):
    comments: List[str]
    line: List[ReadMove]


class ReadGame(ReadLine):
    tags: List[List[str]]  # a name and a value each
    fen: str
    result: str
    problems: List[str]


class ReadText(TypedDict):
    games: List[ReadGame]
    problems: List[str]
    lost: int
