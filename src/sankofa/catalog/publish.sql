-- name: touched_shelves
-- Those of an id that another one answers for now are touched, too: its rows have gone.
SELECT left(service_id, 3) AS shelf FROM build.touched_id
UNION
SELECT left(survivor, 3) AS shelf FROM build.touched_id
ORDER BY shelf;

-- name: enter_shelf
CREATE TEMPORARY TABLE touched ON COMMIT DROP AS
SELECT %(key)s::text AS shelf;

-- name: moved
-- What the touched issuers of the shelf had in the edition before and have in the next one, counted by key and country.
CREATE TEMPORARY TABLE moved ON COMMIT DROP AS
SELECT
    one.key,
    issuer.country,
    count(*) FILTER (WHERE issuer.published_in < %(edition)s) AS issuers_before,
    min(one.first_date) FILTER (WHERE issuer.published_in < %(edition)s) AS first_before,
    max(one.last_date) FILTER (WHERE issuer.published_in < %(edition)s) AS last_before,
    array_agg(DISTINCT one.license_classes) FILTER (WHERE issuer.published_in < %(edition)s) AS licenses_before,
    count(*) FILTER (WHERE issuer.published_in = %(edition)s) AS issuers,
    min(one.first_date) FILTER (WHERE issuer.published_in = %(edition)s) AS first_date,
    max(one.last_date) FILTER (WHERE issuer.published_in = %(edition)s) AS last_date,
    array_agg(DISTINCT one.license_classes) FILTER (WHERE issuer.published_in = %(edition)s) AS license_classes
FROM (
    SELECT member.service_id FROM build.touched_id AS member
    INNER JOIN touched ON left(member.service_id, 3) = touched.shelf
    UNION
    SELECT member.survivor FROM build.touched_id AS member
    INNER JOIN touched ON left(member.survivor, 3) = touched.shelf
) AS concerned
INNER JOIN serving.issuer_coverage AS issuer ON concerned.service_id = issuer.service_id
CROSS JOIN
    LATERAL unnest(issuer.keys, issuer.first_dates, issuer.last_dates, issuer.license_classes)
        AS one (key, first_date, last_date, license_classes)
WHERE %(edition)s IN (issuer.published_in, issuer.superseded_in)
GROUP BY one.key, issuer.country;

-- name: must_be_recounted
-- The next counts follow from those before if whatever the touched issuers had, they have still. A first date that is no
-- longer theirs may be that of another issuer or not. The rows of an organisation that was taken down are gone.
SELECT 1 FROM moved
WHERE
    moved.issuers_before > 0
    AND NOT (
        moved.issuers > 0
        AND coalesce(moved.first_date <= moved.first_before, moved.first_before IS NULL)
        AND coalesce(moved.last_date >= moved.last_before, moved.last_before IS NULL)
        AND moved.license_classes @> moved.licenses_before
    )
UNION ALL
SELECT 1
FROM build.touched_id AS member
INNER JOIN touched ON left(member.service_id, 3) = touched.shelf
INNER JOIN ledger.takedown AS takedown ON member.service_id = takedown.target
LIMIT 1;

-- name: target_by_difference
-- The counts of a shelf, from those of the edition before and what its touched issuers had and have.
CREATE TEMPORARY TABLE target ON COMMIT DROP AS
WITH live AS (
    SELECT held.* FROM touched
    INNER JOIN serving.coverage AS held ON touched.shelf = held.shelf
    WHERE fragment.is_live(held)
)

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
        coalesce(moved.key, concat_ws('/', live.kind, live.key)) AS key,
        coalesce(moved.country, live.country) AS country,
        (coalesce(live.issuers, 0) - coalesce(moved.issuers_before, 0) + coalesce(moved.issuers, 0))::integer AS issuers,
        least(live.first_date, moved.first_date) AS first_date,
        greatest(live.last_date, moved.last_date) AS last_date,
        array(
            SELECT DISTINCT license_class
            FROM unnest(live.license_classes || moved.license_classes) AS one (license_class)
            ORDER BY license_class
        ) AS license_classes
    FROM touched
    CROSS JOIN (
        live FULL JOIN moved ON concat_ws('/', live.kind, live.key) = moved.key AND live.country = moved.country
    )
) AS counted;

-- name: target_recounted
-- The counts of a shelf, from the rows of the next edition for each of its issuers.
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
    WHERE fragment.is_live(issuer)
    GROUP BY touched.shelf, one.key, issuer.country
) AS counted;

-- name: touched_sources
-- Sources with new documents in this edition.
SELECT DISTINCT document.source
FROM ops.edition_holds AS held
INNER JOIN ops.batch AS batch ON held.number = batch.batch_id
INNER JOIN ops.document AS document ON batch.document_id = document.document_id
WHERE held.edition = %(edition)s AND held.kind = 'batch'
ORDER BY document.source;

-- name: served_sources
SELECT DISTINCT served.source FROM serving.source AS served
WHERE fragment.is_live(served)
UNION
SELECT document.source FROM ops.document AS document
ORDER BY source;

-- name: enter_source
CREATE TEMPORARY TABLE touched ON COMMIT DROP AS
SELECT %(key)s::text COLLATE "C" AS source;

-- name: target_sources
-- A source with its documents in the next edition; closed sources and those without documents are left out. Earlier
-- documents are not counted again, unless a correction set documents aside.
CREATE TEMPORARY TABLE target ON COMMIT DROP AS
WITH live AS (
    SELECT source.documents, source.first_fetched_at, source.last_fetched_at
    FROM touched INNER JOIN serving.source AS source ON touched.source = source.source
    WHERE
        fragment.is_live(source)
        AND NOT EXISTS (
            SELECT FROM ops.edition_holds AS held
            INNER JOIN ops.set_aside AS aside ON held.number = aside.correction
            INNER JOIN ops.document AS document ON aside.document_id = document.document_id
            WHERE held.edition = %(edition)s AND held.kind = 'correction' AND document.source = touched.source
        )
),

part AS (
    SELECT live.documents, live.first_fetched_at, live.last_fetched_at FROM live
    UNION ALL
    SELECT count(*), min(document.fetched_at), max(document.fetched_at)
    FROM ops.held_document AS held
    INNER JOIN ops.document AS document ON held.document_id = document.document_id
    INNER JOIN touched ON document.source = touched.source
    WHERE held.edition = %(edition)s
    UNION ALL
    SELECT count(*), min(document.fetched_at), max(document.fetched_at)
    FROM touched
    INNER JOIN ops.document AS document ON touched.source = document.source
    INNER JOIN ops.held_document AS held ON document.document_id = held.document_id
    WHERE
        held.edition < %(edition)s AND NOT EXISTS (SELECT FROM live)
        AND document.document_id NOT IN (SELECT aside.document_id FROM build.set_aside AS aside)
)

SELECT
    row_number() OVER () AS target_id,
    touched.source,
    declared.publisher,
    declared.country,
    declared.license_class,
    counted.documents,
    counted.first_fetched_at,
    counted.last_fetched_at
FROM touched
INNER JOIN
    unnest(%(sources)s::text[], %(publishers)s::text[], %(countries)s::text[], %(licenses)s::text[])
        AS declared (source, publisher, country, license_class)
    ON touched.source = declared.source
CROSS JOIN (
    SELECT
        sum(part.documents)::integer AS documents,
        min(part.first_fetched_at) AS first_fetched_at,
        max(part.last_fetched_at) AS last_fetched_at
    FROM part
) AS counted
WHERE counted.documents > 0;
