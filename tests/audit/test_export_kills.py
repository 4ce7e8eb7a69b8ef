"""kill -9 of export and publish at random moments: what is listed is always whole and true."""

from __future__ import annotations

import random
import tempfile
from pathlib import Path

import pytest

from audit.kills import kill_at_random, listed_files, run, timed
from support.filings import Filer
from support.stated_tenders import SOURCE, award, package, release, tender


def grow(service, number):
    """Give the next edition something in every dataset."""
    service.ingest(Filer(number).says(number, filed="2024-02-01").document())
    won = [award("a", 5 + number, f"Umoya {'abcdefghijklmnopqrstuvwxyz'[number % 26]} Works (Pty) Ltd")]
    stated = release(f"ocds-{number}", tender=tender(7, category="Roads"), awards=won, tag=["award"])
    service.ingest(package(stated), source_name=SOURCE)


@pytest.mark.timeout(7200)
def test_the_list_is_whole_and_true_whenever_an_export_is_killed(service, seed, size):
    rng = random.Random(seed)
    grow(service, 1)
    service.publish()
    seconds = {"export": timed(service, ["export"])}
    seconds["publish"] = timed(service, ["publish"])
    listed = listed_files(service)
    for number in range(2, 2 + size.export_kills):
        grow(service, number)
        service.publish()
        listed = max(listed, listed_files(service))
        act = rng.choice(["export", "export", "publish"])
        kill_at_random(service, [act], seconds[act], rng)
        listed_files(service)
    for _ in range(2):  # what the last publish held is exported, too
        run(service, ["export"])
        run(service, ["publish"])
    whole = listed_files(service)
    ((instance,),) = service.rows("SELECT left(instance_id::text, 8) FROM ops.instance")
    assert not list(Path(tempfile.gettempdir()).glob(f"sankofa-export-{instance}-*"))
    ((known,),) = service.rows(
        "SELECT count(*) FROM ops.artifact_standing WHERE standing <> 'void' AND kind <> 'panel'"
    )
    assert len(service.licensed.keys(f"{instance}/")) == known
    ((facts,),) = service.rows("SELECT count(*) FROM serving.fundamentals_fact")
    ((rows,),) = service.rows(
        "SELECT sum(rows)::bigint FROM serving.artifact"
        " WHERE kind = 'rows' AND subject = 'fundamentals' AND superseded_in = 2147483647"
    )
    assert rows == facts
    print(f"{size.export_kills} kills: {whole} files listed, each whole and true; nothing left behind")
