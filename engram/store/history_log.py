"""The commits that were read, as slices beside the graph, and how far the reading is.

The graph shows them as the files of today see them; this is what they said.  A file that goes and returns, a rename, a
rebuild of the code: the graph is made to fit again without asking git.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, NamedTuple

from engram.history.facts import HISTORY_VERSION, Commit, pack_slice, unpack_slice

if TYPE_CHECKING:
    from engram.store.schema import Keys
    from engram.store.wire import Connection, Part

    type Command = tuple[Part, ...]

LOG = "history"  # hash: `state`, and the slices by their number, the larger the newer
_STATE = b"state"
_SMALL = 500  # commits: a newest slice of fewer is packed again with those that come, which takes 10 ms


class LogState(NamedTuple):
    """How far the reading is: it holds what `head` reaches, as git told it on the grounds with this digest.

    The commits before `walk` are read slice by slice: `walked` of them are, and with `complete` all, or as many as are
    kept.  `failure` is why git could not tell them, "" if it could.  `renewed` numbers the times they were read anew on
    other grounds, and `edition` the times that the commits changed, so that whoever shows them can tell; the step from
    the edition `since` to this one is `new` and `gone`, ids of commits, where that is a small one.
    """

    version: int = HISTORY_VERSION
    head: str = ""
    grounds: str = ""
    walk: str = ""
    walked: int = 0
    commits: int = 0
    complete: bool = False
    failure: str = ""
    renewed: int = 0
    edition: int = 0
    since: int = -1
    new: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()


class HistoryLog:
    """The log of one checkout in memory; nothing is stored before the `commands` are run."""

    def __init__(self, state: LogState, slices: dict[int, list[Commit]]) -> None:
        self.state = state
        self._slices = slices
        self._changed: set[int] = set()
        self._dropped: set[int] = set()

    @classmethod
    def empty(cls) -> HistoryLog:
        """One in which nothing was read yet."""
        return cls(LogState(), {})

    @classmethod
    def load(cls, connection: Connection, keys: Keys) -> HistoryLog:
        """The stored log; an empty one where there is none, or one of another version."""
        flat = connection.call("HGETALL", keys.side(LOG))
        fields: dict[bytes, bytes] = dict(zip(flat[::2], flat[1::2], strict=True))
        state = _state(fields.pop(_STATE, None))
        if state is None:
            return cls.empty()
        return cls(state, {int(number): unpack_slice(packed) for number, packed in fields.items()})

    def commits(self) -> list[Commit]:
        """All commits, the newest first."""
        return [commit for number in sorted(self._slices, reverse=True) for commit in self._slices[number]]

    def begin(self, state: LogState, commits: Sequence[Commit]) -> None:
        """Forget all, and hold these commits, the newest first."""
        self._dropped |= set(self._slices)
        self._slices = {}
        self._advance(state)
        self._put(0, list(commits))

    def add_newer(self, state: LogState, commits: Sequence[Commit], gone: Collection[str]) -> None:
        """Put commits before all others, and forget those with the ids in `gone`."""
        for number, held in self._slices.items():
            if gone and any(commit.sha in gone for commit in held):
                self._put(number, [commit for commit in held if commit.sha not in gone])
        self._advance(state, [commit.sha for commit in commits], sorted(gone))
        newest = max(self._slices, default=0)
        held = self._slices.get(newest, [])
        if len(held) < _SMALL or not held:
            self._put(newest, [*commits, *held])
        else:
            self._put(newest + 1, list(commits))

    def add_older(self, state: LogState, commits: Sequence[Commit]) -> None:
        """Put commits behind all others."""
        self._advance(state)
        if commits:
            self._put(min(self._slices, default=0) - 1, list(commits))

    def commands(self, keys: Keys) -> list[Command]:
        """The commands that store what has changed, for one MULTI; each call begins anew."""
        key = keys.side(LOG)
        state = self.state._replace(commits=sum(map(len, self._slices.values())))
        self.state = state
        commands: list[Command] = [("HSET", key, _STATE, json.dumps(state._asdict()))]
        commands += [("HSET", key, number, pack_slice(self._slices[number])) for number in sorted(self._changed)]
        if doomed := sorted(self._dropped - set(self._slices)):
            commands.append(("HDEL", key, *doomed))
        self._changed, self._dropped = set(), set()
        return commands

    def _advance(self, state: LogState, new: Sequence[str] = (), gone: Sequence[str] = ()) -> None:
        """Take the state on, as the edition after the one before; the step to it is told if it is small."""
        before = self.state.edition
        small = 0 < len(new) + len(gone) <= _SMALL
        step = (before, tuple(new), tuple(gone)) if small else (-1, (), ())
        self.state = state._replace(edition=before + 1, since=step[0], new=step[1], gone=step[2])

    def _put(self, number: int, commits: list[Commit]) -> None:
        self._slices[number] = commits
        self._changed.add(number)


def read_log_state(connection: Connection, keys: Keys) -> LogState | None:
    """How far the reading is, without the commits; None where nothing was read, or by another version."""
    return _state(connection.call("HGET", keys.side(LOG), _STATE))


def _state(packed: bytes | None) -> LogState | None:
    fields = json.loads(packed) if packed else {}
    if fields.get("version") != HISTORY_VERSION:
        return None
    return LogState(**{**fields, "new": tuple(fields["new"]), "gone": tuple(fields["gone"])})
