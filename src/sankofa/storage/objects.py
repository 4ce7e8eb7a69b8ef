"""S3: raw documents by their hash, and the few objects an installation keeps outside its database."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import obstore
from obstore.exceptions import AlreadyExistsError, NotFoundError
from obstore.store import S3Store

from sankofa.core.errors import StoreUnavailable


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
        self._store = S3Store(
            options.bucket,
            endpoint=options.endpoint,
            access_key_id=options.access_key,
            secret_access_key=options.secret_key,
            region="us-east-1",
            virtual_hosted_style_request=False,
            client_options={
                "allow_http": True,
                "timeout": options.timeout,
                "connect_timeout": timedelta(seconds=2),
            },
            retry_config={"max_retries": 2, "retry_timeout": options.timeout},
        )

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
        """Store an object, whatever stood there before."""
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
