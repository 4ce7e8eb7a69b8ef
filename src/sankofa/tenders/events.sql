-- The events of the processes of one chunk, for signals: made from `vintage` and `mention` of publish.sql and from the
-- values of values.sql.

-- fragment: known_at_end_of(record, month)
-- The content was the latest known on the last day of the month.
SELECT record.available_at < month + interval '1 month' AND record.known_until >= month + interval '1 month'
FROM record
CROSS JOIN month;

-- name: touch_all
-- Changed rules for categories: every process is computed again.
INSERT INTO build.touched_process (process_key)
SELECT DISTINCT release.process_key
FROM ledger.release AS release
ON CONFLICT DO NOTHING;

-- name: answering
-- The organisation of each established party of the chunk.
CREATE TEMPORARY TABLE answering ON COMMIT DROP AS
SELECT DISTINCT mention.service_id, mention.resolves_to FROM mention
WHERE mention.resolves_to IS NOT NULL;

-- name: category_rules
CREATE TEMPORARY TABLE category_rule ON COMMIT DROP AS
SELECT rule.scheme, rule.first_digits, rule.last_digits, rule.category
FROM unnest(%(scheme)s::text[], %(first)s::text[], %(last)s::text[], %(category)s::text[])
    AS rule (scheme, first_digits, last_digits, category);

-- name: categories
-- The category of each content: the portal's own, or the one that the codes of the tender's items imply, or else those
-- of the awards. Codes that imply several categories imply none.
CREATE TEMPORARY TABLE categorised ON COMMIT DROP AS
WITH section AS (
    SELECT vintage.fact_id, 1 AS place, vintage.body #> '{tender,classifications}' AS codes
    FROM vintage
    UNION ALL
    SELECT
        vintage.fact_id, 2 AS place, jsonb_path_query_array(vintage.body, '$.awards[*].classifications[*]') AS codes
    FROM vintage
),

classified AS (
    SELECT
        section.fact_id,
        section.place,
        CASE WHEN count(DISTINCT rule.category) = 1 THEN min(rule.category) END AS category
    FROM section
    CROSS JOIN LATERAL jsonb_array_elements(section.codes) AS item (code)
    INNER JOIN category_rule AS rule
        ON
            item.code ->> 'scheme' = rule.scheme
            AND left(item.code ->> 'id', length(rule.first_digits)) BETWEEN rule.first_digits AND rule.last_digits
    GROUP BY section.fact_id, section.place
),

coded AS (
    SELECT DISTINCT ON (classified.fact_id) classified.fact_id, classified.category
    FROM classified
    ORDER BY classified.fact_id, classified.place
)

SELECT
    vintage.fact_id,
    coalesce(
        vintage.body #>> '{tender,portal_category}', vintage.body #>> '{tender,main_category}', coded.category
    ) AS category
FROM vintage
LEFT JOIN coded ON vintage.fact_id = coded.fact_id;

-- name: target_events
-- The first events of a process, each in the month it became known, with the data known at that month's end.
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
        categorised.category,
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
    INNER JOIN categorised ON content.fact_id = categorised.fact_id
),

-- Values of tenders and of awards, each once, whoever won it. A joint award is assigned to no single supplier.
valued AS (
    SELECT
        reported.process_key,
        'valued' AS kind,
        reported.part,
        reported.provenance_id,
        reported.country,
        reported.party,
        reported.joint,
        reported.unit,
        reported.value,
        reported.vintage,
        reported.available_at,
        reported.known_until
    FROM reported_value AS reported
    WHERE reported.measure = 'tender_value'
    UNION ALL
    SELECT
        award.process_key,
        'won' AS kind,
        award.award AS part,
        award.provenance_id,
        award.country,
        CASE award.sharers WHEN 1 THEN award.suppliers[1] END AS party,
        award.sharers > 1 AS joint,
        award.unit,
        award.value,
        award.vintage,
        award.available_at,
        award.known_until
    FROM reported_award AS award
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
        NULL::boolean AS joint,
        NULL::text AS currency,
        NULL::numeric AS value
    FROM settled
    LEFT JOIN settled AS tender
        ON settled.process_key = tender.process_key AND tender.kind = 'tendered' AND settled.month >= tender.month
    LEFT JOIN answering AS buyer ON settled.parties -> (settled.body ->> 'buyer')::integer ->> 0 = buyer.service_id
    UNION ALL
    SELECT
        known.process_key,
        known.kind,
        known.part,
        first.month,
        known.provenance_id,
        known.country,
        NULL AS category,
        party.resolves_to AS party,
        NULL AS tenderers,
        NULL AS days,
        known.joint,
        known.unit AS currency,
        known.value
    FROM (
        SELECT
            valued.process_key, valued.kind, valued.part, date_trunc('month', valued.available_at)::date AS month
        FROM valued
        WHERE valued.vintage = 1 AND valued.value IS NOT NULL
    ) AS first
    INNER JOIN valued AS known
        ON
            first.process_key = known.process_key AND first.kind = known.kind AND first.part = known.part
            AND fragment.known_at_end_of(known, first.month)
    LEFT JOIN answering AS party ON known.party = party.service_id
    WHERE known.value IS NOT NULL
)

SELECT
    row_number() OVER () AS target_id,
    md5(concat_ws('|', event.process_key, event.kind, event.part))::uuid AS event_id,
    event.*
FROM event;
