"""The publisher of an installation: its walks, their order and their datasets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from sankofa.catalog.publish import Coverage, ServedSource, Sources
from sankofa.drift.bounds import ORGANISATIONS
from sankofa.editions.publish import Publisher
from sankofa.editions.signing import SigningKey
from sankofa.editions.walk import Walk
from sankofa.entities.organisations import RULES
from sankofa.entities.publish import Entities
from sankofa.entities.rules import Rules
from sankofa.entities.walk import Judgements, Organisations
from sankofa.export.publish import Artifacts
from sankofa.fundamentals.agreement import Agreement, agreement
from sankofa.fundamentals.line_items import MapEntry, load_map
from sankofa.fundamentals.publish import Fundamentals
from sankofa.ingest.parsers import PARSERS
from sankofa.ingest.source import Source
from sankofa.ingest.sources import closed_sources, sources
from sankofa.macro.publish import AUTHORITY, Macro
from sankofa.macro.walk import Series
from sankofa.metrics.publish import Metrics
from sankofa.quality.floors import Floors
from sankofa.quality.measures import FUND
from sankofa.quality.publish import Tallies, Totals
from sankofa.signals.publish import Signals
from sankofa.signals.walk import Cells
from sankofa.storage.objects import Objects
from sankofa.surfaces.settings import Settings
from sankofa.tenders.countries import Countries
from sankofa.tenders.mentions import Mentions
from sankofa.tenders.parties import Parties
from sankofa.tenders.publish import Tenders
from sankofa.tenders.walk import Processes


def publisher(
    settings: Settings,
    *,
    rules: Rules = RULES,
    line_items: tuple[MapEntry, ...] | None = None,
    authority: tuple[tuple[str, ...], ...] = AUTHORITY,
    closed: Iterable[str] | None = None,
    override: str = "",
    measured: Agreement | None = None,
    signing_key: SigningKey | None = None,
) -> Publisher:
    """Return the publisher, with the rules of this software version unless others are given.

    `override` is the reason to publish below a floor, if there is one.
    """
    known = sources(settings.sources)
    kept_back = frozenset(closed_sources(known) if closed is None else closed)
    served = {name: one for name, one in known.items() if name not in kept_back}
    others: tuple[Walk, ...] = (
        Series(steps=(Macro(authority),)),
        Processes(steps=(Tenders(),)),
        Parties(),
        Countries(),
        Cells(steps=(Signals(),)),
        Coverage(),
        Sources(
            ServedSource(name, one.publisher, one.country, one.license_class) for name, one in served.items()
        ),
        Artifacts(),
    )
    about_organisations = (
        Entities(rules, Mentions()),
        Fundamentals(load_map() if line_items is None else line_items),
        Metrics(),
    )
    organisations: tuple[Walk, ...] = (
        Judgements(judged_for=about_organisations, secret=settings.secret(), rules=rules),
        Organisations(steps=about_organisations, rules=rules),
    )
    data = Publisher(
        dsn=settings.publish_dsn,
        objects=Objects(settings.objects()),
        walks=(*organisations, *others),
        closed_sources=kept_back,
        signing_key=signing_key,
    )
    tallies = Tallies(_skus(served), data.versions(), measured or agreement(), fed=_fed(served))
    quality = (tallies, Totals())
    return replace(data, walks=(*data.walks, *quality), check=Floors(override))


def _skus(served: Mapping[str, Source]) -> dict[str, str]:
    """Return the dataset that each source of data is for; registers of organisations are for none."""
    by_source = {name: _dataset(known) for name, known in served.items()}
    return {name: dataset for name, dataset in by_source.items() if dataset != ORGANISATIONS}


def _fed(served: Mapping[str, Source]) -> dict[str, str]:
    """Return the dataset affected by a stale source; registers name the issuers of fundamentals."""
    by_source = {name: _dataset(known) for name, known in served.items() if known.portal}
    return {name: FUND if dataset == ORGANISATIONS else dataset for name, dataset in by_source.items()}


def _dataset(known: Source) -> str:
    return PARSERS[known.parser].recorder.dataset
