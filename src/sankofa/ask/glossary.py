"""What the fields of rows and envelopes mean: one word, one meaning, on every endpoint and surface."""

from __future__ import annotations

FIELDS = {
    "as_of": "The date whose knowledge the answer holds; null where none applies.",
    "available_at": "The day the value became public: the later of the source's local day and the UTC day.",
    "available_at_basis": (
        "What `available_at` rests on. filing: stamped by regulator or portal; publisher: the "
        "publisher's own release date; first_seen: when we fetched it."
    ),
    "count": "How many rows this answer holds.",
    "currency_reported": "ISO 4217 code; null for a value that is not money.",
    "datasets": "By dataset: the rows that this edition put and removed, counted by reason.",
    "edition": "Number of an edition: one publish of everything, which never changes afterwards.",
    "established_by": (
        "Kinds of evidence that it is an organisation: registry, lei, listing, filer, "
        "public_body, legal_form and others."
    ),
    "extraction_confidence": "How sure the extraction is, 0 to 1; null where no judgement was needed.",
    "fact_id": "Names this fact for ever; made from source, filing and location.",
    "fiscal_year": "The issuer's fiscal year that the period belongs to; null where it is not known.",
    "id_type": "What kind of identifier it is.",
    "id_value": (
        "The identifier as its source writes it; a ticker as EXCHANGE:TICKER, the exchange as its MIC."
    ),
    "issuer": "The registry or exchange that the identifier is unique in; null where it is unique worldwide.",
    "jurisdiction": "ISO 3166-1 alpha-2 or 3166-2 code of the law it is under; null where it is not known.",
    "legal_name": "The organisation's name as its source writes it; null where no source names it.",
    "lei": "Legal Entity Identifier (ISO 17442); null where it has none.",
    "license_class": "Licence under which the source's data is served.",
    "line_item": "The service's name for what was reported; one word for all filers.",
    "mark": "Random name of the edition; it tells two editions of one number apart after a restore.",
    "matched": "What the search found: identifier, name, words (all words of the text) or similar.",
    "method": "How the value came from the document.",
    "next_cursor": "Pass it back as `cursor` for the next page; null when no row follows.",
    "observed_at": "When the document was fetched, in UTC.",
    "period_end": "Last day of the period, or the day of an instant.",
    "period_start": "First day of the period; null for an instant.",
    "period_type": "FY, H1, H2, Q1 to Q4 or 9M; null for a period of another length.",
    "provenance_id": "Names the document and the rules that the row rests on.",
    "published_at": "When the edition was published, in UTC.",
    "reported_as": "own: the filing's own period; comparative: shown beside it.",
    "rows_removed": "How many rows the takedown removed, over all editions.",
    "rule_version": "Version of the rules by which it was judged to be an organisation.",
    "scope": "Consolidation scope of the value.",
    "service_id": "Identifier that the service issued for the organisation.",
    "source_ref": "The document, and the place in it, that the row rests on.",
    "status": "active, inactive or unknown, as the source states it.",
    "takedown": "Number of a takedown: the one way in which something published can go.",
    "takedowns": "What was taken down while this edition was current: that it happened, never what it was.",
    "taken_down_at": "When it was taken down, in UTC.",
    "truncated": "Whether more rows matched than this answer holds.",
    "unit": "What the value counts: an ISO 4217 code, shares, pure, or a quotient of two.",
    "valid_from": "First day the identifier holds; null where the source does not say.",
    "value_reported": "The value as reported, an exact decimal.",
    "vintage": "1 for the value as first filed; one more each time a later filing changed it.",
    "_license": "Under what terms the data may be used.",
}
