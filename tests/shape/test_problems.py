"""Every failure that a request can meet has its problem document."""

from __future__ import annotations

import importlib
import pkgutil

import sankofa
from sankofa.core.errors import (
    BelowFloor,
    HeldBack,
    Refused,
    ServiceError,
    StatementTooLong,
    UnreadableDocument,
)
from sankofa.feeds.running import UnderWay
from sankofa.web.problems import PROBLEMS

NEVER_REACHES_A_SURFACE = {
    UnreadableDocument: "parsers raise it, and ingest turns it into a refused batch",
    BelowFloor: "publish raises it, and the operator reads it",
    HeldBack: "publish raises it, and the operator reads it",
    StatementTooLong: "exports meet it, and halve the statement",
    Refused: "operators' commands raise it, and so does a server that cannot start",
    UnderWay: "a run raises it; the operator reads it, or the queue tries again",
}


def kinds(kind):
    return {kind}.union(*map(kinds, kind.__subclasses__()))


def test_every_kind_of_failure_is_presented_or_cannot_get_out():
    for module in pkgutil.walk_packages(sankofa.__path__, "sankofa."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    presented = set(PROBLEMS)
    assert presented | set(NEVER_REACHES_A_SURFACE) == kinds(ServiceError) - {ServiceError}
    assert not presented & set(NEVER_REACHES_A_SURFACE)
