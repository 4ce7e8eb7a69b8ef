-- Rows of bulk files that editions `first` to `last` put, some at a time: those with row ids after one and up to
-- another. Facts of earlier editions come again where what they are joined with was put; `…_before` is the last row
-- id of a table before `first`.

-- name: fund
SELECT record.* FROM serving.bulk_fund AS record
WHERE
    record.row_id > %(after)s AND record.row_id <= %(until)s
    AND record.published_in BETWEEN %(first)s AND %(last)s;

-- name: macro
SELECT record.* FROM serving.bulk_macro AS record
WHERE
    record.row_id > %(after)s AND record.row_id <= %(until)s
    AND record.published_in BETWEEN %(first)s AND %(last)s;

-- name: macro_of_series
SELECT record.* FROM serving.bulk_macro AS record
WHERE
    record.series_row > %(after)s AND record.series_row <= %(until)s
    AND record.published_in BETWEEN %(first)s AND %(last)s
    AND record.row_id <= %(macro_value_before)s;

-- name: award
SELECT record.* FROM serving.bulk_award AS record
WHERE
    record.row_id > %(after)s AND record.row_id <= %(until)s
    AND record.published_in BETWEEN %(first)s AND %(last)s;

-- name: award_of_id
SELECT record.* FROM serving.bulk_award AS record
WHERE
    record.id_row > %(after)s AND record.id_row <= %(until)s
    AND record.published_in BETWEEN %(first)s AND %(last)s
    AND record.row_id <= %(tender_fact_before)s;

-- name: award_of_organisation
SELECT record.* FROM serving.bulk_award AS record
WHERE
    record.organisation_row > %(after)s AND record.organisation_row <= %(until)s
    AND record.published_in BETWEEN %(first)s AND %(last)s
    AND record.row_id <= %(tender_fact_before)s
    AND record.id_row <= %(issued_id_before)s;
