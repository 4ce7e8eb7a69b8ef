"""Damaged documents: whatever the bytes are, a parser yields, counts, or refuses with a reason.

Damaged archives are the matter of test_bounds.py.
"""

from __future__ import annotations

import random
from datetime import UTC, datetime

import pytest

from sankofa.core.errors import UnreadableDocument
from sankofa.ingest.bytes.bounds import Rejections
from sankofa.ingest.series import (
    cbk_inflation,
    cbk_rates,
    ecb_rates,
    fred,
    imf_weo,
    world_bank_csv,
    world_bank_json,
)
from sankofa.ingest.series.world_bank import Indicator
from sankofa.macro.model import SeriesHead

FETCHED = datetime(2024, 8, 23, tzinfo=UTC)
GDP = SeriesHead(
    key="FRED.GDP", series_type="indicator", frequency="Q", country_iso3="USA", unit=None, indicator="GDP"
)
RATES = b"Date,USD,CYP,ZAR,\n2024-04-18,1.0679,N/A,20.3233,\n1999-01-04,1.1789,0.58231,6.9358,"
NUMBERS = (b"NaN", b"Infinity", b"-1", b"9" * 400, b"null", b"true", b"\xd9\xa3")
DAYS = (b"0001-01-01", b"99/99/9999", b"2024Q9")
MARKS = (
    b'"',
    b"'",
    b",",
    b"\r",
    b"\n",
    b"\0",
    b"\xff",
    b"\\u0000",
    b"\xef\xbb\xbf",
    b"[",
    b"{",
    b"]}",
    b"<",
    b"&a;",
)
WORDS = (b"<!DOCTYPE x>", b"ZAR", b"KEN", b"")
SPLICES = (*NUMBERS, *DAYS, *MARKS, *WORDS)

PAGE = (
    b'[{"page":1,"per_page":"50","total":2,"lastupdated":"2024-03-28"},'
    b'[{"indicator":{"id":"A.B","value":"x (%)"},"country":{"id":"KE","value":"Kenya"},'
    b'"countryiso3code":"","date":"2022","value":1.5,"unit":""}]]'
)
WIDE = (
    b'"Last Updated Date","2024-03-28",\n"Country Name","Country Code","Indicator Name","Indicator Code",'
    b'"2021","2022",\n"Kenya","KEN","x","A.B","1","2",\n"Uganda","UGA","x","A.B","","4",\n'
)
ENVELOPE = (
    b'<e:Envelope xmlns:e="http://www.gesmes.org/xml/2002-08-01" '
    b'xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref"><Cube><Cube time="2024-04-18">'
    b'<Cube currency="USD" rate="1.0679"/></Cube></Cube></e:Envelope>'
)
ANSWER = (
    b'{"realtime_start":"1776-07-04","observation_start":"1600-01-01","observation_end":"9999-12-31",'
    b'"units":"lin","count":1,"offset":0,"output_type":'
)
RELEASES = (
    b'1,"observations":[{"realtime_start":"1992-01-29","realtime_end":"9999-12-31",'
    b'"date":"1991-10-01","value":"5736.6"}]}'
)
BY_VINTAGE = b'2,"observations":[{"date":"1991-10-01","GDP_19920129":"5736.6"}]}'
OUTLOOK = (
    b"Country\tSubject Descriptor\tUnits\tScale\t2014\t2015\tEstimates Start After\r\n"
    b"Kenya\tPopulation\tPersons\tMillions\t46.0\t1,047.2\t2014\r\n\r\n"
    b"International Monetary Fund, World Economic Outlook Database, October 2016"
)
DOCUMENTS = {
    "page": (world_bank_json, PAGE, {}),
    "wide": (world_bank_csv, WIDE, {}),
    "long": (
        world_bank_csv,
        b"Country,Country Code,Year,CPI\r\nKenya,KEN,2021,1\r\nKenya,KEN,2022,2\r\n",
        {"indicator": Indicator("A.B")},
    ),
    "history": (ecb_rates, RATES, {}),
    "envelope": (ecb_rates, ENVELOPE, {}),
    "exchange": (cbk_rates, b"Date,Currency,Mean,Buy,Sell\r04/01/2010,JPY(100),75.8,75.7,75.9\r", {}),
    "inflation": (
        cbk_inflation,
        b'"Year","Month","Annual Average Inflation","12-Month Inflation"\n"2021","July","5.52","6.44"\n',
        {},
    ),
    "releases": (fred, ANSWER + RELEASES, {"series": GDP}),
    "by vintage": (fred, ANSWER + BY_VINTAGE, {"series": GDP}),
    "outlook": (imf_weo, OUTLOOK, {}),
    "outlook in UTF-16": (imf_weo, OUTLOOK.decode().encode("utf-16-le"), {}),
}


def damaged(data, chance):
    """Return the document with some bytes lost, repeated, or replaced by something awkward."""
    for _ in range(chance.randint(1, 3)):
        start = chance.randrange(len(data) + 1)
        end = min(len(data), start + chance.choice((0, 1, 2, 8, 40)))
        splice = chance.choice((*SPLICES, data[start:end] * 2, chance.randbytes(2)))
        data = data[:start] + splice + data[end:]
    return data


@pytest.mark.parametrize("form", DOCUMENTS)
def test_a_damaged_document_yields_counts_or_is_refused(form):
    parser, document, known = DOCUMENTS[form]
    seed = random.randrange(1 << 32)
    print("seed", seed)
    chance = random.Random(seed)
    assert list(parser.parse(document, Rejections(), fetched_at=FETCHED, **known))
    refused = 0
    for _ in range(1_500):
        data = damaged(document, chance)
        try:
            for snapshot in parser.parse(data, Rejections(), fetched_at=FETCHED, **known):
                assert snapshot.observations or snapshot.is_whole
                assert all(one.value is None or one.value.is_finite() for one in snapshot.observations)
        except UnreadableDocument:
            refused += 1
    assert 0 < refused < 1_500
