"""The limits of a document, and the counts of its rejected rows and repaired fields."""

from __future__ import annotations

import tomllib
from collections import Counter
from decimal import Decimal
from functools import cache
from importlib import resources

import msgspec

_SAMPLE_CHARACTERS = 120
_REPAIRED = "repaired_"


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """The bounds of one document."""

    document_bytes: int = 2 << 30  # of a document, or of one member of an archive, unpacked
    ratio: int = 100  # unpacked bytes per packed byte
    ratio_free_bytes: int = 1 << 20  # unpacked bytes that may have any ratio: small files pack well
    directory_bytes: int = 16 << 20  # of an archive's directory, which is read at once
    line_bytes: int = 1 << 20  # of one line of a table
    depth: int = 64  # of nested JSON objects and arrays
    string_bytes: int = 1 << 20  # of one JSON string, as written
    number_characters: int = 1_000  # of one JSON number, as written
    digits: int = 38  # of a value, of which `fraction_digits` are reserved for after the point
    fraction_digits: int = 12


LIMITS = Limits()


@cache
def repairs() -> dict[str, str]:
    """Return the repairs of `repairs.toml`, with their descriptions by name."""
    text = resources.files(__package__).joinpath("repairs.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def is_repair(reason: str) -> bool:
    """Return whether a reason counts repaired fields of accepted rows, and not rejected rows."""
    return reason.startswith(_REPAIRED)


class Rejections:
    """The rejected rows and repaired fields of a document, by reason, with the first sample of each."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.samples: dict[str, str] = {}

    def add(self, reason: str, sample: object, rows: int = 1) -> None:
        """Count rejected rows under a reason, a stable code; the sample is cut and made printable."""
        self.counts[reason] += rows
        if reason not in self.samples:
            short = str(sample)[:_SAMPLE_CHARACTERS]
            self.samples[reason] = "".join(letter if letter.isprintable() else "?" for letter in short)

    def repair(self, name: str, sample: object, fields: int = 1) -> None:
        """Count repaired or dropped fields of accepted rows; `repairs.toml` lists the names."""
        if name not in repairs():
            raise ValueError(f"{name} is not declared in repairs.toml")
        self.add(_REPAIRED + name, sample, fields)


def exact(number: int | Decimal, limits: Limits = LIMITS) -> Decimal | None:
    """Return the number without padding zeros or exponent, or None if it is out of bounds.

    So 1E+5, 100000 and 100000.0000 are one value with one text, whichever source wrote it.
    """
    whole_digits = limits.digits - limits.fraction_digits
    if isinstance(number, int):
        value = Decimal(number)
        return value if value.adjusted() < whole_digits else None
    if not number:
        return Decimal(0)
    if not number.is_finite() or not -limits.fraction_digits <= number.adjusted() < whole_digits:
        return None
    written = str(number)
    _, _, fraction = written.partition(".")
    if "E" not in written and not fraction.endswith("0"):  # nothing to strip: nearly every number
        return number if len(fraction) <= limits.fraction_digits else None
    whole = int(number)
    if whole == number:
        return Decimal(whole)
    text = f"{number:f}".rstrip("0")
    return Decimal(text) if len(text) - text.index(".") - 1 <= limits.fraction_digits else None
