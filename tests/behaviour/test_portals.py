"""Portals are read page by page into the ledger: every page once, and a second run adds nothing."""

from __future__ import annotations

import io
import itertools
import json
import re
import zipfile
from collections import Counter
from datetime import date, timedelta

import pytest
from typer.testing import CliRunner

from sankofa.core.errors import Refused, StoreUnavailable
from sankofa.ingest.portals.fetch import documents
from sankofa.ingest.run import ingest
from sankofa.surfaces.commands import portals
from support.portal_server import Answer, Portal, at, package, release

AGENT = "sankofa/test (data@example.org)"
START = date(2024, 2, 20)
DAYS = 20
END = START + timedelta(days=DAYS - 1)
# From none to a dozen releases a day, in an order that nobody chose by hand.
PUBLISHED = {
    START + timedelta(days=day): [
        release(day * 100 + number, str(START + timedelta(days=day))) for number in range(day * 7 % 13)
    ]
    for day in range(DAYS)
}
ALL = sorted(one["ocid"] for ones in PUBLISHED.values() for one in ones)


def etenders(asked):
    """Answer as eTenders does: short pages of uneven length, and an empty one at the end."""
    number = int(asked["PageNumber"])
    first, last = date.fromisoformat(asked["dateFrom"]), date.fromisoformat(asked["dateTo"])
    held = [one for day, ones in sorted(PUBLISHED.items()) if first <= day <= last for one in ones]
    sizes = itertools.cycle([3, 1, 5])
    for _ in range(number - 1):
        held = held[next(sizes) :]
    return package(held[: next(sizes)])


def fetched(source, *days):
    """Return the documents' bytes, without a ledger."""
    return [document.content.read_bytes() for document in documents(source, *days, user_agent=AGENT)]


def load(service, source, *days, at_most=None):
    arriving = documents(source, *days, user_agent=AGENT)
    with service.connect("ingest") as connection:
        batches = [
            ingest(connection, service.objects, document) for document in itertools.islice(arriving, at_most)
        ]
    arriving.close()
    return batches


def in_ledger(service, source):
    rows = service.rows("SELECT ocid FROM ledger.release WHERE source = %s ORDER BY ocid", source.name)
    return [ocid for (ocid,) in rows]


def test_every_page_of_every_window_arrives_and_a_second_run_appends_nothing(service):
    with Portal(etenders) as portal:
        source = at(portal, "za-etenders")
        batches = load(service, source, START, END)
        assert {batch.outcome for batch in batches} == {"accepted"}
        assert in_ledger(service, source) == ALL
        assert sum(batch.facts_appended for batch in batches) == len(ALL)
        assert portal.repeated() == []

        once = portal.targets()
        again = load(service, source, START, END)
        assert Counter(batch.outcome for batch in again) == {"seen": len(batches)}
        assert portal.targets() == once + once
        assert in_ledger(service, source) == ALL
    urls = service.rows("SELECT url FROM ops.document WHERE source = 'za-etenders'")
    assert len(urls) == len(batches)
    assert all(url.startswith(f"{portal.url}/api/OCDSReleases?PageNumber=") for (url,) in urls)


def test_a_run_that_stops_loses_nothing_and_the_next_one_goes_on(service):
    with Portal(etenders) as portal:
        source = at(portal, "za-etenders")
        for stopped_after in (1, 4, 9):
            load(service, source, START, END, at_most=stopped_after)
        batches = load(service, source, START, END)
        assert Counter(batch.outcome for batch in batches)["seen"] == 9
        assert in_ledger(service, source) == ALL


def test_windows_cover_every_day_once():
    with Portal(lambda _: package([])) as portal:
        fetched(at(portal, "za-etenders"), START, END)
        covered = Counter()
        for asked in portal.requests:
            first, last = date.fromisoformat(asked["dateFrom"]), date.fromisoformat(asked["dateTo"])
            assert (last - first).days < 7
            covered.update(first + timedelta(days=day) for day in range((last - first).days + 1))
    assert covered == {START + timedelta(days=day): 1 for day in range(DAYS)}


def test_pages_by_offset(service):
    held = [release(number) for number in range(117)]

    def umucyo(asked):
        offset = int(asked["offset"])
        return package(held[offset : offset + int(asked["limit"])])

    with Portal(umucyo) as portal:
        source = at(portal, "rw-umucyo")
        load(service, source, date(2024, 3, 1), date(2024, 3, 5))
        assert [asked["offset"] for asked in portal.requests] == ["0", "50", "100", "150"]
        assert {(asked["date_from"], asked["date_to"]) for asked in portal.requests} == {
            ("2024-03-01", "2024-03-05")
        }
        assert in_ledger(service, source) == [one["ocid"] for one in held]


def test_a_cursor_is_a_value_and_the_link_around_it_is_never_asked(service):
    order = ["", "abc-1", "d/e=", "last"]

    def nest(asked):
        here = order.index(asked.get("cursor") or "")
        following = order[here + 1] if here + 1 < len(order) else None
        link = (
            f"{elsewhere.url}/steal?cursor={following}&since=2024-03-0{here + 2}&limit=9"
            if following
            else f"{elsewhere.url}/"
        )
        return package([release(here)], links={"next": link})

    with Portal(lambda _: package([release(99)])) as elsewhere, Portal(nest) as portal:
        source = at(portal, "tz-nest")
        load(service, source, date(2024, 3, 1))
        assert elsewhere.requests == []
        assert [asked.get("cursor") for asked in portal.requests] == [None, "abc-1", "d/e=", "last"]
        assert [asked["since"] for asked in portal.requests] == [
            "2024-03-01T00:00:00Z", "2024-03-02", "2024-03-03", "2024-03-04",
        ]  # fmt: skip
        assert {asked.path for asked in portal.requests} == {"/gateway/nest-data-portal-api/api/releases"}
        assert len(in_ledger(service, source)) == len(order)


@pytest.mark.parametrize(
    "cursor", ["%0d%0aHost:%20x", "a%20b", "a%00", "é", "x" * 600, "<a>", '"', "%5c%5cx"]
)
def test_a_cursor_with_unexpected_characters_ends_the_run(cursor):
    links = {"next": f"http://127.0.0.1/?cursor={cursor}"}
    with Portal(lambda _: package([release(1)], links=links)) as portal:
        with pytest.raises(StoreUnavailable, match="cursor_unfit"):
            fetched(at(portal, "tz-nest"), date(2024, 3, 1))
        assert len(portal.requests) == 1


def test_a_cursor_that_leads_back_ends_the_run():
    with Portal(
        lambda asked: package(
            [release(1)], links={"next": f"/?cursor={'b' if asked.get('cursor') == 'a' else 'a'}"}
        )
    ) as portal:
        with pytest.raises(StoreUnavailable, match="leads back"):
            fetched(at(portal, "tz-nest"), date(2024, 3, 1))
        assert portal.repeated() == []


def test_parts_of_fiscal_years_are_counted_to_the_first_that_is_missing(service):
    parts = {("2023-2024", "1"): [1, 2], ("2023-2024", "2"): [3], ("2024-2025", "1"): [4]}
    too_fast = iter([True, False, False, True, True, False, False, False])

    def gpp(asked):
        if next(too_fast):
            return Answer(status=403)
        numbers = parts.get((asked["fy"], asked["code"]))
        return package([release(number) for number in numbers]) if numbers else Answer(status=404)

    with Portal(gpp) as portal:
        source = at(portal, "ug-gpp")
        load(service, source, date(2024, 5, 3), date(2024, 7, 1))
        answered = [(asked["fy"], asked["code"]) for asked in portal.requests]
        assert list(dict.fromkeys(answered)) == [
            *list(parts)[:2],
            ("2023-2024", "3"),
            ("2024-2025", "1"),
            ("2024-2025", "2"),
        ]
        assert len(in_ledger(service, source)) == 4


def zipped(name, content):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, json.dumps(content))
    return packed.getvalue()


def test_archives_whole_or_by_month(service):
    months = {"/2023/12": 1, "/2024/2": 2}

    def portals(asked):
        if asked.path == "/ocdsjson.ashx":
            return zipped("all.json", package([release(7), release(8)]))
        number = months.get(asked.path.removeprefix("/ocds/services/recordpackage/getrecordpackage"))
        if number is None:
            return Answer(status=404)
        return zipped("month.json", {"records": [{"ocid": "a", "releases": [release(number)]}]})

    with Portal(portals) as portal:
        nigeria, zambia = at(portal, "ng-nocopo"), at(portal, "zm-zppa")
        load(service, nigeria)
        assert in_ledger(service, nigeria) == ["ocds-test-00007", "ocds-test-00008"]
        load(service, zambia, date(2023, 12, 31), date(2024, 2, 1))
        assert [asked.path[-8:] for asked in portal.requests[1:]] == ["/2023/12", "e/2024/1", "e/2024/2"]
        assert in_ledger(service, zambia) == ["ocds-test-00001", "ocds-test-00002"]
        assert {asked.headers["Accept"].split(",")[0] for asked in portal.requests} == {"application/zip"}


def test_kenya_is_asked_by_fiscal_year():
    with Portal(lambda asked: package([release(int(asked["fy"][:4]))])) as portal:
        assert len(fetched(at(portal, "ke-ppip"), date(2023, 7, 1), date(2024, 6, 30))) == 1
        assert portal.targets() == ["/api/ocds/tenders?fy=2023-2024"]


def test_a_portal_is_asked_gently_and_told_by_whom():
    with Portal(etenders) as portal:
        fetched(at(portal, "za-etenders", pause_seconds=0.05), START, START + timedelta(days=6))
        assert len(portal.requests) > 5
        gaps = [later.began - earlier.began for earlier, later in itertools.pairwise(portal.requests)]
        assert min(gaps) >= 0.05
        assert {asked.alongside for asked in portal.requests} == {1}
        assert {asked.headers["User-Agent"] for asked in portal.requests} == {AGENT}
        assert {asked.headers["Accept-Encoding"] for asked in portal.requests} == {"identity"}
        assert {asked.headers["Host"] for asked in portal.requests} == {f"127.0.0.1:{portal.port}"}


def test_a_portal_that_does_not_page_as_defined_is_not_asked_for_ever():
    with Portal(lambda _: package([release(1)])) as portal:
        with pytest.raises(StoreUnavailable, match="repeats the page before"):
            fetched(at(portal, "za-etenders"), START, END)
        assert len(portal.requests) == 2


def test_a_page_of_broken_releases_is_a_page():
    pages = {"1": package(["x", 7]), "2": package([release(1)]), "3": package([])}
    with Portal(lambda asked: pages[asked["PageNumber"]]) as portal:
        assert len(fetched(at(portal, "za-etenders"), START, START)) == 2


def test_a_page_that_is_no_ocds_is_refused_with_a_reason_and_the_next_window_goes_on(service):
    def maintenance(asked):
        is_down = asked["dateFrom"] == str(START)
        return Answer(b"<html>Down for maintenance</html>") if is_down else etenders(asked)

    with Portal(maintenance) as portal:
        source = at(portal, "za-etenders")
        batches = load(service, source, START, END)
        assert [batch.rejected for batch in batches if batch.outcome == "refused"] == [{"malformed_json": 1}]
        later = sorted(
            one["ocid"] for day, ones in PUBLISHED.items() if day >= START + timedelta(days=7) for one in ones
        )
        assert in_ledger(service, source) == later


@pytest.mark.parametrize(
    ("source", "days", "told"),
    [
        ("demo-tenders", (), "no portal"),
        ("ng-nocopo", (START, END), "one file"),
        ("ke-ppip", (), "first day"),
        ("tz-nest", (START, END), "a last one"),
        ("za-etenders", (END, START), "after the last"),
    ],
)
def test_days_that_a_portal_cannot_be_asked_for_are_refused(source, days, told):
    with Portal(etenders) as portal:
        defined = portals.source_named(source) if source == "demo-tenders" else at(portal, source)
        with pytest.raises(Refused, match=told):
            fetched(defined, *days)
        assert portal.requests == []


def test_the_command_ingests_and_closes_with_a_line(service, capsys):
    broken = package([{"id": "no ocid"}, release(5)])
    pages = {"1": broken, "2": Answer(b"{"), "3": package([])}
    with Portal(lambda asked: pages[asked["PageNumber"]]) as portal:
        settings = service.settings.model_copy(update={"contact": "data@example.org"})
        day = date(2024, 3, 1)
        portals.gather(settings, at(portal, "za-etenders"), day, day)
        assert re.fullmatch(r"sankofa/\S+ \(data@example\.org\)", portal.requests[0].headers["User-Agent"])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith(f"refused: {portal.url}/api/OCDSReleases?PageNumber=2")
    assert lines[-1] == (
        "documents: 1 accepted, 1 refused; appended: 1; rejected: 1 malformed_json, 1 missing_ocid"
    )


def test_the_command_counts_what_came_before_a_failure(service, capsys):
    with Portal(
        lambda asked: etenders(asked) if asked["PageNumber"] == "1" else Answer(status=400)
    ) as portal:
        settings = service.settings.model_copy(update={"contact": "data@example.org"})
        with pytest.raises(StoreUnavailable, match="status 400"):
            portals.gather(settings, at(portal, "za-etenders"), START, END)
    assert "documents: 1 accepted; appended: " in capsys.readouterr().out


def test_no_portal_is_asked_without_a_contact():
    result = CliRunner().invoke(portals.app, ["ng-nocopo"], env={"SANKOFA_CONTACT": ""})
    assert result.exit_code == 1
    assert "SANKOFA_CONTACT" in result.stderr
