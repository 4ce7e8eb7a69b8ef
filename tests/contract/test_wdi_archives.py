"""FED-3, MAC-5: editions of the World Bank's archive are vintages, dated by the end of their month."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from publisher.protocols import Archives
from support.answering import Portal
from support.bank_tables import GDP, wide
from support.restoring import run

pytestmark = pytest.mark.proves("FED-3", "MAC-5")
EDITIONS = {
    "201404": {"KEN": {2011: 34.3, 2012: 40.7}, "GHA": {2012: 40.71}},
    "201407": {"KEN": {2011: 34.3, 2012: 50.41}, "GHA": {2012: None}},
}
OWN = """
[portal]
address = "{url}/v2/sources/57/country/all/series/{{item}}/time/all/version/{{first:%Y%m}}/data?page={{page}}"
items = ["{indicator}"]
earliest = {earliest}
pause_seconds = 0
retry_seconds = 0.01
"""


@pytest.fixture
def operate(service, tmp_path):
    def act(portal, *arguments):
        earliest = datetime.now(UTC).date().replace(day=1)
        own = OWN.format(url=portal.url, indicator=GDP, earliest=earliest)
        (tmp_path / "wdi-archives.toml").write_text(own)
        return run(service, *arguments, SANKOFA_SOURCES=str(tmp_path), SANKOFA_CONTACT="data@example.org")

    return act


def known(service, country, day):
    response = service.get("/v1/macro", series=f"WB.{GDP}.{country}", as_of=day)
    assert response.status_code == 200, response.text
    rows = response.exact["data"]
    return {row["date"][:4]: (float(row["value"]), row["available_at"], row["license_class"]) for row in rows}


def load(operate, *spoils):
    with Portal(Archives(EDITIONS, *spoils)) as portal:
        done = operate(portal, "fetch", "wdi-archives", "--from", "2014-04-01", "--to", "2014-08-31")
        assert done.exit_code == 0, done.output
        return portal.targets()


def test_an_answer_as_of_a_day_is_that_of_the_edition_before_it(service, operate):
    asked = load(operate, "busy_seconds", "truncated")
    assert [target.split("/version/")[1][:6] for target in asked] == [
        *["201404"] * 3, "201405", "201406", "201407", "201408",
    ]  # fmt: skip
    service.publish()
    april, july = ("2014-04-30", "CC-BY-4.0"), ("2014-07-31", "CC-BY-4.0")
    assert known(service, "KEN", "2014-04-29") == {}
    assert known(service, "KEN", "2014-07-30") == {"2011": (34.3, *april), "2012": (40.7, *april)}
    assert known(service, "KEN", "2014-07-31") == {"2011": (34.3, *april), "2012": (50.41, *july)}
    assert known(service, "GHA", "2014-07-30") == {"2012": (40.71, *april)}
    assert known(service, "GHA", "2014-07-31") == {}, "the edition withdrew it"


def test_a_dated_table_of_the_bank_precedes_an_edition_of_the_same_month(service, operate):
    load(operate)
    moment = datetime(2014, 7, 22, 12, tzinfo=UTC)
    service.ingest(
        (wide({"KEN": {2012: "51"}, "GHA": {2012: "41"}}, moment.date(), GDP), moment),
        source_name="world-bank",
    )
    service.publish()
    assert known(service, "KEN", "2014-07-21")["2012"][0] == 40.7
    assert known(service, "KEN", "2014-07-22")["2012"][0] == 51
    assert known(service, "KEN", "2014-08-01")["2012"][0] == 51, "the edition is of an unknown day of July"


@pytest.mark.parametrize("fault", ["html", "schema"])
def test_what_is_no_edition_is_held_and_not_published(service, operate, fault):
    with Portal(Archives({f"{datetime.now(UTC):%Y%m}": EDITIONS["201404"]}, fault)) as portal:
        assert "held" in operate(portal, "feeds", "run", "wdi-archives").output
        service.publish()
        assert known(service, "KEN", f"{datetime.now(UTC):%Y-%m-%d}") == {}
        assert "good" in operate(portal, "feeds", "run", "wdi-archives").output
    service.await_edition(service.publish().edition)
    assert len(known(service, "KEN", f"{datetime.now(UTC):%Y-%m-%d}")) == 2
