-- name: members
-- An issuer is one organisation: the id that answers for it, and every id that resolves to that one, by
-- decision or in what is served today.
WITH RECURSIVE newest AS (
    SELECT DISTINCT ON (decision.service_id) decision.service_id, decision.resolves_to
    FROM ledger.identity_decision AS decision
    ORDER BY decision.service_id ASC, decision.decision DESC
),

linked AS (
    SELECT service_id, resolves_to FROM newest
    WHERE resolves_to <> service_id
    UNION
    SELECT service_id, resolves_to FROM serving.issued_id
    WHERE
        resolves_to <> service_id AND superseded_in = 2147483647
        AND service_id NOT IN (SELECT newest.service_id FROM newest)
),

member AS (
    SELECT issued.service_id FROM ops.issued_id AS issued
    WHERE issued.service_id = %(service_id)s
    UNION
    SELECT CASE WHEN linked.service_id = member.service_id THEN linked.resolves_to ELSE linked.service_id END
    FROM member
    INNER JOIN linked ON member.service_id IN (linked.service_id, linked.resolves_to)
)

SELECT member.service_id FROM member
WHERE
    NOT EXISTS (
        SELECT FROM ledger.takedown AS takedown
        WHERE takedown.kind = 'issuer' AND takedown.target = member.service_id
    )
ORDER BY member.service_id;

-- name: take_down_fact
-- The row keeps its place without its value, so that no older vintage passes for the latest. What was computed
-- from it goes with it; no older year takes its place, because each row knows the days it is for.
WITH numbered AS (
    INSERT INTO ledger.takedown (takedown, kind, target, reason)
    SELECT coalesce(max(takedown.takedown), 0) + 1, 'fact', %(fact_id)s, %(reason)s
    FROM ledger.takedown AS takedown
    RETURNING takedown
),

gone AS (
    SELECT
        fact.row_id, fact.published_in, fact.superseded_in, sha256(convert_to(fact::text, 'UTF8')) AS digest
    FROM serving.fundamentals_fact AS fact
    WHERE fact.service_id = %(service_id)s AND fact.fact_id = %(fact_id)s::uuid
),

derived AS (
    DELETE FROM serving.metric_value AS metric
    WHERE
        metric.service_id = %(service_id)s
        AND metric.inputs && array(SELECT gone.row_id FROM gone)
    RETURNING
        metric.row_id, metric.published_in, metric.superseded_in,
        sha256(convert_to(metric::text, 'UTF8')) AS digest
),

removed AS (
    SELECT 'fundamentals_fact' AS dataset, gone.* FROM gone
    UNION ALL
    SELECT 'metric_value' AS dataset, derived.* FROM derived
),

emptied AS (
    UPDATE serving.fundamentals_fact AS fact SET value = NULL FROM gone
    WHERE fact.row_id = gone.row_id
),

told AS (
    INSERT INTO serving.takedown (takedown, in_edition, rows_removed)
    SELECT numbered.takedown, serving.current_edition(), (SELECT count(*) FROM removed) FROM numbered
),

buried AS (
    INSERT INTO ops.tombstone (dataset, row_id, published_in, superseded_in, digest, service_id, takedown)
    SELECT
        removed.dataset, removed.row_id, removed.published_in, removed.superseded_in, removed.digest, %(service_id)s,
        numbered.takedown
    FROM removed CROSS JOIN numbered
)

SELECT numbered.takedown, (SELECT count(*) FROM gone) AS rows_removed FROM numbered;
