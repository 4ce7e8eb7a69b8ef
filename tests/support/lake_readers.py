"""A table of the lake as DuckDB, PyIceberg and Polars read one edition of it, in one spelling."""

from __future__ import annotations

from collections import Counter
from contextlib import contextmanager
from importlib import resources

import duckdb
import polars as pl
from pyiceberg.expressions import LessThanOrEqual

from sankofa_client import Client

COLUMNS_OF = "SELECT column_name FROM information_schema.columns WHERE table_name = %s"
WORKED_OUT = {"country_iso3"}  # made by the exporter from another column


@contextmanager
def opened(service):
    """Return the lake of a client with a paid key."""
    key = service.issue().key
    with (
        Client(str(service.client.base_url), key=key, wait_for_limits=True, timeout=600) as client,
        client.lake() as lake,
    ):
        yield lake


def counted(rows):
    """Return rows as a bag: lists are made hashable, and columns that are worked out are left out."""
    return Counter(
        tuple(
            tuple(value) if isinstance(value, list) else value
            for name, value in sorted(row.items())
            if name not in WORKED_OUT
        )
        for row in rows
    )


def held(service, bulk, edition):
    """Return what an edition holds of a table, by the database."""
    names = [column.name for column in bulk.columns if column.name not in bulk.alpha3_of]
    listed = ", ".join(f'"{name}"' for name in names)
    with service.connect() as admin:
        admin.execute("SET TimeZone = 'UTC'")
        found = admin.execute(
            f"SELECT {listed} FROM serving.{bulk.view} WHERE published_in <= %(e)s AND superseded_in > %(e)s",
            {"e": edition},
        )
        return counted(dict(zip(names, row, strict=True)) for row in found)


def by_duckdb(connection, name, edition):
    query = f'FROM "{name.replace("-", "_")}_in"({edition})'
    return counted(connection.sql(query).to_arrow_table().to_pylist())


def by_pyiceberg(lake, name, edition):
    """Return the rows of an edition: one filter, and the closings left out by hand."""
    rows = lake.table(name).scan(row_filter=LessThanOrEqual("published_in", edition)).to_arrow().to_pylist()
    try:
        closings = lake.table(name, "closings")
    except KeyError:
        return counted(rows)
    gone = closings.scan(row_filter=LessThanOrEqual("closed_in", edition)).to_arrow().to_pylist()
    closed = {(row["row_id"], row["published_in"]) for row in gone}
    return counted(row for row in rows if (row["row_id"], row["published_in"]) not in closed)


def by_polars(lake, name, edition):
    rows = scanned(lake.table(name)).filter(pl.col("published_in") <= edition)
    try:
        closed = scanned(lake.table(name, "closings")).filter(pl.col("closed_in") <= edition)
    except KeyError:
        return counted(rows.collect().to_dicts())
    return counted(rows.join(closed, on=["row_id", "published_in"], how="anti").collect().to_dicts())


def scanned(table):
    """Return a lazy frame; PyIceberg reads, since Polars itself has no way to our files."""
    return pl.scan_iceberg(table, reader_override="pyiceberg")


def with_extensions(*names):
    """Return a connection with extensions of DuckDB that are installed as packages."""
    connection = duckdb.connect(config={"autoinstall_known_extensions": "false"})
    for name in names:
        file = f"extensions/v{duckdb.__version__}/{name}.duckdb_extension"
        connection.execute(f"LOAD '{resources.files(f'duckdb_extension_{name}').joinpath(file)}'")
    return connection
