"""Python bindings for libluft, the library of the chess engine Luft. Standard library only.

    import luft
    with luft.Engine({"Hash": 64}) as engine:
        engine.position(moves="e2e4 e7e5")
        print(engine.play(time=0.5))
        for info in engine.analyse(depth=12):
            print(info.depth, info.score, *info.line)

AsyncEngine is the same for asyncio. The library's path is LUFT_LIBRARY if set; otherwise the library is in the wheel, or the
system finds it. Times are in seconds. Only one thread at a time may use an engine, but any thread may call stop() and
ponderhit(). Ctrl-C ends every call that searches. What is refused raises LuftError, a wrong type TypeError; docs/library.md
is the guide, and shows which call works when.
"""

from __future__ import annotations

import ctypes
import os
import shutil
from typing import Dict, List, Optional, Sequence, Union

from . import _native
from ._async import AsyncEngine, Lines
from ._engine import Engine, in_thread
from ._values import (CHECKMATED, DRAWN, Info, Limits, LuftError, Option, Score, Verdict, option_of, raw_of, whole)
from .answers import Explanation, Finding, Overview, ReadText, Trees

__all__ = ["CHECKMATED", "DRAWN", "AsyncEngine", "Engine", "Explanation", "Finding", "Info", "Limits", "Lines", "LuftError",
           "Option", "Overview", "ReadText", "Score", "Trees", "Verdict", "accuracy", "bench", "judge", "options", "techniques",
           "uci_path", "version"]

__version__ = "0.2.dev0"  # of this module; version() is that of the library


def version() -> str:
    return str(_native.library.luft_version().decode())


def uci_path() -> str:
    """The path of the UCI program `luft`: of the one in the wheel, otherwise of the one that the system finds."""
    inside = _native.FOLDER / "bin" / ("luft.exe" if os.name == "nt" else "luft")
    found = str(inside) if inside.is_file() else shutil.which("luft")
    if found is None:
        raise FileNotFoundError(f"neither {inside} nor the program luft in PATH exists: a wheel made by `make wheels` has it, and "
                                "`make install` puts it into PATH")
    return found


def options() -> List[Option]:
    """All options of engines."""
    raw = _native.Option()
    found: List[Option] = []
    while _native.library.luft_option(len(found), raw):
        found.append(option_of(raw))
    return found


def techniques() -> Dict[str, str]:
    """The search's techniques with their summaries, in English."""
    summary = ctypes.c_char_p()
    found: Dict[str, str] = {}
    while (name := _native.library.luft_technique(len(found), summary)) is not None:
        found[name.decode()] = (summary.value or b"").decode()
    return found


def judge(before: Union[Score, Info], after: Union[Score, Info], *, second: Union[Score, Info, None] = None, best: bool = False,
          obvious: bool = False, hidden: bool = False) -> Verdict:
    """Judges a move by the last exact lines, or their scores, of searches before it (`second`: of the line of rank 2 there) and
    after it, where it is the other side's turn. Where the game is over take CHECKMATED or DRAWN. See luft_judge in luft.h."""
    verdict = _native.Verdict()
    other = None if second is None else raw_of("second", second)
    flags = bool(best) + 2 * bool(obvious) + 4 * bool(hidden)
    _native.library.luft_judge(raw_of("before", before), other, raw_of("after", after), flags, verdict)
    return Verdict(verdict.nag, verdict.loss, verdict.accuracy, verdict.before, verdict.after)


def accuracy(losses: Sequence[float]) -> float:
    """The accuracy of a side in percent, computed from the losses of its moves."""
    if not all(isinstance(loss, (int, float)) for loss in losses):
        raise TypeError(f"losses needs numbers, not {losses!r}")
    if not all(0 <= loss <= 1 for loss in losses):
        raise LuftError(f"losses needs numbers from 0 to 1, not {losses!r}")
    return float(_native.library.luft_accuracy((ctypes.c_double * len(losses))(*losses), len(losses)))


def bench(depth: int) -> int:
    """The number of nodes of the bench: the signature of this version."""
    nodes, plies = ctypes.c_uint64(), whole("depth", depth, 1)
    if not in_thread(lambda: bool(_native.library.luft_bench(plies, nodes))):
        raise LuftError("not enough memory for the bench")
    return nodes.value
