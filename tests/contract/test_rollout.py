"""OPS-29: a new version is rolled out under load. Its migrations, then its processes: no request fails."""

from __future__ import annotations

import shutil
from collections import Counter

import httpx
import pytest

from audit.soak import Callers
from dev.haproxy import HAProxy
from dev.ports import unused_ports
from dev.service import wait_until
from sankofa.storage.migrate import MIGRATIONS, migrate
from support.filings import Filer
from support.high_availability import verdict

ISSUERS = range(1, 9)
CALLERS = 10  # of five requests a second each
DRAIN_SECONDS = 2
# Tables that most answers read get a column and an index, and a table is added.
NEXT_RELEASE = {
    "01_columns.sql": """
ALTER TABLE serving.fundamentals_fact ADD COLUMN note text;
ALTER TABLE serving.edition ADD COLUMN note text;
CREATE TABLE serving.noted (note text PRIMARY KEY);
""",
    "02_index.sql": """-- outside a transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS fundamentals_fact_by_note ON serving.fundamentals_fact (note);
""",
}


@pytest.fixture
def rollout(module_service, tmp_path):
    """Two API processes behind a proxy, and what they answer while all is well."""
    service = module_service
    service.ingest(*(Filer(n).says(n, filed="2024-02-01").document() for n in ISSUERS))
    service.publish()
    ports = unused_ports()
    apis = [
        service.installation.api(
            next(ports), drain_seconds=DRAIN_SECONDS, environment={"SANKOFA_PROXIES": '["127.0.0.1"]'}
        )
        for _ in range(2)
    ]
    proxy = HAProxy(tmp_path / "haproxy", next(ports), next(ports), nodes=(), processes=apis)
    for process in (*apis, proxy):
        process.start()
    service.apis, service.proxy = apis, proxy
    yield service
    for process in (*apis, proxy):
        process.stop()


def callers_of(service):
    keys = [service.issue("professional").key for _ in range(CALLERS)]
    paths = [
        f"/v1/{kind}/{service.id_of(Filer(n).identifier)}?edition=1"
        for n in ISSUERS
        for kind in ("fundamentals", "entities")
    ]
    with httpx.Client(base_url=service.proxy.url, headers={"X-API-Key": keys[0]}) as client:
        answers = {path: client.get(path) for path in paths}
    assert {answer.status_code for answer in answers.values()} == {200}
    return Callers(
        service.proxy.ports["haproxy_api"], {path: answer.content for path, answer in answers.items()}, keys
    )


def next_release(folder):
    """Return the migrations of a release to come, beside those of this one."""
    shutil.copytree(str(MIGRATIONS), folder)
    (folder / "0.2.0").mkdir()
    for name, text in NEXT_RELEASE.items():
        (folder / "0.2.0" / name).write_text(text)
    return folder


@pytest.mark.proves("OPS-29")
def test_no_request_fails_while_a_version_is_rolled_out(rollout, tmp_path):
    callers = callers_of(rollout)
    with callers.asking():
        applied = migrate(rollout.installation.dsn("migrate"), next_release(tmp_path / "migrations"))
        for api in rollout.apis:
            before = len(callers.answers)
            assert wait_until(lambda before=before: len(callers.answers) > before + 50, 30)
            api.stop()
            api.start()
            assert wait_until(lambda api=api: httpx.get(f"{api.url}/ready").status_code == 200, 30)
        before = len(callers.answers)
        assert wait_until(lambda: len(callers.answers) > before + 50, 30)
    verdicts = Counter(map(verdict, callers.answers))
    slowest = max(answer.ended - answer.began for answer in callers.answers)
    print(f"{len(callers.answers)} requests: {dict(verdicts)}; the slowest took {slowest:.2f} s")
    assert applied == [f"0.2.0/{name}" for name in NEXT_RELEASE]
    assert set(verdicts) <= {"right", "late"}
