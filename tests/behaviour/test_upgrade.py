"""Every release can be taken over: its database is brought to the schema of today, and no answer changes."""

from __future__ import annotations

import pytest

from releases import kit
from support.verifying import untouched


@pytest.mark.parametrize("release", kit.releases(), ids=lambda folder: folder.name)
def test_an_installation_of_an_earlier_release_verifies_answers_and_goes_on(stack, release):
    service = kit.take_over(stack, release)
    try:
        assert untouched(service)
        told = kit.told(release)
        assert_still_told(service, told)
        kit.publish_later_filing(service, 3)
        assert untouched(service)
        assert_still_told(service, told)
    finally:
        service.close()


def assert_still_told(service, told):
    """Rows may have gained fields since; none may have lost one or changed it."""
    for address, rows in told.items():
        now = kit.rows_of(service, address)
        if isinstance(rows, int):
            assert now == rows, address
        else:
            kept = [{name: one.get(name) for name in row} for one, row in zip(now, rows, strict=True)]
            assert kept == rows, address
