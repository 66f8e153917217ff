"""Journal entries folded into what they say of sessions and files.  Pure; the journal is the source of all activity."""

from __future__ import annotations

import os
from datetime import datetime

from engram.activity.claims import CLIENT
from engram.model import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from engram.journal.entry import JournalEntry

READ, EDITED = "READ", "EDITED"
TERMINAL = "terminal"  # the agent of sessions outside of a client: a person, or a script
# The client's tools and the primitives, by what they do to the file that they name.
TOUCHES = {
    "Read": READ,
    "read": READ,
    "Edit": EDITED,
    "MultiEdit": EDITED,
    "Write": EDITED,
    "NotebookEdit": EDITED,
}
SWEEPS = ("Bash",)  # may have changed any file


class Touch(Value):
    """How often one session read or edited one file, and when last (epoch milliseconds)."""

    session: str
    path: str
    kind: str
    count: int
    at: int


class Stint(Value):
    """One agent at work in one session, from the first to the last entry (epoch milliseconds)."""

    agent: str
    session: str
    began: int
    at: int


class Folded(Value):
    """What a run of entries says.

    `edited` are the paths that tools changed, sorted; with `swept`, others may have changed as well.  `last` is the
    number of the last entry.
    """

    stints: tuple[Stint, ...]
    touches: tuple[Touch, ...]
    edited: tuple[str, ...]
    swept: bool
    last: int


def fold(entries: Iterable[JournalEntry], root: str) -> Folded:
    """The entries of the checkout at `root`, in any order, as sessions and touches, sorted by their names."""
    stints: dict[tuple[str, str], tuple[int, int]] = {}
    touches: dict[tuple[str, str, str], tuple[int, int]] = {}
    swept, last = False, 0
    for entry in entries:
        at = milliseconds(entry.at)
        last = max(last, entry.seq)
        swept = swept or entry.primitive in SWEEPS
        for agent in _agents(entry):
            began, ended = stints.get((agent, entry.session), (at, at))
            stints[agent, entry.session] = (min(began, at), max(ended, at))
        kind = TOUCHES.get(entry.primitive, "") if entry.ok else ""
        for path in _paths(entry, root) if kind else ():
            count, before = touches.get((entry.session, path, kind), (0, at))
            touches[entry.session, path, kind] = (count + 1, max(before, at))
    return Folded(
        tuple([Stint(*key, *stints[key]) for key in sorted(stints)]),
        tuple([Touch(*key, *touches[key]) for key in sorted(touches)]),
        tuple(sorted({path for _, path, kind in touches if kind == EDITED})),
        swept,
        last,
    )


def milliseconds(at: str) -> int:
    """The time of an entry as epoch milliseconds."""
    return round(datetime.fromisoformat(at).timestamp() * 1000)


def _agents(entry: JournalEntry) -> list[str]:
    """The client or terminal, and the kind of subagent where one was at work."""
    own = TERMINAL if entry.session.startswith("term-") else CLIENT
    kind = (entry.agent or "").partition("/")[0]
    return [own, kind] if kind else [own]


def _paths(entry: JournalEntry, root: str) -> list[str]:
    """The files of the checkout that the entry tells of."""
    if entry.files:
        return sorted(entry.files)
    named = entry.args.get("file_path") or entry.args.get("notebook_path")
    if not isinstance(named, str):
        return []
    path = os.path.relpath(os.path.join(root, named), root)
    return [] if path.startswith("..") else [path]
