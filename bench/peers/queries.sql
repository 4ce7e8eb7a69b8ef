-- name: facts
-- Every served fact with the days on which it was the latest known, as a loader of the peers would compute them once.
-- So a peer answers "as of a day" with a plain range of days.
SELECT
    fragment.reported(fact, provenance, %(edition)s),
    fragment.is_standard(fact) AS standard,
    greatest(fact.available_at, fact.labelled_from) AS valid_from,
    least(fact.known_until, fact.labelled_until, '9999-12-31') AS valid_until
FROM (
    SELECT
        known.*,
        least(
            CASE WHEN known.passed_over THEN known.available_at END,
            known.withdrawn_at,
            min(known.available_at) FILTER (WHERE known.passed_over IS NOT TRUE) OVER (
                PARTITION BY
                    known.service_id, known.line_item, known.period_end, known.period_start, known.unit, known.scope,
                    known.labelled_from
                ORDER BY known.vintage
                ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING
            ),
            '9999-12-31'
        ) AS known_until
    FROM serving.fundamentals_fact AS known
    WHERE fragment.in_edition(known, %(edition)s)
) AS fact
INNER JOIN serving.provenance AS provenance ON fact.provenance_id = provenance.provenance_id
WHERE fact.value IS NOT NULL;
