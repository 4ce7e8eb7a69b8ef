-- name: by_index
-- How many rows the edition put cannot be guessed by a planner, which would then read them all.
SELECT set_config('enable_seqscan', 'off', TRUE);

-- name: touch_changed
-- Cells of events that this edition put or closed, and the three months after each, which look back at it.
-- Row ids are given in publish order, so what it put comes after the last row of the editions before.
INSERT INTO build.touched_cell (cell, country, month)
SELECT touched.country || ' ' || to_char(touched.month, 'YYYY-MM') AS cell, touched.country, touched.month
FROM (
    SELECT DISTINCT changed.country, (changed.month + make_interval(months => later.months))::date AS month
    FROM (
        SELECT event.country, event.month FROM serving.tender_event AS event
        WHERE
            event.row_id > coalesce((
                SELECT earlier.row_id FROM serving.tender_event AS earlier
                WHERE earlier.published_in < %(edition)s
                ORDER BY earlier.row_id DESC
                LIMIT 1
            ), 0)
        UNION
        SELECT event.country, event.month FROM serving.closing AS closing
        INNER JOIN serving.tender_event AS event ON closing.row_id = event.row_id
        WHERE closing.dataset = 'tender_event' AND closing.closed_in = %(edition)s
    ) AS changed
    CROSS JOIN generate_series(0, 3) AS later (months)
) AS touched;

-- name: chunk
CREATE TEMPORARY TABLE touched ON COMMIT DROP AS
SELECT cell, country, month FROM build.touched_cell
WHERE cell > %(after)s AND cell <= %(until)s;
