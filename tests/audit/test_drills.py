"""Every alert of `deploy/monitoring` fires in a drill, and the commands of its runbook work."""

from __future__ import annotations

import re
import shlex
import subprocess
import time
from contextlib import ExitStack, contextmanager

import pytest

from audit import drills_api, drills_data
from audit.drills import World
from dev.ports import unused_ports
from support.prometheus import alerts_of, deployed_rules, divided, is_divided
from support.repository import ROOT
from support.waiting import until

DRILLS = (*drills_api.DRILLS, *drills_data.DRILLS)
RUNBOOKS = ROOT / "docs" / "operations" / "runbooks.md"
SECONDS = 240  # within which an alert fires, or is gone
# What a command needs besides what the runbook writes.
MORE = {
    "sankofa held release": "1 --because checked",
    "sankofa held refuse": "2 --because wrong",
    "sankofa serve --workers": "2 --port {port}",
}
LASTING = ("sankofa follow", "sankofa serve", "sankofa work")  # they run until they are stopped


@pytest.fixture(scope="module")
def world(module_service, tmp_path_factory):
    world = World(module_service, tmp_path_factory.mktemp("drills"))
    with world.parts:
        world.start()
        yield world


def commands(alert):
    """Return the commands of an alert's section that are run here, and the number of the others."""
    section = RUNBOOKS.read_text(encoding="utf-8").partition(f"\n## {alert}\n")[2].partition("\n## ")[0]
    found = [" ".join(text.split()) for text in re.findall(r"`((?:sankofa|curl|docker) [^`]+)`", section)]
    here = [text for text in dict.fromkeys(found) if not text.startswith("docker")]
    return here, len(found) - len(here)


def test_every_alert_has_a_drill_and_is_changed_in_nothing_but_its_times():
    rules = deployed_rules()
    deployed, drilled = alerts_of(rules), alerts_of(divided(rules))
    assert sorted(drill.alert for drill in DRILLS) == sorted(deployed)
    assert deployed.keys() == drilled.keys()
    for alert, rule in deployed.items():
        changed = drilled[alert]
        assert {key: text for key, text in rule.items() if key not in ("expr", "for")} == {
            key: text for key, text in changed.items() if key not in ("expr", "for")
        }
        assert all(is_divided(rule[key], changed[key]) for key in ("expr", "for") if key in rule)


@pytest.mark.timeout(900)
@pytest.mark.parametrize("drill", DRILLS, ids=[drill.alert for drill in DRILLS])
def test_an_alert_fires_and_the_commands_of_its_runbook_work(world, drill):
    """Cause a fault until its alert fires, run the commands, mend it, and print what was observed."""
    here, elsewhere = commands(drill.alert)
    later = [text for text in here if text.startswith(drill.afterwards)]
    await_state(world, drill, None)
    with ExitStack() as lasting:
        began = time.monotonic()
        with drill.fault(world):
            await_state(world, drill, "firing")
            fired = time.monotonic() - began
            for text in here:
                if text not in later:
                    obey(world, drill, text, lasting)
            mended = time.monotonic()
        for text in later:
            obey(world, drill, text, lasting)
        if not drill.stays_because:
            await_state(world, drill, None)
    gone = (
        f"stays: {drill.stays_because}"
        if drill.stays_because
        else f"gone after {time.monotonic() - mended:.0f} s"
    )
    ran = ", ".join(here) or "none"
    print(
        f"{drill.alert} fired after {fired:.0f} s, {gone}; commands: {ran}; with docker, not run: {elsewhere}"
    )


def await_state(world, drill, state):
    observed = world.prometheus.state
    until(lambda: observed(drill.alert) == state, seconds=SECONDS)


def obey(world, drill, text, lasting):
    """Run a command of the runbook: it must succeed, or name the cause that the drill expects it to find."""
    if text.startswith(LASTING):
        lasting.enter_context(lasting_command(world, text))
        return
    finds = next((found for start, found in drill.finds.items() if text.startswith(start)), None)
    done = perform(world, text)
    while "is under way" in done.stdout + done.stderr:  # the worker runs the source at this moment
        done = perform(world, text)
    output = done.stdout + done.stderr
    assert "Traceback" not in output, f"{text}: {output}"
    assert finds in output if finds else done.returncode == 0, f"{text}: {output}"


def perform(world, text):
    arguments, environment = completed(world, text)
    return subprocess.run(
        arguments, env=environment, capture_output=True, text=True, timeout=SECONDS, check=False
    )


@contextmanager
def lasting_command(world, text):
    """Run a command that does not end by itself until the alert is gone."""
    arguments, environment = completed(world, text)
    with subprocess.Popen(arguments, env=environment, stdout=subprocess.DEVNULL) as running:
        try:
            yield
            assert running.poll() is None, f"{text} ended"
        finally:
            running.terminate()


def completed(world, text):
    """Return a command of the runbook and its environment, with what it leaves to the reader."""
    port = next(unused_ports())
    words = shlex.split(f"{text} {MORE.get(text, '').format(port=port)}")
    words = [word.replace("http://127.0.0.1:8080", world.api.url) for word in words]
    words = [world.names(words[1]).get(word, word) for word in words]
    return (words, None) if words[0] == "curl" else (world.line(*words[1:]), world.environment)
