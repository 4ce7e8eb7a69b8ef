-- What contents state of money, in the order it became known: made from `vintage` of publish.sql.

-- name: awards_in_time
-- The value of each award and who won it; a statement that repeats the one before it confirms. Blocks of a content that
-- have one id and one value are one award, won by the suppliers of them all; portals repeat an award for each item. A
-- block of that id with another value is an award of its own. An award that was cancelled has no value, whoever won it.
CREATE TEMPORARY TABLE stated_award ON COMMIT DROP AS
WITH block AS (
    SELECT
        vintage.fact_id,
        vintage.parties,
        award.place,
        award.value AS told,
        coalesce(award.value ->> 'id', award.place::text) AS award_id,
        award.value ->> 'status' IS NULL OR award.value ->> 'status' = 'active' AS is_active
    FROM vintage
    CROSS JOIN LATERAL jsonb_array_elements(vintage.body -> 'awards') WITH ORDINALITY AS award (value, place)
),

award AS (
    SELECT
        block.fact_id,
        block.award_id,
        CASE WHEN block.is_active THEN (block.told #>> '{value,amount}')::numeric END AS value,
        CASE WHEN block.is_active THEN block.told #>> '{value,currency}' ELSE '' END AS unit,
        min(block.place) AS place,
        count(DISTINCT supplier.place) AS sharers,
        coalesce(
            array_agg(DISTINCT block.parties -> supplier.place ->> 0) FILTER (WHERE supplier.place IS NOT NULL), '{}'
        ) AS suppliers
    FROM block
    LEFT JOIN LATERAL (
        SELECT listed.place::integer AS place FROM jsonb_array_elements_text(block.told -> 'suppliers') AS listed (place)
    ) AS supplier ON TRUE
    WHERE
        (block.is_active AND jsonb_typeof(block.told -> 'value') = 'object')
        OR block.told ->> 'status' IN ('cancelled', 'unsuccessful')
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

stated AS (
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
        stated.*,
        jsonb_build_array(stated.value, stated.unit, stated.suppliers) AS told,
        lag(jsonb_build_array(stated.value, stated.unit, stated.suppliers)) OVER in_time AS told_before
    FROM stated
    WINDOW in_time AS (
        PARTITION BY stated.process_key, stated.award
        ORDER BY stated.available_at, stated.sorted_at, stated.release_id, stated.release_vintage
    )
)

SELECT
    followed.*,
    count(followed.value) OVER in_time AS vintage,
    coalesce(lead(followed.available_at) OVER in_time, 'infinity') AS known_until
FROM followed
WHERE followed.told IS DISTINCT FROM followed.told_before
WINDOW in_time AS (
    PARTITION BY followed.process_key, followed.award
    ORDER BY followed.available_at, followed.sorted_at, followed.release_id, followed.release_vintage
);

-- name: values_in_time
-- The value of a tender, and of what was awarded for each supplier that ever won it. A value that repeats the one before
-- it confirms. A supplier that the award no longer names has no value, and one that has it with others has it jointly.
CREATE TEMPORARY TABLE stated_value ON COMMIT DROP AS
WITH winner AS (
    SELECT DISTINCT award.process_key, award.award, winner.service_id
    FROM stated_award AS award
    CROSS JOIN LATERAL unnest(award.suppliers) AS winner (service_id)
),

stated AS (
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
    FROM stated_award AS award
    INNER JOIN winner ON award.process_key = winner.process_key AND award.award = winner.award
),

followed AS (
    SELECT
        stated.*,
        lag(stated.value) OVER in_time AS value_before,
        lag(stated.unit) OVER in_time AS unit_before,
        lag(stated.joint) OVER in_time AS joint_before
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
    stated.joint,
    stated.location,
    stated.named_in_ids,
    stated.value
FROM stated_value AS stated
WHERE stated.value IS NOT NULL;
