-- The statements of one chunk, in the order they are run. `touched` holds its processes, `held_document` the
-- documents that the edition rests on; organisations of the coming edition are published already.

-- fragment: known_at_end_of(record, month)
-- The content was the latest that was known on the last day of the month.
SELECT record.available_at < month + interval '1 month' AND record.known_until >= month + interval '1 month'
FROM record
CROSS JOIN month;

-- name: contents
-- What the releases of the chunk ever said. Read by index, few processes out of many.
CREATE TEMPORARY TABLE content ON COMMIT DROP AS
SELECT release.*
FROM touched
INNER JOIN ledger.release AS release ON touched.process_key = release.process_key;

-- name: sightings
-- Which document showed which content of a release, in the order they were fetched. What is not a document's last word
-- counts if it is new.
CREATE TEMPORARY TABLE sighting ON COMMIT DROP AS
SELECT
    shown.*,
    fragment.is_last_word(shown) AS is_last_word,
    min(shown.place) OVER (PARTITION BY shown.release_key, shown.content) AS first_place
FROM (
    SELECT
        sighting.process_key,
        sighting.release_key,
        sighting.content,
        document.place,
        document.document_ref,
        document.license_class,
        document.fetched_at,
        release.released_at,
        release.released_on
    FROM touched
    INNER JOIN ledger.release_sighting AS sighting ON touched.process_key = sighting.process_key
    INNER JOIN build.held_document AS document ON sighting.document_id = document.document_id
    INNER JOIN content AS release ON sighting.release_key = release.release_key AND sighting.content = release.content
) AS shown;

-- name: mentions
-- Whom the contents mention, and which organisation answers for each; nobody where it is withheld.
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
FROM (SELECT DISTINCT process_key, release_key, content FROM sighting) AS said
INNER JOIN ledger.release_party AS party
    ON
        said.process_key = party.process_key AND said.release_key = party.release_key
        AND said.content = party.content
INNER JOIN ops.issued_id AS issued ON party.subject_id = issued.subject_id
LEFT JOIN serving.issued_id AS answering
    ON issued.service_id = answering.service_id AND fragment.is_live(answering);

-- name: named
-- By content: its parties, those whom its text or its ids name, and whether one of these is withheld.
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
-- Each content, where it differs from the one before it, with the days on which it was the latest known.
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
    md5(concat_ws('|', spanned.document_ref, spanned.available_at_basis, spanned.license_class, 'ocds'))::uuid
        AS provenance_id,
    coalesce(spanned.released_at, spanned.available_at::timestamp AT TIME ZONE 'UTC') AS sorted_at,
    coalesce(named.parties, '[]') AS parties,
    coalesce(named.in_text, '{}') AS named_in_text,
    coalesce(named.in_ids, '{}') AS named_in_ids,
    coalesce(named.is_text_withheld, FALSE) AS is_text_withheld
FROM spanned
INNER JOIN content AS release ON spanned.release_key = release.release_key AND spanned.content = release.content
LEFT JOIN named ON spanned.release_key = named.release_key AND spanned.content = named.content
WHERE named.is_withheld IS NOT TRUE;

-- name: target_releases
CREATE TEMPORARY TABLE target ON COMMIT DROP AS
SELECT
    row_number() OVER () AS target_id,
    vintage.*,
    cardinality(vintage.texts) > 0 AS has_text,
    vintage.fetched_at AS observed_at
FROM vintage;

-- name: target_texts
CREATE TEMPORARY TABLE target ON COMMIT DROP AS
SELECT
    row_number() OVER () AS target_id,
    vintage.fact_id,
    vintage.process_key,
    vintage.named_in_text AS named,
    vintage.texts
FROM vintage
WHERE vintage.texts <> '{}' AND vintage.text_flags = '{}' AND NOT vintage.is_text_withheld;

-- name: values_in_time
-- What contents state of the value of a tender and of what was awarded to whom, in the order it became known. A
-- value that repeats the one before it confirms; an award that was cancelled has no value.
CREATE TEMPORARY TABLE stated_value ON COMMIT DROP AS
WITH award AS (
    SELECT
        vintage.*,
        coalesce(award.value ->> 'id', award.place::text) AS award_id,
        award.value ->> 'status' AS status,
        award.value #> '{value}' AS money,
        award.value -> 'suppliers' AS suppliers
    FROM vintage
    CROSS JOIN LATERAL jsonb_array_elements(vintage.body -> 'awards') WITH ORDINALITY AS award (value, place)
),

stated AS (
    SELECT
        vintage.process_key,
        'tender_value' AS measure,
        '' AS part,
        vintage.parties -> (vintage.body ->> 'buyer')::integer ->> 0 AS party,
        NULL::integer AS sharers,
        (vintage.body #>> '{tender,value,amount}')::numeric AS value,
        vintage.body #>> '{tender,value,currency}' AS unit,
        vintage.fact_id AS content_id,
        vintage.provenance_id,
        vintage.sorted_at,
        vintage.release_id,
        vintage.vintage AS release_vintage,
        vintage.available_at,
        vintage.country,
        vintage.ocid || '/' || vintage.release_id AS location,
        vintage.named_in_ids
    FROM vintage
    WHERE jsonb_typeof(vintage.body #> '{tender,value}') = 'object'
    UNION ALL
    SELECT
        award.process_key,
        'award_value' AS measure,
        award.award_id || '/' || (award.parties -> supplier.place::integer ->> 0) AS part,
        award.parties -> supplier.place::integer ->> 0 AS party,
        jsonb_array_length(award.suppliers) AS sharers,
        CASE WHEN award.status IS NULL OR award.status = 'active' THEN (award.money ->> 'amount')::numeric END AS value,
        coalesce(award.money ->> 'currency', '') AS unit,
        award.fact_id AS content_id,
        award.provenance_id,
        award.sorted_at,
        award.release_id,
        award.vintage AS release_vintage,
        award.available_at,
        award.country,
        award.ocid || '/' || award.release_id || '/' || award.award_id AS location,
        award.named_in_ids
    FROM award
    CROSS JOIN LATERAL jsonb_array_elements_text(award.suppliers) AS supplier (place)
    WHERE
        (jsonb_typeof(award.money) = 'object' AND (award.status IS NULL OR award.status = 'active'))
        OR award.status IN ('cancelled', 'unsuccessful')
),

followed AS (
    SELECT
        stated.*,
        lag(stated.value) OVER in_time AS value_before,
        lag(stated.unit) OVER in_time AS unit_before
    FROM stated
    WINDOW in_time AS (
        PARTITION BY stated.process_key, stated.measure, stated.part
        ORDER BY stated.available_at, stated.sorted_at, stated.release_id, stated.release_vintage
    )
)

SELECT
    followed.*,
    count(followed.value) OVER in_time AS vintage,
    coalesce(lead(followed.available_at) OVER in_time, 'infinity') AS known_until
FROM followed
WHERE
    followed.value IS DISTINCT FROM followed.value_before
    OR (followed.value IS NOT NULL AND followed.unit <> followed.unit_before)
WINDOW in_time AS (
    PARTITION BY followed.process_key, followed.measure, followed.part
    ORDER BY followed.available_at, followed.sorted_at, followed.release_id, followed.release_vintage
);

-- name: target_facts
CREATE TEMPORARY TABLE target ON COMMIT DROP AS
SELECT
    row_number() OVER () AS target_id,
    md5(concat_ws('|', stated.content_id, stated.measure, stated.part))::uuid AS fact_id,
    stated.process_key,
    stated.provenance_id,
    (stated.sorted_at AT TIME ZONE 'UTC')::date AS period_end,
    stated.available_at,
    stated.known_until,
    stated.vintage,
    stated.measure,
    stated.country,
    stated.party,
    stated.unit,
    stated.location,
    stated.named_in_ids,
    stated.value
FROM stated_value AS stated
WHERE stated.value IS NOT NULL;

-- name: answering
-- Which organisation answers for each party of the chunk that is established.
CREATE TEMPORARY TABLE answering ON COMMIT DROP AS
SELECT DISTINCT mention.service_id, mention.resolves_to FROM mention
WHERE mention.resolves_to IS NOT NULL;

-- name: target_events
-- What happened in a process first, each in the month it became known, with what was known at that month's end.
CREATE TEMPORARY TABLE target ON COMMIT DROP AS
WITH monthly AS (
    SELECT
        vintage.*,
        date_trunc('month', vintage.available_at)::date AS month,
        jsonb_typeof(vintage.body -> 'tender') = 'object' AS has_tender,
        jsonb_path_exists(vintage.body, '$.awards[*] ? (@.status == null || @.status == "active")') AS has_award
    FROM vintage
),

-- The release with which it began, of either kind.
begun AS (
    SELECT DISTINCT ON (monthly.process_key, kind.name)
        monthly.process_key, kind.name AS kind, monthly.release_key, monthly.month
    FROM monthly
    CROSS JOIN LATERAL (VALUES ('tendered', monthly.has_tender), ('awarded', monthly.has_award)) AS kind (name, holds)
    WHERE kind.holds
    ORDER BY
        monthly.process_key ASC, kind.name ASC, monthly.available_at ASC, monthly.sorted_at ASC,
        monthly.release_id ASC, monthly.vintage ASC
),

-- That release as it stood when the month ended.
settled AS (
    SELECT
        begun.process_key,
        begun.kind,
        begun.month,
        content.provenance_id,
        content.country,
        content.body,
        content.parties,
        coalesce(content.body #>> '{tender,portal_category}', content.body #>> '{tender,main_category}') AS category,
        (content.body #>> '{tender,tender_period,end}')::timestamptz AS deadline,
        coalesce(
            (content.body #>> '{tender,number_of_tenderers}')::integer,
            nullif(jsonb_array_length(content.body #> '{tender,tenderers}'), 0)
        ) AS tenderers,
        (
            SELECT min((award.value ->> 'date')::timestamptz)
            FROM jsonb_array_elements(content.body -> 'awards') AS award
            WHERE award.value ->> 'status' IS NULL OR award.value ->> 'status' = 'active'
        ) AS awarded_at
    FROM begun
    INNER JOIN vintage AS content
        ON
            begun.release_key = content.release_key
            AND fragment.known_at_end_of(content, begun.month)
),

event AS (
    SELECT
        settled.process_key,
        settled.kind,
        '' AS part,
        settled.month,
        settled.provenance_id,
        settled.country,
        coalesce(settled.category, tender.category) AS category,
        buyer.resolves_to AS party,
        CASE WHEN settled.kind = 'awarded' THEN coalesce(settled.tenderers, tender.tenderers) END AS tenderers,
        CASE
            WHEN settled.kind = 'awarded' AND settled.awarded_at >= coalesce(settled.deadline, tender.deadline)
                THEN settled.awarded_at::date - coalesce(settled.deadline, tender.deadline)::date
        END AS days,
        NULL::text AS currency,
        NULL::numeric AS value
    FROM settled
    LEFT JOIN settled AS tender
        ON settled.process_key = tender.process_key AND tender.kind = 'tendered' AND settled.month >= tender.month
    LEFT JOIN answering AS buyer ON settled.parties -> (settled.body ->> 'buyer')::integer ->> 0 = buyer.service_id
    UNION ALL
    SELECT
        known.process_key,
        CASE known.measure WHEN 'tender_value' THEN 'valued' ELSE 'won' END AS kind,
        known.part,
        first.month,
        known.provenance_id,
        known.country,
        NULL AS category,
        party.resolves_to AS party,
        NULL AS tenderers,
        NULL AS days,
        known.unit AS currency,
        known.value
    FROM (
        SELECT
            stated.process_key, stated.measure, stated.part,
            date_trunc('month', stated.available_at)::date AS month
        FROM stated_value AS stated
        WHERE stated.vintage = 1 AND stated.value IS NOT NULL
    ) AS first
    INNER JOIN stated_value AS known
        ON
            first.process_key = known.process_key AND first.measure = known.measure
            AND first.part = known.part
            AND fragment.known_at_end_of(known, first.month)
    LEFT JOIN answering AS party ON known.party = party.service_id
    WHERE known.value IS NOT NULL AND coalesce(known.sharers, 1) = 1
)

SELECT
    row_number() OVER () AS target_id,
    md5(concat_ws('|', event.process_key, event.kind, event.part))::uuid AS event_id,
    event.*
FROM event;
