"""What every handler of an event is given, and what it may answer."""

from __future__ import annotations

import os
import time

from engram.model import Value
from engram.store.address import check_folder, current_socket, server_address
from engram.store.keys import graph_keys
from engram.store.wire import connect_unix, connect_url
from engram.worktree import find_worktree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from engram.config import Config
    from engram.store.schema import Keys
    from engram.store.wire import Connection
    from engram.worktree import Worktree

REPLY_S = 2.0  # for one answer of the server; the queries of a hook take milliseconds
_MAX_ID = 128  # the client's ids are UUIDs


class Reply(Value):
    """What a hook says: `context` to the model, `notice` to the user; `deny` refuses the tool call and says why.
    `input`, a JSON object, is what the tool is given in place of its own; nothing else is said with it.
    """

    context: str = ""
    deny: str = ""
    notice: str = ""
    input: str = ""


class HookContext:
    """One event: its `name`, the session, and the checkout, which is looked for when it is first asked for."""

    __slots__ = ("_connection", "_keys", "_worktree", "config", "deadline", "name", "payload")

    def __init__(self, name: str, payload: Mapping[str, Any], config: Config, deadline: float) -> None:
        self.name = name
        self.payload = payload
        self.config = config
        self.deadline = deadline  # of time.monotonic(); the process is stopped then
        self._worktree: Worktree | None = None
        self._keys: Keys | None = None
        self._connection: Connection | None = None

    @property
    def session(self) -> str:
        """The client's session id, of the payload, else of the environment; "" where neither has a usable one."""
        given = self.payload.get("session_id")
        if isinstance(given, str) and 0 < len(given) <= _MAX_ID and given.isprintable():
            return given
        return self.config.session

    @property
    def agent(self) -> str:
        """The id of the subagent that the event is about; "" for the session's main agent."""
        return self.text("agent_id")[:_MAX_ID]

    @property
    def worktree(self) -> Worktree:
        """The checkout around the session's current folder.  Raises NotARepository."""
        if self._worktree is None:
            cwd = self.text("cwd") or os.environ.get("CLAUDE_PROJECT_DIR", "") or "."
            self._worktree = find_worktree(cwd)
        return self._worktree

    @property
    def keys(self) -> Keys:
        """The names of the checkout's things on the server.  Raises ConfigError, NotARepository."""
        if self._keys is None:
            self._keys = graph_keys(self.config, self.worktree)
        return self._keys

    def text(self, name: str) -> str:
        """A member of the payload, if it is a string; else ""."""
        found = self.payload.get(name)
        return found if isinstance(found, str) else ""

    def connect(self) -> Connection:
        """The connection to the server, which is not started here; opened once.

        Raises ServerUnavailable, at once where none runs.
        """
        if self._connection is None:
            patience_s = max(0.01, min(REPLY_S * self.config.patience, self.left()))
            if self.config.falkordb_url:
                self._connection = connect_url(self.config.falkordb_url, patience_s)
            else:
                path = current_socket(server_address(self.config))
                check_folder(os.path.dirname(path), "the socket folder")
                self._connection = connect_unix(path, patience_s)
        return self._connection

    def left(self) -> float:
        """Seconds until the deadline."""
        return self.deadline - time.monotonic()
