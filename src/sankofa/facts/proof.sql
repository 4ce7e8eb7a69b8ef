-- name: proofs_of_fact
-- The stored rows of a fact in an edition and the sources they name, each with what leads to the root of its edition.
-- The index holds a part of the id's hash, which some facts share.
WITH held AS (
    SELECT fact.row_id, fact.provenance_id
    FROM serving.fundamentals_fact AS fact
    WHERE
        (uuid_hash(fact.fact_id) & 4194303) = (uuid_hash(%(fact_id)s::uuid) & 4194303)
        AND fact.fact_id = %(fact_id)s::uuid
        AND fact.value IS NOT NULL
        AND fragment.in_edition(fact, %(edition)s)
)

SELECT 'serving.' || sealed.dataset AS table_name, proof.*
FROM (
    SELECT 'fundamentals_fact' AS dataset, held.row_id FROM held
    UNION
    SELECT 'provenance' AS dataset, provenance.row_id
    FROM held
    INNER JOIN serving.provenance AS provenance ON held.provenance_id = provenance.provenance_id
) AS sealed
CROSS JOIN LATERAL serving.proof_of(sealed.dataset, sealed.row_id) AS proof
ORDER BY sealed.dataset, proof.content
LIMIT %(rows)s;
