-- name: compare
-- The values of tenders and awards that the document newly states, against what another document that is not held
-- back showed last of the same process, in the same currency. A value is gone if its own release lost it.
WITH content AS (
    SELECT
        release.process_key,
        release.release_key,
        release.ocid,
        release.body,
        release.released_at,
        release.release_id,
        shown.is_new,
        shown.fetched_at
    FROM (SELECT DISTINCT stated.process_key FROM stated_release AS stated) AS one
    INNER JOIN ledger.release AS release ON one.process_key = release.process_key
    INNER JOIN LATERAL (
        SELECT
            max(document.fetched_at) AS fetched_at,
            bool_and(sighting.document_id = %(document_id)s) AS is_new
        FROM ledger.release_sighting AS sighting
        INNER JOIN ops.document AS document ON sighting.document_id = document.document_id
        WHERE
            sighting.process_key = release.process_key AND sighting.release_key = release.release_key
            AND sighting.content = release.content
            AND sighting.document_id NOT IN (SELECT held.document_id FROM ops.held_back AS held)
    ) AS shown ON shown.is_new IS NOT NULL
),

valued AS (
    SELECT content.*, 'tender' AS part, content.body #> '{tender,value}' AS money
    FROM content
    WHERE jsonb_typeof(content.body -> 'tender') = 'object'
    UNION ALL
    SELECT
        content.*,
        'award ' || coalesce(award.value ->> 'id', award.place::text) AS part,
        award.value -> 'value' AS money
    FROM content
    CROSS JOIN LATERAL jsonb_array_elements(content.body -> 'awards') WITH ORDINALITY AS award (value, place)
),

stated AS (
    SELECT DISTINCT ON (valued.process_key, valued.part)
        valued.process_key, valued.release_key, valued.ocid, valued.release_id, valued.part,
        valued.money ->> 'currency' AS currency,
        (valued.money ->> 'amount')::numeric AS amount
    FROM valued
    WHERE valued.is_new
    ORDER BY valued.process_key ASC, valued.part ASC, valued.released_at DESC NULLS LAST, valued.release_id DESC
),

-- One join of both, by hash: a look-up for each value would read all of the document's processes each time.
known AS MATERIALIZED (
    SELECT DISTINCT ON (stated.process_key, stated.part)
        stated.*,
        (shown.money ->> 'amount')::numeric AS was,
        ops.movement((shown.money ->> 'amount')::numeric, stated.amount, %(tolerance)s, %(leap)s) AS movement
    FROM stated
    INNER JOIN valued AS shown ON stated.process_key = shown.process_key AND stated.part = shown.part
    WHERE
        NOT shown.is_new
        AND jsonb_typeof(shown.money) = 'object'
        AND (
            shown.money ->> 'currency' = stated.currency
            OR (stated.amount IS NULL AND shown.release_key = stated.release_key)
        )
    ORDER BY
        stated.process_key ASC, stated.part ASC, shown.released_at DESC NULLS LAST, shown.fetched_at DESC,
        shown.release_id DESC
),

put AS (
    INSERT INTO moved (movement, name, was, now)
    SELECT
        known.movement,
        concat_ws(' ', known.ocid, 'release', known.release_id, known.part, known.currency) AS name,
        known.was,
        known.amount
    FROM known
    WHERE known.movement IS NOT NULL
)

SELECT count(*) FROM known;
