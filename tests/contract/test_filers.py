"""ENT-4, ENT-5: where a filer is at home, what it does, and what a third party says of it."""

from __future__ import annotations

import io
import json
import zipfile
from datetime import UTC, datetime

import pytest

from support.lei_documents import an_lei
from support.organisations import company, list_shares, register
from support.wikidata_answers import answer

APPLE, SEMPRA = "US0378331005", "US8168511090"
HEAD = "adsh cik name sic countryba countryinc stprinc form period filed".replace(" ", "\t")


def day(text):
    return datetime.fromisoformat(f"{text}T12:00:00").replace(tzinfo=UTC)


def notes(*filings):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("sub.tsv", "\n".join([HEAD, *("\t".join(one) for one in filings)]))
    return packed.getvalue()


def filing(number, sic, place, filed):
    return (f"0000000007-{filed[2:4]}-{number:06}", "7", "FOODS LTD", sic, *place, "20-F", "", filed)


def entity(service, cik):
    (row,) = service.get("/v1/crosswalk", id_type="registry", id_value=cik).exact["data"]
    return service.get(f"/v1/entities/{row['service_id']}").exact["data"][0]


@pytest.mark.proves("ENT-4")
def test_home_and_industry_count_from_the_day_of_the_filing_that_states_them(service):
    service.ingest(
        (notes(filing(1, "2000", ("ZA", "", ""), "20190301")), day("2019-06-01")), source_name="sec-notes"
    )
    service.ingest(
        (notes(filing(2, "2040", ("ZA", "GB", ""), "20210301")), day("2021-06-01")), source_name="sec-notes"
    )
    service.publish()
    found = entity(service, "7")
    assert found["jurisdiction"] == "GB"
    assert found["industries"] == [
        {"scheme": "SIC", "code": "2040", "since": "2021-03-01", "until": None},
        {"scheme": "SIC", "code": "2000", "since": "2019-03-01", "until": "2021-03-01"},
    ]
    homes = service.rows("SELECT known_from::text, jurisdiction FROM serving.organisation_version ORDER BY 1")
    assert homes == [("2019-03-01", "ZA"), ("2021-03-01", "GB")]


@pytest.mark.proves("ENT-4", "PAR-2")
def test_of_whoever_files_no_accounts_nothing_is_read(service):
    stated = {
        "cik": "8",
        "name": "MOKOENA THABO",
        "sic": "2000",
        "stateOfIncorporation": "DE",
        "tickers": ["THB"],
        "exchanges": ["NYSE"],
        "filings": {"recent": {"filingDate": ["2020-01-02"], "form": ["4"]}, "files": []},
    }
    service.ingest((json.dumps(stated).encode(), day("2021-01-01")), source_name="sec-submissions")
    service.publish()
    assert service.rows("SELECT count(*) FROM serving.organisation") == [(0,)]
    assert service.rows("SELECT count(*) FROM serving.identifier") == [(0,)]


def tickers(*rows):
    return json.dumps({"fields": ["cik", "name", "ticker", "exchange"], "data": rows}).encode()


def table(*rows):
    lines = ["ticker,exchange,isin,cik,lei", *(f"X,NYSE,{isin},{cik},{lei}" for isin, cik, lei in rows)]
    return "\n".join(lines).encode()


@pytest.mark.proves("ENT-5", "XWK-1", "XWK-2")
def test_what_a_third_party_says_is_marked_and_joins_only_the_same_name(service):
    listed = tickers((7, "FOODS LTD", "FDS", "NYSE"), (9, "SEMPRA", "SRE", "NYSE"))
    service.ingest((listed, day("2024-01-05")), source_name="sec-exchange-tickers")
    list_shares(
        service,
        ("XJSE", "FDS", "Foods Limited", "ZA", APPLE, "", ""),
        ("XJSE", "SRE", "Sirius Real Estate Limited", "GG", SEMPRA, "", ""),
    )
    register(service, company(2, "Another Holdings Ltd", country="ZA"))
    said = table((APPLE, "7", an_lei(1)), (SEMPRA, "9", an_lei(2)))
    service.ingest((said, day("2024-02-06")), source_name="free-ticker-database")
    service.publish()

    foods, sempra = entity(service, "7"), entity(service, "9")
    assert (foods["lei"], sempra["lei"]) == (None, None)
    found = service.get("/v1/crosswalk", id_type="ticker", id_value="XJSE:FDS").exact["data"]
    assert [row["service_id"] for row in found] == [foods["service_id"]]
    (apart,) = service.get("/v1/crosswalk", id_type="ticker", id_value="XJSE:SRE").exact["data"]
    assert apart["service_id"] != sempra["service_id"]
    rows = service.get(f"/v1/crosswalk/{foods['service_id']}").exact["data"]
    told = {row["id_value"]: (row["evidence"], row["available_at"]) for row in rows}
    assert told[an_lei(1)] == ("third_party", "2024-02-06")
    assert told["XNYS:FDS"] == ("register", "2024-01-05")
    # The register gives the second LEI, and the list the second ISIN, to somebody else.
    held = service.get(f"/v1/crosswalk/{sempra['service_id']}").exact["data"]
    assert {row["id_type"] for row in held} == {"registry", "ticker"}


@pytest.mark.proves("ENT-5", "XWK-1", "XWK-2")
def test_an_item_of_wikidata_finds_an_organisation_and_joins_nobody(service):
    service.ingest(
        tickers((7, "FOODS LTD", "FDS", "NYSE"), (9, "MINES", "MNS", "NYSE")),
        source_name="sec-exchange-tickers",
    )
    register(service, company(1, "Cement Ltd", country="ZA"), company(2, "Other Ltd", country="ZA"))
    rows = [("Q1", "lei", an_lei(1)), ("Q1", "cik", "7"), ("Q2", "cik", "9")]
    service.ingest((answer(*rows), day("2024-02-06")), source_name="wikidata")
    later = [*rows[:2], ("Q2", "lei", an_lei(2))]  # by then somebody gave the item to another organisation
    service.ingest((answer(*later), day("2024-03-06")), source_name="wikidata")
    service.publish()

    def found(item):
        rows = service.get("/v1/crosswalk", id_type="aggregator", id_value=item).exact["data"]
        return {row["legal_name"]: (row["issuer"], row["evidence"], row["available_at"]) for row in rows}

    assert entity(service, "7")["lei"] is None
    assert found("Q1") == dict.fromkeys(
        ("Cement Ltd", "FOODS LTD"), ("wikidata", "third_party", "2024-02-06")
    )
    assert found("q2") == {
        "MINES": ("wikidata", "third_party", "2024-02-06"),
        "Other Ltd": ("wikidata", "third_party", "2024-03-06"),
    }


@pytest.mark.proves("XWK-3")
def test_a_filer_number_is_found_with_any_leading_zeros_and_no_other_number_is(service):
    service.ingest(tickers((7, "FOODS LTD", "FDS", "NYSE")), source_name="sec-exchange-tickers")
    register(service, company(1, "Branch Ltd", registered_at="RA000409", registered_as="4711"))
    service.publish()

    def found(written):
        rows = service.get("/v1/crosswalk", id_type="registry", id_value=written).exact["data"]
        return [(row["id_value"], row["issuer"]) for row in rows]

    for written in ("7", "07", "0000000007", "000000000000007", "CIK7", "cik 0000000007", "CIK:07"):
        assert found(written) == [("0000000007", "US-SEC")], written
    assert {value for value, _ in found("4711")} == {"4711"}
    for written in ("04711", "CIK4711", "0000004711"):
        assert found(written) == [], written


@pytest.mark.proves("ENT-6")
def test_a_row_that_is_known_to_name_another_company_is_left_out_until_its_list_is_corrected(service):
    """XJSE:ACL is ArcelorMittal South Africa; a list that calls it ArcelorMittal says nothing of it."""

    def listed(name):
        return f"mic,ticker,name,country\nXJSE,ACL,{name},LU\nXJSE,GLN,Glencore plc,JE\n".encode()

    def found(symbol):
        body = service.get("/v1/crosswalk", id_type="ticker", id_value=f"XJSE:{symbol}").exact
        return [row["legal_name"] for row in body["data"]]

    (batch,) = service.ingest(listed("ArcelorMittal"), source_name="demo-listings")
    assert batch.rejected == {"refuted": 1}
    service.publish()
    assert (found("ACL"), found("GLN")) == ([], ["Glencore plc"])
    service.ingest(listed("ArcelorMittal South Africa Limited"), source_name="demo-listings")
    service.await_edition(service.publish().edition)
    assert found("ACL") == ["ArcelorMittal South Africa Limited"]
