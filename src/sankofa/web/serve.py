"""Routes made from endpoint declarations: parameters in, one read, an envelope or a problem out."""

from __future__ import annotations

import re
import secrets
from collections.abc import Awaitable, Callable
from urllib.parse import parse_qsl

import structlog
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from sankofa.ask.endpoint import Endpoint
from sankofa.ask.params import parse
from sankofa.core.errors import BadParameter, ServiceError
from sankofa.storage.reading import Reader
from sankofa.web import envelope, problems

API_VERSION = "1.0.0"
_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
_log = structlog.get_logger()

Handler = Callable[[Request], Awaitable[Response]]


def routes(endpoints: tuple[Endpoint, ...], reader: Reader) -> list[Route]:
    """Return one GET route per endpoint."""
    return [
        Route(endpoint.path, _handler(endpoint, reader), methods=["GET"], name=endpoint.name)
        for endpoint in endpoints
    ]


def application(endpoints: tuple[Endpoint, ...], reader: Reader, **options: object) -> Starlette:
    """Return the web application: the endpoints, and problem documents for everything else."""
    handlers = {404: _always(problems.UNKNOWN_PATH), 405: _always(problems.WRONG_METHOD)}
    app = Starlette(
        routes=[Route("/health", _health), *routes(endpoints, reader)],
        exception_handlers=handlers,
        **options,  # type: ignore[arg-type]  # passed through
    )
    app.router.redirect_slashes = False
    return app


def _handler(endpoint: Endpoint, reader: Reader) -> Handler:
    async def handle(request: Request) -> Response:
        try:
            asked = parse(endpoint.params, request.path_params, _query(request))
            answer = await endpoint.read(reader, asked)
            headers = {"X-Data-Edition": str(answer.edition.number), **_headers(request)}
            return Response(envelope.as_json(endpoint, answer), 200, headers, media_type="application/json")
        except ServiceError as error:
            return _problem(request, problems.PROBLEMS[type(error)], error)
        except Exception:
            _log.exception("fault", path=endpoint.path)
            return _problem(request, problems.FAULT, None)

    return handle


def _query(request: Request) -> list[tuple[str, str]]:
    try:
        return parse_qsl(
            request.scope["query_string"].decode("ascii"), keep_blank_values=True, errors="strict"
        )
    except ValueError:
        raise BadParameter("query", "expected name=value pairs in percent-encoded UTF-8") from None


def _headers(request: Request) -> dict[str, str]:
    return {"X-Service-API-Version": API_VERSION, "X-Request-Id": _request_id(request)}


def _request_id(request: Request) -> str:
    sent = request.headers.get("x-request-id", "")
    return sent if _REQUEST_ID.fullmatch(sent) else secrets.token_hex(12)


def _problem(request: Request, problem: problems.Problem, error: ServiceError | None) -> Response:
    headers = _headers(request)
    answer = problems.response(problem, headers["X-Request-Id"], error)
    answer.headers.update(headers)
    return answer


def _always(problem: problems.Problem) -> Callable[[Request, Exception], Awaitable[Response]]:
    async def handle(request: Request, _error: Exception) -> Response:
        return _problem(request, problem, None)

    return handle


async def _health(request: Request) -> Response:
    return Response(b'{"status":"ok"}', 200, _headers(request), media_type="application/json")
