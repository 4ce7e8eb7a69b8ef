-- name: touched_shelves
SELECT DISTINCT left(survivor, 3) AS shelf FROM touched_id
ORDER BY shelf;

-- name: enter_shelf
CREATE TEMPORARY TABLE touched ON COMMIT DROP AS
SELECT %(key)s::text AS shelf;

-- name: target_coverage
-- A shelf counted anew, from what the coming edition says of each of its issuers.
CREATE TEMPORARY TABLE target ON COMMIT DROP AS
SELECT
    row_number() OVER () AS target_id,
    md5(concat_ws('|', counted.shelf, counted.key, counted.country))::uuid AS coverage_id,
    counted.shelf,
    split_part(counted.key, '/', 1) AS kind,
    split_part(counted.key, '/', 2) AS key,
    counted.country,
    counted.issuers,
    counted.first_date,
    counted.last_date,
    counted.license_classes
FROM (
    SELECT
        touched.shelf,
        one.key,
        issuer.country,
        count(*)::integer AS issuers,
        min(one.first_date) AS first_date,
        max(one.last_date) AS last_date,
        array_agg(DISTINCT one.license_classes) AS license_classes
    FROM touched
    INNER JOIN serving.issuer_coverage AS issuer ON touched.shelf = left(issuer.service_id, 3)
    CROSS JOIN
        LATERAL unnest(issuer.keys, issuer.first_dates, issuer.last_dates, issuer.license_classes)
            AS one (key, first_date, last_date, license_classes)
    WHERE issuer.superseded_in = 2147483647
    GROUP BY touched.shelf, one.key, issuer.country
) AS counted;

-- name: touched_sources
-- Sources of which this edition holds something new.
SELECT DISTINCT document.source
FROM ops.edition_holds AS held
INNER JOIN ops.batch AS batch ON held.number = batch.batch_id
INNER JOIN ops.document AS document ON batch.document_id = document.document_id
WHERE held.edition = %(edition)s AND held.kind = 'batch'
ORDER BY document.source;

-- name: served_sources
SELECT DISTINCT source FROM serving.source
WHERE superseded_in = 2147483647
UNION
SELECT document.source FROM ops.document AS document
ORDER BY source;

-- name: enter_source
CREATE TEMPORARY TABLE touched ON COMMIT DROP AS
SELECT %(key)s::text COLLATE "C" AS source;

-- name: target_sources
-- A source with the documents of it that the coming edition holds; one without any, or closed, is not there.
CREATE TEMPORARY TABLE target ON COMMIT DROP AS
SELECT
    row_number() OVER () AS target_id,
    touched.source,
    told.publisher,
    told.country,
    told.license_class,
    count(*)::integer AS documents,
    min(document.fetched_at) AS first_fetched_at,
    max(document.fetched_at) AS last_fetched_at
FROM touched
INNER JOIN
    unnest(%(sources)s::text[], %(publishers)s::text[], %(countries)s::text[], %(licenses)s::text[])
        AS told (source, publisher, country, license_class)
    ON touched.source = told.source
INNER JOIN ops.document AS document ON touched.source = document.source
INNER JOIN ops.batch AS batch ON document.document_id = batch.document_id
INNER JOIN ops.edition_holds AS held ON batch.batch_id = held.number AND held.kind = 'batch'
WHERE batch.outcome = 'accepted'
GROUP BY touched.source, told.publisher, told.country, told.license_class;
