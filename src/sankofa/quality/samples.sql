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
                AND fragment.in_edition(answering, %(edition)s)
        )
    ) AS good,
    count(*) AS measured
FROM ops.quality_label AS label
WHERE label.sample_sha256 = %(sample)s AND label.sku = %(sku)s AND label.measure = 'false_withhold_rate';
