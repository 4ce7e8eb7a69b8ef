"""The facts of an issuer as of a day with FastAPI: SQLAlchemy ORM, a response model, bodies kept in Redis.

Run by uvicorn in the environment of the peers, which has no package of this project.
"""

import os
from collections.abc import AsyncIterator
from datetime import date, datetime
from decimal import Decimal
from typing import Annotated

from fastapi import Depends, FastAPI, HTTPException, Request, Response
from pydantic import BaseModel, ConfigDict
from redis.asyncio import Redis
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession, async_sessionmaker, create_async_engine
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

_KEPT_SECONDS = 3600

app = FastAPI()
sessions = async_sessionmaker(create_async_engine(os.environ["DATABASE_URL"]), expire_on_commit=False)
cache = Redis.from_url(os.environ["CACHE_URL"]) if os.environ.get("CACHE_URL") else None


class Base(DeclarativeBase):
    pass


class Fact(Base):
    __tablename__ = "fact"

    id: Mapped[int] = mapped_column(primary_key=True)
    service_id: Mapped[str]
    line_item: Mapped[str]
    concept: Mapped[str]
    value_reported: Mapped[Decimal]
    currency_reported: Mapped[str | None]
    unit: Mapped[str]
    scope: Mapped[str]
    period_start: Mapped[date | None]
    period_end: Mapped[date]
    days_rounded: Mapped[str | None]
    period_type: Mapped[str | None]
    fiscal_year: Mapped[int | None]
    vintage: Mapped[int]
    revision: Mapped[str | None]
    previous_value: Mapped[Decimal | None]
    restated_on: Mapped[date | None]
    decimals: Mapped[int | None]
    available_at: Mapped[date]
    available_at_basis: Mapped[str]
    accepted_at: Mapped[datetime | None]
    form: Mapped[str | None]
    filing_id: Mapped[str | None]
    reported_as: Mapped[str]
    first_filing_held: Mapped[bool | None]
    source_ref: Mapped[str]
    license_class: Mapped[str]
    observed_at: Mapped[datetime]
    extraction_confidence: Mapped[Decimal | None]
    method: Mapped[str]
    provenance_id: Mapped[str]
    fact_id: Mapped[str]
    standard: Mapped[bool]
    valid_from: Mapped[date]
    valid_until: Mapped[date]


class FactOut(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    service_id: str
    line_item: str
    concept: str
    value_reported: Decimal
    currency_reported: str | None
    unit: str
    scope: str
    period_start: date | None
    period_end: date
    days_rounded: str | None
    period_type: str | None
    fiscal_year: int | None
    vintage: int
    revision: str | None
    previous_value: Decimal | None
    restated_on: date | None
    decimals: int | None
    available_at: date
    available_at_basis: str
    accepted_at: datetime | None
    form: str | None
    filing_id: str | None
    reported_as: str
    first_filing_held: bool | None
    source_ref: str
    license_class: str
    observed_at: datetime
    extraction_confidence: Decimal | None
    method: str
    provenance_id: str
    fact_id: str


class FactPage(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    as_of: date
    data: list[FactOut]


async def session() -> AsyncIterator[AsyncSession]:
    async with sessions() as opened:
        yield opened


@app.get("/health")
async def health() -> dict[str, str]:
    return {"status": "ok"}


@app.get("/fundamentals/{service_id}", response_model=FactPage)
async def fundamentals(
    request: Request,
    service_id: str,
    as_of: date,
    period_type: str,
    database: Annotated[AsyncSession, Depends(session)],
) -> object:
    key = f"{request.url.path}?{request.url.query}"
    if cache is not None and (kept := await cache.get(key)) is not None:
        return Response(kept, media_type="application/json")
    found = await database.scalars(
        select(Fact)
        .where(
            Fact.service_id == service_id,
            Fact.period_type == period_type,
            Fact.standard,
            Fact.valid_from <= as_of,
            Fact.valid_until > as_of,
        )
        .order_by(Fact.period_end.desc(), Fact.line_item, Fact.period_start, Fact.unit, Fact.scope)
    )
    facts = found.all()
    if not facts:
        raise HTTPException(status_code=404, detail="no facts of this issuer")
    if cache is None:
        return {"as_of": as_of, "data": facts}
    body = FactPage.model_validate({"as_of": as_of, "data": facts}).model_dump_json()
    await cache.set(key, body, ex=_KEPT_SECONDS)
    return Response(body, media_type="application/json")
