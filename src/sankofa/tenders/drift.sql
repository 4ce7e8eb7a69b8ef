-- name: compare
-- The new values of tenders and awards in the document, compared with the last ones of another document that is not
-- held, of the same process and in the same currency. A value is gone if its own release lost it.
WITH content AS (
    SELECT
        release.process_key,
        release.release_key,
        release.ocid,
        release.body,
        release.released_at,
        release.release_id,
        earlier.is_new,
        earlier.fetched_at
    FROM (SELECT DISTINCT incoming.process_key FROM identified_release AS incoming) AS one
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
    ) AS earlier ON earlier.is_new IS NOT NULL
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

incoming AS (
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
    SELECT DISTINCT ON (incoming.process_key, incoming.part)
        incoming.*,
        (earlier.money ->> 'amount')::numeric AS was,
        ops.movement((earlier.money ->> 'amount')::numeric, incoming.amount, %(tolerance)s, %(leap)s) AS movement
    FROM incoming
    INNER JOIN valued AS earlier ON incoming.process_key = earlier.process_key AND incoming.part = earlier.part
    WHERE
        NOT earlier.is_new
        AND jsonb_typeof(earlier.money) = 'object'
        AND (
            earlier.money ->> 'currency' = incoming.currency
            OR (incoming.amount IS NULL AND earlier.release_key = incoming.release_key)
        )
    ORDER BY
        incoming.process_key ASC, incoming.part ASC, earlier.released_at DESC NULLS LAST, earlier.fetched_at DESC,
        earlier.release_id DESC
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
