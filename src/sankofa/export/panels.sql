-- name: panel_countries
SELECT DISTINCT signal.country FROM serving.signal AS signal
WHERE signal.panel = %(panel)s
ORDER BY signal.country;

-- name: panel
-- A country's rows of one panel in an edition that the licence allows to export, in months closed by its day.
SELECT
    signal.country,
    signal.breakdown,
    signal.month,
    signal.figures::text AS figures,
    signal.methodology_ref,
    signal.source_ref,
    signal.license_class,
    signal.observed_at
FROM serving.signal AS signal
WHERE
    signal.panel = %(panel)s AND signal.country = %(country)s
    AND signal.month < %(open_from)s
    AND fragment.in_edition(signal, %(edition)s)
    AND signal.license_class = any(%(licences)s::text[]);
