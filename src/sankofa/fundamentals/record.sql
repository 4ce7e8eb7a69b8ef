-- name: stage
-- A session's own tables; a document is copied to them and then compared with the ledger.
CREATE TEMPORARY TABLE IF NOT EXISTS staged_fact (
    staged_filing integer NOT NULL,
    concept text NOT NULL,
    period_start date NOT NULL,
    period_end date NOT NULL,
    unit text NOT NULL,
    scope text NOT NULL,
    value numeric,
    decimals smallint
);
CREATE TEMPORARY TABLE IF NOT EXISTS staged_filing (
    staged_filing integer NOT NULL,
    identifier text NOT NULL,
    filing_number text NOT NULL,
    form text,
    filed date NOT NULL,
    accepted_at timestamptz,
    available_at date NOT NULL,
    available_at_basis text NOT NULL,
    report_period date,
    is_rounded boolean NOT NULL,
    true_end date,
    fiscal_year smallint,
    fiscal_period text,
    fiscal_year_end text
);
CREATE TEMPORARY TABLE IF NOT EXISTS new_filing (filing_id integer PRIMARY KEY);
CREATE TEMPORARY TABLE IF NOT EXISTS matched_filing (
    staged_filing integer NOT NULL,
    filing_id integer NOT NULL,
    is_new boolean NOT NULL
);
CREATE TEMPORARY TABLE IF NOT EXISTS appended (filing_id integer NOT NULL);
CREATE TEMPORARY TABLE IF NOT EXISTS declared (filing_id integer NOT NULL);
TRUNCATE staged_fact, staged_filing, new_filing, matched_filing, appended, declared;

-- name: copy_facts
COPY staged_fact FROM STDIN;

-- name: copy_filings
COPY staged_filing FROM STDIN;

-- name: analyze
ANALYZE staged_fact, staged_filing;

-- name: insert_subjects
-- In a fixed order, so that two ingests that meet the same subjects cannot deadlock.
INSERT INTO ledger.subject (identifier)
SELECT DISTINCT staged.identifier
FROM staged_filing AS staged
WHERE
    NOT EXISTS (
        SELECT FROM ledger.subject AS known
        WHERE known.identifier = staged.identifier
    )
ORDER BY staged.identifier
ON CONFLICT DO NOTHING;

-- name: insert_concepts
INSERT INTO ledger.concept (concept)
SELECT DISTINCT staged.concept
FROM staged_fact AS staged
WHERE
    NOT EXISTS (
        SELECT FROM ledger.concept AS known
        WHERE known.concept = staged.concept
    )
ORDER BY staged.concept
ON CONFLICT DO NOTHING;

-- name: insert_filings
WITH put AS (
    INSERT INTO ledger.filing (
        source, filing_number, subject_id, form, filed, accepted_at, available_at, available_at_basis,
        report_period, is_rounded, true_end
    )
    SELECT
        %(source)s, staged.filing_number, subject.subject_id, staged.form, staged.filed, staged.accepted_at,
        staged.available_at, staged.available_at_basis, staged.report_period, staged.is_rounded, staged.true_end
    FROM staged_filing AS staged
    INNER JOIN ledger.subject AS subject ON staged.identifier = subject.identifier
    ORDER BY staged.staged_filing
    ON CONFLICT DO NOTHING
    RETURNING filing_id
)

INSERT INTO new_filing (filing_id) SELECT filing_id FROM put;

-- name: match_filings
INSERT INTO matched_filing (staged_filing, filing_id, is_new)
SELECT
    staged.staged_filing,
    filing.filing_id,
    new_filing.filing_id IS NOT NULL AS is_new
FROM staged_filing AS staged
INNER JOIN ledger.subject AS subject ON staged.identifier = subject.identifier
INNER JOIN ledger.filing AS filing
    ON
        subject.subject_id = filing.subject_id AND filing.source = %(source)s
        AND staged.filing_number = filing.filing_number AND staged.filed = filing.filed
        AND (filing.form, filing.accepted_at, filing.report_period, filing.true_end)
        IS NOT DISTINCT FROM (staged.form, staged.accepted_at, staged.report_period, staged.true_end)
LEFT JOIN new_filing ON filing.filing_id = new_filing.filing_id;

-- name: append_new
-- Facts of filings that are new to the ledger: nothing to compare with.
WITH put AS (
    INSERT INTO ledger.fact (
        filing_id, concept_id, period_start, period_end, document_id, scope, decimals, unit, value
    )
    SELECT DISTINCT ON (
        matched.filing_id, concept.concept_id, staged.period_end, staged.period_start, staged.unit, staged.scope
    )
        matched.filing_id, concept.concept_id, staged.period_start, staged.period_end, %(document_id)s,
        staged.scope::serving.scope, coalesce(staged.decimals, 32767), staged.unit, trim_scale(staged.value)
    FROM staged_fact AS staged
    INNER JOIN matched_filing AS matched ON staged.staged_filing = matched.staged_filing AND matched.is_new
    INNER JOIN ledger.concept AS concept ON staged.concept = concept.concept
    ORDER BY
        matched.filing_id, concept.concept_id, staged.period_end, staged.period_start, staged.unit, staged.scope
    RETURNING filing_id
)

INSERT INTO appended SELECT filing_id FROM put;

-- name: append_known
-- Facts of known filings, unless a document fetched no later, and not held back, has the same value.
WITH put AS (
    INSERT INTO ledger.fact (
        filing_id, concept_id, period_start, period_end, document_id, scope, decimals, unit, value
    )
    SELECT DISTINCT ON (
        matched.filing_id, concept.concept_id, staged.period_end, staged.period_start, staged.unit, staged.scope
    )
        matched.filing_id, concept.concept_id, staged.period_start, staged.period_end, %(document_id)s,
        staged.scope::serving.scope, coalesce(staged.decimals, 32767), staged.unit, trim_scale(staged.value)
    FROM staged_fact AS staged
    INNER JOIN matched_filing AS matched ON staged.staged_filing = matched.staged_filing AND NOT matched.is_new
    INNER JOIN ledger.concept AS concept ON staged.concept = concept.concept
    LEFT JOIN LATERAL (
        SELECT TRUE AS is_earlier
        FROM ledger.fact AS fact
        INNER JOIN ops.document AS document ON fact.document_id = document.document_id
        WHERE
            fact.filing_id = matched.filing_id AND fact.concept_id = concept.concept_id
            AND fact.period_end = staged.period_end AND fact.period_start = staged.period_start
            AND fact.unit = staged.unit AND fact.scope = staged.scope::serving.scope
            AND fact.value IS NOT DISTINCT FROM staged.value
            AND (document.fetched_at, document.sha256) <= (%(fetched_at)s, %(sha256)s)
            AND fact.document_id NOT IN (SELECT waiting.document_id FROM ops.held_back AS waiting)
        LIMIT 1
    ) AS held ON TRUE
    WHERE held.is_earlier IS NULL
    ORDER BY
        matched.filing_id, concept.concept_id, staged.period_end, staged.period_start, staged.unit, staged.scope
    RETURNING filing_id
)

INSERT INTO appended SELECT filing_id FROM put;

-- name: append_declared
-- The fiscal years that the filings declare, unless another document has the same, which it has of no new filing. A new
-- declaration touches its filing's issuer.
WITH put AS (
    INSERT INTO ledger.filing_declaration (filing_id, document_id, fiscal_year, fiscal_period, fiscal_year_end)
    SELECT
        matched.filing_id,
        %(document_id)s,
        staged.fiscal_year,
        staged.fiscal_period,
        staged.fiscal_year_end
    FROM staged_filing AS staged
    INNER JOIN matched_filing AS matched ON staged.staged_filing = matched.staged_filing
    WHERE
        num_nonnulls(staged.fiscal_year, staged.fiscal_period, staged.fiscal_year_end) > 0
        AND (
            matched.is_new
            OR NOT EXISTS (
                SELECT FROM ledger.filing_declaration AS held
                INNER JOIN ops.document AS document ON held.document_id = document.document_id
                WHERE
                    held.filing_id = matched.filing_id
                    AND (held.fiscal_year, held.fiscal_period, held.fiscal_year_end)
                    IS NOT DISTINCT FROM (staged.fiscal_year, staged.fiscal_period, staged.fiscal_year_end)
                    AND (document.fetched_at, document.sha256) <= (%(fetched_at)s, %(sha256)s)
                    AND held.document_id NOT IN (SELECT waiting.document_id FROM ops.held_back AS waiting)
            )
        )
    ON CONFLICT DO NOTHING
    RETURNING filing_id
)

INSERT INTO declared SELECT filing_id FROM put;

-- name: count_mapped
SELECT count(*) FROM staged_fact AS staged
WHERE staged.concept = any(%(concepts)s::text[]);

-- name: extent
SELECT count(DISTINCT staged.identifier), (SELECT max(fact.period_end) FROM staged_fact AS fact)
FROM staged_filing AS staged;

-- name: count_appended
SELECT count(*) FROM appended;

-- name: touched_subjects
-- Each filing is looked up by itself: a join reads all filings of the ledger for the few of a document.
SELECT DISTINCT touched.subject_id
FROM (
    SELECT filing_id FROM appended
    UNION
    SELECT filing_id FROM declared
) AS one
CROSS JOIN LATERAL (
    SELECT filing.subject_id FROM ledger.filing AS filing WHERE filing.filing_id = one.filing_id OFFSET 0
) AS touched;

-- name: touch_subjects
INSERT INTO ops.batch_subject (batch_id, subject_id)
SELECT %(batch_id)s::integer, touched.subject_id
FROM unnest(%(subject_ids)s::integer[]) AS touched (subject_id)
ON CONFLICT DO NOTHING;
