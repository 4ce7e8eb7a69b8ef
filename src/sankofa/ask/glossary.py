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
    "awards": "How many awards the figures rest on.",
    "buyer_concentration": (
        "Herfindahl index, 0 to 1, of the established buyers by number of processes; null if there are none."
    ),
    "category": "What is bought, as the portal itself calls it.",
    "category_share": "The category's processes divided by all processes of the country and month.",
    "concentration_by_count": (
        "Herfindahl index, 0 to 1, of the established suppliers by number of awards; null if there are none."
    ),
    "concentration_by_value": (
        "Herfindahl index, 0 to 1, of the established suppliers by value won; null if there are none."
    ),
    "count": "How many rows this answer holds.",
    "country": "ISO 3166-1 alpha-2 code of the country.",
    "country_iso2": "ISO 3166-1 alpha-2 code of the country; null where the value is of no single one.",
    "country_iso3": "ISO 3166-1 alpha-3 code of the country; null where there is none, or it is not known.",
    "currency": "ISO 4217 code of the amounts.",
    "currency_reported": "ISO 4217 code; null for a value that is not money.",
    "dataset": "The dataset that the fact is from: AF-FUND, AF-TENDER or AF-MACRO.",
    "datasets": "By dataset: the rows that this edition put and removed, counted by reason.",
    "date": "The day the value is for; of a month or a quarter, its last day.",
    "edition": "Number of an edition: one publish of everything, which never changes afterwards.",
    "entity_id": "The organisation's service id, or the country's alpha-3 code.",
    "entity_name": "The organisation's legal name or the country's name; null where no source names it.",
    "established_by": (
        "Kinds of evidence that it is an organisation: registry, lei, listing, filer, "
        "public_body, legal_form and others."
    ),
    "extraction_confidence": "How sure the extraction is, 0 to 1; null where no judgement was needed.",
    "fact_id": "Names this fact for ever; made from source, filing and location.",
    "fiscal_year": "The issuer's fiscal year that the period belongs to; null where it is not known.",
    "frequency": "How often the series has a value: quarterly, monthly or daily.",
    "id_type": "What kind of identifier it is.",
    "id_value": (
        "The identifier as its source writes it; a ticker as EXCHANGE:TICKER, the exchange as its MIC."
    ),
    "indicator": "The publisher's own code of the indicator.",
    "indicator_name": "The publisher's own name of the indicator; null where the document has none.",
    "issuer": "The registry or exchange that the identifier is unique in; null where it is unique worldwide.",
    "jurisdiction": "ISO 3166-1 alpha-2 or 3166-2 code of the law it is under; null where it is not known.",
    "legal_name": "The organisation's name as its source writes it; null where no source names it.",
    "lei": "Legal Entity Identifier (ISO 17442); null where it has none.",
    "license_class": "Licence under which the source's data is served.",
    "line_item": "The service's name for what was reported; one word for all filers.",
    "mark": "Random name of the edition; it tells two editions of one number apart after a restore.",
    "matched": "What the search found: identifier, name, words (all words of the text) or similar.",
    "measure": "What was measured: a line item, tender_value, award_value, a series key, an indicator code.",
    "median_days": "Days from the deadline of the tender to the award: the middle of all awards counted.",
    "median_value": "Value of the tender in the middle, or the mean of the two in the middle.",
    "method": "How the value came from the document.",
    "methodology_ref": "The method that the derived values were made by, with its version.",
    "momentum": (
        "The number of processes divided by the mean of the three months before, less 1; null unless "
        "all three are known."
    ),
    "month": "First day of the month.",
    "next_cursor": "Pass it back as `cursor` for the next page; null when no row follows.",
    "observed_at": "When the document was fetched, in UTC.",
    "p90_days": (
        "The fewest days, from deadline to award, that at least 90 percent of the awards did not exceed."
    ),
    "period_end": "Last day of the period, or the day of an instant.",
    "period_start": "First day of the period; null for an instant.",
    "period_type": "FY, H1, H2, Q1 to Q4 or 9M; null for a period of another length.",
    "provenance_id": "Names the document and the rules that the row rests on.",
    "published_at": "When the edition was published, in UTC.",
    "releases": "How many contracting processes were first put out to tender in the month.",
    "reported_as": "own: the filing's own period; comparative: shown beside it.",
    "rows_removed": "How many rows the takedown removed, over all editions.",
    "rule_version": "Version of the rules by which it was judged to be an organisation.",
    "scope": "Consolidation scope of the value.",
    "series": "Key of the series. `FX.<base>.<quote>` counts units of quote for 1 base; no rate is inverted.",
    "series_type": "Family of the series: fx, cpi or indicator.",
    "service_id": "Identifier that the service issued for the organisation.",
    "single_bidder": "How many of the awards had exactly one bidder.",
    "single_bidder_share": "The awards with exactly one bidder divided by all awards counted.",
    "source_ref": "The document, and the place in it, that the row rests on.",
    "status": "active, inactive or unknown, as the source states it.",
    "suppliers": "How many established organisations won.",
    "takedown": "Number of a takedown: the one way in which something published can go.",
    "takedowns": "What was taken down while this edition was current: that it happened, never what it was.",
    "taken_down_at": "When it was taken down, in UTC.",
    "tenders": "How many tenders the figures rest on.",
    "total_value": "Sum of the values counted, all in one currency.",
    "truncated": "Whether more rows matched than this answer holds.",
    "unit": (
        "What the value counts: an ISO 4217 code, shares, index, percent, pure, or a quotient of two; null "
        "where the source does not say."
    ),
    "valid_from": "First day the identifier holds; null where the source does not say.",
    "value": "The value as stated, an exact decimal.",
    "value_reported": "The value as reported, an exact decimal.",
    "vintage": "1 for the value as first filed or stated; one more each time that a later one changed it.",
    "year": "The calendar year that the value is for.",
    "_license": "Under what terms the data may be used.",
}
