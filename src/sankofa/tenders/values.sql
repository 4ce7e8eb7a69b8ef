-- The values of contents, in the order in which they became known: made from `vintage` of publish.sql.

-- name: awards_in_time
-- The value of each award and who won it; a statement that repeats the one before it confirms. Blocks of a content that
-- have one id and one value are one award, won by the suppliers of them all; portals repeat an award for each item. A
-- block of that id with another value is an award of its own. An award that was cancelled has no value, whoever won it.
CREATE TEMPORARY TABLE reported_award ON COMMIT DROP AS
WITH block AS (
    SELECT
        vintage.fact_id,
        vintage.parties,
        award.place,
        award.value AS terms,
        coalesce(award.value ->> 'id', award.place::text) AS award_id,
        award.value ->> 'status' IS NULL OR award.value ->> 'status' = 'active' AS is_active
    FROM vintage
    CROSS JOIN LATERAL jsonb_array_elements(vintage.body -> 'awards') WITH ORDINALITY AS award (value, place)
),

award AS (
    SELECT
        block.fact_id,
        block.award_id,
        CASE WHEN block.is_active THEN (block.terms #>> '{value,amount}')::numeric END AS value,
        CASE WHEN block.is_active THEN block.terms #>> '{value,currency}' ELSE '' END AS unit,
        min(block.place) AS place,
        count(DISTINCT supplier.place) AS sharers,
        coalesce(
            array_agg(DISTINCT block.parties -> supplier.place ->> 0) FILTER (WHERE supplier.place IS NOT NULL), '{}'
        ) AS suppliers
    FROM block
    LEFT JOIN LATERAL (
        SELECT listed.place::integer AS place FROM jsonb_array_elements_text(block.terms -> 'suppliers') AS listed (place)
    ) AS supplier ON TRUE
    WHERE
        (block.is_active AND jsonb_typeof(block.terms -> 'value') = 'object')
        OR block.terms ->> 'status' IN ('cancelled', 'unsuccessful')
    GROUP BY block.fact_id, block.award_id, value, unit
),

-- The first value of an id is the award's own, so that a block without one never takes its place.
numbered AS (
    SELECT
        award.*,
        row_number() OVER (
            PARTITION BY award.fact_id, award.award_id
            ORDER BY award.value IS NULL, award.place
        ) AS turn
    FROM award
    WHERE award.sharers > 0 OR award.value IS NULL
),

reported AS (
    SELECT
        vintage.process_key,
        numbered.award_id || CASE numbered.turn WHEN 1 THEN '' ELSE ' ' || numbered.turn END AS award,
        numbered.value,
        numbered.unit,
        numbered.sharers,
        numbered.suppliers,
        vintage.fact_id AS content_id,
        vintage.provenance_id,
        vintage.sorted_at,
        vintage.release_id,
        vintage.vintage AS release_vintage,
        vintage.available_at,
        vintage.country,
        vintage.ocid || '/' || vintage.release_id || '/' || numbered.award_id AS location,
        vintage.named_in_ids
    FROM numbered
    INNER JOIN vintage ON numbered.fact_id = vintage.fact_id
),

followed AS (
    SELECT
        reported.*,
        jsonb_build_array(reported.value, reported.unit, reported.suppliers) AS terms,
        lag(jsonb_build_array(reported.value, reported.unit, reported.suppliers)) OVER in_time AS terms_before
    FROM reported
    WINDOW in_time AS (
        PARTITION BY reported.process_key, reported.award
        ORDER BY reported.available_at, reported.sorted_at, reported.release_id, reported.release_vintage
    )
)

SELECT
    followed.*,
    count(followed.value) OVER in_time AS vintage,
    coalesce(lead(followed.available_at) OVER in_time, 'infinity') AS known_until
FROM followed
WHERE followed.terms IS DISTINCT FROM followed.terms_before
WINDOW in_time AS (
    PARTITION BY followed.process_key, followed.award
    ORDER BY followed.available_at, followed.sorted_at, followed.release_id, followed.release_vintage
);

-- name: values_in_time
-- The value of a tender, and of what was awarded for each supplier that ever won it. A value that repeats the one before
-- it confirms. A supplier that the award no longer names has no value, and one that has it with others has it jointly.
CREATE TEMPORARY TABLE reported_value ON COMMIT DROP AS
WITH winner AS (
    SELECT DISTINCT award.process_key, award.award, winner.service_id
    FROM reported_award AS award
    CROSS JOIN LATERAL unnest(award.suppliers) AS winner (service_id)
),

reported AS (
    SELECT
        vintage.process_key,
        'tender_value' AS measure,
        '' AS part,
        vintage.parties -> (vintage.body ->> 'buyer')::integer ->> 0 AS party,
        NULL::boolean AS joint,
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
        award.award || '/' || winner.service_id AS part,
        winner.service_id AS party,
        award.sharers > 1 AS joint,
        CASE WHEN winner.service_id = any(award.suppliers) THEN award.value END AS value,
        award.unit,
        award.content_id,
        award.provenance_id,
        award.sorted_at,
        award.release_id,
        award.release_vintage,
        award.available_at,
        award.country,
        award.location,
        award.named_in_ids
    FROM reported_award AS award
    INNER JOIN winner ON award.process_key = winner.process_key AND award.award = winner.award
),

followed AS (
    SELECT
        reported.*,
        lag(reported.value) OVER in_time AS value_before,
        lag(reported.unit) OVER in_time AS unit_before,
        lag(reported.joint) OVER in_time AS joint_before
    FROM reported
    WINDOW in_time AS (
        PARTITION BY reported.process_key, reported.measure, reported.part
        ORDER BY reported.available_at, reported.sorted_at, reported.release_id, reported.release_vintage
    )
)

SELECT
    followed.*,
    count(followed.value) OVER in_time AS vintage,
    coalesce(lead(followed.available_at) OVER in_time, 'infinity') AS known_until
FROM followed
WHERE
    followed.value IS DISTINCT FROM followed.value_before
    OR (
        followed.value IS NOT NULL
        AND (followed.unit <> followed.unit_before OR followed.joint IS DISTINCT FROM followed.joint_before)
    )
WINDOW in_time AS (
    PARTITION BY followed.process_key, followed.measure, followed.part
    ORDER BY followed.available_at, followed.sorted_at, followed.release_id, followed.release_vintage
);

-- name: target_facts
CREATE TEMPORARY TABLE target ON COMMIT DROP AS
SELECT
    row_number() OVER () AS target_id,
    md5(concat_ws('|', reported.content_id, reported.measure, reported.part))::uuid AS fact_id,
    reported.process_key,
    reported.provenance_id,
    (reported.sorted_at AT TIME ZONE 'UTC')::date AS period_end,
    reported.available_at,
    reported.known_until,
    reported.vintage,
    reported.measure,
    reported.country,
    reported.party,
    reported.unit,
    reported.joint,
    reported.location,
    reported.named_in_ids,
    reported.value
FROM reported_value AS reported
WHERE reported.value IS NOT NULL;
