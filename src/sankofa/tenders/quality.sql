-- How quality is counted by contracting process. `touched` holds the keys of a chunk: tally_key, kind and name.

-- name: touched
SELECT touched_process.process_key::text AS name FROM build.touched_process;

-- name: held
SELECT DISTINCT release.process_key::text AS name
FROM serving.tender_release AS release
WHERE fragment.in_edition(release, %(edition)s);

-- name: count
-- What is counted of each key, as rows of `tally_part`, in edition %(edition)s, coming or published.
INSERT INTO tally_part (tally_key, sku, country, newest_at, part, n)
WITH release AS (
    SELECT
        touched.tally_key,
        held.country,
        held.source,
        held.provenance_id,
        (held.sorted_at AT TIME ZONE 'UTC')::date AS dated_on,
        held.available_at,
        held.known_until,
        held.vintage,
        held.body,
        held.parties,
        jsonb_build_array(held.ocid, held.release_id)
        || jsonb_path_query_array(held.body, '$.tender.id ? (@ != null)')
        || jsonb_path_query_array(held.body, '$.awards[*].id ? (@ != null)')
        || jsonb_path_query_array(held.body, '$.contracts[*].id ? (@ != null)')
        || jsonb_path_query_array(held.body, '$.contracts[*].award_id ? (@ != null)') AS ids,
        lag(held.vintage) OVER in_order AS vintage_before,
        lag(held.available_at) OVER in_order AS available_before,
        lead(held.vintage) OVER in_order AS vintage_next,
        lead(held.available_at) OVER in_order AS available_next
    FROM touched
    INNER JOIN serving.tender_release AS held ON touched.name::uuid = held.process_key
    WHERE touched.kind = 'process' AND fragment.in_edition(held, %(edition)s)
    WINDOW in_order AS (
        PARTITION BY held.process_key, held.release_id ORDER BY held.vintage, held.available_at
    )
),

served_row AS (
    SELECT
        release.tally_key,
        release.provenance_id,
        release.dated_on,
        release.available_at,
        release.vintage = release.vintage_before OR release.available_at < release.available_before AS is_misnumbered,
        release.known_until < release.available_at
        OR (release.vintage_next = release.vintage + 1 AND release.known_until <> release.available_next) AS is_hiding
    FROM release
    UNION ALL
    SELECT
        touched.tally_key, fact.provenance_id, fact.period_end AS dated_on, fact.available_at,
        FALSE AS is_misnumbered, fact.known_until < fact.available_at AS is_hiding
    FROM touched
    INNER JOIN serving.tender_fact AS fact ON touched.name::uuid = fact.process_key
    WHERE touched.kind = 'process' AND fragment.in_edition(fact, %(edition)s)
),

-- What the rows of a document have in common; checked once for all of them.
cited AS MATERIALIZED (
    SELECT
        provenance.provenance_id,
        provenance.available_at_basis,
        provenance.observed_at::date AS observed_on,
        fragment.is_sourced(provenance) AS is_sourced
    FROM (SELECT DISTINCT served_row.provenance_id FROM served_row) AS one
    INNER JOIN serving.provenance AS provenance ON one.provenance_id = provenance.provenance_id
),

counted AS (
    SELECT
        served_row.tally_key,
        max(served_row.available_at) AS newest_at,
        count(*) AS rows,
        count(*) FILTER (WHERE cited.is_sourced IS NOT TRUE) AS unsourced,
        count(*) FILTER (
            WHERE cited.available_at_basis IS NULL
            OR served_row.available_at < CASE cited.available_at_basis
                WHEN 'publisher' THEN served_row.dated_on
                ELSE cited.observed_on
            END
        ) AS early,
        count(*) FILTER (WHERE served_row.is_misnumbered) AS misnumbered,
        count(*) FILTER (WHERE served_row.is_hiding) AS hiding
    FROM served_row
    LEFT JOIN cited ON served_row.provenance_id = cited.provenance_id
    GROUP BY served_row.tally_key
),

categorised AS (
    SELECT DISTINCT touched.tally_key
    FROM touched
    INNER JOIN serving.tender_event AS event ON touched.name::uuid = event.process_key
    WHERE touched.kind = 'process' AND event.category IS NOT NULL AND fragment.in_edition(event, %(edition)s)
),

-- The parties served in a release, by index, if they resolve to an organisation.
served_party AS (
    SELECT release.tally_key, bool_or(role.role = 'buyer') AS buyer, bool_or(role.role = 'supplier') AS supplier
    FROM release
    CROSS JOIN
        LATERAL (
            SELECT 'buyer' AS role, release.body -> 'buyer' AS place
            UNION ALL
            SELECT 'supplier' AS role, supplier.place
            FROM jsonb_path_query(release.body, '$.awards[*].suppliers[*]') AS supplier (place)
        ) AS role
    INNER JOIN serving.issued_id AS answering
        ON
            release.parties -> (role.place #>> '{}')::integer ->> 0 = answering.service_id
            AND fragment.in_edition(answering, %(edition)s)
    INNER JOIN serving.organisation AS organisation
        ON
            answering.resolves_to = organisation.service_id
            AND fragment.in_edition(organisation, %(edition)s)
    WHERE release.known_until = 'infinity'
    GROUP BY release.tally_key
),

reported AS (
    SELECT
        release.tally_key,
        max(release.country) AS country,
        max(release.source) AS source,
        to_char(max(release.dated_on), 'YYYY-MM') AS newest,
        bool_or(now.body #>> '{tender,value,amount}' IS NOT NULL) AS tender_value,
        bool_or(now.body #>> '{tender,tender_period,end}' IS NOT NULL) AS deadline,
        bool_or(jsonb_array_length(now.body -> 'awards') > 0) AS award,
        sum(numbered.ids) AS ids,
        sum(numbered.hashed) AS hashed_ids
    FROM release
    CROSS JOIN LATERAL (SELECT CASE WHEN release.known_until = 'infinity' THEN release.body END AS body) AS now
    CROSS JOIN
        LATERAL (
            SELECT count(*) AS ids, count(*) FILTER (WHERE number.id ~ '^h-[0-9a-f]{24}$') AS hashed
            FROM jsonb_array_elements_text(release.ids) AS number (id)
        ) AS numbered
    GROUP BY release.tally_key
)

SELECT counted.tally_key, %(sku)s::text AS sku, reported.country, counted.newest_at, counts.part, counts.n
FROM counted
INNER JOIN reported ON counted.tally_key = reported.tally_key
LEFT JOIN categorised ON counted.tally_key = categorised.tally_key
LEFT JOIN served_party ON counted.tally_key = served_party.tally_key
CROSS JOIN LATERAL (
    VALUES
    ('keys', 1), ('rows', counted.rows), ('unsourced', counted.unsourced), ('early', counted.early),
    ('misnumbered', counted.misnumbered), ('spans', counted.rows), ('hiding', counted.hiding),
    ('item/buyer', served_party.buyer::integer), ('item/supplier', served_party.supplier::integer),
    ('item/tender_value', reported.tender_value::integer),
    ('item/category', (categorised.tally_key IS NOT NULL)::integer), ('item/deadline', reported.deadline::integer),
    ('item/award', reported.award::integer), ('source/' || reported.source, 1),
    ('newest/' || reported.source || '/' || reported.newest, 1),
    ('ids', reported.ids), ('hashed_ids', reported.hashed_ids)
) AS counts (part, n);

-- name: turns
-- Every edition that changed a row of a key and can be compared with the one before.
INSERT INTO turn (tally_key, kind, name, before, edition)
SELECT DISTINCT touched.tally_key, touched.kind, touched.name, follows.before, follows.edition
FROM touched
INNER JOIN serving.tender_release AS held ON touched.kind = 'process' AND touched.name::uuid = held.process_key
CROSS JOIN LATERAL unnest(ARRAY[held.published_in, held.superseded_in]) AS changed (edition)
INNER JOIN follows ON changed.edition = follows.edition;

-- name: compare
-- Keys as they stood before an edition and in it; see history.sql of quality.
-- A document that was fetched before one that an earlier edition held may say what came first: nothing is compared.
-- A release can appear with an earlier day, since the portal dates it; none may vanish or change. Parties named in ids of
-- a release are left out, because they depend on entity resolution in the edition.
CREATE TEMPORARY TABLE standing ON COMMIT DROP AS
WITH compared AS (
    SELECT
        turn.name::uuid AS process_key,
        turn.before,
        turn.edition,
        CASE
            WHEN bool_or(held.edition = turn.edition) IS NOT TRUE THEN 'infinity'
            WHEN
                min(document.fetched_at) FILTER (WHERE held.edition = turn.edition)
                > max(document.fetched_at) FILTER (WHERE held.edition < turn.edition)
                THEN min(document.fetched_at::date) FILTER (WHERE held.edition = turn.edition)
            ELSE '-infinity'
        END AS bound
    FROM turn
    INNER JOIN ledger.release_sighting AS sighting ON turn.name::uuid = sighting.process_key
    INNER JOIN ops.document AS document ON sighting.document_id = document.document_id
    INNER JOIN ops.batch AS batch ON document.document_id = batch.document_id
    INNER JOIN ops.edition_holds AS held ON batch.batch_id = held.number AND held.kind = 'batch'
    WHERE turn.kind = 'process'
    GROUP BY turn.name, turn.before, turn.edition
)

SELECT
    compared.process_key AS name,
    compared.edition,
    fragment.in_edition(held, compared.before) AS was,
    fragment.in_edition(held, compared.edition) AS is_now,
    TRUE AS may_be_new,
    jsonb_build_array(held.fact_id, held.vintage, held.available_at, least(held.known_until, compared.bound))
        AS vintage,
    to_jsonb(held) - ARRAY[
        'row_id', 'published_in', 'superseded_in', 'reason', 'provenance_id', 'known_until', 'named_in_ids'
    ] AS fields
FROM compared
INNER JOIN serving.tender_release AS held ON compared.process_key = held.process_key
WHERE held.available_at < compared.bound;

-- name: sample
-- How many labels of a sample there are, and how many of them count in an edition.
SELECT
    count(*) FILTER (
        WHERE EXISTS (
            SELECT FROM serving.tender_fact AS fact
            WHERE
                fact.process_key = md5(label.label ->> 'identifier')::uuid
                AND fragment.in_edition(fact, %(edition)s)
                AND fact.measure = label.label ->> 'item'
                AND fact.unit = label.label ->> 'unit'
                AND fact.value = (label.label ->> 'value')::numeric
        )
    ) AS good,
    count(*) AS measured
FROM ops.quality_label AS label
WHERE label.sample_sha256 = %(sample)s AND label.sku = %(sku)s AND label.measure = 'extraction_accuracy';
