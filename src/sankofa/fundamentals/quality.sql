-- How quality is counted by issuer. `touched` holds the keys of a chunk: tally_key, kind and name.

-- fragment: is_of_chunk(row)
-- The row is of an issuer of the chunk. As an array, its issuers are looked up by index in every plan.
SELECT row.service_id = any(array(SELECT touched.name FROM touched WHERE touched.kind = 'issuer'))
FROM row;

-- name: touched
-- Those who file, by every id that is or was theirs.
SELECT touched_id.service_id AS name
FROM build.touched_id
WHERE
    EXISTS (
        SELECT FROM serving.quality_key AS known
        WHERE
            known.tally_key = md5('issuer|' || touched_id.service_id)::uuid
            AND fragment.is_live(known)
    )
UNION
SELECT touched_id.survivor AS name
FROM build.touched_id
INNER JOIN ops.issued_id AS issued ON touched_id.service_id = issued.service_id
INNER JOIN ledger.filing AS filing ON issued.subject_id = filing.subject_id;

-- name: held
SELECT DISTINCT issued.resolves_to AS name
FROM serving.issued_id AS issued
WHERE fragment.in_edition(issued, %(edition)s);

-- name: count
-- What is counted of each key, as rows of `tally_part`, in edition %(edition)s, coming or published.
-- A vintage has a row for each span of days with labels of its own; the first of them has no first day.
INSERT INTO tally_part (tally_key, sku, country, newest_at, part, n)
WITH
-- What the facts of a filing in a document have in common; checked once for all of them.
cited AS MATERIALIZED (
    SELECT
        provenance.provenance_id,
        fragment.is_sourced(provenance) AS is_sourced,
        split_part(provenance.document_ref, ':', 1) AS source,
        split_part(provenance.document_ref, '@sha256:', 1) AS filing
    FROM (
        SELECT DISTINCT fact.provenance_id
        FROM serving.fundamentals_fact AS fact
        WHERE fragment.is_of_chunk(fact)
    ) AS one
    INNER JOIN serving.provenance AS provenance ON one.provenance_id = provenance.provenance_id
),

held AS (
    SELECT
        touched.tally_key,
        touched.name,
        fact.line_item,
        fact.period_end,
        fact.available_at,
        fact.vintage,
        fact.value,
        fact.fact_id,
        fact.unlabelled,
        cited.is_sourced,
        cited.source,
        cited.filing,
        concat_ws('|', fact.concept, fact.period_start, fact.period_end) AS location,
        fact.concept,
        fact.period_start,
        concat_ws('|', fact.scope, fact.value) AS scoped_value,
        fact.unit,
        fragment.is_standard(fact) AS is_standard,
        row_number() OVER in_order AS place,
        lag(fact.available_at) OVER in_order AS available_before,
        fact.value IS NOT NULL AND fact.withdrawn_at IS NULL AND lead(fact.vintage) OVER in_order IS NULL AS is_current
    FROM touched
    INNER JOIN serving.fundamentals_fact AS fact ON touched.name = fact.service_id
    LEFT JOIN cited ON fact.provenance_id = cited.provenance_id
    WHERE
        touched.kind = 'issuer' AND fragment.is_of_chunk(fact) AND fragment.in_edition(fact, %(edition)s)
        AND fact.labelled_until IS NULL -- each vintage once, under its last labels
    WINDOW in_order AS (
        PARTITION BY
            fact.service_id, fact.line_item, fact.period_end, fact.period_start, fact.unit, fact.scope
        ORDER BY fact.vintage, fact.available_at
    )
),

filed AS (
    SELECT
        touched.name,
        filing.source,
        filing.filing_number,
        filing.source || ':' || filing.filing_number AS filing,
        min(filing.available_at) AS available_at,
        array_agg(subject.identifier) AS identifiers
    FROM touched
    INNER JOIN serving.issued_id AS answering
        ON
            touched.name = answering.resolves_to AND fragment.in_edition(answering, %(edition)s)
    INNER JOIN ops.issued_id AS issued ON answering.service_id = issued.service_id
    INNER JOIN ledger.subject AS subject ON issued.subject_id = subject.subject_id
    INNER JOIN ledger.filing AS filing ON subject.subject_id = filing.subject_id
    WHERE touched.kind = 'issuer'
    GROUP BY touched.name, filing.source, filing.filing_number
),

checked AS (
    SELECT
        held.tally_key,
        held.name,
        held.line_item,
        held.is_standard,
        held.is_current,
        held.unlabelled,
        held.period_end,
        held.available_at,
        held.source,
        held.is_sourced,
        filed.available_at IS NULL OR held.available_at < filed.available_at AS is_early,
        held.vintage <> held.place OR held.available_at < held.available_before
        OR (held.vintage = 1 AND held.value IS NOT NULL AND held.fact_id IS DISTINCT FROM md5(concat_ws(
            '|', filed.source, filed.identifiers[1], filed.filing_number, held.location, held.unit, held.scoped_value
        ))::uuid AND NOT EXISTS ( -- only if the usual id, which is cheap to compute, does not fit
            SELECT FROM unnest(filed.identifiers) AS one (identifier)
            CROSS JOIN unnest(ARRAY[held.unit, replace(held.unit, '/shares', '')]) AS unit_option (unit)
            CROSS JOIN
                LATERAL (
                    SELECT
                        ops.rounded_start(held.period_start, held.period_end) AS period_start,
                        ops.rounded_end(held.period_end) AS period_end
                ) AS rounded
            CROSS JOIN
                unnest(ARRAY[held.location, concat_ws('|', held.concept, rounded.period_start, rounded.period_end)])
                    AS location_option (location)
            WHERE
                held.fact_id = md5(concat_ws(
                    '|', filed.source, one.identifier, filed.filing_number, location_option.location, unit_option.unit,
                    held.scoped_value
                ))::uuid
        )) AS is_misnumbered
    FROM held
    LEFT JOIN filed ON held.name = filed.name AND held.filing = filed.filing
),

-- On each day one year is the last one published, and a later one follows it. Only where a period ceased to be a full
-- year may there be none, or an older one.
years AS (
    SELECT
        year.tally_key,
        count(*) AS spans,
        count(*) FILTER (
            WHERE
            year.known_until > year.next_from
            OR (
                (year.known_until < coalesce(year.next_from, 'infinity') OR year.next_end < year.period_end)
                AND NOT EXISTS (
                    SELECT FROM serving.fundamentals_fact AS fact
                    WHERE
                        fact.service_id = year.service_id AND fragment.is_of_chunk(fact) AND fact.period_type = 'FY'
                        AND fact.labelled_until = year.known_until
                        AND fragment.in_edition(fact, %(edition)s)
                )
            )
        ) AS hiding
    FROM (
        SELECT
            last.*,
            lead(last.known_from) OVER in_order AS next_from,
            lead(last.period_end) OVER in_order AS next_end
        FROM (
            SELECT
                touched.tally_key, value.service_id, value.metric, value.period_end, value.known_from,
                value.last_until AS known_until
            FROM touched
            INNER JOIN serving.metric_value AS value ON touched.name = value.service_id
            WHERE
                touched.kind = 'issuer' AND fragment.is_of_chunk(value)
                AND fragment.in_edition(value, %(edition)s) AND fragment.was_last(value)
            UNION ALL
            SELECT
                touched.tally_key, missed.service_id, one.metric, missed.period_end, missed.known_from, missed.known_until
            FROM touched
            INNER JOIN serving.metric_absence AS missed ON touched.name = missed.service_id
            CROSS JOIN LATERAL unnest(missed.metrics) AS one (metric)
            WHERE
                touched.kind = 'issuer' AND fragment.is_of_chunk(missed) AND fragment.in_edition(missed, %(edition)s)
        ) AS last
        WINDOW in_order AS (
            PARTITION BY last.tally_key, last.metric ORDER BY last.known_from
        )
    ) AS year
    GROUP BY year.tally_key
),

counted AS (
    SELECT
        checked.tally_key,
        max(checked.name) AS name,
        max(checked.available_at) AS newest_at,
        count(*) AS rows,
        count(*) FILTER (WHERE checked.is_sourced IS NOT TRUE) AS unsourced,
        count(*) FILTER (WHERE checked.is_early) AS early,
        count(*) FILTER (WHERE checked.is_misnumbered) AS misnumbered,
        -- A period that ended after the filing was still to come, and does not count as the newest.
        to_char(
            max(checked.period_end) FILTER (
                WHERE checked.is_standard AND checked.is_current AND checked.period_end <= checked.available_at
            ), 'YYYY-MM'
        ) AS newest,
        100 * count(*) FILTER (WHERE checked.is_standard) / count(*) AS mapped
    FROM checked
    GROUP BY checked.tally_key
),

-- By what an issuer can be found: each kind of identifier once, also by the evidence for it.
joined AS (
    SELECT counted.tally_key, 'joined/' || known.id_type || suffix.evidence AS part
    FROM counted
    INNER JOIN serving.identifier AS known ON counted.name = known.service_id AND fragment.in_edition(known, %(edition)s)
    CROSS JOIN LATERAL unnest(ARRAY['', '.' || known.evidence]) AS suffix (evidence)
    WHERE known.id_type IN ('lei', 'ticker', 'isin') AND known.valid_to IS NULL
    UNION
    SELECT counted.tally_key, 'joined/' || attribute.part AS part
    FROM counted
    INNER JOIN serving.organisation AS home ON counted.name = home.service_id AND fragment.in_edition(home, %(edition)s)
    CROSS JOIN LATERAL (VALUES ('country', home.jurisdiction), ('industry', home.sic)) AS attribute (part, value)
    WHERE attribute.value IS NOT NULL
),

part AS (
    SELECT counted.tally_key, tally.part, tally.n
    FROM counted
    LEFT JOIN years ON counted.tally_key = years.tally_key
    CROSS JOIN
        LATERAL (
            VALUES
            ('keys', 1), ('rows', counted.rows), ('unsourced', counted.unsourced), ('early', counted.early),
            ('misnumbered', counted.misnumbered), ('spans', years.spans), ('hiding', years.hiding),
            ('newest/' || coalesce(counted.newest, ''), (counted.newest IS NOT NULL)::integer),
            ('mapped/' || counted.mapped, 1)
        ) AS tally (part, n)
    UNION ALL
    SELECT checked.tally_key, 'unlabelled/' || checked.unlabelled AS part, count(*) AS n
    FROM checked
    WHERE checked.unlabelled IS NOT NULL
    GROUP BY checked.tally_key, checked.unlabelled
    UNION ALL
    SELECT checked.tally_key, 'item/' || checked.line_item AS part, 1 AS n
    FROM checked
    WHERE checked.is_standard AND checked.is_current
    GROUP BY checked.tally_key, checked.line_item
    UNION ALL
    SELECT
        checked.tally_key,
        CASE WHEN checked.is_standard THEN 'standard/' ELSE 'other/' END || checked.source AS part,
        count(*) AS n
    FROM checked
    WHERE checked.source <> ''
    GROUP BY checked.tally_key, checked.is_standard, checked.source
    UNION ALL
    SELECT checked.tally_key, 'source/' || checked.source AS part, 1 AS n
    FROM checked
    WHERE checked.source <> ''
    GROUP BY checked.tally_key, checked.source
    UNION ALL
    SELECT joined.tally_key, joined.part, 1 AS n FROM joined
)

SELECT
    part.tally_key, %(sku)s::text AS sku, coalesce(left(home.jurisdiction, 2), '') AS country, counted.newest_at,
    part.part, part.n
FROM part
INNER JOIN counted ON part.tally_key = counted.tally_key
LEFT JOIN serving.organisation AS home
    ON
        counted.name = home.service_id AND fragment.in_edition(home, %(edition)s);

-- name: turns
-- Every edition that changed a row of a key and can be compared with the one before.
INSERT INTO turn (tally_key, kind, name, before, edition)
SELECT DISTINCT touched.tally_key, touched.kind, touched.name, follows.before, follows.edition
FROM touched
INNER JOIN serving.fundamentals_fact AS held ON touched.kind = 'issuer' AND touched.name = held.service_id
CROSS JOIN LATERAL unnest(ARRAY[held.published_in, held.superseded_in]) AS changed (edition)
INNER JOIN follows ON changed.edition = follows.edition;

-- name: compare
-- Keys as they stood before an edition and in it; see history.sql of quality.
CREATE TEMPORARY TABLE standing ON COMMIT DROP AS
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
            AND fragment.in_edition(answering, turn.edition)
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
)

-- A period may have several rows, one for each span of days with labels of its own. Spans that begin at the bound or
-- later may be new, and one that goes on at the bound may end at any later day.
SELECT
    compared.name,
    compared.edition,
    fragment.in_edition(fact, compared.before) AS was,
    fragment.in_edition(fact, compared.edition) AS is_now,
    FALSE AS may_be_new,
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
    AND (fact.labelled_from IS NULL OR fact.labelled_from < compared.bound);

-- name: sample
-- How many labels of a sample there are, and how many of them count in an edition.
SELECT
    count(*) FILTER (
        WHERE EXISTS (
            SELECT FROM ledger.subject AS subject
            INNER JOIN ops.issued_id AS issued ON subject.subject_id = issued.subject_id
            INNER JOIN serving.issued_id AS answering ON issued.service_id = answering.service_id
            INNER JOIN serving.fundamentals_fact AS fact ON answering.resolves_to = fact.service_id
            WHERE
                subject.identifier = label.label ->> 'identifier'
                AND fragment.in_edition(answering, %(edition)s)
                AND fragment.in_edition(fact, %(edition)s)
                AND fact.period_end = (label.label ->> 'period_end')::date
                AND fact.line_item = label.label ->> 'item'
                AND fact.unit = label.label ->> 'unit'
                AND fact.value = (label.label ->> 'value')::numeric
        )
    ) AS good,
    count(*) AS measured
FROM ops.quality_label AS label
WHERE label.sample_sha256 = %(sample)s AND label.sku = %(sku)s AND label.measure = 'extraction_accuracy';
