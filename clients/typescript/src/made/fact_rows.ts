// The rows of all other endpoints. Made by `generate.py` from the OpenAPI page: do not edit.

import type { Decimal } from "../exact.ts";

/** One reported value as served: a vintage of a line item for one period. */
export interface FundamentalsFact {
  /** Identifier that the service issued for the organisation. */ readonly service_id: string;
  /** The service's name for what was reported; its concept where the service has none. */ readonly line_item: string;
  /** What the source itself calls it: taxonomy and tag. */ readonly concept: string;
  /** The value as reported, an exact decimal. */ readonly value_reported: Decimal;
  /** ISO 4217 code; null for a value that is not money. */ readonly currency_reported: string | null;
  /** What the value counts: an ISO 4217 code, shares, index, percent, pure, or a quotient of two; null where the source does not say. */ readonly unit: string;
  /** Consolidation scope of the value. */ readonly scope: string;
  /** First day of the period; null for an instant. */ readonly period_start: string | null;
  /** Last day of the period, or the day of an instant. */ readonly period_end: string;
  /** Which days the source rounds to ends of months: `start` or `all`; null where none. */ readonly days_rounded: string | null;
  /** FY, H1, H2, Q1 to Q4, 9M or TTM, as known on the day asked for; null where it has none. */ readonly period_type: string | null;
  /** The issuer's fiscal year that the period belongs to; null where it is not known. */ readonly fiscal_year: number | null;
  /** 1 for the value as first filed or stated; one more each time that a later one changed it. */ readonly vintage: number;
  /** What kind of change from the vintage before it is; null for vintage 1. */ readonly revision: string | null;
  /** The latest value known on the day before `restated_on`; null if there was none. */ readonly previous_value: Decimal | null;
  /** The day on which this vintage replaced an earlier one; null for a first report. */ readonly restated_on: string | null;
  /** Precision that the filing states: -3 is to the thousand; null where it states none. */ readonly decimals: number | null;
  /** The day the value became public: the later of the source's local day and the UTC day; null where nothing evidences it. */ readonly available_at: string;
  /** What `available_at` rests on. filing: stamped by regulator or portal; publisher: the publisher's own release date; first_seen: when we fetched it. */ readonly available_at_basis: string;
  /** First day on which it was no longer the latest known, because it was withdrawn or replaced; null if neither was known by the day of the answer. In changes, a later vintage of AF-FUND does not set it. */ readonly known_until: string | null;
  /** When the regulator accepted the filing, in UTC; null where the source does not say. */ readonly accepted_at: string | null;
  /** Form type of the filing, such as 10-K or 20-F; null where the source has none. */ readonly form: string | null;
  /** The regulator's number of the filing, or the repository's. */ readonly filing_id: string | null;
  /** own: the filing's own period; comparative: shown beside it. */ readonly reported_as: string;
  /** Whether vintage 1 is from the filing whose own period it is. */ readonly first_filing_held: boolean | null;
  /** The document, and the place in it, that the row rests on. */ readonly source_ref: string;
  /** Licence under which the source's data is served. */ readonly license_class: string;
  /** When the document was fetched, in UTC. */ readonly observed_at: string;
  /** How sure the extraction is, 0 to 1; null where no judgement was needed. */ readonly extraction_confidence: Decimal | null;
  /** How the value came from the document. */ readonly method: string;
  /** Names the document and the rules that the row rests on. */ readonly provenance_id: string;
  /** Names this fact for ever; made from source, filing and location. */ readonly fact_id: string;
}

/** A name that an organisation no longer has, and the days on which it was the last one known. */
export interface FormerName {
  /** The name as its source writes it. */ readonly name: string;
  /** The first day of a dated record with the name; null where nothing dates it. */ readonly since: string | null;
  /** The day from which another name, or none, is known. */ readonly until: string;
  /** The document, and the place in it, that the row rests on. */ readonly source_ref: string;
}

/** What an organisation does, by a classification, and the days on which that was the last one known. */
export interface Industry {
  /** The classification: SIC, the Standard Industrial Classification. */ readonly scheme: string;
  /** Code of the industry in the scheme. */ readonly code: string;
  /** The first day on which it was known. */ readonly since: string;
  /** The day from which another one, or none, is known; null while it is the last one. */ readonly until: string | null;
}

/** One organisation, and by what evidence it is known to be one. */
export interface Organisation {
  /** Identifier that the service issued for the organisation. */ readonly service_id: string;
  /** The organisation's name as its source writes it, with `as_of` the one known on that day; null where no name was known by then. */ readonly legal_name: string | null;
  /** The day from which a dated record states the name that is shown; null for a name that nothing dates. */ readonly name_as_of: string | null;
  /** Names that it had before, the newest first. */ readonly former_names: readonly FormerName[];
  /** What it does, by classification, the newest first; empty where no source says it. */ readonly industries: readonly Industry[];
  /** ISO 3166-1 alpha-2 or 3166-2 code of the law it is under; null where it is not known. */ readonly jurisdiction: string | null;
  /** Legal Entity Identifier (ISO 17442); null where it has none. */ readonly lei: string | null;
  /** retired if the register has ended the LEI by the edition's day; null without an LEI. */ readonly lei_status: string | null;
  /** active, inactive or unknown, as the source states it. */ readonly status: string;
  /** Kinds of evidence that it is an organisation: registry, lei, listing, filer, public_body, legal_form and others. */ readonly established_by: readonly string[];
  /** Version of the rules by which it was judged to be an organisation. */ readonly rule_version: string;
  /** The document, and the place in it, that the row rests on. */ readonly source_ref: string;
  /** Licence under which the source's data is served. */ readonly license_class: string;
  /** When the document was fetched, in UTC. */ readonly observed_at: string;
  /** Names the document and the rules that the row rests on. */ readonly provenance_id: string;
}

/** An organisation that a search found, and what about it matched; its place is kept beside the fields. */
export interface NamedOrganisation {
  /** Identifier that the service issued for the organisation. */ readonly service_id: string;
  /** The organisation's name as its source writes it, with `as_of` the one known on that day; null where no name was known by then. */ readonly legal_name: string | null;
  /** ISO 3166-1 alpha-2 or 3166-2 code of the law it is under; null where it is not known. */ readonly jurisdiction: string | null;
  /** The LEI that it had on the day; null without one. */ readonly lei: string | null;
  /** issuer: it had filed accounts by the day; other: it had not. */ readonly kind: string;
  /** What the search found: identifier, name, words (each word of the text is one of the name) or similar; former_identifier and former_name no longer held on the day. */ readonly matched: string;
  /** The name or identifier that matched, as its source writes it; a ticker as EXCHANGE:TICKER. */ readonly matched_text: string;
  /** First day of what matched: of a name by a dated record, of an identifier as its source says; null if unknown. */ readonly since: string | null;
  /** First day on which what matched no longer held; null while it held on the day. */ readonly until: string | null;
  /** Where the name or identifier that matched is stated. */ readonly source_ref: string;
  /** Licence under which the source's data is served. */ readonly license_class: string;
  /** When the document was fetched, in UTC. */ readonly observed_at: string;
  /** Names the document and the rules that the row rests on. */ readonly provenance_id: string;
}

/** An organisation that had filed accounts by a day, as it was known then. */
export interface Issuer {
  /** Identifier that the service issued for the organisation. */ readonly service_id: string;
  /** The organisation's name as its source writes it, with `as_of` the one known on that day; null where no name was known by then. */ readonly legal_name: string | null;
  /** The day from which a dated record states the name that is shown; null for a name that nothing dates. */ readonly name_as_of: string | null;
  /** ISO 3166-1 alpha-2 code of the jurisdiction known on the day; null where none was. */ readonly country: string | null;
  /** The industry known on the day: a code of the Standard Industrial Classification (SIC); null if none. */ readonly industry: string | null;
  /** Tickers that held on the day, as EXCHANGE:TICKER, in order. */ readonly tickers: readonly string[];
  /** Tickers that no longer held on the day, as EXCHANGE:TICKER, in order. */ readonly former_tickers: readonly string[];
  /** The day on which the first filing that is held became available. */ readonly first_filed: string;
  /** The day on which the newest filing known by the day became available. */ readonly last_filed: string;
  /** How many filings with a value were available by the day. */ readonly filings: number;
  /** The document of the first filing. */ readonly source_ref: string;
  /** Licence under which the source's data is served. */ readonly license_class: string;
  /** When the document was fetched, in UTC. */ readonly observed_at: string;
  /** Names the document and the rules that the row rests on. */ readonly provenance_id: string;
}

/** One identifier of an organisation that holds today. */
export interface HeldIdentifier {
  /** Identifier that the service issued for the organisation. */ readonly service_id: string;
  /** What kind of identifier it is. */ readonly id_type: string;
  /** The identifier as its source writes it; a ticker as EXCHANGE:TICKER, the exchange as its MIC. */ readonly id_value: string;
  /** The registry or exchange that the identifier is unique in; null where it is unique worldwide. */ readonly issuer: string | null;
  /** `register` if a register, a regulator or the list of an exchange states the identifier; `third_party` if only somebody else does: it joins nobody by itself, and may be wrong. */ readonly evidence: string;
  /** The day the value became public: the later of the source's local day and the UTC day; null where nothing evidences it. */ readonly available_at: string;
  /** First day the identifier holds; null where the source does not say. */ readonly valid_from: string | null;
  /** The document, and the place in it, that the row rests on. */ readonly source_ref: string;
  /** Licence under which the source's data is served. */ readonly license_class: string;
  /** When the document was fetched, in UTC. */ readonly observed_at: string;
  /** Names the document and the rules that the row rests on. */ readonly provenance_id: string;
}

/** An organisation that an outside identifier belongs to. */
export interface IdentifiedOrganisation {
  /** Identifier that the service issued for the organisation. */ readonly service_id: string;
  /** The organisation's name as its source writes it, with `as_of` the one known on that day; null where no name was known by then. */ readonly legal_name: string | null;
  /** What kind of identifier it is. */ readonly id_type: string;
  /** The identifier as its source writes it; a ticker as EXCHANGE:TICKER, the exchange as its MIC. */ readonly id_value: string;
  /** The registry or exchange that the identifier is unique in; null where it is unique worldwide. */ readonly issuer: string | null;
  /** `register` if a register, a regulator or the list of an exchange states the identifier; `third_party` if only somebody else does: it joins nobody by itself, and may be wrong. */ readonly evidence: string;
  /** The day the value became public: the later of the source's local day and the UTC day; null where nothing evidences it. */ readonly available_at: string;
  /** The document, and the place in it, that the row rests on. */ readonly source_ref: string;
  /** Licence under which the source's data is served. */ readonly license_class: string;
  /** When the document was fetched, in UTC. */ readonly observed_at: string;
  /** Names the document and the rules that the row rests on. */ readonly provenance_id: string;
}

/** An organisation in one role, in the releases of one country. */
export interface PlayedPart {
  /** Identifier that the service issued for the organisation. */ readonly service_id: string;
  /** The organisation's name as its source writes it, with `as_of` the one known on that day; null where no name was known by then. */ readonly name: string | null;
  /** Role in the releases, as OCDS names it. */ readonly role: string;
  /** Country of the publishing portal, ISO 3166-1 alpha-2. */ readonly country: string;
  /** Day of the first release that shows it, in UTC. */ readonly first_release: string;
  /** Day of the newest release that shows it, in UTC. */ readonly last_release: string;
  /** How many releases. */ readonly releases: number;
  /** Kinds of evidence that it is an organisation: registry, lei, listing, filer, public_body, legal_form and others. */ readonly established_by: readonly string[];
  /** Version of the rules by which it was judged to be an organisation. */ readonly rule_version: string;
  /** The document, and the place in it, that the row rests on. */ readonly source_ref: string;
  /** Licence under which the source's data is served. */ readonly license_class: string;
  /** When the document was fetched, in UTC. */ readonly observed_at: string;
  /** Names the document and the rules that the row rests on. */ readonly provenance_id: string;
}

/** One year of an indicator, as its publisher states it in the newest document. */
export interface AnnualValue {
  /** ISO 3166-1 alpha-2 code of the country; null where the value is of no single one. */ readonly country_iso2: string | null;
  /** ISO 3166-1 alpha-3 code of the country; null where there is none, or it is not known. */ readonly country_iso3: string | null;
  /** The publisher's code of an aggregate of countries, such as SSF or WLD; null where the value is of a country, or of neither. */ readonly aggregate: string | null;
  /** The publisher's own code of the indicator. */ readonly indicator: string;
  /** The publisher's own name of the indicator; null where the document has none. */ readonly indicator_name: string | null;
  /** The calendar year that the value is for. */ readonly year: number;
  /** The value as stated, an exact decimal; of a metric, computed exactly and rounded once. */ readonly value: Decimal;
  /** What the value counts: an ISO 4217 code, shares, index, percent, pure, or a quotient of two; null where the source does not say. */ readonly unit: string | null;
  /** The day the value became public: the later of the source's local day and the UTC day; null where nothing evidences it. */ readonly available_at: string | null;
  /** What `available_at` rests on. filing: stamped by regulator or portal; publisher: the publisher's own release date; first_seen: when we fetched it. */ readonly available_at_basis: string | null;
  /** The document, and the place in it, that the row rests on. */ readonly source_ref: string;
  /** Licence under which the source's data is served. */ readonly license_class: string;
  /** When the document was fetched, in UTC. */ readonly observed_at: string;
  /** Names the document and the rules that the row rests on. */ readonly provenance_id: string;
  /** Names this fact for ever; made from source, filing and location. */ readonly fact_id: string;
}

/** One observation of a series: a vintage that was known. */
export interface SeriesValue {
  /** Key of the series. `FX.<base>.<quote>` counts units of quote for 1 base; no rate is inverted. */ readonly series: string;
  /** Family of the series: fx, cpi or indicator. */ readonly series_type: string;
  /** How often the series has a value: quarterly, monthly or daily. */ readonly frequency: string;
  /** ISO 3166-1 alpha-2 code of the country; null where the value is of no single one. */ readonly country_iso2: string | null;
  /** ISO 3166-1 alpha-3 code of the country; null where there is none, or it is not known. */ readonly country_iso3: string | null;
  /** The publisher's code of an aggregate of countries, such as SSF or WLD; null where the value is of a country, or of neither. */ readonly aggregate: string | null;
  /** The day the value is for; of a month or a quarter, its last day. */ readonly date: string;
  /** The value as stated, an exact decimal; of a metric, computed exactly and rounded once. */ readonly value: Decimal;
  /** What the value counts: an ISO 4217 code, shares, index, percent, pure, or a quotient of two; null where the source does not say. */ readonly unit: string | null;
  /** 1 for the value as first filed or stated; one more each time that a later one changed it. */ readonly vintage: number;
  /** The day the value became public: the later of the source's local day and the UTC day; null where nothing evidences it. */ readonly available_at: string;
  /** What `available_at` rests on. filing: stamped by regulator or portal; publisher: the publisher's own release date; first_seen: when we fetched it. */ readonly available_at_basis: string;
  /** First day on which it was no longer the latest known, because it was withdrawn or replaced; null if neither was known by the day of the answer. In changes, a later vintage of AF-FUND does not set it. */ readonly known_until: string | null;
  /** The document, and the place in it, that the row rests on. */ readonly source_ref: string;
  /** Licence under which the source's data is served. */ readonly license_class: string;
  /** When the document was fetched, in UTC. */ readonly observed_at: string;
  /** Names the document and the rules that the row rests on. */ readonly provenance_id: string;
  /** Names this fact for ever; made from source, filing and location. */ readonly fact_id: string;
}

/** One value of one organisation or country, in its latest vintage. */
export interface SharedFact {
  /** Names this fact for ever; made from source, filing and location. */ readonly fact_id: string;
  /** The organisation's service id, or the country's alpha-3 code. */ readonly entity_id: string;
  /** The organisation's legal name as known on the day that the answer is for, or the country's name; null where no name was known by then. */ readonly entity_name: string | null;
  /** The day from which a dated record states the name that is shown; null for a name that nothing dates. */ readonly name_as_of: string | null;
  /** ISO 3166-1 alpha-3 code of the country; null where there is none, or it is not known. */ readonly country_iso3: string | null;
  /** The dataset that the fact is from: AF-FUND, AF-TENDER or AF-MACRO. */ readonly dataset: string;
  /** What was measured: a line item, tender_value, award_value, a series key, an indicator code. */ readonly measure: string;
  /** The value as stated, an exact decimal; of a metric, computed exactly and rounded once. */ readonly value: Decimal;
  /** What the value counts: an ISO 4217 code, shares, index, percent, pure, or a quotient of two; null where the source does not say. */ readonly unit: string | null;
  /** Last day of the period, or the day of an instant. */ readonly period_end: string;
  /** FY, H1, H2, Q1 to Q4, 9M or TTM, as known on the day asked for; null where it has none. */ readonly period_type: string | null;
  /** The day the value became public: the later of the source's local day and the UTC day; null where nothing evidences it. */ readonly available_at: string | null;
  /** What `available_at` rests on. filing: stamped by regulator or portal; publisher: the publisher's own release date; first_seen: when we fetched it. */ readonly available_at_basis: string | null;
  /** 1 for the value as first filed or stated; one more each time that a later one changed it. */ readonly vintage: number;
  /** Names the document and the rules that the row rests on. */ readonly provenance_id: string;
  /** The document, and the place in it, that the row rests on. */ readonly source_ref: string;
  /** Licence under which the source's data is served. */ readonly license_class: string;
  /** How sure the extraction is, 0 to 1; null where no judgement was needed. */ readonly extraction_confidence: Decimal | null;
  /** When the document was fetched, in UTC. */ readonly observed_at: string;
  /** How the value came from the document. */ readonly method: string;
  /** Of an award: whether several suppliers won it together; each then has a row with the whole value. Null of all else. */ readonly joint: boolean | null;
}

/** One reported value of an issuer, with name and country as known on the day. */
export interface PanelFact {
  /** Identifier that the service issued for the organisation. */ readonly service_id: string;
  /** The service's name for what was reported; its concept where the service has none. */ readonly line_item: string;
  /** What the source itself calls it: taxonomy and tag. */ readonly concept: string;
  /** The value as reported, an exact decimal. */ readonly value_reported: Decimal;
  /** ISO 4217 code; null for a value that is not money. */ readonly currency_reported: string | null;
  /** What the value counts: an ISO 4217 code, shares, index, percent, pure, or a quotient of two; null where the source does not say. */ readonly unit: string;
  /** Consolidation scope of the value. */ readonly scope: string;
  /** First day of the period; null for an instant. */ readonly period_start: string | null;
  /** Last day of the period, or the day of an instant. */ readonly period_end: string;
  /** Which days the source rounds to ends of months: `start` or `all`; null where none. */ readonly days_rounded: string | null;
  /** FY, H1, H2, Q1 to Q4, 9M or TTM, as known on the day asked for; null where it has none. */ readonly period_type: string | null;
  /** The issuer's fiscal year that the period belongs to; null where it is not known. */ readonly fiscal_year: number | null;
  /** 1 for the value as first filed or stated; one more each time that a later one changed it. */ readonly vintage: number;
  /** What kind of change from the vintage before it is; null for vintage 1. */ readonly revision: string | null;
  /** The latest value known on the day before `restated_on`; null if there was none. */ readonly previous_value: Decimal | null;
  /** The day on which this vintage replaced an earlier one; null for a first report. */ readonly restated_on: string | null;
  /** Precision that the filing states: -3 is to the thousand; null where it states none. */ readonly decimals: number | null;
  /** The day the value became public: the later of the source's local day and the UTC day; null where nothing evidences it. */ readonly available_at: string;
  /** What `available_at` rests on. filing: stamped by regulator or portal; publisher: the publisher's own release date; first_seen: when we fetched it. */ readonly available_at_basis: string;
  /** First day on which it was no longer the latest known, because it was withdrawn or replaced; null if neither was known by the day of the answer. In changes, a later vintage of AF-FUND does not set it. */ readonly known_until: string | null;
  /** When the regulator accepted the filing, in UTC; null where the source does not say. */ readonly accepted_at: string | null;
  /** Form type of the filing, such as 10-K or 20-F; null where the source has none. */ readonly form: string | null;
  /** The regulator's number of the filing, or the repository's. */ readonly filing_id: string | null;
  /** own: the filing's own period; comparative: shown beside it. */ readonly reported_as: string;
  /** Whether vintage 1 is from the filing whose own period it is. */ readonly first_filing_held: boolean | null;
  /** The document, and the place in it, that the row rests on. */ readonly source_ref: string;
  /** Licence under which the source's data is served. */ readonly license_class: string;
  /** When the document was fetched, in UTC. */ readonly observed_at: string;
  /** How sure the extraction is, 0 to 1; null where no judgement was needed. */ readonly extraction_confidence: Decimal | null;
  /** How the value came from the document. */ readonly method: string;
  /** Names the document and the rules that the row rests on. */ readonly provenance_id: string;
  /** Names this fact for ever; made from source, filing and location. */ readonly fact_id: string;
  /** The organisation's name as its source writes it, with `as_of` the one known on that day; null where no name was known by then. */ readonly legal_name: string | null;
  /** The day from which a dated record states the name that is shown; null for a name that nothing dates. */ readonly name_as_of: string | null;
  /** ISO 3166-1 alpha-2 code of the jurisdiction known on the day that the answer is for; null where none was. */ readonly country: string | null;
}

/** One filing of one issuer. */
export interface Filing {
  /** Identifier that the service issued for the organisation. */ readonly service_id: string;
  /** The organisation's name as its source writes it, with `as_of` the one known on that day; null where no name was known by then. */ readonly legal_name: string | null;
  /** The day from which a dated record states the name that is shown; null for a name that nothing dates. */ readonly name_as_of: string | null;
  /** ISO 3166-1 alpha-2 code of the jurisdiction known on the day of the filing; null where none was. */ readonly country: string | null;
  /** The regulator's number of the filing, or the repository's. */ readonly filing_id: string;
  /** Form type of the filing, such as 10-K or 20-F; null where the source has none. */ readonly form: string | null;
  /** When the regulator accepted the filing, in UTC; null where the source does not say. */ readonly accepted_at: string | null;
  /** The day the value became public: the later of the source's local day and the UTC day; null where nothing evidences it. */ readonly available_at: string;
  /** What `available_at` rests on. filing: stamped by regulator or portal; publisher: the publisher's own release date; first_seen: when we fetched it. */ readonly available_at_basis: string;
  /** How many values the filing states. */ readonly facts: number;
  /** How many values known before the filing changed; one that only rounds changes none. */ readonly changed_values: number;
  /** The page of the filing at its publisher; null where none is known. */ readonly source_url: string | null;
  /** The document, and the place in it, that the row rests on. */ readonly source_ref: string;
  /** Licence under which the source's data is served. */ readonly license_class: string;
  /** When the document was fetched, in UTC. */ readonly observed_at: string;
  /** Names the document and the rules that the row rests on. */ readonly provenance_id: string;
}

/** A vintage of the value that a fact is of. */
export interface FactVersion {
  /** Identifier that the service issued for the organisation. */ readonly service_id: string;
  /** The service's name for what was reported; its concept where the service has none. */ readonly line_item: string;
  /** What the source itself calls it: taxonomy and tag. */ readonly concept: string;
  /** The value as reported, an exact decimal. */ readonly value_reported: Decimal;
  /** ISO 4217 code; null for a value that is not money. */ readonly currency_reported: string | null;
  /** What the value counts: an ISO 4217 code, shares, index, percent, pure, or a quotient of two; null where the source does not say. */ readonly unit: string;
  /** Consolidation scope of the value. */ readonly scope: string;
  /** First day of the period; null for an instant. */ readonly period_start: string | null;
  /** Last day of the period, or the day of an instant. */ readonly period_end: string;
  /** Which days the source rounds to ends of months: `start` or `all`; null where none. */ readonly days_rounded: string | null;
  /** FY, H1, H2, Q1 to Q4, 9M or TTM, as known on the day asked for; null where it has none. */ readonly period_type: string | null;
  /** The issuer's fiscal year that the period belongs to; null where it is not known. */ readonly fiscal_year: number | null;
  /** 1 for the value as first filed or stated; one more each time that a later one changed it. */ readonly vintage: number;
  /** What kind of change from the vintage before it is; null for vintage 1. */ readonly revision: string | null;
  /** The latest value known on the day before `restated_on`; null if there was none. */ readonly previous_value: Decimal | null;
  /** The day on which this vintage replaced an earlier one; null for a first report. */ readonly restated_on: string | null;
  /** Precision that the filing states: -3 is to the thousand; null where it states none. */ readonly decimals: number | null;
  /** The day the value became public: the later of the source's local day and the UTC day; null where nothing evidences it. */ readonly available_at: string;
  /** What `available_at` rests on. filing: stamped by regulator or portal; publisher: the publisher's own release date; first_seen: when we fetched it. */ readonly available_at_basis: string;
  /** First day on which it was no longer the latest known, because it was withdrawn or replaced; null if neither was known by the day of the answer. In changes, a later vintage of AF-FUND does not set it. */ readonly known_until: string | null;
  /** When the regulator accepted the filing, in UTC; null where the source does not say. */ readonly accepted_at: string | null;
  /** Form type of the filing, such as 10-K or 20-F; null where the source has none. */ readonly form: string | null;
  /** The regulator's number of the filing, or the repository's. */ readonly filing_id: string | null;
  /** own: the filing's own period; comparative: shown beside it. */ readonly reported_as: string;
  /** Whether vintage 1 is from the filing whose own period it is. */ readonly first_filing_held: boolean | null;
  /** The document, and the place in it, that the row rests on. */ readonly source_ref: string;
  /** Licence under which the source's data is served. */ readonly license_class: string;
  /** When the document was fetched, in UTC. */ readonly observed_at: string;
  /** How sure the extraction is, 0 to 1; null where no judgement was needed. */ readonly extraction_confidence: Decimal | null;
  /** How the value came from the document. */ readonly method: string;
  /** Names the document and the rules that the row rests on. */ readonly provenance_id: string;
  /** Names this fact for ever; made from source, filing and location. */ readonly fact_id: string;
  /** The page of the filing at its publisher; null where none is known. */ readonly source_url: string | null;
  /** Version of the line-item map with which the row was published. */ readonly map_version: string;
  /** Metrics whose value on the day, by `basis=as_known`, is computed from this fact. */ readonly used_by: readonly string[];
}

/** The same among all issuers; its exact place in the order is kept beside the fields, for the cursor. */
export interface RankedValue {
  /** Place among all issuers that match, counted from 1 and on over pages. */ readonly rank: number;
  /** Identifier that the service issued for the organisation. */ readonly service_id: string;
  /** The organisation's name as its source writes it, with `as_of` the one known on that day; null where no name was known by then. */ readonly legal_name: string | null;
  /** The day from which a dated record states the name that is shown; null for a name that nothing dates. */ readonly name_as_of: string | null;
  /** ISO 3166-1 alpha-2 code of the jurisdiction known on the day of `as_of`; null where none was. */ readonly country: string | null;
  /** Slug of a metric; /v1/catalog/metrics lists them. */ readonly metric: string;
  /** The value as stated, an exact decimal; of a metric, computed exactly and rounded once. */ readonly value: Decimal;
  /** The issuer's fiscal year that the period belongs to; null where it is not known. */ readonly fiscal_year: number | null;
  /** Last day of the period, or the day of an instant. */ readonly period_end: string;
  /** Days from `period_end` to `as_of`. */ readonly period_age_days: number;
  /** The date whose knowledge the answer holds; null where none applies. */ readonly as_of: string;
  /** The first day on which the year was published for this metric. */ readonly published_at: string;
  /** First day on which all that the value rests on was known as it stands in this edition; null where `revised_later` is true. */ readonly exact_from: string | null;
  /** Whether the edition holds a later filing that changes or withdraws the value shown; always false with `basis=exact`. By design this looks beyond `as_of`. */ readonly revised_later: boolean;
  /** Ids of the facts that the value is computed from, in the order of the formula. */ readonly inputs: readonly string[];
  /** The method that the derived values were made by, with its version. */ readonly methodology_ref: string;
  /** The document, and the place in it, that the row rests on. */ readonly source_ref: string;
  /** Licence under which the source's data is served. */ readonly license_class: string;
  /** When the document was fetched, in UTC. */ readonly observed_at: string;
}

/** A metric of an issuer for a full year that was published by `as_of`. */
export interface MetricValue {
  /** Identifier that the service issued for the organisation. */ readonly service_id: string;
  /** The organisation's name as its source writes it, with `as_of` the one known on that day; null where no name was known by then. */ readonly legal_name: string | null;
  /** The day from which a dated record states the name that is shown; null for a name that nothing dates. */ readonly name_as_of: string | null;
  /** ISO 3166-1 alpha-2 code of the jurisdiction known on the day of `as_of`; null where none was. */ readonly country: string | null;
  /** Slug of a metric; /v1/catalog/metrics lists them. */ readonly metric: string;
  /** The value as stated, an exact decimal; of a metric, computed exactly and rounded once. */ readonly value: Decimal;
  /** The issuer's fiscal year that the period belongs to; null where it is not known. */ readonly fiscal_year: number | null;
  /** Last day of the period, or the day of an instant. */ readonly period_end: string;
  /** Days from `period_end` to `as_of`. */ readonly period_age_days: number;
  /** The date whose knowledge the answer holds; null where none applies. */ readonly as_of: string;
  /** The first day on which the year was published for this metric. */ readonly published_at: string;
  /** First day on which all that the value rests on was known as it stands in this edition; null where `revised_later` is true. */ readonly exact_from: string | null;
  /** Whether the edition holds a later filing that changes or withdraws the value shown; always false with `basis=exact`. By design this looks beyond `as_of`. */ readonly revised_later: boolean;
  /** Ids of the facts that the value is computed from, in the order of the formula. */ readonly inputs: readonly string[];
  /** The method that the derived values were made by, with its version. */ readonly methodology_ref: string;
  /** The document, and the place in it, that the row rests on. */ readonly source_ref: string;
  /** Licence under which the source's data is served. */ readonly license_class: string;
  /** When the document was fetched, in UTC. */ readonly observed_at: string;
}
