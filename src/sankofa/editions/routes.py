"""The endpoint declarations of the domain."""

from __future__ import annotations

from sankofa.ask.endpoint import Endpoint
from sankofa.ask.reads import Reads
from sankofa.editions.reads import editions
from sankofa.editions.served import EditionsParams, PublishedEdition

EDITIONS = Endpoint(
    path="/v1/editions",
    name="editions",
    summary="The editions of the data, newest first",
    description="Every publish: number, mark, moment, digest, rows put and removed by reason, takedowns.",
    params=EditionsParams,
    row=PublishedEdition,
    order="edition descending",
    read=editions,
    reads=(Reads(("edition",)),),
    position=lambda edition: (edition.edition,),
    statuses=(200, 304, 400, 401, 402, 429, 503),
)

ENDPOINTS = (EDITIONS,)
