-- Earlier answers are not changed by later filings: keys as they stood before an edition and in it, up to the day
-- before the first document that the edition newly holds of them. `turn` holds, for the keys of a chunk, the editions
-- to compare: name, before, edition, and `bound`, the first day that may differ.

-- name: turn_table
CREATE TEMPORARY TABLE turn ON COMMIT DROP AS
SELECT touched.tally_key, touched.kind, touched.name, comparison.before, %(edition)s::integer AS edition
FROM touched
CROSS JOIN comparison
WHERE comparison.before > 0;

-- name: turns_of_all
-- Every edition that changed a row of a key, but the first and those that differ for other reasons.
CREATE TEMPORARY TABLE turn ON COMMIT DROP AS
SELECT changed.tally_key, changed.kind, changed.name, follows.before, changed.edition
FROM (
    SELECT touched.tally_key, touched.kind, touched.name, unnest(ARRAY[fact.published_in, fact.superseded_in]) AS edition
    FROM touched
    INNER JOIN serving.fundamentals_fact AS fact ON touched.kind = 'issuer' AND touched.name = fact.service_id
    UNION
    SELECT touched.tally_key, touched.kind, touched.name, unnest(ARRAY[value.published_in, value.superseded_in]) AS edition
    FROM touched
    INNER JOIN serving.macro_value AS value ON touched.kind = 'series' AND touched.name = value.series_key
    UNION
    SELECT touched.tally_key, touched.kind, touched.name, unnest(ARRAY[held.published_in, held.superseded_in]) AS edition
    FROM touched
    INNER JOIN serving.tender_release AS held ON touched.kind = 'process' AND touched.name::uuid = held.process_key
) AS changed
INNER JOIN follows ON changed.edition = follows.edition;

-- name: follows
-- The editions that can be compared with the one before: under the same rules, without decisions and takedowns.
CREATE TEMPORARY TABLE follows AS
SELECT pair.edition, pair.before
FROM (
    SELECT edition.edition, lag(edition.edition) OVER (ORDER BY edition.edition) AS before
    FROM serving.edition AS edition
    WHERE edition.edition <= %(edition)s
) AS pair
WHERE
    pair.before IS NOT NULL
    AND NOT EXISTS (
        SELECT FROM ops.edition_version AS now
        FULL JOIN ops.edition_version AS was ON now.part = was.part AND was.edition = pair.before
        WHERE now.edition = pair.edition AND now.version IS DISTINCT FROM was.version
    )
    AND NOT EXISTS (
        SELECT FROM ops.edition_holds AS held
        WHERE held.edition = pair.edition AND held.kind <> 'batch'
    );

-- name: compare_issuers
INSERT INTO tally_change (sku, country, part, change, now)
WITH compared AS (
    SELECT turn.tally_key, turn.name, turn.before, turn.edition, coalesce(min(news.available_at), 'infinity') AS bound
    FROM turn
    LEFT JOIN LATERAL (
        SELECT filing.available_at
        FROM serving.issued_id AS answering
        INNER JOIN ops.issued_id AS issued ON answering.service_id = issued.service_id
        INNER JOIN ledger.filing AS filing ON issued.subject_id = filing.subject_id
        WHERE
            answering.resolves_to = turn.name
            AND answering.published_in <= turn.edition AND answering.superseded_in > turn.edition
            AND EXISTS (
                SELECT FROM ledger.fact AS fact
                INNER JOIN ops.batch AS batch ON fact.document_id = batch.document_id
                INNER JOIN ops.edition_holds AS held
                    ON batch.batch_id = held.number AND held.kind = 'batch' AND turn.edition = held.edition
                WHERE fact.filing_id = filing.filing_id
            )
    ) AS news ON TRUE
    WHERE
        turn.kind = 'issuer'
        AND NOT EXISTS (
            SELECT FROM serving.issued_id AS member
            WHERE
                member.resolves_to = turn.name
                AND (member.published_in = turn.edition OR member.superseded_in = turn.edition)
        )
    GROUP BY turn.tally_key, turn.name, turn.before, turn.edition
),

differing AS (
    SELECT sum(one.was) AS compared, sum(abs(one.was - one.is_now)) AS rewritten
    FROM (
        SELECT
            count(*) FILTER (
                WHERE fact.published_in <= compared.before AND fact.superseded_in > compared.before
            ) AS was,
            count(*) FILTER (
                WHERE fact.published_in <= compared.edition AND fact.superseded_in > compared.edition
            ) AS is_now
        FROM compared
        INNER JOIN serving.fundamentals_fact AS fact ON compared.name = fact.service_id
        WHERE fact.available_at < compared.bound
        GROUP BY
            compared.name, compared.edition, fact.line_item, fact.period_end, fact.period_start, fact.unit, fact.scope,
            fact.vintage, fact.available_at, fact.value,
            CASE WHEN fact.withdrawn_at < compared.bound THEN fact.withdrawn_at END
    ) AS one
)

SELECT 'AF-FUND' AS sku, '' AS country, told.part, told.n AS change, told.n AS now
FROM differing
CROSS JOIN
    LATERAL (
        VALUES ('compared', differing.compared), ('rewritten', least(differing.rewritten, differing.compared))
    ) AS told (part, n)
WHERE told.n > 0;

-- name: compare_series
INSERT INTO tally_change (sku, country, part, change, now)
WITH compared AS (
    SELECT turn.tally_key, turn.name, turn.before, turn.edition, coalesce(min(news.known_at), 'infinity') AS bound
    FROM turn
    LEFT JOIN LATERAL (
        SELECT
            CASE
                WHEN snapshot.is_released_daily THEN least(snapshot.available_at, observation.period_end)
                ELSE snapshot.available_at
            END AS known_at
        FROM ledger.series AS series
        INNER JOIN ledger.snapshot AS snapshot ON series.series_id = snapshot.series_id
        INNER JOIN ops.batch AS batch ON snapshot.document_id = batch.document_id
        INNER JOIN ops.edition_holds AS held
            ON batch.batch_id = held.number AND held.kind = 'batch' AND turn.edition = held.edition
        LEFT JOIN ledger.observation AS observation
            ON series.series_id = observation.series_id AND snapshot.snapshot_id = observation.snapshot_id
        WHERE series.series_key = turn.name
    ) AS news ON TRUE
    WHERE
        turn.kind = 'series'
        AND NOT EXISTS (
            SELECT FROM serving.series AS was
            INNER JOIN serving.series AS now ON was.series_key = now.series_key AND was.source <> now.source
            WHERE
                was.series_key = turn.name AND was.superseded_in = turn.edition AND now.published_in = turn.edition
        )
    GROUP BY turn.tally_key, turn.name, turn.before, turn.edition
),

differing AS (
    SELECT sum(one.was) AS compared, sum(abs(one.was - one.is_now)) AS rewritten
    FROM (
        SELECT
            count(*) FILTER (
                WHERE value.published_in <= compared.before AND value.superseded_in > compared.before
            ) AS was,
            count(*) FILTER (
                WHERE value.published_in <= compared.edition AND value.superseded_in > compared.edition
            ) AS is_now
        FROM compared
        INNER JOIN serving.macro_value AS value ON compared.name = value.series_key
        WHERE value.available_at < compared.bound
        GROUP BY
            compared.name, compared.edition, value.period_start, value.period_end, value.vintage, value.available_at,
            value.value,
            CASE WHEN value.withdrawn_at < compared.bound THEN value.withdrawn_at END
    ) AS one
)

SELECT 'AF-MACRO' AS sku, '' AS country, told.part, told.n AS change, told.n AS now
FROM differing
CROSS JOIN
    LATERAL (
        VALUES ('compared', differing.compared), ('rewritten', least(differing.rewritten, differing.compared))
    ) AS told (part, n)
WHERE told.n > 0;

-- name: compare_processes
-- A document that was fetched before one that an earlier edition held may say what came first: nothing is compared.
-- A release can appear with an earlier day, since the portal dates it; none may vanish or change.
INSERT INTO tally_change (sku, country, part, change, now)
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
),

differing AS (
    SELECT sum(one.was) AS compared, sum(greatest(one.was - one.is_now, 0)) AS rewritten
    FROM (
        SELECT
            count(*) FILTER (
                WHERE held.published_in <= compared.before AND held.superseded_in > compared.before
            ) AS was,
            count(*) FILTER (
                WHERE held.published_in <= compared.edition AND held.superseded_in > compared.edition
            ) AS is_now
        FROM compared
        INNER JOIN serving.tender_release AS held ON compared.process_key = held.process_key
        WHERE held.available_at < compared.bound
        GROUP BY
            compared.process_key, compared.edition, held.fact_id, held.vintage, held.available_at,
            least(held.known_until, compared.bound)
    ) AS one
)

SELECT 'AF-TENDER' AS sku, '' AS country, told.part, told.n AS change, told.n AS now
FROM differing
CROSS JOIN
    LATERAL (
        VALUES ('compared', differing.compared), ('rewritten', least(differing.rewritten, differing.compared))
    ) AS told (part, n)
WHERE told.n > 0;
