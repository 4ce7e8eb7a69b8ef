"""The files that editions list."""

from __future__ import annotations

from sankofa.core.dataset import Dataset, ServingTable

ARTIFACTS = ServingTable(
    name="artifact",
    columns={
        "edition": "The edition it was made from.",
        "first_edition": "First published_in it holds; of closings, the first edition that closed.",
        "last_edition": "Last one.",
        "after_row": "Row ids of its facts are above this.",
        "until_row": "And up to this.",
        "rows": "Rows of the file.",
        "bytes": "Its length.",
        "sha256": "Of its bytes.",
        "subject": "The table, or the key of a panel.",
        "kind": (
            "panel; rows or closings of a dataset; the metadata of an Iceberg table of these; "
            "its lists and manifests."
        ),
        "name": "Its name; of one content for ever.",
        "license_class": "Licence of the file.",
        "url": "Where it is read.",
        "object_key": "Its key in the bucket of its kind.",
        "columns": "Names and types, in order.",
    },
    identity=("name",),
    key="subject",
    cluster=("name",),
    taken_down=("organisation", "names", "fact"),
)

DATASET = Dataset(
    name="exports",
    package=__package__,
    about="The Parquet files that an edition lists.",
    tables=(ARTIFACTS,),
)
