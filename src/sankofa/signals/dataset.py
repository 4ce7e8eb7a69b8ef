"""The dataset of signals: panels that are computed from tenders, by country and month."""

from __future__ import annotations

from sankofa.core.dataset import Dataset, ServingTable

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
)
