-- name: panel_countries
SELECT DISTINCT signal.country FROM serving.signal AS signal
WHERE signal.panel = %(panel)s
ORDER BY signal.country;

-- name: panel
-- A country's rows of one panel that the licence allows to export, each with the editions that show it: from the first
-- one on whose day its month was closed.
SELECT
    signal.country,
    signal.breakdown,
    signal.month,
    signal.figures::text AS figures,
    signal.methodology_ref,
    signal.source_ref,
    signal.license_class,
    signal.observed_at,
    visible.edition AS published_in,
    CASE WHEN signal.superseded_in <= %(edition)s THEN signal.superseded_in END AS closed_in
FROM serving.signal AS signal
CROSS JOIN
    LATERAL (
        SELECT edition.edition FROM serving.edition AS edition
        WHERE
            edition.edition >= signal.published_in AND edition.edition <= %(edition)s
            AND (edition.published_at AT TIME ZONE 'UTC')::date >= signal.month + interval '1 month'
        ORDER BY edition.edition
        LIMIT 1
    ) AS visible
WHERE
    signal.panel = %(panel)s AND signal.country = %(country)s
    AND visible.edition < signal.superseded_in
    AND signal.license_class = any(%(licences)s::text[]);
