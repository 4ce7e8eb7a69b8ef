-- name: is_issued
SELECT 1 FROM ops.issued_id
WHERE service_id = %(service_id)s;

-- name: survivor
-- The id that this one resolves to, by the newest decisions, else as served today, followed to the end.
WITH RECURSIVE chain AS (
    SELECT %(service_id)s::text AS service_id, 0 AS steps
    UNION
    SELECT newest.resolves_to, chain.steps + 1
    FROM chain
    CROSS JOIN
        LATERAL (
            SELECT coalesce(
                (
                    SELECT decision.resolves_to
                    FROM ledger.identity_decision AS decision
                    WHERE decision.service_id = chain.service_id
                    ORDER BY decision.decision DESC
                    LIMIT 1
                ),
                (
                    SELECT served.resolves_to
                    FROM serving.issued_id AS served
                    WHERE served.service_id = chain.service_id AND fragment.is_live(served)
                )
            ) AS resolves_to
        ) AS newest
    WHERE newest.resolves_to <> chain.service_id AND chain.steps < 100
)

SELECT chain.service_id FROM chain
ORDER BY chain.steps DESC LIMIT 1;

-- name: decide
INSERT INTO ledger.identity_decision (decision, service_id, resolves_to, reason)
SELECT coalesce(max(decision.decision), 0) + 1, %(service_id)s, %(resolves_to)s, %(reason)s
FROM ledger.identity_decision AS decision
RETURNING decision;

-- name: id_of_subject
SELECT issued.service_id
FROM ledger.subject AS subject
INNER JOIN ops.issued_id AS issued ON subject.subject_id = issued.subject_id
WHERE subject.identifier = %(identifier)s;
