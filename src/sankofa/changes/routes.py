"""The endpoint declarations of the domain."""

from __future__ import annotations

from sankofa.ask.endpoint import Endpoint
from sankofa.ask.reads import Reads
from sankofa.changes.reads import changes, differences, place_of_change, place_of_difference
from sankofa.changes.served import TABLES, Change, ChangesParams, Difference, DiffParams

CHANGES = Endpoint(
    path="/v1/changes",
    name="changes",
    summary="Rows that editions put and removed, oldest first",
    description=(
        "Hold rows by `dataset` and `row_id`, and apply each change in its order: `put` brings a row, "
        "`remove` takes the row of that number away, and does nothing if you never held it. Once "
        "`next_cursor` is null you hold exactly the rows of `edition`; go on with `since` set to that "
        "number. A row is one vintage of one fact and never changes: what is told otherwise is a remove and "
        "a put. A put without a value is a fact that was taken down and keeps its place. Names of issuers "
        "and parties of tenders are not part of these rows."
    ),
    params=ChangesParams,
    row=Change,
    order="edition, removes before puts, dataset, row_id",
    read=changes,
    # The feed ends at the current edition, even if that changed no row: callers continue from its number.
    reads=(Reads(("edition", *sorted(TABLES.values()))),),
    position=place_of_change,
    statuses=(200, 304, 400, 401, 402, 429, 503),
)

DIFF = Endpoint(
    path="/v1/diff/{service_id}",
    name="diff",
    summary="What became known about one issuer between two dates",
    description=(
        "By line item: values that were `added`, `restated` (with the old and the new value and the source "
        "of each) or `withdrawn`: the difference between two answers of `/v1/fundamentals` in one edition. "
        "Both dates must be sent. After a merge of duplicates the old id answers with the surviving id's "
        "rows and `resolved_from`."
    ),
    params=DiffParams,
    row=Difference,
    order="line_item, period_end descending, period_type, period_start, unit, scope",
    read=differences,
    reads=(Reads(("issued_id", "fundamentals_fact"), key="service_id"),),
    position=place_of_difference,
    statuses=(200, 304, 400, 401, 404, 429, 503),
    envelope={
        "resolved_from": {
            "type": "string",
            "description": "The id that was asked for, where it was merged into the id of the rows.",
        }
    },
    examples={"from_as_of": "2024-03-14", "to_as_of": "2024-03-15"},
)

ENDPOINTS = (CHANGES, DIFF)
