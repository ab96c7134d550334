"""The engine: what both kinds share, and the one whose calls wait."""

from __future__ import annotations

import concurrent.futures
import ctypes
import json
import os
import threading
import warnings
import weakref
from queue import Empty, SimpleQueue
from typing import (TYPE_CHECKING, Any, Callable, Dict, Iterable, Iterator, List, Mapping, NamedTuple, Optional, Tuple, TypeVar,
                    Union, overload)

from . import _native
from ._native import library
from ._values import (BoardLike, GameEnd, Info, LuftError, Move, Moves, can_end, encode, encode_move, encode_moves,
                      encode_option, info_of, limits_of, whole)

if TYPE_CHECKING:
    from typing_extensions import Never, Self

    from .answers import Explanation, Finding, Overview, ReadText, Trees

_NO_BOARD: Any = object()  # as an argument, None is a mistake

GAME_ENDS: Tuple[Optional[GameEnd], ...] = (None, "checkmate", "stalemate", "repetition", "fifty moves", "dead position")
# On Windows a signal does not end the wait for a lock.
PATIENCE = 0.1 if os.name == "nt" else None

T = TypeVar("T")


class Best(NamedTuple):
    """The end of a search."""
    move: str
    ponder: str


def check(fault: Optional[bytes]) -> None:
    if fault is not None:
        raise LuftError(fault.decode())


def patiently(get: Callable[[Optional[float]], T], timeout: Any) -> T:
    """Waits, so that Ctrl-C gets through: `get` takes the seconds to wait, and raises `timeout` after them."""
    while True:
        try:
            return get(PATIENCE)
        except timeout:
            pass


def in_thread(function: Callable[[], T], stop: Optional[Callable[[], object]] = None) -> T:
    """Calls what blocks on another thread, so that Ctrl-C and signals get through. Then `stop` ends it, or without one nobody
    waits for it any more."""
    future: concurrent.futures.Future[T] = concurrent.futures.Future()

    def run() -> None:
        try:
            future.set_result(function())
        except BaseException as error:
            future.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    try:
        return patiently(future.result, concurrent.futures.TimeoutError)
    except BaseException:
        while stop is not None and not future.done():
            stop()  # again, because what has not begun yet cannot be stopped
            concurrent.futures.wait([future], 0.02)
        raise


class Search:
    """What one search reports, and who is to be woken then."""

    def __init__(self) -> None:
        self.reports: SimpleQueue[Union[Info, Best]] = SimpleQueue()
        self.wake: Callable[[], object] = lambda: None

    def add(self, report: Union[Info, Best]) -> None:
        self.reports.put(report)
        self.wake()


class Searches:
    """The listener of an engine. It knows searches by their number, because each has a reader of its own: an iterator may be read
    when a later search is running. The engine's thread may report before the reader is there."""

    def __init__(self) -> None:
        self.open: Dict[int, Search] = {}
        self.reporting = 1
        self.begun = 0
        self.raw = _native.Listener(None, _native.ON_INFO(self._on_info), _native.ON_BEST(self._on_best))

    def _on_info(self, _: object, raw: Any) -> None:
        self.open.setdefault(self.reporting, Search()).add(info_of(raw.contents))

    def _on_best(self, _: object, best: bytes, ponder: bytes) -> None:
        self.open.setdefault(self.reporting, Search()).add(Best(best.decode(), ponder.decode()))
        self.reporting += 1

    def begin(self) -> int:
        """After luft_go: the number of the search."""
        self.begun += 1
        self.open.setdefault(self.begun, Search())
        return self.begun


def _destroy(engine: Optional[int], listener: Searches) -> Optional[bytes]:
    """The listener has to live as long as the engine."""
    fault: Optional[bytes] = library.luft_destroy(engine)
    return fault


class BaseEngine:
    """What does not wait. Options have their UCI names: Engine({"Hash": 64, "MultiPV": 2})."""

    def __init__(self, options: Optional[Mapping[str, Union[str, int, bool]]] = None, **unknown: Never) -> None:
        if unknown:
            raise TypeError(f"options are given in a dictionary, such as {{'Hash': 16}}, not as {next(iter(unknown))}=")
        self.best, self.ponder = "", ""  # the move that the last search chose, and the reply that it expects
        self._searches = Searches()
        self._steering = threading.RLock()  # held while another thread may steer what close() frees
        error = ctypes.create_string_buffer(256)
        self._engine: Optional[int] = library.luft_create(self._searches.raw, error, len(error))
        if not self._engine:
            raise LuftError(error.value.decode())
        self._end = self._at_the_end(self._engine)
        try:
            if not isinstance(options or {}, Mapping):
                raise TypeError(f"options needs a dictionary, such as {{'Hash': 64}}, not {options!r}")
            for name, value in (options or {}).items():
                self.set_option(name, value)
        except BaseException:
            self.close()
            raise

    def __reduce_ex__(self, protocol: Any) -> Any:
        """Neither a copy nor another process can use the engine."""
        raise TypeError("an engine cannot be copied or pickled")

    def _at_the_end(self, engine: Optional[int]) -> Any:
        """Frees a forgotten engine, too, and all of them when the program ends."""
        return weakref.finalize(self, _destroy, engine, self._searches)

    def close(self) -> None:
        """Frees the engine, and ends its search; later calls are refused. Refused itself while another thread is in a call that
        cannot be stopped, as explain()."""
        with self._steering:
            engine, self._engine = self._engine, None
            fault = self._end()
            if fault is not None:
                self._engine, self._end = engine, self._at_the_end(engine)
        check(fault)

    def _text(self, function: Any, *arguments: Any) -> str:
        """Calls a function that returns a text, or None when it is refused."""
        answer = function(self._engine, *arguments)
        if answer is None:
            check(library.luft_fault(self._engine))
        return str(answer.decode())

    def _number(self, function: Any) -> int:
        answer = int(function(self._engine))
        if answer == _native.REFUSED:
            check(library.luft_fault(self._engine))
        return answer

    # --- options and position ---

    def set_option(self, name: str, value: Union[str, int, bool] = "") -> None:
        check(library.luft_set_option(self._engine, encode("the option's name", name), encode_option(name, value)))

    def set_language(self, code: str) -> None:
        """The language of explanations and trees: "en" or "de"."""
        check(library.luft_set_language(self._engine, encode("code", code)))

    def load_network(self, data: bytes) -> None:
        network = bytes(memoryview(data))
        check(library.luft_load_network(self._engine, network, len(network)))

    def position(self, fen: str = "", moves: Moves = "", *, board: BoardLike = _NO_BOARD) -> None:
        """Sets the position: a FEN (default: the initial position), and moves played from it as a text or a list; or a board of
        python-chess with its moves, which also sets the option UCI_Chess960."""
        if hasattr(fen, "move_stack"):
            raise TypeError("a board is given by its name: position(board=...)")
        if board is _NO_BOARD:
            check(library.luft_set_position(self._engine, encode("fen", fen), encode_moves("moves", moves)))
            return
        if fen or moves:
            raise TypeError("position() needs a board, or a FEN and moves, not both")
        if not hasattr(board, "move_stack"):
            raise TypeError(f"board needs a chess.Board, not {board!r}")
        if getattr(board, "uci_variant", "chess") not in ("chess", None):
            raise LuftError(f"Luft does not play the variant {getattr(board, 'uci_variant')}")
        self.set_option("UCI_Chess960", board.chess960)
        self.position(board.root().fen(), board.move_stack)

    def make_move(self, move: Move) -> None:
        """Makes a move, in UCI or SAN."""
        check(library.luft_make_move(self._engine, encode_move("the move", move)))

    def take_back(self) -> None:
        check(library.luft_take_back(self._engine))

    def new_game(self) -> None:
        """Forgets what earlier searches have learned: hash table and histories."""
        check(library.luft_new_game(self._engine))

    # --- questions ---

    @property
    def fen(self) -> str:
        return self._text(library.luft_fen)

    def legal_moves(self) -> List[str]:
        return self._text(library.luft_legal_moves).split()

    def in_check(self) -> bool:
        return self._number(library.luft_in_check) != 0

    def game_end(self) -> Optional[GameEnd]:
        """How the rules end the game here: None, "checkmate", "stalemate", "repetition", "fifty moves" or "dead position"."""
        return GAME_ENDS[self._number(library.luft_game_end)]

    def san(self, moves: Union[Move, Moves]) -> str:
        """A move in SAN, or the moves of a line from here, with blanks between them: san("e2e4"), san(info.line)."""
        line: Any = [moves] if hasattr(moves, "uci") else moves
        return self._text(library.luft_san, encode_moves("the move", line))

    def move_from_san(self, san: str) -> str:
        return self._text(library.luft_move_from_san, encode("san", san))

    def evaluate(self) -> int:
        """The static evaluation in centipawns for the side to move."""
        value = ctypes.c_int()
        check(library.luft_evaluate(self._engine, value))
        return value.value

    def techniques(self) -> Dict[str, str]:
        """The search's techniques with their summaries, in the language of the engine."""
        return {name: self._text(library.luft_technique_summary, i) for i, name in enumerate(technique_names())}

    # --- steering, from any thread ---

    def _steer(self, function: Any) -> None:
        """These functions return nothing, and ignore a closed engine."""
        with self._steering:
            if self._engine is None:
                check(library.luft_fault(None))
            function(self._engine)

    def stop(self) -> None:
        """Ends the search soon. From any thread."""
        self._steer(library.luft_stop)

    def ponderhit(self) -> None:
        """The opponent played the expected move. From any thread."""
        self._steer(library.luft_ponderhit)

    # --- what both kinds of engines need to search ---

    def _begin(self, limits: _native.Limits) -> Tuple[int, Search]:
        check(library.luft_go(self._engine, limits))
        number = self._searches.begin()
        return number, self._searches.open[number]

    def _note(self, report: Union[Info, Best]) -> Optional[Info]:
        """The line; None for the end of the search, whose moves are kept."""
        if isinstance(report, Info):
            return report
        self.best, self.ponder = report
        return None

    def _finish(self, number: int) -> None:
        """Ends the search, unless it has ended. luft_wait is short after luft_stop."""
        if number == self._searches.reporting:
            library.luft_stop(self._engine)
            library.luft_wait(self._engine)
        if number == self._searches.begun and library.luft_wait(self._engine) is not None:
            fault = library.luft_fault(self._engine)  # of the store alone: the search has ended
            if fault is not None:
                warnings.warn(fault.decode(), RuntimeWarning, 3)
        unread = self._searches.open.pop(number).reports
        while not unread.empty():
            self._note(unread.get_nowait())

    def _ask(self, function: Any, *arguments: Any) -> Any:
        """Calls a function that stores a JSON text through its last argument; returns the text."""
        answer = ctypes.c_char_p()
        check(function(self._engine, *arguments, answer))
        return answer.value or b""


def parts_of(text: str) -> Iterator[Any]:
    """Reads an answer. A long one has a list of games, which are read one by one with a None for each, so that others
    get their turn between them. The last part is the answer."""
    head = '{"games": ['
    if not text.startswith(head):
        yield json.loads(text)
        return
    games: List[Any] = []
    decode, at = json.JSONDecoder().raw_decode, len(head)
    while text[at] != "]":
        game, at = decode(text, at)
        games.append(game)
        yield None
        while text[at] in ", \n":
            at += 1
    answer = json.loads(head + text[at:])
    answer["games"] = games
    yield answer


def answer_of(text: bytes) -> Any:
    part: Any = None
    for part in parts_of(text.decode()):
        pass
    return part


# --- the arguments of the calls that are answered in JSON ---

def names_of(name: str, techniques: Union[str, Iterable[str]]) -> bytes:
    """Names of techniques, as a list or in one text with commas."""
    if not isinstance(techniques, str) and not isinstance(techniques, Iterable):
        raise TypeError(f"{name} needs names of techniques, not {techniques!r}")
    words = [techniques] if isinstance(techniques, str) else list(techniques)
    return b",".join(encode(name, word) for word in words)


def arguments_of_read(text: Union[str, bytes], most: int) -> Tuple[Any, ...]:
    if not isinstance(text, (str, bytes, bytearray, memoryview)):
        raise TypeError(f"text needs a text or bytes, not {text!r}")
    data = text.encode(errors="replace") if isinstance(text, str) else bytes(memoryview(text))
    return library.luft_read, data, len(data), whole("most", most)


def arguments_of_explain(move: Move, nodes: int) -> Tuple[Any, ...]:
    return library.luft_explain, encode_move("the move", move), whole("nodes", nodes, kind=ctypes.c_uint64)


def arguments_of_tree(depth: int, without: Union[str, Iterable[str]], rows: int) -> Tuple[Any, ...]:
    return library.luft_tree, whole("depth", depth, 1), names_of("without", without), whole("rows", rows)


def arguments_of_without(techniques: Union[str, Iterable[str]], nodes: int, depth: int) -> Tuple[Any, ...]:
    return (library.luft_without, names_of("techniques", techniques), whole("nodes", nodes, kind=ctypes.c_uint64),
            whole("depth", depth))


def technique_names() -> List[str]:
    found: List[str] = []
    while (name := library.luft_technique(len(found), None)) is not None:
        found.append(name.decode())
    return found


class Engine(BaseEngine):
    """An engine at the initial position. Options have their UCI names: Engine({"Hash": 64, "MultiPV": 2}). Ctrl-C ends every call
    that searches, and the engine can be used afterwards."""

    def __enter__(self) -> Self:
        self.in_check()  # refused by an engine that is closed
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def play(self, *, depth: int = 0, nodes: int = 0, time: float = 0, white_clock: Optional[float] = None,
             black_clock: Optional[float] = None, white_increment: float = 0, black_increment: float = 0,
             moves_to_go: int = 0, mate: int = 0, ponder: bool = False, search_moves: Moves = ()) -> str:
        """Searches and returns the best move, "" if there is none; `ponder` then has the expected reply. Limits: depth=, nodes=,
        time= (seconds), white_clock= ... (luft.Limits). Without one that ends the search it is refused."""
        raw = limits_of(depth, nodes, time, white_clock, black_clock, white_increment, black_increment, moves_to_go, mate, ponder,
                        search_moves)
        if not can_end(raw):
            raise LuftError("a search needs a limit, such as depth=10")
        for _ in self._search(raw):
            pass
        return self.best

    def analyse(self, *, depth: int = 0, nodes: int = 0, time: float = 0, white_clock: Optional[float] = None,
                black_clock: Optional[float] = None, white_increment: float = 0, black_increment: float = 0,
                moves_to_go: int = 0, mate: int = 0, ponder: bool = False, search_moves: Moves = ()) -> Iterator[Info]:
        """Searches while the lines are read: yields each one when it is reported. Without limits it runs until the loop is left
        or stop() is called. The search begins with the first line, and ends with the iterator; `best` then has its move."""
        return self._search(limits_of(depth, nodes, time, white_clock, black_clock, white_increment, black_increment, moves_to_go,
                                      mate, ponder, search_moves))

    def _search(self, limits: _native.Limits) -> Iterator[Info]:
        number, search = self._begin(limits)
        process = os.getpid()
        try:
            while True:
                if os.getpid() != process:
                    check(library.luft_fault(self._engine))  # a child has no engine
                line = self._note(patiently(lambda seconds: search.reports.get(timeout=seconds), Empty))
                if line is None:
                    return
                yield line
        finally:
            self._finish(number)

    def _answered(self, function: Any, *arguments: Any) -> Any:
        def ask() -> Any:
            return self._ask(function, *arguments)
        return answer_of(in_thread(ask, self.stop))

    def read(self, text: Union[str, bytes], most: int = 0) -> ReadText:
        """The games and positions in a text (PGN, FEN or EPD), or in the bytes of a file: at most `most` of them (0: all).
        luft_read in luft.h describes the dictionary."""
        found: ReadText = self._answered(*arguments_of_read(text, most))
        return found

    @overload
    def explain(self, *, nodes: int = 0) -> Overview: ...
    @overload
    def explain(self, move: Move, nodes: int = 0) -> Explanation: ...

    def explain(self, move: Move = "", nodes: int = 0) -> Union[Overview, Explanation]:
        """Explains why a move is worse than the best one; without a move what is going on in the position. docs/explain.md
        describes the dictionary."""
        found: Union[Overview, Explanation] = self._answered(*arguments_of_explain(move, nodes))
        return found

    def tree(self, depth: int, without: Union[str, Iterable[str]] = (), rows: int = 0) -> Trees:
        """The tree of a search to `depth` plies. With names of techniques in `without` there is a second tree, searched without
        them. Each has at most `rows` nodes (0: all). docs/explain.md describes the dictionary."""
        found: Trees = self._answered(*arguments_of_tree(depth, without, rows))
        return found

    def without(self, techniques: Union[str, Iterable[str]], nodes: int = 0, depth: int = 0) -> Finding:
        """Searches without the named techniques. Returns a line as a dictionary; docs/analyse.md describes it."""
        found: Finding = self._answered(*arguments_of_without(techniques, nodes, depth))
        return found
