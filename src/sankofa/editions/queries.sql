-- name: editions_up_to
-- Editions newest first, each with the takedowns that happened while it was current.
SELECT
    edition.edition,
    edition.mark,
    edition.published_at,
    encode(sealed.digest, 'hex') AS digest,
    translate(encode(sealed.signature, 'base64'), e'\n', '') AS signature,
    encode(sealed.public_key, 'base64') AS public_key,
    edition.changes AS datasets,
    coalesce(taken.takedowns, '[]') AS takedowns
FROM serving.edition AS edition
LEFT JOIN serving.edition_digest AS sealed ON edition.edition = sealed.edition
LEFT JOIN LATERAL (
    SELECT
        jsonb_agg(jsonb_build_object(
            'takedown', takedown.takedown,
            'taken_down_at', takedown.taken_down_at,
            'rows_removed', takedown.rows_removed
        ) ORDER BY takedown.takedown) AS takedowns
    FROM serving.takedown AS takedown
    WHERE takedown.in_edition = edition.edition
) AS taken ON TRUE
WHERE
    edition.edition <= %(edition)s
    AND (%(after)s::integer IS NULL OR edition.edition < %(after)s)
ORDER BY edition.edition DESC
LIMIT %(rows)s;

-- name: newest_editions
-- The newest editions up to one, each with the mark of the first edition, which identifies the installation.
SELECT
    edition.edition,
    edition.mark,
    edition.published_at,
    edition.changes,
    (SELECT first.mark FROM serving.edition AS first ORDER BY first.edition LIMIT 1) AS first_mark
FROM serving.edition AS edition
WHERE edition.edition <= %(edition)s
ORDER BY edition.edition DESC
LIMIT %(rows)s;
