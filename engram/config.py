"""Everything the environment can set, read once at the shell and handed down."""

from __future__ import annotations

import os

from engram.errors import ConfigError
from engram.model import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

PREFIX = "ENGRAM_"
KNOWN = frozenset(
    PREFIX + name
    for name in (
        "HOME",
        "PYTHON",
        "FALKORDB_URL",
        "IDLE_MINUTES",
        "WORKERS",
        "RECURSE_DEPTH",
        "REFINE",
        "CLAIM_MINUTES",
        "PATIENCE",
    )
)


class Config(Value):
    """The settings of one process.

    `home` holds the environment, the server's state and the logs.  `falkordb_url` replaces the local server when
    it is not empty.  `refine` lets an index start the deeper pass over its calls.  `claim_minutes` is how long a claim
    outlives the last edit.  `patience` is what the time limits of hooks are multiplied by.  `session` is the client's
    session id, "" outside of a client.
    """

    home: str
    falkordb_url: str = ""
    idle_minutes: float = 60.0
    workers: int = 0
    recurse_depth: int = 4
    refine: bool = True
    claim_minutes: float = 15.0
    patience: float = 1.0
    session: str = ""
    in_client: bool = False

    @property
    def claim_ms(self) -> int:
        """How long a claim outlives the last edit, in milliseconds."""
        return int(self.claim_minutes * 60_000)

    def __repr__(self) -> str:
        """All but the URL, which may hold a password."""
        return super().__repr__().replace(repr(self.falkordb_url), "'...'") if self.falkordb_url else super().__repr__()


def load_config(environ: Mapping[str, str] = os.environ) -> Config:
    """The Config that the variables describe; an empty variable counts as unset.

    Raises ConfigError for a value that cannot be used.
    """
    return Config(
        home=home_folder(environ),
        falkordb_url=environ.get("ENGRAM_FALKORDB_URL", ""),
        idle_minutes=_number(environ, "ENGRAM_IDLE_MINUTES", 60.0, 0.01, 1440.0),
        workers=int(_number(environ, "ENGRAM_WORKERS", 0, 0, 64)),
        recurse_depth=int(_number(environ, "ENGRAM_RECURSE_DEPTH", 4, 0, 4)),
        refine=_number(environ, "ENGRAM_REFINE", 1, 0, 1) != 0,
        claim_minutes=_number(environ, "ENGRAM_CLAIM_MINUTES", 15.0, 0.01, 1440.0),
        patience=_number(environ, "ENGRAM_PATIENCE", 1.0, 1.0, 100.0),
        session=environ.get("CLAUDE_CODE_SESSION_ID", ""),
        in_client=environ.get("CLAUDECODE", "") == "1",
    )


def unknown_variables(environ: Mapping[str, str] = os.environ) -> list[str]:
    """Names that start like engram's and mean nothing to it, sorted; other tools share the prefix, so no error."""
    return sorted(name for name in environ if name.startswith(PREFIX) and name not in KNOWN)


def home_folder(environ: Mapping[str, str]) -> str:
    """ENGRAM_HOME, or where the XDG base directory specification puts it; an absolute path."""
    explicit = environ.get("ENGRAM_HOME", "")
    if explicit:
        return os.path.realpath(explicit)
    data = environ.get("XDG_DATA_HOME", "")
    if not os.path.isabs(data):  # the XDG base directory specification: a relative value is to be ignored
        data = os.path.join(os.path.expanduser("~"), ".local", "share")
    return os.path.realpath(os.path.join(data, "engram"))


def _number(environ: Mapping[str, str], name: str, default: float, low: float, high: float) -> float:
    text = environ.get(name, "")
    if not text:
        return default
    try:
        value = float(text)
    except ValueError as error:
        raise ConfigError(f"{name}={text!r} is not a number") from error
    if not low <= value <= high:
        raise ConfigError(f"{name}={text!r} is outside of {low:g} to {high:g}")
    return value
