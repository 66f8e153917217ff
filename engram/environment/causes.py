"""What went wrong with pip or uv, read from what they printed: neither says it in any other way."""

from __future__ import annotations

import re

from engram.errors import ConfigError

_NETWORK = (
    r"NewConnectionError|name resolution|Name or service not known|Connection(Error| refused| aborted|ResetError)"
    r"|ConnectTimeout|ReadTimeout|ProxyError|SSLError|error sending request|dns error"
)
_CAUSES = (
    # (pattern, what it means, what to do), the surest sign first
    (r"No space left on device|Disk quota exceeded", "the disk is full", "make room and start again"),
    (
        r"DO NOT MATCH THE HASHES|[Hh]ash mismatch",
        "a package is not the one that engram was tested with",
        "the package index or a proxy changed it; use another index",
    ),
    (_NETWORK, "the package index cannot be reached", "check the network and pip's settings, then start again"),
    (
        r"No matching distribution|Could not find a version|has no wheels|no compatible",
        "a locked package is not to be had for this Python and platform",
        "set ENGRAM_PYTHON to a Python 3.12 to 3.14, or use an index that has it",
    ),
    (r"Permission denied|Read-only file system", "a folder cannot be written", "set ENGRAM_HOME to one that can"),
    (
        r"fatal error: |command '?\S*(gcc|cc|make)\S*'? failed|make(\[\d+\])?: \*\*\*|Failed building wheel",
        "compiling failed",
        "look into the log (a missing header is named there)",
    ),
)


def explain(output: str, log: str = "") -> ConfigError:
    """The error that the last lines of an installer's output tell of; names the log that has all of them, if any."""
    for pattern, meaning, advice in _CAUSES:
        if re.search(pattern, output):
            return ConfigError(f"setup failed, {meaning}", f"{advice}. Log: {log}" if log else advice)
    last = next((line.strip() for line in reversed(output.splitlines()) if "rror" in line), "no reason given")
    return ConfigError(f"setup failed, {last[:200]}", f"the log has all of it: {log}" if log else "")
