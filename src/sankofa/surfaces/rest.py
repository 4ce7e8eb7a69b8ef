"""The REST server: every endpoint of every domain, behind one application."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version

from starlette.applications import Starlette
from starlette.types import ASGIApp

from sankofa.access.gate import Gate
from sankofa.catalog import routes as catalog
from sankofa.core import deprecation
from sankofa.editions import routes as editions
from sankofa.entities import routes as entities
from sankofa.facts import routes as facts
from sankofa.fundamentals import routes as fundamentals
from sankofa.macro import routes as macro
from sankofa.metrics import routes as metrics
from sankofa.signals import routes as signals
from sankofa.storage.reading import Reader
from sankofa.surfaces import logs
from sankofa.surfaces.settings import Settings
from sankofa.tenders import routes as tenders
from sankofa.web import openapi
from sankofa.web.application import application
from sankofa.web.cache import BodyCache
from sankofa.web.edge import API_VERSION
from sankofa.web.pipeline import Service
from sankofa.web.status import Status

ENDPOINTS = (
    *fundamentals.ENDPOINTS,
    *entities.ENDPOINTS,
    *tenders.ENDPOINTS,
    *macro.ENDPOINTS,
    *facts.ENDPOINTS,
    *signals.ENDPOINTS,
    *metrics.ENDPOINTS,
    *catalog.ENDPOINTS,
    *editions.ENDPOINTS,
)


def create() -> ASGIApp:
    """Return the application, with settings from the environment; granian calls this in each worker."""
    logs.configure()
    deprecation.check(deprecation.DEPRECATED)
    settings = Settings()
    reader = Reader(settings.reading())
    gate = Gate(settings.gate())
    service = Service(
        gate=gate,
        reader=reader,
        cursor_keys=settings.cursor_keys(),
        cache=BodyCache(settings.cache_bytes),
        proxies=frozenset(settings.proxies),
    )
    status = Status(gate, reader, build=settings.build or version("sankofa"), version=API_VERSION)

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        await reader.open()
        async with gate:
            yield
        await reader.close()

    page = openapi.document(ENDPOINTS, tiers=settings.gate().tiers, sandbox_key=settings.sandbox_key or None)
    return application(
        ENDPOINTS,
        service,
        status,
        hosts=frozenset(settings.hosts),
        lifespan=lifespan,
        pages=[openapi.route(page)],
    )
