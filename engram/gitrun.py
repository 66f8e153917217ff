"""The one place that starts git: fixed arguments, no shell, nothing of the repository's own configuration runs.

A repository is not trusted: its config may name programs for the file system monitor, external diffs and text
conversion, and `GIT_*` variables of the caller may point anywhere.  See `git help git`, section "Environment".
"""

from __future__ import annotations

import os

from engram.errors import GitError
from engram.spawn import run_bounded

FIXED = ("git", "-c", "core.fsmonitor=false", "-c", "safe.bareRepository=explicit", "-c", "core.quotePath=false")
SAFE = {"GIT_OPTIONAL_LOCKS": "0", "GIT_NO_LAZY_FETCH": "1", "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}
DIFFING = frozenset({"log", "show", "diff", "blame"})


def git_environment() -> dict[str, str]:
    """The caller's environment without any `GIT_*`, and with the variables that keep git from writing or asking."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return {**kept, **SAFE}


def run_git(root: str, command: str, *args: str, timeout_s: float = 30.0, max_bytes: int = 1 << 30) -> bytes:
    """What `git command args` prints in `root`, at most `max_bytes` of it.

    Raises GitError, with git's first line of complaint, when it fails, takes too long or is not installed.
    """
    no_programs = ("--no-ext-diff", "--no-textconv") if command in DIFFING - {"blame"} else ()
    argv = [*FIXED, "-C", root, command, *no_programs, *args]
    ran = run_bounded(argv, git_environment(), timeout_s=timeout_s, max_bytes=max_bytes)
    if ran.status == 127:
        raise GitError("git is not installed", "install git, or use engram on a folder without a repository")
    if ran.timed_out:
        raise GitError(f"git {command} took longer than {timeout_s:g} s")
    if ran.status and not ran.cut:
        complaint = ran.errors.decode("utf-8", "replace").strip().splitlines()
        raise GitError(f"git {command}: {complaint[0] if complaint else f'exit status {ran.status}'}")
    return ran.output
