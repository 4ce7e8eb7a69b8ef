"""Every question of every day, asked of both worlds over HTTP; differences are counted by field."""

from __future__ import annotations

import random
import time
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import msgspec

from audit.client import Client
from law.compare import as_known, plain
from law.identity import Identities
from law.questions import ASKED, Place, dated, endpoints
from sankofa.core.countries import country

_EXACT = msgspec.json.Decoder(float_hook=str)  # digits are compared as they are written
LIMIT = 10_000
TEXTS = 100  # names and identifiers that are searched for on each day
PATIENCE = 30  # times that a question is asked again while the service is unavailable


class Inquiry:
    """The counts of a comparison: questions by endpoint, and differences by endpoint and field."""

    def __init__(self):
        self.questions, self.requests, self.rows = Counter(), Counter(), 0
        self.found, self.examples = Counter(), {}
        self.unsettled = 0  # ids that were not asked about on a day, because they were joined to others later

    def report(self, seconds):
        total = sum(self.questions.values())
        asked = f"{total:,} questions (endpoint, key, day), {self.requests.total():,} requests"
        lines = [
            f"{asked}, {self.rows:,} rows compared in {seconds:.0f} s; {self.unsettled:,} ids joined later"
        ]
        for name in ASKED:
            differing = {field: n for (of, field), n in sorted(self.found.items()) if of == name}
            told = ", ".join(f"{field} {n:,}" for field, n in differing.items()) or "none differs"
            lines.append(
                f"  {name}: {self.questions[name]:,} questions, {self.requests[name]:,} requests: {told}"
            )
        for (name, field), example in sorted(self.examples.items()):
            lines.append(f"  e.g. {name} {field}: {example}"[:600])
        return "\n".join(lines)


def inquire(grown, seed, *, issuers=None):
    """Run every query for every day on both services, compare the answers and return the counts.

    With `issuers`, each day draws that many issuers at random; otherwise all are queried.
    """
    rng, began, counts = random.Random(seed), time.monotonic(), Inquiry()
    days = sorted(grown.editions)
    # Both services answer at the same time.
    with Client(grown.whole) as whole, Client(grown.growing) as growing, ThreadPoolExecutor(1) as beside:
        for number, day in enumerate(days):
            identities = Identities(grown, grown.editions[day])
            place = _place(grown, day, days[rng.randrange(number + 1)], identities)
            counts.unsettled += len(identities.became)
            if issuers and issuers < len(place.issuers):
                place = replace(place, issuers=rng.sample(place.issuers, issuers))
            keys = defaultdict(set)
            for endpoint in endpoints():
                _ask(
                    endpoint,
                    place,
                    identities,
                    (whole, growing),
                    beside,
                    counts=counts,
                    keys=keys[endpoint.name],
                )
            for name, known in keys.items():
                counts.questions[name] += len(known)
            asked, seconds = counts.questions.total(), time.monotonic() - began
            print(f"{day}: {asked:,} questions in {seconds:.0f} s", flush=True)
    print(counts.report(time.monotonic() - began))
    return counts


def _ask(endpoint, place, identities, clients, beside, *, counts, keys):
    asked = ASKED[endpoint.name]
    when = {name: str(place.before if name == "from_as_of" else place.day) for name in dated(endpoint)}
    sized = {"limit": LIMIT} if endpoint.takes_limit else {}
    for question in asked.questions(place):
        params = question.params | when | sized
        from_whole = beside.submit(_answer, clients[0], endpoint, question.path, params)
        grown = _answer(clients[1], endpoint, question.path, params | {"edition": identities.edition})
        grown = grown[0], [identities.renamed(row) for row in grown[1]] if identities.became else grown[1]
        whole = from_whole.result()
        counts.requests[endpoint.name] += 1
        counts.rows += len(grown[1])
        keys.add(question.about)
        keys.update(map(asked.key_of, whole[1]))
        keys.update(map(asked.key_of, grown[1]))
        judge = as_known if question.params.get("basis") == "as_known" else asked.judge
        found, example = judge(asked.key_of, whole[1], grown[1])
        # An id without rows is told apart by the edition alone.
        if whole[0] != grown[0] and (whole[1] or {"absent", "unknown"} & {*whole[0], *grown[0]}):
            found["envelope"] += 1
            example = example or (whole[0], grown[0])
        for field, n in found.items():
            counts.found[endpoint.name, field] += n
            counts.examples.setdefault((endpoint.name, field), (question.path, params, example))


def _answer(client, endpoint, path, params):
    """Return what the envelope says of a whole answer, and its rows, page after page."""
    rows, envelope = [], {}
    while True:
        status, body = client.get(path, params)
        for _ in range(PATIENCE):
            if status != 503:  # no answer yet, on a machine that does other things too
                break
            time.sleep(1)  # as Retry-After asks
            status, body = client.get(path, params)
        if status == 404:  # which ids were issued belongs to the edition
            return envelope, rows
        assert status == 200, (path, params, body[:500])
        answer = _EXACT.decode(body)
        rows += map(plain, answer[endpoint.rows_key])
        envelope = {
            name: answer[name] for name in ("as_of", "resolved_from", "absent", "unknown") if name in answer
        }
        if not answer["next_cursor"]:
            return envelope, rows
        params = {"cursor": answer["next_cursor"]} | {
            name: params[name] for name in params if name == "limit"
        }


def _place(grown, day, before, identities):
    def column(statement):
        return [value for (value,) in grown.whole.rows(statement) if value]

    filers = grown.whole.rows(
        "SELECT DISTINCT issued.service_id, issued.resolves_to FROM serving.issued_id AS issued"
        " JOIN serving.fundamentals_fact AS fact ON issued.resolves_to = fact.service_id"
        " WHERE issued.superseded_in = 2147483647 ORDER BY 1"
    )
    issued = grown.growing.rows(
        "SELECT service_id FROM serving.issued_id WHERE published_in <= %s AND superseded_in > %s",
        *[grown.editions[day]] * 2,
    )
    # An id that is another's since some document brought it belongs to the editions after that document.
    issuers = [one for one, survivor in filers if one == survivor or (one,) in issued]
    suppliers = column(
        "SELECT DISTINCT party FROM serving.tender_fact WHERE measure = 'award_value' ORDER BY 1"
    )
    texts = column(
        "SELECT legal_name FROM serving.organisation_version WHERE length(legal_name) BETWEEN 3 AND 200"
        " UNION"
        " SELECT CASE id_type WHEN 'ticker' THEN issuer || ':' || id_value ELSE id_value END"
        " FROM serving.identifier_version WHERE length(id_value) BETWEEN 3 AND 100"
    )
    portals = column("SELECT DISTINCT country FROM serving.tender_release ORDER BY 1")
    return Place(
        day=day,
        before=before,
        issuers=issuers,
        suppliers=[one for one in suppliers if identities.is_settled(one)],
        processes=column("SELECT DISTINCT ocid FROM serving.tender_release ORDER BY 1")[:: 1 + day.day % 7],
        portals=[*portals, *(country(code).alpha3 for code in portals)],
        countries=column("SELECT DISTINCT country_iso3 FROM serving.series ORDER BY 1"),
        homes=column("SELECT DISTINCT left(jurisdiction, 2) FROM serving.organisation ORDER BY 1")[:4],
        # Annual series of countries are asked for by country, all at once.
        series=column(
            "SELECT DISTINCT series_key FROM serving.series"
            " WHERE frequency <> 'A' OR country_iso3 IS NULL ORDER BY 1"
        ),
        measures=column(
            "SELECT name FROM (SELECT DISTINCT line_item AS name, line_item LIKE '%%:%%' AS is_concept"
            " FROM serving.fundamentals_fact) AS known"
            " ORDER BY row_number() OVER (PARTITION BY is_concept ORDER BY name), name"
        )[:4],
        facts=[
            fact_id
            for fact_id, service_id in grown.whole.rows(
                "SELECT fact_id::text, service_id FROM serving.fundamentals_fact"
                " WHERE superseded_in = 2147483647 AND row_id %% 37 = %s ORDER BY row_id LIMIT 1000",
                day.toordinal() % 37,
            )
            if identities.is_settled(service_id)
        ],
        texts=random.Random(str(day)).sample(sorted(texts), min(TEXTS, len(texts))),
        exchanges=column(
            "SELECT DISTINCT issuer FROM serving.identifier WHERE id_type = 'ticker' ORDER BY 1"
        ),
        industries=column("SELECT DISTINCT sic FROM serving.organisation_version ORDER BY 1")[:4],
    )
