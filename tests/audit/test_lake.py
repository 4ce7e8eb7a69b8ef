"""The lake through many editions: every reader finds what each held, at few bytes, and nothing taken down."""

from __future__ import annotations

import io
import random
import tempfile

import pyarrow.parquet as pq
import pytest

from demo import write
from demo.world import World
from sankofa.datasets import DATASETS
from support.filings import FY2022, FY2023, Filer
from support.lake_readers import by_duckdb, by_polars, by_pyiceberg, held, opened, with_extensions
from support.stated_macro import GDP, indicator
from support.stated_tenders import SOURCE, award, id_of_party, package, release, tender

BULK = [bulk for dataset in DATASETS for bulk in dataset.bulk]
READERS = {"DuckDB": by_duckdb, "PyIceberg": by_pyiceberg, "Polars": by_polars}
GONE = "Vanishing Bridge Builders (Pty) Ltd"
FILED = Filer(77, name="Vanishing Accounts PLC")
MOST_TIMES_PLAIN = 1.5  # everything that is kept, against one file with the rows of the last edition


class Grown:
    """A service that changed from edition to edition, with what was seen on the way."""

    def __init__(self, service, size, seed):
        self.service = service
        self.size = size
        self.rng = random.Random(seed)
        self.filers = [Filer(100 + number, name=f"Grown {number} PLC") for number in range(5)]
        self.buried = []

    def next_edition(self, number):
        """Publish restatements, late documents, revised series and awards; then export."""
        service, day = self.service, f"2024-{number % 12 + 1:02d}-{number % 28 + 1:02d}"
        for filer in self.rng.sample(self.filers, 2):
            filer.says(self.rng.randrange(1_000_000), filed=day)
            # Filed long before the documents that earlier editions hold.
            filer.says(self.rng.randrange(1_000), filed=f"2023-{number % 12 + 1:02d}-15", period=FY2022)
            service.ingest(filer.document())
        years = {("KEN", year): self.rng.randrange(100) for year in range(2000, 2010)}
        service.ingest(indicator(years, GDP), source_name="demo-world-bank")
        won = award("a", 5 + number, f"Umoya {number} Works (Pty) Ltd")
        told = release(f"ocds-lake-{number}", tag=["award"], tender=tender(9, category="Roads"), awards=[won])
        service.ingest(package(told), source_name=SOURCE)
        service.publish()
        service.export()

    def bury(self):
        """Publish two parties, export them, take them down, and go on."""
        service = self.service
        FILED.says(4711, filed="2024-02-01").says(4712, filed="2024-03-01", period=FY2023)
        service.ingest(FILED.document())
        service.ingest(package(release("ocds-gone", awards=[award("a", 8, GONE)])), source_name=SOURCE)
        service.publish()
        service.export()
        service.publish()
        self.buried = [service.id_of(FILED.identifier), id_of_party(service, GONE), GONE, FILED.name]
        assert found(service, self.buried), "the drill would find nothing in any case"
        for service_id in self.buried[:2]:
            service.take_down(service_id)


@pytest.fixture(scope="module")
def grown(module_service, size, seed):
    service = module_service
    for name, made in write.made(World(seed=seed, facts=size.lake_facts)):
        service.ingest((made.content, made.fetched_at), source_name=name)
    world = Grown(service, size, seed)
    service.publish()
    service.export()
    for number in range(2, size.lake_editions):
        if number == size.lake_editions // 2:
            world.bury()
        world.next_edition(number)
    service.await_edition(service.publish().edition)
    return world


@pytest.fixture(scope="module")
def lake(grown):
    with opened(grown.service) as lake:
        yield lake


@pytest.mark.timeout(7200)
def test_every_reader_finds_every_edition_as_it_is_served(grown, lake):
    connection = lake.duckdb()
    last = grown.service.client.get("/v1/status").json()["edition"]
    compared = 0
    for bulk in (one for one in BULK if one.name in lake.tables):
        for edition in range(1, last + 1):
            wanted = held(grown.service, bulk, edition)
            for reader, read in READERS.items():
                got = read(connection if read is by_duckdb else lake, bulk.name, edition)
                assert got == wanted, (reader, bulk.name, edition, got - wanted, wanted - got)
            compared += sum(wanted.values())
    print(f"{last} editions, {len(lake.tables)} tables: {compared:,} rows x 3 readers, 0 differences")
    assert {"fundamentals", "awards", "releases", "macro", "organisations", "metrics"} <= set(lake.tables)


def test_a_tag_holds_what_was_published_up_to_its_edition(grown, lake):
    table = lake.table("fundamentals")
    tags = [name for name in table.metadata.refs if name.startswith("edition-")]
    for name in tags:
        rows = table.scan(snapshot_id=table.metadata.refs[name].snapshot_id).to_arrow()
        edition = int(name.removeprefix("edition-"))
        ((wanted,),) = grown.service.rows(
            "SELECT count(*) FROM serving.bulk_fund WHERE published_in <= %s", edition
        )
        assert rows.num_rows == wanted, name
    assert len(tags) >= grown.size.lake_editions - 2


def test_duckdb_s_own_reader_of_iceberg_finds_the_same_in_the_bucket(grown):
    service, options = grown.service, grown.service.settings.objects()
    connection = with_extensions("httpfs", "avro", "iceberg")
    endpoint = options.endpoint.partition("://")[2]
    connection.execute(
        f"CREATE SECRET (TYPE s3, KEY_ID '{options.access_key}', SECRET '{options.secret_key}', "
        f"ENDPOINT '{endpoint}', URL_STYLE 'path', USE_SSL false, REGION 'us-east-1')"
    )
    ((key,),) = service.rows(
        "SELECT object_key FROM serving.artifact WHERE subject = 'fundamentals' AND kind = 'rows_table'"
        " AND superseded_in = 2147483647"
    )
    place = f"s3://{service.settings.licensed_bucket}/{key}"
    rows = connection.sql(f"SELECT count(*), sum(value_reported) FROM iceberg_scan('{place}')").fetchall()
    assert rows == service.rows("SELECT count(*), sum(value_reported) FROM serving.bulk_fund")


def test_a_filing_adds_kilobytes_and_all_editions_cost_little_more_than_the_last(grown, lake, tmp_path):
    plain = plain_size(lake.duckdb(), lake.tables, tmp_path)
    data, every = kept(grown.service, "rows", "closings"), kept(grown.service, "%")
    print(f"files {data:,} B, with metadata {every:,} B, plain {plain:,} B:", end=" ")
    print(f"{data / plain:.2f} and {every / plain:.2f} times")
    service = grown.service
    service.ingest(grown.filers[0].says(1, filed="2025-06-01", period=FY2022).document())
    service.publish()
    ((before,),) = service.rows("SELECT max(artifact_id) FROM ops.artifact")
    service.export()
    added = service.rows(
        "SELECT subject, kind, count(*), sum(bytes)::bigint FROM ops.artifact WHERE artifact_id > %s"
        " GROUP BY 1, 2 ORDER BY 4 DESC",
        before,
    )
    total = sum(size for *_, size in added)
    print(f"one filing adds {total / 1024:.0f} KB")
    for line in added:
        print("  ", *line)
    assert total < 1 << 20
    assert data / plain <= MOST_TIMES_PLAIN
    # A snapshot takes the same few kilobytes however small the world is.
    assert every / plain <= MOST_TIMES_PLAIN or grown.size.lake_facts < 1_000_000


def kept(service, *kinds):
    """Return the bytes of licensed files of some kinds."""
    ((size,),) = service.rows(
        "SELECT sum(bytes)::bigint FROM ops.artifact_standing AS standing"
        " JOIN ops.artifact USING (artifact_id)"
        " WHERE standing <> 'void' AND artifact.kind <> 'panel' AND artifact.kind LIKE ANY(%s)",
        list(kinds),
    )
    return size


def plain_size(connection, tables, folder):
    """Return the bytes of one file for each table, with the rows of its last edition."""
    total = 0
    for bulk in (one for one in BULK if one.name in tables):
        file, name = folder / "plain.parquet", bulk.name.replace("-", "_")
        query = f"FROM {name}_in(999999) ORDER BY {bulk.order}"
        connection.execute(f"COPY ({query}) TO '{file}' (FORMAT parquet, COMPRESSION zstd)")
        total += file.stat().st_size
    return total


def test_nothing_that_was_taken_down_is_in_any_object(grown):
    hits = found(grown.service, grown.buried)
    print(f"{len(objects(grown.service))} objects searched: {len(hits)} hits")
    assert hits == []
    assert found(grown.service, [grown.filers[0].name]), "the search finds what is there"


def objects(service):
    ((instance,),) = service.rows("SELECT left(instance_id::text, 8) FROM ops.instance")
    return [
        (bucket, key) for bucket in (service.licensed, service.panels) for key in bucket.keys(f"{instance}/")
    ]


def found(service, words):
    """Return the objects in which a word is, packed or unpacked."""
    connection = with_extensions("avro")
    return [
        (key, word)
        for bucket, key in objects(service)
        for text in [unpacked(connection, key, bucket.fetch(key))]
        for word in words
        if word in text
    ]


def unpacked(connection, key, content):
    """Return the bytes of an object, and all that is in it once it is unpacked, as text."""
    text = content.decode("latin-1")
    if key.endswith(".parquet"):
        file = pq.ParquetFile(io.BytesIO(content))
        return f"{text}{file.metadata.to_dict()}{file.schema_arrow.metadata}{file.read().to_pylist()}"
    if key.endswith(".avro"):
        return f"{text}{avro(connection, content)}"
    return text


def avro(connection, content):
    """Return the rows of an Avro file, as DuckDB unpacks them."""
    with tempfile.NamedTemporaryFile(suffix=".avro") as file:
        file.write(content)
        file.flush()
        return connection.sql(f"FROM read_avro('{file.name}')").fetchall()
