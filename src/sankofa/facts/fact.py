"""One fact by its id: every vintage of its value, with its document and the metrics computed from it."""

from __future__ import annotations

import re
from typing import Annotated

import msgspec

from sankofa.ask.cursor import Scalar
from sankofa.ask.endpoint import Found, Page
from sankofa.ask.params import AsOf, EditionNumber, Parameter
from sankofa.core.errors import NotFound
from sankofa.fundamentals.served import FundamentalsFact
from sankofa.storage.queries import named
from sankofa.storage.reading import Reader

MOST_VERSIONS = 1_000
_SQL = named(__package__, "fact.sql")
_FACT_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


class FactVersion(FundamentalsFact, frozen=True):
    """A vintage of the value that a fact is of."""

    source_url: str | None
    map_version: str
    used_by: list[str]


FactId = Annotated[
    str,
    Parameter(
        description="Id of a reported fact, as `fact_id` and `inputs` name it.",
        # A malformed id is answered like an unknown one.
        parse=lambda text: text if _FACT_ID.fullmatch(text) else "",
        schema={"type": "string", "pattern": f"^{_FACT_ID.pattern}$"},
        example="00000000-0000-0000-0000-000000000000",
        in_path=True,
    ),
]


class FactParams(msgspec.Struct, frozen=True, kw_only=True):
    """The parameters of a query for one fact, as of a day."""

    fact_id: FactId
    as_of: AsOf = None
    edition: EditionNumber = None


def place_of_version(version: FactVersion) -> tuple[Scalar, ...]:
    """Return a vintage's place in the order."""
    return version.line_item, version.vintage


async def versions_of_fact(reader: Reader, params: FactParams, page: Page) -> Found:
    """Return the vintages of a fact's value that were available on a day; raise NotFound without any."""
    day = page.knowable(params.as_of)
    if not params.fact_id:
        raise NotFound
    bound = {"fact_id": params.fact_id, "day": day, "edition": page.edition.number, "rows": page.rows + 1}
    rows = await reader.fetch(_SQL["versions_of_fact"], bound, edition=page.edition)
    if not rows:
        raise NotFound
    return Found(rows=[FactVersion(*row) for row in rows], as_of=day)
