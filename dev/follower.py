"""How `sankofa follow` runs beside an installation: the process that keeps both Redis in step."""

from dev.background import Background
from dev.installation import Installation

# What the follower is given, and nothing more.
_SETTINGS = ("SANKOFA_FOLLOW_DSN", "SANKOFA_KEYS_URL", "SANKOFA_USAGE_URL", "SANKOFA_S3_ENDPOINT")


class Follower(Background):
    """The follower of one installation."""

    def __init__(self, installation: Installation) -> None:
        """Describe the follower."""
        access, secret = installation.stack.s3.keys_of("keeper")
        environment = {name: installation.environment[name] for name in _SETTINGS} | {
            "SANKOFA_S3_ACCESS_KEY": access,
            "SANKOFA_S3_SECRET_KEY": secret,
        }
        super().__init__("follower", installation, environment, "follow")
