"""Ids of real releases: process ids stay as published, and no id holds the name of a supplier."""

from __future__ import annotations

import re
import unicodedata
from itertools import pairwise

import pytest

from real.test_real_ocds import DATA, DOCUMENTS, parsed, plain, stated, top

pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason=f"no real files at {DATA}; see SANKOFA_REAL_DATA")
PORTALS = [path for path in DOCUMENTS if top(path).startswith(("real/", "south-africa"))]
# Releases of plans in which no title has the words of the id: it was made from the title of another plan.
OTHER_TITLE = {
    "284444-servicios-mantenimiento-reparacion-maquinarias-institucion-municipal-planning",
    "284462-servicios-conexion-internet-planning",
    "284745-estudios-factibilidad-proyectos-planning",
}


def published(paths):
    """Return ocid and id of every release that is written out, as written."""
    return {
        (release["ocid"], str(release["id"]))
        for path in paths
        for release in stated(plain(path))
        if "ocid" in release and "id" in release
    }


def read(paths):
    return {(release.ocid, release.id) for path in paths for release in parsed(path)[0]}


def letters(text):
    folded = unicodedata.normalize("NFKD", text.casefold())
    return re.findall("[a-z]+", "".join(letter for letter in folded if not unicodedata.combining(letter)))


def test_no_ocid_is_replaced():
    ocids = {ocid for ocid, _ in published(PORTALS)}
    releases = read(PORTALS)
    print(f"{len(releases)} releases of {len(ocids)} processes")
    assert len(releases) >= 428
    assert {ocid for ocid, _ in releases} == ocids


def test_ids_of_releases_of_paraguay_stay_unless_they_are_made_from_a_supplier_s_name():
    paths = [path for path in PORTALS if top(path) == "real/paraguay"]
    ids, kept = ({number for _, number in found} for found in (published(paths), read(paths)))
    suppliers = {number for number in ids if number.endswith("-contract")}
    assert (len(ids), len(suppliers)) == (63, 15)
    assert ids & kept == ids - suppliers - OTHER_TITLE


def names(value, *, of_party=False):
    """Yield every name of a party that stands anywhere in a document."""
    if isinstance(value, list):
        for item in value:
            yield from names(item, of_party=of_party)
    elif isinstance(value, dict):
        for key, item in value.items():
            if of_party and key in {"name", "legalName"} and isinstance(item, str):
                yield item
            yield from names(
                item, of_party=of_party or key in {"suppliers", "tenderers", "parties", "contactPoint"}
            )


@pytest.mark.parametrize("portal", sorted({top(path) for path in PORTALS}))
def test_no_id_that_stays_holds_two_words_of_a_name_in_the_files_of_its_portal(portal):
    paths = [path for path in PORTALS if top(path) == portal]
    pairs = {pair for path in paths for name in names(plain(path)) for pair in pairwise(letters(name))}
    kept = {number for path in paths for release in parsed(path)[0] for number in release.ids()}
    kept = {number for number in kept if not re.fullmatch("h-[0-9a-f]{24}", number)}
    assert {number for number in kept if pairs.intersection(pairwise(letters(number)))} == set()
