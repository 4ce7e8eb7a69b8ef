// The parameters of each endpoint. Made by `generate.py` from the OpenAPI page: do not edit.

/** Point-in-time reported facts of one issuer. */
export interface FundamentalsParams {
  /** Answer with what was knowable on this date. Default, and used for any later date: the day the edition was published. */ as_of?: string | undefined;
  /** Only periods of this type, any case. */ period_type?: string | undefined;
  /** latest: the latest vintage knowable by as_of; as_reported: the value as first filed; all: every vintage knowable by as_of. */ vintages?: "latest" | "as_reported" | "all" | undefined;
  /** standard: the line items of /v1/catalog/line-items; all: also what filings state under other concepts; or up to 20 names of line items or concepts, with commas between them. Default: standard; all where `line_item` or `concept` is sent. */ items?: string | undefined;
  /** Only these line items, up to 20 with commas between them; a concept where the service has no name. */ line_item?: string | readonly string[] | undefined;
  /** Only values that filings state under these concepts, up to 20 with commas between them. */ concept?: string | readonly string[] | undefined;
  /** Only periods of these fiscal years, up to 30 with commas between them. */ fiscal_year?: string | readonly string[] | undefined;
  /** Only periods that end on this day or later. */ from?: string | undefined;
  /** Only periods that end on this day or earlier. */ to?: string | undefined;
  /** Answer from this edition. Default: the newest that changed what the request reads. */ edition?: number | undefined;
  /** A `next_cursor`, passed back verbatim; it pins the query and the edition. */ cursor?: string | undefined;
}

/** One organisation. */
export interface EntityParams {
  /** Answer from this edition. Default: the newest that changed what the request reads. */ edition?: number | undefined;
}

/** Organisations by name or identifier, the nearest first. */
export interface SearchParams {
  /** A name, present or former, or an identifier. Case, accents, word order and legal form do not matter. */ q: string;
  /** Only organisations of this country: ISO 3166-1 alpha-2, any case. */ country?: string | undefined;
  /** `issuer`: only organisations that had filed accounts by the day; `other`: the rest. */ kind?: "issuer" | "other" | undefined;
  /** Answer with what was knowable on this date. Default, and used for any later date: the day the edition was published. */ as_of?: string | undefined;
  /** Answer from this edition. Default: the newest that changed what the request reads. */ edition?: number | undefined;
  /** How many rows a page holds. Default and maximum depend on the key's tier. */ limit?: number | undefined;
  /** A `next_cursor`, passed back verbatim; it pins the query and the edition. */ cursor?: string | undefined;
}

/** Issuers that had filed accounts by a date. */
export interface IssuersParams {
  /** Only organisations of this country: ISO 3166-1 alpha-2, any case. */ country?: string | undefined;
  /** Only organisations with a ticker on this exchange: its MIC or one of its `aliases` in the catalogue, in any case. */ exchange?: string | undefined;
  /** Only organisations whose code in the Standard Industrial Classification (SIC) begins with these two to four digits. */ industry?: string | readonly string[] | undefined;
  /** Only organisations with a value of this line item that was known on the day; the name is that of the field `line_item` of fundamentals. */ has_item?: string | undefined;
  /** Answer with what was knowable on this date. Default, and used for any later date: the day the edition was published. */ as_of?: string | undefined;
  /** Answer from this edition. Default: the newest that changed what the request reads. */ edition?: number | undefined;
  /** How many rows a page holds. Default and maximum depend on the key's tier. */ limit?: number | undefined;
  /** A `next_cursor`, passed back verbatim; it pins the query and the edition. */ cursor?: string | undefined;
}

/** The identifiers of one organisation. */
export interface CrosswalkParams {
  /** Answer from this edition. Default: the newest that changed what the request reads. */ edition?: number | undefined;
  /** A `next_cursor`, passed back verbatim; it pins the query and the edition. */ cursor?: string | undefined;
}

/** The organisation that an outside identifier belongs to. */
export interface LookupParams {
  /** What kind of identifier `id_value` is. */ id_type: "lei" | "ticker" | "registry" | "aggregator" | "isin" | "figi";
  /** The identifier; case, spaces and punctuation do not matter, nor do leading zeros of a CIK. A ticker is EXCHANGE:TICKER, the exchange as its MIC or as one of its `aliases` in the catalogue. */ id_value: string;
  /** Answer from this edition. Default: the newest that changed what the request reads. */ edition?: number | undefined;
}

/** Releases of public tenders as OCDS, newest first. */
export interface TendersParams {
  /** Country of the publishing portals, ISO 3166-1 alpha-2, any case. If ocid, buyer or supplier is sent, the default is all. */ country?: string | undefined;
  /** Only releases of this contracting process. Compared exactly. */ ocid?: string | undefined;
  /** Only releases that name this organisation as buyer: its service_id. */ buyer?: string | undefined;
  /** Only releases that name this organisation as supplier: its service_id. */ supplier?: string | undefined;
  /** Only tenders of this category: the portal's own word, or goods, works or services. Compared exactly. */ category?: string | undefined;
  /** Only tenders of this status, as OCDS names it, such as active or complete. */ status?: string | undefined;
  /** Only releases with a value of the tender or of an award in this currency, ISO 4217, any case. Nothing is converted. */ currency?: string | undefined;
  /** The least such value, inclusive. Needs currency. */ min_value?: string | undefined;
  /** The largest such value, inclusive. Needs currency. */ max_value?: string | undefined;
  /** Words of titles, in any case, with or without accents: releases that have them all. Text that is withheld is not searched. */ q?: string | undefined;
  /** Earliest day of a release, in UTC, inclusive. */ from?: string | undefined;
  /** Latest day of a release, in UTC, inclusive. */ to?: string | undefined;
  /** Answer with what was knowable on this date. Default, and used for any later date: the day the edition was published. */ as_of?: string | undefined;
  /** Answer from this edition. Default: the newest that changed what the request reads. */ edition?: number | undefined;
  /** How many rows a page holds. Default and maximum depend on the key's tier. */ limit?: number | undefined;
  /** A `next_cursor`, passed back verbatim; it pins the query and the edition. */ cursor?: string | undefined;
}

/** One contracting process: what its releases say together, and when each became known. */
export interface TenderProcessParams {
  /** Answer with what was knowable on this date. Default, and used for any later date: the day the edition was published. */ as_of?: string | undefined;
  /** Answer from this edition. Default: the newest that changed what the request reads. */ edition?: number | undefined;
}

/** Organisations that buy and supply, by role and country. */
export interface TenderPartiesParams {
  /** Country of the publishing portals, ISO 3166-1 alpha-2, any case. Default: all. */ country?: string | undefined;
  /** Only parties in this role, as OCDS names it, in any case: buyer, procuringEntity, supplier, tenderer and others. */ role?: string | undefined;
  /** Only this organisation. */ service_id?: string | undefined;
  /** service_id, the default, or releases: those of the most releases first. */ order?: "service_id" | "releases" | undefined;
  /** Answer with what was knowable on this date. Default, and used for any later date: the day the edition was published. */ as_of?: string | undefined;
  /** Answer from this edition. Default: the newest that changed what the request reads. */ edition?: number | undefined;
  /** How many rows a page holds. Default and maximum depend on the key's tier. */ limit?: number | undefined;
  /** A `next_cursor`, passed back verbatim; it pins the query and the edition. */ cursor?: string | undefined;
}

/** Macroeconomic series as they were known, and indicators by year. */
export interface MacroParams {
  /** Series mode: up to 20, such as FX.EUR.ZAR,CPI.KEN. */ series?: string | undefined;
  /** Series mode: series of one family. */ series_type?: "fx" | "cpi" | "indicator" | undefined;
  /** Series mode: series of one frequency. */ frequency?: "annual" | "quarterly" | "monthly" | "daily" | undefined;
  /** Up to 20, ISO 3166-1 alpha-2 or alpha-3, or aggregates (SSF). A rate is its quote's. */ country?: string | readonly string[] | undefined;
  /** Annual mode: up to 20 indicators by code, such as NY.GDP.MKTP.CD. */ indicator?: string | undefined;
  /** First day, itself included; in annual mode also a year, and a date means its year. */ from?: string | number | undefined;
  /** Last day, itself included; in annual mode also a year, and a date means its year. */ to?: string | number | undefined;
  /** Answer with what was knowable on this date. Default, and used for any later date: the day the edition was published. */ as_of?: string | undefined;
  /** Series mode. Default: latest. */ vintages?: "latest" | "as_reported" | "all" | undefined;
  /** Answer from this edition. Default: the newest that changed what the request reads. */ edition?: number | undefined;
  /** How many rows a page holds. Default and maximum depend on the key's tier. */ limit?: number | undefined;
  /** A `next_cursor`, passed back verbatim; it pins the query and the edition. */ cursor?: string | undefined;
}

/** Facts of any dataset in one shape, of one organisation or country. */
export interface SharedFactsParams {
  /** An issuer's id, or three capitals for a country, which selects AF-MACRO. Either this or `country`. */ entity_id?: string | undefined;
  /** ISO 3166-1 alpha-3, any case. Needs `dataset`. Either this or `entity_id`. */ country?: string | undefined;
  /** Of an issuer: AF-FUND, the default, or AF-TENDER (awards it won). With `country`: AF-TENDER (tender values) or AF-MACRO. */ dataset?: "AF-FUND" | "AF-TENDER" | "AF-MACRO" | undefined;
  /** One measure: a line item, tender_value or award_value, a series key or an indicator code. Compared exactly. */ measure?: string | undefined;
  /** Answer with what was knowable on this date. Default, and used for any later date: the day the edition was published. */ as_of?: string | undefined;
  /** Answer from this edition. Default: the newest that changed what the request reads. */ edition?: number | undefined;
  /** How many rows a page holds. Default and maximum depend on the key's tier. */ limit?: number | undefined;
  /** A `next_cursor`, passed back verbatim; it pins the query and the edition. */ cursor?: string | undefined;
}

/** Line items of many issuers and fiscal years, as they were known on a date. */
export interface PanelParams {
  /** The line items, up to 20 with commas between them; /v1/catalog/line-items lists them. */ line_item: string | readonly string[];
  /** Only issuers of this jurisdiction: ISO 3166-1 alpha-2 or alpha-3, any case. */ country?: string | readonly string[] | undefined;
  /** Only organisations with a ticker on this exchange: its MIC or one of its `aliases` in the catalogue, in any case. */ exchange?: string | undefined;
  /** Only these issuers, up to 100 ids with commas between them. */ service_id?: string | readonly string[] | undefined;
  /** Fiscal years, up to 10 with commas between them; or latest: of each issuer the last one for which it had stated any of the line items by then. */ fiscal_year?: string | readonly string[] | undefined;
  /** The part of the fiscal year, any case. */ period_type?: string | undefined;
  /** latest: the latest vintage knowable by as_of; as_reported: the value as first filed; all: every vintage knowable by as_of. */ vintages?: "latest" | "as_reported" | "all" | undefined;
  /** Answer with what was knowable on this date. Default, and used for any later date: the day the edition was published. */ as_of?: string | undefined;
  /** Answer from this edition. Default: the newest that changed what the request reads. */ edition?: number | undefined;
  /** How many rows a page holds. Default and maximum depend on the key's tier. */ limit?: number | undefined;
  /** A `next_cursor`, passed back verbatim; it pins the query and the edition. */ cursor?: string | undefined;
}

/** What was filed, the newest first. */
export interface FilingsParams {
  /** Only filings that became public on this day or later. */ since?: string | undefined;
  /** Only filings that became public on this day or earlier. */ until?: string | undefined;
  /** Only this form type, such as 10-K or 20-F. Compared exactly. */ form?: string | undefined;
  /** Only filings of issuers of this jurisdiction, as known on the day of the filing: ISO 3166-1 alpha-2 or alpha-3, any case. */ country?: string | readonly string[] | undefined;
  /** Only filings of this issuer. */ service_id?: string | undefined;
  /** Answer with what was knowable on this date. Default, and used for any later date: the day the edition was published. */ as_of?: string | undefined;
  /** Answer from this edition. Default: the newest that changed what the request reads. */ edition?: number | undefined;
  /** How many rows a page holds. Default and maximum depend on the key's tier. */ limit?: number | undefined;
  /** A `next_cursor`, passed back verbatim; it pins the query and the edition. */ cursor?: string | undefined;
}

/** One reported fact by its id, with every vintage of its value. */
export interface FactParams {
  /** Answer with what was knowable on this date. Default, and used for any later date: the day the edition was published. */ as_of?: string | undefined;
  /** Answer from this edition. Default: the newest that changed what the request reads. */ edition?: number | undefined;
}

/** Proof that a fact is part of a signed edition. */
export interface ProofParams {
  /** Answer from this edition. Default: the newest that changed what the request reads. */ edition?: number | undefined;
}

/** What public bodies ask for, by category and month. */
export interface ProcurementDemandParams {
  /** Country of the publishing portals, ISO 3166-1 alpha-2, any case. */ country?: string | undefined;
  /** One category, the portal's own word or goods, works, services; in panels by category. Compared exactly. */ category?: string | undefined;
  /** Answer with what was knowable on this date. Default, and used for any later date: the day the edition was published. */ as_of?: string | undefined;
  /** The earliest month; a date means its month. */ from?: string | undefined;
  /** The latest month; a date means its month. */ to?: string | undefined;
  /** Answer from this edition. Default: the newest that changed what the request reads. */ edition?: number | undefined;
  /** How many rows a page holds. Default and maximum depend on the key's tier. */ limit?: number | undefined;
  /** A `next_cursor`, passed back verbatim; it pins the query and the edition. */ cursor?: string | undefined;
}

/** A panel of procurement signals by month. */
export interface SignalParams {
  /** Country of the publishing portals, ISO 3166-1 alpha-2, any case. Default: all. */ country?: string | undefined;
  /** One category, the portal's own word or goods, works, services; in panels by category. Compared exactly. */ category?: string | undefined;
  /** One currency, ISO 4217, any case; in panels by currency. */ currency?: string | undefined;
  /** Answer with what was knowable on this date. Default, and used for any later date: the day the edition was published. */ as_of?: string | undefined;
  /** The earliest month; a date means its month. */ from?: string | undefined;
  /** The latest month; a date means its month. */ to?: string | undefined;
  /** Answer from this edition. Default: the newest that changed what the request reads. */ edition?: number | undefined;
  /** How many rows a page holds. Default and maximum depend on the key's tier. */ limit?: number | undefined;
  /** A `next_cursor`, passed back verbatim; it pins the query and the edition. */ cursor?: string | undefined;
}

/** Issuers ranked by a metric, as they could be ranked on a date. */
export interface ScreenParams {
  /** The metric to rank by; /v1/catalog/metrics lists them. */ metric: "gross_margin" | "operating_margin" | "ebitda_margin" | "pretax_margin" | "net_margin" | "free_cash_flow_margin" | "return_on_equity" | "return_on_assets" | "return_on_capital_employed" | "revenue_growth" | "operating_income_growth" | "net_income_growth" | "asset_growth" | "equity_growth" | "current_ratio" | "quick_ratio" | "cash_ratio" | "debt_to_equity" | "liabilities_to_assets" | "equity_ratio" | "net_debt_to_ebitda" | "interest_coverage" | "cash_flow_to_debt" | "asset_turnover" | "inventory_turnover" | "receivables_turnover" | "cash_conversion" | "capital_intensity" | "research_intensity" | "tax_burden" | "dividend_payout" | "cost_to_income" | "loan_to_deposit" | "net_interest_to_assets" | "credit_loss_rate" | "claims_ratio";
  /** desc: rank 1 is the largest value; asc: rank 1 is the smallest. */ order?: "asc" | "desc" | undefined;
  /** Only issuers of this jurisdiction: ISO 3166-1 alpha-2 or alpha-3, any case. */ country?: string | readonly string[] | undefined;
  /** Answer with what was knowable on this date. Default, and used for any later date: the day the edition was published. */ as_of?: string | undefined;
  /** exact: only values whose figures were never changed after `as_of`. as_known: values as they were known on `as_of`, with `revised_later`; use it for backtests. */ basis?: "exact" | "as_known" | undefined;
  /** Only periods that ended at most this many days before `as_of`. */ max_age_days?: number | undefined;
  /** Whether `absent` says what was left out, and why. */ absent?: boolean | undefined;
  /** Answer from this edition. Default: the newest that changed what the request reads. */ edition?: number | undefined;
  /** How many rows a page holds. Default and maximum depend on the key's tier. */ limit?: number | undefined;
  /** A `next_cursor`, passed back verbatim; it pins the query and the edition. */ cursor?: string | undefined;
}

/** The metrics of one issuer, as they could be known on a date. */
export interface MetricsParams {
  /** Only this metric. */ metric?: "gross_margin" | "operating_margin" | "ebitda_margin" | "pretax_margin" | "net_margin" | "free_cash_flow_margin" | "return_on_equity" | "return_on_assets" | "return_on_capital_employed" | "revenue_growth" | "operating_income_growth" | "net_income_growth" | "asset_growth" | "equity_growth" | "current_ratio" | "quick_ratio" | "cash_ratio" | "debt_to_equity" | "liabilities_to_assets" | "equity_ratio" | "net_debt_to_ebitda" | "interest_coverage" | "cash_flow_to_debt" | "asset_turnover" | "inventory_turnover" | "receivables_turnover" | "cash_conversion" | "capital_intensity" | "research_intensity" | "tax_burden" | "dividend_payout" | "cost_to_income" | "loan_to_deposit" | "net_interest_to_assets" | "credit_loss_rate" | "claims_ratio" | undefined;
  /** How many years, the last one published by `as_of` and those before it. */ years?: number | undefined;
  /** Answer with what was knowable on this date. Default, and used for any later date: the day the edition was published. */ as_of?: string | undefined;
  /** exact: only values whose figures were never changed after `as_of`. as_known: values as they were known on `as_of`, with `revised_later`; use it for backtests. */ basis?: "exact" | "as_known" | undefined;
  /** Only periods that ended at most this many days before `as_of`. */ max_age_days?: number | undefined;
  /** Whether `absent` says what was left out, and why. */ absent?: boolean | undefined;
  /** Answer from this edition. Default: the newest that changed what the request reads. */ edition?: number | undefined;
  /** How many rows a page holds. Default and maximum depend on the key's tier. */ limit?: number | undefined;
  /** A `next_cursor`, passed back verbatim; it pins the query and the edition. */ cursor?: string | undefined;
}

/** What can be asked for: metrics, line items, indicators, series, exchanges, sources. */
export interface CatalogParams {
  /** Answer from this edition. Default: the newest that changed what the request reads. */ edition?: number | undefined;
  /** How many rows a page holds. Default and maximum depend on the key's tier. */ limit?: number | undefined;
  /** A `next_cursor`, passed back verbatim; it pins the query and the edition. */ cursor?: string | undefined;
}

/** What was measured of a dataset: coverage, freshness, completeness, the look-ahead audit. */
export interface QualityParams {
  /** Answer from this edition. Default: the newest that changed what the request reads. */ edition?: number | undefined;
  /** A `next_cursor`, passed back verbatim; it pins the query and the edition. */ cursor?: string | undefined;
}

/** The editions of the data, newest first. */
export interface EditionsParams {
  /** Answer from this edition. Default: the newest that changed what the request reads. */ edition?: number | undefined;
  /** How many rows a page holds. Default and maximum depend on the key's tier. */ limit?: number | undefined;
  /** A `next_cursor`, passed back verbatim; it pins the query and the edition. */ cursor?: string | undefined;
}

/** Rows that editions put and removed, oldest first. */
export interface ChangesParams {
  /** Changes after this edition: the one whose rows you hold, or 0 if you hold none. */ since?: number | undefined;
  /** Only rows of this dataset. */ dataset?: "AF-FUND" | "AF-TENDER" | "AF-MACRO" | undefined;
  /** Only changes for this reason: to look at, since who follows needs them all. */ reason?: "added" | "restated" | "renumbered" | "corrected" | "merged" | "withdrawn" | undefined;
  /** Only rows of AF-FUND that are this id's own. Compared exactly: a merge removes the old id's rows and puts them for the surviving id. */ service_id?: string | undefined;
  /** Answer from this edition. Default: the newest that changed what the request reads. */ edition?: number | undefined;
  /** How many rows a page holds. Default and maximum depend on the key's tier. */ limit?: number | undefined;
  /** A `next_cursor`, passed back verbatim; it pins the query and the edition. */ cursor?: string | undefined;
}

/** What became known about one issuer between two dates. */
export interface DiffParams {
  /** What was knowable on this date. A date after the day of the edition counts as that day. */ from_as_of: string;
  /** What was knowable on this date. A date after the day of the edition counts as that day. */ to_as_of: string;
  /** standard: the line items of /v1/catalog/line-items; all: also what filings state under other concepts; or up to 20 names of line items or concepts, with commas between them. Default: standard; all where `line_item` or `concept` is sent. */ items?: string | undefined;
  /** Answer from this edition. Default: the newest that changed what the request reads. */ edition?: number | undefined;
  /** A `next_cursor`, passed back verbatim; it pins the query and the edition. */ cursor?: string | undefined;
}

/** Files of panels and of whole datasets. */
export interface ExportParams {
  /** Answer from this edition. Default: the newest that changed what the request reads. */ edition?: number | undefined;
  /** A `next_cursor`, passed back verbatim; it pins the query and the edition. */ cursor?: string | undefined;
}

/** Open Parquet files, without a key. */
export interface ExportOpenParams {
  /** Answer from this edition. Default: the newest that changed what the request reads. */ edition?: number | undefined;
  /** A `next_cursor`, passed back verbatim; it pins the query and the edition. */ cursor?: string | undefined;
}
