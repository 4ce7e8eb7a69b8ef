"""FED-1: an operator's key at a publisher is sent to it, and is nowhere else."""

from __future__ import annotations

import json
import subprocess
import sys
from urllib.parse import quote

import pytest

from dev.stack import ROOT
from publisher.protocols import Fred, Protocol
from sankofa.storage.postgres import sql
from support.answering import Answer, Portal

pytestmark = pytest.mark.proves("FED-1")
SECRET = "s3cr+t/of&the=operator"  # every character that an address must escape
KEYS = json.dumps({"fred": SECRET})
ROWS = [
    ("2020-04-29", "2020-05-27", "2020-01-01", "21.4"),
    ("2020-05-28", "9999-12-31", "2020-01-01", "21.3"),
]
OPENED = """
license_class = "operator"
redistributable = true

[portal]
address = "{url}/observations?series_id=GDP&realtime_start=1776-07-04&realtime_end=9999-12-31&file_type=json"
pause_seconds = 0
retry_seconds = 0.01
attempts = 3
"""


class Operator:
    """Runs commands as processes, with a folder of sources, and keeps all that they print."""

    def __init__(self, service, folder):
        self._service, self.folder, self.printed = service, folder, ""

    def declare(self, portal, more=""):
        (self.folder / "alfred-gdp.toml").write_text(OPENED.format(url=portal.url) + more)

    def __call__(self, *arguments, keys=KEYS):
        own = {"SANKOFA_SOURCES": str(self.folder), "SANKOFA_CONTACT": "data@example.org"}
        environment = self._service.installation.environment | own | {"SANKOFA_PORTAL_KEYS": keys}
        done = subprocess.run(
            [sys.executable, "-m", "sankofa.surfaces", *arguments],
            cwd=ROOT, env=environment, capture_output=True, text=True, check=False,
        )  # fmt: skip
        self.printed += done.stdout + done.stderr
        return done


@pytest.fixture
def operate(service, tmp_path):
    folder = tmp_path / "sources"
    folder.mkdir()
    return Operator(service, folder)


def leaks(service, operate):
    """Return where the key is found: in output, in any column of the database, in any object."""
    forms = [SECRET, quote(SECRET, safe="")]
    found = ["output" for form in forms if form in operate.printed]
    tables = service.rows(
        "SELECT schemaname, tablename FROM pg_tables WHERE NOT schemaname = ANY(%s)",
        ["pg_catalog", "information_schema"],
    )
    with service.connect() as connection:
        for schema, table in tables:
            statement = sql.SQL("SELECT count(*) FROM {} AS row WHERE row::text LIKE ANY(%s)")
            wanted = [f"%{form.replace('%', chr(92) + '%')}%" for form in forms]
            (count,) = connection.execute(
                statement.format(sql.Identifier(schema, table)), [wanted]
            ).fetchone()
            found += [f"{schema}.{table}"] * bool(count)
    for name in service.objects.keys(""):
        content = service.objects.fetch(name) or b""
        found += [name for form in forms if form.encode() in content or form in name]
    return found


def outcome(service):
    return service.rows("SELECT url, license_class FROM ops.document WHERE source = 'alfred-gdp'")


def test_a_series_is_fetched_with_the_key_and_served_with_its_days(service, operate):
    with Portal(Fred(SECRET, ROWS, "busy_seconds", "truncated")) as portal:
        operate.declare(portal)
        done = operate("feeds", "run", "alfred-gdp")
        assert done.returncode == 0, done.stderr
        assert [asked["api_key"] for asked in portal.requests] == [SECRET] * 3, "after 429, after half a file"
    assert operate("publish").returncode == 0
    service.await_edition(1)
    values = {}
    for day in ("2020-04-28", "2020-04-29", "2020-05-28"):
        rows = service.get("/v1/macro", series="FRED.GDP", as_of=day).exact["data"]
        values[day] = [(str(row["value"]), row["license_class"]) for row in rows]
    assert values == {
        "2020-04-28": [],
        "2020-04-29": [("21.4", "operator")],
        "2020-05-28": [("21.3", "operator")],
    }
    ((url, licence),) = outcome(service)
    assert "series_id=GDP" in url
    assert "api_key" not in url
    assert licence == "operator"
    operate("feeds")
    operate("feeds", "--json")
    operate("sources")
    assert leaks(service, operate) == []


class Echo(Protocol):
    """Repeats the key in a redirect, or in a document."""

    def __init__(self, way):
        super().__init__()
        self._way = way

    def answer(self, asked):
        if self._way == "redirect":
            return Answer(b"", 302, {"Location": f"/elsewhere?{asked.target}"})
        return {"observations": [], "asked": asked["api_key"]}


@pytest.mark.parametrize("way", ["redirect", "document"])
def test_a_publisher_that_repeats_the_key_is_not_kept(service, operate, way):
    with Portal(Echo(way)) as portal:
        operate.declare(portal)
        done = operate("feeds", "run", "alfred-gdp")
        assert done.returncode == 1
        assert len(portal.requests) == 1
    assert outcome(service) == []
    assert {"redirect": "follows none", "document": "contains the key"}[way] in operate.printed
    assert leaks(service, operate) == []


def test_a_key_that_is_refused_is_an_outage_that_does_not_show_it(service, operate):
    with Portal(Fred("another key", ROWS)) as portal:
        operate.declare(portal)
        assert operate("feeds", "run", "alfred-gdp").returncode == 1
    assert "status 400" in operate.printed
    assert outcome(service) == []
    assert leaks(service, operate) == []


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ("{}", "the operator's key `fred` is missing: add it to SANKOFA_PORTAL_KEYS"),
        (json.dumps({"fred": "a key with spaces"}), "must have 8 to 512 printable ASCII characters"),
        (json.dumps({"fred": "short"}), "must have 8 to 512 printable ASCII characters"),
        ('{"fred": ', "it is a list or table, and must be written as JSON"),
    ],
)
def test_without_a_usable_key_nothing_is_requested(operate, keys, said):
    with Portal(Fred(SECRET, ROWS)) as portal:
        operate.declare(portal)
        done = operate("feeds", "run", "alfred-gdp", keys=keys)
        assert done.returncode == 1
        assert portal.requests == []
    assert said in operate.printed
    assert "with spaces" not in operate.printed
    assert "short" not in operate.printed


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ('key = {name = "fred", parameter = "api_key", header = "X-Key"}', "a `header` or as a `parameter`"),
        ('key = {name = "fred"}', "a `header` or as a `parameter`"),
        ('key = {name = "fred", parameter = "a=b&c"}', "a `header` or as a `parameter`"),
        ('address = "http://fred.example/"\nkey = {name = "fred", parameter = "key"}', "with https"),
    ],
)
def test_a_key_is_sent_in_one_way_and_never_in_the_open(operate, written, said):
    lines = 'publisher = "P"\nlicense_class = "operator"\nparser = "ecb_rates"\n[portal]\n'
    address = "" if "address" in written else 'address = "https://fred.example/"\n'
    (operate.folder / "zz-mine.toml").write_text(f"{lines}{address}{written}\n")
    assert operate("sources", "check").returncode == 1
    assert said in operate.printed


def test_the_key_goes_to_the_server_of_the_documents_and_to_no_other(operate):
    with Portal(lambda _: b"GDP\n") as index, Portal(Fred(SECRET, ROWS)) as portal:
        listed = f'[portal.index]\naddress = "{index.url}/list"\npattern = "(?P<id>.+)"\nid = "[A-Z]+"\n'
        operate.declare(portal, listed)
        text = (operate.folder / "alfred-gdp.toml").read_text().replace("series_id=GDP", "series_id={item}")
        (operate.folder / "alfred-gdp.toml").write_text(text)
        done = operate("feeds", "run", "alfred-gdp")
        assert done.returncode == 0, done.stderr
        assert SECRET not in str(index.requests)
        assert quote(SECRET, safe="") not in str(index.requests)
        assert [asked["api_key"] for asked in portal.requests] == [SECRET]
