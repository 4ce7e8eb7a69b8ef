"""`sankofa verify` finds nothing where nothing was touched, and names whatever was changed by whomever."""

from __future__ import annotations

import hashlib
import subprocess

import pytest
from typer.testing import CliRunner

from dev.installation import command
from sankofa.core.errors import Refused
from sankofa.editions import merkle
from sankofa.editions.takedown import take_down_issuer
from sankofa.ingest.archive import key
from sankofa.surfaces.cli import app
from support.filings import FY2022, Filer
from support.stated_macro import rates
from support.verifying import tampered, tampering, untouched, verify


@pytest.fixture(scope="module")
def sealed(module_service):
    """Three editions with all that can happen to rows: restated, merged, taken down whole and in part."""
    service = module_service
    filers = [
        Filer(n).says(n, filed="2024-02-01").says(7, filed="2024-02-01", period=FY2022) for n in range(1, 9)
    ]
    service.ingest(*(filer.document() for filer in filers))
    stated = {"1999-01-04": {"USD": "1.1789"}, "2024-01-02": {"USD": "1.0956"}}
    service.ingest(rates(stated), source_name="demo-fx")
    service.publish()
    service.ingest(filers[0].says(90, filed="2024-06-01").document())
    for pair in (filers[1:3], filers[5:7]):
        service.merge(*(service.id_of(filer.identifier) for filer in pair))
    service.publish()
    gone, twice, emptied = (service.id_of(filers[place].identifier) for place in (3, 2, 0))
    for service_id in (twice, emptied):
        facts = "SELECT fact_id FROM serving.fundamentals_fact WHERE service_id = %s ORDER BY row_id"
        service.take_down(service_id, service.rows(facts, service_id)[0][0])
    service.take_down(gone)
    service.take_down(twice)
    service.ingest(Filer(9).says(5, filed="2024-07-01").document())
    service.publish()
    assert untouched(service)
    return service


def named(service, *options):
    """Return what is found, and check that the command says so."""
    code, findings, told = verify(service, *options)
    assert code == 1
    assert told.startswith(f"{len(findings)} findings; the first bad edition is ")
    return findings


@pytest.mark.parametrize(
    ("part", "change"),
    [
        ("ledger.fact", "SET value = value + 1"),
        ("ledger.filing", "SET filed = filed + 1"),
        ("ledger.subject", "SET identifier = identifier || '0'"),
        ("ledger.concept", "SET concept = concept || 'x'"),
        ("ledger.organisation_record", "SET legal_name = legal_name || ' Ltd'"),
        ("ledger.observation", "SET value = value + 0.0001"),
        ("ledger.snapshot", "SET available_at = available_at - 1"),
        ("ledger.series_head", "SET unit = 'XXX'"),
        ("ledger.identity_decision", "SET reason = 'another'"),
        ("ledger.takedown", "SET reason = 'another'"),
        ("ops.document", "SET license_class = 'mine'"),
        ("ops.batch", "SET facts_read = facts_read + 1"),
        ("ops.edition_version", "SET version = version || '0'"),
        ("ops.tombstone", "SET service_id = 'DC0000000000000'"),
        ("serving.edition", "SET published_at = published_at - interval '1 day'"),
        ("serving.takedown", "SET rows_removed = rows_removed + 1"),
        (
            "serving.closing",
            "SET reason = (CASE reason WHEN 'merged' THEN 'added' ELSE 'merged' END)::serving.change_reason",
        ),
        ("serving.provenance", "SET observed_at = observed_at - interval '1 day'"),
        ("serving.organisation", "SET legal_name = legal_name || '.'"),
        ("serving.macro_value", "SET value = value + 0.0001"),
        ("serving.metric_span", "SET last_year = last_year + 1"),
    ],
)
def test_an_altered_row_is_named(sealed, part, change):
    with tampered(sealed, part, change) as name:
        findings = named(sealed, "--part", part)
    assert [finding.split(": ", 1)[1] for finding in findings] in (
        [f"{part} {name}: altered"],
        [f"{part} {name}: altered"] * len(findings),  # what several editions rest on is sealed by each
    )


def test_a_deleted_row_is_missed_between_its_neighbours(sealed):
    (_, (middle,), *_) = sealed.rows(
        "SELECT row_id FROM serving.fundamentals_fact WHERE published_in = 1 AND value > 0 ORDER BY row_id"
    )
    with tampered(sealed, "serving.fundamentals_fact", "DELETE", where=f"row_id = {middle}"):
        (finding,) = named(sealed, "--part", "serving.fundamentals_fact")
    assert finding == (
        f"edition 1: serving.fundamentals_fact after {middle - 1} and before {middle + 1}: 1 missing"
    )
    with tampered(sealed, "ledger.fact", "DELETE", where="document_id = 1"):
        (finding,) = named(sealed, "--part", "ledger.fact")
    assert finding.startswith("edition 1: ledger.fact before all others and before (")
    assert finding.endswith("): 1 missing")


def test_an_added_row_is_named_wherever_it_claims_to_belong(sealed):
    forged = (
        "INSERT INTO ledger.fact SELECT filing_id, concept_id, period_start, period_end, {document}, scope,"
        " decimals, 'XXX', 1 FROM ledger.fact ORDER BY filing_id LIMIT 1"
    )
    copied = (
        "INSERT INTO serving.issued_id (service_id, resolves_to, published_in, reason)"
        " SELECT service_id, resolves_to, {edition}, reason FROM serving.issued_id ORDER BY row_id LIMIT 1"
    )
    for act, part, told in (
        (forged.format(document=1), "ledger.fact", "added"),
        (forged.format(document=999), "ledger.fact", "rows of a document that no batch accepted"),
        (copied.format(edition=2), "serving.issued_id", "added"),
    ):
        with tampering(sealed) as admin:
            ((place,),) = admin.execute(f"{act} RETURNING ctid::text").fetchall()
            try:
                (finding,) = named(sealed, "--part", part)
            finally:
                admin.execute(f"DELETE FROM {part} WHERE ctid = '{place}'")
        assert finding.endswith(f": {told}")
        assert f": {part} " in finding
    assert untouched(sealed)


def test_a_row_that_ends_in_another_edition_than_its_closing_says_is_named(sealed):
    part = "serving.issued_id"
    with tampered(sealed, part, "SET superseded_in = 2147483647", where="superseded_in = 2") as closed:
        assert named(sealed) == [
            f"edition 2: {part} {closed}: was closed by the edition and does not end there"
        ]
    open_row = "superseded_in = 2147483647 AND published_in = 1"
    with tampered(sealed, part, "SET superseded_in = 3", where=open_row) as open_:
        assert named(sealed) == [f"edition 1: {part} {open_}: ends in an edition that did not close it"]
    with tampered(sealed, "serving.closing", "DELETE", where=f"dataset = 'issued_id' AND row_id = {closed}"):
        findings = named(sealed)
    assert f"edition 1: {part} {closed}: ends in an edition that did not close it" in findings
    assert any("serving.closing" in finding and finding.endswith("1 missing") for finding in findings)


def test_tombstones_stand_for_their_rows_and_are_covered_themselves(sealed):
    part = "serving.fundamentals_fact"
    whole = "dataset = 'fundamentals_fact' AND remains IS NULL AND takedown = 3"
    row_id = sealed.rows(f"SELECT row_id FROM ops.tombstone WHERE {whole} ORDER BY row_id::text")[0][0]
    with tampered(sealed, "ops.tombstone", "SET digest = sha256(digest)", where=whole):
        assert f"edition 1: {part} {row_id}: its tombstone was altered or forged" in named(sealed)
    with tampered(sealed, "ops.tombstone", "DELETE", where=whole):
        findings = named(sealed)
    assert any(finding.startswith(f"edition 1: {part} after") for finding in findings)
    assert any(finding.startswith("edition 3: ops.tombstone") for finding in findings)
    # What a takedown left must stay as it left it: the value gone, all else in place.
    with tampered(sealed, part, "SET value = 1", where="value IS NULL") as emptied:
        assert named(sealed) == [f"edition 1: {part} {emptied}: is not what its takedown left of it"]


def test_a_taken_down_row_that_is_put_back_is_named(sealed):
    with tampering(sealed) as admin:
        ((row_id,),) = admin.execute(
            "SELECT min(row_id) FROM ops.tombstone WHERE dataset = 'issued_id' AND remains IS NULL"
        ).fetchall()
        admin.execute(
            "INSERT INTO serving.issued_id (row_id, service_id, resolves_to, published_in, reason)"
            " OVERRIDING SYSTEM VALUE VALUES (%s, 'DC', 'DC', 1, 'added')",
            [row_id],
        )
        findings = named(sealed)
        admin.execute("DELETE FROM serving.issued_id WHERE row_id = %s", [row_id])
    assert findings == [f"edition 1: serving.issued_id {row_id}: is not what its takedown left of it"]


def test_digests_that_were_rewritten_are_found_by_what_is_kept_outside(sealed):
    with tampered(sealed, "ops.digest_block", "SET digest = sha256(digest)", where="part = 'ledger.fact'"):
        findings = named(sealed)
    assert "edition 1: ledger.fact: its blocks are not those that the edition's manifest names" in findings
    with tampered(sealed, "ops.digest_group", "SET digest = sha256(digest)", where="part = 'ledger.fact'"):
        assert named(sealed, "--edition", 1) == [
            "edition 1: ledger.fact: its groups are not those of its blocks"
        ]
    with tampered(sealed, "serving.edition_digest", "SET manifest = manifest || ' '", where="edition = 2"):
        assert named(sealed) == [
            "edition 2: digest: the digest is not that of the manifest",
            "edition 2: digest: S3 has another manifest of it",
        ]
    rewritten = (
        r"SET manifest = 'edition 2', digest = sha256('\x00'::bytea || convert_to('edition 2', 'UTF8'))"
    )
    with tampered(sealed, "serving.edition_digest", rewritten, where="edition = 2"):
        assert named(sealed) == [
            "edition 2: digest: its signature does not verify",
            "edition 2: digest: S3 has another manifest of it",
            "edition 3: digest: does not follow edition 2, but says it follows 2",
        ]
    with tampered(sealed, "serving.edition_digest", "DELETE", where="edition = 2"):
        findings = named(sealed)
    assert "edition 2: digest: the digest is missing" in findings


def test_a_chain_that_was_cut_short_is_found(sealed):
    with (
        tampered(sealed, "serving.edition_digest", "DELETE", where="edition = 3"),
        tampered(sealed, "serving.edition", "DELETE", where="edition = 3"),
        tampered(sealed, "ops.edition_build", "DELETE", where="edition = 3"),
    ):
        findings = named(sealed)
    assert findings[0] == "edition 3: digest: editions up to 3 were issued, and all after 2 are missing"


def test_a_document_that_was_changed_or_lost_is_named(sealed):
    ((sha256,),) = sealed.rows("SELECT sha256 FROM ops.document WHERE document_id = 1")
    body = sealed.objects.fetch(key(sha256))
    sealed.objects.replace(key(sha256), body[:-1] + bytes([body[-1] ^ 1]))
    try:
        (finding,) = named(sealed)
        name = f"demo-companyfacts@sha256:{sha256.hex()}"
        assert finding == f"edition 1: documents {name}: altered"
        assert untouched(sealed, "--edition", 2)
    finally:
        sealed.objects.replace(key(sha256), body)
    assert untouched(sealed)


def test_the_command_leaves_with_1_on_a_finding(sealed):
    line, environment = command(sealed.installation, "verify", "--edition", "1")
    with tampered(sealed, "ledger.fact", "SET value = value + 1"):
        ended = subprocess.run(line, env=environment, capture_output=True, check=False, text=True)
    assert ended.returncode == 1
    assert ended.stdout.splitlines()[-1].endswith("1 findings; the first bad edition is 1")


def test_an_unfinished_build_is_undone_with_its_digests(service):
    service.ingest(Filer(1).says(1, filed="2024-02-01").document())
    service.publish()
    service.ingest(Filer(2).says(2, filed="2024-02-01").document())
    # A manifest that stands where the next one belongs stops the publish at its very end.
    ((instance,),) = service.rows("SELECT instance_id FROM ops.instance")
    service.objects.replace(f"instances/{instance}/editions/2", b"in the way")
    with pytest.raises(Refused, match="manifest of edition 2"):
        service.publish()
    blocks = "SELECT count(*) > 0 FROM ops.digest_block WHERE edition = 2"
    assert service.rows(blocks) == [(True,)]
    assert untouched(service)  # a number that was issued for a build that did not end is no finding
    assert service.publish().edition == 3
    assert service.rows(blocks) == [(False,)]
    code, findings, told = verify(service)
    assert (code, len(findings), told) == (0, 1, "all is as it was sealed")
    assert findings[0].startswith("note: edition 2 was issued and is not here")


def test_after_a_restore_the_lost_editions_are_told_and_the_chain_goes_on(service):
    service.ingest(Filer(1).says(1, filed="2024-02-01").document())
    service.publish()
    ((instance,),) = service.rows("SELECT instance_id FROM ops.instance")
    service.objects.replace(f"instances/{instance}/editions/2", b"what a lost edition 2 was made of")
    service.objects.replace(f"instances/{instance}/highest-edition", b"2")
    assert named(service) == ["edition 2: digest: editions up to 2 were issued, and all after 1 are missing"]
    service.ingest(Filer(2).says(2, filed="2024-02-01").document())
    assert service.publish().edition == 3
    code, findings, told = verify(service)
    assert (code, told) == (0, "all is as it was sealed")
    assert findings == [
        "note: edition 2 was issued and is not here: a database was restored, or a publish did not end"
    ]


def test_a_block_s_digest_can_be_computed_from_its_definition(sealed):
    """Independently of PostgreSQL's text: rows of ledger.fact, spelled out by hand as the page says."""
    rows = sealed.rows(
        "SELECT f.filing_id, f.concept_id, f.period_start, f.period_end, f.document_id, f.scope::text,"
        " f.decimals, f.unit, f.value FROM ledger.fact f"
        " JOIN ops.batch b USING (document_id) JOIN ops.edition_holds h"
        " ON h.kind = 'batch' AND h.number = b.batch_id WHERE h.edition = 1"
    )

    def in_order(row):
        filing, concept, start, end, document, scope, _, unit, _ = row
        return filing, concept, end, start, unit, ["consolidated", "separate"].index(scope), document

    texts = [
        "(" + ",".join("" if value is None else str(value) for value in row) + ")"
        for row in sorted(rows, key=in_order)
    ]
    assert len(texts) == 16

    def tree(hashes):  # of a power of two
        while len(hashes) > 1:
            pairs = zip(hashes[::2], hashes[1::2], strict=True)
            hashes = [hashlib.sha256(b"\1" + left + right).digest() for left, right in pairs]
        return hashes[0]

    hashes = [hashlib.sha256(b"\0" + text.encode()).digest() for text in texts]
    ((digest, marks),) = sealed.rows(
        "SELECT digest, marks FROM ops.digest_block WHERE part = 'ledger.fact' AND edition = 1"
    )
    block = tree(hashes)
    assert (digest, marks) == (block, b"".join(one[:3] for one in hashes))
    ((manifest, edition_digest),) = sealed.rows(
        "SELECT manifest, digest FROM serving.edition_digest WHERE edition = 1"
    )
    assert f"\nledger.fact {len(rows)} {block.hex()}\n" in manifest
    lines = [hashlib.sha256(b"\0" + line.encode()).digest() for line in manifest.splitlines()]
    assert edition_digest == merkle.root(lines)  # tests/unit/test_merkle.py compares it with the definition
    assert manifest.startswith(f"edition 1\nprevious 0 {'0' * 64}\n")


def test_what_is_verified_on_a_timer_is_everything(sealed):
    result = CliRunner().invoke(
        app, ["verify", "--every", "24", "--edition", "1"], env=sealed.installation.environment
    )
    assert result.exit_code == 1
    assert "leave out --edition" in result.output


def test_a_takedown_leaves_the_same_tombstones_whatever_its_session_is_set_to(make_service):
    service = make_service()
    filer = Filer(1).says(1, filed="2024-01-31")
    service.ingest(filer.document())
    service.publish()
    service_id = service.id_of(filer.identifier)
    with service.connect("privacy") as connection:
        connection.execute(
            "SET datestyle = 'German'; SET timezone = 'Africa/Nairobi'; SET bytea_output = 'escape'"
        )
        take_down_issuer(connection, service_id, "asked to", "a test")
    assert untouched(service)
