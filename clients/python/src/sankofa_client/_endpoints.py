"""Every endpoint that answers with rows, declared once for both clients.

Made by `generate.py` from the service's OpenAPI page: do not edit.
"""

from __future__ import annotations

from sankofa_client import rows
from sankofa_client._question import Endpoint

FUNDAMENTALS: Endpoint[rows.FundamentalsFact] = Endpoint(
    name="fundamentals",
    path="/v1/fundamentals/{service_id}",
    takes=(
        "service_id",
        "as_of",
        "period_type",
        "vintages",
        "items",
        "line_item",
        "concept",
        "fiscal_year",
        "from",
        "to",
        "edition",
        "cursor",
    ),
    rows=(rows.FundamentalsFact,),
    rows_key="data",
)
ENTITY: Endpoint[rows.Organisation] = Endpoint(
    name="entity",
    path="/v1/entities/{service_id}",
    takes=("service_id", "edition"),
    rows=(rows.Organisation,),
    rows_key="data",
)
SEARCH: Endpoint[rows.NamedOrganisation] = Endpoint(
    name="search",
    path="/v1/search",
    takes=("q", "country", "kind", "as_of", "edition", "limit", "cursor"),
    rows=(rows.NamedOrganisation,),
    rows_key="data",
)
ISSUERS: Endpoint[rows.Issuer] = Endpoint(
    name="issuers",
    path="/v1/issuers",
    takes=("country", "exchange", "industry", "has_item", "as_of", "edition", "limit", "cursor"),
    rows=(rows.Issuer,),
    rows_key="data",
)
CROSSWALK: Endpoint[rows.HeldIdentifier] = Endpoint(
    name="crosswalk",
    path="/v1/crosswalk/{service_id}",
    takes=("service_id", "edition", "cursor"),
    rows=(rows.HeldIdentifier,),
    rows_key="data",
)
LOOKUP: Endpoint[rows.IdentifiedOrganisation] = Endpoint(
    name="crosswalk_lookup",
    path="/v1/crosswalk",
    takes=("id_type", "id_value", "edition"),
    rows=(rows.IdentifiedOrganisation,),
    rows_key="data",
)
TENDERS: Endpoint[rows.ServedRelease] = Endpoint(
    name="tenders",
    path="/v1/tenders",
    takes=(
        "country",
        "ocid",
        "buyer",
        "supplier",
        "category",
        "status",
        "currency",
        "min_value",
        "max_value",
        "q",
        "from",
        "to",
        "as_of",
        "edition",
        "limit",
        "cursor",
    ),
    rows=(rows.ServedRelease,),
    rows_key="data",
)
TENDER_PROCESS: Endpoint[rows.ServedProcess] = Endpoint(
    name="tender_process",
    path="/v1/tenders/{ocid}",
    takes=("ocid", "as_of", "edition"),
    rows=(rows.ServedProcess,),
    rows_key="data",
)
TENDER_PARTIES: Endpoint[rows.PlayedPart] = Endpoint(
    name="tender_parties",
    path="/v1/tender-parties",
    takes=("country", "role", "service_id", "order", "as_of", "edition", "limit", "cursor"),
    rows=(rows.PlayedPart,),
    rows_key="data",
)
MACRO: Endpoint[rows.AnnualValue | rows.SeriesValue] = Endpoint(
    name="macro",
    path="/v1/macro",
    takes=(
        "series",
        "series_type",
        "frequency",
        "country",
        "indicator",
        "from",
        "to",
        "as_of",
        "vintages",
        "edition",
        "limit",
        "cursor",
    ),
    rows=(
        rows.AnnualValue,
        rows.SeriesValue,
    ),
    rows_key="data",
)
SHARED_FACTS: Endpoint[rows.SharedFact] = Endpoint(
    name="shared_facts",
    path="/v1/shared/facts",
    takes=("entity_id", "country", "dataset", "measure", "as_of", "edition", "limit", "cursor"),
    rows=(rows.SharedFact,),
    rows_key="data",
)
PANEL: Endpoint[rows.PanelFact] = Endpoint(
    name="panel",
    path="/v1/panel",
    takes=(
        "line_item",
        "country",
        "exchange",
        "service_id",
        "fiscal_year",
        "period_type",
        "vintages",
        "as_of",
        "edition",
        "limit",
        "cursor",
    ),
    rows=(rows.PanelFact,),
    rows_key="data",
)
FILINGS: Endpoint[rows.Filing] = Endpoint(
    name="filings",
    path="/v1/filings",
    takes=("since", "until", "form", "country", "service_id", "as_of", "edition", "limit", "cursor"),
    rows=(rows.Filing,),
    rows_key="data",
)
FACT: Endpoint[rows.FactVersion] = Endpoint(
    name="fact",
    path="/v1/facts/{fact_id}",
    takes=("fact_id", "as_of", "edition"),
    rows=(rows.FactVersion,),
    rows_key="data",
)
PROOF: Endpoint[rows.Proof] = Endpoint(
    name="proof",
    path="/v1/facts/{fact_id}/proof",
    takes=("fact_id", "edition"),
    rows=(rows.Proof,),
    rows_key="data",
)
PROCUREMENT_DEMAND: Endpoint[rows.ProcurementDemand] = Endpoint(
    name="procurement_demand",
    path="/v1/signals/procurement-demand",
    takes=("country", "category", "as_of", "from", "to", "edition", "limit", "cursor"),
    rows=(rows.ProcurementDemand,),
    rows_key="observations",
)
SIGNAL: Endpoint[
    rows.ProcurementDemand
    | rows.SupplierConcentration
    | rows.AwardLeadTime
    | rows.SingleBidderShare
    | rows.TenderValue
] = Endpoint(
    name="signal",
    path="/v1/signals/{signal_key}",
    takes=(
        "signal_key",
        "country",
        "category",
        "currency",
        "as_of",
        "from",
        "to",
        "edition",
        "limit",
        "cursor",
    ),
    rows=(
        rows.ProcurementDemand,
        rows.SupplierConcentration,
        rows.AwardLeadTime,
        rows.SingleBidderShare,
        rows.TenderValue,
    ),
    rows_key="observations",
)
SCREEN: Endpoint[rows.RankedValue] = Endpoint(
    name="screen",
    path="/v1/screen",
    takes=(
        "metric",
        "order",
        "country",
        "as_of",
        "basis",
        "max_age_days",
        "absent",
        "edition",
        "limit",
        "cursor",
    ),
    rows=(rows.RankedValue,),
    rows_key="data",
)
METRICS: Endpoint[rows.MetricValue] = Endpoint(
    name="metrics",
    path="/v1/metrics/{service_id}",
    takes=(
        "service_id",
        "metric",
        "years",
        "as_of",
        "basis",
        "max_age_days",
        "absent",
        "edition",
        "limit",
        "cursor",
    ),
    rows=(rows.MetricValue,),
    rows_key="data",
)
CATALOG: Endpoint[rows.CatalogEntry] = Endpoint(
    name="catalog",
    path="/v1/catalog/{kind}",
    takes=("kind", "edition", "limit", "cursor"),
    rows=(rows.CatalogEntry,),
    rows_key="data",
)
QUALITY: Endpoint[rows.QualityMetric] = Endpoint(
    name="quality_metrics",
    path="/v1/quality-metrics/{sku}",
    takes=("sku", "edition", "cursor"),
    rows=(rows.QualityMetric,),
    rows_key="data",
)
EDITIONS: Endpoint[rows.PublishedEdition] = Endpoint(
    name="editions",
    path="/v1/editions",
    takes=("edition", "limit", "cursor"),
    rows=(rows.PublishedEdition,),
    rows_key="data",
)
CHANGES: Endpoint[rows.Change] = Endpoint(
    name="changes",
    path="/v1/changes",
    takes=("since", "dataset", "reason", "service_id", "edition", "limit", "cursor"),
    rows=(rows.Change,),
    rows_key="data",
)
DIFF: Endpoint[rows.Difference] = Endpoint(
    name="diff",
    path="/v1/diff/{service_id}",
    takes=("service_id", "from_as_of", "to_as_of", "items", "edition", "cursor"),
    rows=(rows.Difference,),
    rows_key="data",
)
EXPORT: Endpoint[rows.Artifact] = Endpoint(
    name="export", path="/v1/export", takes=("edition", "cursor"), rows=(rows.Artifact,), rows_key="data"
)
EXPORT_OPEN: Endpoint[rows.Artifact] = Endpoint(
    name="export_open",
    path="/v1/export/open",
    takes=("edition", "cursor"),
    rows=(rows.Artifact,),
    rows_key="data",
)
