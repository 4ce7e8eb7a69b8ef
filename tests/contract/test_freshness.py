"""OPS-12 and QUA-3: a source that is not fetched becomes stale by itself, and everybody can see it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import msgspec
import pytest

from dev.own_sources import silence
from sankofa.feeds.states import note
from sankofa.ingest.sources import sources
from support.portal_server import Portal, package, release
from support.restoring import run as operate
from support.stated_quality import metrics
from support.waiting import until

DAILY = "0 6 * * *"
SOURCE = """
publisher = "A portal"
license_class = "operator"
parser = "ocds"
country = "ZA"
{more}
[portal]
address = "{address}"
pause_seconds = 0
"""


class Folder:
    """A folder of sources of one portal, and what the command line makes of it."""

    def __init__(self, path, service, portal):
        self.path, self._service, self._portal = path, service, portal
        path.mkdir()
        silence(path)

    def write(self, name, at="", more=""):
        text = SOURCE.format(address=f"{self._portal.url}/?page={{page}}", more=more)
        text += f'[due]\nat = "{at}"\n' if at else ""
        (self.path / f"{name}.toml").write_text(text)

    def command(self, *arguments):
        own = {"SANKOFA_SOURCES": str(self.path), "SANKOFA_CONTACT": "data@example.org"}
        return operate(self._service, *arguments, **own)

    def note(self):
        with self._service.connect("ingest") as connection:
            return note(connection, sources(str(self.path)).values())

    def age(self, name, days):
        """Move what was noted of a source, and its runs, into the past: no test waits for days."""
        span = timedelta(days=days)
        with self._service.connect("migrate") as connection:
            connection.execute("SET ROLE sankofa_owner")
            connection.execute("ALTER TABLE ops.run DISABLE TRIGGER USER")
            connection.execute("UPDATE ops.run SET began_at = began_at - %s WHERE source = %s", [span, name])
            connection.execute("ALTER TABLE ops.run ENABLE ALWAYS TRIGGER append_only")
            connection.execute(
                "UPDATE ops.feed_standing SET known_at = known_at - %s, good_at = good_at - %s,"
                " next_due = next_due - %s, stale_at = stale_at - %s WHERE source = %s",
                [span, span, span, span, name],
            )


@pytest.fixture
def folder(service, tmp_path):
    def answer(asked):
        return package([release(1)] if asked["page"] == "1" else [])

    with Portal(answer) as portal:
        yield Folder(tmp_path / "sources", service, portal)


def shown(service):
    """Return what the API says of each source, at a moment that is a second later than any change before."""
    asked_at = datetime.now(UTC)
    found = {}

    def is_newer():
        found.update(service.client.get("/v1/freshness").raise_for_status().json())
        return datetime.fromisoformat(found["checked_at"]) >= asked_at

    until(is_newer)
    return {one["source"]: one for one in found["sources"]}, found["stale"]


@pytest.mark.proves("OPS-12")
def test_a_source_is_listed_with_its_last_success_and_its_next_day(service, folder):
    folder.write("zz-daily", DAILY)
    folder.write("zz-asked")
    folder.write("zz-old", more="frozen = true")
    folder.write("zz-closed", DAILY, more="redistributable = false")
    began = datetime.now(UTC)
    ran = folder.command("feeds", "run", "zz-daily", "zz-closed")
    assert "zz-daily: good" in ran.output, ran.output
    found, stale = shown(service)
    assert stale == []
    assert found["zz-asked"] == {
        "source": "zz-asked",
        "state": "on_request",
        "last_good_at": None,
        "next_due_at": None,
        "stale_at": None,
    }
    assert found["zz-old"]["state"] == "frozen"
    assert "zz-closed" not in found
    daily = found["zz-daily"]
    assert daily["state"] == "fresh"
    good, due, stale_at = (
        datetime.fromisoformat(daily[name]) for name in ("last_good_at", "next_due_at", "stale_at")
    )
    assert abs(good - began) < timedelta(minutes=2)
    six = good.replace(hour=6, minute=0, second=0, microsecond=0)
    assert due == (six if six > good else six + timedelta(days=1))
    assert stale_at == due + timedelta(days=1)


@pytest.mark.proves("OPS-12")
def test_silence_is_stale_though_nobody_looks_again(service, folder):
    folder.write("zz-daily", DAILY)
    folder.command("feeds", "run", "zz-daily")
    assert shown(service)[1] == []
    folder.age("zz-daily", 2)
    found, stale = shown(service)
    assert (stale, found["zz-daily"]["state"]) == (["zz-daily"], "stale")
    checked = folder.command("feeds", "--check")
    assert checked.exit_code == 1
    assert "not well: zz-daily (late)" in checked.output
    folder.command("feeds", "run", "zz-daily")
    assert shown(service)[1] == []
    alone = folder.command("feeds", "--check")
    assert alone.exit_code == 1
    assert "no worker fetches" in alone.stderr
    with service.connect("ingest") as connection:
        connection.execute("INSERT INTO queue.procrastinate_workers DEFAULT VALUES")  # as a worker does
    assert folder.command("feeds", "--check").exit_code == 0


@pytest.mark.proves("OPS-12")
def test_a_source_that_was_never_fetched_becomes_stale_too(service, folder):
    folder.write("zz-daily", DAILY)
    folder.note()
    assert shown(service)[0]["zz-daily"]["state"] == "new"
    folder.age("zz-daily", 2)
    assert shown(service)[1] == ["zz-daily"]
    assert folder.command("feeds", "--check").exit_code == 1


@pytest.mark.proves("OPS-12")
def test_a_source_whose_file_is_gone_is_listed_no_more(service, folder):
    folder.write("zz-daily", DAILY)
    folder.note()
    assert "zz-daily" in shown(service)[0]
    (folder.path / "zz-daily.toml").unlink()
    folder.note()
    assert "zz-daily" not in shown(service)[0]


@pytest.mark.proves("OPS-12")
def test_what_is_noted_is_written_only_when_it_changes(service, folder):
    folder.write("zz-daily", DAILY)
    (first,) = [one for one in folder.note() if one.source.name == "zz-daily"]
    written = "SELECT xmin::text FROM ops.feed_standing ORDER BY source"
    before = service.rows(written)
    (second,) = [one for one in folder.note() if one.source.name == "zz-daily"]
    assert service.rows(written) == before
    assert first.standing == second.standing == second.noted


@pytest.mark.proves("OPS-12")
def test_the_answer_is_of_no_edition_and_never_kept(service):
    response = service.client.get("/v1/freshness")
    assert response.status_code == 200
    assert response.headers["Cache-Control"] == "no-store"
    assert "ETag" not in response.headers
    assert "X-Data-Edition" not in response.headers


@pytest.mark.proves("QUA-3")
def test_a_stale_source_fails_a_measure_of_the_edition_and_time_changes_no_edition(service, folder):
    folder.write("zz-daily", DAILY)
    folder.write("zz-other", DAILY)
    folder.command("feeds", "run", "zz-daily")
    folder.command("publish")
    service.await_edition(1)
    service.issue()
    assert _on_time(service, edition=1) == {
        "sources_on_time": (1, "pass"),
        "sources_on_time.zz-daily": (1, "pass"),
        "sources_on_time.zz-other": (1, "pass"),
    }
    assert metrics(service, "AF-FUND")["sources_on_time"]["status"] == "UNMEASURED"
    folder.age("zz-other", 2)
    service.ingest(
        msgspec.json.encode(package([release(5)])), source_name=sources(str(folder.path))["zz-daily"]
    )
    published = folder.command("publish")
    assert "edition 2" in published.output, published.output
    service.await_edition(2)
    assert _on_time(service, edition=2) == {
        "sources_on_time": (0.5, "fail"),
        "sources_on_time.zz-daily": (1, "pass"),
        "sources_on_time.zz-other": (0, "fail"),
    }
    assert _on_time(service, edition=1)["sources_on_time"] == (1, "pass")


def _on_time(service, edition):
    rows = service.get("/v1/quality-metrics/AF-TENDER", edition=edition).exact["data"]
    return {
        row["measure"]: (row["value"], row["status"])
        for row in rows
        if row["measure"].startswith("sources_on_time")
    }
