"""The audit of the law itself: it asks every endpoint, cuts every format, and sees what it should see."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from datetime import UTC, date, datetime

import pytest

from law import cutting, questions
from law.compare import additions, differences, plain
from law.fiscal import Filer, companyfacts
from publisher.protocols import Archives
from sankofa.ingest.parsers import PARSERS
from sankofa.ingest.sources import source
from support.answering import Asked

MADE_FOR_TESTS = {"stated_organisations"}
DAYS = [date(2012, 1, 1), date(2015, 6, 30), date(2030, 1, 1)]
FETCHED = datetime(2029, 1, 1, tzinfo=UTC)


def key_of(row):
    return (row["id"],)


def test_every_endpoint_that_takes_a_day_is_asked():
    names = {endpoint.name for endpoint in questions.endpoints()}
    assert names == set(questions.ASKED)


def test_an_endpoint_or_a_parameter_that_nobody_asks_is_named(monkeypatch):
    novel = replace(questions.ENDPOINTS[0], name="novel", path="/v1/novel")
    monkeypatch.setattr(questions, "ENDPOINTS", (novel,))
    with pytest.raises(AssertionError, match=r"/v1/novel takes \['as_of'\]"):
        questions.endpoints()
    monkeypatch.setitem(
        questions.ASKED, "novel", replace(questions.ASKED["fundamentals"], varies=frozenset())
    )
    with pytest.raises(AssertionError, match=r"/v1/novel takes \['concept', 'fiscal_year', 'items', 'line"):
        questions.endpoints()


def test_every_format_can_be_cut_or_is_identity():
    assert set(PARSERS) - MADE_FOR_TESTS == set(cutting.FORMATS) | cutting.IDENTITY


def test_parts_of_company_facts_make_up_the_whole_under_the_name_of_the_document():
    filings = Filer(random.Random(7), date(2026, 1, 1)).filings(2010, 8)
    document = cutting.Document(
        source("demo-companyfacts"), companyfacts(9, "Invented PLC", filings), FETCHED
    )
    *parts, whole = cutting.cuts([document], DAYS, cutting.Firsts([document]))
    assert whole == [cutting.Load(document.source, document.content, FETCHED)]
    for number, (day, loads) in enumerate(zip(DAYS, parts, strict=False)):
        (load,) = loads
        stated = json.loads(load.content)
        assert stated["entityName"] == "Invented PLC"
        since = DAYS[number - 1] if number else date.min
        assert filed(stated) == {one for one in filed(json.loads(document.content)) if since < one[0] <= day}


def filed(stated):
    return {
        (date.fromisoformat(row["filed"]), row["accn"], tag, row.get("start"), row["end"])
        for tag, concept in stated["facts"]["us-gaap"].items()
        for row in concept["units"]["USD"]
    }


def test_a_field_that_differs_is_found_and_the_cited_document_is_not_compared():
    row = {"id": 1, "period_type": "H1", "observed_at": "a", "provenance_id": "b"}
    one = [plain(row | {"source_ref": f"s@sha256:{'a' * 64}#x"})]
    other = [plain(row | {"source_ref": f"s@sha256:{'b' * 64}#x", "observed_at": "c"})]
    assert differences(key_of, one, other)[0] == {}
    assert differences(key_of, [one[0] | {"period_type": "Q2"}], other)[0] == {"period_type": 1}
    assert differences(key_of, one, [])[0] == {"row surplus": 1}
    assert differences(key_of, [], other)[0] == {"row missing": 1}


def test_a_metric_may_be_taken_away_and_neither_added_nor_changed_nor_moved():
    first, second = {"id": 1, "rank": 1, "value": 9}, {"id": 2, "rank": 2, "value": 8}
    assert additions(key_of, [second | {"rank": 1}], [first, second])[0] == {}
    assert additions(key_of, [first, second], [second])[0] == {"row surplus": 1}
    assert additions(key_of, [first | {"value": 7}], [first, second])[0] == {"value": 1}
    assert additions(key_of, [second, first], [first, second])[0] == {"order": 1}


def test_an_edition_of_the_archive_is_public_from_the_end_of_its_month():
    target = "/v2/sources/57/country/all/series/NY.GDP.MKTP.CD/time/all/version/201506/data"
    page = Archives({"201506": {"KEN": {2012: 50}}}).answer(Asked(target, {}, 0.0, 1))
    document = cutting.Document(source("wdi-archives"), json.dumps(page).encode(), FETCHED)
    days = [date(2015, 6, 29), date(2015, 6, 30)]
    assert [len(loads) for loads in cutting.cuts([document], days, cutting.Firsts([document]))] == [0, 1]
