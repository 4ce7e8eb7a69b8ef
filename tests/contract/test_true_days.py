"""FUN-11 over HTTP: a filing that two sources state is one, and rounded days become the true ones."""

from __future__ import annotations

import itertools

import pytest

from support.filings import Filer, data_set

SUB = ("adsh", "cik", "name", "form", "period", "filed", "instance", "fye", "fy", "fp")
NUM = ("adsh", "tag", "version", "ddate", "qtrs", "uom", "value")
FIRST, SECOND, LATE = "0000000061-09-000001", "0000000061-10-000001", "0000000061-10-000002"
Q3_2009, Q3_2010 = ("2009-03-29", "2009-06-27"), ("2010-03-28", "2010-06-26")


def rounded(number, filed, instance, *facts, period="20090630", year="2009"):
    """Return one filing as the data sets of the SEC state it: days rounded to the ends of months."""
    sub = (number, "61", "EXAMPLE CORP", "10-Q", period, filed, instance, "0930", year, "Q3")
    rows = [
        (number, tag, "us-gaap/2009", ddate, quarters, "USD", value) for tag, ddate, quarters, value in facts
    ]
    return data_set(sub=(SUB, sub), num=(NUM, *rows))


def exact(filer=None, **said):
    filer = filer or Filer(61)
    return filer.says(**{"filed": "2009-07-22", "filing": FIRST, "unit": "USD", "form": "10-Q"} | said)


def published(service, *documents):
    for source, document in documents:
        service.ingest(document, source_name=source)
        service.publish()
    return service.id_of("cik:0000000061")


def days(rows):
    return {
        row["line_item"]: (row["period_start"], row["period_end"], row["days_rounded"])
        for row in sorted(rows, key=lambda row: row["period_end"])
    }


@pytest.mark.proves("FUN-11")
def test_the_name_of_the_document_shows_the_last_day(service):
    facts = (("Revenues", "20090630", "1", "8337"), ("Assets", "20090630", "0", "48140"))
    before = ("StockholdersEquity", "20080930", "0", "21030")
    document = rounded(FIRST, "20090722", "aapl-20090627.xml", *facts, before)
    issuer = published(service, ("sec-fsds", document))
    rows = service.facts(issuer)
    assert days(rows) == {
        "revenue": ("2009-04-01", "2009-06-27", "start"),
        "total_assets": (None, "2009-06-27", None),
        "equity": (None, "2008-09-30", "all"),
        "equity_attributable_to_parent": (None, "2008-09-30", "all"),
    }
    assert {row["line_item"]: row["reported_as"] for row in rows}["revenue"] == "own"


@pytest.mark.proves("FUN-11")
@pytest.mark.parametrize("instance", ["aapl-20080627.xml", "form10q.xml", "aapl-20099999.xml", ""])
def test_a_name_that_does_not_fit_shows_nothing(service, instance):
    document = rounded(FIRST, "20090722", instance, ("Assets", "20090630", "0", "48140"))
    issuer = published(service, ("sec-fsds", document))
    assert days(service.facts(issuer)) == {"total_assets": (None, "2009-06-30", "all")}


@pytest.mark.proves("FUN-11")
@pytest.mark.parametrize("order", list(itertools.permutations([0, 1])))
def test_one_filing_from_two_sources_is_one_row(service, order):
    table = rounded(
        FIRST,
        "20090722",
        "",
        ("Revenues", "20090630", "1", "8337"),
        ("EarningsPerShareBasic", "20090630", "1", "1.38"),
        ("OwnDividendPerShare", "20090630", "1", "0.5"),
        ("OtherThing", "20090630", "1", "7"),
        ("Assets", "20090630", "0", "48140"),
    )
    filer = exact(value=8337, concept="us-gaap:Revenues", period=Q3_2009)
    exact(filer, value="1.38", concept="us-gaap:EarningsPerShareBasic", period=Q3_2009, unit="USD/shares")
    exact(filer, value="0.5", concept="us-gaap:OwnDividendPerShare", period=Q3_2009, unit="USD/shares")
    exact(filer, value=48140, concept="us-gaap:Assets", period=(None, "2009-06-27"))
    exact(filer, value=900, concept="dei:EntityCommonStockSharesOutstanding", period=(None, "2009-07-10"))
    documents = (("sec-fsds", table), ("sec-companyfacts", filer.document()))
    issuer = published(service, *(documents[place] for place in order))
    rows = service.facts(issuer, vintages="all", items="all")
    stated = sorted((row["concept"], row["unit"], row["period_start"], row["period_end"]) for row in rows)
    assert stated == [
        ("dei:EntityCommonStockSharesOutstanding", "USD", None, "2009-07-10"),
        ("us-gaap:Assets", "USD", None, "2009-06-27"),
        ("us-gaap:EarningsPerShareBasic", "USD/shares", *Q3_2009),
        ("us-gaap:OtherThing", "USD", *Q3_2009),
        ("us-gaap:OwnDividendPerShare", "USD/shares", *Q3_2009),
        ("us-gaap:Revenues", "USD", *Q3_2009),
    ]
    assert {row["days_rounded"] for row in rows} == {None}
    assert {row["reported_as"] for row in rows} == {"own"}


@pytest.mark.proves("FUN-11", "FUN-3")
def test_the_first_concept_of_a_filing_wins_whichever_source_has_it(service):
    table = rounded(FIRST, "20090722", "", ("SalesRevenueNet", "20090630", "1", "8000"))
    filer = exact(value=8337, concept="us-gaap:Revenues", period=Q3_2009)
    issuer = published(service, ("sec-fsds", table), ("sec-companyfacts", filer.document()))
    rows = service.facts(issuer, vintages="all", items="revenue")
    assert [(row["concept"], row["value_reported"], row["vintage"]) for row in rows] == [
        ("us-gaap:Revenues", 8337, 1)
    ]


@pytest.mark.proves("FUN-11", "FUN-2")
def test_a_later_filing_is_mended_by_an_earlier_one_and_never_the_other_way_round(service):
    first = rounded(
        FIRST,
        "20090722",
        "aapl-20090627.xml",
        ("Revenues", "20090630", "1", "8337"),
        ("Assets", "20090331", "0", "43237"),
    )
    second = rounded(
        SECOND,
        "20100721",
        "aapl-20100626.xml",
        ("Revenues", "20090630", "1", "8337"),
        ("Assets", "20090630", "0", "48140"),
        ("Revenues", "20100630", "4", "57089"),
        period="20100630",
        year="2010",
    )
    late = rounded(
        LATE, "20100801", "aapl-20090328.xml", ("Liabilities", "20090331", "0", "21000"), period="20090331"
    )
    issuer = published(service, *(("sec-fsds", document) for document in (first, second, late)))
    past = service.facts(issuer, as_of="2009-12-31", edition=1)
    assert service.facts(issuer, as_of="2009-12-31", edition=2) == past
    assert service.facts(issuer, as_of="2009-12-31", edition=3) == past
    assert days(past) == {
        "revenue": ("2009-04-01", "2009-06-27", "start"),
        "total_assets": (None, "2009-03-31", "all"),
    }
    rows = service.facts(issuer, vintages="all", items="revenue")
    assert [(row["period_start"], row["period_end"], row["days_rounded"]) for row in rows] == [
        ("2009-06-28", "2010-06-26", None),
        ("2009-04-01", "2009-06-27", "start"),
    ]
