"""Two services: one holds a whole world, the other grows day by day by what was public on that day."""

from __future__ import annotations

import dataclasses
import itertools
import random
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta

from audit.test_series_questions import origin
from demo import companyfacts as demo_companyfacts
from demo.world import World as DemoWorld
from demo.write import FORMATS
from law import brazil, portals, rounded
from law.cutting import Document, Firsts, cuts
from law.fiscal import Filer, companyfacts
from oracle.series_world import world as series_world
from sankofa.entities.model import Identifier
from sankofa.ingest.sources import source
from support import stated_organisations
from support.cvm_forms import a_code
from support.lei_documents import an_lei, as_csv, stated
from support.stated_tenders import portal

FIRST_CIK = 7_000_000
LAST_DAY = date(2026, 10, 1)
LONG_AGO = date(2001, 1, 1)
ORGANISATIONS = frozenset({"gleif", "listings"})


@dataclass
class World:
    """Documents, which subjects are one, and the days to ask about."""

    documents: list[Document] = field(default_factory=list)
    merges: list[tuple[str, str]] = field(default_factory=list)
    days: list[date] = field(default_factory=list)


def generated(seed, *, issuers, years, brazilians, processes, banks, days, demo_issuers):
    """Return an invented world of all datasets, with everything in it that has ever moved an answer."""
    rng = random.Random(seed)
    made = World()
    for number in range(issuers):
        _issuer(made, random.Random(f"{seed}/{number}"), number, years)
    for content, moment in brazil.archives(random.Random(f"{seed}/brazil"), brazilians, LAST_DAY):
        made.documents.append(Document(source("cvm-dfp"), content, moment))
    made.documents += [_known("cvm", a_code(number), "BR-CVM") for number in range(brazilians)]
    # A portal that is followed, and one whose whole history is fetched at once.
    for country, prefix, fetches in (("ZA", "ocds-lawza1", 8), ("KE", "ocds-lawke1", 0)):
        origin_of = dataclasses.replace(portal(f"law-tenders-{country.lower()}", country))
        found = portals.packages(rng, processes, date(2022, 1, 1), LAST_DAY, prefix, fetches=fetches)
        made.documents += [Document(origin_of, content, moment) for content, moment in found]
    for told in series_world(rng, LAST_DAY, banks):
        made.documents.append(Document(origin(told), told.content, told.fetched_at))
    made.documents += _demo(demo_issuers)
    made.documents = at_moments_of_their_own(made.documents)
    made.days = _days(rng, days)
    return made


def _issuer(made, rng, number, lengths):
    """Add a filer: its documents, its names, its LEI record, and a second number of its own in some cases."""
    cik = FIRST_CIK + 3 * number
    filer = Filer(rng, LAST_DAY)
    years = rng.randint(*lengths)
    filings = filer.filings(rng.randint(2009, 2025 - years), years)
    renamed = date(2012, 1, 1) + timedelta(days=rng.randrange(5_000)) if rng.random() < 0.4 else date.max
    names = {LONG_AGO: f"Invented Issuer {number} PLC", renamed: f"Renamed Holdings {number} PLC"}
    shares = [filings]
    if rng.random() < 0.1:  # the same company under two numbers; an operator decides that they are one
        shares = [filings[: len(filings) // 2], filings[len(filings) // 2 :]]
        made.merges.append((f"cik:{cik + 1:010d}", f"cik:{cik:010d}"))
    for place, share in enumerate(shares):
        if share:
            # Some filers' reports come from two sources, and those of some from one that rounds days.
            stated_by = rng.choices(("facts", "both", "sets"), (5, 3, 2))[0]
            if stated_by != "sets":
                made.documents += _downloads(rng, cik + place, share, names)
            if stated_by != "facts":
                found = rounded.data_sets(rng, cik + place, share, names, LAST_DAY)
                made.documents += [Document(source("sec-fsds"), content, moment) for content, moment in found]
            made.documents.append(_known("cik", f"{cik + place:010d}", "US-SEC"))
    if rng.random() < 0.4:
        made.documents += _registered(rng, number, cik, renamed)


def _downloads(rng, cik, filings, names):
    """Return a filer's document as fetched at the end, and in some cases some time before."""
    early = filings[0].filed + (LAST_DAY - filings[0].filed) * rng.random()
    for day in {LAST_DAY, early} if rng.random() < 0.4 else {LAST_DAY}:
        name = names[max(began for began in names if began <= day)]
        held = [filing for filing in filings if filing.filed <= day]
        moment = datetime.combine(day, time(6), UTC)
        yield Document(source("demo-companyfacts"), companyfacts(cik, name, held), moment)


def _known(scheme, number, regulator):
    """Return that a filer exists, without a name: who is who belongs to the edition."""
    registered = Identifier("registry", regulator, number)
    told = stated_organisations.record(
        f"{scheme}:{number}", "", registered, day=LONG_AGO, marks=(f"files_accounts:{regulator}",)
    )
    content = stated_organisations.document(told)
    return Document(stated_organisations.SOURCE, content, datetime(2001, 1, 1, tzinfo=UTC), is_identity=True)


def _registered(rng, number, cik, renamed):
    """Return the LEI of a filer, and what the register of LEIs states of its holder over the years."""
    lei = an_lei(500_000 + number)
    pair = f"lei,cik\n{lei},{cik:010}\n".encode()
    yield Document(source("demo-cik-lei"), pair, datetime(2012, 1, 1, tzinfo=UTC))
    country = rng.choice(("KE", "ZA", "NG"))
    registered = f"2011/{number:06}/07"
    told = {"lei": lei, "country": country, "jurisdiction": country}
    told |= {"registered_as": registered, "validated_as": registered}
    versions = [(date(2013, 5, 1), f"Invented Issuer {number} PLC", "ISSUED")]
    if renamed < LAST_DAY:
        versions.append((max(renamed, date(2013, 6, 1)), f"Renamed Holdings {number} PLC", "ISSUED"))
    if rng.random() < 0.2:
        versions.append((date(2025, 3, 1), versions[-1][1], "RETIRED"))
    for day, name, status in versions:
        record = stated(**told, name=name, registration=status, updated=f"{day}T09:00:00Z")
        moment = datetime.combine(day + timedelta(days=rng.randint(1, 400)), time(7), UTC)
        yield Document(source("demo-gleif"), as_csv(record), moment)


def _demo(issuers):
    """Return the demo world without its tenders, and a later filing.

    Its registers say who is who, so they are identity. So do its releases, by the numbers of parties.
    """
    world = DemoWorld(facts=250 * issuers)
    later = demo_companyfacts.later_filing(world, 1, 2)
    yield Document(source("demo-companyfacts"), later.content, later.fetched_at)
    for written in FORMATS.values():
        origin_of = source(written.SOURCE)
        for number in range(written.parts(world) if origin_of.parser != "ocds" else 0):
            part = written.part(world, number)
            yield Document(origin_of, part.content, part.fetched_at, origin_of.parser in ORGANISATIONS)


def at_moments_of_their_own(documents):
    """Return documents of which no two were fetched at the same second: ties are broken by hashes.

    Bytes that were fetched twice are one document, of the first fetch.
    """
    once = {}
    for document in sorted(documents, key=lambda one: one.fetched_at):
        once.setdefault((document.source.name, document.content), document)
    taken, found = set(), []
    for document in once.values():
        moment = document.fetched_at.replace(microsecond=0)
        while moment in taken:
            moment -= timedelta(seconds=1)
        taken.add(moment)
        found.append(document._replace(fetched_at=moment))
    return sorted(found, key=lambda document: document.source.name)


def _days(rng, count):
    """Return days to ask about: some of years of filings, some of weeks in which series were revised."""
    years = [LONG_AGO + timedelta(days=rng.randrange(3_600, 9_000)) for _ in range(count * 2 // 3)]
    weeks = [LAST_DAY - timedelta(days=rng.randrange(1, 27)) for _ in range(count // 4)]
    found = {*years, *weeks, date(2020, 6, 30), date(2024, 5, 20), LAST_DAY}
    while len(found) < count:
        found.add(date(2022, 1, 1) + timedelta(days=rng.randrange(1_700)))
    return sorted(found)


class Grown:
    """Both services, loaded: `editions` has the edition of the growing one for each day."""

    def __init__(self, whole, growing, world, progress=print):
        self.whole, self.growing, self.world = whole, growing, world
        for service in (whole, growing):
            service.closed_sources = ()
            self._load(service, (one for one in world.documents if one.states_identity))
            service.publish("the law is measured here")
            for duplicate, survivor in world.merges:
                service.merge(service.id_of(duplicate), service.id_of(survivor))
        documents = self._load(whole, (one for one in world.documents if not one.states_identity))
        whole.publish("the law is measured here")
        self.editions = {}
        for day, due in zip(world.days, cuts(documents, world.days, Firsts(documents)), strict=True):
            assert len(self._load(growing, due)) == len(due), "a part of a document that is read was refused"
            growing.publish("the law is measured here")
            ((self.editions[day],),) = growing.rows("SELECT max(edition) FROM serving.edition")
            progress(f"{day}: {len(due)} documents, edition {self.editions[day]}")
        for service in (whole, growing):
            ((newest,),) = service.rows("SELECT max(edition) FROM serving.edition")
            service.await_edition(newest)

    @staticmethod
    def _load(service, documents):
        """Load documents and return those that were not refused: a real file may be of another format."""
        read = []
        for origin_of, group in itertools.groupby(documents, key=lambda one: one.source):
            loaded = list(group)
            batches = service.ingest(
                *((one.content, one.fetched_at) for one in loaded), source_name=origin_of
            )
            read += [one for one, batch in zip(loaded, batches, strict=True) if batch.outcome != "refused"]
        return read
