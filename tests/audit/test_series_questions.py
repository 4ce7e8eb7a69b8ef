"""Series over HTTP against an independent model: generated histories, thousands of questions."""

from __future__ import annotations

import csv
import dataclasses
import io
import itertools
import json
import random
import re
import time
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from urllib.parse import urlencode

import pytest

from audit.client import Client
from oracle.series_answers import Model
from oracle.series_questions import questions
from oracle.series_world import world
from sankofa.ingest.sources import source
from support.service import Service

PAGE = 100  # rows of a page, where no limit is sent
LONGEST_WALK = 12  # pages
NEXT = re.compile(r'<([^>]+)>; rel="next"')


@pytest.fixture(scope="module")
def audited(stack, seed, size):
    """A service and a model that were told the same, edition by edition."""
    service, model, rng = Service(stack, "audit_series"), Model(), random.Random(seed)
    arriving = world(rng, datetime.now(UTC).date(), size.editions * 4)
    until = [len(arriving) * number // size.editions for number in range(size.editions + 1)]
    for first, last in itertools.pairwise(until):
        for told in arriving[first:last]:
            [batch] = service.ingest((told.content, told.fetched_at), source_name=origin(told))
            assert (batch.outcome, batch.rejected) == ("accepted", {}), told
            model.tell(told)
        edition = service.publish().edition
        ((day,),) = service.rows("SELECT published_at::date FROM serving.edition WHERE edition = %s", edition)
        model.publish(day)
    print(f"{len(arriving)} documents, {len(model.days)} editions, {len(model.editions[-1])} vintages")
    yield service, model
    service.close()


def origin(told):
    """Return the source of a document: one that is listed, or another of the same form."""
    if told.series is None:
        return dataclasses.replace(source(told.source.removesuffix("-again")), name=told.source)
    like = source("alfred-gdp" if told.source == "alfred-gdp" else "demo-alfred")
    return dataclasses.replace(like, name=told.source, states={"series": told.series})


@pytest.mark.timeout(3600)
def test_every_answer_about_series_equals_the_model_s(audited, seed, size):
    service, model = audited
    rng, tomorrow = random.Random(seed), datetime.now(UTC).date() + timedelta(days=1)
    answers, refusals, rows, mismatches, began = 0, 0, 0, [], time.monotonic()
    with Client(service) as client:
        for question in questions(model, rng, size.series_questions, tomorrow):
            expected = model.answer(question.path, question.asked)
            refusals += bool(expected.refused)
            rows += len(expected.rows)
            pages, problem = walked(client, question, expected, rng)
            answers += pages
            if problem:
                mismatches.append((question, problem))
    for question, problem in mismatches[:3]:
        print(question, problem[:2000])
    print(
        f"{size.series_questions:,} questions ({refusals:,} to refuse), {answers:,} answers,"
        f" {rows:,} rows to find, {len(mismatches)} mismatches, {time.monotonic() - began:.0f} s"
    )
    assert mismatches[:3] == []


def walked(client, question, expected, rng):
    """Ask for a page, and on a walk for those after it; return their number and what is wrong, or None."""
    address, done = f"{question.path}?{urlencode(question.asked)}", 0
    limit = int(question.asked.get("limit", PAGE))
    for page in range(1, LONGEST_WALK + 1):
        response, body = client.ask(address, Accept=question.form)
        if expected.refused:
            told = json.loads(body)
            is_right = response.status == 400 and told["parameter"] in expected.refused
            return page, None if is_right else f"a refusal expected: {expected.refused}, got {body[:300]}"
        if response.status != 200:
            return page, f"200 expected, got {response.status}: {body[:300]}"
        rows = expected.rows[done : done + limit]
        done += len(rows)
        is_last = done == len(expected.rows)
        got, about, following = read(question, response, body)
        if about != {"count": len(rows), "truncated": not is_last} or is_last == bool(following):
            return page, f"{len(rows)} rows expected, last: {is_last}; got {about}, {following}"
        if problem := difference(question.form, got, rows) or unsaid(question, body, expected.as_of):
            return page, f"page {page}: {problem}"
        if is_last or not question.is_walk:
            return page, None
        limit = rng.choice((limit, limit, 50))
        address = f"{following}&limit={limit}"
    return page, None


def read(question, response, body):
    """Return rows, their number and whether there are more, and the address of the page after them."""
    if question.form == "application/json":
        told = json.loads(body, parse_float=Decimal)
        cursor = told["next_cursor"]
        about = {name: told[name] for name in ("count", "truncated")}
        return told["data"], about, cursor and f"{question.path}?{urlencode({'cursor': cursor})}"
    text = body.decode()
    if question.form == "text/csv":
        cells = csv.DictReader(io.StringIO(text, newline=""))
        rows = [{name: cell.removeprefix("'") for name, cell in row.items()} for row in cells]
    else:
        rows = [json.loads(line, parse_float=Decimal) for line in text.splitlines()]
    about = {
        "count": int(response.headers["X-Count"]),
        "truncated": response.headers["X-Truncated"] == "true",
    }
    following = NEXT.search(response.headers["Link"])
    return rows, about, following and following[1].partition("&limit=")[0]


def difference(form, got, wanted):
    """Say how rows differ from the model's, or None."""
    if len(got) != len(wanted):
        return f"{len(got)} rows, but {len(wanted)}"
    if form == "text/csv":
        got = [row | {"value": Decimal(row["value"])} for row in got]
        wanted = [as_text(row) for row in wanted]
    for row, expected in zip(got, wanted, strict=True):
        differing = {name: (row[name], value) for name, value in expected.items() if row[name] != value}
        if differing:
            return f"{differing} in {expected}"
    return None


def as_text(row):
    """Return a row with all but its value as text."""
    return {
        name: value if name == "value" else "" if value is None else str(value) for name, value in row.items()
    }


def unsaid(question, body, as_of):
    """Say where an envelope tells another day than the one that counts, or a row is from after it."""
    if question.form != "application/json":
        return None
    told = json.loads(body)
    if told["as_of"] != (as_of and as_of.isoformat()):
        return f"as_of {as_of} expected, got {told['as_of']}"
    if as_of is None:
        return None
    late = [row for row in told["data"] if row["available_at"] and row["available_at"] > told["as_of"]]
    return f"look-ahead: {late[:1]}" if late else None
