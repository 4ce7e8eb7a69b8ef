"""Programs run in the files of the image as in a container: another root, read-only, without rights."""

from __future__ import annotations

import shlex
import subprocess
from contextlib import contextmanager

from dev import image

_LOOK = """\
mount --bind {root} {root}
mount --rbind /dev {root}/dev
mount -t proc proc {root}/proc
mount -t tmpfs tmpfs {root}/tmp
mount -o remount,bind,ro {root}
exec setpriv --no-new-privs chroot --userspec={user} --groups= {root} /usr/bin/env -i {variables} {command}
"""


class ImageRoot:
    """The files of the image and what it declares."""

    def __init__(self, folder):
        self.folder = folder
        self.declared = image.config()

    def start(self, *command, **variables):
        """Start a program under the user and the environment of the image, with its network as here."""
        given = [*self.declared["Env"], *(f"{name}={text}" for name, text in variables.items())]
        script = _LOOK.format(
            root=self.folder,
            user=self.declared["User"],
            variables=shlex.join(given),
            command=shlex.join(command),
        )
        confined = ["unshare", "--mount", "--propagation=private", "sh", "-e", "-c", script]
        return subprocess.Popen(confined, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def run(self, *command, **variables):
        """Run a program to its end and return its status and what it printed."""
        started = self.start(*command, **variables)
        printed, _ = started.communicate(timeout=300)
        return started.returncode, printed


@contextmanager
def image_root():
    """Build the image and yield its files."""
    image.build()
    with image.unpacked() as folder:
        yield ImageRoot(folder)
