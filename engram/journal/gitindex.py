"""Whether git tracks anything in a folder at the root of a checkout, read from git's index without starting git.

The format is git's own documentation, gitformat-index(5).  Entries are sorted by the bytes of their paths, so a
name that starts with a dot is found after a few of them.
"""

from __future__ import annotations

import os

from engram.gitrun import run_git

# Enough for several thousand entries that sort before the folder; past it git itself is asked.
_MAX_READ = 1 << 18
_HEADER = 12
_FIXED = 62  # an entry up to its path, where object ids are SHA-1
_EXTENDED = 0x4000
_LENGTH = 0x0FFF


def tracks_folder(root: str, git_dir: str, folder: str) -> bool:
    """True if git tracks `folder` (of any case) itself or a path in it; False where the checkout has no index.

    Raises GitError if the index is of a kind that only git can read, and git does not answer.
    """
    data = _read_index(git_dir)
    if data is None:
        return False
    found = None if _is_split(git_dir) else _search(data, folder.lower().encode())
    if found is None:
        return bool(run_git(root, "ls-files", "-z", "--", f":(top,icase){folder}", max_bytes=1 << 16))
    return found


def _read_index(git_dir: str) -> bytes | None:
    try:
        # Not to hang on a FIFO: a linked worktree's `.git` file may name any place.
        fd = os.open(os.path.join(git_dir, "index"), os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        return os.read(fd, _MAX_READ)
    except OSError:
        return None
    finally:
        os.close(fd)


def _is_split(git_dir: str) -> bool:
    try:
        return any(name.startswith("sharedindex.") for name in os.listdir(git_dir))
    except OSError:
        return True


def _search(data: bytes, folder: bytes) -> bool | None:
    """None if these bytes do not tell."""
    version = int.from_bytes(data[4:8], "big")
    if data[:4] != b"DIRC" or version not in (2, 3, 4):
        return None
    at, path = _HEADER, b""
    for _ in range(int.from_bytes(data[8:12], "big")):
        flags = int.from_bytes(data[at + 60 : at + 62], "big")
        start = at + _FIXED + (2 if flags & _EXTENDED else 0)
        keep = 0
        if version == 4:
            strip, start = _variable_width(data, start)
            keep = len(path) - strip
        end = data.find(b"\0", start)
        if end < 0 or keep < 0:
            return None
        path = path[:keep] + data[start:end]
        if min(len(path), _LENGTH) != flags & _LENGTH:
            return None  # object ids of another length: a SHA-256 repository
        if path.lower() == folder or path.lower().startswith(folder + b"/"):
            return True
        if path > folder + b"0":  # "0" follows "/": every later path sorts behind the folder, in lower case too
            return False
        at = end + 1 if version == 4 else at + (end - at) // 8 * 8 + 8
    return False


def _variable_width(data: bytes, at: int) -> tuple[int, int]:
    """The offset encoding of pack files, and where it ends."""
    byte = data[at] if at < len(data) else 0
    value = byte & 0x7F
    while byte & 0x80:
        at += 1
        byte = data[at] if at < len(data) else 0
        value = ((value + 1) << 7) | (byte & 0x7F)
    return value, at + 1
