"""MAC: a walk through the pages of an answer, while editions are published."""

from __future__ import annotations

import pytest

from contract.test_macro import OUTPUT, PATH, PRICES, rows
from support.stated_macro import indicator, vintages


@pytest.mark.proves("MAC-1")
@pytest.mark.parametrize("asked", [{}, {"as_of": "2024-05-01"}])
def test_a_walk_stays_in_its_edition_while_others_are_published(service, asked):
    service.ingest(vintages(PRICES), source_name="demo-alfred")
    service.ingest(indicator(OUTPUT), source_name="demo-world-bank")
    service.publish()
    whole = rows(service, **asked)
    body = service.get(PATH, limit=1, **asked).exact
    walked = body["data"]
    for year in range(2023, 2022 + len(whole)):
        service.ingest(indicator({("KEN", year): year}), source_name="demo-world-bank")
        service.await_edition(service.publish().edition)
        body = service.get(PATH, limit=1, cursor=body["next_cursor"]).exact
        assert body["edition"] == 1
        walked += body["data"]
    assert (walked, body["next_cursor"]) == (whole, None)
