"""A request for a file: the same gate and checks as any other request, then a redirect."""

from __future__ import annotations

from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import Response

from sankofa.access.caller import Caller
from sankofa.ask.endpoint import Redirection
from sankofa.ask.params import parse
from sankofa.core.errors import PaymentRequired
from sankofa.storage.objects import Method
from sankofa.web.pipeline import Service, admitted, query_of

# Makes a short-lived URL from the key of a file and the request's method.
LinkTo = Callable[[str, Method], str]


async def redirect(
    service: Service, redirection: Redirection, request: Request, link_to: LinkTo | None
) -> Response:
    """Redirect an admitted caller to a file. Errors become problem documents."""

    async def lead(caller: Caller, fields: dict[str, str]) -> Response:
        params = parse(redirection.params, request.path_params, query_of(request))
        if not (redirection.is_open or caller.tier.is_paid):
            raise PaymentRequired(redirection.name)
        edition = await service.reader.edition(getattr(params, "edition", None))
        address = await redirection.find(service.reader, params, edition)
        method: Method = "HEAD" if request.method == "HEAD" else "GET"
        if link_to and not redirection.is_open:
            address = link_to(address, method)
        headers = {"Location": address, "X-Data-Edition": str(edition.number)}
        return Response(None, 307, {**fields, **headers, "Cache-Control": "no-store"})

    return await admitted(service, redirection.name, request, lead, is_open=redirection.is_open)
