-- name: touch_all
INSERT INTO build.touched_cell (cell, country, month)
SELECT touched.country || ' ' || to_char(touched.month, 'YYYY-MM') AS cell, touched.country, touched.month
FROM (
    SELECT event.country, event.month FROM serving.tender_event AS event
    WHERE fragment.is_live(event)
    UNION
    SELECT signal.country, signal.month FROM serving.signal AS signal
    WHERE fragment.is_live(signal)
) AS touched
ON CONFLICT DO NOTHING;

-- name: by_index
-- A chunk reads few cells out of many, and statistics may be older than what was just written: so events are
-- read cell by cell (OFFSET keeps the join in that order), and never as a whole.
SELECT set_config('enable_seqscan', 'off', TRUE);

-- name: by_plan
SELECT set_config('enable_seqscan', 'on', TRUE);

-- name: events
-- The events of the touched cells and of the three months before each; provenances get short numbers.
CREATE TEMPORARY TABLE event ON COMMIT DROP AS
SELECT
    happened.country,
    happened.month,
    happened.kind,
    happened.category,
    happened.currency,
    happened.party,
    happened.value,
    happened.tenderers,
    happened.days,
    happened.joint,
    happened.provenance_id,
    dense_rank() OVER (ORDER BY happened.provenance_id) AS origin
FROM (
    SELECT DISTINCT touched.country, (touched.month - make_interval(months => earlier.months))::date AS month
    FROM touched
    CROSS JOIN generate_series(0, 3) AS earlier (months)
) AS cell
INNER JOIN LATERAL (
    SELECT one.* FROM serving.tender_event AS one
    WHERE one.country = cell.country AND one.month = cell.month AND fragment.is_live(one)
    OFFSET 0
) AS happened ON TRUE;

-- name: cells
SELECT touched.country, touched.month FROM touched;

-- name: origins
SELECT used.origin, provenance.document_ref, provenance.license_class, provenance.observed_at
FROM (SELECT DISTINCT event.origin, event.provenance_id FROM event) AS used
INNER JOIN serving.provenance AS provenance ON used.provenance_id = provenance.provenance_id;

-- For each panel: its events by country, month, category or currency, and the fields that group them.

-- name: procurement_demand
SELECT
    event.country,
    event.month,
    event.category,
    event.party,
    0::numeric AS amount,
    FALSE AS joint,
    count(*) AS events,
    array_agg(DISTINCT event.origin) AS origins
FROM event
WHERE event.kind = 'tendered'
GROUP BY event.country, event.month, event.category, event.party;

-- name: supplier_concentration
SELECT
    event.country,
    event.month,
    event.currency,
    event.party,
    sum(event.value) AS amount,
    event.joint,
    count(*) AS events,
    array_agg(DISTINCT event.origin) AS origins
FROM event
WHERE event.kind = 'won'
GROUP BY event.country, event.month, event.currency, event.party, event.joint;

-- name: award_lead_time
SELECT
    event.country,
    event.month,
    event.category,
    NULL AS party,
    event.days::numeric AS amount,
    FALSE AS joint,
    count(*) AS events,
    array_agg(DISTINCT event.origin) AS origins
FROM event
WHERE event.kind = 'awarded' AND event.days >= 0
GROUP BY event.country, event.month, event.category, event.days;

-- name: single_bidder_share
SELECT
    event.country,
    event.month,
    event.category,
    NULL AS party,
    event.tenderers::numeric AS amount,
    FALSE AS joint,
    count(*) AS events,
    array_agg(DISTINCT event.origin) AS origins
FROM event
WHERE event.kind = 'awarded' AND event.tenderers >= 1
GROUP BY event.country, event.month, event.category, event.tenderers;

-- name: tender_value
SELECT
    event.country,
    event.month,
    event.currency,
    NULL AS party,
    event.value AS amount,
    FALSE AS joint,
    count(*) AS events,
    array_agg(DISTINCT event.origin) AS origins
FROM event
WHERE event.kind = 'valued'
GROUP BY event.country, event.month, event.currency, event.value;

-- name: computed
CREATE TEMPORARY TABLE computed (
    panel text, country text, month date, breakdown text, methodology_ref text, license_class text,
    observed_at timestamptz, figures jsonb, source_ref text
) ON COMMIT DROP;

-- name: copy_computed
COPY computed (
    panel, country, month, breakdown, methodology_ref, license_class, observed_at, figures, source_ref
) FROM STDIN;

-- name: target
CREATE TEMPORARY TABLE target ON COMMIT DROP AS
SELECT
    row_number() OVER () AS target_id,
    md5(concat_ws('|', computed.panel, touched.cell, computed.breakdown))::uuid AS signal_id,
    touched.cell,
    computed.*
FROM computed
INNER JOIN touched ON computed.country = touched.country AND computed.month = touched.month;
