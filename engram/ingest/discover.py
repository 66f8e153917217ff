"""Which files of a checkout are indexed, and why the others are not."""

from __future__ import annotations

import os
import stat
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from engram.errors import GitError
from engram.extract.languages import language_of
from engram.gitrun import run_git
from engram.worktree import Worktree

# Folders of other people's code and of build results: nobody edits what is in them, tracked or not.
VENDORED = frozenset(
    "node_modules bower_components jspm_packages vendor vendored _vendor third_party thirdparty site-packages".split()
)
GENERATED = frozenset(["dist", "__generated__", "__pycache__"])
# Names that real packages have, too (CPython's `venv`, coverage.py's `coverage`): left out only where untracked.
UNTRACKED_ONLY = frozenset(
    """.venv venv .tox .nox .eggs build target .next .nuxt .cache coverage htmlcov
    .mypy_cache .ruff_cache .pytest_cache""".split()
)
OWN = frozenset([".git", ".hg", ".svn", ".engram"])
GENERATED_ENDS = ("_pb2.py", "_pb2_grpc.py", ".pb.go", ".generated.ts", ".generated.js", "_generated.py", ".g.dart")
MINIFIED_ENDS = (".min.js", ".min.mjs", ".min.cjs", "-min.js", ".bundle.js", ".umd.js")
MAX_BYTES = 1_500_000  # none of the 8,641 source files of twelve well-known repositories reaches half of it


class Fingerprint(NamedTuple):
    """What `stat` tells of a file's content without reading it; times in nanoseconds."""

    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int


def fingerprint_of(status: os.stat_result) -> Fingerprint:
    """The fingerprint in what `stat` returned."""
    return Fingerprint(status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)


class Found(NamedTuple):
    """The files to index, by path in order, and how many were left out, by reason."""

    files: dict[str, Fingerprint]
    skipped: dict[str, int]


def find_files(worktree: Worktree, only: Sequence[str] = ()) -> Found:
    """The files of the checkout in a language that engram knows: tracked ones, and untracked ones not ignored.

    `only` narrows it to these paths.  Where git does not answer (no repository, or git is missing) the folders are
    walked.  Nothing is followed that leads out: symlinks, submodules and nested repositories count as skipped.
    """
    skipped: Counter[str] = Counter()
    files: dict[str, Fingerprint] = {}
    folders = _Folders(worktree.root)
    for path, tracked in sorted(_list_paths(worktree, only).items()):
        found = _inspect(worktree.root, path, tracked, folders)
        if isinstance(found, Fingerprint):
            files[path] = found
        elif found:
            skipped[found] += 1
    return Found(files, dict(sorted(skipped.items())))


def _list_paths(worktree: Worktree, only: Sequence[str]) -> dict[str, bool]:
    """Every path that may be indexed, with whether git tracks it; a nested repository's ends in `/`."""
    if worktree.git_dir:
        args = ["-z", "-t", "--cached", "--others", "--exclude-standard", "--", *[f":(literal){path}" for path in only]]
        try:
            listed = run_git(worktree.root, "ls-files", *args)
        except GitError:
            return _walk(worktree.root, only)
        return {os.fsdecode(row[2:]): row[:1] != b"?" for row in listed.split(b"\0") if row}
    return _walk(worktree.root, only)


def _inspect(root: str, path: str, tracked: bool, folders: _Folders) -> Fingerprint | str:
    """The file's fingerprint, or why it is not indexed, "" where no file is."""
    if path.endswith("/"):
        return "nested-repository"
    if language_of(path) is None:
        return "other"
    try:
        status = os.lstat(f"{root}/{path}")
    except (OSError, ValueError):
        return ""
    folder, _, name = path.rpartition("/")
    reason = folders.reason(folder, tracked) or _reason_by_name(name) or _reason_by_status(status)
    return reason or fingerprint_of(status)


class _Folders:
    """Why nothing in a folder is indexed, "" if it is; each is looked at once."""

    def __init__(self, root: str) -> None:
        self._root = root
        self._reasons: dict[tuple[str, bool], str] = {}

    def reason(self, folder: str, tracked: bool) -> str:
        if (folder, tracked) not in self._reasons:
            self._reasons[folder, tracked] = self._look(folder, tracked)
        return self._reasons[folder, tracked]

    def _look(self, folder: str, tracked: bool) -> str:
        parts = folder.split("/")
        if not VENDORED.isdisjoint(parts):
            return "vendored"
        if not GENERATED.isdisjoint(parts):
            return "generated"
        if not OWN.isdisjoint(parts):
            return "own"
        if not tracked and not UNTRACKED_ONLY.isdisjoint(parts):
            return "untracked-output"
        full = os.path.normpath(os.path.join(self._root, folder))
        return "" if os.path.realpath(full) == full else "symlink"


def _reason_by_name(name: str) -> str:
    if name.endswith(GENERATED_ENDS):
        return "generated"
    return "minified" if name.endswith(MINIFIED_ENDS) else ""


def _reason_by_status(status: os.stat_result) -> str:
    if stat.S_ISLNK(status.st_mode):
        return "symlink"
    if stat.S_ISDIR(status.st_mode):
        return "submodule"
    if not stat.S_ISREG(status.st_mode):
        return "no-regular-file"
    return "too-large" if status.st_size > MAX_BYTES else ""


def _walk(root: str, only: Sequence[str]) -> dict[str, bool]:
    if only:
        return dict.fromkeys(only, False)
    found: list[str] = []
    skip = VENDORED | GENERATED | UNTRACKED_ONLY | OWN
    for folder, folders, names in os.walk(root):
        below = os.path.relpath(folder, root)
        prefix = "" if below == "." else below + "/"
        nested = [name for name in folders if os.path.exists(os.path.join(folder, name, ".git"))]
        found.extend(prefix + name + "/" for name in nested)
        folders[:] = [name for name in folders if name not in skip and name not in nested]
        found.extend(prefix + name for name in names)
    return dict.fromkeys(found, False)
