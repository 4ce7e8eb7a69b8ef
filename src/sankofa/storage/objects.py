"""S3 objects: raw documents by hash, exported files, and other data outside the database."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import BinaryIO, Literal

import obstore
from obstore.exceptions import AlreadyExistsError, NotFoundError
from obstore.store import S3Store

from sankofa.core.errors import StoreUnavailable

Method = Literal["GET", "HEAD"]
_FORBIDDEN = re.compile("AccessDenied")
_REASONS = {
    "InvalidAccessKeyId|SignatureDoesNotMatch": "the access key or its secret is not accepted",
    "NoSuchBucket": "there is no such bucket",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ObjectOptions:
    """Where the bucket is and how long to wait for it."""

    endpoint: str
    bucket: str
    access_key: str
    secret_key: str
    timeout: timedelta = timedelta(seconds=30)


class Objects:
    """One bucket. Every call ends within the client's own time limit."""

    def __init__(self, options: ObjectOptions) -> None:
        self._store = _store(options)

    def keep(self, key: str, content: bytes | Path) -> bool:
        """Store an object that never changes; False if it is there already.

        A file goes up in parts, which S3 cannot make conditional: writing the same bytes twice is harmless.
        """
        try:
            if isinstance(content, Path):
                return self._upload(key, content)
            obstore.put(self._store, key, content, mode="create")
        except AlreadyExistsError:
            return False
        except Exception as error:
            raise StoreUnavailable("objects") from error
        return True

    def _upload(self, key: str, file: Path) -> bool:
        try:
            obstore.head(self._store, key)
        except (NotFoundError, FileNotFoundError):
            obstore.put(self._store, key, file)
            return True
        return False

    def replace(self, key: str, content: bytes) -> None:
        """Store an object, replacing any object under that key."""
        try:
            obstore.put(self._store, key, content)
        except Exception as error:
            raise StoreUnavailable("objects") from error

    def fetch(self, key: str) -> bytes | None:
        """Return an object's bytes, or None if there is no such object."""
        try:
            return bytes(obstore.get(self._store, key).bytes())
        except (NotFoundError, FileNotFoundError):
            return None
        except Exception as error:
            raise StoreUnavailable("objects") from error

    def sha256(self, key: str, file: BinaryIO | None = None) -> bytes | None:
        """Return the hash of an object's bytes as they are read back, or None if there is no such object.

        With a file, the bytes are written to it.
        """
        digest = hashlib.sha256()
        try:
            for chunk in obstore.get(self._store, key).stream():
                digest.update(chunk)
                if file:
                    file.write(chunk)
        except (NotFoundError, FileNotFoundError):
            return None
        except Exception as error:
            raise StoreUnavailable("objects") from error
        return digest.digest()

    def keys(self, prefix: str, after: str | None = None) -> list[str]:
        """Return the keys of all objects under a prefix, or of those that sort after a key."""
        try:
            pages = obstore.list(self._store, prefix, offset=after)
            return [str(entry["path"]) for page in pages for entry in page]
        except Exception as error:
            raise StoreUnavailable("objects") from error

    def probe(self) -> bool:
        """List the objects; return whether this identity is permitted to."""
        try:
            next(iter(obstore.list(self._store, "no such folder/", chunk_size=1)), None)
        except Exception as error:
            if _FORBIDDEN.search(str(error)):  # the driver has no kind of its own for the code of a refusal
                return False
            reasons = (reason for pattern, reason in _REASONS.items() if re.search(pattern, str(error)))
            raise StoreUnavailable("objects", next(reasons, "no answer")) from error
        return True

    def remove(self, keys: Sequence[str]) -> None:
        """Delete objects; missing ones are ignored."""
        try:
            for key in keys:
                with suppress(NotFoundError, FileNotFoundError):
                    obstore.delete(self._store, key)
        except Exception as error:
            raise StoreUnavailable("objects") from error


class Links:
    """Presigned URLs of one bucket's objects; made without a request to the store."""

    def __init__(self, options: ObjectOptions, lifetime: timedelta) -> None:
        self._store = _store(options)
        self._lifetime = lifetime

    def to(self, key: str, method: Method) -> str:
        """Return a URL at which anyone can read an object until it expires."""
        return obstore.sign(self._store, method, key, self._lifetime)


def _store(options: ObjectOptions) -> S3Store:
    return S3Store(
        options.bucket,
        endpoint=options.endpoint,
        access_key_id=options.access_key,
        secret_access_key=options.secret_key,
        region="us-east-1",
        virtual_hosted_style_request=False,
        client_options={
            "allow_http": True,
            "timeout": options.timeout,
            "connect_timeout": min(options.timeout, timedelta(seconds=2)),
        },
        retry_config={"max_retries": 2, "retry_timeout": options.timeout},
    )
