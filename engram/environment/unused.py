"""Environments of other versions of engram, and their removal once nothing runs in them."""

from __future__ import annotations

import os
import shutil
import subprocess
import time

# A session of a client keeps the version of engram that it started with, and calls it now and then.
_KEPT_S = 3600.0


def other_environments(folder: str, keep: str) -> list[str]:
    """Paths of the environments in `folder` but the one named `keep`, sorted; empty where the folder is missing."""
    try:
        names = sorted(os.listdir(folder))
    except FileNotFoundError:
        return []
    return [os.path.join(folder, name) for name in names if name != keep and os.path.isdir(os.path.join(folder, name))]


def remove_unused(folder: str, keep: str) -> list[str]:
    """Remove the other environments that no process runs in and that nobody used for an hour; returns their paths."""
    others = other_environments(folder, keep)
    if not others:
        return []
    running = _command_lines()
    oldest = time.time() - _KEPT_S
    removed = []
    for path in others:
        if path not in running and os.stat(path).st_mtime < oldest:
            shutil.rmtree(path, ignore_errors=True)
            removed.append(path)
    return removed


def _command_lines() -> str:
    """The command lines of all processes: what runs in an environment has its path among the arguments."""
    if not os.path.isdir("/proc/self"):
        listed = subprocess.run(["ps", "-axww", "-o", "command="], capture_output=True, text=True, errors="replace")
        return listed.stdout
    lines = []
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                with open(f"/proc/{entry}/cmdline", encoding="utf-8", errors="surrogateescape") as line:
                    lines.append(line.read())
            except OSError:  # it ended meanwhile, or belongs to somebody else
                continue
    return "\n".join(lines)
