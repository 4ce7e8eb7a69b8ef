"""OPS-9: sources that an operator adds, opens or closes by files of their own."""

from __future__ import annotations

import pytest

from support.restoring import run
from support.stated_tenders import package, release, tender

pytestmark = pytest.mark.proves("OPS-9")
# Ghana has a source of the package, which is closed.
NEW = """
publisher = "Public Procurement Authority of Ghana"
license_class = "CC-BY-4.0"
license_url = "https://portal.example/terms"
license_seen = 2026-11-17
parser = "ocds"
country = "GH"
"""
PORTAL = '[portal]\naddress = "https://portal.example/releases.json"\n'
TABLE = NEW.replace('"ocds"', '"world_bank"') + '[portal]\nanswers = "csv"\n'
OPENED = 'license_class = "operator"\nredistributable = true\n'


@pytest.fixture
def own(tmp_path):
    folder = tmp_path / "sources"
    folder.mkdir()
    return folder


@pytest.fixture
def operate(service, own, tmp_path):
    """Return a runner of commands that know the folder; `release.json` is a document."""
    (tmp_path / "release.json").write_bytes(package(release("ocds-1", tender=tender(10))))

    def act(*arguments):
        return run(service, *arguments, SANKOFA_SOURCES=str(own))

    act.document = str(tmp_path / "release.json")
    return act


def rows(service, edition):
    service.await_edition(edition)
    return service.get("/v1/tenders", country="GH").exact["data"]


def test_a_new_source_is_a_file_of_six_lines_from_nothing_to_an_answer(service, own, operate):
    assert len(NEW.strip().splitlines()) < 10
    (own / "gh-example.toml").write_text(NEW)
    for command in (["sources", "check"], ["ingest", "gh-example", operate.document], ["publish"]):
        done = operate(*command)
        assert done.exit_code == 0, done.output
    (row,) = rows(service, 1)
    assert row["license_class"] == "CC-BY-4.0"
    assert row["source_ref"].startswith("gh-example")
    listed = {entry["key"]: entry for entry in service.get("/v1/catalog/sources").exact["data"]}
    assert listed["gh-example"]["definition"] == "Public Procurement Authority of Ghana"


def test_a_source_of_the_package_is_opened_and_closed_again(service, own, operate):
    (own / "gh-ghaneps.toml").write_text(OPENED)
    assert operate("ingest", "gh-ghaneps", operate.document).exit_code == 0
    assert operate("publish").exit_code == 0
    (row,) = rows(service, 1)
    assert row["license_class"] == "operator"
    (own / "gh-ghaneps.toml").unlink()
    assert operate("publish").exit_code == 0
    assert rows(service, 2) == []
    assert service.get("/v1/tenders", country="GH", edition=1).exact["count"] == 1


@pytest.mark.parametrize(
    ("written", "said"),
    [
        (NEW.replace("license_class", "licence_class"), "did you mean `license_class`?"),
        (NEW.replace('"ocds"', '"ocd"'), "did you mean `ocds`?"),
        (NEW.replace("CC-BY-4.0", "CC-BY"), "there is no licence class `CC-BY`"),
        (NEW.replace("CC-BY-4.0", "CC-BY-NC-SA-4.0"), "cannot be served"),
        (NEW.replace("CC-BY-4.0", "no-extra-charge"), "it may not be sold, and keys are"),
        (NEW.replace("CC-BY-4.0", "none-stated"), "nobody has granted anything"),
        (NEW.replace('license_url = "https://portal.example/terms"\n', ""), "`license_url` is missing"),
        (NEW.replace('country = "GH"\n', ""), "`country` is missing"),
        (NEW + "[portal]\n", "missing required field `address`"),
        (NEW + PORTAL + '[due]\nat = "0 25 * * *"\n', "`at` is no cron line: 0 25 * * *"),
        (NEW + PORTAL + '[due]\nat = "0 2 * * *"\nzone = "Africa/Acra"\n', "no time zone `Africa/Acra`"),
        (NEW + PORTAL + '[due]\nat = "0 2 * * *"\nholidays = "GHANA"\n', "no holidays of `GHANA`"),
        (NEW + '[due]\nat = "0 2 * * *"\n', "`due` needs a table `portal`"),
        (NEW + "frozen = true\n" + PORTAL + '[due]\nat = "0 2 * * *"\n', "a frozen source is never due"),
        (NEW + "[expects]\nrows = [9, 5]\n", "`rows`: the fewest, 9, are more than the most, 5"),
        (TABLE + 'address = "https://a.example/?page={page}"\n', "`pages_at` is missing"),
        (TABLE + 'address = "https://a.example/?at={offset}"\npage_size = 9\n', "`pages_at` is missing"),
        (TABLE + 'address = "https://a.example/"\ncarried = ["after"]\n', "`pages_at` is missing"),
        ("publisher = ", "is not TOML"),
    ],
)
def test_a_mistake_is_explained_and_nothing_is_done(service, own, operate, written, said):
    (own / "gh-example.toml").write_text(written)
    for command in (["sources", "check"], ["ingest", "gh-ghaneps", operate.document], ["publish"]):
        done = operate(*command)
        assert done.exit_code != 0
        assert "gh-example.toml" in done.stderr
        assert said in done.stderr
    assert service.rows("SELECT count(*) FROM ops.document") == [(0,)]
