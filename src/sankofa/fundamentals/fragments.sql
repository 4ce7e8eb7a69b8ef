-- Shared by the statements about filings: ids, the reference of the document and its address.

-- fragment: fact_id(filed)
-- A hash of source, filing, location and value, so that it never changes.
SELECT
    md5(concat_ws(
        '|', filed.source, filed.identifier, filed.filing_number, filed.concept,
        filed.reported_start, filed.reported_end, filed.reported_unit, filed.scope, filed.value
    ))::uuid
FROM filed;

-- fragment: address(filed)
-- The page of a filing at its publisher, where the rule for it is known: EDGAR of the SEC.
SELECT
    CASE
        WHEN starts_with(filed.source, 'sec-') AND filed.identifier ~ '^cik:[0-9]{10}$' AND filed.filing_number ~ '^[0-9-]{20}$'
            THEN
                'https://www.sec.gov/Archives/edgar/data/' || ltrim(substr(filed.identifier, 5), '0') || '/'
                || replace(filed.filing_number, '-', '') || '/' || filed.filing_number || '-index.htm'
    END
FROM filed;

-- fragment: provenance_id(filed)
-- A hash of all fields of the provenance, so that an existing row with this id is the same.
SELECT
    md5(concat_ws(
        '|', filed.source, filed.filing_number, filed.sha256, filed.available_at_basis, coalesce(filed.form, ''),
        filed.accepted_at AT TIME ZONE 'UTC'
    ))::uuid
FROM filed;

-- fragment: document_ref(filed)
SELECT filed.source || ':' || filed.filing_number || '@sha256:' || encode(filed.sha256, 'hex') FROM filed;

-- fragment: method(filed)
-- Accounts of the CVM's charts are read from tables; all other taxonomies are of XBRL.
SELECT CASE WHEN starts_with(filed.identifier, 'cvm:') THEN 'table' ELSE 'xbrl' END FROM filed;
