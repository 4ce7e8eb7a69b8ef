"""The rows of an answer for those who await: the same pages, asked for when they are first looked at."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, Generic, TypeVar

from sankofa_client import _frames
from sankofa_client._answer import Page
from sankofa_client._conversation import Conversation, Core
from sankofa_client._frames import ArrowTable, PandasFrame, PolarsFrame
from sankofa_client._progress import counting
from sankofa_client._question import Question, Scope

T = TypeVar("T")


class AsyncRows(Generic[T]):
    """Iterates over all rows, following the pages; nothing is sent before that. `Rows` says the rest."""

    def __init__(
        self, core: Core, run: Callable[[Conversation[Any]], Awaitable[Any]], question: Question[T]
    ) -> None:
        self._core = core
        self._run = run
        self._question = question
        self._first: Page[T] | None = None

    async def __aiter__(self) -> AsyncIterator[T]:
        async for page in self.pages():
            for row in page.rows:
                yield row

    def __repr__(self) -> str:
        return f"<AsyncRows of {self._question.address}>"

    async def first_page(self) -> Page[T]:
        """Return the first page, with what its envelope says; it is asked for once."""
        if self._first is None:
            self._first = await self._run(self._core.page(self._question))
        return self._first

    async def scope(self) -> Scope:
        """Return what the rows were asked for as: their day, if one was named, and their edition."""
        return Scope(self._question.sends("as_of"), (await self.first_page()).edition)

    async def pages(self) -> AsyncIterator[Page[T]]:
        """Iterate over pages."""
        page = await self.first_page()
        yield page
        with counting(self._question.endpoint.name, page.count) as count:
            while page.next_cursor:
                page = await self._run(self._core.page(self._question.with_(cursor=page.next_cursor)))
                count(page.count)
                yield page

    async def head(self, most: int) -> list[T]:
        """Return the first rows, and ask for no more pages than they need."""
        found: list[T] = []
        async for page in self.pages():
            found += page.rows
            if len(found) >= most:
                break
        return found[:most]

    async def one(self) -> T:
        """Return the only row; anything else is a ValueError."""
        found = await self.head(2)
        if len(found) != 1:
            raise ValueError(f"expected one row, found {'none' if not found else 'several'}: {self!r}")
        return found[0]

    async def to_arrow(self, *, most: int | None = None) -> ArrowTable:
        """Return all rows, or the first so many, as the service streams them; what nests is JSON text."""
        return await self._run(self._core.table(self._question, most))

    async def to_polars(self, *, most: int | None = None) -> PolarsFrame:
        """Return all rows, or the first so many, for Polars; decimals are exact."""
        return _frames.polars(await self.to_arrow(most=most))

    async def to_pandas(self, *, most: int | None = None, exact: bool = False) -> PandasFrame:
        """Return all rows, or the first so many, for pandas: values as float64, days as datetime64.

        With `exact`, in Arrow's own types: decimals digit for digit, and dates as dates.
        """
        return _frames.pandas(await self.to_arrow(most=most), exact=exact)
