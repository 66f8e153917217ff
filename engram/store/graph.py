"""One graph on the server: queries in, rows out, and several commands as one."""

from __future__ import annotations

from engram.errors import StoreError
from engram.store.cypher import encode
from engram.store.result import Names, Table, decode_table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from engram.store.cypher import Parameter
    from engram.store.wire import Connection, Part, Reply

READ_TIMEOUT_MS = 10_000  # a walk from a hub takes 0.4 s, on a busy machine ten times that; hooks have deadlines


class Graph:
    """The graph under one key.  Rows are lists of None, bool, int, float, str, list and dict."""

    def __init__(self, connection: Connection, key: str) -> None:
        self.connection = connection
        self.key = key

    def read(
        self, query: str, params: Mapping[str, Parameter] | None = None, *, timeout_ms: int = READ_TIMEOUT_MS
    ) -> list[list[Any]]:
        """The rows of a query that writes nothing; the engine refuses it otherwise.

        Raises NotIndexed where no graph is, QueryTimedOut past `timeout_ms`.
        """
        return self.table(query, params, timeout_ms=timeout_ms).rows

    def table(
        self,
        query: str,
        params: Mapping[str, Parameter] | None = None,
        *,
        timeout_ms: int = READ_TIMEOUT_MS,
        names: Names | None = None,
    ) -> Table:
        """Like `read`, with the names of the columns, and with whole nodes where `names` are given."""
        command = self.read_command(query, params, timeout_ms=timeout_ms)
        return decode_table(self.connection.call(*command), names)

    def write(self, query: str, params: Mapping[str, Parameter] | None = None) -> list[list[Any]]:
        """The rows of a query that may write; it makes the graph where none is.  Has no timeout: a write is whole."""
        return decode_table(self.connection.call(*self.command(query, params))).rows

    def command(self, query: str, params: Mapping[str, Parameter] | None = None) -> tuple[Part, ...]:
        """The write as a command, for `transaction` and `Connection.pipeline`."""
        return ("GRAPH.QUERY", self.key, encode(params or {}) + query, "--compact")

    def read_command(
        self, query: str, params: Mapping[str, Parameter] | None = None, *, timeout_ms: int = READ_TIMEOUT_MS
    ) -> tuple[Part, ...]:
        """The read as a command, for `Connection.pipeline`; `rows` takes its reply."""
        return ("GRAPH.RO_QUERY", self.key, encode(params or {}) + query, "--compact", "timeout", timeout_ms)

    def exists(self) -> bool:
        """Whether a graph stands under the key."""
        return bool(self.connection.call("TYPE", self.key) == "graphdata")

    def names(self) -> Names:
        """The tables that whole nodes and edges refer to."""
        queries = (
            "CALL db.labels() YIELD label RETURN label",
            "CALL db.relationshipTypes() YIELD relationshipType RETURN relationshipType",
            "CALL db.propertyKeys() YIELD propertyKey RETURN propertyKey",
        )
        replies = self.connection.pipeline([self.read_command(query) for query in queries])
        return Names(*[tuple([row[0] for row in rows(reply)]) for reply in replies])


def rows(reply: Reply) -> list[list[Any]]:
    """The rows in the reply to a command of `Graph`; raises what the server refused."""
    if isinstance(reply, StoreError):
        raise reply
    return decode_table(reply).rows


def transaction(
    connection: Connection, commands: Iterable[Sequence[Part]], *, watch: Iterable[tuple[str, bytes | None]] = ()
) -> list[Reply] | None:
    """The replies to the commands, run as one (MULTI); None, and nothing done, where a watched key has changed.

    `watch` names keys and the values that they must still have.  A caller who sent WATCH itself, and read since,
    passes none.  Raises the first StoreError among the replies: the commands beside it have been done all the same,
    as Redis takes nothing back.
    """
    watched = dict(watch)
    if watched:
        _, *found = connection.pipeline([("WATCH", *watched), *[("GET", key) for key in watched]])
        if found != list(watched.values()):
            connection.call("UNWATCH")
            return None
    *queued, result = connection.pipeline([("MULTI",), *commands, ("EXEC",)])
    for reply in queued if isinstance(result, StoreError) else result or ():
        if isinstance(reply, StoreError):
            raise reply
    if isinstance(result, StoreError):
        raise result
    return None if result is None else list(result)
