"""What a release does to the changelog."""

from __future__ import annotations

import pytest

from dev.release import changelog

BEFORE = "# Changelog\n\n## [Unreleased]\n\n- New.\n\n## [0.1.0] - 2026-11-16\n\n- First.\n"


def test_what_is_unreleased_gets_the_heading_of_the_version():
    assert changelog(BEFORE, "0.2.0", "2027-01-02") == (
        "# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - 2027-01-02\n\n- New.\n\n"
        "## [0.1.0] - 2026-11-16\n\n- First.\n"
    )


@pytest.mark.parametrize("text", ["# Changelog\n", BEFORE.replace("- New.\n\n", "")])
def test_nothing_to_release_is_said(text):
    with pytest.raises(SystemExit, match="nothing to release"):
        changelog(text, "0.2.0", "2027-01-02")
