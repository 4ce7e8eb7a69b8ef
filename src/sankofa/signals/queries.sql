-- Rows of one panel whose month is closed, in the order of an index. `until` is the month of the last row of the
-- previous page, or the latest requested month; `open_from` is the first month that is not closed.

-- name: observations_of_country
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
    signal.panel = %(panel)s
    AND signal.country = %(country)s
    AND signal.month BETWEEN %(since)s AND %(until)s
    AND signal.month < %(open_from)s
    AND (signal.month < %(until)s OR signal.breakdown > %(after_breakdown)s)
    AND (%(breakdown)s::text IS NULL OR signal.breakdown = %(breakdown)s)
    AND fragment.in_edition(signal, %(edition)s)
ORDER BY signal.month DESC, signal.breakdown ASC
LIMIT %(rows)s;

-- name: observations_of_all
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
    signal.panel = %(panel)s
    AND signal.month BETWEEN %(since)s AND %(until)s
    AND signal.month < %(open_from)s
    AND (
        signal.month < %(until)s
        OR (signal.breakdown, signal.country) > (%(after_breakdown)s, %(after_country)s)
    )
    AND (%(breakdown)s::text IS NULL OR signal.breakdown = %(breakdown)s)
    AND fragment.in_edition(signal, %(edition)s)
ORDER BY signal.month DESC, signal.breakdown ASC, signal.country ASC
LIMIT %(rows)s;
