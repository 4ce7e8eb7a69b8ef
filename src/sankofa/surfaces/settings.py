"""Settings: the only place that reads the environment. Each variable is the field's name after `SANKOFA_`."""

from __future__ import annotations

from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict

from sankofa.core.errors import Refused
from sankofa.storage.objects import ObjectOptions
from sankofa.storage.reading import ReadOptions

_SECRET_BYTES = 16


class Settings(BaseSettings):
    """What an installation must say about itself; a command asks only for what it uses."""

    model_config = SettingsConfigDict(env_prefix="SANKOFA_", frozen=True)

    read_dsn: str = Field(
        default="", description="PostgreSQL as sankofa_api; may name several hosts, replicas first."
    )
    ingest_dsn: str = Field(default="", description="PostgreSQL as sankofa_ingest, on the primary.")
    publish_dsn: str = Field(default="", description="PostgreSQL as sankofa_publish, on the primary.")
    privacy_dsn: str = Field(default="", description="PostgreSQL as sankofa_privacy, on the primary.")
    migrate_dsn: str = Field(default="", description="PostgreSQL as sankofa_migrate, on the primary.")
    admin_dsn: str = Field(
        default="", description="PostgreSQL as an administrator; only `sankofa bootstrap` uses it."
    )
    instance_secret: SecretStr = Field(
        default=SecretStr(""),
        description="Key of the service ids, 16 bytes or more. Never change it: ids are rebuilt from it.",
    )
    s3_endpoint: str = Field(default="", description="Address of the S3 service.")
    s3_bucket: str = Field(
        default="documents", description="Private bucket for documents and instance records."
    )
    s3_access_key: str = Field(default="", description="S3 access key.")
    s3_secret_key: SecretStr = Field(default=SecretStr(""), description="S3 secret key.")

    def secret(self) -> bytes:
        """Return the key of the service ids; ids made without a good one could be guessed for ever."""
        secret = self.instance_secret.get_secret_value().encode()
        if len(secret) < _SECRET_BYTES:
            raise Refused(f"SANKOFA_INSTANCE_SECRET must have at least {_SECRET_BYTES} bytes")
        return secret

    def reading(self) -> ReadOptions:
        """Return what the read side needs."""
        return ReadOptions(dsn=self.read_dsn)

    def objects(self) -> ObjectOptions:
        """Return what the object store needs."""
        return ObjectOptions(
            endpoint=self.s3_endpoint,
            bucket=self.s3_bucket,
            access_key=self.s3_access_key,
            secret_key=self.s3_secret_key.get_secret_value(),
        )
