-- Shapes in which facts could be stored so that they leave PostgreSQL as JSON, for bench/rows.py.

-- name: schema
CREATE SCHEMA bench;
GRANT USAGE ON SCHEMA bench TO public;
ALTER DEFAULT PRIVILEGES IN SCHEMA bench GRANT SELECT ON TABLES TO public;

-- name: as_they_are
-- The rows alone: what the next statement writes besides the fragments.
CREATE TABLE bench.row AS
SELECT fact.*
FROM serving.fundamentals_fact AS fact
INNER JOIN serving.provenance AS provenance ON fact.provenance_id = provenance.provenance_id
ORDER BY fact.row_id;

-- name: with_fragments
-- Each row with its JSON, all but the field that depends on the day of the question.
CREATE TABLE bench.fragment AS
SELECT
    stored.*,
    (
        SELECT to_jsonb(served) - 'known_until'
        FROM (
            SELECT fragment.reported(fact, provenance, %(edition)s)
            FROM (SELECT stored.*, 'infinity'::date AS known_until) AS fact
        ) AS served
    )::text AS json
FROM serving.fundamentals_fact AS stored
INNER JOIN serving.provenance AS provenance ON stored.provenance_id = provenance.provenance_id
ORDER BY stored.row_id;

-- name: index_fragments
CREATE INDEX ON bench.fragment (service_id, line_item, fiscal_year);

-- name: page_of_fragments
-- The question of facts_of_issuer (fundamentals/queries.sql) without a cursor, for the latest vintages.
SELECT facts.json, facts.known_until
FROM serving.issued_id AS requested
LEFT JOIN LATERAL (
    SELECT fact.json, nullif(fact.known_until, 'infinity') AS known_until
    FROM (
        SELECT known.*, fragment.vintage_until(known, %(as_of)s) AS known_until
        FROM bench.fragment AS known
        WHERE
            known.service_id = requested.resolves_to
            AND fragment.in_edition(known, %(edition)s)
            AND known.available_at <= %(as_of)s
            AND fragment.labelled_on(known, %(as_of)s)
            AND known.period_type = %(period_type)s
            AND fragment.may_match_items(known, %(items)s)
    ) AS fact
    WHERE
        fact.value IS NOT NULL
        AND fragment.matches_items(fact, %(items)s)
        AND fragment.known_on(fact, %(as_of)s)
    ORDER BY
        fact.period_end DESC, fact.line_item ASC, fact.period_type ASC, fact.period_start ASC, fact.unit ASC, fact.scope ASC,
        fact.vintage ASC
    LIMIT %(rows)s
) AS facts ON TRUE
WHERE
    requested.service_id = %(service_id)s
    AND fragment.in_edition(requested, %(edition)s);

-- name: rows_of_blocks
-- All facts of each issuer in the order of a page: what decides about a row, and its JSON.
SELECT
    fact.service_id,
    fact.period_type,
    position(':' IN fact.line_item) = 0 AS is_standard,
    fact.available_at,
    coalesce(least(
        CASE WHEN fact.passed_over THEN fact.available_at END,
        fact.withdrawn_at,
        min(fact.available_at) FILTER (WHERE fact.passed_over IS NOT TRUE) OVER (
            PARTITION BY
                fact.service_id, fact.period_end, fact.line_item, fact.period_start, fact.unit, fact.scope, fact.labelled_from
            ORDER BY fact.vintage
            ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING
        )
    ), '9999-12-31') AS known_until,
    coalesce(fact.labelled_from, '0001-01-01') AS labelled_from,
    coalesce(fact.labelled_until, '9999-12-31') AS labelled_until,
    fact.json
FROM bench.fragment AS fact
WHERE fact.value IS NOT NULL
ORDER BY
    fact.service_id, fact.period_end DESC, fact.line_item ASC, fact.period_type ASC, fact.period_start ASC, fact.unit ASC,
    fact.scope ASC, fact.vintage ASC;

-- name: empty_blocks
CREATE TABLE bench.block (service_id text PRIMARY KEY, block bytea NOT NULL);

-- name: insert_block
INSERT INTO bench.block (service_id, block) VALUES (%(service_id)s, %(block)s);

-- name: block_of_issuer
SELECT stored.block FROM bench.block AS stored WHERE stored.service_id = %(service_id)s;

-- name: bytes_of
SELECT pg_table_size(%(table)s::regclass);
