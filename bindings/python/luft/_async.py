"""The engine for asyncio: the same calls, to be awaited."""

from __future__ import annotations

import asyncio
from queue import Empty
from typing import TYPE_CHECKING, Any, AsyncIterator, Iterable, Optional, Union, overload

from . import _native
from ._engine import (BaseEngine, Search, arguments_of_explain, arguments_of_read, arguments_of_tree, arguments_of_without,
                      parts_of)
from ._values import Info, LuftError, Move, Moves, can_end, limits_of

if TYPE_CHECKING:
    from typing_extensions import Self

    from .answers import Explanation, Finding, Overview, ReadText, Trees


class Lines(AsyncIterator[Info]):
    """The lines of a search that goes on while they are read. The search begins with the first line, and ends with this object,
    with aclose(), or when the task that waits for a line is cancelled."""

    def __init__(self, engine: AsyncEngine, limits: _native.Limits) -> None:
        self._engine, self._limits = engine, limits
        self._number = 0  # of the search; 0: not begun
        self._search: Optional[Search] = None
        self._event = asyncio.Event()

    async def __anext__(self) -> Info:
        if self._number == 0:
            loop, event = asyncio.get_running_loop(), self._event  # the search must not keep this object
            self._number, self._search = self._engine._begin(self._limits)
            self._search.wake = lambda: loop.call_soon_threadsafe(event.set)
        try:
            while self._search is not None:
                self._event.clear()
                try:
                    report = self._search.reports.get_nowait()
                except Empty:
                    await self._event.wait()
                    continue
                line = self._engine._note(report)
                if line is not None:
                    return line
                self.close()
        except BaseException:
            self.close()
            raise
        raise StopAsyncIteration

    def close(self) -> None:
        """Ends the search; the loop has to wait for about a millisecond."""
        if self._search is not None:
            self._search = None
            self._engine._finish(self._number)

    async def aclose(self) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()


class AsyncEngine(BaseEngine):
    """An engine for asyncio. It has all that Engine has; play, analyse, read, explain, tree and without are to be awaited. To
    cancel one of them ends it at once, and the engine can be used afterwards."""

    async def __aenter__(self) -> Self:
        self.in_check()
        return self

    async def __aexit__(self, *_: object) -> None:
        self.close()

    async def play(self, *, depth: int = 0, nodes: int = 0, time: float = 0, white_clock: Optional[float] = None,
                   black_clock: Optional[float] = None, white_increment: float = 0, black_increment: float = 0,
                   moves_to_go: int = 0, mate: int = 0, ponder: bool = False, search_moves: Moves = ()) -> str:
        raw = limits_of(depth, nodes, time, white_clock, black_clock, white_increment, black_increment, moves_to_go, mate, ponder,
                        search_moves)
        if not can_end(raw):
            raise LuftError("a search needs a limit, such as depth=10")
        async for _ in Lines(self, raw):
            pass
        return self.best

    def analyse(self, *, depth: int = 0, nodes: int = 0, time: float = 0, white_clock: Optional[float] = None,
                black_clock: Optional[float] = None, white_increment: float = 0, black_increment: float = 0,
                moves_to_go: int = 0, mate: int = 0, ponder: bool = False, search_moves: Moves = ()) -> Lines:
        """To be read by `async for`."""
        return Lines(self, limits_of(depth, nodes, time, white_clock, black_clock, white_increment, black_increment, moves_to_go,
                                     mate, ponder, search_moves))

    async def _answered(self, function: Any, *arguments: Any) -> Any:
        future = asyncio.get_running_loop().run_in_executor(None, self._ask, function, *arguments)
        try:
            text = await asyncio.shield(future)
        except BaseException:
            while not future.done():
                self.stop()  # again, because what has not begun yet cannot be stopped
                await asyncio.wait([future], timeout=0.02)
            raise
        part: Any = None
        for part in parts_of(text.decode()):
            if part is None:
                await asyncio.sleep(0)  # other tasks get their turn
        return part

    async def read(self, text: Union[str, bytes], most: int = 0) -> ReadText:
        found: ReadText = await self._answered(*arguments_of_read(text, most))
        return found

    @overload
    async def explain(self, *, nodes: int = 0) -> Overview: ...
    @overload
    async def explain(self, move: Move, nodes: int = 0) -> Explanation: ...

    async def explain(self, move: Move = "", nodes: int = 0) -> Union[Overview, Explanation]:
        found: Union[Overview, Explanation] = await self._answered(*arguments_of_explain(move, nodes))
        return found

    async def tree(self, depth: int, without: Union[str, Iterable[str]] = (), rows: int = 0) -> Trees:
        found: Trees = await self._answered(*arguments_of_tree(depth, without, rows))
        return found

    async def without(self, techniques: Union[str, Iterable[str]], nodes: int = 0, depth: int = 0) -> Finding:
        found: Finding = await self._answered(*arguments_of_without(techniques, nodes, depth))
        return found
