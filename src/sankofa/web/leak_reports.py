"""Reports of keys that were found in public, in the form in which GitHub's secret scanning sends them.

A report is believed if its body was signed with a listed key. Then each valid key in it is revoked
(`access/leaks.py`), except for public ones, which everybody may know.
"""

from __future__ import annotations

import asyncio
import hashlib

import msgspec
import structlog
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from sankofa.access.gate import Gate
from sankofa.access.leaks import Finding, Reporters, keep_report
from sankofa.core.errors import StoreUnavailable
from sankofa.storage.redis import Store
from sankofa.web import problems
from sankofa.web.body import body_of
from sankofa.web.pipeline import problem

PATH = "/reports/leaked-keys"
_ALLOWED = "POST"
_BODIES_AT_ONCE = 8  # they are read before it is known who sent them
_FINDINGS = msgspec.json.Decoder(list[Finding])
_log = structlog.get_logger()


class LeakReports:
    """Takes reports of leaked keys; without reporters, there is no such path."""

    def __init__(self, gate: Gate, store: Store, reporters: Reporters) -> None:
        self._gate = gate
        self._store = store
        self._reporters = reporters
        self._reading = asyncio.Semaphore(_BODIES_AT_ONCE)

    def routes(self) -> list[Route]:
        """Return the route, for all methods; those other than POST are rejected here."""
        return [Route(PATH, self, name="leak_report")] if self._reporters else []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a report."""
        request = Request(scope, receive)
        response = await self._answered(request)
        response.headers["Cache-Control"] = "no-store"
        await response(scope, receive, send)

    async def _answered(self, request: Request) -> Response:
        if request.method != _ALLOWED:
            return problem(request, problems.WRONG_METHOD, None, {"Allow": _ALLOWED})
        async with self._reading:
            body = await body_of(request, problems.UNREADABLE_REPORT)
        if not isinstance(body, bytes):
            return problem(request, body)
        identifier = request.headers.get("github-public-key-identifier", "")
        signature = request.headers.get("github-public-key-signature", "")
        if not self._reporters.have_signed(identifier, signature, body):
            return problem(request, problems.NOT_SIGNED)
        try:
            findings = _FINDINGS.decode(body)
        except (msgspec.DecodeError, UnicodeDecodeError):
            return problem(request, problems.UNREADABLE_REPORT)
        try:
            labels = [_label(each) for each in findings if await self._is_kept(each)]
        except StoreUnavailable as error:
            return problem(request, problems.PROBLEMS[StoreUnavailable], error)
        return Response(msgspec.json.encode(labels), 200, media_type="application/json")

    async def _is_kept(self, finding: Finding) -> bool:
        """Return whether a finding is a valid key, and see to it that it ends."""
        found = await self._gate.find(finding.token)
        if found and found.record.is_public:
            _log.warning("a public key was reported and stays valid", key=found.key_id)
        elif found:
            _log.warning("a key was found in public", key=found.key_id)
            await keep_report(self._store, found.key_id, finding)
        return found is not None


def _label(finding: Finding) -> dict[str, str]:
    """Return what GitHub is told about a finding that is a valid key."""
    digest = hashlib.sha256(finding.token.encode()).hexdigest()
    return {"token_hash": digest, "token_type": finding.type, "label": "true_positive"}
