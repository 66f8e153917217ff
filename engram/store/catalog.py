"""The checkouts that this machine has indexed, when each was last used, and the removal of those nobody needs."""

from __future__ import annotations

import os
import time

from engram.model import Value
from engram.store.graph import transaction
from engram.store.keys import machine_key
from engram.store.schema import Keys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from engram.config import Config
    from engram.store.wire import Connection, Part

UNUSED_DAYS = 14.0  # an index is made again in seconds; until then it costs the server memory
_SCAN_COUNT = 1000


class Checkout(Value):
    """A checkout with an index: its folder, its keys on the server, and when it was last used (epoch seconds)."""

    root: str
    base: str
    used_at: float


def note_used(connection: Connection, config: Config, keys: Keys, root: str) -> None:
    """Remember that the checkout at `root` was used now."""
    connection.call("HSET", machine_key(config, "checkouts"), keys.base, f"{time.time():.0f}\n{root}")


def list_checkouts(connection: Connection, config: Config) -> list[Checkout]:
    """The known checkouts, the last used first."""
    pairs = connection.call("HGETALL", machine_key(config, "checkouts"))
    found = []
    for base, value in zip(pairs[::2], pairs[1::2], strict=True):
        used_at, _, root = value.decode("utf-8", "surrogatepass").partition("\n")
        found.append(Checkout(root, base.decode("utf-8"), float(used_at)))
    return sorted(found, key=lambda checkout: -checkout.used_at)


def drop_unused(connection: Connection, config: Config, *, unused_days: float = UNUSED_DAYS) -> list[Checkout]:
    """Remove everything of checkouts whose folder is gone or that were not used for so long; returns these.

    One that is used meanwhile stays.
    """
    oldest = time.time() - unused_days * 86_400
    unused = [c for c in list_checkouts(connection, config) if c.used_at < oldest or not os.path.isdir(c.root)]
    return [checkout for checkout in unused if _drop(connection, config, checkout)]


def drop_checkout(connection: Connection, config: Config, keys: Keys) -> int:
    """Remove everything of one checkout from the server, activity included; returns how many keys that were."""
    found = _keys_of(connection, keys)
    if found:
        connection.call("DEL", *found)
    connection.call("HDEL", machine_key(config, "checkouts"), keys.base)
    return len(found)


def _drop(connection: Connection, config: Config, checkout: Checkout) -> bool:
    catalog = machine_key(config, "checkouts")
    connection.call("WATCH", catalog)
    value = connection.call("HGET", catalog, checkout.base)
    if value is None or float(value.partition(b"\n")[0]) > checkout.used_at:
        connection.call("UNWATCH")
        return False
    found = _keys_of(connection, Keys(checkout.base))
    commands: list[tuple[Part, ...]] = [("DEL", *found)] if found else []
    commands.append(("HDEL", catalog, checkout.base))
    return transaction(connection, commands) is not None


def _keys_of(connection: Connection, keys: Keys) -> list[bytes]:
    """All keys of a checkout: its graph and what lies beside it."""
    found: set[bytes] = set()
    cursor: bytes = b"0"
    pattern = "".join(["\\" + c if c in "*?[]\\^" else c for c in keys.base]) + ":*"
    while True:
        cursor, page = connection.call("SCAN", cursor, "MATCH", pattern, "COUNT", _SCAN_COUNT)
        found.update(page)
        if cursor == b"0":
            break
    if connection.call("EXISTS", keys.graph):
        found.add(keys.graph.encode("utf-8"))
    return sorted(found)
