"""Decide whether free text may be served: detect references to natural persons.

In doubt it is withheld: a number that could be a telephone number counts as one, and so does the name of any
contact of the release in any spelling. A wrongly withheld text costs a sentence; a wrongly served one cannot
be taken back. Names of parties are not searched here: which of them are persons is known only after the
organisation check.
"""

from __future__ import annotations

import re
from datetime import date

from sankofa.ingest.ocds.contacts import Contacts, digits, plain
from sankofa.tenders.model import TextFlag

# A quick check, so that most texts are not searched further.
_EMAIL_SIGN = re.compile(r"@|[(\[{][ \t]?at", re.IGNORECASE)
_SIX_DIGITS = re.compile(r"\d\D*+(?:\d\D*+){4}\d")

_EMAIL = re.compile(
    r"[\w.+'-][ \t]?(?:@|[(\[{][ \t]?at[ \t]?[)\]}])[ \t]?"
    r"[\w-]{1,63}(?:[ \t]?\.[ \t]?[\w-]{1,63}){0,5}?[ \t]?\.[ \t]?[^\W\d_]{2,}",
    re.IGNORECASE,
)
_GAP = r"[ \t.()\u2010-\u2015-]{0,3}"
_TELEPHONE = re.compile(
    rf"\+{_GAP}\d(?:{_GAP}\d){{7}}"  # international
    rf"|(?<![\d/.,-])(?!\d?\d[.-]\d?\d[.-]\d{{4}})\(?0(?:{_GAP}\d){{8,13}}(?!\d)"  # national, and 00 …
    r"|(?<!\d)\d{11,13}(?!\d)"  # international without a sign
    rf"|(?:\btel|phone|\bfax\b|\bcell\b|mobile|whats ?app|\bcall\b|\bfono|тел)\D{{0,20}}\d(?:{_GAP}\d){{5}}",
    re.IGNORECASE,
)
_YYMMDD = r"\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])"
_IDENTITY = re.compile(
    r"\b(?:id|i\.d\.|identity|passport|pasaporte|passeport|nin|bvn|ssn|dni|c[eé]dula|c\.c\.|curp)"
    r"\W{0,3}(?:card|no|number|nr|num|n[°º])?\W{0,4}[a-z]{0,3}\d{6}"
    rf"|\b[A-Z]{{4}}{_YYMMDD}(?:[HM][A-Z]{{5}}[A-Z0-9]\d|[A-Z0-9]{{3}})\b",  # Mexican CURP, RFC of a person
    re.IGNORECASE,
)
_THIRTEEN = re.compile(r"(?<!\d)\d(?:[ -]?\d){12}(?!\d)")


def flags(text: str, contacts: Contacts) -> tuple[TextFlag, ...]:
    """Return the sorted reasons why a text must not be served."""
    found: list[TextFlag] = []
    if contacts.named_in(text):
        found.append("contact_name")
    written = plain(text)
    if _EMAIL_SIGN.search(written) and (_EMAIL.search(written) or contacts.mailed_in(written)):
        found.append("email")
    if _SIX_DIGITS.search(written):
        if _IDENTITY.search(written) or any(map(_is_south_african_identity, _THIRTEEN.findall(written))):
            found.append("identity_number")
        if _TELEPHONE.search(written) or contacts.telephoned_in(written):
            found.append("telephone")
    return tuple(found)


def _is_south_african_identity(text: str) -> bool:
    """Return whether thirteen digits begin with a birthday and end in their check digit."""
    number = [int(digit) for digit in digits(text)]
    month, day = number[2] * 10 + number[3], number[4] * 10 + number[5]
    try:
        date(2000, month, day)
    except ValueError:
        return False
    doubled = (sum(divmod(2 * digit, 10)) for digit in number[-2::-2])
    return (sum(number[-1::-2]) + sum(doubled)) % 10 == 0
