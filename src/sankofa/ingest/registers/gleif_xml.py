"""GLEIF golden copy and concatenated files as XML: LEI-CDF 2.1 and 3.1, one record after the other.

A document type declaration is rejected before it takes effect, so there are no entities to expand or fetch.
No tree is built: only the needed texts of a record are kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import BinaryIO
from xml.parsers import expat

from sankofa.core.errors import UnreadableDocument
from sankofa.entities.model import OrganisationRecord
from sankofa.ingest.bytes.bounds import LIMITS, Limits, Rejections
from sankofa.ingest.bytes.packed import pieces
from sankofa.ingest.registers.gleif_record import PATHS, LeiRecord, Reading

_NAMESPACE = "http://www.gleif.org/data/schema/leidata/"
_ROOT = ["LEIData", "LEIRecords", "LEIRecord"]
_SUCCESSOR = "Entity/SuccessorEntity/SuccessorLEI"
_DELETED = "DeletedAt"  # in an extension, whose namespace has changed over the years
_EMPTY = dict.fromkeys(LeiRecord._fields[:-1], "")


def parse(
    document: BinaryIO | bytes, rejections: Rejections, limits: Limits = LIMITS, *, fetched_at: datetime
) -> Iterator[OrganisationRecord]:
    """Yield the organisations of an LEI-CDF document: plain, gzip, or the one file of a zip archive."""
    reading = Reading(rejections, fetched_at)
    for record in _records(document, limits):
        if organisation := reading.organisation(record):
            yield organisation


def _records(document: BinaryIO | bytes, limits: Limits) -> Iterator[LeiRecord]:
    found = _Found(limits)
    parser = found.parser
    read = 0
    try:
        for piece in pieces(document, limits):
            parser.Parse(piece, False)
            read += len(piece)
            # The rest is one piece of markup that has not ended yet.
            if read - parser.CurrentByteIndex > limits.line_bytes + len(piece):
                raise UnreadableDocument("markup_too_long", f"at byte {parser.CurrentByteIndex}")
            yield from found.taken()
        parser.Parse(b"", True)
    except (expat.ExpatError, LookupError, ValueError) as wrong:  # the latter two: of an unknown encoding
        raise UnreadableDocument("malformed_xml", str(wrong)) from wrong
    yield from found.taken()


class _Found:
    """The parser's state: the current path, the texts of the current record, and finished records."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._records: list[LeiRecord] = []
        self._path: list[str] = []
        self._texts: dict[str, str] = {}
        self._successors: list[str] = []
        self._wanted = ""
        self._text: list[str] = []
        self._characters = 0
        self.parser = expat.ParserCreate(namespace_separator=" ")
        self.parser.buffer_text = True
        self.parser.StartDoctypeDeclHandler = self._refuse_declaration
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end

    def taken(self) -> list[LeiRecord]:
        """Return the records finished since the last call."""
        records, self._records = self._records, []
        return records

    def _refuse_declaration(self, *_: object) -> None:
        raise UnreadableDocument("document_type_declared")

    def _start(self, name: str, _attributes: dict[str, str]) -> None:
        namespace, _, local = name.rpartition(" ")
        path = self._path
        depth = len(path)
        if depth >= self._limits.depth:
            raise UnreadableDocument("nested_too_deep", f"more than {self._limits.depth} levels")
        if depth == 0 and not (local == _ROOT[0] and namespace.startswith(_NAMESPACE)):
            raise UnreadableDocument("unexpected_shape", f"a document of {name}")
        path.append(local)
        if depth < len(_ROOT) or path[2] != _ROOT[2]:
            return
        if namespace.startswith(_NAMESPACE):
            inside = "/".join(path[3:])
            self._wanted = PATHS.get(inside, "") or (_SUCCESSOR if inside == _SUCCESSOR else "")
        else:
            self._wanted = "deleted_at" if local == _DELETED else ""
        self._text.clear()
        self._characters = 0
        self.parser.CharacterDataHandler = self._read if self._wanted else None

    def _read(self, text: str) -> None:
        self._characters += len(text)
        if self._characters > self._limits.string_bytes:
            raise UnreadableDocument("string_too_long", self._wanted)
        self._text.append(text)

    def _end(self, _name: str) -> None:
        path = self._path
        if self._wanted:
            text = "".join(self._text).strip()
            if self._wanted == _SUCCESSOR:
                self._successors.append(text)
            elif self._wanted in self._texts:
                raise UnreadableDocument("duplicate_element", "/".join(path))
            else:
                self._texts[self._wanted] = text
            self._wanted = ""
            self.parser.CharacterDataHandler = None
        elif path == _ROOT:
            self._records.append(LeiRecord(**(_EMPTY | self._texts), successors=self._successors))
            self._texts, self._successors = {}, []
        path.pop()
