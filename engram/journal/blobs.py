"""Finding the content that a file had when an entry was written: in the tree, else in git's history."""

from __future__ import annotations

import errno
import os
import stat

import pygit2

from engram.journal.digest import sha256_hex
from engram.model import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

# Past it a replay would take longer than the question is worth: 2,000 commits are walked in a second.
MAX_COMMITS = 2_000
_MAX_FILE = 1 << 28


class Content(Value):
    """The bytes of a file; `commit` is where they were found, "" for the tree."""

    data: bytes
    commit: str = ""


def read_tree(root: str, path: str) -> bytes | None:
    """The bytes of the file in the checkout; None if no regular file is there, or the path leads out of `root`."""
    real = os.path.realpath(os.path.join(root, path))
    if os.path.isabs(path) or not real.startswith(os.path.join(os.path.realpath(root), "")):
        return None
    try:
        fd = os.open(real, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
    except (OSError, ValueError) as error:
        if isinstance(error, OSError) and error.errno in (errno.EMFILE, errno.ENFILE):
            raise
        return None
    with open(fd, "rb") as file:
        found = os.fstat(fd)
        return file.read() if stat.S_ISREG(found.st_mode) and found.st_size <= _MAX_FILE else None


def find_content(root: str, path: str, sha256: str, commit: str | None) -> Content | None:
    """The content of `path` with that hash: of the tree, of `commit`, of the commits before HEAD, newest first."""
    data = read_tree(root, path)
    if data is not None and sha256_hex(data) == sha256:
        return Content(data)
    for blob, where in _versions(root, path, commit):
        if sha256_hex(blob) == sha256:
            return Content(blob, where)
    return None


def _versions(root: str, path: str, commit: str | None) -> Iterator[tuple[bytes, str]]:
    """Each content that `path` had in git, once."""
    try:
        repository = pygit2.Repository(root)
        starts = [commit] if commit and commit in repository else []
        if not repository.head_is_unborn:
            starts.append(str(repository.head.resolve().target))
    except (pygit2.GitError, ValueError, KeyError):
        return
    seen: set[str] = set()
    for start in starts:
        for number, found in enumerate(repository.walk(start, pygit2.enums.SortMode.TIME)):
            if number >= MAX_COMMITS:
                break
            try:
                blob = found.tree[path]
            except (KeyError, ValueError, pygit2.GitError):
                continue
            if str(blob.id) not in seen and isinstance(blob, pygit2.Blob):
                seen.add(str(blob.id))
                yield blob.data, str(found.id)
