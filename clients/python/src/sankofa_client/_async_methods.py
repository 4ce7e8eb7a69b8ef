"""The methods of `AsyncClient`, one per endpoint.

Made by `generate.py` from the service's OpenAPI page: do not edit.
"""

from __future__ import annotations

from typing import Any, Literal, TypeVar

from sankofa_client import _endpoints as ask
from sankofa_client import rows
from sankofa_client._async_rows import AsyncRows
from sankofa_client._question import Day, Endpoint
from sankofa_client._words import Metric

T = TypeVar("T")


class AsyncMethods:
    """What can be asked; every answer is lazy, and follows its pages."""

    def _ask(self, endpoint: Endpoint[T], **asked: Any) -> AsyncRows[T]:
        raise NotImplementedError

    def fundamentals(
        self,
        service_id: str,
        *,
        as_of: Day | None = None,
        period_type: str | None = None,
        vintages: Literal["latest", "as_reported", "all"] | None = None,
        items: str | None = None,
        line_item: str | None = None,
        concept: str | None = None,
        fiscal_year: str | None = None,
        from_: Day | None = None,
        to: Day | None = None,
        edition: int | None = None,
        cursor: str | None = None,
    ) -> AsyncRows[rows.FundamentalsFact]:
        """Point-in-time reported facts of one issuer."""
        return self._ask(
            ask.FUNDAMENTALS,
            service_id=service_id,
            as_of=as_of,
            period_type=period_type,
            vintages=vintages,
            items=items,
            line_item=line_item,
            concept=concept,
            fiscal_year=fiscal_year,
            from_=from_,
            to=to,
            edition=edition,
            cursor=cursor,
        )

    def entity(
        self,
        service_id: str,
        *,
        edition: int | None = None,
    ) -> AsyncRows[rows.Organisation]:
        """One organisation."""
        return self._ask(ask.ENTITY, service_id=service_id, edition=edition)

    def search(
        self,
        *,
        q: str,
        country: str | None = None,
        kind: Literal["issuer", "other"] | None = None,
        as_of: Day | None = None,
        edition: int | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> AsyncRows[rows.NamedOrganisation]:
        """Organisations by name or identifier, the nearest first."""
        return self._ask(
            ask.SEARCH,
            q=q,
            country=country,
            kind=kind,
            as_of=as_of,
            edition=edition,
            limit=limit,
            cursor=cursor,
        )

    def issuers(
        self,
        *,
        country: str | None = None,
        exchange: str | None = None,
        industry: str | None = None,
        has_item: str | None = None,
        as_of: Day | None = None,
        edition: int | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> AsyncRows[rows.Issuer]:
        """Issuers that had filed accounts by a date."""
        return self._ask(
            ask.ISSUERS,
            country=country,
            exchange=exchange,
            industry=industry,
            has_item=has_item,
            as_of=as_of,
            edition=edition,
            limit=limit,
            cursor=cursor,
        )

    def crosswalk(
        self,
        service_id: str,
        *,
        edition: int | None = None,
        cursor: str | None = None,
    ) -> AsyncRows[rows.HeldIdentifier]:
        """The identifiers of one organisation."""
        return self._ask(ask.CROSSWALK, service_id=service_id, edition=edition, cursor=cursor)

    def lookup(
        self,
        *,
        id_type: Literal["lei", "ticker", "registry", "aggregator", "isin", "figi"],
        id_value: str,
        edition: int | None = None,
    ) -> AsyncRows[rows.IdentifiedOrganisation]:
        """The organisation that an outside identifier belongs to."""
        return self._ask(ask.LOOKUP, id_type=id_type, id_value=id_value, edition=edition)

    def tenders(
        self,
        *,
        country: str | None = None,
        from_: Day | None = None,
        as_of: Day | None = None,
        edition: int | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> AsyncRows[rows.ServedRelease]:
        """Releases of public tenders as OCDS, newest first."""
        return self._ask(
            ask.TENDERS,
            country=country,
            from_=from_,
            as_of=as_of,
            edition=edition,
            limit=limit,
            cursor=cursor,
        )

    def tender_parties(
        self,
        *,
        country: str | None = None,
        role: str | None = None,
        service_id: str | None = None,
        edition: int | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> AsyncRows[rows.PlayedPart]:
        """Organisations that buy and supply, by role and country."""
        return self._ask(
            ask.TENDER_PARTIES,
            country=country,
            role=role,
            service_id=service_id,
            edition=edition,
            limit=limit,
            cursor=cursor,
        )

    def macro(
        self,
        *,
        series: str | None = None,
        series_type: Literal["fx", "cpi", "indicator"] | None = None,
        frequency: Literal["annual", "quarterly", "monthly", "daily"] | None = None,
        country: str | None = None,
        indicator: str | None = None,
        from_: Day | int | None = None,
        to: Day | int | None = None,
        as_of: Day | None = None,
        vintages: Literal["latest", "as_reported", "all"] | None = None,
        edition: int | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> AsyncRows[rows.AnnualValue | rows.SeriesValue]:
        """Macroeconomic series as they were known, and indicators by year."""
        return self._ask(
            ask.MACRO,
            series=series,
            series_type=series_type,
            frequency=frequency,
            country=country,
            indicator=indicator,
            from_=from_,
            to=to,
            as_of=as_of,
            vintages=vintages,
            edition=edition,
            limit=limit,
            cursor=cursor,
        )

    def shared_facts(
        self,
        *,
        entity_id: str | None = None,
        country: str | None = None,
        dataset: Literal["AF-FUND", "AF-TENDER", "AF-MACRO"] | None = None,
        measure: str | None = None,
        as_of: Day | None = None,
        edition: int | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> AsyncRows[rows.SharedFact]:
        """Facts of any dataset in one shape, of one organisation or country."""
        return self._ask(
            ask.SHARED_FACTS,
            entity_id=entity_id,
            country=country,
            dataset=dataset,
            measure=measure,
            as_of=as_of,
            edition=edition,
            limit=limit,
            cursor=cursor,
        )

    def panel(
        self,
        *,
        line_item: str,
        country: str | None = None,
        exchange: str | None = None,
        service_id: str | None = None,
        fiscal_year: str | None = None,
        period_type: str | None = None,
        vintages: Literal["latest", "as_reported", "all"] | None = None,
        as_of: Day | None = None,
        edition: int | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> AsyncRows[rows.PanelFact]:
        """Line items of many issuers and fiscal years, as they were known on a date."""
        return self._ask(
            ask.PANEL,
            line_item=line_item,
            country=country,
            exchange=exchange,
            service_id=service_id,
            fiscal_year=fiscal_year,
            period_type=period_type,
            vintages=vintages,
            as_of=as_of,
            edition=edition,
            limit=limit,
            cursor=cursor,
        )

    def filings(
        self,
        *,
        since: Day | None = None,
        until: Day | None = None,
        form: str | None = None,
        country: str | None = None,
        service_id: str | None = None,
        as_of: Day | None = None,
        edition: int | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> AsyncRows[rows.Filing]:
        """What was filed, the newest first."""
        return self._ask(
            ask.FILINGS,
            since=since,
            until=until,
            form=form,
            country=country,
            service_id=service_id,
            as_of=as_of,
            edition=edition,
            limit=limit,
            cursor=cursor,
        )

    def fact(
        self,
        fact_id: str,
        *,
        as_of: Day | None = None,
        edition: int | None = None,
    ) -> AsyncRows[rows.FactVersion]:
        """One reported fact by its id, with every vintage of its value."""
        return self._ask(ask.FACT, fact_id=fact_id, as_of=as_of, edition=edition)

    def procurement_demand(
        self,
        *,
        country: str | None = None,
        category: str | None = None,
        as_of: Day | None = None,
        from_: Day | None = None,
        to: Day | None = None,
        edition: int | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> AsyncRows[rows.ProcurementDemand]:
        """What public bodies ask for, by category and month."""
        return self._ask(
            ask.PROCUREMENT_DEMAND,
            country=country,
            category=category,
            as_of=as_of,
            from_=from_,
            to=to,
            edition=edition,
            limit=limit,
            cursor=cursor,
        )

    def signal(
        self,
        signal_key: str,
        *,
        country: str | None = None,
        category: str | None = None,
        currency: str | None = None,
        as_of: Day | None = None,
        from_: Day | None = None,
        to: Day | None = None,
        edition: int | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> AsyncRows[
        rows.ProcurementDemand
        | rows.SupplierConcentration
        | rows.AwardLeadTime
        | rows.SingleBidderShare
        | rows.TenderValue
    ]:
        """A panel of procurement signals by month."""
        return self._ask(
            ask.SIGNAL,
            signal_key=signal_key,
            country=country,
            category=category,
            currency=currency,
            as_of=as_of,
            from_=from_,
            to=to,
            edition=edition,
            limit=limit,
            cursor=cursor,
        )

    def screen(
        self,
        *,
        metric: Metric,
        order: Literal["asc", "desc"] | None = None,
        country: str | None = None,
        as_of: Day | None = None,
        basis: Literal["exact", "as_known"] | None = None,
        max_age_days: int | None = None,
        absent: bool | None = None,
        edition: int | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> AsyncRows[rows.RankedValue]:
        """Issuers ranked by a metric, as they could be ranked on a date."""
        return self._ask(
            ask.SCREEN,
            metric=metric,
            order=order,
            country=country,
            as_of=as_of,
            basis=basis,
            max_age_days=max_age_days,
            absent=absent,
            edition=edition,
            limit=limit,
            cursor=cursor,
        )

    def metrics(
        self,
        service_id: str,
        *,
        metric: Metric | None = None,
        years: int | None = None,
        as_of: Day | None = None,
        basis: Literal["exact", "as_known"] | None = None,
        max_age_days: int | None = None,
        absent: bool | None = None,
        edition: int | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> AsyncRows[rows.MetricValue]:
        """The metrics of one issuer, as they could be known on a date."""
        return self._ask(
            ask.METRICS,
            service_id=service_id,
            metric=metric,
            years=years,
            as_of=as_of,
            basis=basis,
            max_age_days=max_age_days,
            absent=absent,
            edition=edition,
            limit=limit,
            cursor=cursor,
        )

    def catalog(
        self,
        kind: Literal[
            "metrics", "line-items", "indicators", "series", "signals", "categories", "exchanges", "sources"
        ],
        *,
        edition: int | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> AsyncRows[rows.CatalogEntry]:
        """What can be asked for: metrics, line items, indicators, series, exchanges, sources."""
        return self._ask(ask.CATALOG, kind=kind, edition=edition, limit=limit, cursor=cursor)

    def quality(
        self,
        sku: str,
        *,
        edition: int | None = None,
        cursor: str | None = None,
    ) -> AsyncRows[rows.QualityMetric]:
        """What was measured of a dataset: coverage, freshness, completeness, the look-ahead audit."""
        return self._ask(ask.QUALITY, sku=sku, edition=edition, cursor=cursor)

    def editions(
        self,
        *,
        edition: int | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> AsyncRows[rows.PublishedEdition]:
        """The editions of the data, newest first."""
        return self._ask(ask.EDITIONS, edition=edition, limit=limit, cursor=cursor)

    def changes(
        self,
        *,
        since: int | None = None,
        dataset: Literal["AF-FUND", "AF-TENDER", "AF-MACRO"] | None = None,
        reason: Literal["added", "restated", "renumbered", "corrected", "merged", "withdrawn"] | None = None,
        service_id: str | None = None,
        edition: int | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> AsyncRows[rows.Change]:
        """Rows that editions put and removed, oldest first."""
        return self._ask(
            ask.CHANGES,
            since=since,
            dataset=dataset,
            reason=reason,
            service_id=service_id,
            edition=edition,
            limit=limit,
            cursor=cursor,
        )

    def diff(
        self,
        service_id: str,
        *,
        from_as_of: Day,
        to_as_of: Day,
        items: str | None = None,
        edition: int | None = None,
        cursor: str | None = None,
    ) -> AsyncRows[rows.Difference]:
        """What became known about one issuer between two dates."""
        return self._ask(
            ask.DIFF,
            service_id=service_id,
            from_as_of=from_as_of,
            to_as_of=to_as_of,
            items=items,
            edition=edition,
            cursor=cursor,
        )

    def export(
        self,
        *,
        edition: int | None = None,
        cursor: str | None = None,
    ) -> AsyncRows[rows.Artifact]:
        """Parquet files of panels and of whole datasets."""
        return self._ask(ask.EXPORT, edition=edition, cursor=cursor)

    def export_open(
        self,
        *,
        edition: int | None = None,
        cursor: str | None = None,
    ) -> AsyncRows[rows.Artifact]:
        """Open Parquet files, without a key."""
        return self._ask(ask.EXPORT_OPEN, edition=edition, cursor=cursor)
