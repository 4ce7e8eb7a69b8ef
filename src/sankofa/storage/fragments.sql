-- The rules that statements of all domains share, each written once: the two clocks of an answer. `edition` pins what
-- the service held, a day what the public could know. Days are half open: the first belongs to a span, the last does not.

-- fragment: in_edition(record, edition)
-- The edition holds the row.
SELECT record.published_in <= edition AND record.superseded_in > edition FROM record CROSS JOIN edition;

-- fragment: is_live(record)
-- No edition has closed the row yet (`reconcile.NEVER`).
SELECT record.superseded_in = 2147483647 FROM record;

-- fragment: known_on(record, day)
-- On the day, the row was the latest known of its kind. `known_until` is infinity while it is.
SELECT record.available_at <= day AND record.known_until > day FROM record CROSS JOIN day;

-- fragment: stood_on(record, day)
-- On the day, the row was valid: a name or place of an organisation, a metric of a year.
SELECT record.known_from <= day AND record.known_until > day FROM record CROSS JOIN day;

-- fragment: was_last(value)
-- The metric's year was the last one published, on some days.
SELECT value.last_until > value.known_from FROM value;

-- fragment: last_on(value, day)
-- On the day, the metric's year was the last one published. Without `was_last` no index can tell.
SELECT fragment.was_last(value) AND value.known_from <= day AND value.last_until > day FROM value CROSS JOIN day;

-- fragment: labelled_on(fact, day)
-- On the day, the period of the fact had these labels. Most facts have one set of labels for all days.
SELECT
    (fact.labelled_from IS NULL OR fact.labelled_from <= day)
    AND (fact.labelled_until IS NULL OR fact.labelled_until > day)
FROM fact
CROSS JOIN day;

-- fragment: is_standard(fact)
-- The fact goes by the name of a line item, and not by that of its concept.
SELECT strpos(fact.line_item, ':') = 0 FROM fact;

-- fragment: may_match_items(fact, items)
-- As matches_items, for whole line items: a vintage of another concept ends one that is requested.
SELECT
    CASE (items::text[])[1]
        WHEN 'standard' THEN fragment.is_standard(fact)
        WHEN 'all' THEN TRUE
        ELSE fact.line_item = any(items::text[]) OR strpos(array_to_string(items::text[], ' '), ':') > 0
    END
FROM fact
CROSS JOIN items;

-- fragment: matches_items(fact, items)
-- The fact is among the requested items: standard, all, or names of line items and concepts.
SELECT
    CASE (items::text[])[1]
        WHEN 'standard' THEN fragment.is_standard(fact)
        WHEN 'all' THEN TRUE
        ELSE fact.line_item = any(items::text[]) OR fact.concept = any(items::text[])
    END
FROM fact
CROSS JOIN items;

-- fragment: is_sourced(record)
-- The row has its document, its licence, the time of its fetch, and the basis of its first day.
SELECT
    record.document_ref ~ '@sha256:[0-9a-f]{64}$' AND record.license_class <> '' AND record.available_at_basis <> ''
    AND record.observed_at IS NOT NULL
FROM record;

-- fragment: vintage_until(fact, day)
-- The day on which a vintage of a reported value stopped being the latest one known: the next vintage came, or it was
-- withdrawn; infinity if neither happened by the day. A vintage that only rounds the one before it never was the latest.
-- The statement that calls this has only rows that were available on the day, under the labels of the day.
SELECT
    least(
        CASE WHEN fact.passed_over THEN fact.available_at END,
        CASE WHEN fact.withdrawn_at <= day THEN fact.withdrawn_at END,
        min(fact.available_at) FILTER (WHERE fact.passed_over IS NOT TRUE) OVER (
            PARTITION BY fact.period_end, fact.line_item, fact.period_start, fact.unit, fact.scope, fact.service_id
            ORDER BY fact.vintage
            ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING
        ),
        'infinity'
    )
FROM fact
CROSS JOIN day;

-- fragment: restated_on(fact)
-- The day on which a vintage replaced another one as the latest known; null for the first, and for one that only rounds.
SELECT CASE WHEN fact.vintage > 1 AND fact.passed_over IS NOT TRUE THEN fact.available_at END FROM fact;

-- fragment: value_before(fact, edition)
-- The value that was the latest known on the day before a restatement; null if none was. Only restated rows of the page
-- look it up. All vintages of a value have the same labels on a day, so the fiscal year narrows the index range.
SELECT
    CASE
        WHEN fragment.restated_on(fact) IS NOT NULL
            THEN (
                SELECT CASE WHEN earlier.withdrawn_at < fact.available_at THEN NULL ELSE earlier.value END
                FROM serving.fundamentals_fact AS earlier
                WHERE
                    earlier.service_id = fact.service_id
                    AND earlier.line_item = fact.line_item
                    AND (earlier.fiscal_year = fact.fiscal_year OR (earlier.fiscal_year IS NULL AND fact.fiscal_year IS NULL))
                    AND earlier.period_end = fact.period_end
                    AND earlier.period_start = fact.period_start
                    AND earlier.unit = fact.unit
                    AND earlier.scope = fact.scope
                    AND earlier.available_at < fact.available_at
                    AND earlier.passed_over IS NOT TRUE
                    AND fragment.in_edition(earlier, edition)
                ORDER BY earlier.vintage DESC
                LIMIT 1
            )
    END
FROM fact
CROSS JOIN edition;

-- columns: reported(fact, provenance, edition)
-- The served columns of a reported fact; `known_until` is that of vintage_until.
SELECT
    fact.service_id,
    fact.line_item,
    fact.concept,
    fact.value AS value_reported,
    CASE WHEN fact.unit ~ '^[A-Z]{3}(/|$)' THEN left(fact.unit, 3) END AS currency_reported,
    fact.unit,
    fact.scope,
    nullif(fact.period_start, '-infinity') AS period_start,
    fact.period_end,
    fact.days_rounded,
    nullif(fact.period_type, '') AS period_type,
    fact.fiscal_year,
    fact.vintage,
    fact.revision,
    fragment.value_before(fact, edition) AS previous_value,
    fragment.restated_on(fact) AS restated_on,
    fact.decimals,
    fact.available_at,
    provenance.available_at_basis,
    nullif(fact.known_until, 'infinity') AS known_until,
    provenance.accepted_at,
    provenance.form,
    provenance.filing_id,
    CASE WHEN fact.is_own_period THEN 'own' ELSE 'comparative' END AS reported_as,
    fact.first_filing_held,
    provenance.document_ref || '#' || fact.concept AS source_ref,
    provenance.license_class,
    provenance.observed_at,
    provenance.extraction_confidence,
    provenance.method,
    fact.provenance_id::text AS provenance_id,
    fact.fact_id::text AS fact_id
FROM fact
CROSS JOIN provenance
CROSS JOIN edition;

-- fragment: ended_by(record, day)
-- The day on which the row stopped being the latest known, if that had happened by the day; null otherwise.
SELECT CASE WHEN record.known_until <= day THEN record.known_until END FROM record CROSS JOIN day;

-- fragment: run_under_way(name)
-- The run of a source that has not ended, or null. A source has one run at a time, so only its newest can be open.
SELECT
    (
        SELECT newest.run
        FROM (SELECT one.run FROM ops.run AS one WHERE one.source = name ORDER BY one.run DESC LIMIT 1) AS newest
        WHERE NOT EXISTS (SELECT FROM ops.run_end AS ended WHERE ended.run = newest.run)
    )
FROM name;
