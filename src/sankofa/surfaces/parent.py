"""A process that ends when the process that started it is gone, even if that one was killed."""

from __future__ import annotations

import ctypes
import signal

_SET_PARENT_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG of <linux/prctl.h>


def follow_parent() -> None:
    """Ask the kernel to send SIGTERM to this process when its parent ends. For `preexec_fn`, on Linux."""
    ctypes.CDLL(None, use_errno=True).prctl(_SET_PARENT_DEATH_SIGNAL, signal.SIGTERM)
