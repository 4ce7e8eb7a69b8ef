"""The rows of an answer: asked for when they are first looked at, page after page."""

from __future__ import annotations

import datetime as dt
import functools
import itertools
from collections.abc import Callable, Iterator
from typing import Any, Generic, TypeVar

from sankofa_client import _frames
from sankofa_client._answer import FormerHolder, Page
from sankofa_client._conversation import Conversation, Core
from sankofa_client._frames import ArrowTable, PandasFrame, PolarsFrame
from sankofa_client._progress import counting
from sankofa_client._question import Question, Scope

T = TypeVar("T")


class Rows(Generic[T]):
    """Iterates over all rows, following the pages; nothing is sent before that.

    The question is fixed when it is asked: a scope that ends before the rows are read still holds for them.
    All pages answer from one edition. `limit` is the size of a page, not of the whole.
    """

    def __init__(self, core: Core, run: Callable[[Conversation[Any]], Any], question: Question[T]) -> None:
        self._core = core
        self._run = run
        self._question = question

    def __iter__(self) -> Iterator[T]:
        return itertools.chain.from_iterable(page.rows for page in self.pages())

    def __repr__(self) -> str:
        return f"<Rows of {self._question.address}>"

    @functools.cached_property
    def first_page(self) -> Page[T]:
        """The first page, asked for once."""
        page: Page[T] = self._run(self._core.page(self._question))
        return page

    def pages(self) -> Iterator[Page[T]]:
        """Iterate over pages."""
        page = self.first_page
        yield page
        with counting(self._question.endpoint.name, page.count) as count:
            while page.next_cursor:
                page = self._run(self._core.page(self._question.with_(cursor=page.next_cursor)))
                count(page.count)
                yield page

    def head(self, most: int) -> list[T]:
        """Return the first rows, and ask for no more pages than they need."""
        return list(itertools.islice(self, most))

    def one(self) -> T:
        """Return the only row; anything else is a ValueError."""
        found = self.head(2)
        if len(found) != 1:
            raise ValueError(f"expected one row, found {'none' if not found else 'several'}: {self!r}")
        return found[0]

    @property
    def scope(self) -> Scope:
        """What the rows were asked for as: their day, if one was named, and their edition."""
        return Scope(self._question.sends("as_of"), self.edition)

    @property
    def edition(self) -> int:
        """The edition that all rows are of."""
        return self.first_page.edition

    @property
    def as_of(self) -> dt.date | None:
        """The date whose knowledge the rows hold; None where none applies."""
        return self.first_page.as_of

    @property
    def count(self) -> int:
        """How many rows the first page holds."""
        return self.first_page.count

    @property
    def truncated(self) -> bool:
        """Whether more rows matched than the first page holds."""
        return self.first_page.truncated

    @property
    def license(self) -> str:
        """Under what terms the data may be used; each row names its own licence."""
        return self.first_page.license

    @property
    def resolved_from(self) -> str | None:
        """The id that was asked for, where it was merged into the id of the rows."""
        return self.first_page.resolved_from

    @property
    def ambiguous(self) -> bool | None:
        """Whether several organisations match an identifier."""
        return self.first_page.ambiguous

    @property
    def former(self) -> list[FormerHolder] | None:
        """Organisations that had the identifier before, the last holder first."""
        return self.first_page.former

    @property
    def absent(self) -> dict[str, int | str] | None:
        """What was left out and why, where `absent=True` asked for it."""
        return self.first_page.absent

    @property
    def unknown(self) -> dict[str, list[str]] | None:
        """By parameter, the names asked for of which nothing was known; None where there are none."""
        return self.first_page.unknown

    @property
    def permanent_address(self) -> str | None:
        """The address that gives the first page for ever, to cite it by."""
        return self.first_page.permanent_address

    def to_arrow(self, *, most: int | None = None) -> ArrowTable:
        """Return all rows, or the first so many, as the service streams them; what nests is JSON text."""
        return self._run(self._core.table(self._question, most))

    def to_polars(self, *, most: int | None = None) -> PolarsFrame:
        """Return all rows, or the first so many, for Polars; decimals are exact."""
        return _frames.polars(self.to_arrow(most=most))

    def to_pandas(self, *, most: int | None = None, exact: bool = False) -> PandasFrame:
        """Return all rows, or the first so many, for pandas: values as float64, days as datetime64.

        With `exact`, in Arrow's own types: decimals digit for digit, and dates as dates.
        """
        return _frames.pandas(self.to_arrow(most=most), exact=exact)
