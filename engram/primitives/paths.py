"""From a path that somebody asked for to an open file inside the root, or a reason why not.

A path is resolved once, by the file system, and must end inside the root.  The file is then opened part by part
from the root down without following any link, so that nothing swapped in between can lead out.
"""

from __future__ import annotations

import errno
import os
import stat

from engram.errors import FileUnavailable, InvalidArgument, PathOutsideRoot, SecretRefused
from engram.journal.digest import sha256_hex
from engram.journal.secrets import holds_secrets
from engram.model import Value
from engram.primitives.check import shown

MAX_FILE_BYTES = 32 << 20
# Read whole, for its hash and its number of lines: as many empty lines take 300 MB of memory; sources are far below.
_OPEN = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY
_HIDDEN_FOLDERS = (".git", ".engram")


class Content(Value):
    """What a file held when it was read: `path` from the root, links resolved; `identity` changes with the file."""

    path: str
    data: bytes
    sha256: str
    identity: tuple[int, int, int]


def resolve(root: str, path: str) -> str:
    """`path` relative to `root`, links resolved, "." for the root itself; it need not exist.

    An absolute path is taken where it lies inside.  Raises InvalidArgument for what no file can be called here, and
    PathOutsideRoot for `..` and for links that lead out.
    """
    _refuse_unreadable(path)
    if ".." in path.split("/"):
        raise PathOutsideRoot(f"{shown(path)} has '..' in it", f"paths start at the root of the repository: {root}")
    top = os.path.realpath(root)
    real = os.path.realpath(os.path.join(top, path))
    if real != top and not real.startswith(top.rstrip("/") + "/"):
        raise PathOutsideRoot(f"{shown(path)} lies outside of {root}", "only files of the repository are shown")
    return os.path.relpath(real, top)


def read_file(root: str, path: str, *, secrets: bool = False, max_bytes: int = MAX_FILE_BYTES) -> Content:
    """The bytes of the regular file at `path`, and their SHA-256.

    Raises what `resolve` does, SecretRefused for a file that holds keys unless `secrets`, and FileUnavailable where
    there is no regular file, it cannot be read, or it has more than `max_bytes`.
    """
    inside = resolve(root, path)
    refuse_secret(path, inside, secrets)
    try:
        handle = _open_regular(os.path.realpath(root), inside)
    except OSError as error:
        raise _unavailable(path, error) from error
    try:
        before = os.fstat(handle)
        if not stat.S_ISREG(before.st_mode):
            raise FileUnavailable(f"{shown(path)} is not a regular file")
        if before.st_size > max_bytes:
            raise FileUnavailable(f"{shown(path)} has {before.st_size} bytes, at most {max_bytes} are read")
        data = _read_all(handle, max_bytes)
    except OSError as error:
        raise _unavailable(path, error) from error
    finally:
        os.close(handle)
    return Content(inside, data, sha256_hex(data), identity(before))


def refuse_secret(asked: str, inside: str, secrets: bool) -> None:
    """Raise SecretRefused where either name, as asked or with links resolved, is one of a file that holds keys."""
    if secrets:
        return
    parts = inside.lower().split("/")  # some file systems of macOS take .GIT for .git
    if holds_secrets(asked) or holds_secrets(inside) or any(folder in parts for folder in _HIDDEN_FOLDERS):
        raise SecretRefused(
            f"{shown(asked)} is kept from being shown: such files hold keys or private state",
            "ask the person in charge; with --secrets it is read all the same, and the journal says so",
        )


def identity(seen: os.stat_result) -> tuple[int, int, int]:
    """What changes when a file is written or replaced: inode, size, time of change in ns."""
    return seen.st_ino, seen.st_size, seen.st_mtime_ns


def unchanged(root: str, content: Content) -> bool:
    """Whether the file still is the one that was read."""
    try:
        now = os.stat(os.path.join(root, content.path), follow_symlinks=False)
    except OSError:
        return False
    return identity(now) == content.identity


def _refuse_unreadable(path: str) -> None:
    if not path:
        raise InvalidArgument("the path is empty")
    if "\0" in path or len(os.fsencode(path)) > 4096:  # PATH_MAX of Linux, its NUL included
        raise InvalidArgument(f"{shown(path)} cannot be a path")
    if path.isascii() and path.isprintable():
        return
    from unicodedata import category, normalize

    odd = next((c for c in path if category(c) in ("Cc", "Cf", "Zl", "Zp")), "")
    if odd:
        raise InvalidArgument(f"{shown(path)} has the invisible character U+{ord(odd):04X} in it")
    if any(part == ".." for part in normalize("NFKC", path).split("/")) and ".." not in path.split("/"):
        raise PathOutsideRoot(f"{shown(path)} has characters that look like '..'")


def _open_regular(top: str, inside: str) -> int:
    folder = os.open(top, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        *folders, name = inside.split("/")
        for part in folders:
            deeper = os.open(part, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder)
            os.close(folder)
            folder = deeper
        kind = os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode
        if not stat.S_ISREG(kind):  # before opening: to open a device can already do something
            raise FileUnavailable(f"{shown(inside)} is {_kind_name(kind)}, not a regular file")
        return os.open(name, _OPEN, dir_fd=folder)
    finally:
        os.close(folder)


def _kind_name(mode: int) -> str:
    kinds = ((stat.S_ISDIR, "a folder"), (stat.S_ISFIFO, "a pipe"), (stat.S_ISSOCK, "a socket"))
    return next((name for test, name in kinds if test(mode)), "a device or a link")


def _read_all(handle: int, max_bytes: int) -> bytes:
    parts = []
    left = max_bytes + 1
    while left > 0 and (part := os.read(handle, min(left, 1 << 20))):
        parts.append(part)
        left -= len(part)
    return b"".join(parts)[:max_bytes]


def _unavailable(path: str, error: OSError) -> FileUnavailable:
    reasons = {
        errno.ENOENT: "does not exist",
        errno.ENOTDIR: "does not exist",
        errno.EACCES: "may not be read by this user",
        errno.EPERM: "may not be read by this user",
        errno.ELOOP: "is a link that changed while it was opened",
        errno.ENAMETOOLONG: "has too long a name",
    }
    hint = "paths start at the root of the repository" if error.errno in (errno.ENOENT, errno.ENOTDIR) else ""
    return FileUnavailable(f"{shown(path)} {reasons.get(error.errno or 0, f'cannot be read: {error.strerror}')}", hint)
