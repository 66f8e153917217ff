"""Which checkouts on the server are of one repository, so that worktrees and clones can see each other's claims.

`engram:repository:<id>` is a set of the bases of their keys.  The id is the repository's first commit, which clones on
other machines share; it is looked up once for each checkout, as that takes git.
"""

from __future__ import annotations

from engram.activity.claims import Claim
from engram.errors import StoreError
from engram.store.claims import open_claims
from engram.store.schema import Keys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from engram.store.wire import Connection

_SIDE = "repository"
_MOST = 20  # checkouts looked at, so that a hook's time stays bounded


def knows_repository(connection: Connection, keys: Keys) -> bool:
    """Whether it is known of which repository the checkout is."""
    return bool(connection.call("EXISTS", keys.side(_SIDE)))


def join_repository(connection: Connection, keys: Keys, repository: str) -> None:
    """Remember that the checkout is of the repository with that id; "" stands for one of its own."""
    connection.call("SET", keys.side(_SIDE), repository)
    if repository:
        connection.call("SADD", _members(repository), keys.base)


def claims_elsewhere(connection: Connection, keys: Keys, *, lasts_ms: int) -> list[Claim]:
    """The claims that stand in other checkouts of the repository, by path; empty where none is known."""
    repository = (connection.call("GET", keys.side(_SIDE)) or b"").decode("ascii")
    bases = sorted(connection.call("SMEMBERS", _members(repository)))[:_MOST] if repository else []
    found: list[Claim] = []
    for base in bases:
        other = Keys(base.decode("utf-8"))
        if other.base != keys.base:
            try:
                found += open_claims(connection, other, lasts_ms=lasts_ms)
            except StoreError:  # dropped, or being replaced, in this very moment
                continue
    return sorted(found, key=lambda claim: (claim.path, claim.checkout))


def _members(repository: str) -> str:
    return f"engram:repository:{repository}"
