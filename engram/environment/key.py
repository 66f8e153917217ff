"""The name of the environment that a version of engram runs in."""

from __future__ import annotations

import hashlib
import os

from engram import __version__

LOCKS = os.path.join("engram", "locks")
PARTS = ("wheels.txt", "build.txt", "engine.txt")


def environment_key(root: str) -> str:
    """`VERSION-HASH` for the engram at `root`: another version, or other locked packages, get another environment."""
    digest = hashlib.sha256()
    for part in PARTS:
        with open(os.path.join(root, LOCKS, part), "rb") as lock:
            digest.update(lock.read())
    return f"{__version__}-{digest.hexdigest()[:12]}"


def recorded_key(root: str) -> str:
    """The key as `make lock` wrote it beside the lock files, where `bin/engram` reads it without starting Python."""
    with open(os.path.join(root, LOCKS, "KEY"), encoding="ascii") as recorded:
        return recorded.readline().strip()
