"""Which command reads which settings, and which of them it cannot do without.

A test runs each command and compares what it read with this list.
"""

from __future__ import annotations

from pydantic import SecretStr

from sankofa.surfaces.settings import Settings

_OBJECTS = ("s3_endpoint", "s3_access_key", "s3_secret_key")
_DOCUMENTS = (*_OBJECTS, "s3_bucket")
_JOURNAL = (*_OBJECTS, "journal_bucket")
_PUBLISHER = ("publish_dsn", "instance_secret", *_DOCUMENTS, "licensed_bucket", "sources")
_KEYS = ("keys_dsn", "keys_url", "key_pepper", "retired_key_peppers", *_JOURNAL, "operator")
_PARSING = ("parser_memory", "parser_seconds")
_FEEDING = ("ingest_dsn", *_DOCUMENTS, "contact", "sources", "spool", "portal_keys", *_PARSING)

SETTINGS_OF: dict[str, tuple[str, ...]] = {
    "bootstrap": ("admin_dsn",),
    "migrate": ("migrate_dsn",),
    "sources": ("sources",),
    "ingest": ("ingest_dsn", *_DOCUMENTS, "sources", *_PARSING),
    "fetch": _FEEDING,
    "feeds": _FEEDING,
    "publish": (*_PUBLISHER, "signing_key", "journal_bucket"),
    "work": (
        *_FEEDING,
        "publish_dsn",
        "instance_secret",
        "signing_key",
        "export_dsn",
        "open_url",
        "follow_dsn",
        "keys_url",
        "usage_url",
        "metrics",
    ),
    "export": ("export_dsn", *_OBJECTS, "open_bucket", "open_url", "licensed_bucket"),
    "tidy": ("ingest_dsn", "spool"),
    "verify": (*_PUBLISHER, "open_bucket"),
    "takedown": ("privacy_dsn", *_JOURNAL, "licensed_bucket", "operator"),
    "takedowns": ("privacy_dsn",),
    "catch-up": (
        "privacy_dsn",
        "keys_dsn",
        "keys_url",
        "ingest_dsn",
        *_DOCUMENTS,
        "journal_bucket",
        "sources",
        *_PARSING,
    ),
    "held": ("review_dsn",),
    "correct": ("review_dsn", "ingest_dsn", *_DOCUMENTS, "sources", *_PARSING),
    "audit": ("publish_dsn",),
    "sample": ("publish_dsn",),
    "editions": ("publish_dsn",),
    "identify": ("publish_dsn",),
    "merge": ("publish_dsn",),
    "split": ("publish_dsn",),
    "organisations": ("publish_dsn",),
    "keys": _KEYS,
    "follow": ("follow_dsn", "keys_url", "usage_url", *_JOURNAL),
    "doctor": (),  # it checks whatever settings there are
    "serve": (
        "read_dsn",
        "keys_url",
        "usage_url",
        "key_pepper",
        "retired_key_peppers",
        "cursor_secret",
        "cursor_key_id",
        "retired_cursor_secrets",
        "hosts",
        "origins",
        "proxies",
        "edges",
        "processes",
        "tiers",
        "public_ceiling",
        "refused_keys",
        "many_networks",
        "leak_reporters",
        "cache_bytes",
        "kept_rows",
        "sandbox_key",
        "build",
        "metrics",
        "access_log",
        "tallies",
        "s3_endpoint",
        "files_endpoint",
        "licensed_bucket",
        "signer_access_key",
        "signer_secret_key",
        "link_seconds",
    ),
}

# A subcommand that needs less than the whole command, or more.
_PARTS: dict[str, tuple[str, ...]] = {
    "feeds list": ("ingest_dsn", "sources"),
    "feeds pause": ("ingest_dsn", "sources"),
    "feeds resume": ("ingest_dsn", "sources"),
    "keys history": ("keys_dsn",),
    "keys leaked": (*_KEYS, "usage_url"),
    "keys networks": ("usage_url",),
    "keys usage": ("keys_dsn",),
}

# Commands work without these, although they have no default.
OPTIONAL = frozenset(
    {
        "access_log",
        "build",
        "edges",
        "files_endpoint",
        "leak_reporters",
        "metrics",
        "operator",
        "origins",
        "portal_keys",
        "proxies",
        "retired_cursor_secrets",
        "retired_key_peppers",
        "sandbox_key",
        "signing_key",
        "sources",
        "spool",
        "tallies",
        "tiers",
    }
)


def commands_with(setting: str) -> list[str]:
    """Return the commands that read a setting."""
    return [command for command, read in SETTINGS_OF.items() if setting in read]


def settings_of(command: str) -> tuple[str, ...]:
    """Return the settings of a command, or of a subcommand such as `feeds list`."""
    return _PARTS.get(command) or SETTINGS_OF[command.split(maxsplit=1)[0]]


def is_required(setting: str) -> bool:
    """Return whether a command that reads this setting cannot do without it."""
    default = Settings.model_fields[setting].get_default(call_default_factory=True)
    if isinstance(default, SecretStr):
        default = default.get_secret_value()
    return setting not in OPTIONAL and not default
