"""The web application: routes made from endpoint declarations, behind the edge."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from sankofa.ask.endpoint import Endpoint, Redirection
from sankofa.web import problems
from sankofa.web.edge import ALLOWED, Edge
from sankofa.web.pipeline import Service, problem, respond
from sankofa.web.redirect import LinkTo, redirect
from sankofa.web.status import Status

Handler = Callable[[Request], Awaitable[Response]]
Lifespan = Callable[[Starlette], AbstractAsyncContextManager[None]]


def application(
    endpoints: Sequence[Endpoint],
    service: Service,
    status: Status,
    *,
    hosts: frozenset[str],
    lifespan: Lifespan,
    origins: frozenset[str] = frozenset(),
    pages: Sequence[Route] = (),
    site: Sequence[Route] = (),
    missing: Callable[[Request], Response | None] = lambda _request: None,
    redirections: Sequence[Redirection] = (),
    link_to: LinkTo | None = None,
    is_stopping: Callable[[], bool] = lambda: False,
    is_ending: Callable[[], bool] = lambda: False,
) -> ASGIApp:
    """Return the ASGI application. Unknown paths and methods get problem documents.

    A process may shut down while the service continues (`is_ending`): then `/health` does not fail.
    """
    routes = [
        Route("/health", _health(is_stopping), methods=["GET"]),
        Route("/v1/status", status.respond, methods=["GET"]),
        *pages,
        *(
            Route(endpoint.path, _handler(service, endpoint), methods=["GET"], name=endpoint.name)
            for endpoint in endpoints
        ),
        *(
            Route(each.path, _leader(service, each, link_to), methods=["GET"], name=each.name)
            for each in redirections
            if link_to or each.is_open
        ),
        *site,  # last, so that data requests are not matched against hundreds of pages first
    ]
    for route in routes:
        # The router's own pattern ends in `$`, which also matches a path that ends in a line break.
        route.path_regex = re.compile(route.path_regex.pattern.removesuffix("$") + r"\Z")
    app = Starlette(routes=routes, lifespan=lifespan, exception_handlers={HTTPException: _refusal(missing)})
    app.router.redirect_slashes = False
    return Edge(app, hosts, origins, service.proxies, is_ending)


def _handler(service: Service, endpoint: Endpoint) -> Handler:
    async def handle(request: Request) -> Response:
        return await respond(service, endpoint, request)

    return handle


def _leader(service: Service, redirection: Redirection, link_to: LinkTo | None) -> Handler:
    async def handle(request: Request) -> Response:
        return await redirect(service, redirection, request, link_to)

    return handle


def _refusal(
    missing: Callable[[Request], Response | None],
) -> Callable[[Request, Exception], Awaitable[Response]]:
    """Return the handler of an unknown path, and of a method that no route has."""

    async def handle(request: Request, error: Exception) -> Response:
        if isinstance(error, HTTPException) and error.status_code == problems.WRONG_METHOD.status:
            headers = {"Allow": ALLOWED, "Cache-Control": "no-store"}
            return problem(request, problems.WRONG_METHOD, None, headers)
        return missing(request) or problem(request, problems.UNKNOWN_PATH)

    return handle


def _health(is_stopping: Callable[[], bool]) -> Handler:
    async def handle(_request: Request) -> Response:
        status, body = (503, b'{"status":"stopping"}') if is_stopping() else (200, b'{"status":"ok"}')
        return Response(body, status, {"Cache-Control": "no-store"}, media_type="application/json")

    return handle
