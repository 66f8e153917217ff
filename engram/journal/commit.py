"""The commit that a checkout stands on, read from git's files: starting git costs as long as a whole append."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from engram.worktree import Worktree

_MAX_SYMBOLIC = 5  # as git itself: refs.h, SYMREF_MAXDEPTH
_BRANCH = "ref: refs/heads/"
_HEX = frozenset("0123456789abcdef")


def current_commit(worktree: Worktree) -> str:
    """The id of HEAD's commit; "" without git, before the first commit, and where refs are kept in tables.

    Layout of the files: gitrepository-layout(5); a linked worktree has its own HEAD and shares the branches.
    """
    name = "HEAD"
    for _ in range(_MAX_SYMBOLIC):
        text = _read(os.path.join(worktree.git_dir, name)) or _read(os.path.join(worktree.common_dir, name))
        if not text.startswith("ref: "):
            return text if _is_id(text) else _packed(worktree.common_dir, name)
        name = text[len("ref: ") :]
        if ".." in name or not name.startswith("refs/"):
            return ""
    return ""


def has_ref_tables(worktree: Worktree) -> bool:
    """Whether the repository keeps its refs in tables, which only git reads: gitrepository-layout(5), "reftable"."""
    return bool(worktree.git_dir) and os.path.isdir(os.path.join(worktree.common_dir, "reftable"))


def current_branch(worktree: Worktree) -> str:
    """The branch that HEAD names, whether it has a commit or not; "" without git and where HEAD is at a commit."""
    text = _read(os.path.join(worktree.git_dir, "HEAD")) if worktree.git_dir else ""
    return text[len(_BRANCH) :] if text.startswith(_BRANCH) else ""


def _read(path: str) -> str:
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return ""
    try:
        return os.read(fd, 4096).decode("utf-8", "surrogateescape").strip()
    except OSError:
        return ""
    finally:
        os.close(fd)


def _packed(common_dir: str, name: str) -> str:
    try:
        with open(os.path.join(common_dir, "packed-refs"), encoding="utf-8", errors="surrogateescape") as file:
            for line in file:
                commit, _, ref = line.rstrip("\n").partition(" ")
                if ref == name and _is_id(commit):
                    return commit
    except OSError:
        return ""
    return ""


def _is_id(text: str) -> bool:
    return len(text) in (40, 64) and _HEX.issuperset(text)
