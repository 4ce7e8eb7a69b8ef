"""QUA-1 over time: a verification that runs on a timer is a measure of quality."""

from __future__ import annotations

import subprocess
from contextlib import contextmanager

import pytest

from dev.installation import command
from sankofa.ingest.archive import key
from support.filings import Filer
from support.stated_quality import metrics


@contextmanager
def verifier(service):
    """Run the command as its container does: under an S3 identity that can only read."""
    access, secret = service.installation.stack.s3.keys_of("reader")
    arguments, environment = command(service.installation, "verify", "--every", "24")
    environment |= {"SANKOFA_S3_ACCESS_KEY": access, "SANKOFA_S3_SECRET_KEY": secret}
    running = subprocess.Popen(arguments, env=environment, stdout=subprocess.DEVNULL)
    try:
        yield running
    finally:
        running.terminate()
        running.wait()


@pytest.mark.proves("QUA-1")
def test_a_verification_on_a_timer_becomes_a_measure_of_quality(service):
    recorded = (
        "SELECT sku, good = measured FROM ops.quality_result WHERE measure = 'verified' AND edition = %s"
    )
    filer = Filer(1).says(1, filed="2024-01-01")
    service.ingest(filer.document())
    service.publish()
    assert metrics(service, "AF-FUND")["verified"]["status"] == "UNMEASURED"
    for edition, is_whole in ((1, True), (2, False)):
        if not is_whole:
            ((document,),) = service.rows("SELECT sha256 FROM ops.document WHERE document_id = 1")
            service.objects.replace(key(document), b"something else")
        with verifier(service) as running:
            while not (found := service.rows(recorded, edition)):
                assert running.poll() is None
        assert sorted(found) == [(sku, is_whole) for sku in ("AF-FUND", "AF-MACRO", "AF-TENDER")]
        service.ingest(filer.says(edition + 1, filed=f"2024-0{edition + 1}-01").document())
        service.await_edition(service.publish().edition)
        shown = metrics(service, "AF-FUND")["verified"]
        assert shown["status"] == ("pass" if is_whole else "fail")
        assert (shown["value"] == 1) == is_whole
