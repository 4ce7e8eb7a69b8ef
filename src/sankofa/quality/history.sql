-- Earlier answers are not changed by later filings: keys as they stood before an edition and in it, up to the day
-- before the first document that the edition newly holds of them. `turn` holds, for the keys of a chunk, the editions
-- to compare: name, before, edition, and `bound`, the first day that may differ.
-- Rows are compared twice: `rewritten` counts values and vintages that differ, `foreseen` rows that differ in any field
-- but the document they cite. Columns that a later migration adds are compared as well, since rows are taken whole.

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

-- A period may have several rows, one for each span of days with labels of its own. Spans that begin at the bound or
-- later may be new, and one that goes on at the bound may end at any later day.
standing AS (
    SELECT
        compared.name,
        compared.edition,
        fact.published_in <= compared.before AND fact.superseded_in > compared.before AS was,
        fact.published_in <= compared.edition AND fact.superseded_in > compared.edition AS is_now,
        jsonb_build_array(
            fact.line_item, fact.period_end, fact.period_start, fact.unit, fact.scope, fact.vintage, fact.available_at,
            fact.value, CASE WHEN fact.withdrawn_at < compared.bound THEN fact.withdrawn_at END
        ) AS vintage,
        to_jsonb(fact) - ARRAY[
            'row_id', 'published_in', 'superseded_in', 'reason', 'provenance_id', 'withdrawn_at', 'labelled_until'
        ] || jsonb_build_object(
            'labelled_until', CASE WHEN fact.labelled_until < compared.bound THEN fact.labelled_until END,
            'cited', to_jsonb(provenance) - ARRAY['provenance_id', 'document_ref', 'observed_at']
        ) AS fields
    FROM compared
    INNER JOIN serving.fundamentals_fact AS fact ON compared.name = fact.service_id
    LEFT JOIN serving.provenance AS provenance ON fact.provenance_id = provenance.provenance_id
    WHERE
        fact.available_at < compared.bound
        AND (fact.labelled_from IS NULL OR fact.labelled_from < compared.bound)
),

differing AS (
    SELECT sum(one.was) AS compared, sum(abs(one.was - one.is_now)) AS rewritten, sum(one.foreseen) AS foreseen
    FROM (
        SELECT sum(alike.was) AS was, sum(alike.is_now) AS is_now, sum(abs(alike.was - alike.is_now)) AS foreseen
        FROM (
            SELECT
                standing.name, standing.edition, standing.vintage,
                count(*) FILTER (WHERE standing.was) AS was,
                count(*) FILTER (WHERE standing.is_now) AS is_now
            FROM standing
            GROUP BY standing.name, standing.edition, standing.vintage, standing.fields
        ) AS alike
        GROUP BY alike.name, alike.edition, alike.vintage
    ) AS one
)

SELECT 'AF-FUND' AS sku, '' AS country, told.part, told.n AS change, told.n AS now
FROM differing
CROSS JOIN
    LATERAL (
        VALUES
        ('compared', differing.compared), ('rewritten', least(differing.rewritten, differing.compared)),
        ('foreseen', least(differing.foreseen, differing.compared))
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

standing AS (
    SELECT
        compared.name,
        compared.edition,
        known.published_in <= compared.before AND known.superseded_in > compared.before AS was,
        known.published_in <= compared.edition AND known.superseded_in > compared.edition AS is_now,
        jsonb_build_array(
            known.period_start, known.period_end, known.vintage, known.available_at, known.value,
            CASE WHEN known.withdrawn_at < compared.bound THEN known.withdrawn_at END
        ) AS vintage,
        to_jsonb(known) - ARRAY['row_id', 'published_in', 'superseded_in', 'reason', 'provenance_id', 'withdrawn_at']
        || jsonb_build_object('cited', to_jsonb(provenance) - ARRAY['provenance_id', 'document_ref', 'observed_at'])
            AS fields
    FROM compared
    INNER JOIN serving.macro_value AS known ON compared.name = known.series_key
    LEFT JOIN serving.provenance AS provenance ON known.provenance_id = provenance.provenance_id
    WHERE known.available_at < compared.bound
),

differing AS (
    SELECT sum(one.was) AS compared, sum(abs(one.was - one.is_now)) AS rewritten, sum(one.foreseen) AS foreseen
    FROM (
        SELECT sum(alike.was) AS was, sum(alike.is_now) AS is_now, sum(abs(alike.was - alike.is_now)) AS foreseen
        FROM (
            SELECT
                standing.name, standing.edition, standing.vintage,
                count(*) FILTER (WHERE standing.was) AS was,
                count(*) FILTER (WHERE standing.is_now) AS is_now
            FROM standing
            GROUP BY standing.name, standing.edition, standing.vintage, standing.fields
        ) AS alike
        GROUP BY alike.name, alike.edition, alike.vintage
    ) AS one
)

SELECT 'AF-MACRO' AS sku, '' AS country, told.part, told.n AS change, told.n AS now
FROM differing
CROSS JOIN
    LATERAL (
        VALUES
        ('compared', differing.compared), ('rewritten', least(differing.rewritten, differing.compared)),
        ('foreseen', least(differing.foreseen, differing.compared))
    ) AS told (part, n)
WHERE told.n > 0;

-- name: compare_processes
-- A document that was fetched before one that an earlier edition held may say what came first: nothing is compared.
-- A release can appear with an earlier day, since the portal dates it; none may vanish or change. Whom ids of a release
-- name is left out: it follows who is who in the edition.
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

standing AS (
    SELECT
        compared.process_key AS name,
        compared.edition,
        held.published_in <= compared.before AND held.superseded_in > compared.before AS was,
        held.published_in <= compared.edition AND held.superseded_in > compared.edition AS is_now,
        jsonb_build_array(held.fact_id, held.vintage, held.available_at, least(held.known_until, compared.bound))
            AS vintage,
        to_jsonb(held) - ARRAY[
            'row_id', 'published_in', 'superseded_in', 'reason', 'provenance_id', 'known_until', 'named_in_ids'
        ] AS fields
    FROM compared
    INNER JOIN serving.tender_release AS held ON compared.process_key = held.process_key
    WHERE held.available_at < compared.bound
),

differing AS (
    SELECT
        sum(one.was) AS compared,
        sum(greatest(one.was - one.is_now, 0)) AS rewritten,
        sum(greatest(one.foreseen, one.was - one.is_now, 0)) AS foreseen
    FROM (
        SELECT sum(alike.was) AS was, sum(alike.is_now) AS is_now, sum(greatest(alike.was - alike.is_now, 0)) AS foreseen
        FROM (
            SELECT
                standing.name, standing.edition, standing.vintage,
                count(*) FILTER (WHERE standing.was) AS was,
                count(*) FILTER (WHERE standing.is_now) AS is_now
            FROM standing
            GROUP BY standing.name, standing.edition, standing.vintage, standing.fields
        ) AS alike
        GROUP BY alike.name, alike.edition, alike.vintage
    ) AS one
)

SELECT 'AF-TENDER' AS sku, '' AS country, told.part, told.n AS change, told.n AS now
FROM differing
CROSS JOIN
    LATERAL (
        VALUES
        ('compared', differing.compared), ('rewritten', least(differing.rewritten, differing.compared)),
        ('foreseen', least(differing.foreseen, differing.compared))
    ) AS told (part, n)
WHERE told.n > 0;
