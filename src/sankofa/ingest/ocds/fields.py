"""The values of a release: as written, repaired if only one meaning is possible, or unknown.

Every repair is counted under a reason that begins with `repaired_`. Its sample names the release and never
the value, which may contain anything, even a person's name in place of a status.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from functools import cache
from typing import Any, NamedTuple

import pycountry

from sankofa.ingest.bytes.bounds import Limits, Rejections, exact
from sankofa.ingest.ocds.contacts import Contacts
from sankofa.ingest.ocds.ids import hashed, may_name, repeats_title
from sankofa.ingest.ocds.text import flags
from sankofa.tenders.model import Money, Period, TextFlag

_LONGEST_ID = 300  # bytes: cursors hold ids
_LONGEST_WORD = 200
_AMOUNT = re.compile(r"-?[0-9]+(?:\.[0-9]+)?")
_COUNT = re.compile(r"[0-9]{1,6}")
_INSTANT = re.compile(
    r"(?P<day>[0-9]{4}-[0-9]{2}-[0-9]{2})"
    r"(?:[T ](?P<minute>[0-9]{2}:[0-9]{2})(?P<second>:[0-9]{2}(?:[.,][0-9]{1,9})?)?"
    r"(?P<zone>Z|z|[+-][0-9]{2}:?[0-9]{2})?)?"
)
_MICROSECOND_DIGITS = 7  # with the point
# Earlier dates come from empty fields of some systems; later ones mean "for ever".
_EARLIEST = datetime(1970, 1, 2, tzinfo=UTC)
_LATEST = datetime(2200, 1, 1, tzinfo=UTC)
_AHEAD = timedelta(days=1)
# Former currencies of old processes; pycountry has only current ones.
_WITHDRAWN = ("BYR", "EEK", "GHC", "HRK", "LTL", "LVL", "MRO", "SLL", "STD", "VEF", "ZMK", "ZWL")
_NO_MONEY = {"XXX", "XTS"}


def codes(names: str) -> dict[str, str]:
    """Return a code list by its codes in lower case, without word separators."""
    return {name.casefold(): name for name in names.split()}


class Instant(NamedTuple):
    """A point in time, and the later of its day as written and in UTC."""

    at: datetime
    day: date


@cache
def _currencies() -> frozenset[str]:
    return frozenset([*(currency.alpha_3 for currency in pycountry.currencies), *_WITHDRAWN]) - _NO_MONEY


class Fields:
    """The values of one release. Free text is collected, to be checked as a whole."""

    def __init__(
        self, contacts: Contacts, rejections: Rejections, fetched_at: datetime, limits: Limits
    ) -> None:
        self.sample = ""  # the release's id for samples, once it is known to be safe
        self._contacts = contacts
        self._rejections = rejections
        self._newest = fetched_at + _AHEAD
        self._limits = limits
        self._texts: dict[str, int] = {}

    def repaired(self, what: str, times: int = 1) -> None:
        """Count a dropped or changed value."""
        self._rejections.repair(what, self.sample, times)

    def flags(self) -> tuple[TextFlag, ...]:
        """Return the reasons why the free text read so far must not be served."""
        return flags("\n".join(self._texts), self._contacts) if self._texts else ()

    def texts(self) -> tuple[str, ...]:
        """Return the free texts read so far, in order."""
        return tuple(self._texts)

    def text(self, value: object) -> int | None:
        """Add stripped free text, and return its index."""
        if value is None:
            return None
        if not isinstance(value, str):
            self.repaired("text_expected")
            return None
        stripped = value.strip()
        return self._texts.setdefault(stripped, len(self._texts)) if stripped else None

    def word(self, value: object) -> str | None:
        """Return a word of the portal's own vocabulary, or None if it is more than a word."""
        if value is None:
            return None
        word = " ".join(value.split()) if isinstance(value, str) else None
        if word is None or len(word) > _LONGEST_WORD or flags(word, self._contacts):
            self.repaired("word_unfit")
            return None
        return word or None

    def identity(self, value: object, release: dict[str, Any] | None = None) -> str | None:
        """Return an id as a string, or its hash if it may contain a person's name.

        With its release, an id that only repeats a title of it is returned as it is.
        """
        if value is None or value == "":
            return None
        if isinstance(value, int | Decimal) and not isinstance(value, bool):
            number = exact(value, self._limits)
            value = None if number is None else f"{number:f}"
        word = value.strip() if isinstance(value, str) else ""
        if not word or len(word.encode()) > _LONGEST_ID or not word.isprintable() or "@" in word:
            self.repaired("id_unfit")
            return None
        if word.isdigit():
            return word
        if may_name(word) and not (release and repeats_title(word, release, self._contacts)):
            self.repaired("id_replaced")
            return hashed(word)
        if self._contacts.named_in(word):
            self.repaired("id_names_contact")
            return None
        return word

    def code(self, value: object, known: dict[str, str]) -> str | None:
        """Return a code of a closed list, in the spelling of the list."""
        if value is None or value == "":
            return None
        if not isinstance(value, str):
            self.repaired("code_unknown")
            return None
        code = known.get(re.sub(r"[\s_-]", "", value).casefold())
        if code != value:
            self.repaired("code_spelling" if code else "code_unknown")
        return code

    def count(self, value: object) -> int | None:
        """Return a number of things."""
        if isinstance(value, str) and _COUNT.fullmatch(value):
            value = int(value)
        if isinstance(value, int | Decimal) and not isinstance(value, bool) and 0 <= value == int(value):
            return int(value)
        if value is not None and value != "":
            self.repaired("count_unfit")
        return None

    def money(self, value: object) -> Money | None:
        """Return money if it is known: an amount of zero means that it was not disclosed."""
        block = self.single(value)
        amount = block.get("amount")
        if amount is None or amount == "":
            return None
        if isinstance(amount, str) and _AMOUNT.fullmatch(amount) and len(amount) <= self._limits.digits:
            amount = Decimal(amount)
            self.repaired("amount_as_text")
        known = exact(amount, self._limits) if type(amount) in (int, Decimal) else None
        if known is None:
            self.repaired("amount_unfit")
        elif not known:
            self.repaired("amount_zero")
        elif known < 0:
            self.repaired("amount_negative")
        elif currency := self._currency(block.get("currency")):
            return Money(known, currency)
        return None

    def _currency(self, value: object) -> str | None:
        code = value.strip().upper() if isinstance(value, str) else ""
        if code not in _currencies():
            self.repaired("currency_unknown" if code else "currency_missing")
            return None
        if code != value:
            self.repaired("currency_spelling")
        return code

    def instant(self, value: object, *, may_come: bool = False) -> Instant | None:
        """Return a point in time; without a zone it is UTC. With `may_come` it may be in the future."""
        if value is None or value == "":
            return None
        written = _INSTANT.fullmatch(value.strip()) if isinstance(value, str) else None
        try:
            local = _moment(written) if written else None
            at = local.astimezone(UTC) if local else None
        except (ValueError, OverflowError):
            local = at = None
            if written and written["day"] == "0001-01-01":
                at = datetime.min.replace(tzinfo=UTC)
        if at is None:
            self.repaired("date_impossible")
        elif not _EARLIEST <= at < _LATEST or local is None:
            self.repaired("date_unset")
        elif at > self._newest and not may_come:
            self.repaired("date_in_future")
        else:
            if written and not written["zone"]:
                self.repaired("date_zone_assumed")
            return Instant(at, max(at.date(), local.date()))
        return None

    def period(self, value: object) -> Period | None:
        """Return a period of which at least one end is known."""
        block = self.single(value)
        start = self.instant(block.get("startDate"), may_come=True)
        end = self.instant(block.get("endDate"), may_come=True)
        if start and end and start.at > end.at:
            self.repaired("period_reversed")
            return None
        if not (start or end):
            return None
        return Period(start=start.at if start else None, end=end.at if end else None)

    def single(self, value: object) -> dict[str, Any]:
        """Return an object, even if it is the only element of a list; an empty one if there is none."""
        if isinstance(value, dict):
            return value
        if isinstance(value, list) and len(value) == 1 and isinstance(value[0], dict):
            self.repaired("list_for_object")
            return value[0]
        if value:
            self.repaired("object_expected")
        return {}

    def several(self, value: object) -> list[dict[str, Any]]:
        """Return the objects of a list; a single object counts as a list of one."""
        if isinstance(value, dict):
            self.repaired("object_for_list")
            return [value] if value else []
        if not isinstance(value, list):
            if value:
                self.repaired("list_expected")
            return []
        held = [item for item in value if isinstance(item, dict)]
        if len(held) < len(value):
            self.repaired("object_expected", len(value) - len(held))
        return held


def _moment(written: re.Match[str]) -> datetime:
    minute, second, zone = written["minute"] or "00:00", written["second"] or "", written["zone"] or "Z"
    fraction = (
        second[3:].replace(",", ".")[:_MICROSECOND_DIGITS].ljust(_MICROSECOND_DIGITS, "0")
        if second[3:]
        else ""
    )
    return datetime.fromisoformat(f"{written['day']}T{minute}{second[:3]}{fraction}{zone.upper()}")
