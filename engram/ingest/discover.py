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
_TELLING_ENDS = GENERATED_ENDS + MINIFIED_ENDS
MAX_BYTES = 1_500_000  # none of the 8,641 source files of twelve well-known repositories reaches half of it


class Fingerprint(NamedTuple):
    """What `stat` tells of a file's content without reading it; times in nanoseconds."""

    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int


_make = Fingerprint._make  # half the time of calling the class


def fingerprint_of(status: os.stat_result) -> Fingerprint:
    """The fingerprint in what `stat` returned."""
    return _make((status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino))


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
    listed = _list_paths(worktree, only)
    folders = _Folders(worktree.root)
    for path in sorted(listed):
        found = _inspect(path, listed[path], folders)
        if found.__class__ is Fingerprint:  # in most runs nothing has changed, and this loop is half of their time
            files[path] = found
        elif found:
            skipped[found] += 1  # type: ignore[index]  # the reason
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


def _inspect(path: str, tracked: bool, folders: _Folders) -> Fingerprint | str:
    """The file's fingerprint, or why it is not indexed, "" where no file is."""
    if language_of(path) is None:
        return "nested-repository" if path.endswith("/") else "other"
    try:
        status = os.lstat(folders.prefix + path)
    except (OSError, ValueError):
        return ""
    folder, _, name = path.rpartition("/")
    reason = folders.reason(folder, tracked)
    if not reason and name.endswith(_TELLING_ENDS):
        reason = "generated" if name.endswith(GENERATED_ENDS) else "minified"
    if not reason and (status.st_size > MAX_BYTES or not stat.S_ISREG(status.st_mode)):
        reason = _reason_by_status(status)
    return reason or fingerprint_of(status)


class _Folders:
    """Why nothing in a folder is indexed, "" if it is; each is looked at once."""

    def __init__(self, root: str) -> None:
        self.prefix = root.rstrip("/") + "/"
        self._linked: dict[str, bool] = {}
        self._reasons: dict[tuple[str, bool], str] = {}

    def reason(self, folder: str, tracked: bool) -> str:
        known = self._reasons.get((folder, tracked))
        if known is None:
            known = self._reasons[folder, tracked] = self._look(folder, tracked)
        return known

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
        return "symlink" if self._is_linked(folder) else ""

    def _is_linked(self, folder: str) -> bool:
        """Whether the folder, or one above it, is a symlink; each is looked at once."""
        if not folder:
            return False
        known = self._linked.get(folder)
        if known is None:
            above = self._is_linked(folder.rpartition("/")[0])
            known = self._linked[folder] = above or os.path.islink(self.prefix + folder)
        return known


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
