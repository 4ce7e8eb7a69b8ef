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
    SELECT issued.service_id, issued.resolves_to FROM serving.issued_id AS issued
    WHERE
        issued.resolves_to <> issued.service_id AND fragment.is_live(issued)
        AND issued.service_id NOT IN (SELECT newest.service_id FROM newest)
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

-- name: take_down
SELECT ops.take_down(%(service_id)s, %(fact_id)s, %(reason)s, %(operator)s);

-- name: take_down_withheld
SELECT ops.take_down_withheld(%(service_id)s, %(party)s, %(names_only)s);

-- name: takedowns
SELECT
    takedown.takedown,
    takedown.decided_at,
    takedown.kind,
    takedown.target,
    takedown.reason,
    takedown.operator,
    takedown.decided_by
FROM ledger.takedown AS takedown
ORDER BY takedown.takedown;

-- name: rows_changed
-- The rows of serving tables that this transaction has removed or emptied so far.
SELECT coalesce(sum(stat.n_tup_del + stat.n_tup_upd), 0)::bigint
FROM pg_catalog.pg_stat_xact_user_tables AS stat
WHERE stat.schemaname = 'serving';
