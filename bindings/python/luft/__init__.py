"""Python bindings for libluft, the library of the chess engine Luft. Standard library only.

    import luft
    with luft.Engine() as engine:
        engine.position(moves="e2e4 e7e5")
        print(engine.play(depth=12))
        for info in engine.analyse(depth=12):
            print(info.depth, info.score, info.line)

The library's path is LUFT_LIBRARY if set, otherwise the system finds it. Only one thread at a time may use an engine, but any
thread may call stop().
"""

import ctypes
import ctypes.util
import json
import os

ABI = 0


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
            ("destroy", None, [engine]), ("option", text, [engine, ctypes.c_int]),
            ("set_option", text, [engine, text, text]), ("load_network", text, [engine, text, ctypes.c_size_t]),
            ("set_position", text, [engine, text, text]), ("new_game", None, [engine]), ("fen", text, [engine]),
            ("legal_moves", text, [engine]), ("san", text, [engine, text]), ("move_from_san", text, [engine, text]),
            ("in_check", ctypes.c_int, [engine]), ("evaluate", text, [engine, ctypes.POINTER(ctypes.c_int)]),
            ("go", None, [engine, ctypes.POINTER(_Limits)]), ("stop", None, [engine]), ("ponderhit", None, [engine]),
            ("explain", text, [engine, text, ctypes.c_uint64, ctypes.POINTER(text)]),
            ("tree", text, [engine, ctypes.c_int, text, ctypes.c_int, ctypes.POINTER(text)]),
            ("technique", text, [ctypes.c_int, ctypes.POINTER(text)]),
            ("set_language", text, [engine, text]),
            ("without", text, [engine, text, ctypes.c_uint64, ctypes.c_int, ctypes.POINTER(text)]),
            ("wait", text, [engine]), ("bench", ctypes.c_int, [ctypes.c_int, ctypes.POINTER(ctypes.c_uint64)]),
            ("judge", None, [ctypes.POINTER(_Info)] * 3 + [ctypes.c_int, ctypes.POINTER(_Verdict)]),
            ("accuracy", ctypes.c_double, [ctypes.POINTER(ctypes.c_double), ctypes.c_int])):
        function = getattr(library, "luft_" + name)
        function.restype, function.argtypes = result, arguments
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


def bench(depth):
    """The number of nodes of the bench: the signature of this version."""
    nodes = ctypes.c_uint64()
    if not _library.luft_bench(depth, nodes):
        raise LuftError("not enough memory for the bench")
    return nodes.value


def judge(before, after, second=None, best=False, obvious=False, hidden=False):
    """Judges a move by the last lines of searches before and after it: NAG, loss and accuracy. See luft_judge in luft.h."""
    verdict = _Verdict()
    lines = [ctypes.byref(line._raw()) if line is not None else None for line in (before, second, after)]
    _library.luft_judge(*lines, best + 2 * obvious + 4 * hidden, verdict)
    return verdict


def accuracy(losses):
    """The accuracy of a side in percent, computed from the losses of its moves."""
    return _library.luft_accuracy((ctypes.c_double * len(losses))(*losses), len(losses))


def _check(fault):
    if fault is not None:
        raise LuftError(fault.decode())


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

    @property
    def _handle(self):
        """The engine's pointer. The library does not accept NULL."""
        if not self._engine:
            raise LuftError("the engine is closed")
        return self._engine

    def _on_info(self, _, info):
        self._lines.append(Info(info.contents))

    def _on_best(self, _, best, ponder):
        self.ponder = ponder.decode()

    def close(self):
        engine, self._engine = self._engine, None
        _library.luft_destroy(engine)

    def __del__(self):
        """Closes a forgotten engine; otherwise its threads and hash table remain until the program ends."""
        if getattr(self, "_engine", None) and _library is not None:
            self.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def set_option(self, name, value=""):
        value = str(value).lower() if isinstance(value, bool) else str(value)
        _check(_library.luft_set_option(self._handle, name.encode(), value.encode()))

    def set_language(self, code):
        """The language of explanations and trees: "en" or "de"."""
        _check(_library.luft_set_language(self._handle, code.encode()))

    def options(self):
        """The lines that describe all options, as the UCI command "uci" prints them."""
        lines = []
        while (line := _library.luft_option(self._handle, len(lines))) is not None:
            lines.append(line.decode())
        return lines

    def load_network(self, data):
        _check(_library.luft_load_network(self._handle, data, len(data)))

    def position(self, fen="", moves=""):
        """Sets the position: a FEN, and moves played from it as a text or a list."""
        moves = moves if isinstance(moves, str) else " ".join(moves)
        _check(_library.luft_set_position(self._handle, fen.encode(), moves.encode()))

    def new_game(self):
        _library.luft_new_game(self._handle)

    @property
    def fen(self):
        return _library.luft_fen(self._handle).decode()

    def legal_moves(self):
        return _library.luft_legal_moves(self._handle).decode().split()

    def in_check(self):
        return bool(_library.luft_in_check(self._handle))

    def san(self, move):
        san = _library.luft_san(self._handle, move.encode())
        if san is None:
            raise LuftError(f"{move} is not legal here")
        return san.decode()

    def move_from_san(self, san):
        move = _library.luft_move_from_san(self._handle, san.encode())
        if move is None:
            raise LuftError(f"{san} is not a legal move here, or is ambiguous")
        return move.decode()

    def evaluate(self):
        """The static evaluation in centipawns for the side to move."""
        value = ctypes.c_int()
        _check(_library.luft_evaluate(self._handle, value))
        return value.value

    def play(self, **limits):
        """Searches and returns the best move, "" if there is none. Limits as in LuftLimits: depth=, nodes=, move_time= ..."""
        if not limits:
            raise LuftError("play needs a limit, such as depth=10")
        self._lines = []
        _library.luft_go(self._handle, _Limits(**limits))
        return _library.luft_wait(self._handle).decode()

    def analyse(self, **limits):
        """Searches and returns all lines that the search reports, as Info."""
        self.play(**limits)
        return self._lines

    def explain(self, move, nodes=0):
        """Explains why a move is worse than the best one. docs/explain.md describes the dictionary."""
        text = ctypes.c_char_p()
        _check(_library.luft_explain(self._handle, move.encode(), nodes, text))
        return json.loads(text.value)

    def tree(self, depth, without=(), rows=0):
        """The tree of a search to `depth` plies. With names of techniques in `without` there is a second tree, searched without
        them. Each has at most `rows` nodes (0: all). docs/explain.md describes the dictionary."""
        text = ctypes.c_char_p()
        _check(_library.luft_tree(self._handle, depth, ",".join(without).encode(), rows, text))
        return json.loads(text.value)

    def without(self, techniques, nodes=0, depth=0):
        """Searches without the named techniques (a list). Returns a line as a dictionary; docs/analyse.md describes it."""
        text = ctypes.c_char_p()
        _check(_library.luft_without(self._handle, " ".join(techniques).encode(), nodes, depth, text))
        return json.loads(text.value)

    def stop(self):
        _library.luft_stop(self._handle)
