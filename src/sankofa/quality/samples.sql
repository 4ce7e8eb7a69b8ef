-- name: copy_labels
COPY ops.quality_label (sample_sha256, line, sku, measure, label) FROM STDIN;

-- name: known_line
SELECT label.line FROM ops.quality_label AS label
WHERE label.sample_sha256 = %(sample)s
LIMIT 1;

-- How many labels of a sample there are for a dataset, and how many of them count in an edition.

-- name: organisations_withheld
SELECT
    count(*) FILTER (
        WHERE NOT EXISTS (
            SELECT FROM ledger.subject AS subject
            INNER JOIN ops.issued_id AS issued ON subject.subject_id = issued.subject_id
            INNER JOIN serving.issued_id AS answering ON issued.service_id = answering.service_id
            WHERE
                subject.identifier = label.label ->> 'identifier'
                AND answering.published_in <= %(edition)s AND answering.superseded_in > %(edition)s
        )
    ) AS good,
    count(*) AS measured
FROM ops.quality_label AS label
WHERE label.sample_sha256 = %(sample)s AND label.sku = %(sku)s AND label.measure = 'false_withhold_rate';

-- name: facts_held
SELECT
    count(*) FILTER (
        WHERE EXISTS (
            SELECT FROM ledger.subject AS subject
            INNER JOIN ops.issued_id AS issued ON subject.subject_id = issued.subject_id
            INNER JOIN serving.issued_id AS answering ON issued.service_id = answering.service_id
            INNER JOIN serving.fundamentals_fact AS fact ON answering.resolves_to = fact.service_id
            WHERE
                subject.identifier = label.label ->> 'identifier'
                AND answering.published_in <= %(edition)s AND answering.superseded_in > %(edition)s
                AND fact.published_in <= %(edition)s AND fact.superseded_in > %(edition)s
                AND fact.period_end = (label.label ->> 'period_end')::date
                AND fact.line_item = label.label ->> 'item'
                AND fact.unit = label.label ->> 'unit'
                AND fact.value = (label.label ->> 'value')::numeric
        )
    ) AS good,
    count(*) AS measured
FROM ops.quality_label AS label
WHERE label.sample_sha256 = %(sample)s AND label.sku = %(sku)s AND label.measure = 'extraction_accuracy';

-- name: observations_held
SELECT
    count(*) FILTER (
        WHERE EXISTS (
            SELECT FROM serving.macro_value AS held
            WHERE
                held.series_key = label.label ->> 'identifier'
                AND held.published_in <= %(edition)s AND held.superseded_in > %(edition)s
                AND held.period_end = (label.label ->> 'period_end')::date
                AND held.value = (label.label ->> 'value')::numeric
        )
    ) AS good,
    count(*) AS measured
FROM ops.quality_label AS label
WHERE label.sample_sha256 = %(sample)s AND label.sku = %(sku)s AND label.measure = 'extraction_accuracy';

-- name: tender_values_held
SELECT
    count(*) FILTER (
        WHERE EXISTS (
            SELECT FROM serving.tender_fact AS fact
            WHERE
                fact.process_key = md5(label.label ->> 'identifier')::uuid
                AND fact.published_in <= %(edition)s AND fact.superseded_in > %(edition)s
                AND fact.measure = label.label ->> 'item'
                AND fact.unit = label.label ->> 'unit'
                AND fact.value = (label.label ->> 'value')::numeric
        )
    ) AS good,
    count(*) AS measured
FROM ops.quality_label AS label
WHERE label.sample_sha256 = %(sample)s AND label.sku = %(sku)s AND label.measure = 'extraction_accuracy';
