-- name: versions_of_fact
-- All vintages of the value that a fact is of, as far as they were available on the day, with the document and the
-- line-item map behind each, and the metrics of that day which are computed from it. A fact that stands for two line
-- items is of two values. It is found by a part of its hash, which some facts share.
SELECT
    fragment.reported(fact, provenance, %(edition)s),
    filing.source_url,
    map.map_version,
    coalesce(used.metrics, '{}') AS used_by
FROM (
    SELECT known.*, fragment.vintage_until(known, %(day)s) AS known_until
    FROM (
        SELECT DISTINCT
            one.service_id, one.line_item, one.period_start, one.period_end, one.unit, one.scope
        FROM serving.fundamentals_fact AS one
        WHERE
            (uuid_hash(one.fact_id) & 4194303) = (uuid_hash(%(fact_id)s::uuid) & 4194303)
            AND one.fact_id = %(fact_id)s::uuid
            AND one.value IS NOT NULL
            AND one.available_at <= %(day)s
            AND fragment.in_edition(one, %(edition)s)
    ) AS asked
    INNER JOIN serving.fundamentals_fact AS known
        ON
            asked.service_id = known.service_id AND asked.line_item = known.line_item
            AND asked.period_start = known.period_start AND asked.period_end = known.period_end
            AND asked.unit = known.unit AND asked.scope = known.scope
    WHERE
        known.available_at <= %(day)s
        AND fragment.in_edition(known, %(edition)s)
        AND fragment.labelled_on(known, %(day)s)
) AS fact
INNER JOIN serving.provenance AS provenance ON fact.provenance_id = provenance.provenance_id
INNER JOIN serving.line_item_map_version AS map ON fact.published_in = map.edition
LEFT JOIN serving.filing AS filing
    ON
        fact.service_id = filing.service_id AND fact.available_at = filing.available_at
        AND provenance.filing_id = filing.filing_id
        AND fragment.in_edition(filing, %(edition)s)
LEFT JOIN LATERAL (
    -- A value computed from a fact names one of its rows; it has another one for each label that its period ever had.
    SELECT array_agg(DISTINCT derived.metric::text ORDER BY derived.metric::text) AS metrics
    FROM serving.fundamentals_fact AS same
    INNER JOIN serving.metric_value AS derived
        ON fact.service_id = derived.service_id AND same.row_id = any(serving.row_ids(derived.inputs))
    WHERE
        same.service_id = fact.service_id AND same.line_item = fact.line_item AND same.fact_id = fact.fact_id
        AND fragment.in_edition(same, %(edition)s)
        AND fragment.in_edition(derived, %(edition)s)
        AND fragment.last_on(derived, %(day)s)
) AS used ON TRUE
WHERE fact.value IS NOT NULL
ORDER BY fact.line_item, fact.vintage
LIMIT %(rows)s;
