"""What `make live` prints: what is new in each edition, as callers of the API see it."""

import json
from collections import Counter
from collections.abc import Iterator
from datetime import date, timedelta
from decimal import Decimal
from http.client import HTTPConnection
from itertools import groupby
from typing import Any
from urllib.parse import urlencode, urlsplit

from demo.companyfacts import FIRST_CIK
from demo.world import World
from dev.service import StackError

Row = dict[str, Any]
_NEWS = ("added", "restated")  # not: rows whose labels or numbers changed
_TOP_LINE = "revenue"
_RELEASES = 25  # the newest of Kenya, among which new ones are looked for


class News:
    """Follows the editions of one API."""

    def __init__(self, url: str, key: str, world: World) -> None:
        """Begin after the current edition."""
        self._url, self._key, self._world = url, key, world
        self._seen = self._edition()

    def lines(self) -> Iterator[str]:
        """Yield a line for each thing that arrived since the last call; none if there is no new edition."""
        edition = self._edition()
        if edition <= self._seen:
            return
        changes = self._every("/v1/changes", since=self._seen, edition=edition)
        self._seen = edition
        new = [row for row in changes if row["change"] == "put" and row["reason"] in _NEWS]
        counts = Counter(row["dataset"] for row in new)
        told = ", ".join(f"{count} of {name}" for name, count in sorted(counts.items()))
        yield f"  edition {edition}, new rows: {told or 'none'}"
        yield from self._filings([row for row in new if row["dataset"] == "AF-FUND"])
        yield from self._tenders([row["source_ref"] for row in new if row["dataset"] == "AF-TENDER"])

    def _filings(self, new: list[Row]) -> Iterator[str]:
        """Yield a line for each filing, and one for the most important value that it restates."""
        by_filing = sorted(new, key=lambda row: (row["available_at"], row["filing_id"]))
        for filing_id, rows in groupby(by_filing, key=lambda row: row["filing_id"]):
            facts = list(rows)
            name = self._world.profile(int(filing_id[:10]) - FIRST_CIK).name
            form, filed = facts[0]["form"], facts[0]["available_at"]
            yield f"    {'filing':17} {name}: {form} of {filed}, {len(facts)} values"
            yield from self._restated(facts[0]["service_id"], date.fromisoformat(filed))

    def _restated(self, service_id: str, filed: date) -> Iterator[str]:
        day_before = filed - timedelta(days=1)
        known = self._get(f"/v1/diff/{service_id}", from_as_of=day_before, to_as_of=filed)
        restated = [row for row in known if row["change"] == "restated"]
        for row in sorted(restated, key=lambda row: row["line_item"] != _TOP_LINE)[:1]:
            period = f"{row['period_type']}{row['fiscal_year']}"
            values = f"{_amount(row['old_value'])} → {_amount(row['new_value'])} {row['unit']}"
            yield f"    {'restated':17} {row['line_item']} {period}: {values} (vintage {row['new_vintage']})"

    def _tenders(self, places: list[str]) -> Iterator[str]:
        """Yield a line for each release of Kenya in which a value is new, oldest first."""
        releases = self._get("/v1/tenders", country="KE", limit=_RELEASES) if places else []
        for release in reversed(releases):
            if not any(place.startswith(release["source_ref"]) for place in places):
                continue
            tender = release.get("tender") or {}
            about = tender.get("title") or release["ocid"]
            stated = (release.get("awards") or [tender])[0].get("value")
            value = f", {_amount(stated['amount'])} {stated['currency']}" if stated else ""
            yield f"    {release['tag'][0]:17} {release['buyer']['name']}: {about}{value}"

    def _edition(self) -> int:
        return int(self._asked("/v1/status")["edition"])

    def _every(self, path: str, **parameters: object) -> Iterator[Row]:
        """Yield the rows of all pages."""
        cursor: str | None = ""
        while cursor is not None:
            more = {"cursor": cursor} if cursor else {}
            page = self._asked(f"{path}?{urlencode(parameters | more)}")
            yield from page["data"]
            cursor = page["next_cursor"]

    def _get(self, path: str, **parameters: object) -> list[Row]:
        """Return the rows of the first page."""
        rows: list[Row] = self._asked(f"{path}?{urlencode(parameters)}")["data"]
        return rows

    def _asked(self, target: str) -> Row:
        at = urlsplit(self._url)
        connection = HTTPConnection(at.hostname or "", at.port, timeout=30)
        try:
            connection.request("GET", target, headers={"X-API-Key": self._key})
            found: Row = json.loads(connection.getresponse().read(), parse_float=Decimal)
        except OSError as error:
            raise StackError(f"the API at {self._url} does not answer: {error}") from error
        finally:
            connection.close()
        return found


def _amount(value: int | Decimal | None) -> str:
    return "nothing" if value is None else f"{value:,}"
