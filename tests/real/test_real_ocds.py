"""Real OCDS documents, read twice: by the parser, and by a plain reading with json."""

from __future__ import annotations

import hashlib
import itertools
import json
import os
import re
import unicodedata
from collections import Counter, defaultdict
from datetime import UTC, datetime
from decimal import Decimal
from functools import cache
from pathlib import Path

import msgspec
import pytest

from sankofa.core.errors import UnreadableDocument
from sankofa.ingest.bytes.bounds import Rejections
from sankofa.ingest.ocds import release as ocds

REPOSITORY = Path(__file__).parents[2]
DATA = Path(os.environ.get("SANKOFA_REAL_DATA", REPOSITORY.parent / "shared" / "data")) / "ocds"
FILES = sorted(path for path in DATA.rglob("*") if path.is_file())
DOCUMENTS = [path for path in FILES if path.suffix == ".json"]
FETCHED = datetime(2026, 11, 1, tzinfo=UTC)

pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason=f"no real files at {DATA}; see SANKOFA_REAL_DATA")


@cache
def parsed(path):
    """Return the releases of a file, what was counted, and why the file was refused, if it was."""
    rejections, releases = Rejections(), []
    with path.open("rb") as document:
        try:
            releases.extend(ocds.parse(document, rejections, fetched_at=FETCHED))
        except UnreadableDocument as unreadable:
            return releases, rejections.counts, unreadable.reason
    return releases, rejections.counts, None


@cache
def plain(path):
    return json.loads(path.read_text(encoding="utf-8-sig"), parse_float=Decimal)


def left_out(counts):
    return sum(number for reason, number in counts.items() if not reason.startswith("repaired_"))


def is_link(release):
    return "url" in release and "ocid" not in release and "id" not in release


def stated(document):
    """Return whatever stands in the place of a release, by a plain walk."""
    if isinstance(document, list):
        return [release for item in document for release in stated(item)]
    listed = document.get("releases", []) + document.get("compiledReleases", [])
    for record in document.get("records", []):
        listed += stated(record)
    if "compiledRelease" in document and all(map(is_link, document.get("releases", []))):
        listed.append(document["compiledRelease"])
    wrappings = ("releases", "records", "compiledReleases", "compiledRelease", "versionedRelease")
    return listed if any(key in document for key in wrappings) else [document]


def top(path):
    parts = path.relative_to(DATA).parts
    return "/".join(parts[:2]) if parts[0] == "real" else parts[0]


def test_every_real_file_goes_in_or_is_refused_with_a_reason(capsys):
    counted = defaultdict(Counter)
    for path in FILES:
        releases, counts, refused = parsed(path)
        counted[top(path)] += Counter(files=1, releases=len(releases))
        counted[top(path)][f"refused: {refused}"] += refused is not None
        counted[top(path)] += {name: n for name, n in counts.items() if not name.startswith("repaired_")}
        assert releases or refused or left_out(counts), path
    with capsys.disabled():
        for folder, counts in sorted(counted.items()):
            print(f"\n{folder}: " + ", ".join(f"{name} {n}" for name, n in (+counts).items()), end="")
    assert sum(counts["files"] for counts in counted.values()) == len(FILES)


def test_only_what_is_no_json_is_refused_as_a_whole():
    refused = {path for path in FILES if parsed(path)[2]}
    assert refused == set(FILES) - set(DOCUMENTS)
    assert {parsed(path)[2] for path in refused} == {"malformed_json"}


def test_every_release_is_parsed_or_counted():
    for path in DOCUMENTS:
        releases, counts, _ = parsed(path)
        assert len(releases) + left_out(counts) == len(stated(plain(path))), path


def kept_as(number):
    """Return an id as written, and the name it is given where it may hold the name of somebody."""
    return number, f"h-{hashlib.sha256(number.strip().encode()).hexdigest()[:24]}"


def test_identity_date_and_money_are_those_of_the_document():
    compared = 0
    for path in DOCUMENTS:
        written = {
            (str(release["ocid"]), str(release["id"]), release.get("date")): release
            for release in stated(plain(path))
            if not isinstance(release.get("id"), list | None) and "ocid" in release
        }
        dates = {}
        for ocid, number, at in written:
            for pair in itertools.product(kept_as(ocid), kept_as(number)):
                dates.setdefault(pair, set()).add(at)
        for release in parsed(path)[0]:
            known = dates[release.ocid, release.id]
            if release.date:
                assert release.date in {moment(at) for at in known if at}
            compared += 1
        amounts = {Decimal(amount) for amount in numbers(plain(path))}
        for money in monies(path):
            assert money.amount in amounts
    assert compared == sum(len(parsed(path)[0]) for path in DOCUMENTS) > 0


def moment(text):
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        return None
    return at.replace(tzinfo=at.tzinfo or UTC)


def numbers(value):
    if isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from numbers(item)
    elif isinstance(value, int | Decimal) or (
        isinstance(value, str) and re.fullmatch(r"-?\d+(\.\d+)?", value)
    ):
        yield value


def monies(path):
    for release in parsed(path)[0]:
        tender = release.tender
        held = [release.budget, *((tender.value, tender.min_value) if tender else ())]
        held += [award.value for award in release.awards] + [contract.value for contract in release.contracts]
        yield from (money for money in held if money)


def test_54_of_450_pairs_of_ocid_and_id_come_with_other_content():
    """As written. What is read of them differs in fewer, and those are the vintages to expect."""
    written, read = defaultdict(set), defaultdict(set)
    for path in DOCUMENTS:
        if path.is_relative_to(DATA / "real"):
            for release in stated(plain(path)):
                if not is_link(release):
                    content = json.dumps(release, sort_keys=True, default=str)
                    written[release["ocid"], str(release["id"])].add(content)
            for release in parsed(path)[0]:
                read[release.ocid, release.id].add(msgspec.json.encode(release))
    assert len(written) == len(read) == 450
    assert sum(len(contents) > 1 for contents in written.values()) == 54
    changed = {pair for pair, contents in read.items() if len(contents) > 1}
    refilled = {pair for pair, contents in written.items() if len(contents) > 1}
    assert changed <= {kept for pair in refilled for kept in itertools.product(*map(kept_as, pair))}
    print(f"{len(changed)} of 54 differ in what is read")


# Contacts of the real files that are offices, and so are not searched for.
OFFICES = {
    "bids team",
    "contracts team",
    "n a",
    "procurement team",
    "representante de ventas",
    "tender office",
}
CONTACT = {"contactPoint", "contactPerson"}
FREE_TEXT = {"title", "description", "procurement_method_details"}


def contacts(value, *, inside=False):
    """Yield (kind, text) for every contact of a document, by its plain OCDS keys."""
    if isinstance(value, list):
        for item in value:
            yield from contacts(item, inside=inside)
    elif isinstance(value, dict):
        for key, item in value.items():
            if inside and isinstance(item, str) and item.strip():
                kind = {"name": "name", "email": "email"}.get(key)
                kind = kind or ("telephone" if re.search("telephone|fax", key) else None)
                if kind:
                    yield kind, item
            else:
                yield from contacts(item, inside=inside or key in CONTACT)


def strings(value, path=()):
    """Yield every string of a release with its path."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from strings(item, (*path, key))
    elif isinstance(value, list):
        for item in value:
            yield from strings(item, path)
    elif isinstance(value, str):
        yield path, value


def simple(text):
    folded = unicodedata.normalize("NFKD", text).casefold()
    letters = "".join(letter for letter in folded if not unicodedata.combining(letter))
    return " " + " ".join(re.findall(r"\w+", letters)) + " "


def holds(text, kind, contact):
    if kind == "email":
        return "@" in contact and contact.strip().casefold() in text.casefold()
    if kind == "name":
        return simple(contact) in simple(text)
    number = re.sub(r"\D", "", contact)
    return len(number) >= 6 and number in re.sub(r"\D", "", text)


def screened(kind, contact):
    """Tell whether a contact is one that text is searched for: a way to a person, or a person."""
    if kind == "telephone":
        return len(re.sub(r"\D", "", contact)) >= 6
    return "@" in contact if kind == "email" else simple(contact).strip() not in OFFICES


def test_text_that_holds_a_real_contact_is_flagged():
    """Real releases with one of their own contacts written into the title."""
    planted = Counter()
    for path in DOCUMENTS:
        for source in stated(plain(path)):
            people = {found for found in contacts(source) if screened(*found)}
            for kind, contact in people if "ocid" in source and "id" in source else ():
                tender = source["tender"] if isinstance(source.get("tender"), dict) else {}
                told = source | {"tender": tender | {"title": f"Enquiries: {contact} (office hours)"}}
                data = json.dumps(told, default=float).encode()
                [release] = ocds.parse(data, Rejections(), fetched_at=FETCHED)
                assert release.text_flags, (path.name, kind, contact)
                planted[kind] += 1
    print(dict(planted))
    assert min(planted["email"], planted["name"], planted["telephone"]) > 100


def test_no_contact_leaves_the_parser_and_text_that_holds_one_is_flagged():
    """Names of parties are apart: whether one is a person's is decided when it is established."""
    searched, named, flagged = Counter(), set(), 0
    leaks = []
    for path in DOCUMENTS:
        by_pair = defaultdict(list)
        for release in parsed(path)[0]:
            by_pair[release.ocid, release.id].append(release)
        pairs = [
            (source, by_pair[source.get("ocid"), str(source.get("id"))]) for source in stated(plain(path))
        ]
        for source, release in ((source, release) for source, found in pairs for release in found):
            people = set(contacts(source))
            searched.update(kind for kind, _ in people)
            for where, text in strings(json.loads(msgspec.json.encode(release))):
                for kind, contact in people:
                    if not holds(text, kind, contact):
                        continue
                    if where == ("parties", "name") and kind == "name":
                        named.add(contact)
                    elif where[-1] in FREE_TEXT and release.text_flags:
                        flagged += 1
                    else:
                        leaks.append((path.name, where, kind, contact, text))
    print(dict(searched), f"{len(named)} contacts are named as parties, {flagged} texts flagged")
    assert min(searched["email"], searched["name"], searched["telephone"]) > 100
    assert leaks == []
