"""include/luft.h by ctypes: its structs, its functions, and how the library is found."""

import ctypes
import ctypes.util
import os
import pathlib
import sys
from typing import Any, List, Optional, Tuple

ABI = 1
REFUSED = -1  # LUFT_REFUSED


def _fields(kind: Any, *names: str) -> List[Tuple[str, Any]]:
    return [(name, kind) for name in names]


class Info(ctypes.Structure):
    _fields_ = (_fields(ctypes.c_int, "depth", "selective_depth", "rank", "is_mate", "score", "bound", "win", "draw", "loss")
                + [("nodes", ctypes.c_uint64), ("time", ctypes.c_int64), ("hash_full", ctypes.c_int), ("line", ctypes.c_char_p)])


ON_INFO = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.POINTER(Info))
ON_BEST = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p)
POLL = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)


class Listener(ctypes.Structure):
    _fields_ = [("context", ctypes.c_void_p), ("info", ON_INFO), ("best_move", ON_BEST), ("poll", POLL)]


class Limits(ctypes.Structure):
    _fields_ = (_fields(ctypes.c_int, "depth") + _fields(ctypes.c_uint64, "nodes")
                + _fields(ctypes.c_int64, "move_time", "white_clock", "black_clock", "white_increment", "black_increment")
                + _fields(ctypes.c_int, "moves_to_go", "mate", "ponder", "in_slices") + _fields(ctypes.c_char_p, "search_moves"))


class Option(ctypes.Structure):
    _fields_ = (_fields(ctypes.c_char_p, "name", "help", "standard") + _fields(ctypes.POINTER(ctypes.c_char_p), "choices")
                + _fields(ctypes.c_int, "type", "low", "high"))


class Verdict(ctypes.Structure):
    _fields_ = _fields(ctypes.c_int, "nag") + _fields(ctypes.c_double, "loss", "accuracy", "before", "after")


ENGINE, TEXT, INT = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int
# The result and the arguments of each function.
FUNCTIONS = {
    "version": (TEXT, []),
    "abi": (INT, []),
    "create": (ENGINE, [ctypes.POINTER(Listener), TEXT, ctypes.c_size_t]),
    "destroy": (TEXT, [ENGINE]),
    "fault": (TEXT, [ENGINE]),
    "option": (INT, [INT, ctypes.POINTER(Option)]),
    "set_option": (TEXT, [ENGINE, TEXT, TEXT]),
    "load_network": (TEXT, [ENGINE, TEXT, ctypes.c_size_t]),
    "set_position": (TEXT, [ENGINE, TEXT, TEXT]),
    "make_move": (TEXT, [ENGINE, TEXT]),
    "take_back": (TEXT, [ENGINE]),
    "new_game": (TEXT, [ENGINE]),
    "fen": (TEXT, [ENGINE]),
    "legal_moves": (TEXT, [ENGINE]),
    "san": (TEXT, [ENGINE, TEXT]),
    "move_from_san": (TEXT, [ENGINE, TEXT]),
    "in_check": (INT, [ENGINE]),
    "game_end": (INT, [ENGINE]),
    "evaluate": (TEXT, [ENGINE, ctypes.POINTER(INT)]),
    "read": (TEXT, [ENGINE, TEXT, ctypes.c_size_t, INT, ctypes.POINTER(TEXT)]),
    "go": (TEXT, [ENGINE, ctypes.POINTER(Limits)]),
    "wait": (TEXT, [ENGINE]),
    "stop": (None, [ENGINE]),
    "ponderhit": (None, [ENGINE]),
    "explain": (TEXT, [ENGINE, TEXT, ctypes.c_uint64, ctypes.POINTER(TEXT)]),
    "tree": (TEXT, [ENGINE, INT, TEXT, INT, ctypes.POINTER(TEXT)]),
    "without": (TEXT, [ENGINE, TEXT, ctypes.c_uint64, INT, ctypes.POINTER(TEXT)]),
    "technique": (TEXT, [INT, ctypes.POINTER(TEXT)]),
    "technique_summary": (TEXT, [ENGINE, INT]),
    "set_language": (TEXT, [ENGINE, TEXT]),
    "judge": (None, [ctypes.POINTER(Info)] * 3 + [INT, ctypes.POINTER(Verdict)]),
    "accuracy": (ctypes.c_double, [ctypes.POINTER(ctypes.c_double), INT]),
    "bench": (INT, [INT, ctypes.POINTER(ctypes.c_uint64)]),
}


FOLDER = pathlib.Path(__file__).resolve().parent


def _open() -> ctypes.CDLL:
    """The library that LUFT_LIBRARY names; without it, the one next to this module, as in a wheel, or that the system finds."""
    standard = {"win32": "luft.dll", "darwin": f"libluft.{ABI}.dylib"}.get(sys.platform, f"libluft.so.{ABI}")
    named = os.environ.get("LUFT_LIBRARY")
    inside = FOLDER / standard
    reasons = []
    paths: List[Optional[str]] = [str(inside)] if inside.exists() else [standard, ctypes.util.find_library("luft")]
    if named:
        paths = [named]
    for path in paths:
        try:
            if path:
                return ctypes.CDLL(path)
        except OSError as error:
            reasons.append(str(error))
    what = f"LUFT_LIBRARY={named}" if named else f"the library {standard}"
    raise ImportError(f"{what} cannot be loaded ({', '.join(reasons)}). `make lib` builds it: set LUFT_LIBRARY to the path of "
                      f"build/lib/{standard}; `make install-lib` installs it.")


def _load() -> ctypes.CDLL:
    opened = _open()
    try:
        for name, (result, arguments) in FUNCTIONS.items():
            function = getattr(opened, "luft_" + name)
            function.restype, function.argtypes = result, arguments
    except AttributeError as error:
        raise ImportError(f"{opened._name} is older than this module: {error}") from None
    if opened.luft_abi() != ABI:
        raise ImportError(f"{opened._name} has the ABI {opened.luft_abi()}, this module needs {ABI}")
    return opened


library = _load()
