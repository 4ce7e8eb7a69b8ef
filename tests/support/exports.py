"""Exported files as a customer gets them: listed by the API, opened by address, read by pyarrow."""

from __future__ import annotations

import hashlib

import httpx
import pyarrow as pa
import pyarrow.parquet as pq


def listed(service, **asked):
    """Return what an edition lists."""
    response = service.get("/v1/export", **asked)
    assert response.status_code == 200, response.text
    return response.json()["data"]


def opened(service, artifact):
    """Return the bytes of a file, as somebody gets them who may."""
    if artifact["access"] == "open":
        response = httpx.get(artifact["url"])
    else:
        response = httpx.get(service.get(artifact["url"]).headers["location"])
    assert response.status_code == 200, response.text
    return response.content


def table(service, artifact):
    """Return a file that is what the list says of it."""
    content = opened(service, artifact)
    held = pq.read_table(pa.BufferReader(content))
    assert (len(content), hashlib.sha256(content).hexdigest()) == (artifact["bytes"], artifact["sha256"])
    assert (held.num_rows, held.column_names) == (
        artifact["rows"],
        [each["name"] for each in artifact["schema"]],
    )
    return held


def bulk(service, name, **asked):
    """Return all rows of a table, and by row the edition that closed it."""
    rows, closed = [], {}
    for artifact in listed(service, **asked):
        if artifact["table"] == name and artifact["kind"] == "rows":
            rows += table(service, artifact).to_pylist()
        elif artifact["table"] == name and artifact["kind"] == "closings":
            for closing in table(service, artifact).to_pylist():
                place = closing["row_id"], closing["published_in"]
                assert place not in closed, "closed twice"
                closed[place] = closing["closed_in"]
    places = [(row["row_id"], row["published_in"]) for row in rows]
    assert len(places) == len(set(places)), "a row stands twice"
    return rows, closed


def at(rows, closed, edition):
    """Return the rows of one edition, by the rule of the docs."""
    return [
        row
        for row in rows
        if row["published_in"] <= edition
        and closed.get((row["row_id"], row["published_in"]), edition + 1) > edition
    ]
