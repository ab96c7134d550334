"""Python bindings for libluft, the library of the chess engine Luft. Standard library only.

    import luft
    with luft.Engine() as engine:
        engine.position(moves="e2e4 e7e5")
        print(engine.play(depth=12))
        for info in engine.analyse(depth=12):
            print(info.depth, info.score, info.line)

The library's path is LUFT_LIBRARY if set, otherwise the system finds it. Only one thread at a time may use an engine, but any
thread may call stop() and ponderhit(). Ctrl-C ends every call that searches.
"""

import ctypes
import ctypes.util
import json
import operator
import os
import threading
from typing import NamedTuple, Optional, Tuple

ABI = 1
REFUSED = -1  # LUFT_REFUSED
OPTION_TYPES = ("flag", "number", "text", "button", "choice")
GAME_ENDS = (None, "checkmate", "stalemate", "repetition", "fifty moves", "dead position")


class LuftError(Exception):
    """The engine refused a call; the text gives the reason."""


class _Info(ctypes.Structure):
    _fields_ = [(name, ctypes.c_int) for name in ("depth", "selective_depth", "rank", "is_mate", "score", "bound",
                                                  "win", "draw", "loss")]
    _fields_ += [("nodes", ctypes.c_uint64), ("time", ctypes.c_int64), ("hash_full", ctypes.c_int),
                 ("line", ctypes.c_char_p)]


_ON_INFO = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.POINTER(_Info))
_POLL = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)
_ON_BEST = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p)


class _Listener(ctypes.Structure):
    _fields_ = [("context", ctypes.c_void_p), ("info", _ON_INFO), ("best_move", _ON_BEST), ("poll", _POLL)]


class _Limits(ctypes.Structure):
    _fields_ = [("depth", ctypes.c_int), ("nodes", ctypes.c_uint64)]
    _fields_ += [(name, ctypes.c_int64) for name in ("move_time", "white_clock", "black_clock", "white_increment",
                                                     "black_increment")]
    _fields_ += [(name, ctypes.c_int) for name in ("moves_to_go", "mate", "ponder", "in_slices")]
    _fields_ += [("search_moves", ctypes.c_char_p)]


_ENDS = {"depth", "nodes", "move_time", "white_clock", "black_clock", "white_increment", "black_increment", "mate"}


class _Option(ctypes.Structure):
    _fields_ = [(name, ctypes.c_char_p) for name in ("name", "help", "standard")]
    _fields_ += [("choices", ctypes.POINTER(ctypes.c_char_p))]
    _fields_ += [(name, ctypes.c_int) for name in ("type", "low", "high")]


class _Verdict(ctypes.Structure):
    _fields_ = [("nag", ctypes.c_int), ("loss", ctypes.c_double), ("accuracy", ctypes.c_double)]


class Info:
    """One line of play; see LuftInfo in luft.h. `line` is a list of moves."""

    def __init__(self, raw):
        for name, _ in _Info._fields_:
            setattr(self, name, getattr(raw, name))
        self.is_mate = bool(raw.is_mate)
        self.line = (raw.line or b"").decode().split()

    @classmethod
    def of_end(cls, is_mate):
        """Replaces a line, for `judge`, where the game is over: checkmate or a draw."""
        return cls(_Info(is_mate=is_mate, draw=0 if is_mate else 1000))

    def _raw(self):
        return _Info(is_mate=self.is_mate, score=self.score, win=self.win, draw=self.draw, loss=self.loss)


def _load():
    path = os.environ.get("LUFT_LIBRARY") or ctypes.util.find_library("luft") or f"libluft.so.{ABI}"
    library = ctypes.CDLL(path)
    engine, text = ctypes.c_void_p, ctypes.c_char_p
    for name, result, arguments in (
            ("version", text, []), ("create", engine, [ctypes.POINTER(_Listener), text, ctypes.c_size_t]),
            ("destroy", text, [engine]), ("fault", text, [engine]), ("abi", ctypes.c_int, []),
            ("option", ctypes.c_int, [ctypes.c_int, ctypes.POINTER(_Option)]),
            ("set_option", text, [engine, text, text]), ("load_network", text, [engine, text, ctypes.c_size_t]),
            ("set_position", text, [engine, text, text]), ("new_game", text, [engine]),
            ("make_move", text, [engine, text]), ("take_back", text, [engine]), ("game_end", ctypes.c_int, [engine]), ("fen", text, [engine]),
            ("legal_moves", text, [engine]), ("san", text, [engine, text]), ("move_from_san", text, [engine, text]),
            ("read", text, [engine, text, ctypes.c_size_t, ctypes.c_int, ctypes.POINTER(text)]),
            ("in_check", ctypes.c_int, [engine]), ("evaluate", text, [engine, ctypes.POINTER(ctypes.c_int)]),
            ("go", text, [engine, ctypes.POINTER(_Limits)]), ("stop", None, [engine]), ("ponderhit", None, [engine]),
            ("explain", text, [engine, text, ctypes.c_uint64, ctypes.POINTER(text)]),
            ("tree", text, [engine, ctypes.c_int, text, ctypes.c_int, ctypes.POINTER(text)]),
            ("technique", text, [ctypes.c_int, ctypes.POINTER(text)]),
            ("set_language", text, [engine, text]),
            ("without", text, [engine, text, ctypes.c_uint64, ctypes.c_int, ctypes.POINTER(text)]),
            ("wait", text, [engine]), ("bench", ctypes.c_int, [ctypes.c_int, ctypes.POINTER(ctypes.c_uint64)]),
            ("judge", None, [ctypes.POINTER(_Info)] * 3 + [ctypes.c_int, ctypes.POINTER(_Verdict)]),
            ("accuracy", ctypes.c_double, [ctypes.POINTER(ctypes.c_double), ctypes.c_int])):
        function = getattr(library, "luft_" + name, None)
        if function is None:
            raise ImportError(f"{path} is older than this module: it has no luft_{name}")
        function.restype, function.argtypes = result, arguments
    if library.luft_abi() != ABI:
        raise ImportError(f"{path} has the ABI {library.luft_abi()}, this module needs {ABI}")
    return library


_library = _load()


def version():
    return _library.luft_version().decode()


def techniques():
    """A dictionary of the search's techniques: name and summary."""
    summary, found = ctypes.c_char_p(), {}
    while (name := _library.luft_technique(len(found), summary)) is not None:
        found[name.decode()] = summary.value.decode()
    return found


def _whole(name, value, least=0, kind=ctypes.c_int):
    """A whole number for a C type, which would cut it in silence."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} needs a whole number, not {value!r}") from None
    most = 2 ** (8 * ctypes.sizeof(kind) - 1) - 1
    if not least <= number <= most:
        raise ValueError(f"{name} must be from {least} to {most}, not {number}")
    return number


def _text(name, value):
    """A text for C, which would end at a zero character."""
    if not isinstance(value, str):
        raise TypeError(f"{name} needs a text, not {value!r}")
    if "\0" in value:
        raise ValueError(f"{name} has a zero character: {value!r}")
    return value.encode()


def _moves(name, value):
    """Moves as a text, from a text or from a list of texts."""
    return _text(name, value if isinstance(value, str) else " ".join(value))


def _in_thread(function, arguments, stop=None):
    """Calls a function of the library that blocks, on another thread, so that Ctrl-C and signals get through. Then `stop` ends it, or
    without one nobody waits for it any more."""
    results, done = [], threading.Event()

    def run():
        try:
            results.append(function(*arguments))
        finally:
            done.set()

    threading.Thread(target=run, daemon=True).start()
    try:
        done.wait()
    except BaseException:
        while stop is not None and not done.wait(0.02):
            stop()  # what has not begun yet cannot be stopped
        raise
    return results[0]


def bench(depth):
    """The number of nodes of the bench: the signature of this version."""
    nodes = ctypes.c_uint64()
    if not _in_thread(_library.luft_bench, (_whole("depth", depth, 1), nodes)):
        raise LuftError("not enough memory for the bench")
    return nodes.value


def judge(before, after, second=None, best=False, obvious=False, hidden=False):
    """Judges a move by the last lines of searches before and after it: NAG, loss and accuracy. See luft_judge in luft.h."""
    verdict = _Verdict()
    other = None if second is None else second._raw()
    _library.luft_judge(before._raw(), other, after._raw(), bool(best) + 2 * bool(obvious) + 4 * bool(hidden), verdict)
    return verdict


def accuracy(losses):
    """The accuracy of a side in percent, computed from the losses of its moves."""
    return _library.luft_accuracy((ctypes.c_double * len(losses))(*losses), len(losses))


def _check(fault):
    if fault is not None:
        raise LuftError(fault.decode())


class Option(NamedTuple):
    """An option of the UCI protocol. `type` is "flag", "number", "text", "button" or "choice"; only a number has `low` and `high`."""
    name: str
    type: str
    help: str
    standard: str
    low: Optional[int]
    high: Optional[int]
    choices: Tuple[str, ...]


def _option(raw):
    kind = OPTION_TYPES[raw.type]
    limits = (raw.low, raw.high) if kind == "number" else (None, None)
    choices = []
    while raw.choices and raw.choices[len(choices)] is not None:
        choices.append(raw.choices[len(choices)].decode())
    return Option(raw.name.decode(), kind, raw.help.decode(), raw.standard.decode(), *limits, tuple(choices))


def options():
    """All options, a list of Option."""
    raw, found = _Option(), []
    while _library.luft_option(len(found), raw):
        found.append(_option(raw))
    return found


class Engine:
    """An engine at the initial position. Options have their UCI names: Engine({"Hash": 64, "MultiPV": 2})."""

    def __init__(self, options=None):
        self._lines, self.ponder = [], ""
        self._listener = _Listener(None, _ON_INFO(self._on_info), _ON_BEST(self._on_best))
        error = ctypes.create_string_buffer(256)
        self._engine = _library.luft_create(self._listener, error, len(error))
        if not self._engine:
            raise LuftError(error.value.decode())
        try:
            for name, value in (options or {}).items():
                self.set_option(name, value)
        except BaseException:
            self.close()
            raise

    def _answer(self, answer):
        """What a function returned; None and REFUSED are errors."""
        if answer is None or answer == REFUSED:
            _check(_library.luft_fault(self._engine))
        return answer

    def _on_info(self, _, info):
        self._lines.append(Info(info.contents))

    def _on_best(self, _, best, ponder):
        self.ponder = ponder.decode()

    def close(self):
        """Frees the engine; later calls are refused. Refused itself while another thread is in a call on it."""
        _check(_library.luft_destroy(self._engine))
        self._engine = None

    def __del__(self):
        """Closes a forgotten engine; otherwise its threads and hash table remain until the program ends."""
        if getattr(self, "_engine", None) and _library is not None:
            _library.luft_destroy(self._engine)

    def __reduce_ex__(self, protocol):
        """Neither a copy nor another process can use the engine."""
        raise TypeError("an engine cannot be copied or pickled")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def set_option(self, name, value=""):
        value = str(value).lower() if isinstance(value, bool) else str(value)
        _check(_library.luft_set_option(self._engine, _text("the option's name", name), _text(name, value)))

    def set_language(self, code):
        """The language of explanations and trees: "en" or "de"."""
        _check(_library.luft_set_language(self._engine, _text("code", code)))

    def load_network(self, data):
        _check(_library.luft_load_network(self._engine, data, len(data)))

    def position(self, fen="", moves=""):
        """Sets the position: a FEN, and moves played from it as a text or a list."""
        _check(_library.luft_set_position(self._engine, _text("fen", fen), _moves("moves", moves)))

    def new_game(self):
        _check(_library.luft_new_game(self._engine))

    def make_move(self, move):
        """Makes a move, in UCI or SAN."""
        _check(_library.luft_make_move(self._engine, _text("move", move)))

    def take_back(self):
        _check(_library.luft_take_back(self._engine))

    @property
    def fen(self):
        return self._answer(_library.luft_fen(self._engine)).decode()

    def legal_moves(self):
        return self._answer(_library.luft_legal_moves(self._engine)).decode().split()

    def in_check(self):
        return bool(self._answer(_library.luft_in_check(self._engine)))

    def game_end(self):
        """How the rules end the game here: None, "checkmate", "stalemate", "repetition", "fifty moves" or "dead position"."""
        return GAME_ENDS[self._answer(_library.luft_game_end(self._engine))]

    def san(self, move):
        return self._answer(_library.luft_san(self._engine, _text("move", move))).decode()

    def move_from_san(self, san):
        return self._answer(_library.luft_move_from_san(self._engine, _text("san", san))).decode()

    def evaluate(self):
        """The static evaluation in centipawns for the side to move."""
        value = ctypes.c_int()
        _check(_library.luft_evaluate(self._engine, value))
        return value.value

    def _wait(self, function, *arguments):
        """Calls a function of the library that blocks; Ctrl-C and signals end it."""
        return _in_thread(function, (self._engine, *arguments), self.stop)

    def play(self, **limits):
        """Searches and returns the best move, "" if there is none. Limits as in LuftLimits: depth=, nodes=, move_time= ..."""
        kinds = dict(_Limits._fields_)
        moves = limits.pop("search_moves", "")
        for name, value in limits.items():
            if name not in kinds or name == "in_slices":
                raise TypeError(f"there is no limit '{name}'")
            limits[name] = _whole(name, value, -2 ** 63 if name.endswith("_clock") else 0, kinds[name])
        if not any(limits.get(name) for name in _ENDS):
            raise LuftError("a search needs a limit, such as depth=10")
        self._lines = []
        _check(_library.luft_go(self._engine, _Limits(**limits, search_moves=_moves("search_moves", moves))))
        return self._answer(self._wait(_library.luft_wait)).decode()

    def analyse(self, **limits):
        """Searches and returns all lines that the search reports, as Info."""
        self.play(**limits)
        return self._lines

    def _ask(self, function, *arguments):
        """Calls a function that stores a JSON text through its last argument; returns the dictionary."""
        text = ctypes.c_char_p()
        _check(self._wait(function, *arguments, text))
        return json.loads(text.value)

    def read(self, text, most=0):
        """The games and positions in a text (PGN, FEN or EPD), or in the bytes of a file: at most `most` of them (0: all). luft_read
        in luft.h describes the dictionary."""
        data = text.encode(errors="replace") if isinstance(text, str) else bytes(text)
        return self._ask(_library.luft_read, data, len(data), _whole("most", most))

    def explain(self, move="", nodes=0):
        """Explains why a move is worse than the best one; without a move what is going on in the position. docs/explain.md
        describes the dictionary."""
        return self._ask(_library.luft_explain, _text("move", move), _whole("nodes", nodes, kind=ctypes.c_uint64))

    def tree(self, depth, without=(), rows=0):
        """The tree of a search to `depth` plies. With names of techniques in `without` there is a second tree, searched without
        them. Each has at most `rows` nodes (0: all). docs/explain.md describes the dictionary."""
        return self._ask(_library.luft_tree, _whole("depth", depth, 1), _text("without", ",".join(without)), _whole("rows", rows))

    def without(self, techniques, nodes=0, depth=0):
        """Searches without the named techniques (a list). Returns a line as a dictionary; docs/analyse.md describes it."""
        return self._ask(_library.luft_without, _text("techniques", " ".join(techniques)),
                         _whole("nodes", nodes, kind=ctypes.c_uint64), _whole("depth", depth))

    def _steer(self, function):
        """These functions return nothing, and ignore a closed engine."""
        if self._engine is None:
            _check(_library.luft_fault(None))
        function(self._engine)

    def stop(self):
        """Ends the search soon. From any thread."""
        self._steer(_library.luft_stop)

    def ponderhit(self):
        """The opponent played the expected move. From any thread."""
        self._steer(_library.luft_ponderhit)
