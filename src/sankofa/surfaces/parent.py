"""A process that ends when the process that started it is gone, even if that one was killed."""

from __future__ import annotations

import ctypes
import os
import signal
from collections.abc import Callable

_SET_PARENT_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG of <linux/prctl.h>


def follow_parent() -> Callable[[], None]:
    """Return a `preexec_fn`: the kernel sends SIGTERM to the new process when this one ends. For Linux."""
    parent, prctl = os.getpid(), ctypes.CDLL(None, use_errno=True).prctl

    def follow() -> None:
        prctl(_SET_PARENT_DEATH_SIGNAL, signal.SIGTERM)
        if os.getppid() != parent:  # it ended before the kernel was asked
            os.kill(os.getpid(), signal.SIGKILL)

    return follow
