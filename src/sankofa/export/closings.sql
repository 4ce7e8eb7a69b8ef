-- Closings: which rows of bulk files the editions `first` to `last` no longer hold. A row that several closings end
-- in one edition is told once.

-- name: fund_closed
SELECT record.row_id, record.published_in, record.superseded_in
FROM serving.closing AS closing
INNER JOIN serving.bulk_fund AS record ON closing.row_id = record.row_id
WHERE
    closing.dataset = 'fundamentals_fact' AND closing.closed_in BETWEEN %(first)s AND %(last)s
    AND closing.row_id > %(after)s AND closing.row_id <= %(until)s;

-- name: macro_closed
SELECT record.row_id, record.published_in, record.superseded_in
FROM serving.closing AS closing
INNER JOIN serving.bulk_macro AS record
    ON closing.row_id = record.row_id AND closing.closed_in = record.superseded_in
WHERE
    closing.dataset = 'macro_value' AND closing.closed_in BETWEEN %(first)s AND %(last)s
    AND closing.row_id > %(after)s AND closing.row_id <= %(until)s;

-- name: macro_closed_by_series
SELECT record.row_id, record.published_in, record.superseded_in
FROM serving.closing AS closing
INNER JOIN serving.bulk_macro AS record
    ON closing.row_id = record.series_row AND closing.closed_in = record.superseded_in
WHERE
    closing.dataset = 'series' AND closing.closed_in BETWEEN %(first)s AND %(last)s
    AND closing.row_id > %(after)s AND closing.row_id <= %(until)s
    AND NOT EXISTS (
        SELECT FROM serving.closing AS own
        WHERE own.dataset = 'macro_value' AND own.closed_in = closing.closed_in AND own.row_id = record.row_id
    );

-- name: award_closed
SELECT record.row_id, record.published_in, record.superseded_in
FROM serving.closing AS closing
INNER JOIN serving.bulk_award AS record
    ON closing.row_id = record.row_id AND closing.closed_in = record.superseded_in
WHERE
    closing.dataset = 'tender_fact' AND closing.closed_in BETWEEN %(first)s AND %(last)s
    AND closing.row_id > %(after)s AND closing.row_id <= %(until)s;

-- name: award_closed_by_id
SELECT record.row_id, record.published_in, record.superseded_in
FROM serving.closing AS closing
INNER JOIN serving.bulk_award AS record
    ON closing.row_id = record.id_row AND closing.closed_in = record.superseded_in
WHERE
    closing.dataset = 'issued_id' AND closing.closed_in BETWEEN %(first)s AND %(last)s
    AND closing.row_id > %(after)s AND closing.row_id <= %(until)s
    AND NOT EXISTS (
        SELECT FROM serving.closing AS own
        WHERE own.dataset = 'tender_fact' AND own.closed_in = closing.closed_in AND own.row_id = record.row_id
    );

-- name: award_closed_by_organisation
SELECT record.row_id, record.published_in, record.superseded_in
FROM serving.closing AS closing
INNER JOIN serving.bulk_award AS record
    ON closing.row_id = record.organisation_row AND closing.closed_in = record.superseded_in
WHERE
    closing.dataset = 'organisation' AND closing.closed_in BETWEEN %(first)s AND %(last)s
    AND closing.row_id > %(after)s AND closing.row_id <= %(until)s
    AND NOT EXISTS (
        SELECT FROM serving.closing AS own
        WHERE
            own.closed_in = closing.closed_in
            AND (
                (own.dataset = 'tender_fact' AND own.row_id = record.row_id)
                OR (own.dataset = 'issued_id' AND own.row_id = record.id_row)
            )
    );

-- name: closings_until
-- The last of the next so many row ids that editions closed.
SELECT max(following.row_id) FROM (
    SELECT closing.row_id FROM serving.closing AS closing
    WHERE
        closing.dataset = %(table)s AND closing.closed_in BETWEEN %(first)s AND %(last)s
        AND closing.row_id > %(after)s
    ORDER BY closing.row_id
    LIMIT %(step)s
) AS following;
