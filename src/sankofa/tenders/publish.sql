-- The statements of one chunk, in the order they are run. `touched` holds its processes, `held_document` the
-- documents of the edition; organisations of the next edition are published already.

-- name: contents
-- All contents of the chunk's releases. Read by index, few processes out of many.
CREATE TEMPORARY TABLE content ON COMMIT DROP AS
SELECT release.*
FROM touched
INNER JOIN ledger.release AS release ON touched.process_key = release.process_key;

-- name: sightings
-- The contents of releases by document, in the order of the fetch. A content that is not a document's last one counts
-- if it is new.
CREATE TEMPORARY TABLE sighting ON COMMIT DROP AS
SELECT
    sighted.*,
    fragment.is_last_word(sighted) AS is_last_word,
    min(sighted.place) OVER (PARTITION BY sighted.release_key, sighted.content) AS first_place
FROM (
    SELECT
        sighting.process_key,
        sighting.release_key,
        sighting.content,
        document.place,
        document.document_ref,
        document.license_class,
        document.fetched_at,
        document.corrected,
        release.released_at,
        release.released_on
    FROM touched
    INNER JOIN ledger.release_sighting AS sighting ON touched.process_key = sighting.process_key
    INNER JOIN build.held_document AS document ON sighting.document_id = document.document_id
    INNER JOIN content AS release ON sighting.release_key = release.release_key AND sighting.content = release.content
) AS sighted;

-- name: mentions
-- The parties that contents mention, with the organisation of each; null if it is withheld.
CREATE TEMPORARY TABLE mention ON COMMIT DROP AS
SELECT
    party.release_key,
    party.content,
    party.place,
    party.roles,
    party.is_named_in_text,
    party.is_named_in_id,
    issued.service_id,
    answering.resolves_to
FROM (SELECT DISTINCT process_key, release_key, content FROM sighting) AS distinct_content
INNER JOIN ledger.release_party AS party
    ON
        distinct_content.process_key = party.process_key AND distinct_content.release_key = party.release_key
        AND distinct_content.content = party.content
INNER JOIN ops.issued_id AS issued ON party.subject_id = issued.subject_id
LEFT JOIN serving.issued_id AS answering
    ON issued.service_id = answering.service_id AND fragment.is_live(answering);

-- name: named
-- By content: its parties, those named in its text or ids, and whether one of these is withheld.
CREATE TEMPORARY TABLE named ON COMMIT DROP AS
SELECT
    mention.release_key,
    mention.content,
    jsonb_agg(jsonb_build_array(mention.service_id, mention.roles) ORDER BY mention.place) AS parties,
    array_remove(
        array_agg(DISTINCT mention.service_id) FILTER (WHERE mention.is_named_in_text)
        || array_agg(DISTINCT mention.resolves_to) FILTER (WHERE mention.is_named_in_text), NULL
    ) AS in_text,
    array_remove(
        array_agg(DISTINCT mention.service_id) FILTER (WHERE mention.is_named_in_id)
        || array_agg(DISTINCT mention.resolves_to) FILTER (WHERE mention.is_named_in_id), NULL
    ) AS in_ids,
    bool_or(mention.is_named_in_text AND mention.resolves_to IS NULL) AS is_text_withheld,
    bool_or(mention.is_named_in_id AND mention.resolves_to IS NULL) AS is_withheld
FROM mention
GROUP BY mention.release_key, mention.content;

-- name: vintages
-- Each content that differs from the previous one, with the days on which it was the latest known.
CREATE TEMPORARY TABLE vintage ON COMMIT DROP AS
WITH followed AS (
    SELECT
        sighting.*,
        lag(sighting.content) OVER (
            PARTITION BY sighting.release_key
            ORDER BY fragment.in_time(sighting)
        ) AS content_before
    FROM sighting
    WHERE sighting.is_last_word OR sighting.place = sighting.first_place
),

numbered AS (
    SELECT
        followed.*,
        fragment.turn(followed) AS vintage,
        fragment.first_day(followed) AS first_available_at
    FROM followed
    WHERE followed.content IS DISTINCT FROM followed.content_before
),

dated AS (
    SELECT
        numbered.*,
        fragment.day_of(numbered) AS available_at,
        CASE
            WHEN numbered.vintage = 1 AND numbered.released_on IS NOT NULL THEN 'publisher' ELSE 'first_seen'
        END AS available_at_basis
    FROM numbered
),

spanned AS (
    SELECT
        dated.*,
        coalesce(lead(dated.available_at) OVER (PARTITION BY dated.release_key ORDER BY dated.vintage), 'infinity')
            AS known_until
    FROM dated
)

SELECT
    spanned.*,
    release.source,
    release.country,
    release.ocid,
    release.release_id,
    release.text_flags,
    release.texts,
    release.body,
    md5(concat_ws('|', spanned.release_key, spanned.content, spanned.document_ref))::uuid AS fact_id,
    md5(concat_ws(
        '|', spanned.document_ref, spanned.available_at_basis, spanned.license_class, 'ocds', spanned.corrected
    ))::uuid AS provenance_id,
    coalesce(spanned.released_at, spanned.available_at::timestamp AT TIME ZONE 'UTC') AS sorted_at,
    coalesce(named.parties, '[]') AS parties,
    coalesce(named.in_text, '{}') AS named_in_text,
    coalesce(named.in_ids, '{}') AS named_in_ids,
    coalesce(named.is_text_withheld, FALSE) AS is_text_withheld
FROM spanned
INNER JOIN content AS release ON spanned.release_key = release.release_key AND spanned.content = release.content
LEFT JOIN named ON spanned.release_key = named.release_key AND spanned.content = named.content
WHERE named.is_withheld IS NOT TRUE;

-- fragment: may_be_served(content)
-- Its free text names only organisations that are established, and no contact.
SELECT content.texts <> '{}' AND content.text_flags = '{}' AND NOT content.is_text_withheld FROM content;

-- name: to_be_marked
-- The input of the marks of contents (`marks.py`), once each.
SELECT DISTINCT ON (vintage.fact_id)
    vintage.fact_id::text,
    vintage.country,
    vintage.ocid,
    vintage.sorted_at,
    vintage.body::text,
    vintage.parties::text,
    categorised.category,
    CASE WHEN fragment.may_be_served(vintage) THEN vintage.texts END AS texts
FROM vintage
INNER JOIN categorised ON vintage.fact_id = categorised.fact_id;

-- name: marked
CREATE TEMPORARY TABLE marked (
    fact_id uuid NOT NULL, marks bigint[] NOT NULL, marks_with_words bigint[]
) ON COMMIT DROP;

-- name: copy_marked
COPY marked (fact_id, marks, marks_with_words) FROM STDIN;

-- name: target_releases
CREATE TEMPORARY TABLE target ON COMMIT DROP AS
SELECT
    row_number() OVER () AS target_id,
    vintage.*,
    cardinality(vintage.texts) > 0 AS has_text,
    vintage.fetched_at AS observed_at,
    marked.marks
FROM vintage
INNER JOIN marked ON vintage.fact_id = marked.fact_id;

-- name: target_texts
CREATE TEMPORARY TABLE target ON COMMIT DROP AS
SELECT
    row_number() OVER () AS target_id,
    vintage.fact_id,
    vintage.process_key,
    vintage.named_in_text AS named,
    vintage.texts,
    marked.marks_with_words AS marks
FROM vintage
INNER JOIN marked ON vintage.fact_id = marked.fact_id
WHERE fragment.may_be_served(vintage);
