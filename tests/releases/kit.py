"""A small installation as a release wrote it: the dump of its database, its objects in S3, and its answers.

`python -m dev.release` writes the kit of a release. `tests/behaviour/test_upgrade.py` takes each one over.
"""

from __future__ import annotations

import gzip
import io
import json
import subprocess
import tarfile
from itertools import product
from pathlib import Path

import obstore

from demo import companyfacts
from demo.world import World
from demo.write import FORMATS
from dev.installation import Installation
from dev.seaweedfs import BUCKETS
from sankofa.storage.migrate import CREATE_DATABASE
from sankofa.storage.postgres import connect, sql
from support.service import Service

RELEASES = Path(__file__).parent
WORLD = World(facts=500)
PARTS = 2  # documents of each format
DATABASE, OBJECTS, ANSWERS = "database.sql.gz", "objects.tar.gz", "answers.json.gz"
KEPT, TAKEN_DOWN = 0, 1  # issuers of the world
DAYS = ("2023-06-30", "2025-12-31")
QUESTIONS = (
    "/v1/fundamentals/{kept}?edition={edition}&as_of={day}&vintages=all",
    "/v1/fundamentals/{taken_down}?edition={edition}&as_of={day}",
    "/v1/metrics/{kept}?edition={edition}&as_of={day}&basis=as_known",
    "/v1/screen?edition={edition}&as_of={day}&metric=net_margin&basis=as_known",
    "/v1/macro?edition={edition}&as_of={day}&country=KE&limit=200",
    "/v1/tenders?edition={edition}&as_of={day}&country=ZA&limit=20",
    "/v1/signals/single-bidder-share?edition={edition}&as_of={day}&country=ZA",
    "/v1/entities/{kept}?edition={edition}",
    "/v1/tender-parties?edition={edition}&limit=20",
    "/v1/changes?edition={edition}&limit=50",
)


def releases():
    """Return the kits that there are, by release."""
    return sorted(folder for folder in RELEASES.iterdir() if (folder / DATABASE).is_file())


def fill(service):
    """Publish three editions: a first load, a later filing, and what is left after a takedown."""
    for written in FORMATS.values():
        for number in range(min(PARTS, written.parts(WORLD))):
            document = written.part(WORLD, number)
            service.ingest((document.content, document.fetched_at), source_name=written.SOURCE)
    service.publish()
    publish_later_filing(service, 1)
    service.export()
    service.take_down(issuer(service, TAKEN_DOWN))
    publish_later_filing(service, 2)


def publish_later_filing(service, number):
    """Publish what an issuer files some days after the world was fetched."""
    document = companyfacts.later_filing(WORLD, KEPT, number)
    service.ingest((document.content, document.fetched_at), source_name=companyfacts.SOURCE)
    service.publish()


def issuer(service, index):
    return service.id_of(f"cik:{companyfacts.cik(index)}")


def asked(service):
    """Return what a service answers under addresses that never change their answer."""
    editions = [row["edition"] for row in service.get("/v1/editions").exact["data"]]
    ids = {"kept": issuer(service, KEPT), "taken_down": issuer(service, TAKEN_DOWN)}
    addresses = {
        question.format(edition=edition, day=day, **ids)
        for question, edition, day in product(QUESTIONS, editions, DAYS)
    }
    return {address: rows_of(service, address) for address in sorted(addresses)}


def rows_of(service, address):
    response = service.get(address)
    assert response.status_code in (200, 404), response.text
    body = json.loads(response.content)
    return body.get("data", body.get("observations", response.status_code))


def write(service, folder):
    """Write the kit of an installation."""
    folder.mkdir(parents=True)
    postgres = service.installation.stack.postgres
    dump = [postgres.programs / "pg_dump", f"--dbname={postgres.dsn(dbname=service.installation.database)}"]
    told = subprocess.run(dump, capture_output=True, check=True).stdout
    (folder / DATABASE).write_bytes(gzip.compress(told, mtime=0))
    with tarfile.open(folder / OBJECTS, "w:gz") as archive:
        for bucket in BUCKETS:
            store = service.installation.stack.s3.store(bucket)
            for path in sorted(one["path"] for batch in obstore.list(store) for one in batch):
                content = bytes(obstore.get(store, path).bytes())
                entry = tarfile.TarInfo(f"{bucket}/{path}")
                entry.size = len(content)
                archive.addfile(entry, io.BytesIO(content))
    (folder / ANSWERS).write_bytes(gzip.compress(json.dumps(asked(service)).encode(), mtime=0))


def told(folder):
    """Return what the release answered, by address."""
    return json.loads(gzip.decompress((folder / ANSWERS).read_bytes()))


def take_over(stack, folder):
    """Put an installation where it was written and bring it to the schema of today, as an operator does."""
    database = f"release_{folder.name.replace('.', '_')}"
    Installation(stack, "prepared").prepare()  # roles are of the whole server
    with connect(stack.postgres_dsn()) as admin:
        admin.execute(sql.SQL(CREATE_DATABASE).format(sql.Identifier(database)))
    restore = [
        stack.postgres.programs / "psql",
        "--quiet",
        "--set=ON_ERROR_STOP=1",
        stack.postgres_dsn(dbname=database),
    ]
    dump = gzip.decompress((folder / DATABASE).read_bytes())
    done = subprocess.run(restore, input=dump, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    with tarfile.open(folder / OBJECTS) as archive:
        for entry in archive:
            bucket, _, path = entry.name.partition("/")
            obstore.put(stack.s3.store(bucket), path, archive.extractfile(entry).read())
    return Service(stack, database, template=None)
