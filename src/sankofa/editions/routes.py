"""The endpoint declarations of the domain."""

from __future__ import annotations

from sankofa.ask.endpoint import Document, Endpoint
from sankofa.ask.reads import Reads
from sankofa.editions.feed import MEDIA_TYPE, feed
from sankofa.editions.reads import editions
from sankofa.editions.served import EditionsParams, FeedParams, PublishedEdition

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

FEED = Document(
    path="/v1/editions.atom",
    name="editions_feed",
    summary="The newest editions as an Atom feed, without a key",
    description=(
        "The 50 newest editions, newest first (RFC 4287). An entry has the rows put and removed by dataset, "
        "and links to the edition and its changes. Send the `ETag` back: 304 until an edition is published."
    ),
    params=FeedParams,
    media_type=MEDIA_TYPE,
    write=feed,
    reads=(Reads(("edition",)),),
    statuses=(200, 304, 400, 401, 429, 503),
)

ENDPOINTS = (EDITIONS,)
DOCUMENTS = (FEED,)
