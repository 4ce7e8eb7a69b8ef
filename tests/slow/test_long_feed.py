"""The feed of editions (EDN-11) ends after fifty entries, however many editions there are."""

from __future__ import annotations

import feedparser

from support.filings import Filer

FEED = "/v1/editions.atom"
EDITIONS = 52


def test_the_feed_has_the_fifty_newest_editions_and_keeps_its_id(service):
    for number in range(1, EDITIONS + 1):
        service.ingest(Filer(number).says(7, filed="2024-02-01").document())
        assert service.publish().edition == number
    service.await_edition(EDITIONS)
    newer = feedparser.parse(service.client.get(FEED).content)
    assert [entry.title for entry in newer.entries] == [f"Edition {n}" for n in range(52, 2, -1)]
    first = feedparser.parse(service.client.get(FEED, params={"edition": "1"}).content)
    assert [entry.title for entry in first.entries] == ["Edition 1"]
    assert first.feed.id == newer.feed.id
