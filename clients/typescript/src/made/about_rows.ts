// Rows that describe the data. Made by `generate.py` from the OpenAPI page: do not edit.

import type { Decimal } from "../exact.ts";

/** One stored row of a fact, with the hashes that lead to the root of the edition that sealed it. */
export interface Proof {
  /** The table of the row. */ readonly table: string;
  /** The columns of the row, in the order of its text. */ readonly columns: readonly string[];
  /** The row as PostgreSQL writes it, as it was sealed. Its hash is SHA-256 after a byte 0. */ readonly row: string;
  /** From the row to the root of its table: at each step the side of the other hash (L or R), then that hash in base64. */ readonly path: readonly string[];
  /** The table in the manifest of that edition: name, number of rows, root of its tree in hex. */ readonly line: string;
  /** From the line to the root of the edition, written like `path`. */ readonly line_path: readonly string[];
  /** The edition that sealed the row: the first that holds it. */ readonly edition: number;
  /** Root of the edition's Merkle tree in hex: its digest in `/v1/editions`. */ readonly root: string;
  /** Ed25519 signature, in base64, of the text `sankofa edition <number>`, a line break, the digest in hex and a line break; null if the edition was published without a key. */ readonly signature: string | null;
  /** Ed25519 public key of the signature, in base64; null without a signature. */ readonly public_key: string | null;
}

/** One thing that can be asked for. */
export interface CatalogEntry {
  /** What to ask for. */ readonly key: string;
  /** What it is, in a sentence; null where its publisher gives none. */ readonly definition: string | null;
  /** What the value counts: an ISO 4217 code, shares, index, percent, pure, or a quotient of two; null where the source does not say. */ readonly unit: string | null;
  /** How it is computed; null for what is reported. */ readonly formula: string | null;
  /** Codes that may be sent in place of `key`, such as JSE for XJSE; empty where there are none. */ readonly aliases: readonly string[];
  /** How many there are, by ISO 3166-1 alpha-2 code: issuers of metrics, line items and exchanges, series of indicators, rows of signals, months of categories, documents of sources. `none`: of no one country, or of one not known. */ readonly coverage: Readonly<Record<string, number | string>>;
  /** The first day or period end that there is; null where there is none. */ readonly first_date: string | null;
  /** The last day or period end that there is; null where there is none. */ readonly last_date: string | null;
  /** Licence under which the source's data is served. */ readonly license_class: string | null;
  /** Share of the facts of a source of filings that go by a line item; null for all else. */ readonly mapped_facts?: Decimal | null;
}

/** One number that was measured of a dataset, or was not. */
export interface QualityMetric {
  /** The dataset: AF-FUND, AF-TENDER or AF-MACRO. */ readonly sku: string;
  /** What was measured; after a point, of which part of the dataset. */ readonly measure: string;
  /** The number, computed exactly and rounded once, or UNMEASURED. */ readonly value: Decimal;
  /** What the value must reach; null where nothing is required of it. */ readonly floor: Decimal | null;
  /** pass or fail if there is a floor, else no_floor; UNMEASURED has not passed. */ readonly status: string;
  /** issuers, processes, series, countries, days, floors, or share, from 0 to 1. */ readonly unit: string;
  /** When it was measured; null where it was not. */ readonly measured_at: string | null;
  /** The method that the derived values were made by, with its version. */ readonly methodology_ref: string;
  /** The sources that the dataset rests on, sorted; null where there are none. */ readonly source_ref: string | null;
  /** The strictest licence among those sources; null where there are none. */ readonly license_class: string | null;
  /** When their latest document was fetched; null where there is none. */ readonly observed_at: string | null;
}

/** That something was taken down while an edition was current; never what. */
export interface Takedown {
  /** Number of a takedown: the one way in which something published can go. */ readonly takedown: number;
  /** When it was taken down, in UTC. */ readonly taken_down_at: string;
  /** How many rows the takedown removed, over all editions. */ readonly rows_removed: number;
}

/** One publish of everything servable. */
export interface PublishedEdition {
  /** Number of an edition: one publish of everything, which never changes afterwards. */ readonly edition: number;
  /** Random name of the edition; it tells two editions of one number apart after a restore. */ readonly mark: string;
  /** When the edition was published, in UTC. */ readonly published_at: string;
  /** Merkle root over the edition before and all that this one holds; it never changes. */ readonly digest: string | null;
  /** Ed25519 signature, in base64, of the text `sankofa edition <number>`, a line break, the digest in hex and a line break; null if the edition was published without a key. */ readonly signature: string | null;
  /** Ed25519 public key of the signature, in base64; null without a signature. */ readonly public_key: string | null;
  /** By dataset: the rows that this edition put and removed, counted by reason. */ readonly datasets: Readonly<Record<string, number | string>>;
  /** What was taken down while this edition was current: that it happened, never what it was. */ readonly takedowns: readonly Takedown[];
}

/** One row that an edition put or removed; of a removed one, only which it is. */
export interface Change {
  /** The edition that put or removed the row. */ readonly edition: number;
  /** put: the edition has the row; remove: it has it no more. */ readonly change: string;
  /** added: new; restated: another value of something known; renumbered: another vintage number; corrected: known better, from another document or by other rules; merged: of another id now; withdrawn: taken back by its source, or taken down. */ readonly reason: string;
  /** The dataset of the row: AF-FUND, AF-TENDER or AF-MACRO. */ readonly dataset: string;
  /** Number of the row within its dataset; a remove names the number that a put brought. */ readonly row_id: number;
  /** The fact that the row holds; null once it is taken down. */ readonly fact_id: string | null;
  /** The issuer whose row it is; null where the row is of none, or was taken down. */ readonly service_id: string | null;
  /** ISO 3166-1 alpha-3 code of a portal's or a series' country; null for issuers. */ readonly country_iso3?: string | null;
  /** What was measured: a line item, tender_value, award_value, a series key, an indicator code. */ readonly measure?: string | null;
  /** The value as stated, an exact decimal; null if removed or taken down. */ readonly value?: Decimal | null;
  /** What the value counts: an ISO 4217 code, shares, index, percent, pure, or a quotient of two; null where the source does not say. */ readonly unit?: string | null;
  /** Consolidation scope of the value. */ readonly scope?: string | null;
  /** First day of the period; null for an instant. */ readonly period_start?: string | null;
  /** Last day of the period, or the day of an instant. */ readonly period_end?: string | null;
  /** FY, H1, H2, Q1 to Q4, 9M or TTM, as known on the day asked for; null where it has none. */ readonly period_type?: string | null;
  /** The issuer's fiscal year that the period belongs to; null where it is not known. */ readonly fiscal_year?: number | null;
  /** own: the filing's own period; comparative: shown beside it. */ readonly reported_as?: string | null;
  /** 1 for the value as first filed or stated; one more each time that a later one changed it. */ readonly vintage?: number | null;
  /** The day the value became public: the later of the source's local day and the UTC day; null where nothing evidences it. */ readonly available_at?: string | null;
  /** What `available_at` rests on. filing: stamped by regulator or portal; publisher: the publisher's own release date; first_seen: when we fetched it. */ readonly available_at_basis?: string | null;
  /** First day on which it was no longer the latest known, because it was withdrawn or replaced; null if neither was known by the day of the answer. In changes, a later vintage of AF-FUND does not set it. */ readonly known_until?: string | null;
  /** The document, and the place in it, that the row rests on. */ readonly source_ref?: string | null;
  /** Licence under which the source's data is served. */ readonly license_class?: string | null;
  /** When the document was fetched, in UTC. */ readonly observed_at?: string | null;
  /** How sure the extraction is, 0 to 1; null where no judgement was needed. */ readonly extraction_confidence?: Decimal | null;
  /** How the value came from the document. */ readonly method?: string | null;
  /** Names the document and the rules that the row rests on. */ readonly provenance_id?: string | null;
  /** First day on which the period has this type and fiscal year; null if from the start. */ readonly labelled_from?: string | null;
  /** First day on which it has another type or fiscal year; null while it has these. */ readonly labelled_until?: string | null;
  /** What kind of change from the vintage before it is; null for vintage 1. */ readonly revision?: string | null;
  /** Precision that the filing states: -3 is to the thousand; null where it states none. */ readonly decimals?: number | null;
  /** When the regulator accepted the filing, in UTC; null where the source does not say. */ readonly accepted_at?: string | null;
  /** Form type of the filing, such as 10-K or 20-F; null where the source has none. */ readonly form?: string | null;
  /** The regulator's number of the filing, or the repository's. */ readonly filing_id?: string | null;
  /** Whether vintage 1 is from the filing whose own period it is. */ readonly first_filing_held?: boolean | null;
  /** Which days the source rounds to ends of months: `start` or `all`; null where none. */ readonly days_rounded?: string | null;
  /** Of an award: whether several suppliers won it together; each then has a row with the whole value. Null of all else. */ readonly joint?: boolean | null;
}

/** One value that two days know differently: as it stood on the first, and as it stands on the second. */
export interface Difference {
  /** Identifier that the service issued for the organisation. */ readonly service_id: string;
  /** The service's name for what was reported; its concept where the service has none. */ readonly line_item: string;
  /** added: not there on the first date; restated: another vintage; withdrawn: gone. */ readonly change: string;
  /** First day of the period; null for an instant. */ readonly period_start: string | null;
  /** Last day of the period, or the day of an instant. */ readonly period_end: string;
  /** FY, H1, H2, Q1 to Q4, 9M or TTM, as known on the day asked for; null where it has none. */ readonly period_type: string | null;
  /** The issuer's fiscal year that the period belongs to; null where it is not known. */ readonly fiscal_year: number | null;
  /** What the value counts: an ISO 4217 code, shares, index, percent, pure, or a quotient of two; null where the source does not say. */ readonly unit: string;
  /** ISO 4217 code; null for a value that is not money. */ readonly currency_reported: string | null;
  /** Consolidation scope of the value. */ readonly scope: string;
  /** The value on the first date, an exact decimal; null where none stands. */ readonly old_value: Decimal | null;
  /** Its vintage; null where there is none. */ readonly old_vintage: number | null;
  /** Day from which on the first date's value could be known; null where there is none. */ readonly old_available_at: string | null;
  /** The document and place of the first date's value; null where there is none. */ readonly old_source_ref: string | null;
  /** Licence of the first date's value; null where there is none. */ readonly old_license_class: string | null;
  /** When the document of the first date's value was fetched; null where there is none. */ readonly old_observed_at: string | null;
  /** The fact that the first date shows; null where there is none. */ readonly old_fact_id: string | null;
  /** The value on the second date, an exact decimal; null where none stands. */ readonly new_value: Decimal | null;
  /** Its vintage; null where there is none. */ readonly new_vintage: number | null;
  /** Day from which on the second date's value could be known; null where there is none. */ readonly new_available_at: string | null;
  /** The document and place of the second date's value; null where there is none. */ readonly new_source_ref: string | null;
  /** Licence of the second date's value; null where there is none. */ readonly new_license_class: string | null;
  /** When the document of the second date's value was fetched; null where there is none. */ readonly new_observed_at: string | null;
  /** The fact that the second date shows; null where there is none. */ readonly new_fact_id: string | null;
  /** What both values rest on: distinct references, sorted and joined by `; `. */ readonly source_ref: string;
  /** The stricter of the licences of both values. */ readonly license_class: string;
  /** When the later of the documents was fetched, in UTC. */ readonly observed_at: string;
}

/** A column of a file. */
export interface Column {
  /** Name of the column. */ readonly name: string;
  /** Its type, as DuckDB calls it. */ readonly type: string;
  /** What the column means. */ readonly description: string;
}

/** One file, whole and never changed: Parquet, or the metadata of an Iceberg table over such files. */
export interface Artifact {
  /** Name of the file; it stands for one content for ever. */ readonly name: string;
  /** The dataset of a bulk file: AF-FUND, AF-MACRO or AF-TENDER; null for panels and for tables of organisations, metrics and signals. */ readonly sku: string | null;
  /** The table of a bulk file: awards, fundamentals, identifiers, identifiers-earlier, macro, metrics, names, organisations, releases or signals; null for panels. */ readonly table: string | null;
  /** Title of the panel; null for bulk files. */ readonly panel: string | null;
  /** Key of the panel, as in `/v1/signals/{signal_key}`; null for bulk files. */ readonly signal_key: string | null;
  /** panel: a whole panel; rows: bulk rows; closings: which bulk rows editions removed; rows_table and closings_table: the metadata of an Iceberg table of these. */ readonly kind: string;
  /** The edition that the file was made from; the next one lists it. */ readonly edition: number;
  /** First edition whose rows, or closings, the file holds. */ readonly first_edition: number;
  /** Last edition whose rows, or closings, the file holds. */ readonly last_edition: number;
  /** Licence of the file; of bulk files, the strictest licence of its rows. */ readonly license_class: string;
  /** How many rows the file holds. */ readonly rows: number;
  /** Length of the file. */ readonly bytes: number;
  /** Hash of the file's bytes. */ readonly sha256: string;
  /** The columns, in order. */ readonly schema: readonly Column[];
  /** open: anybody reads the file at its `url`; licensed: `url` needs a key of a paid tier. */ readonly access: string;
  /** Where the file is read: an open one directly, a licensed one with a key. */ readonly url: string;
  /** Address that leads to the newest file of the panel, for ever; null for bulk files. */ readonly latest_url: string | null;
}
