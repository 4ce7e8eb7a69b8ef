"""Full walks over thousands of releases while editions are published: none is missing, none is repeated."""

from __future__ import annotations

import random
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import httpx

from audit.tender_documents import release
from support.stated_tenders import package

RELEASES = 3_000
ADDED = 20
COUNT = 100_000  # so that releases lie as densely as among so many
CLIENTS = 4
PAGES = (100, 250, 500, 1_000)
FETCHED = datetime(2026, 1, 5, 6, tzinfo=UTC)


class Publishing:
    """Publishes one edition after the other, and knows which releases each holds, in their order."""

    def __init__(self, service, rng):
        self._service = service
        self._rng = rng
        self._dates = {}
        self._newer = threading.Condition()
        self._current = 0
        self.orders = {}
        self._grow(range(RELEASES))

    def _grow(self, numbers, revised=0):
        day = FETCHED + timedelta(hours=len(self.orders))
        stated = [release(number, COUNT, revised=revised) for number in numbers]
        self._service.ingest((package(*stated), day), source_name="demo-tenders")
        for one in stated:
            moment = datetime.fromisoformat(one["date"])
            self._dates[(one["ocid"], one["id"])] = (-moment.timestamp(), one["ocid"], one["id"])
        order = sorted(self._dates, key=self._dates.get)
        self.orders[len(self.orders) + 1] = order
        assert self._service.publish().edition == len(self.orders)
        with self._newer:
            self._current = len(self.orders)
            self._newer.notify_all()

    def overtake(self, edition):
        """Return once a newer edition than this one is current."""
        with self._newer:
            assert self._newer.wait_for(lambda: self._current > edition, timeout=300)

    def go_on(self, ended):
        """Add releases anywhere in time and refill some, until all walks have ended."""
        while not ended.is_set():
            known = len(self._dates)
            self._grow(range(known, known + ADDED))
            self._grow(self._rng.sample(range(RELEASES), ADDED), revised=len(self.orders))


def walk(url, key, page, publishing):
    """Return the edition and the releases of one full walk, which a newer edition overtakes on its way."""
    found, edition = [], None
    params = {"limit": str(page)}
    with httpx.Client(base_url=url, headers={"X-API-Key": key}, timeout=60) as client:
        while True:
            response = client.get("/v1/tenders", params=params)
            assert response.status_code == 200, response.text
            body = response.json()
            if edition is None:
                edition = body["edition"]
                publishing.overtake(edition)
            assert body["edition"] == edition
            found += [(row["ocid"], row["id"]) for row in body["data"]]
            if body["next_cursor"] is None:
                return edition, found
            params = {"cursor": body["next_cursor"]} | ({"limit": str(page)} if len(found) % 2 else {})


def test_every_walk_finds_every_release_once(make_service, size, seed):
    service, rng = make_service(), random.Random(seed)
    publishing, ended = Publishing(service, rng), threading.Event()
    url, keys = service.api.url, [service.issue().key for _ in range(40)]
    publisher = threading.Thread(target=publishing.go_on, args=(ended,))
    publisher.start()
    try:
        with ThreadPoolExecutor(CLIENTS) as clients:
            pages = [rng.choice(PAGES) for _ in range(size.walks)]
            walks = list(
                clients.map(
                    lambda number: walk(url, keys[number % 40], pages[number], publishing), range(size.walks)
                )
            )
    finally:
        ended.set()
        publisher.join()
    missing = repeated = misplaced = 0
    for edition, found in walks:
        expected = publishing.orders[edition]
        missing += len(set(expected) - set(found))
        repeated += sum(count - 1 for count in Counter(found).values())
        misplaced += found != expected
    editions = {edition for edition, _ in walks}
    total = sum(len(found) for _, found in walks)
    print(f"{len(walks)} walks over {len(editions)} editions, {total:,} releases")
    assert (missing, repeated, misplaced) == (0, 0, 0)
    assert len(editions) > 1
