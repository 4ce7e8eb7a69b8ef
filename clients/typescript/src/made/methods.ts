// One method for each endpoint that returns rows. Made by `generate.py` from the OpenAPI page: do not edit.

import type { ServedProcess, ServedRelease } from "./release_rows.ts";
import type { AwardLeadTime, ProcurementDemand, SingleBidderShare, SupplierConcentration, TenderValue } from "./signal_rows.ts";
import type { Artifact, CatalogEntry, Change, Difference, Proof, PublishedEdition, QualityMetric } from "./about_rows.ts";
import type { AnnualValue, FactVersion, Filing, FundamentalsFact, HeldIdentifier, IdentifiedOrganisation, Issuer, MetricValue, NamedOrganisation, Organisation, PanelFact, PlayedPart, RankedValue, SeriesValue, SharedFact } from "./fact_rows.ts";
import type { CatalogParams, ChangesParams, CrosswalkParams, DiffParams, EditionsParams, EntityParams, ExportOpenParams, ExportParams, FactParams, FilingsParams, FundamentalsParams, IssuersParams, LookupParams, MacroParams, MetricsParams, PanelParams, ProcurementDemandParams, ProofParams, QualityParams, ScreenParams, SearchParams, SharedFactsParams, SignalParams, TenderPartiesParams, TenderProcessParams, TendersParams } from "./params.ts";
import type { Endpoint, Options, Parameters, Rows } from "../rows.ts";

export abstract class Methods {
  protected abstract ask<T>(endpoint: Endpoint, parameters: Parameters, options?: Options): Rows<T>;

  /** Point-in-time reported facts of one issuer. */
  fundamentals(serviceId: string, params: FundamentalsParams = {}, options?: Options): Rows<FundamentalsFact> {
    const endpoint = { path: "/v1/fundamentals/{service_id}", takes: ["service_id", "as_of", "period_type", "vintages", "items", "line_item", "concept", "fiscal_year", "from", "to", "edition", "cursor"] } as const;
    return this.ask(endpoint, { service_id: serviceId, ...params }, options);
  }

  /** One organisation. */
  entity(serviceId: string, params: EntityParams = {}, options?: Options): Rows<Organisation> {
    const endpoint = { path: "/v1/entities/{service_id}", takes: ["service_id", "edition"] } as const;
    return this.ask(endpoint, { service_id: serviceId, ...params }, options);
  }

  /** Organisations by name or identifier, the nearest first. */
  search(params: SearchParams, options?: Options): Rows<NamedOrganisation> {
    const endpoint = { path: "/v1/search", takes: ["q", "country", "kind", "as_of", "edition", "limit", "cursor"] } as const;
    return this.ask(endpoint, { ...params }, options);
  }

  /** Issuers that had filed accounts by a date. */
  issuers(params: IssuersParams = {}, options?: Options): Rows<Issuer> {
    const endpoint = { path: "/v1/issuers", takes: ["country", "exchange", "industry", "has_item", "as_of", "edition", "limit", "cursor"] } as const;
    return this.ask(endpoint, { ...params }, options);
  }

  /** The identifiers of one organisation. */
  crosswalk(serviceId: string, params: CrosswalkParams = {}, options?: Options): Rows<HeldIdentifier> {
    const endpoint = { path: "/v1/crosswalk/{service_id}", takes: ["service_id", "edition", "cursor"] } as const;
    return this.ask(endpoint, { service_id: serviceId, ...params }, options);
  }

  /** The organisation that an outside identifier belongs to. */
  lookup(params: LookupParams, options?: Options): Rows<IdentifiedOrganisation> {
    const endpoint = { path: "/v1/crosswalk", takes: ["id_type", "id_value", "edition"] } as const;
    return this.ask(endpoint, { ...params }, options);
  }

  /** Releases of public tenders as OCDS, newest first. */
  tenders(params: TendersParams = {}, options?: Options): Rows<ServedRelease> {
    const endpoint = { path: "/v1/tenders", takes: ["country", "ocid", "buyer", "supplier", "category", "status", "currency", "min_value", "max_value", "q", "from", "to", "as_of", "edition", "limit", "cursor"] } as const;
    return this.ask(endpoint, { ...params }, options);
  }

  /** One contracting process: what its releases say together, and when each became known. */
  tenderProcess(ocid: string, params: TenderProcessParams = {}, options?: Options): Rows<ServedProcess> {
    const endpoint = { path: "/v1/tenders/{ocid}", takes: ["ocid", "as_of", "edition"] } as const;
    return this.ask(endpoint, { ocid: ocid, ...params }, options);
  }

  /** Organisations that buy and supply, by role and country. */
  tenderParties(params: TenderPartiesParams = {}, options?: Options): Rows<PlayedPart> {
    const endpoint = { path: "/v1/tender-parties", takes: ["country", "role", "service_id", "order", "as_of", "edition", "limit", "cursor"] } as const;
    return this.ask(endpoint, { ...params }, options);
  }

  /** Macroeconomic series as they were known, and indicators by year. */
  macro(params: MacroParams = {}, options?: Options): Rows<AnnualValue | SeriesValue> {
    const endpoint = { path: "/v1/macro", takes: ["series", "series_type", "frequency", "country", "indicator", "from", "to", "as_of", "vintages", "edition", "limit", "cursor"] } as const;
    return this.ask(endpoint, { ...params }, options);
  }

  /** Facts of any dataset in one shape, of one organisation or country. */
  sharedFacts(params: SharedFactsParams = {}, options?: Options): Rows<SharedFact> {
    const endpoint = { path: "/v1/shared/facts", takes: ["entity_id", "country", "dataset", "measure", "as_of", "edition", "limit", "cursor"] } as const;
    return this.ask(endpoint, { ...params }, options);
  }

  /** Line items of many issuers and fiscal years, as they were known on a date. */
  panel(params: PanelParams, options?: Options): Rows<PanelFact> {
    const endpoint = { path: "/v1/panel", takes: ["line_item", "country", "exchange", "service_id", "fiscal_year", "period_type", "vintages", "as_of", "edition", "limit", "cursor"] } as const;
    return this.ask(endpoint, { ...params }, options);
  }

  /** What was filed, the newest first. */
  filings(params: FilingsParams = {}, options?: Options): Rows<Filing> {
    const endpoint = { path: "/v1/filings", takes: ["since", "until", "form", "country", "service_id", "as_of", "edition", "limit", "cursor"] } as const;
    return this.ask(endpoint, { ...params }, options);
  }

  /** One reported fact by its id, with every vintage of its value. */
  fact(factId: string, params: FactParams = {}, options?: Options): Rows<FactVersion> {
    const endpoint = { path: "/v1/facts/{fact_id}", takes: ["fact_id", "as_of", "edition"] } as const;
    return this.ask(endpoint, { fact_id: factId, ...params }, options);
  }

  /** Proof that a fact is part of a signed edition. */
  proof(factId: string, params: ProofParams = {}, options?: Options): Rows<Proof> {
    const endpoint = { path: "/v1/facts/{fact_id}/proof", takes: ["fact_id", "edition"] } as const;
    return this.ask(endpoint, { fact_id: factId, ...params }, options);
  }

  /** What public bodies ask for, by category and month. */
  procurementDemand(params: ProcurementDemandParams = {}, options?: Options): Rows<ProcurementDemand> {
    const endpoint = { path: "/v1/signals/procurement-demand", takes: ["country", "category", "as_of", "from", "to", "edition", "limit", "cursor"] } as const;
    return this.ask(endpoint, { ...params }, options);
  }

  /** A panel of procurement signals by month. */
  signal(signalKey: string, params: SignalParams = {}, options?: Options): Rows<ProcurementDemand | SupplierConcentration | AwardLeadTime | SingleBidderShare | TenderValue> {
    const endpoint = { path: "/v1/signals/{signal_key}", takes: ["signal_key", "country", "category", "currency", "as_of", "from", "to", "edition", "limit", "cursor"] } as const;
    return this.ask(endpoint, { signal_key: signalKey, ...params }, options);
  }

  /** Issuers ranked by a metric, as they could be ranked on a date. */
  screen(params: ScreenParams, options?: Options): Rows<RankedValue> {
    const endpoint = { path: "/v1/screen", takes: ["metric", "order", "country", "as_of", "basis", "max_age_days", "absent", "edition", "limit", "cursor"] } as const;
    return this.ask(endpoint, { ...params }, options);
  }

  /** The metrics of one issuer, as they could be known on a date. */
  metrics(serviceId: string, params: MetricsParams = {}, options?: Options): Rows<MetricValue> {
    const endpoint = { path: "/v1/metrics/{service_id}", takes: ["service_id", "metric", "years", "as_of", "basis", "max_age_days", "absent", "edition", "limit", "cursor"] } as const;
    return this.ask(endpoint, { service_id: serviceId, ...params }, options);
  }

  /** What can be asked for: metrics, line items, indicators, series, exchanges, sources. */
  catalog(kind: string, params: CatalogParams = {}, options?: Options): Rows<CatalogEntry> {
    const endpoint = { path: "/v1/catalog/{kind}", takes: ["kind", "edition", "limit", "cursor"] } as const;
    return this.ask(endpoint, { kind: kind, ...params }, options);
  }

  /** What was measured of a dataset: coverage, freshness, completeness, the look-ahead audit. */
  quality(sku: string, params: QualityParams = {}, options?: Options): Rows<QualityMetric> {
    const endpoint = { path: "/v1/quality-metrics/{sku}", takes: ["sku", "edition", "cursor"] } as const;
    return this.ask(endpoint, { sku: sku, ...params }, options);
  }

  /** The editions of the data, newest first. */
  editions(params: EditionsParams = {}, options?: Options): Rows<PublishedEdition> {
    const endpoint = { path: "/v1/editions", takes: ["edition", "limit", "cursor"] } as const;
    return this.ask(endpoint, { ...params }, options);
  }

  /** Rows that editions put and removed, oldest first. */
  changes(params: ChangesParams = {}, options?: Options): Rows<Change> {
    const endpoint = { path: "/v1/changes", takes: ["since", "dataset", "reason", "service_id", "edition", "limit", "cursor"] } as const;
    return this.ask(endpoint, { ...params }, options);
  }

  /** What became known about one issuer between two dates. */
  diff(serviceId: string, params: DiffParams, options?: Options): Rows<Difference> {
    const endpoint = { path: "/v1/diff/{service_id}", takes: ["service_id", "from_as_of", "to_as_of", "items", "edition", "cursor"] } as const;
    return this.ask(endpoint, { service_id: serviceId, ...params }, options);
  }

  /** Files of panels and of whole datasets. */
  export(params: ExportParams = {}, options?: Options): Rows<Artifact> {
    const endpoint = { path: "/v1/export", takes: ["edition", "cursor"] } as const;
    return this.ask(endpoint, { ...params }, options);
  }

  /** Open Parquet files, without a key. */
  exportOpen(params: ExportOpenParams = {}, options?: Options): Rows<Artifact> {
    const endpoint = { path: "/v1/export/open", takes: ["edition", "cursor"] } as const;
    return this.ask(endpoint, { ...params }, options);
  }
}
