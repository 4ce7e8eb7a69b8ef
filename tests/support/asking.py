"""Questions asked of the read side in this process: when it learns of an edition is for the test to say."""

from __future__ import annotations

import asyncio
import json
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

from sankofa.access.tiers import Tiers
from sankofa.ask.params import parameters
from sankofa.ask.question import answer, prepare
from sankofa.core.errors import ServiceError
from sankofa.fundamentals.claims import VERIFY
from sankofa.storage.reading import Reader
from sankofa.surfaces.rest import ENDPOINTS
from sankofa.web import envelope

ALL = {endpoint.name: endpoint for endpoint in (*ENDPOINTS, VERIFY)}
_OF_THE_EDITION = ("edition", "next_cursor")


class RecordingReader(Reader):
    """The reader as it is, which also keeps the statements that were run."""

    def __init__(self, options):
        super().__init__(options)
        self.statements = []

    async def fetch(self, query, values, *, edition):
        self.statements.append(query)
        return await super().fetch(query, values, edition=edition)


class Asker:
    """The read side of one API process, which learns of new editions when `poll` is called."""

    def __init__(self, runner, reader, keys):
        self._runner, self.reader, self._keys = runner, reader, keys

    def poll(self):
        """Learn of the newest edition, and return its number."""
        self._runner.run(self.reader.probe())
        return self.reader.newest

    def question(self, name, **sent):
        """Return a request with the edition that answers it."""
        return self._runner.run(self._prepare(name, sent))

    def edition(self, name, **sent):
        """Return the number of the edition that answers a request."""
        return self.question(name, **sent).page.edition.number

    def answer(self, name, **sent):
        """Return the body of an answer without what names its edition, or the kind of refusal."""
        return self._runner.run(self._answer(name, sent))

    async def _prepare(self, name, sent):
        endpoint = ALL[name]
        in_path = {each for each, declared in parameters(endpoint.params).items() if declared.in_path}
        return await prepare(
            endpoint,
            {each: text for each, text in sent.items() if each in in_path},
            [(each, str(text)) for each, text in sent.items() if each not in in_path],
            tier=Tiers().professional,
            reader=self.reader,
            keys=self._keys,
        )

    async def _answer(self, name, sent):
        try:
            question = await self._prepare(name, sent)
            found = await answer(question, self.reader, self._keys)
        except ServiceError as error:
            return type(error).__name__
        body = json.loads(envelope.as_json(question.endpoint, found), parse_float=Decimal)
        return {field: value for field, value in body.items() if field not in _OF_THE_EDITION}


@contextmanager
def asking(service, **options):
    """Open the read side of a service, with its options for reading, or others."""
    never = timedelta(hours=1)
    with asyncio.Runner() as runner:
        reader = RecordingReader(replace(service.settings.reading(), poll=never, stale=never, **options))
        runner.run(reader.open())
        try:
            yield Asker(runner, reader, service.settings.cursor_keys())
        finally:
            runner.run(reader.close())
