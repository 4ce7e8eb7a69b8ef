-- Earlier answers are not changed by later filings: keys as they stood before an edition and in it, up to the day
-- before the first document that the edition newly holds of them. `turn` holds, for the keys of a chunk, the editions
-- to compare: name, before, edition, and `bound`, the first day that may differ.
-- Rows are compared twice: `rewritten` counts values and vintages that differ, `foreseen` rows that differ in any field
-- but the document they cite. Columns that a later migration adds are compared as well, since rows are taken whole.

-- name: turn_table
CREATE TEMPORARY TABLE turn ON COMMIT DROP AS
SELECT touched.tally_key, touched.kind, touched.name, comparison.before, %(edition)s::integer AS edition
FROM touched
CROSS JOIN build.comparison
WHERE comparison.before > 0;

-- name: turns_of_all
-- Every edition that changed a row of a key, but the first and those that differ for other reasons.
CREATE TEMPORARY TABLE turn (
    tally_key uuid NOT NULL, kind text NOT NULL, name text NOT NULL, before integer NOT NULL, edition integer NOT NULL
) ON COMMIT DROP;

-- name: follows
-- The editions that can be compared with the one before: under the same rules, without decisions and takedowns.
CREATE TEMPORARY TABLE follows AS
SELECT pair.edition, pair.before
FROM (
    SELECT edition.edition, lag(edition.edition) OVER (ORDER BY edition.edition) AS before
    FROM serving.edition AS edition
    WHERE edition.edition <= %(edition)s
) AS pair
WHERE
    pair.before IS NOT NULL
    AND NOT EXISTS (
        SELECT FROM ops.edition_version AS now
        FULL JOIN ops.edition_version AS was ON now.part = was.part AND was.edition = pair.before
        WHERE now.edition = pair.edition AND now.version IS DISTINCT FROM was.version
    )
    AND NOT EXISTS (
        SELECT FROM ops.edition_holds AS held
        WHERE held.edition = pair.edition AND held.kind <> 'batch'
    );

-- name: tally_standing
-- What differs among the rows of `standing`: rows as they stood before an edition and in it, by key, vintage and fields.
-- Where rows may be new, only those count that are gone.
INSERT INTO tally_change (sku, country, part, change, now)
WITH alike AS (
    SELECT
        standing.name, standing.edition, standing.vintage, standing.may_be_new,
        count(*) FILTER (WHERE standing.was) AS was,
        count(*) FILTER (WHERE standing.is_now) AS is_now
    FROM standing
    GROUP BY standing.name, standing.edition, standing.vintage, standing.may_be_new, standing.fields
),

one AS (
    SELECT
        alike.may_be_new,
        sum(alike.was) AS was,
        sum(alike.is_now) AS is_now,
        sum(greatest(alike.was - alike.is_now, CASE WHEN alike.may_be_new THEN 0 ELSE alike.is_now - alike.was END))
            AS foreseen
    FROM alike
    GROUP BY alike.name, alike.edition, alike.vintage, alike.may_be_new
),

differing AS (
    SELECT
        sum(one.was) AS compared,
        sum(greatest(one.was - one.is_now, CASE WHEN one.may_be_new THEN 0 ELSE one.is_now - one.was END)) AS rewritten,
        sum(one.foreseen) AS foreseen
    FROM one
)

SELECT %(sku)s::text AS sku, '' AS country, counts.part, counts.n AS change, counts.n AS now
FROM differing
CROSS JOIN
    LATERAL (
        VALUES
        ('compared', differing.compared), ('rewritten', least(differing.rewritten, differing.compared)),
        ('foreseen', least(differing.foreseen, differing.compared))
    ) AS counts (part, n)
WHERE counts.n > 0;
