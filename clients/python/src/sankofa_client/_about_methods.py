"""The methods of `Client` that ask for who there is, what there is and what changed, one per endpoint.

Made by `generate.py` from the service's OpenAPI page: do not edit.
"""

from __future__ import annotations

from typing import Any, Literal, TypeVar

from sankofa_client import _endpoints as ask
from sankofa_client import rows
from sankofa_client._question import Day, Endpoint
from sankofa_client._rows import Rows

T = TypeVar("T")


class AboutMethods:
    """What can be asked; every answer is lazy, and follows its pages."""

    def _ask(self, endpoint: Endpoint[T], **asked: Any) -> Rows[T]:
        raise NotImplementedError

    def entity(
        self,
        service_id: str,
        *,
        edition: int | None = None,
    ) -> Rows[rows.Organisation]:
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
    ) -> Rows[rows.NamedOrganisation]:
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
    ) -> Rows[rows.Issuer]:
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
    ) -> Rows[rows.HeldIdentifier]:
        """The identifiers of one organisation."""
        return self._ask(ask.CROSSWALK, service_id=service_id, edition=edition, cursor=cursor)

    def lookup(
        self,
        *,
        id_type: Literal["lei", "ticker", "registry", "aggregator", "isin", "figi"],
        id_value: str,
        edition: int | None = None,
    ) -> Rows[rows.IdentifiedOrganisation]:
        """The organisation that an outside identifier belongs to."""
        return self._ask(ask.LOOKUP, id_type=id_type, id_value=id_value, edition=edition)

    def proof(
        self,
        fact_id: str,
        *,
        edition: int | None = None,
    ) -> Rows[rows.Proof]:
        """Proof that a fact is part of a signed edition."""
        return self._ask(ask.PROOF, fact_id=fact_id, edition=edition)

    def catalog(
        self,
        kind: Literal[
            "metrics", "line-items", "indicators", "series", "signals", "categories", "exchanges", "sources"
        ],
        *,
        edition: int | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Rows[rows.CatalogEntry]:
        """What can be asked for: metrics, line items, indicators, series, exchanges, sources."""
        return self._ask(ask.CATALOG, kind=kind, edition=edition, limit=limit, cursor=cursor)

    def quality(
        self,
        sku: str,
        *,
        edition: int | None = None,
        cursor: str | None = None,
    ) -> Rows[rows.QualityMetric]:
        """What was measured of a dataset: coverage, freshness, completeness, the look-ahead audit."""
        return self._ask(ask.QUALITY, sku=sku, edition=edition, cursor=cursor)

    def editions(
        self,
        *,
        edition: int | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Rows[rows.PublishedEdition]:
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
    ) -> Rows[rows.Change]:
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
    ) -> Rows[rows.Difference]:
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
    ) -> Rows[rows.Artifact]:
        """Files of panels and of whole datasets."""
        return self._ask(ask.EXPORT, edition=edition, cursor=cursor)
