"""Sankofa from Python: point-in-time values, exact digits, and no look-ahead.

    from sankofa_client import Client

    client = Client("https://api.example", key="…")
    with client.as_of("2024-03-14"):
        for fact in client.fundamentals("DCHFPV9ZRN9Z1AW", period_type="FY"):
            print(fact.line_item, fact.fiscal_year, fact.value_reported, fact.available_at)

`rows` has the types of rows, `leaks` the checker for look-ahead in tables of your own, `currency` and
`trailing` what is computed here from several rows, `proofs` the check of proofs, `forms` the readers of CSV
answers and of the header fields beside them.
"""

from sankofa_client import currency, forms, leaks, proofs, rows, trailing
from sankofa_client._answer import FormerHolder, Freshness, Page, SourceFreshness, Status
from sankofa_client._async_client import AsyncClient
from sankofa_client._async_rows import AsyncRows
from sankofa_client._client import Client
from sankofa_client._disk_cache import DiskCache
from sankofa_client._errors import (
    AddressTooLong,
    BodyTooLarge,
    BodyTooSlow,
    ConnectionFailed,
    DeadlineExceeded,
    Fault,
    HeadersTooLarge,
    InvalidKey,
    InvalidParameter,
    LimitReached,
    MethodNotAllowed,
    NotAcceptable,
    NotFound,
    NotSigned,
    OriginNotAllowed,
    SankofaError,
    Unavailable,
    UnexpectedAnswer,
    UnknownPath,
    UnlistedHost,
    UnreadableMessage,
    UnreadableReport,
    UnsafeRedirect,
    UpgradeRequired,
)
from sankofa_client._question import Scope
from sankofa_client._rows import Rows

__all__ = [
    "AddressTooLong",
    "AsyncClient",
    "AsyncRows",
    "BodyTooLarge",
    "BodyTooSlow",
    "Client",
    "ConnectionFailed",
    "DeadlineExceeded",
    "DiskCache",
    "Fault",
    "FormerHolder",
    "Freshness",
    "HeadersTooLarge",
    "InvalidKey",
    "InvalidParameter",
    "LimitReached",
    "MethodNotAllowed",
    "NotAcceptable",
    "NotFound",
    "NotSigned",
    "OriginNotAllowed",
    "Page",
    "Rows",
    "SankofaError",
    "Scope",
    "SourceFreshness",
    "Status",
    "Unavailable",
    "UnexpectedAnswer",
    "UnknownPath",
    "UnlistedHost",
    "UnreadableMessage",
    "UnreadableReport",
    "UnsafeRedirect",
    "UpgradeRequired",
    "currency",
    "forms",
    "leaks",
    "proofs",
    "rows",
    "trailing",
]
