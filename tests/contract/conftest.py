"""Ties tests to contract lines while they run. With `--complete`, every line must have a test."""

from __future__ import annotations

import pytest

from contract.manifest import disagreements, lines

_claims = pytest.StashKey[dict[str, set[str]]]()
_passed = pytest.StashKey[set[str]]()


def pytest_collection_modifyitems(config, items):
    claims = {}
    for item in items:
        for mark in item.iter_markers("proves"):
            for line in mark.args:
                claims.setdefault(line, set()).add(item.nodeid)
    config.stash[_claims] = claims
    config.stash[_passed] = set()


def pytest_runtest_logreport(report):
    passed = pytest.contract_config.stash[_passed]
    if report.failed or report.skipped:
        passed.discard(report.nodeid)
    elif report.when == "call":
        passed.add(report.nodeid)


def pytest_addoption(parser):
    parser.addoption("--complete", action="store_true", help="fail if a contract line has no test")


def pytest_configure(config):
    pytest.contract_config = config


def pytest_terminal_summary(terminalreporter, config):
    if not config.getoption("--complete"):
        return
    claims = config.stash.get(_claims, {})
    passed = config.stash.get(_passed, set())
    proven = [line for line in lines() if claims.get(line) and claims[line] <= passed]
    missing = [line for line in lines() if line not in proven]
    wrong = disagreements(set(claims))
    terminalreporter.write_line(f"{len(proven)} of {len(lines())} contract lines proven")
    terminalreporter.write_line(f"not proven: {' '.join(missing) or 'none'}")
    for line in wrong:
        terminalreporter.write_line(f"manifest: {line}", red=True)


def pytest_sessionfinish(session, exitstatus):
    claims = session.config.stash.get(_claims, {})
    if session.config.getoption("--complete") and exitstatus == 0 and disagreements(set(claims)):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
