"""The lock that whoever writes to the journal holds: flock on a file of its own, because the journal is renamed."""

from __future__ import annotations

import fcntl
import os
import time

from engram.errors import JournalUnwritable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from engram.journal.folder import StateFolder

NAME = "journal.lock"
PRUNING = "journal.pruning"  # a lock of its own: an append does not wait for it
# An append holds the lock for 0.1 ms; the first looks are close together, later ones spare the processor.
_FIRST_WAIT_S = 0.0002
_LONGEST_WAIT_S = 0.01


class JournalLock:
    """Held inside of a `with`; the kernel gives it back when its holder dies.

    Raises JournalUnwritable if it is not had within `wait_s`.
    """

    def __init__(self, folder: StateFolder, wait_s: float, name: str = NAME) -> None:
        self._folder = folder
        self._name = name
        self._wait_s = wait_s
        self._fd = -1

    def __enter__(self) -> None:
        try:
            self._fd = self._folder.open_file(self._name, os.O_RDWR | os.O_CREAT)
        except OSError as error:
            raise JournalUnwritable(f"{self._folder.path}/{self._name}: {error.strerror}") from error
        try:
            self._wait()
        except BaseException:
            os.close(self._fd)
            raise

    def __exit__(self, *_exception: object) -> None:
        os.close(self._fd)

    def _wait(self) -> None:
        deadline = time.monotonic() + self._wait_s
        pause = _FIRST_WAIT_S
        while True:
            try:
                fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return
            except BlockingIOError:
                if time.monotonic() >= deadline:
                    raise JournalUnwritable(
                        f"another process has held {self._folder.path}/{self._name} for {self._wait_s:g} s",
                        "see who holds it with `fuser`; the lock goes when that process ends",
                    ) from None
            except OSError as error:
                raise JournalUnwritable(f"{self._folder.path}/{self._name}: {error.strerror}") from error
            time.sleep(pause)
            pause = min(2 * pause, _LONGEST_WAIT_S)
