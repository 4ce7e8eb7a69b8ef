"""The directory of an archive: what zipfile reads of it, from any place, and nothing worse than a refusal."""

from __future__ import annotations

import io
import random
import zipfile

import pytest

from sankofa.core.errors import UnreadableDocument
from sankofa.ingest.bytes.bounds import Limits
from sankofa.ingest.bytes.directory import entries, packed, unpacked


def made(members, *, method=zipfile.ZIP_DEFLATED, comment=b"", streamed=False):
    file = Unseekable() if streamed else io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        archive.comment = comment
        for name, data in members.items():
            archive.writestr(name, data)
    return file.getvalue()


class Unseekable(io.BytesIO):
    """A stream that cannot go back: sizes follow the members."""

    def seekable(self):
        return False

    def seek(self, *_):
        raise io.UnsupportedOperation

    def tell(self):
        raise io.UnsupportedOperation


def contents(data, **where):
    stream = io.BytesIO(data)
    found = [one for one in entries(stream, **where) if one.is_file]
    return {one.name: unpacked(packed(stream, one), one) for one in found}


MEMBERS = {"a.json": b'{"a": 1}' * 50, "ß.json": b"", "folder/b.json": random.Random(1).randbytes(5_000)}


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
@pytest.mark.parametrize("comment", [b"", b"made on Tuesday"])
@pytest.mark.parametrize("streamed", [False, True])
def test_it_reads_what_zipfile_writes(method, comment, streamed):
    data = made(MEMBERS | {"folder/": b""}, method=method, comment=comment, streamed=streamed)
    assert contents(data) == MEMBERS


def test_reading_begins_at_any_entry():
    data = made({f"{number}.json": str(number).encode() for number in range(50)})
    places = [one.place for one in entries(io.BytesIO(data))]
    assert list(contents(data, place=places[20], count=3)) == ["20.json", "21.json", "22.json"]


def test_an_archive_of_more_members_than_a_small_field_can_count():
    data = made({str(number): b"" for number in range(70_000)}, method=zipfile.ZIP_STORED)
    assert sum(1 for _ in entries(io.BytesIO(data))) == 70_000


def test_sizes_in_the_extra_field_are_read(monkeypatch):
    monkeypatch.setattr(zipfile, "ZIP64_LIMIT", 100)
    assert contents(made(MEMBERS)) == MEMBERS


def test_a_member_that_was_altered_is_found():
    data = bytearray(made(MEMBERS, method=zipfile.ZIP_STORED))
    data[40] ^= 1
    with pytest.raises(UnreadableDocument, match="archive_damaged"):
        contents(bytes(data))


@pytest.mark.parametrize(
    ("limits", "reason"),
    [
        (Limits(ratio=5, ratio_free_bytes=100), "archive_packed_too_densely"),
        (Limits(document_bytes=1_000), "document_too_large"),
    ],
)
def test_what_unpacks_to_too_much_is_stopped(limits, reason):
    stream = io.BytesIO(made({"a": bytes(100_000)}))
    (entry,) = entries(stream)
    with pytest.raises(UnreadableDocument, match=reason):
        unpacked(packed(stream, entry, limits), entry, limits)


def test_members_that_overlap_are_refused():
    data = bytearray(made({"a": b"1" * 50, "b": b"2" * 50}, method=zipfile.ZIP_STORED))
    at = data.rfind(b"PK\x01\x02")
    data[at + 20 : at + 24] = (10**6).to_bytes(4, "little")
    with pytest.raises(UnreadableDocument, match="overlap"):
        contents(bytes(data))


def test_random_damage_is_refused_or_read_and_never_worse():
    seed = random.randrange(2**32)
    rng = random.Random(seed)
    whole = made(MEMBERS, method=zipfile.ZIP_STORED)
    for _ in range(2_000):
        data = bytearray(whole)
        for _ in range(rng.randrange(1, 4)):
            data[rng.randrange(len(data))] = rng.randrange(256)
        try:
            contents(bytes(data[: rng.randrange(len(data)) if rng.random() < 0.2 else len(data)]))
        except UnreadableDocument:
            continue
        except Exception as worse:
            raise AssertionError(f"seed {seed}") from worse
