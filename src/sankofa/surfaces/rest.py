"""The REST server: every endpoint of every domain, behind one application."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.applications import Starlette

from sankofa.editions import routes as editions
from sankofa.fundamentals import routes as fundamentals
from sankofa.storage.reading import Reader
from sankofa.surfaces.settings import Settings
from sankofa.web.serve import application

ENDPOINTS = (*fundamentals.ENDPOINTS, *editions.ENDPOINTS)


def create() -> Starlette:
    """Return the application, with settings from the environment; granian calls this in each worker."""
    reader = Reader(Settings().reading())

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        await reader.open()
        yield
        await reader.close()

    return application(ENDPOINTS, reader, lifespan=lifespan)
