"""The dataset of signals: panels that are computed from tenders, by country and month."""

from __future__ import annotations

from sankofa.core.dataset import Bulk, BulkColumn, Dataset, ServingTable, place

SIGNALS = ServingTable(
    name="signal",
    columns={
        "signal_id": "Hash of panel, cell and breakdown; it never changes.",
        "observed_at": "When the latest document of the inputs was fetched.",
        "month": "First day of the month.",
        "cell": "Country and month, such as ZA 2024-01: what is computed together.",
        "panel": "Key of the panel.",
        "country": "The portals' country, ISO 3166-1 alpha-2.",
        "breakdown": "The portal's category or an ISO 4217 code, as the panel has it.",
        "methodology_ref": "The method, and its version, that the figures were made by.",
        "license_class": "The strictest licence among the inputs.",
        "figures": "The panel's figures by name; null where one cannot be known.",
        "source_ref": "The documents of the inputs, sorted.",
    },
    identity=("signal_id",),
    key="cell",
    cluster=("panel", "country", "month", "breakdown"),
)

DATASET = Dataset(
    name="signals",
    package=__package__,
    about="Panels computed from tenders, by country and month.",
    tables=(SIGNALS,),
    bulk=(
        Bulk(
            name="signals",
            about="Every version of the figures of every panel, whatever the licence of their sources.",
            facts=SIGNALS,
            view="bulk_signal",
            columns=(
                *place("Row id of the figures.", "First edition that holds the row."),
                BulkColumn("panel", "VARCHAR"),
                BulkColumn("country", "VARCHAR"),
                BulkColumn("breakdown", "VARCHAR"),
                BulkColumn("month", "DATE"),
                BulkColumn(
                    "available_at", "DATE", "First day after the month: no earlier answer shows the figures."
                ),
                BulkColumn("figures", "VARCHAR", "The panel's figures by name, as JSON."),
                BulkColumn("methodology_ref", "VARCHAR"),
                BulkColumn("source_ref", "VARCHAR"),
                BulkColumn("license_class", "VARCHAR"),
                BulkColumn("observed_at", "TIMESTAMP WITH TIME ZONE"),
            ),
            order="panel, country, month, breakdown, row_id",
        ),
    ),
)
