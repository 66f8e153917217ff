"""Recursion requests and their answers, kept in `.engram/recurse`: a projection of the journal, rebuilt where it lacks.

```
batches/<batch>     {"session", "prompt", "parent", "requests": [{"id", "slices", "depth"}]}
sessions/<key>/<batch>   which batches a session asked, by time
answers/<id>        {"text", "at"}
kept/<key>          {"id", "text"} by question and content of its slices
turns/<key>              when the session was prompted last (activity/prompted.py)
places/<key>        {"id", "text"} by question and places of its slices: tells a stale answer from none
ready               there once the journal has been read
```
A batch is named by the time at which it was asked (milliseconds, hexadecimal) and 24 random bits, a request by its
batch and its number in it.
"""

from __future__ import annotations

import os
import time

from engram.activity.prompted import RECURSE, TURNS, is_name, prompted_at, session_key
from engram.errors import JournalUnwritable, UnknownRequest
from engram.journal.digest import sha256_hex
from engram.journal.folder import StateFolder, make_state
from engram.journal.jsonlight import dumps, loads
from engram.journal.lock import JournalLock
from engram.journal.log import Journal
from engram.model import Value
from engram.primitives.check import shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any, Self

OPEN_FOR_S = 3600.0
# After an hour a subagent is gone: what it was asked no longer counts as open, though an answer is still taken in.
AWAITED_FOR_S = 600.0
# Subagents answer within a minute or two; whoever has not after ten does not keep a session from asking others.
_LOCK_WAIT_S = 5.0
_TIME_DIGITS = 11  # milliseconds since 1970 in hexadecimal, until the year 2527


class Request(Value):
    """A question about slices (handles); `depth` counts the levels from this one down, so at 1 it may not ask on."""

    id: str
    batch: str
    session: str
    prompt: str
    slices: tuple[str, ...]
    depth: int
    parent: str = ""

    def to_wire(self) -> dict[str, Any]:
        """What the marker line carries."""
        wire = {"id": self.id, "prompt": self.prompt, "slices": list(self.slices), "depth": self.depth}
        return {**wire, "batch": self.batch}


class Given(Value):
    """An answer that was given to the request `id`."""

    id: str
    text: str


class RequestLog:
    """The requests of one checkout; use it in a `with`, during which no other process changes them.

    Raises UnsafeState for a state folder that must not be used, JournalUnwritable where it cannot be written.
    """

    def __init__(self, root: str) -> None:
        self._root = root

    def __enter__(self) -> Self:
        self._folders: dict[str, StateFolder] = {}
        with make_state(self._root) as state:
            self._top = _below(state, RECURSE)
        self._lock = JournalLock(self._top, _LOCK_WAIT_S)
        try:
            self._lock.__enter__()
            self._folders = {
                name: _below(self._top, name) for name in ("batches", "sessions", "answers", "kept", "places", TURNS)
            }
            if "ready" not in self._top.names():
                self._rebuild()
        except BaseException:
            self._close()
            raise
        return self

    def __exit__(self, *_exception: object) -> None:
        self._lock.__exit__()
        self._close()

    def find(self, request_id: str) -> Request:
        """The request of that id; raises UnknownRequest."""
        for request in self.of_batch(request_id.partition(".")[0]):
            if request.id == request_id:
                return request
        raise UnknownRequest(
            f"no request {shown(request_id)} was asked in {self._root}",
            "if it was asked in another worktree of this repository, name that with --repo",
        )

    def of_batch(self, batch: str) -> list[Request]:
        """The requests of a batch, in the order in which they were asked; [] for an unknown one."""
        found = self._load("batches", batch)
        if found is None:
            return []
        rows = found["requests"]
        common = (found["session"], found["prompt"])
        return [Request(r["id"], batch, *common, tuple(r["slices"]), r["depth"], found["parent"]) for r in rows]

    def of_session(self, session: str, *, since: float = 0.0) -> Iterator[Request]:
        """The requests of a session that were asked after `since` (epoch seconds), oldest first."""
        with _below(self._folders["sessions"], session_key(session)) as own:
            names = own.names()
        for batch in names:
            if asked_at(batch) >= since:
                yield from self.of_batch(batch)

    def open_ones(self, session: str) -> list[Request]:
        """The unanswered requests of a session, oldest first, unless they are older than OPEN_FOR_S."""
        recent = self.of_session(session, since=time.time() - OPEN_FOR_S)
        return [request for request in recent if self.answer(request.id) is None]

    def awaited(self, session: str) -> list[Request]:
        """Those of the open ones that somebody may still wait for: asked since the session's last prompt, and not more
        than AWAITED_FOR_S ago.
        """
        since = max(prompted_at(self._folders[TURNS], session), time.time() - AWAITED_FOR_S)
        return [request for request in self.open_ones(session) if asked_at(request.batch) >= since]

    def answer(self, request_id: str) -> Given | None:
        """The answer given last to a request."""
        return self._given("answers", request_id)

    def kept(self, prompt: str, handles: Sequence[str]) -> Given | None:
        """The answer to the same question about slices with the same content."""
        return self._given("kept", _key(prompt, handles))

    def at_places(self, prompt: str, handles: Sequence[str]) -> Given | None:
        """The answer last given to the same question about the same places, whatever stood there."""
        return self._given("places", _key(prompt, [handle.rpartition("@")[0] for handle in handles]))

    def apply(self, session: str, recorded: Mapping[str, Any]) -> None:
        """Take in what a journal entry of `recurse` records: requests that were asked, or an answer."""
        if recorded.get("requests"):
            batch = recorded["batch"]
            kept = {name: recorded[name] for name in ("prompt", "requests")}
            self._store("batches", batch, {**kept, "session": session, "parent": recorded.get("parent", "")})
            with _below(self._folders["sessions"], session_key(session)) as own:
                _write(own, batch, "")
        elif recorded.get("action") == "answer":
            request = self.find(recorded["id"])
            given = {"id": request.id, "text": recorded["text"]}
            self._store("answers", request.id, given)
            places = [handle.rpartition("@")[0] for handle in request.slices]
            self._store("kept", _key(request.prompt, request.slices), given)
            self._store("places", _key(request.prompt, places), given)

    def _rebuild(self) -> None:
        for entry in Journal.open(self._root).entries():
            if entry.primitive == "recurse" and entry.ok:
                try:
                    self.apply(entry.session, entry.args)
                except (UnknownRequest, KeyError, TypeError):  # its question was pruned, or it is of another version
                    continue
        _write(self._top, "ready", "")

    def _given(self, folder: str, name: str) -> Given | None:
        found = self._load(folder, name)
        return None if found is None else Given(found["id"], found["text"])

    def _load(self, folder: str, name: str) -> Any:
        if not is_name(name):
            return None
        try:
            handle = self._folders[folder].open_file(name, os.O_RDONLY)
        except FileNotFoundError:
            return None
        with open(handle, "rb") as stored:
            try:
                return loads(stored.read().decode("ascii"))
            except ValueError:  # the machine lost power before the file reached the disk
                return None

    def _store(self, folder: str, name: str, value: dict[str, Any]) -> None:
        _write(self._folders[folder], name, dumps(value))

    def _close(self) -> None:
        for folder in (*self._folders.values(), self._top):
            folder.close()


def new_batch() -> str:
    """A name for a batch that is asked now; later ones sort behind it."""
    return f"{int(time.time() * 1000):0{_TIME_DIGITS}x}{os.urandom(3).hex()}"


def asked_at(batch: str) -> float:
    """When a batch was asked, in epoch seconds; 0 for what is no name of one."""
    try:
        return int(batch[:_TIME_DIGITS], 16) / 1000
    except ValueError:
        return 0.0


def _key(prompt: str, handles: Sequence[str]) -> str:
    return sha256_hex("\0".join([prompt, *handles]).encode("utf-8", "surrogateescape"))


def _below(folder: StateFolder, name: str) -> StateFolder:
    made = folder.subfolder(name, create=True)
    if made is None:
        raise JournalUnwritable(f"{folder.path}/{name} went away")
    return made


def _write(folder: StateFolder, name: str, text: str) -> None:
    """Replace the file at once: a reader without the lock, or after a crash, sees the old or the new one."""
    draft = f"{name}.new"
    try:
        with open(folder.open_file(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), "wb") as stored:
            stored.write(text.encode("ascii"))
        os.replace(draft, name, src_dir_fd=folder.fd, dst_dir_fd=folder.fd)
    except OSError as error:
        raise JournalUnwritable(f"{folder.path}/{name} cannot be written: {error.strerror}") from error
