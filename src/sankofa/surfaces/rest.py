"""The server: every endpoint of every domain as REST, and the tools over MCP, behind one application."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from importlib.metadata import version
from pathlib import Path

from starlette.applications import Starlette
from starlette.types import ASGIApp

from sankofa.access.gate import Gate
from sankofa.access.leaks import Reporters
from sankofa.access.tallies import Tallies
from sankofa.catalog import routes as catalog
from sankofa.catalog.freshness import freshness
from sankofa.changes import routes as changes
from sankofa.core import deprecation
from sankofa.editions import routes as editions
from sankofa.entities import routes as entities
from sankofa.export import routes as export
from sankofa.facts import routes as facts
from sankofa.fundamentals import routes as fundamentals
from sankofa.macro import routes as macro
from sankofa.metrics import routes as metrics
from sankofa.quality import routes as quality
from sankofa.signals import routes as signals
from sankofa.storage.objects import Links
from sankofa.storage.reading import Reader
from sankofa.storage.redis import Store
from sankofa.surfaces import logs
from sankofa.surfaces.mcp_door import Door
from sankofa.surfaces.monitoring.worker import Monitoring, store_gauges
from sankofa.surfaces.settings import Settings
from sankofa.surfaces.supervision import Supervision
from sankofa.tenders import routes as tenders
from sankofa.web import openapi, site
from sankofa.web.application import application
from sankofa.web.cache import BodyCache
from sankofa.web.client_address import Proxies
from sankofa.web.edge import API_VERSION
from sankofa.web.edge_cache import EdgeCache
from sankofa.web.edge_purge import purging
from sankofa.web.freshness import Freshness
from sankofa.web.leak_reports import LeakReports
from sankofa.web.memo import Memo
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
    *quality.ENDPOINTS,
    *editions.ENDPOINTS,
    *changes.ENDPOINTS,
    *export.ENDPOINTS,
)
REDIRECTIONS = export.REDIRECTIONS
DOCUMENTS = (*editions.DOCUMENTS, *export.DOCUMENTS)
# Built by `python -m dev pages`, and part of the installed package.
PAGES = Path(__file__).parent / "pages"


def create(supervision: Supervision | None = None, worker: int = 0, snapshots: Path | None = None) -> ASGIApp:
    """Return the application, with settings from the environment; the server calls this in each worker.

    Metrics are recorded in the folder of `snapshots`, if there is one.
    """
    supervision = supervision or Supervision()
    logs.configure()
    deprecation.check(deprecation.DEPRECATED)
    settings = Settings()
    reader = Reader(settings.reading())
    gate = Gate(settings.gate(), lambda: reader.key_events)
    proxies = Proxies(settings.proxies)
    service = Service(
        gate=gate,
        reader=reader,
        cursor_keys=settings.cursor_keys(),
        cache=BodyCache(settings.cache_bytes),
        memo=Memo(reader, settings.cache_bytes),
        proxies=proxies,
        edge_cache=EdgeCache(settings.edges, proxies, settings.cursor_keys()),
    )
    tools = Door(service)
    usage_store = Store(settings.usage_store())
    leak_reports = LeakReports(gate, usage_store, Reporters.read(settings.leak_reporters))
    tallies = Tallies(usage_store, Path(settings.tallies).absolute() if settings.tallies else None)
    monitoring = Monitoring(
        tallies,
        snapshots if settings.metrics else None,
        settings.access_log,
        lambda: store_gauges(gate, reader),
    )
    status = Status(gate, reader, build=settings.build or version("sankofa"), version=API_VERSION)

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        await reader.open()
        async with (
            gate,
            tools.running(),
            supervision.beating(worker),
            monitoring.running(),
            tallies.running(),
            gate.networks.running(),
            purging(settings.edges, reader),
        ):
            yield
        await reader.close()

    page = partial(
        openapi.document,
        ENDPOINTS,
        tiers=settings.gate().tiers,
        sandbox_key=settings.sandbox_key or None,
        redirections=REDIRECTIONS,
        documents=DOCUMENTS,
    )
    return application(
        ENDPOINTS,
        service,
        status,
        hosts=frozenset(settings.hosts),
        lifespan=lifespan,
        origins=frozenset(settings.origins),
        pages=[
            openapi.route(page),
            tools.route(),
            Freshness(lambda: freshness(reader)).route(),
            *leak_reports.routes(),
        ],
        site=site.pages(PAGES, sandbox_key=settings.sandbox_key),
        missing=site.missing(PAGES),
        redirections=REDIRECTIONS,
        documents=DOCUMENTS,
        is_stopping=lambda: supervision.is_stopping,
        is_ending=lambda: supervision.is_ending,
        observe=monitoring.observe,
        link_to=Links(settings.licensed_reading(), settings.link_lifetime()).to,
    )
