"""What is known of an index as a whole: of which version it is, and when it was last made equal to the files."""

from __future__ import annotations

from engram.model import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from engram.store.schema import Keys
    from engram.store.wire import Connection, Part


class IndexState(Value):
    """One index: `version` names the formats it was written in, `indexed_at` is in epoch milliseconds."""

    version: str
    indexed_at: int
    root: str


def read_state(connection: Connection, keys: Keys) -> IndexState | None:
    """The state of the checkout's index; None where none is."""
    version, indexed_at, root = connection.call("HMGET", keys.meta, "version", "indexed_at", "root")
    if not version or not indexed_at:
        return None
    return IndexState(version.decode(), int(indexed_at), (root or b"").decode("utf-8", "surrogatepass"))


def state_commands(keys: Keys, state: IndexState) -> list[tuple[Part, ...]]:
    """The commands that write it, for the MULTI that writes the index."""
    return [("HSET", keys.meta, "version", state.version, "indexed_at", state.indexed_at, "root", state.root)]
