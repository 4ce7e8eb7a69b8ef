"""The publisher of an installation: which walks an edition takes, in which order, over which datasets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from sankofa.catalog.publish import Coverage, ServedSource, Sources
from sankofa.drift.bounds import ORGANISATIONS
from sankofa.editions.publish import Publisher
from sankofa.editions.walk import Walk
from sankofa.entities.organisations import RULES
from sankofa.entities.publish import Entities
from sankofa.entities.rules import Rules
from sankofa.entities.walk import Judgements, Organisations
from sankofa.export.publish import Artifacts
from sankofa.fundamentals.line_items import MapEntry, load_map
from sankofa.fundamentals.publish import Fundamentals
from sankofa.ingest.parsers import PARSERS
from sankofa.ingest.sources import Source, closed_sources, sources
from sankofa.macro.publish import PREFERENCE, Macro
from sankofa.macro.walk import Series
from sankofa.metrics.publish import Metrics
from sankofa.quality.floors import Floors
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
    preference: tuple[str, ...] = PREFERENCE,
    closed: Iterable[str] | None = None,
    override: str = "",
) -> Publisher:
    """Return the publisher, with the rules of this version of the software unless others are given.

    `override` is the reason to publish below a floor, if there is one.
    """
    kept_back = frozenset(closed_sources() if closed is None else closed)
    others: tuple[Walk, ...] = (
        Series(steps=(Macro(preference),)),
        Processes(steps=(Tenders(),)),
        Parties(),
        Countries(),
        Cells(steps=(Signals(),)),
        Coverage(),
        Sources(
            ServedSource(name, known.publisher, known.country, known.license_class)
            for name, known in sources().items()
            if name not in kept_back
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
    )
    served = {name: known for name, known in sources().items() if name not in kept_back}
    quality = (Tallies(_skus(served), data.versions()), Totals())
    return replace(data, walks=(*data.walks, *quality), check=Floors(override))


def _skus(served: Mapping[str, Source]) -> dict[str, str]:
    """Return the dataset that each source of data is for; registers of organisations are for none."""
    by_source = {name: PARSERS[known.parser].recorder.dataset for name, known in served.items()}
    return {name: dataset for name, dataset in by_source.items() if dataset != ORGANISATIONS}
