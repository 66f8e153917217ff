"""The copy of all data in one file, saved before the server stops, and whether it is better than the append-only file.

Where the disk was full, the server has told the writers of its last moment "done" before it could not write that to
the append-only file (see appendfsync in redis.conf).  A copy that is saved afterwards has it.
"""

from __future__ import annotations

import os
import time

from engram.errors import StoreError, StoreFull

TYPE_CHECKING = False
if TYPE_CHECKING:
    from engram.store.wire import Connection

APPEND_ONLY, COPY = "appendonlydir", "graph.rdb"
_BETTER = "copy-is-better"
_STOPPING_S = 10.0  # from the copy to the end of the server it takes milliseconds


def save_copy(connection: Connection, state: str) -> str:
    """Save the copy in the folder of the server's data; returns why that failed, "" if it did not.

    Raises StoreFull if it failed and the append-only file lacks something: the server has to go on.
    """
    saved, info = connection.pipeline([("SAVE",), ("INFO", "persistence")])
    is_behind = b"aof_last_write_status:err" in info
    if isinstance(saved, StoreError):
        if is_behind:
            raise StoreFull(
                "the disk is full, and the graph server holds writes that are on no disk yet",
                "free space, then try again",
            )
        return saved.message
    if is_behind:
        try:
            os.close(os.open(os.path.join(state, _BETTER), os.O_WRONLY | os.O_CREAT, 0o600))
        except OSError as error:
            return str(error)
    return ""


def is_copy_better(state: str) -> bool:
    """Whether the copy has what the append-only file lacks."""
    return os.path.exists(os.path.join(state, _BETTER))


def forget_old_copy(state: str) -> None:
    """The server did not stop after its copy was saved, and has written on: the append-only file is better again."""
    path = os.path.join(state, _BETTER)
    try:
        if time.time() - os.stat(path).st_mtime > _STOPPING_S:
            os.unlink(path)
    except FileNotFoundError:
        pass


def copy_was_used(state: str) -> None:
    """From now on the append-only file has everything again."""
    try:
        os.unlink(os.path.join(state, _BETTER))
    except FileNotFoundError:
        pass
