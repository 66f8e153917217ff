"""The state folder `.engram` at the root of a checkout, opened so that a hostile checkout gains nothing by it.

A checkout may bring an `.engram` of its own: a symbolic link to another place, or files that git tracks and that
would pass for this user's record.  Such a folder is neither read nor written.  Everything in it is opened relative
to its file descriptor and without following links, so that nothing can be swapped between the check and the use.
"""

from __future__ import annotations

import errno
import os
import stat

from engram.errors import GitError, JournalUnwritable, NotARepository, UnsafeState
from engram.journal.gitindex import tracks_folder
from engram.worktree import find_worktree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Self

NAME = ".engram"
_FOLDER_FLAGS = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
# NONBLOCK: a FIFO put there must not hang the opener.
_FILE_FLAGS = os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_HINT = "move it away and let engram make its own"


class StateFolder:
    """An open folder of engram's own; closes at the end of a `with`."""

    def __init__(self, path: str, fd: int) -> None:
        self.path = path
        self.fd = fd

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Give the descriptor back; the folder cannot be used afterwards."""
        os.close(self.fd)

    def names(self) -> list[str]:
        """The names in the folder, sorted."""
        return sorted(os.listdir(self.fd))

    def open_file(self, name: str, flags: int) -> int:
        """A descriptor of the regular file `name` in the folder; new files are for this user alone.

        Raises UnsafeState if a link, a device or another user's file has that name, else OSError as `os.open` does.
        """
        path = os.path.join(self.path, name)
        try:
            fd = os.open(name, flags | _FILE_FLAGS, 0o600, dir_fd=self.fd)
        except OSError as error:
            if error.errno in (errno.ELOOP, errno.EISDIR, errno.ENXIO):
                raise UnsafeState(f"{path} is not a regular file", _HINT) from error
            raise
        found = os.fstat(fd)
        if not stat.S_ISREG(found.st_mode) or found.st_uid != os.geteuid():
            os.close(fd)
            raise UnsafeState(f"{path} is not a regular file of this user", _HINT)
        return fd

    def subfolder(self, name: str, *, create: bool) -> StateFolder | None:
        """The folder `name` inside this one; None if it is not there and not to be made.  Raises as `make_state`."""
        path = os.path.join(self.path, name)
        if create:
            _make_folder(path, name, self.fd)
        fd = _open_folder(path, name, self.fd)
        return None if fd is None else StateFolder(path, fd)


def make_state(root: str) -> StateFolder:
    """The state folder of the checkout at `root`, made where it is missing, together with what makes git ignore it.

    Raises UnsafeState for a folder that must not be used, JournalUnwritable if it cannot be made.
    """
    path = os.path.join(root, NAME)
    _make_folder(path, path, None)
    folder = open_state(root)
    if folder is None:
        raise JournalUnwritable(f"{path} went away while it was being opened")
    try:
        _ignore_itself(folder)
    except BaseException:
        folder.close()
        raise
    return folder


def open_state(root: str) -> StateFolder | None:
    """The state folder of the checkout at `root`; None if there is none.

    Raises UnsafeState for a folder that must not be used, JournalUnwritable if it cannot be opened.
    """
    path = os.path.join(root, NAME)
    fd = _open_folder(path, path, None)
    if fd is None:
        return None
    try:
        _refuse_tracked(root, path)
    except BaseException:
        os.close(fd)
        raise
    return StateFolder(path, fd)


def _make_folder(path: str, name: str, parent: int | None) -> None:
    try:
        os.mkdir(name, 0o700, dir_fd=parent)
    except FileExistsError:
        pass
    except OSError as error:
        raise JournalUnwritable(f"{path} cannot be made: {error.strerror}") from error


def _open_folder(path: str, name: str, parent: int | None) -> int | None:
    try:
        fd = os.open(name, _FOLDER_FLAGS, dir_fd=parent)
    except FileNotFoundError:
        return None
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.ENOTDIR):
            raise UnsafeState(f"{path} is a link or a file, not a folder", _HINT) from error
        raise JournalUnwritable(f"{path} cannot be opened: {error.strerror}") from error
    if os.fstat(fd).st_uid != os.geteuid():
        os.close(fd)
        raise UnsafeState(f"{path} belongs to another user", _HINT)
    return fd


def _refuse_tracked(root: str, path: str) -> None:
    try:
        worktree = find_worktree(root)
    except NotARepository:
        return
    if not worktree.git_dir:
        return
    inside = os.path.relpath(os.path.join(os.path.realpath(root), NAME), worktree.root)
    try:
        tracked = tracks_folder(worktree.root, worktree.git_dir, inside)
    except GitError as error:
        raise UnsafeState(f"cannot tell whether git tracks {path}: {error.message}") from error
    if tracked:
        raise UnsafeState(
            f"git tracks files in {path}: a checkout's own record is not trusted",
            f"`git rm -r --cached {NAME}`, move the folder away, and try again",
        )


def _ignore_itself(folder: StateFolder) -> None:
    try:
        fd = folder.open_file(".gitignore", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    except OSError as error:
        raise JournalUnwritable(f"{folder.path} cannot be written: {error.strerror}") from error
    try:
        if os.fstat(fd).st_size == 0:  # new, or left empty by a full disk
            os.write(fd, b"*\n")
    except OSError as error:
        raise JournalUnwritable(f"{folder.path} cannot be written: {error.strerror}") from error
    finally:
        os.close(fd)
