"""Documents cut to what was public by a day, format by format.

A document may be fetched long after most of what it states was public. Until its day of fetch has come, the
part of it that was public counts; from that day on, the whole document. Formats whose statements stand for
themselves (filings, releases, rates by day, vintages by period) are cut into the statements that are new
since the day before; the other formats are cut to all that was public.
"""

from __future__ import annotations

import csv
import io
import json
import re
import zipfile
from collections import defaultdict
from collections.abc import Callable, Iterable
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from functools import lru_cache
from hashlib import sha256
from itertools import pairwise
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

import msgspec

from law import brazil, ecb, editions
from sankofa.ingest.source import Source

_EXACT = msgspec.json.Encoder(decimal_format="number")
_VINTAGE = re.compile(r".+_([0-9]{4})([0-9]{2})([0-9]{2})")
# The clocks of publishers whose day may be later than the day in UTC.
_CLOCKS = {
    "ecb_rates": "Europe/Berlin",
    "cbk_rates": "Africa/Nairobi",
    "cbk_inflation": "Africa/Nairobi",
    "fred": "America/Chicago",
    "imf_weo": "America/New_York",
    "wdi_archive": "America/New_York",
}
# What states who is who is loaded whole into both worlds: identity belongs to the edition.
IDENTITY = frozenset({"cik_lei", "gleif_isins", "openfigi", "ticker_database", "wikidata"})
_TICK = timedelta(milliseconds=1)


class Document(NamedTuple):
    """A document of a world. No two documents of a world are fetched at the same second."""

    source: Source
    content: bytes
    fetched_at: datetime
    is_identity: bool = False

    @property
    def seen_on(self) -> date:
        """The day of the fetch: the later of the day in UTC and the publisher's."""
        clock = _CLOCKS.get(self.source.parser, "UTC")
        return max(self.fetched_at.astimezone(UTC).date(), self.fetched_at.astimezone(ZoneInfo(clock)).date())

    @property
    def states_identity(self) -> bool:
        return self.is_identity or self.source.parser in IDENTITY


class Span(NamedTuple):
    """The days after one day, up to another."""

    after: date
    until: date

    def has(self, day: date | None) -> bool:
        return day is not None and self.after < day <= self.until


Cut = Callable[[Document, Span, "Firsts"], bytes | None]


class Firsts:
    """What was stated first, where several documents state one thing; the others count from their fetch."""

    def __init__(self, documents: Iterable[Document]) -> None:
        self.contents: dict[tuple[str, str, str], bytes] = {}
        self.rates: dict[tuple[str, str, str], Document] = {}
        in_order = sorted(documents, key=lambda one: (one.fetched_at, sha256(one.content).digest()))
        for document in in_order:
            if document.source.parser == "ocds":
                listed = [one for value in _json_values(document.content) for one in releases(value)]
                for stated in sorted(listed, key=lambda one: str(one.get("date"))):
                    self.contents.setdefault(release_key(document, stated), _EXACT.encode(stated))
            elif document.source.parser == "ecb_rates":
                for day, currency, _ in ecb.rates(document.content):
                    self.rates.setdefault((document.source.name, day, currency), document)


class Load(NamedTuple):
    """Something to load on a day: a document, or a part of one."""

    source: Source
    content: bytes
    fetched_at: datetime


def cuts(documents: Iterable[Document], days: list[date], firsts: Firsts) -> list[list[Load]]:
    """Return, for each day, what became public since the day before."""
    due: list[list[Load]] = [[] for _ in days]
    for document in documents:
        if document.states_identity:
            continue
        for number, span in enumerate(pairwise([date.min, *days])):
            public = cut(document, Span(*span), firsts)
            if public == document.content:
                due[number].append(Load(document.source, public, document.fetched_at))
                break
            if public is not None:
                # Parts of a document come before the whole of it, in their order, on the same day.
                moment = document.fetched_at - _TICK * (len(days) - number)
                due[number].append(Load(document.source, public, moment))
    return due


def cut(document: Document, span: Span, firsts: Firsts) -> bytes | None:
    """Return what of a document became public in a span of days; None if nothing did."""
    parser = document.source.parser
    if parser not in FORMATS:
        raise AssertionError(
            f"no way to cut documents of the format {parser}: add one to tests/law/cutting.py"
        )
    if document.seen_on <= span.until and parser not in _PUBLISHED:
        return document.content
    return FORMATS[parser](document, span, firsts)


def released_on(text: object) -> date | None:
    """Return the later of the day of a moment as written and in UTC."""
    if not isinstance(text, str):
        return None
    try:
        moment = datetime.fromisoformat(text.strip())
        at = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        return max(at.date(), at.astimezone(UTC).date())
    except (ValueError, OverflowError):
        return None


@lru_cache(2)
def _exact_json(content: bytes) -> Any:
    return json.loads(content.decode("utf-8-sig"), parse_float=Decimal)


def _json_values(content: bytes) -> list[Any]:
    try:
        return [_exact_json(content)]
    except json.JSONDecodeError:
        return [_exact_json(line) for line in content.splitlines() if line.strip()]
    except UnicodeDecodeError:
        return []


def _companyfacts(document: Document, span: Span, _firsts: Firsts) -> bytes | None:
    """Keep the rows of filings that were filed in the span. The name has no day (ENT-3)."""
    stated = _exact_json(document.content)
    facts: dict[str, Any] = defaultdict(lambda: defaultdict(lambda: {"label": None, "units": {}}))
    for taxonomy, tags in stated["facts"].items():
        for tag, concept in tags.items():
            for unit, rows in concept["units"].items():
                kept = [row for row in rows if span.has(_day(row.get("filed")))]
                if kept:
                    facts[taxonomy][tag]["units"][unit] = kept
    named = {name: stated[name] for name in ("cik", "entityName") if name in stated}
    return _EXACT.encode(named | {"facts": facts}) if facts else None


def _day(text: object) -> date | None:
    try:
        return date.fromisoformat(text) if isinstance(text, str) else None
    except ValueError:
        return None


def _data_set(document: Document, span: Span, _firsts: Firsts) -> bytes | None:
    """Cut the table of filings to those of the days, and the table of numbers, if there is one, to theirs."""
    with zipfile.ZipFile(io.BytesIO(document.content)) as archive:
        read = [name for name in ("sub.txt", "sub.tsv", "num.txt") if name in archive.namelist()]
        tables = {name: archive.read(name).split(b"\n") for name in read}
    head, *rows = tables[read[0]]
    place = head.rstrip(b"\r").split(b"\t").index(b"filed")
    kept = [row for row in rows if row and span.has(_day(row.split(b"\t")[place].decode()))]
    numbers = {row.partition(b"\t")[0] for row in kept}
    tables[read[0]] = [head, *kept]
    for name in read[1:]:
        first, *facts = tables[name]
        tables[name] = [first, *(fact for fact in facts if fact.partition(b"\t")[0] in numbers)]
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, lines in tables.items():
            archive.writestr(zipfile.ZipInfo(name), b"\n".join([*lines, b""]))
    return packed.getvalue() if kept else None


def _cvm(document: Document, span: Span, firsts: Firsts) -> bytes | None:
    """Keep the versions of forms that were received in the span; a table alone counts from its fetch."""
    if not document.content.startswith(b"PK"):
        return _when_fetched(document, span, firsts)
    return brazil.cut(document.content, lambda day: span.has(_day(day)))


def releases(value: Any) -> list[dict[str, Any]]:
    """Return the releases of an OCDS document, however it wraps them."""
    if isinstance(value, list):
        return [release for item in value for release in releases(item)]
    if not isinstance(value, dict):
        return []
    listed = [one for one in value.get("releases", []) if "ocid" in one]
    listed += [one for record in value.get("records", []) for one in releases(record)]
    listed += value.get("compiledReleases", [])
    if "compiledRelease" in value and not listed:
        listed.append(value["compiledRelease"])
    wrapped = {
        "releases",
        "records",
        "compiledRelease",
        "compiledReleases",
        "versionedRelease",
    } & value.keys()
    return listed if wrapped else [value]


def release_key(document: Document, release: dict[str, Any]) -> tuple[str, str, str]:
    return document.source.name, str(release.get("ocid")), str(release.get("id"))


def _dated(document: Document, release: dict[str, Any]) -> date | None:
    """Return the portal's date of a release, unless it is impossible: unset, or after the fetch."""
    day = released_on(release.get("date"))
    return day if day and date(1970, 1, 2) <= day <= document.seen_on + timedelta(days=1) else None


def _ocds(document: Document, span: Span, firsts: Firsts) -> bytes | None:
    """Keep releases dated in the span. Another content of one that was seen before counts from its fetch."""
    kept = [
        release
        for value in _json_values(document.content)
        for release in releases(value)
        if span.has(_dated(document, release))
        and firsts.contents[release_key(document, release)] == _EXACT.encode(release)
    ]
    return _EXACT.encode({"releases": kept}) if kept else None


def _ecb(document: Document, span: Span, firsts: Firsts) -> bytes | None:
    """Keep the rates of days in the span that this document states before all others.

    What a later document repeats after a correction would be a vintage of its own. A table would say of other
    currencies that they have no rate. A currency that is none keeps the part from passing for the whole.
    """
    days: dict[str, dict[str, Decimal]] = defaultdict(dict)
    for day, currency, rate in ecb.rates(document.content):
        if span.has(_day(day)) and firsts.rates[document.source.name, day, currency] is document:
            days[day][currency] = rate
    if not days:
        return None
    return ecb.document(days)


def _fred(document: Document, span: Span, _firsts: Firsts) -> bytes | None:
    """Keep the vintages of the span; where each repeats what had not changed, all vintages up to its end."""
    answer = _exact_json(document.content)
    if str(answer["output_type"]) in ("1", "4"):
        opens = answer["realtime_start"]
        kept = [
            row | {"realtime_end": "9999-12-31"}
            for row in answer["observations"]
            if span.has(_day(row["realtime_start"])) and row["realtime_start"] != opens
        ]
    else:
        rows = (
            {name: text for name, text in row.items() if name == "date" or _vintage(name) <= span.until}
            for row in answer["observations"]
        )
        kept = [row for row in rows if len(row) > 1]
    return _EXACT.encode(answer | {"observations": kept, "count": len(kept)}) if kept else None


def _vintage(column: str) -> date:
    return date(*map(int, _VINTAGE.fullmatch(column).groups()))


def _bank(document: Document, span: Span, _firsts: Firsts) -> bytes | None:
    """Return a document of the World Bank once the day of its update has come."""
    if document.content.lstrip().startswith(b"["):
        updated = _exact_json(document.content)[0].get("lastupdated")
    else:
        found = re.search(rb'"?Last Updated Date"?,"?([0-9-]{10})', document.content)
        updated = found[1].decode() if found else None
    day = _day(updated) or document.seen_on
    return document.content if day <= span.until else None


def _gleif(document: Document, span: Span, _firsts: Firsts) -> bytes | None:
    """Keep records of the table of LEIs that were updated in the span."""
    rows = list(csv.reader(io.StringIO(document.content.decode("utf-8-sig"))))
    place = rows[0].index("Registration.LastUpdateDate")
    kept = [row for row in rows[1:] if span.has(released_on(row[place]))]
    text = io.StringIO(newline="")
    csv.writer(text, quoting=csv.QUOTE_ALL).writerows([rows[0], *kept])
    return text.getvalue().encode("utf-8-sig") if kept else None


def _submissions(document: Document, span: Span, _firsts: Firsts) -> bytes | None:
    """Cut the filings and names of a filer to those of the day; days are the first ten characters."""
    stated = _exact_json(document.content)
    recent = stated["filings"]["recent"]
    public = [_is_by(day, span.until) for day in recent["filingDate"]]
    begun = [one for one in stated.get("formerNames") or () if _is_by(one["from"][:10], span.until)]
    if not begun and not any(public):
        return None
    last = max(begun, key=lambda one: one["from"], default=None)
    since = last["to"][:10] if last else ""
    is_current = any(
        since < day for day, is_public in zip(recent["filingDate"], public, strict=True) if is_public
    )
    columns = {
        name: [value for value, is_public in zip(column, public, strict=True) if is_public]
        for name, column in recent.items()
    }
    cut_down = {
        "cik": stated["cik"],
        "name": stated["name"] if last is None or is_current else last["name"],
        "formerNames": begun,
        "filings": {"recent": columns, "files": []},
    }
    return _EXACT.encode(cut_down)


def _is_by(day: str, until: date) -> bool:
    known = _day(day)
    return known is not None and known <= until


def _when_fetched(document: Document, span: Span, _firsts: Firsts) -> bytes | None:
    """Return a document whose statements count from its fetch."""
    return document.content if document.seen_on <= span.until else None


def _archived(document: Document, span: Span, _firsts: Firsts) -> bytes | None:
    """Return an edition of the archive, which became public by the end of its month."""
    public = min([document.seen_on, *editions.month_ends(document.content)])
    return document.content if public <= span.until else None


# The whole document has one day, which is not that of the fetch.
_PUBLISHED = frozenset({"world_bank", "wdi_archive"})
FORMATS: dict[str, Cut] = {
    "sec_companyfacts": _companyfacts,
    "sec_fsds": _data_set,
    "sec_notes": _data_set,
    "esef": _when_fetched,  # single reports: an archive with an index has days of its own
    "cvm_statements": _cvm,
    "ocds": _ocds,
    "ecb_rates": _ecb,
    "fred": _fred,
    "world_bank": _bank,
    "world_bank_long": _when_fetched,
    "cbk_rates": _when_fetched,
    "cbk_inflation": _when_fetched,
    "imf_weo": _when_fetched,
    "wdi_archive": _archived,
    "gleif": _gleif,
    "listings": _when_fetched,
    "sec_tickers": _when_fetched,
    "cvm_companies": _when_fetched,
    "sec_submissions": _submissions,
}
