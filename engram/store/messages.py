"""The words of commit messages beside the graph, and the commits that they stand for."""

from __future__ import annotations

from engram.errors import StoreError
from engram.model import Value
from engram.store.lexical import segment_commands

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from engram.store.files import Command
    from engram.store.schema import Keys
    from engram.store.wire import Connection

# A hash: term -> postings; a string: the ids of the commits one after the other, all of one length; and what the
# commit at the head of the history was when both were written.
MESSAGES, COMMITS, HEAD = "messages", "message-commits", "message-head"
_SHA = 40, 64  # characters of an id, by the kind of repository


class Messages(Value):
    """Term -> packed postings of the commits that use it; `commits` counts all that `head`, an id, reaches."""

    lists: dict[bytes, bytes]
    commits: int
    head: str


def message_commands(keys: Keys, head: str, postings: Mapping[bytes, bytes], commits: Sequence[str]) -> list[Command]:
    """The commands, for one MULTI, that put these in the place of what is there."""
    messages = keys.side(MESSAGES)
    return [
        ("DEL", messages),
        *segment_commands(messages, postings),
        ("SET", keys.side(COMMITS), "".join(commits)),
        ("SET", keys.side(HEAD), head),
    ]


def message_head(connection: Connection, keys: Keys) -> str:
    """The head of the history whose messages are stored, "" where none are."""
    head: bytes | None = connection.call("GET", keys.side(HEAD))
    return (head or b"").decode("ascii")


def read_messages(connection: Connection, keys: Keys, terms: Sequence[bytes]) -> Messages:
    """What the messages have of `terms`, in one round trip; nothing where no history was read."""
    commands: list[Command] = [("GET", keys.side(HEAD)), ("STRLEN", keys.side(COMMITS))]
    commands.append(("HMGET", keys.side(MESSAGES), *(terms or [b""])))
    head, length, found = connection.pipeline(commands)
    for reply in (head, length, found):
        if isinstance(reply, StoreError):
            raise reply
    if not isinstance(head, bytes) or len(head) not in _SHA:
        return Messages({}, 0, "")
    lists = {term: packed for term, packed in zip(terms, found, strict=False) if packed}
    return Messages(lists, length // len(head), head.decode("ascii"))


def name_commits(connection: Connection, keys: Keys, messages: Messages, numbers: Sequence[int]) -> list[str]:
    """The ids of the commits with these numbers, in their order, in one round trip; "" for one that is gone."""
    width = len(messages.head)
    replies = connection.pipeline(
        [("GETRANGE", keys.side(COMMITS), number * width, (number + 1) * width - 1) for number in numbers]
    )
    return [reply.decode("ascii", "replace") if isinstance(reply, bytes) else "" for reply in replies]
