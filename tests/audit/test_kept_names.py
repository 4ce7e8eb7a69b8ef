"""EDN-9 at size: how many answers keep their names while other data is published."""

from __future__ import annotations

import pytest

from support.asking import asking
from support.filings import Filer
from support.service import Service
from support.stated_tenders import CITY, SOURCE, package, release, tender

BY_ISSUER = ("fundamentals", "entity", "crosswalk", "metrics", "shared_facts", "tender_parties")
_ASKED = 50  # conditional requests after each publish


@pytest.fixture(scope="module")
def filed(stack, size):
    service = Service(stack, "kept_names")
    service.filers = [Filer(n).says(n, filed="2024-02-01") for n in range(1, size.kept_issuers + 1)]
    service.ingest(*(filer.document() for filer in service.filers))
    service.publish()
    service.ids = [service.id_of(filer.identifier) for filer in service.filers]
    yield service
    service.close()


@pytest.mark.timeout(7200)
def test_conditional_requests_for_fundamentals_over_publishes_of_tenders(filed, size, rng):
    names = {one: filed.get(f"/v1/fundamentals/{one}").headers["etag"] for one in filed.ids}
    answers = []
    for number in range(size.kept_publishes):
        stated = release(f"o-{number}", buyer={"name": CITY}, tender=tender(number + 1))
        filed.ingest(package(stated), source_name=SOURCE)
        filed.await_edition(filed.publish().edition)
        for one in rng.sample(filed.ids, _ASKED):
            response = filed.get(f"/v1/fundamentals/{one}", headers={"If-None-Match": names[one]})
            answers.append(response.status_code)
    share = answers.count(304) / len(answers)
    print(f"{size.kept_publishes} publishes of tenders: {share:.2%} of {len(answers):,} requests stay 304")
    assert share == 1


@pytest.mark.timeout(7200)
def test_answers_by_issuer_while_one_issuer_in_a_hundred_is_published(filed, size, rng):
    parameter = dict.fromkeys(BY_ISSUER, "service_id") | {"shared_facts": "entity_id"}
    with asking(filed) as asker:

        def editions():
            asker.poll()
            return [asker.edition(name, **{parameter[name]: one}) for name in BY_ISSUER for one in filed.ids]

        before, kept, compared = editions(), 0, 0
        for number in range(size.kept_publishes):
            touched = rng.sample(filed.filers, len(filed.filers) // 100)
            day = f"2024-{3 + number // 28:02}-{1 + number % 28:02}"
            filed.ingest(*(filer.says(rng.randrange(10**9), filed=day).document() for filer in touched))
            filed.publish()
            now = editions()
            kept += sum(one == other for one, other in zip(before, now, strict=True))
            compared += len(now)
            before = now
    print(
        f"{size.kept_publishes} publishes of 1% of issuers: {kept / compared:.2%} of answers keep their names"
    )
    assert kept / compared >= 0.98
