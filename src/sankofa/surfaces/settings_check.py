"""What is wrong with the settings of an installation: everything at once, and never a value."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any
from urllib.parse import urlsplit

from pydantic import SecretStr, ValidationError

from sankofa.access.leaks import Reporters
from sankofa.access.tiers import Tiers
from sankofa.core.errors import Refused
from sankofa.storage import redis_address
from sankofa.storage.postgres import is_dsn
from sankofa.surfaces.command_settings import is_required, settings_of
from sankofa.surfaces.settings import Settings

PAGE = "docs/reference/settings.md, or /docs/reference/settings/ of a running service"
_WEB = ("http", "https")
_SCHEMES = {
    "keys_url": redis_address.SCHEMES,
    "usage_url": redis_address.SCHEMES,
    "s3_endpoint": _WEB,
    "files_endpoint": _WEB,
    "open_url": _WEB,
}
# Each raises an error if its setting cannot be used.
_CHECKS: dict[str, Callable[[Settings], object]] = {
    "instance_secret": Settings.secret,
    "signing_key": Settings.signing,
    "key_pepper": Settings.key_hash,
    "cursor_secret": Settings.cursor_keys,
    "contact": Settings.user_agent,
    "metrics": Settings.metrics_address,
    "keys_url": lambda settings: redis_address.watched(settings.keys_url),
    "usage_url": lambda settings: redis_address.watched(settings.usage_url),
    "leak_reporters": lambda settings: Reporters.read(settings.leak_reporters),
    "tiers": lambda settings: Tiers.changed(settings.tiers),
}


def load(command: str, *, needs: Iterable[str] | None = None) -> Settings:
    """Return the settings, or refuse with everything that keeps a command from running.

    `needs` names the settings to check if they are fewer than those of the command.
    """
    settings, mistakes = read()
    require(command, settings, settings_of(command) if needs is None else needs, mistakes)
    return settings


def read() -> tuple[Settings, dict[str, str]]:
    """Return the settings of the environment, and a sentence about each that cannot be parsed.

    Those have their defaults in the settings that are returned, so that the others can be checked.
    """
    mistakes: dict[str, str] = {}
    while True:
        defaults = {name: _default(name) for name in mistakes}
        try:
            return Settings(**defaults), mistakes
        except ValidationError as invalid:
            for error in invalid.errors(include_input=False, include_context=False):
                mistakes[str(error["loc"][0])] = error["msg"].removeprefix("Value error, ")


def require(command: str, settings: Settings, names: Iterable[str], mistakes: dict[str, str]) -> None:
    """Refuse to run a command if one of these settings is missing or wrong, and list all that are."""
    wanted = set(names)
    wrong = {name: why for name, why in mistakes.items() if name in wanted}
    missing = [name for name in missing_among(settings, wanted) if name not in wrong]
    wrong |= wrong_among(settings, wanted - wrong.keys())
    if not missing and not wrong:
        return
    lines = [f"`sankofa {command}` cannot run with these settings:"]
    lines += [f"  {variable(name)} is not set: {description(name)}" for name in missing]
    lines += [f"  {variable(name)} cannot be used: {why}" for name, why in wrong.items()]
    raise Refused("\n".join((*lines, f"See {PAGE}.")))


def missing_among(settings: Settings, names: Iterable[str]) -> list[str]:
    """Return those of the settings that a command needs and nobody has set, in the order of the page."""
    wanted = set(names)
    return [
        name
        for name in Settings.model_fields
        if name in wanted and is_required(name) and not value_of(settings, name)
    ]


def wrong_among(settings: Settings, names: Iterable[str]) -> dict[str, str]:
    """Return the reason for each of the settings that is set and cannot be used."""
    wanted = set(names)
    reasons = {name: _mistake(settings, name) for name in Settings.model_fields if name in wanted}
    return {name: why for name, why in reasons.items() if why}


def variable(name: str) -> str:
    """Return the environment variable of a setting."""
    return f"{Settings.model_config['env_prefix']}{name.upper()}"


def description(name: str) -> str:
    """Return what the settings page says about a setting."""
    return Settings.model_fields[name].description or ""


def _mistake(settings: Settings, name: str) -> str | None:
    value = value_of(settings, name)
    if not value:
        return None
    if name.endswith("_dsn") and not is_dsn(value):
        return "it is neither a postgresql:// address nor a list of keyword=value pairs"
    if name in _SCHEMES and urlsplit(value).scheme not in _SCHEMES[name]:
        return f"it must begin with {' or '.join(f'{scheme}://' for scheme in _SCHEMES[name])}"
    if name in _CHECKS:
        try:
            _CHECKS[name](settings)
        except (Refused, ValueError) as wrong:
            return str(wrong)
    return None


def value_of(settings: Settings, name: str) -> Any:  # noqa: ANN401 - of whatever type the setting has
    """Return a setting as it was written. `vars`, because a test notes which settings a command reads."""
    value = vars(settings)[name]
    return value.get_secret_value() if isinstance(value, SecretStr) else value


def _default(name: str) -> Any:  # noqa: ANN401 - as above
    return Settings.model_fields[name].get_default(call_default_factory=True)
