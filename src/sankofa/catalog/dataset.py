"""The datasets of the catalogue: counts of issuers by shelf, and sources with their documents."""

from __future__ import annotations

from sankofa.core.dataset import Dataset, ServingTable

SHELVES = ServingTable(
    name="coverage",
    columns={
        "coverage_id": "Hash of shelf, kind, key and country.",
        "issuers": "Issuers that have it.",
        "first_date": "First period end that any of them has; null where none has one.",
        "last_date": "Last period end; null where none has one.",
        "shelf": "First characters of the issuers' ids.",
        "kind": "line-items, metrics or exchanges.",
        "key": "The line item, metric or exchange.",
        "country": "ISO 3166-1 alpha-2; empty where not known.",
        "license_classes": "Licences of what is behind it.",
    },
    identity=("coverage_id",),
    key="shelf",
    cluster=("kind", "key"),
    gone="'withdrawn'",
)
SERVED = ServingTable(
    name="source",
    columns={
        "documents": "Documents of it that the edition holds.",
        "first_fetched_at": "When the first of them was fetched.",
        "last_fetched_at": "When the last of them was fetched.",
        "source": "Its name: the first part of source_ref.",
        "publisher": "Who publishes it.",
        "country": "ISO 3166-1 alpha-2 of a portal; empty for others.",
        "license_class": "Licence that its data is held under.",
    },
    identity=("source",),
    key="source",
    cluster=("source",),
    gone="'withdrawn'",
)

COVERAGE = Dataset(
    name="coverage",
    package=__package__,
    about="How many issuers each country has for a line item, a metric or an exchange.",
    tables=(SHELVES,),
)
SOURCES = Dataset(
    name="sources",
    package=__package__,
    about="The sources that an edition rests on, with their documents.",
    tables=(SERVED,),
)
