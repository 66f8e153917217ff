"""Which state of an index a long piece of work began with, so that it can tell whether it still stands."""

from __future__ import annotations

from engram.model import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Self

    from engram.store.schema import Keys
    from engram.store.wire import Connection, Part

_SIDE = "generation"


class Generation(Value):
    """`number` is raised by every run that changes the index; `refined` is the one whose calls were refined last."""

    number: bytes | None
    refined: bytes | None

    @classmethod
    def read(cls, connection: Connection, keys: Keys) -> Self:
        """The generation now."""
        number, refined = connection.pipeline([("GET", keys.side(_SIDE)), ("HGET", keys.meta, "refined")])
        return cls(number, refined)

    @property
    def is_refined(self) -> bool:
        """Whether the calls of this very state have been refined."""
        return self.number is not None and self.number == self.refined

    def watch(self, keys: Keys) -> tuple[str, bytes | None]:
        """The key and its value while the index is as it was, for `transaction(watch=...)`."""
        return keys.side(_SIDE), self.number

    def refined_command(self, keys: Keys) -> tuple[Part, ...]:
        """The command that marks this state as refined."""
        return ("HSET", keys.meta, "refined", self.number or b"")


def raise_command(keys: Keys) -> tuple[Part, ...]:
    """The command with which a run that changes the index says so, in its own MULTI."""
    return ("INCR", keys.side(_SIDE))
