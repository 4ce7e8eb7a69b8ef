"""Settings: the only place that reads the environment. Each variable is the field's name after `SANKOFA_`.

What is not in the environment may be in a file under `/run/secrets` with the variable's name in lower case,
which is where containers are given their secrets. `SANKOFA_SECRETS_FOLDER` names another folder.
"""

from __future__ import annotations

import json
import os
import pwd
from dataclasses import replace
from datetime import timedelta
from importlib.metadata import version
from pathlib import Path

from pydantic import Field, SecretStr, field_validator
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SecretsSettingsSource,
    SettingsConfigDict,
)

from sankofa.access.gate import GateOptions
from sankofa.access.keys import KeyHash
from sankofa.access.limiter import LimiterOptions
from sankofa.access.tiers import Tiers
from sankofa.ask.cursor import CursorKeys
from sankofa.core.errors import Refused
from sankofa.editions.signing import SigningKey, read_key
from sankofa.storage.objects import ObjectOptions
from sankofa.storage.reading import ReadOptions
from sankofa.storage.redis import RedisOptions
from sankofa.web.client_address import Proxies

_SECRET_BYTES = 16
_JOURNAL_TIMEOUT = timedelta(seconds=1)
_SECRETS = "/run/secrets"
_LAST_PORT = 65_535


class _Sudo(BaseSettings):
    """The variables that sudo sets."""

    model_config = SettingsConfigDict(env_prefix="SUDO_")

    user: str = ""


class Settings(BaseSettings):
    """What an installation must say about itself; a command asks only for what it uses."""

    model_config = SettingsConfigDict(
        env_prefix="SANKOFA_", frozen=True, hide_input_in_errors=True, enable_decoding=False
    )

    secrets_folder: str = Field(
        default=_SECRETS, description="Folder of files that hold settings; only the environment names it."
    )
    read_dsn: str = Field(
        default="", description="PostgreSQL as sankofa_api; may name several hosts, replicas first."
    )
    ingest_dsn: str = Field(default="", description="PostgreSQL as sankofa_ingest, on the primary.")
    publish_dsn: str = Field(default="", description="PostgreSQL as sankofa_publish, on the primary.")
    privacy_dsn: str = Field(default="", description="PostgreSQL as sankofa_privacy, on the primary.")
    export_dsn: str = Field(default="", description="PostgreSQL as sankofa_export, on the primary.")
    keys_dsn: str = Field(default="", description="PostgreSQL as sankofa_keys, on the primary.")
    follow_dsn: str = Field(default="", description="PostgreSQL as sankofa_follow, on the primary.")
    review_dsn: str = Field(default="", description="PostgreSQL as sankofa_review, on the primary.")
    migrate_dsn: str = Field(default="", description="PostgreSQL as sankofa_migrate, on the primary.")
    admin_dsn: str = Field(
        default="", description="PostgreSQL as an administrator; only `sankofa bootstrap` uses it."
    )
    instance_secret: SecretStr = Field(
        default=SecretStr(""),
        description="Key of the service ids, 16 bytes or more. Never change it: ids are rebuilt from it.",
    )
    signing_key: SecretStr = Field(
        default=SecretStr(""),
        description="Signs editions: 32 random bytes in base64. Empty: editions are sealed and not signed.",
    )
    keys_url: str = Field(
        default="", description="Redis that holds the records of valid keys, also behind Sentinels."
    )
    usage_url: str = Field(default="", description="Redis that counts requests, also behind Sentinels.")
    key_pepper: SecretStr = Field(
        default=SecretStr(""),
        description="Secret of the key hashes, 16 bytes or more. New keys are issued under it.",
    )
    retired_key_peppers: list[SecretStr] = Field(
        default_factory=list,
        description="Peppers that recognise keys issued under them; without its pepper, a key is refused.",
    )
    tiers: dict[str, dict[str, int]] = Field(
        default_factory=dict, description='Numbers of tiers to change: {"sample": {"per_minute": 120}}.'
    )
    public_ceiling: int = Field(
        default=1_200, ge=1, description="Requests a minute on one public key, over all clients."
    )
    refused_keys: int = Field(
        default=100, ge=1, description="Keys refused a minute from one client, in each API process; then 429."
    )
    many_networks: int = Field(
        default=100,
        ge=2,
        description="A key that as many networks use on one UTC day counts as passed on; nobody is refused.",
    )
    leak_reporters: str = Field(
        default="",
        description="File with the public keys of those who may report keys found in public, as GitHub "
        "publishes its own; empty: nobody may.",
    )
    processes: int = Field(
        default=1,
        ge=1,
        description="API processes over all nodes; limits are divided by it without the usage store.",
    )
    cursor_secret: SecretStr = Field(
        default=SecretStr(""), description="Signs cursors and answers' names; 32 bytes or more."
    )
    cursor_key_id: str = Field(default="1", description="Names the cursor secret; change both together.")
    retired_cursor_secrets: dict[str, SecretStr] = Field(
        default_factory=dict, description="Cursor secrets by id that still verify what they signed."
    )
    hosts: list[str] = Field(
        default=["127.0.0.1", "localhost"], description="Host names this service answers to, without ports."
    )
    origins: list[str] = Field(
        default_factory=list,
        description="Origins of web pages that may ask over MCP, such as https://app.example.",
    )
    proxies: list[str] = Field(
        default_factory=list,
        description="Addresses or networks of our proxies, whose X-Forwarded-For and -Proto are believed.",
    )
    edges: list[str] = Field(
        default_factory=list,
        description="Where our edge caches are purged, such as http://10.0.0.5:8081; empty: there are none.",
    )
    cache_bytes: int = Field(default=64 << 20, ge=0, description="Bytes of answers each process keeps.")
    kept_rows: int = Field(
        default=25_000, ge=0, description="Rows of facts each process keeps, about 1.5 kB each."
    )
    sandbox_key: str = Field(
        default="", description="The public sandbox key, shown to everyone on the OpenAPI page; empty: none."
    )
    contact: str = Field(
        default="", description="How portals can reach the operator; `sankofa fetch` tells it to each."
    )
    sources: str = Field(
        default="",
        description="Folder of your own sources, NAME.toml each; empty: only those of the package.",
    )
    spool: str = Field(
        default="",
        description="Folder where downloads outlive a process that is killed; empty: they begin again.",
    )
    portal_keys: dict[str, SecretStr] = Field(
        default_factory=dict,
        description='Your keys at publishers, by the names in the sources\' files: {"fred": "…"}.',
    )
    parser_memory: int = Field(
        default=2 << 30,
        ge=256 << 20,
        description="Bytes of memory for parsing one document; one that needs more is refused.",
    )
    parser_seconds: int = Field(
        default=1_800, ge=1, description="Seconds for parsing one document; one that needs more is refused."
    )
    metrics: str = Field(
        default="",
        description="Where Prometheus scrapes this process, such as 127.0.0.1:9464; empty: nowhere. Each "
        "process needs an address of its own, and callers must not reach it.",
    )
    access_log: str = Field(
        default="",
        description="A line of JSON for each request: `-` for standard output, or a file; empty: none.",
    )
    tallies: str = Field(
        default="",
        description="Folder where API processes keep counts of requests until PostgreSQL has them. Each "
        "installation needs its own on each machine; empty: a process that is killed loses its last second.",
    )
    operator: str = Field(
        default="",
        description="Who is recorded with decisions on keys and takedowns; default: SUDO_USER or the login.",
    )
    build: str = Field(default="", description="Build identifier for /v1/status; default: the version.")
    s3_endpoint: str = Field(default="", description="Address of the S3 service.")
    s3_bucket: str = Field(
        default="documents", description="Private bucket for documents and instance records."
    )
    s3_access_key: str = Field(default="", description="S3 access key.")
    s3_secret_key: SecretStr = Field(default=SecretStr(""), description="S3 secret key.")
    journal_bucket: str = Field(
        default="journal", description="Private bucket for key events and takedowns; only ever added to."
    )
    open_bucket: str = Field(
        default="open-panels", description="Bucket of open panels; anybody may read its objects."
    )
    open_url: str = Field(default="", description="Where anybody reads the open bucket.")
    licensed_bucket: str = Field(default="licensed", description="Private bucket of licensed files.")
    files_endpoint: str = Field(
        default="", description="Address of the S3 service as callers reach it; default: SANKOFA_S3_ENDPOINT."
    )
    signer_access_key: str = Field(
        default="", description="S3 access key that can only read the licensed bucket; the API has no other."
    )
    signer_secret_key: SecretStr = Field(default=SecretStr(""), description="Secret of that access key.")
    link_seconds: int = Field(
        default=300, ge=1, le=604_800, description="How long the address of a licensed file is good."
    )

    @field_validator(
        "retired_key_peppers",
        "tiers",
        "retired_cursor_secrets",
        "hosts",
        "origins",
        "proxies",
        "edges",
        "portal_keys",
        mode="before",
    )
    @classmethod
    def parse_json(cls, value: object) -> object:
        """Return the list or table that a text holds as JSON."""
        if not isinstance(value, str):
            return value
        try:
            return json.loads(value)
        except ValueError:
            raise ValueError("it is a list or table, and must be written as JSON") from None

    @field_validator("proxies")
    @classmethod
    def check_proxies(cls, value: list[str]) -> list[str]:
        """Refuse a proxy that is neither an address nor a network, such as a host name."""
        Proxies(value)
        return value

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003 - as the base class calls it
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003 - its folder is fixed in the code
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Return where values come from, the first that has one: the environment, then the folder."""
        folder = Path(env_settings().get("secrets_folder", _SECRETS))
        files = [SecretsSettingsSource(settings_cls, folder)] if folder.is_dir() else []
        return (init_settings, env_settings, *files)

    def secret(self) -> bytes:
        """Return the key of the service ids; ids made without a good one could be guessed for ever."""
        secret = self.instance_secret.get_secret_value().encode()
        if len(secret) < _SECRET_BYTES:
            raise Refused(f"SANKOFA_INSTANCE_SECRET must have at least {_SECRET_BYTES} bytes")
        return secret

    def signing(self) -> SigningKey | None:
        """Return the key that signs editions, if one is set."""
        return read_key(self.signing_key.get_secret_value())

    def user_agent(self) -> str:
        """Return how requests to portals introduce themselves; none is made without a contact."""
        if not self.contact.isascii() or not self.contact.isprintable() or not self.contact.strip():
            raise Refused("SANKOFA_CONTACT must say, in ASCII, how a portal can reach you")
        return f"sankofa/{version('sankofa')} ({self.contact})"

    def metrics_address(self) -> tuple[str, int] | None:
        """Return the host and port at which Prometheus scrapes this process, or None."""
        if not self.metrics:
            return None
        host, _, port = self.metrics.rpartition(":")
        if not host or not port.isascii() or not port.isdigit() or int(port) > _LAST_PORT:
            raise Refused("SANKOFA_METRICS must be a host and a port, such as 127.0.0.1:9464")
        return host.strip("[]"), int(port)

    def login(self) -> str:
        """Return the login behind sudo, or that of this process: its number if it has no name."""
        uid = os.getuid()
        try:
            return _Sudo().user or pwd.getpwuid(uid).pw_name
        except KeyError:
            return f"uid {uid}"

    def reading(self) -> ReadOptions:
        """Return what the read side needs."""
        return ReadOptions(dsn=self.read_dsn, kept_rows=self.kept_rows)

    def gate(self) -> GateOptions:
        """Return what the gate needs."""
        return GateOptions(
            keys_url=self.keys_url,
            usage_url=self.usage_url,
            hashing=self.key_hash(),
            tiers=Tiers.changed(self.tiers),
            limiter=LimiterOptions(public_ceiling=self.public_ceiling, processes=self.processes),
            refused_keys=self.refused_keys,
            many_networks=self.many_networks,
        )

    def cursor_keys(self) -> CursorKeys:
        """Return what signs and verifies cursors."""
        retired = {
            name: secret.get_secret_value().encode() for name, secret in self.retired_cursor_secrets.items()
        }
        current = (self.cursor_key_id, self.cursor_secret.get_secret_value().encode())
        return CursorKeys(current=current, retired=retired)

    def key_hash(self) -> KeyHash:
        """Return how this installation hashes keys."""
        retired = [pepper.get_secret_value().encode() for pepper in self.retired_key_peppers]
        return KeyHash(self.key_pepper.get_secret_value().encode(), retired)

    def key_store(self) -> RedisOptions:
        """Return where the records of valid keys are."""
        return RedisOptions(url=self.keys_url, component="keys")

    def usage_store(self) -> RedisOptions:
        """Return where requests are counted."""
        return RedisOptions(url=self.usage_url, component="usage")

    def objects(self, bucket: str | None = None) -> ObjectOptions:
        """Return what the object store needs, for the bucket of documents or another."""
        return ObjectOptions(
            endpoint=self.s3_endpoint,
            bucket=bucket or self.s3_bucket,
            access_key=self.s3_access_key,
            secret_key=self.s3_secret_key.get_secret_value(),
        )

    def journal(self) -> ObjectOptions:
        """Return where the journal is. A decision does not wait long for it."""
        return replace(self.objects(self.journal_bucket), timeout=_JOURNAL_TIMEOUT)

    def licensed_reading(self) -> ObjectOptions:
        """Return what signs addresses of licensed files."""
        return ObjectOptions(
            endpoint=self.files_endpoint or self.s3_endpoint,
            bucket=self.licensed_bucket,
            access_key=self.signer_access_key,
            secret_key=self.signer_secret_key.get_secret_value(),
        )

    def link_lifetime(self) -> timedelta:
        """Return how long such an address is good."""
        return timedelta(seconds=self.link_seconds)
