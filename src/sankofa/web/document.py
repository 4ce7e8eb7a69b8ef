"""A whole document of one edition, without a key: gate, limits and checks as for any other request.

A takedown or an edition that touched its tables gives the document another name, so that no copy is outdated.
"""

from __future__ import annotations

import base64
import hashlib
from urllib.parse import quote

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from sankofa.access.caller import Caller
from sankofa.ask.endpoint import REPRESENTATION, Document
from sankofa.ask.params import canonical, parse
from sankofa.storage.edition import Edition
from sankofa.web.cache import Body
from sankofa.web.negotiation import accepts_gzip
from sankofa.web.pipeline import VARY, Service, admitted, joined, made_in_turn, query_of, tags, zipped


async def document(service: Service, declared: Document, request: Request) -> Response:
    """Answer one request for a document. Errors become problem documents."""

    async def written(caller: Caller, fields: dict[str, str]) -> Response:
        params = parse(declared.params, request.path_params, query_of(request))
        number = getattr(params, "edition", None)
        edition = await service.reader.edition(number, declared.touchable_by(params))
        request.state.edition = edition.number
        takes_gzip = accepts_gzip(joined(request, "accept-encoding"))
        origin = request.state.origin
        name = _name(service, declared, params, edition, origin, takes_gzip=takes_gzip)
        named = {key: quote(text, safe="") for key, text in canonical(params).items()}
        headers = {
            **fields,
            "ETag": name,
            "Cache-Control": "private, no-cache",
            "Vary": VARY,
            "X-Data-Edition": str(edition.number),
            "Content-Location": f"{declared.path.format(**named)}?edition={edition.number}",
        }
        sent = tags(joined(request, "if-none-match") or "")
        if name in sent:
            request.state.cache = "not_modified"
            return Response(None, 304, headers)

        async def make() -> Body:
            content = await declared.write(service.reader, params, edition, origin)
            plain = Body(content, {"Content-Type": declared.media_type}, 0)
            return await zipped(plain) if takes_gzip else plain

        request.state.cache = "hit" if name in service.cache else "miss"
        body = await made_in_turn(service, caller, name, make, is_large=False)
        if "*" in sent:
            return Response(None, 304, headers)
        return Response(body.content, 200, {**headers, **body.headers})

    return await admitted(service, declared.name, request, written, is_open=declared.is_open)


def _name(
    service: Service,
    declared: Document,
    params: msgspec.Struct,
    edition: Edition,
    origin: str,
    *,
    takes_gzip: bool,
) -> str:
    """Return the entity tag of a document, which is also its key in the cache."""
    query = sorted((key, text) for key, text in canonical(params).items() if key != "edition")
    determined = (
        edition.mark,
        service.reader.takedown,
        declared.name,
        query,
        origin,
        takes_gzip,
        REPRESENTATION,
    )
    digest = hashlib.sha256(msgspec.json.encode(determined)).digest()
    return f'"{base64.urlsafe_b64encode(digest[:18]).decode()}"'
