"""Ties tests to contract lines while they run. With `--complete`, every line must have a test."""

from __future__ import annotations

import pytest

from contract.manifest import disagreements, lines

_claims = pytest.StashKey[dict[str, set[str]]]()
_passed = pytest.StashKey[set[str]]()
_PROVES = "proves"


def pytest_collection_modifyitems(items):
    # Reports carry the lines to the process that sums up, if several processes run the tests.
    for item in items:
        claimed = [line for mark in item.iter_markers("proves") for line in mark.args]
        item.user_properties.append((_PROVES, claimed))


def pytest_runtest_logreport(report):
    stash = pytest.contract_config.stash
    for line in dict(report.user_properties).get(_PROVES, ()):
        stash[_claims].setdefault(line, set()).add(report.nodeid)
    if report.failed or report.skipped:
        stash[_passed].discard(report.nodeid)
    elif report.when == "call":
        stash[_passed].add(report.nodeid)


def pytest_addoption(parser):
    parser.addoption("--complete", action="store_true", help="fail if a contract line has no test")


def pytest_configure(config):
    pytest.contract_config = config
    config.stash[_claims], config.stash[_passed] = {}, set()


def pytest_terminal_summary(terminalreporter, config):
    if not config.getoption("--complete"):
        return
    claims, passed = config.stash[_claims], config.stash[_passed]
    proven = [line for line in lines() if claims.get(line) and claims[line] <= passed]
    missing = [line for line in lines() if line not in proven]
    wrong = disagreements(set(claims))
    terminalreporter.write_line(f"{len(proven)} of {len(lines())} contract lines proven")
    terminalreporter.write_line(f"not proven: {' '.join(missing) or 'none'}")
    for line in wrong:
        terminalreporter.write_line(f"manifest: {line}", red=True)


def pytest_sessionfinish(session, exitstatus):
    claims = session.config.stash[_claims]
    is_worker = hasattr(session.config, "workerinput")
    if (
        session.config.getoption("--complete")
        and not is_worker
        and exitstatus == 0
        and disagreements(set(claims))
    ):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
