"""The fundamentals endpoint as FastAPI invites to write it: typed parameters, dependencies, response models.

Gate, reader, pool and statement are the service's own and granian serves it the same way, so that only the
framework's part differs. It does less than the service: no ETag, no cache, no other media types, no page by
bytes, and unknown or repeated parameters pass unseen.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import date, datetime
from decimal import Decimal
from typing import Annotated, Literal

from fastapi import Depends, FastAPI, Header, Path, Query, Request, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field

from sankofa.access import ratelimit_fields
from sankofa.access.caller import Caller
from sankofa.access.gate import Gate
from sankofa.ask.endpoint import LICENSE
from sankofa.ask.question import WHOLE
from sankofa.core.errors import NotFound, ServiceError
from sankofa.storage.queries import named
from sankofa.storage.reading import Reader
from sankofa.surfaces.settings import Settings
from sankofa.web import problems

_STATEMENT = named("sankofa.fundamentals")["facts_of_issuer"]
_PLACE = ("period_end", "line_item", "period_type", "period_start", "unit", "scope", "vintage")
_FROM_THE_START: dict[str, object] = {f"after_{name}": None for name in _PLACE}


class Fact(BaseModel):
    """One row."""

    service_id: str
    line_item: str
    value_reported: Decimal
    currency_reported: str | None
    unit: str
    scope: str
    period_start: date | None
    period_end: date
    period_type: str | None
    fiscal_year: int | None
    vintage: int
    available_at: date
    available_at_basis: str
    reported_as: Literal["own", "comparative"]
    source_ref: str
    license_class: str
    observed_at: datetime
    extraction_confidence: Decimal | None
    method: str
    provenance_id: str
    fact_id: str


class Answer(BaseModel):
    """The envelope."""

    data: list[Fact]
    count: int
    truncated: bool
    next_cursor: str | None
    edition: int
    as_of: date
    license: str = Field(serialization_alias="_license")


async def admitted(
    request: Request, response: Response, x_api_key: Annotated[str | None, Header()] = None
) -> Caller:
    """Pass the service's gate."""
    gate: Gate = request.app.state.gate
    caller, decision = await gate.admit(x_api_key, request.client.host if request.client else "")
    response.headers.update(ratelimit_fields.fields(decision))
    return caller


async def fundamentals(
    *,
    request: Request,
    caller: Annotated[Caller, Depends(admitted)],
    service_id: Annotated[str, Path(pattern="^[A-Za-z0-9]+$")],
    as_of: Annotated[date | None, Query()] = None,
    period_type: Annotated[Literal["FY", "H1", "H2", "Q1", "Q2", "Q3", "Q4", "9M"] | None, Query()] = None,
    vintages: Annotated[Literal["latest", "as_reported", "all"], Query()] = "latest",
    edition: Annotated[int | None, Query(ge=1)] = None,
) -> Answer:
    """Return an issuer's facts."""
    reader: Reader = request.app.state.reader
    pinned = await reader.edition(edition)
    cut = as_of or pinned.day
    most = WHOLE if caller.tier.is_paid else caller.tier.rows
    asked = {
        "service_id": service_id,
        "edition": pinned.number,
        "as_of": cut,
        "period_type": period_type,
        "line_item": None,
        "vintages": vintages,
        "rows": most + 1,
        **_FROM_THE_START,
    }
    rows = await reader.fetch(_STATEMENT, asked, edition=pinned)
    if not rows:
        raise NotFound
    facts = [
        Fact(**dict(zip(Fact.model_fields, row, strict=True))) for row in rows[:most] if row[0] is not None
    ]
    return Answer(
        data=facts,
        count=len(facts),
        truncated=len(rows) > most,
        next_cursor=None,
        edition=pinned.number,
        as_of=cut,
        license=LICENSE,
    )


async def refused(_request: Request, error: Exception) -> Response:
    """Answer what the gate or the reader refused."""
    return JSONResponse(None, problems.PROBLEMS[type(error)].status)  # type: ignore[index]  # a ServiceError


async def health() -> dict[str, str]:
    """Tell that the server is up."""
    return {"status": "ok"}


def create() -> FastAPI:
    """Return the peer, with settings from the environment; granian calls this in each worker."""
    settings = Settings()
    reader, gate = Reader(settings.reading()), Gate(settings.gate())

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.reader, app.state.gate = reader, gate
        await reader.open()
        async with gate:
            yield
        await reader.close()

    app = FastAPI(lifespan=lifespan)
    app.add_api_route("/health", health)
    app.add_api_route("/v1/fundamentals/{service_id}", fundamentals)
    app.add_exception_handler(ServiceError, refused)
    return app
