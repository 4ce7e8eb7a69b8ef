"""The web application: routes made from endpoint declarations, behind the edge."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from types import MappingProxyType

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from sankofa.ask.endpoint import Document, Endpoint, Redirection
from sankofa.web import probes, problems
from sankofa.web.document import document
from sankofa.web.edge import ALLOWED, Edge
from sankofa.web.fixed import Handler
from sankofa.web.pipeline import Service, problem, respond
from sankofa.web.redirect import LinkTo, redirect
from sankofa.web.status import Status
from sankofa.web.telemetry import PAGE, Observe

_READING = frozenset({"GET", "HEAD"})
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
    site: Mapping[str, Handler] = MappingProxyType({}),
    missing: Callable[[Request], Response | None] = lambda _request: None,
    redirections: Sequence[Redirection] = (),
    documents: Sequence[Document] = (),
    link_to: LinkTo | None = None,
    is_stopping: Callable[[], bool] = lambda: False,
    is_ending: Callable[[], bool] = lambda: False,
    observe: Observe | None = None,
) -> ASGIApp:
    """Return the ASGI application. Unknown paths and methods get problem documents.

    A process may shut down while the service continues (`is_ending`): then `/health` does not fail.
    """
    routes = [
        Route("/health", probes.health(is_stopping), methods=["GET"], name="health"),
        Route("/ready", probes.ready(is_stopping, status), methods=["GET"], name="ready"),
        Route("/v1/status", status.respond, methods=["GET"], name="status"),
        *pages,
        # `_Direct` answers them; here they are listed for their other methods, which get 405.
        *(Route(endpoint.path, _answered_directly, methods=["GET"]) for endpoint in endpoints),
        *(
            Route(each.path, _leader(service, each, link_to), methods=["GET"], name=each.name)
            for each in redirections
            if link_to or each.is_open
        ),
        *(Route(each.path, _writer(service, each), methods=["GET"], name=each.name) for each in documents),
    ]
    for route in routes:
        # The router's own pattern ends in `$`, which also matches a path that ends in a line break.
        route.path_regex = re.compile(route.path_regex.pattern.removesuffix("$") + r"\Z")
    app = Starlette(routes=routes, lifespan=lifespan, exception_handlers={HTTPException: _refusal(missing)})
    app.router.redirect_slashes = False
    names = {route.endpoint: route.name for route in routes}
    direct = _Direct(service, endpoints, site, app)
    return Edge(direct, hosts, origins, service.proxies, is_ending=is_ending, observe=observe, names=names)


async def _answered_directly(request: Request) -> Response:
    raise RuntimeError(f"{request.method} {request.url.path} reached the router")


class _Direct:
    """Answers for endpoints and pages without the router, which takes longer than a 304 does otherwise.

    An endpoint's path is fixed, or has one parameter in the last place or the one before. All other requests
    go to the router.
    """

    def __init__(
        self,
        service: Service,
        endpoints: Sequence[Endpoint],
        pages: Mapping[str, Handler],
        others: ASGIApp,
    ) -> None:
        self._service = service
        self._pages = pages
        self._others = others
        self._fixed = {one.path: one for one in endpoints if "{" not in one.path}
        # By the text before and after the parameter: the endpoint and the parameter's name.
        self._open = {
            (before, after): (one, name)
            for one in endpoints
            if "{" in one.path
            for before, name, after in [re.split("/{|}", one.path)]
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._others(scope, receive, send)
            return
        is_reading, request = scope["method"] in _READING, Request(scope, receive)
        if is_reading and (endpoint := self._found(scope)):
            scope["state"]["endpoint"] = endpoint.name
            response = await respond(self._service, endpoint, request)
        elif page := self._pages.get(scope["path"]):
            scope["state"]["endpoint"] = PAGE
            response = await page(request) if is_reading else _wrong_method(request)
        else:
            await self._others(scope, receive, send)
            return
        await response(scope, receive, send)

    def _found(self, scope: Scope) -> Endpoint | None:
        """Return the endpoint of a path, and put its parameter into the scope."""
        path: str = scope["path"]
        scope["path_params"] = {}
        if path in self._fixed:
            return self._fixed[path]
        before, _, last = path.rpartition("/")
        further, _, value = before.rpartition("/")
        for place, text in (((before, ""), last), ((further, f"/{last}"), value)):
            if text and place in self._open:
                endpoint, name = self._open[place]
                scope["path_params"] = {name: text}
                return endpoint
        return None


def _leader(service: Service, redirection: Redirection, link_to: LinkTo | None) -> Handler:
    async def handle(request: Request) -> Response:
        return await redirect(service, redirection, request, link_to)

    return handle


def _writer(service: Service, declared: Document) -> Handler:
    async def handle(request: Request) -> Response:
        return await document(service, declared, request)

    return handle


def _refusal(
    missing: Callable[[Request], Response | None],
) -> Callable[[Request, Exception], Awaitable[Response]]:
    """Return the handler of an unknown path, and of a method that no route has."""

    async def handle(request: Request, error: Exception) -> Response:
        if isinstance(error, HTTPException) and error.status_code == problems.WRONG_METHOD.status:
            return _wrong_method(request)
        return missing(request) or problem(request, problems.UNKNOWN_PATH)

    return handle


def _wrong_method(request: Request) -> Response:
    headers = {"Allow": ALLOWED, "Cache-Control": "no-store"}
    return problem(request, problems.WRONG_METHOD, None, headers)
