"""The methods of `AsyncClient` that ask for the data, one per endpoint.

Made by `generate.py` from the service's OpenAPI page: do not edit.
"""

from __future__ import annotations

from typing import Any, Literal, TypeVar

from sankofa_client import _endpoints as ask
from sankofa_client import rows
from sankofa_client._async_about_methods import AsyncAboutMethods
from sankofa_client._async_rows import AsyncRows
from sankofa_client._question import Day, Endpoint
from sankofa_client._words import Metric

T = TypeVar("T")


class AsyncMethods(AsyncAboutMethods):
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

    def tenders(
        self,
        *,
        country: str | None = None,
        ocid: str | None = None,
        buyer: str | None = None,
        supplier: str | None = None,
        category: str | None = None,
        status: str | None = None,
        currency: str | None = None,
        min_value: str | None = None,
        max_value: str | None = None,
        q: str | None = None,
        from_: Day | None = None,
        to: Day | None = None,
        as_of: Day | None = None,
        edition: int | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> AsyncRows[rows.ServedRelease]:
        """Releases of public tenders as OCDS, newest first."""
        return self._ask(
            ask.TENDERS,
            country=country,
            ocid=ocid,
            buyer=buyer,
            supplier=supplier,
            category=category,
            status=status,
            currency=currency,
            min_value=min_value,
            max_value=max_value,
            q=q,
            from_=from_,
            to=to,
            as_of=as_of,
            edition=edition,
            limit=limit,
            cursor=cursor,
        )

    def tender_process(
        self,
        ocid: str,
        *,
        as_of: Day | None = None,
        edition: int | None = None,
    ) -> AsyncRows[rows.ServedProcess]:
        """One contracting process: what its releases say together, and when each became known."""
        return self._ask(ask.TENDER_PROCESS, ocid=ocid, as_of=as_of, edition=edition)

    def tender_parties(
        self,
        *,
        country: str | None = None,
        role: str | None = None,
        service_id: str | None = None,
        order: Literal["service_id", "releases"] | None = None,
        as_of: Day | None = None,
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
            order=order,
            as_of=as_of,
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

    def export_open(
        self,
        *,
        edition: int | None = None,
        cursor: str | None = None,
    ) -> AsyncRows[rows.Artifact]:
        """Open Parquet files, without a key."""
        return self._ask(ask.EXPORT_OPEN, edition=edition, cursor=cursor)
