"""What the fields of rows and envelopes mean: one word, one meaning, on every endpoint and surface."""

from __future__ import annotations

FIELDS = {
    "as_of": "The date whose knowledge the answer holds; null where none applies.",
    "available_at": (
        "The day the value became public: the later of the source's local day and the UTC day; null where "
        "nothing evidences it."
    ),
    "available_at_basis": (
        "What `available_at` rests on. filing: stamped by regulator or portal; publisher: the "
        "publisher's own release date; first_seen: when we fetched it."
    ),
    "country": "ISO 3166-1 alpha-2 code of the issuer's jurisdiction; null where it is not known.",
    "count": "How many rows this answer holds.",
    "country_iso2": "ISO 3166-1 alpha-2 code of the country; null where the value is of no single one.",
    "country_iso3": "ISO 3166-1 alpha-3 code of the country; null where there is none, or it is not known.",
    "coverage": (
        "How many there are, by ISO 3166-1 alpha-2 code: issuers of metrics, line items and exchanges, "
        "series of indicators, documents of sources. `none`: of no one country, or of one not known."
    ),
    "currency_reported": "ISO 4217 code; null for a value that is not money.",
    "dataset": "The dataset that the fact is from: AF-FUND, AF-TENDER or AF-MACRO.",
    "datasets": "By dataset: the rows that this edition put and removed, counted by reason.",
    "date": "The day the value is for; of a month or a quarter, its last day.",
    "definition": "What it is, in a sentence; null where its publisher gives none.",
    "edition": "Number of an edition: one publish of everything, which never changes afterwards.",
    "entity_id": "The organisation's service id, or the country's alpha-3 code.",
    "entity_name": "The organisation's legal name or the country's name; null where no source names it.",
    "established_by": (
        "Kinds of evidence that it is an organisation: registry, lei, listing, filer, "
        "public_body, legal_form and others."
    ),
    "exact_from": "First day on which all that the value rests on was known as it stands in this edition.",
    "extraction_confidence": "How sure the extraction is, 0 to 1; null where no judgement was needed.",
    "fact_id": "Names this fact for ever; made from source, filing and location.",
    "first_date": "The first day or period end that there is; null where there is none.",
    "fiscal_year": "The issuer's fiscal year that the period belongs to; null where it is not known.",
    "formula": "How it is computed; null for what is reported.",
    "frequency": "How often the series has a value: quarterly, monthly or daily.",
    "id_type": "What kind of identifier it is.",
    "id_value": (
        "The identifier as its source writes it; a ticker as EXCHANGE:TICKER, the exchange as its MIC."
    ),
    "indicator": "The publisher's own code of the indicator.",
    "indicator_name": "The publisher's own name of the indicator; null where the document has none.",
    "inputs": "Ids of the facts that the value is computed from, in the order of the formula.",
    "issuer": "The registry or exchange that the identifier is unique in; null where it is unique worldwide.",
    "jurisdiction": "ISO 3166-1 alpha-2 or 3166-2 code of the law it is under; null where it is not known.",
    "key": "What to ask for.",
    "last_date": "The last day or period end that there is; null where there is none.",
    "legal_name": "The organisation's name as its source writes it; null where no source names it.",
    "lei": "Legal Entity Identifier (ISO 17442); null where it has none.",
    "license_class": "Licence under which the source's data is served.",
    "line_item": "The service's name for what was reported; one word for all filers.",
    "mark": "Random name of the edition; it tells two editions of one number apart after a restore.",
    "matched": "What the search found: identifier, name, words (all words of the text) or similar.",
    "measure": "What was measured: a line item, tender_value, award_value, a series key, an indicator code.",
    "method": "How the value came from the document.",
    "methodology_ref": "The methodology and the formula that the value was made by.",
    "metric": "Slug of a metric; /v1/catalog/metrics lists them.",
    "next_cursor": "Pass it back as `cursor` for the next page; null when no row follows.",
    "observed_at": "When the document was fetched, in UTC.",
    "period_end": "Last day of the period, or the day of an instant.",
    "period_start": "First day of the period; null for an instant.",
    "period_type": "FY, H1, H2, Q1 to Q4 or 9M; null for a period of another length.",
    "provenance_id": "Names the document and the rules that the row rests on.",
    "published_at": (
        "Of an edition: when it was published, in UTC. Of a metric: the first day on which the year was "
        "published for it."
    ),
    "rank": "Place among all issuers that match, counted from 1 and on over pages.",
    "reported_as": "own: the filing's own period; comparative: shown beside it.",
    "rows_removed": "How many rows the takedown removed, over all editions.",
    "rule_version": "Version of the rules by which it was judged to be an organisation.",
    "scope": "Consolidation scope of the value.",
    "series": "Key of the series. `FX.<base>.<quote>` counts units of quote for 1 base; no rate is inverted.",
    "series_type": "Family of the series: fx, cpi or indicator.",
    "service_id": "Identifier that the service issued for the organisation.",
    "source_ref": "The document, and the place in it, that the row rests on.",
    "status": "active, inactive or unknown, as the source states it.",
    "takedown": "Number of a takedown: the one way in which something published can go.",
    "takedowns": "What was taken down while this edition was current: that it happened, never what it was.",
    "taken_down_at": "When it was taken down, in UTC.",
    "truncated": "Whether more rows matched than this answer holds.",
    "unit": (
        "What the value counts: an ISO 4217 code, shares, index, percent, pure, or a quotient of two; null "
        "where the source does not say."
    ),
    "valid_from": "First day the identifier holds; null where the source does not say.",
    "value": "The value as stated, an exact decimal; of a metric, computed exactly and rounded once.",
    "value_reported": "The value as reported, an exact decimal.",
    "vintage": "1 for the value as first filed or stated; one more each time that a later one changed it.",
    "year": "The calendar year that the value is for.",
    "_license": "Under what terms the data may be used.",
}
