"""The copy of all data in one file, saved before the server stops, and whether it is better than the append-only file.

Where the disk was full, the server has told the writers of its last moment "done" before it could not write that to
the append-only file (see appendfsync in redis.conf).  A copy that is saved afterwards has it.
"""

from __future__ import annotations

import os

from engram.errors import ServerUnavailable, StoreError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from engram.store.wire import Connection

APPEND_ONLY, COPY = "appendonlydir", "graph.rdb"
_BETTER = "copy-is-better"


def save_copy(connection: Connection, state: str) -> str:
    """Save the copy in the folder of the server's data; returns why that failed, "" if it did not."""
    try:
        connection.call("SAVE")
        if b"aof_last_write_status:err" in connection.call("INFO", "persistence"):
            os.close(os.open(os.path.join(state, _BETTER), os.O_WRONLY | os.O_CREAT, 0o600))
    except ServerUnavailable:
        raise
    except StoreError as error:  # no space: the append-only file has all but, perhaps, the last moment
        return error.message
    except OSError as error:
        return str(error)
    return ""


def is_copy_better(state: str) -> bool:
    """Whether the copy has what the append-only file lacks."""
    return os.path.exists(os.path.join(state, _BETTER))


def copy_was_used(state: str) -> None:
    """From now on the append-only file has everything again."""
    try:
        os.unlink(os.path.join(state, _BETTER))
    except FileNotFoundError:
        pass
