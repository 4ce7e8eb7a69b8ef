"""EDN-11: the newest editions as an Atom feed, without a key."""

from __future__ import annotations

import uuid
from datetime import datetime
from xml.etree import ElementTree as ET

import feedparser
import httpx
import pytest

from contract.keyed import furnish, key
from support.filings import Filer

FEED = "/v1/editions.atom"
ATOM = {"a": "http://www.w3.org/2005/Atom"}


@pytest.fixture(scope="module")
def published(module_service):
    """A service with two editions."""
    service = furnish(module_service)
    service.ingest(Filer(3).says(7, filed="2024-02-01").document())
    service.await_edition(service.publish().edition)
    return service


def read(service):
    """Return the feed as a feed reader reads it."""
    response = service.client.get(FEED)
    assert (response.status_code, response.headers["content-type"]) == (200, "application/atom+xml")
    found = feedparser.parse(response.content, response_headers={"content-type": "application/atom+xml"})
    assert (found.bozo, found.version) == (False, "atom10")
    return found


@pytest.mark.proves("EDN-11", "KEY-1")
def test_the_feed_lists_the_editions_newest_first_without_a_key(published):
    listed = published.get("/v1/editions").json()["data"]
    found = read(published)
    assert [entry.title for entry in found.entries] == [f"Edition {row['edition']}" for row in listed]
    for entry, row in zip(found.entries, listed, strict=True):
        assert datetime.fromisoformat(entry.updated) == datetime.fromisoformat(row["published_at"])
    assert found.feed.updated == found.entries[0].updated
    assert published.client.get("/v1/editions").status_code == 401


@pytest.mark.proves("EDN-11")
def test_an_entry_counts_the_rows_of_its_edition_by_dataset_and_links_to_them(published):
    counts = published.get("/v1/editions").json()["data"][0]["datasets"]
    entry = read(published).entries[0]
    told = dict(part.split(": ", 1) for part in entry.summary.removesuffix(".").split(". "))
    assert set(told) == {name for name, count in counts.items() if count["put"] or count["removed"]}
    assert told["AF-FUND"] == "1 row put (1 added), 0 rows removed"
    assert entry.link.endswith("/#/editions?since=1")  # the explorer, for people
    links = {link.rel: link.href for link in entry.links if link.type == "application/json"}
    whole = {"headers": published.headers, "timeout": 30}
    (edition,) = httpx.get(links["alternate"], **whole).json()["data"]
    assert edition["edition"] == 2
    changes = httpx.get(links["related"], **whole).json()["data"]
    assert [(row["edition"], row["dataset"], row["reason"]) for row in changes] == [(2, "AF-FUND", "added")]


@pytest.mark.proves("EDN-11")
def test_the_feed_has_what_the_format_requires(published):
    root = ET.fromstring(published.client.get(FEED).content)
    assert root.tag == "{http://www.w3.org/2005/Atom}feed"
    for element in (root, *root.findall("a:entry", ATOM)):
        for name in ("id", "title", "updated"):
            assert len(element.findall(f"a:{name}", ATOM)) == 1, name
        assert element.findall("a:link[@rel='alternate']", ATOM)
    assert root.findtext("a:author/a:name", namespaces=ATOM)
    (own,) = root.findall("a:link[@rel='self']", ATOM)
    assert httpx.get(own.get("href")).content == published.client.get(FEED).content
    ids = [element.text for element in root.iter("{http://www.w3.org/2005/Atom}id")]
    assert len(set(ids)) == len(ids)
    assert all(uuid.UUID(one.removeprefix("urn:uuid:")) for one in ids)


@pytest.mark.proves("EDN-11")
def test_ids_do_not_depend_on_the_host(published):
    hosts = ("127.0.0.1", "localhost")
    port = published.client.base_url.port
    feeds = [
        feedparser.parse(published.client.get(FEED, headers={"Host": f"{host}:{port}"}).content)
        for host in hosts
    ]
    one, other = ([found.feed.id, *(entry.id for entry in found.entries)] for found in feeds)
    assert one == other
    assert [found.feed.links[0].href for found in feeds] == [f"http://{host}:{port}{FEED}" for host in hosts]


@pytest.mark.proves("EDN-11", "EDN-2")
def test_an_unchanged_feed_is_not_sent_again(service):
    service.ingest(Filer(1).says(7, filed="2024-02-01").document())
    service.await_edition(service.publish().edition)
    first = service.client.get(FEED)
    known = {"If-None-Match": first.headers["etag"]}
    again = service.client.get(FEED, headers=known)
    assert (again.status_code, again.content) == (304, b"")
    service.ingest(Filer(2).says(7, filed="2024-02-01").document())
    service.await_edition(service.publish().edition)
    changed = service.client.get(FEED, headers=known)
    assert changed.status_code == 200
    assert changed.headers["etag"] != first.headers["etag"]
    pinned = service.client.get(first.headers["content-location"])
    assert (pinned.content, pinned.headers["x-data-edition"]) == (first.content, "1")


@pytest.mark.proves("EDN-11", "EXP-3")
def test_limits_and_keys_are_as_for_open_files(published):
    assert '"burst";q=60;w=60' in published.client.get(FEED).headers["ratelimit-policy"]
    assert published.client.get(FEED, headers=key(published, "sample")).status_code == 200
    assert published.client.get(FEED, headers={"X-API-Key": "no such key"}).status_code == 401
    wrong = published.client.get(FEED, params={"limit": "1"})
    assert (wrong.status_code, wrong.json()["parameter"]) == (400, "limit")
    assert published.client.get(FEED, params={"edition": "99"}).status_code == 400
    assert published.client.post(FEED).status_code == 405
    assert published.client.head(FEED).status_code == 200
