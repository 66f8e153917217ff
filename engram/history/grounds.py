"""What a history rests on besides its commits: where the clone ends, what replaces commits, and who is who."""

from __future__ import annotations

import os
from hashlib import sha256

from engram.errors import GitError
from engram.gitrun import run_git
from engram.journal.commit import current_commit, has_ref_tables
from engram.model import Value
from engram.worktree import Worktree

_MAX_BYTES = 8 << 20  # a mailmap of 30,000 people has 2 MB
_MAX_REPLACED = 16 << 20


class Grounds(Value):
    """`head` is the commit that is checked out ("" where there is none), `boundary` where a shallow clone ends.

    `digest` changes with all that makes git tell the same commits differently: then they are to be read again.
    """

    head: str
    boundary: frozenset[str]
    digest: str


def read_grounds(worktree: Worktree) -> Grounds:
    """The grounds of the history of a checkout now.  Raises GitError where git does not tell them."""
    try:
        head = run_git(worktree.root, "rev-parse", "--verify", "--quiet", "HEAD^{commit}").decode("ascii").strip()
    except GitError:
        if current_commit(worktree) or has_ref_tables(worktree):
            raise
        return Grounds("", frozenset(), "")  # before the first commit
    shallow = _content(os.path.join(worktree.common_dir, "shallow"))
    parts = [
        shallow,
        _content(os.path.join(worktree.common_dir, "info", "grafts")),
        _content(os.path.join(worktree.root, ".mailmap")),
        run_git(
            worktree.root, "for-each-ref", "--format=%(refname) %(objectname)", "refs/replace/", max_bytes=_MAX_REPLACED
        ),
    ]
    digest = sha256(b"".join([b"%d " % len(part) + part for part in parts])).hexdigest()[:32]
    return Grounds(head, frozenset(shallow.decode("ascii", "replace").split()), digest)


def _content(path: str) -> bytes:
    """What a file holds; b"" where none is, and of one that is no regular file, which could keep its reader waiting."""
    if not os.path.isfile(path) or os.path.islink(path):  # git does not follow a link there, either: gitmailmap(5)
        return b""
    try:
        with open(path, "rb") as file:
            return file.read(_MAX_BYTES)
    except OSError:
        return b""
