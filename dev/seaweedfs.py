"""How a private S3 runs: SeaweedFS with all its parts on 127.0.0.1, its identities and its buckets."""

import contextlib
import datetime as dt
import hashlib
import json
import re
import secrets
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import obstore
from obstore.exceptions import BaseError
from obstore.store import S3Store

from dev.ports import Ports
from dev.service import Service, StackError

BUCKETS = ("documents", "open-panels", "licensed", "journal")
_IDENTITIES = Path(__file__).resolve().parent.parent / "deploy" / "identities.json"
_PROBE_BUCKET = "stack-probe"
_BUCKET_EXISTS = 409


class SeaweedFS(Service):
    """An S3 server; anonymous callers may read objects of the public bucket and nothing else.

    The filer asks nobody for a key: like all its ports but S3 itself, it must stay on 127.0.0.1.
    """

    program = "weed"
    # One volume file per bucket to begin with, instead of seven.
    environment: ClassVar[Mapping[str, str]] = {"WEED_MASTER_VOLUME_GROWTH_COPY_1": "1"}
    # A graceful end takes 16 s of waiting on its own streams; what was acknowledged is in files by then.
    stop_seconds = 1.0

    def __init__(self, home: Path, ports: Ports) -> None:
        """Describe the S3 server."""
        parts = ("s3", "filer", "volume", "master")
        super().__init__(
            home, {name: getattr(ports, name) for part in parts for name in (part, f"{part}_grpc")}
        )

    @property
    def endpoint(self) -> str:
        """Where S3 clients connect, with the bucket as the first part of the path."""
        return f"http://127.0.0.1:{self.ports['s3']}"

    @property
    def credentials(self) -> tuple[str, str]:
        """The access key and the secret key of the identity that may do everything."""
        return self.keys_of("owner")

    def keys_of(self, name: str) -> tuple[str, str]:
        """Return the access key and the secret key of an identity; all are made at first use."""
        if not self.config.exists():
            self._write_config()
        identities = {each["name"]: each for each in json.loads(self.config.read_text())["identities"]}
        keys = identities[name]["credentials"][0]
        return keys["accessKey"], keys["secretKey"]

    @property
    def mark(self) -> str:
        """The data folder, given as an argument."""
        return f"-dir={self.home / 'data'}"

    @property
    def command(self) -> list[str]:
        """Master, volume, filer and S3 in one process, none of which calls home."""
        ports = (
            f"-{part}.port{grpc and '.grpc'}"
            for part, _, grpc in (name.partition("_") for name in self.ports)
        )
        return [
            _weed(),
            "-logtostderr",
            "server",
            self.mark,
            "-ip=127.0.0.1",
            "-ip.bind=127.0.0.1",
            "-filer",
            "-s3",
            *(f"{option}={port}" for option, port in zip(ports, self.ports.values(), strict=True)),
            "-s3.port.iceberg=0",
            "-s3.port.lance=0",
            f"-s3.config={self.config}",
            "-s3.autoCreateBucket=false",
            "-master.telemetry=false",
            # The only master elects itself after this; the default makes every restart wait ten seconds more.
            "-master.electionTimeout=1s",
            "-master.volumeSizeLimitMB=256",
            "-volume.max=100",
            "-volume.preStopSeconds=0",
        ]

    def store(self, bucket: str, *, timeout: str = "5s", identity: str = "owner") -> S3Store:
        """Open one bucket under an identity, by default as its owner, without retries."""
        access, secret = self.keys_of(identity)
        return S3Store(
            bucket,
            endpoint=self.endpoint,
            access_key_id=access,
            secret_access_key=secret,
            region="us-east-1",
            virtual_hosted_style_request=False,
            client_options={"allow_http": True, "timeout": timeout},
            retry_config={"max_retries": 0},
        )

    def prepare(self) -> None:
        """Make the data folder and the identities."""
        (self.home / "data").mkdir(parents=True, exist_ok=True)
        _ = self.credentials
        self.tidy()

    def ready(self) -> bool:
        """Create missing buckets; tell whether an object can be written and read, which needs every part."""
        with contextlib.suppress(BaseError, OSError):
            for bucket in (_PROBE_BUCKET, *BUCKETS):
                self._create(bucket)
            # A part that is not up yet may hold a request for long; asking again is quicker.
            probe = self.store(_PROBE_BUCKET, timeout="500ms")
            obstore.put(probe, "probe", b"ready")
            return bytes(obstore.get(probe, "probe").bytes()) == b"ready"
        return False

    @property
    def config(self) -> Path:
        """The file of identities; others have another name, so that a server that runs is started anew."""
        return self.home / f"s3-{hashlib.sha256(_IDENTITIES.read_bytes()).hexdigest()[:8]}.json"

    def _write_config(self) -> None:
        """Write the identities of a deployment, and beside them one that may do everything."""
        keys = {"accessKey": "sankofa-local", "secretKey": secrets.token_urlsafe(24)}
        actions = ["Admin", "Read", "List", "Tagging", "Write"]
        owner = json.dumps({"name": "owner", "credentials": [keys], "actions": actions})
        template = _IDENTITIES.read_text(encoding="utf-8")
        drawn = re.sub("@[a-z]+@", lambda _: secrets.token_urlsafe(24), template)
        self.home.mkdir(parents=True, exist_ok=True)
        self.config.touch(mode=0o600)
        # In the layout of a deployment, whose secrets can be replaced by the same commands.
        self.config.write_text(drawn.replace('"identities": [', f'"identities": [\n  {owner},', 1))

    def _create(self, bucket: str) -> None:
        url = obstore.sign(self.store(bucket), "PUT", "", dt.timedelta(minutes=1))
        try:
            urlopen(Request(url, method="PUT"), timeout=5).close()  # noqa: S310 - our own http address
        except HTTPError as refused:
            if refused.code != _BUCKET_EXISTS:
                raise

    def tidy(self) -> None:
        """Remove the local sockets that SeaweedFS names by port in /tmp and leaves behind."""
        for port in self.ports.values():
            for socket in Path("/tmp").glob(f"seaweedfs-*-{port}.sock"):  # noqa: S108 - the server's own choice
                socket.unlink(missing_ok=True)


def _weed() -> str:
    beside_python = Path(sys.executable).with_name("weed")
    found = str(beside_python) if beside_python.exists() else shutil.which("weed")
    if found is None:
        raise StackError("weed (SeaweedFS) is not installed: run make setup")
    return found
