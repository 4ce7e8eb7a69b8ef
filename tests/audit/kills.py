"""Acts of an operator as processes of their own, so that they can be killed."""

from __future__ import annotations

import signal
import subprocess
import time

from dev.installation import command


def run(service, arguments):
    """Run a command to its end."""
    line, environment = command(service.installation, *arguments)
    subprocess.run(line, env=environment, check=True, capture_output=True)


def timed(service, arguments):
    """Run a command to its end and return how many seconds it took."""
    began = time.monotonic()
    run(service, arguments)
    return time.monotonic() - began


def kill_at_random(service, arguments, seconds, rng):
    """Start a command that takes about so many seconds, and kill it before, or just after, it ends."""
    line, environment = command(service.installation, *arguments)
    with subprocess.Popen(
        line, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        try:
            process.wait(rng.uniform(0, seconds * 1.1))
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
