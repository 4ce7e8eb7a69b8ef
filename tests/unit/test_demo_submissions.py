"""The names of the demo world's first issuer, read back by the service's own parser."""

from __future__ import annotations

from demo import submissions
from demo.world import World
from sankofa.ingest.bytes.bounds import Rejections
from sankofa.ingest.registers.sec_submissions import parse


def test_the_first_issuer_of_every_world_was_renamed_between_two_filings():
    for world in (World(), World(seed=2, facts=20_000)):
        document = submissions.part(world, 0)
        rejections = Rejections()
        found = list(parse(document.content, rejections, fetched_at=document.fetched_at))
        assert [(record.available_at.isoformat(), record.legal_name) for record in found] == [
            ("2018-03-16", "Nyalumera Millers PLC"),
            ("2021-03-16", "Nyalumera Foods Holdings PLC"),
        ]
        assert dict(rejections.counts) == {}
