"""What a database serves, as one number for each table, without the numbers that rows got when written."""

from __future__ import annotations

_TABLES = """
SELECT c.relname, array_agg(a.attname ORDER BY a.attnum)
FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid
WHERE c.relnamespace = 'serving'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
    AND a.attnum > 0 AND NOT a.attisdropped
GROUP BY c.relname
"""
# Numbers given in the order of writing, what is random, and moments; `inputs` are compared below.
_ASIDE = {
    "row_id",
    "decision_id",
    "inputs",
    "mark",
    "published_at",
    "digest",
    "manifest",
    "signature",
    "measured_at",
}
_SUM = """
SELECT count(*), coalesce(sum(('x' || left(md5(({row})::text), 15))::bit(60)::bigint), 0) FROM ({rows}) AS one
"""
_INPUTS = """
SELECT value.service_id, value.metric, value.period_end, value.known_from, value.published_in, array(
    SELECT fact.fact_id::text || coalesce(fact.labelled_from::text, '')
    FROM unnest(serving.row_ids(value.inputs)) WITH ORDINALITY AS input (row_id, place)
    JOIN serving.fundamentals_fact AS fact USING (row_id) ORDER BY input.place
) AS inputs
FROM serving.metric_value AS value
"""
_DECISIONS = """
SELECT service_id, is_established, rule_version, input, evidence, vetoes FROM ops.organisation_decision
"""


def digest(service):
    """Return the number of rows and the sum of their hashes, for each table that is served."""
    found = {}
    for table, columns in service.rows(_TABLES):
        if shown := ", ".join(f'one."{column}"' for column in columns if column not in _ASIDE):
            row = f"ROW({shown})"
            found[table] = service.rows(_SUM.format(row=row, rows=f"SELECT * FROM serving.{table}"))[0]
    for name, rows in (("inputs", _INPUTS), ("decisions", _DECISIONS)):
        found[name] = service.rows(_SUM.format(row="one", rows=rows))[0]
    return found
