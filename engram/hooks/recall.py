"""What a session had worked out, read from its journal and the graph: for the client that has just compacted it."""

from __future__ import annotations

import os

from engram.errors import EngramError
from engram.journal.log import Journal
from engram.render.card import Recap
from engram.store.code import symbols_of_file
from engram.store.graph import Graph
from engram.store.recall import find_findings
from engram.store.session import SessionNotes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from engram.hooks.context import HookContext
    from engram.journal.entry import JournalEntry
    from engram.model import Symbol

MAX_ENTRIES = 4000  # of the journal that are looked at, from its end: 0.1 s; a session makes some hundred
_EDITS = ("Edit", "MultiEdit", "Write", "NotebookEdit")
_READS = ("Read", "read")
_MAX_FILES = 5  # whose symbols are looked up
_MAX_SOURCE = 1 << 20  # bytes of an edited file in which the edit is looked for
_MAX_SYMBOLS = 4000


class Trail:
    """What the entries of one session say; `take` them newest first."""

    def __init__(self) -> None:
        self.edited: dict[str, list[str]] = {}  # path -> the texts that were put in, the last edited file first
        self.read: dict[str, int] = {}
        self.answers: dict[str, str] = {}
        self.failing = ""
        self._succeeded: set[str] = set()

    def take(self, entry: JournalEntry) -> None:
        """Add one entry that is older than those before."""
        if entry.primitive in _EDITS and entry.ok:
            for path in entry.files:
                self.edited.setdefault(path, []).extend(_texts(entry.args))
        elif entry.primitive in _READS and entry.ok:
            for path in entry.files:
                self.read[path] = self.read.get(path, 0) + 1
        elif entry.primitive == "recurse" and entry.ok and entry.args.get("action") == "answer":
            self.answers.setdefault(str(entry.args.get("id")), str(entry.args.get("text", "")))
        elif entry.primitive == "Bash" and not self.failing:
            command = str(entry.args.get("command", "")).strip()
            if entry.ok:
                self._succeeded.add(command)
            elif command and command not in self._succeeded:
                self.failing = command


def recall(context: HookContext) -> Recap:
    """The recap of the context's session; what the server would tell is missing where it cannot be reached."""
    trail = Trail()
    for number, entry in enumerate(Journal.open(context.worktree.root).entries(newest_first=True)):
        if number >= MAX_ENTRIES:
            break
        if entry.session == context.session:
            trail.take(entry)
    told = Recap(
        edited=[(path, "") for path in trail.edited],
        failing=trail.failing,
        answers=[*trail.answers.values()],
        read=sorted(trail.read.items(), key=lambda item: (-item[1], item[0])),
    )
    try:
        notes = SessionNotes(context.connect(), context.keys, context.session)
        tasks, last_map = notes.tasks(), notes.last_map()
        graph = Graph(context.connect(), context.keys.graph)
        learned = find_findings(graph, context.session)
        edited = [(path, _symbols(graph, context.worktree.root, path, trail.edited[path])) for path, _ in told.edited]
    except EngramError:
        return told
    return told.replace(tasks=tasks, last_map=last_map, learned=learned, edited=edited)


def _texts(args: dict[str, Any]) -> list[str]:
    """The texts that an edit has put into its file; none for one that wrote it whole."""
    edits = [args, *(args["edits"] if isinstance(args.get("edits"), list) else [])]
    texts = [edit.get("new_string") for edit in edits if isinstance(edit, dict)]
    return [text for text in texts if isinstance(text, str) and text.strip()]


def _symbols(graph: Graph, root: str, path: str, texts: list[str]) -> str:
    """The qualified names of what the texts stand in now, by place, separated by commas; "" for none."""
    try:
        with open(os.path.join(root, path), "rb") as file:
            source = file.read(_MAX_SOURCE).decode("utf-8", "replace")
    except OSError:
        return ""
    symbols = symbols_of_file(graph, path, limit=_MAX_SYMBOLS)
    names: dict[str, None] = {}
    for text in texts:
        at = source.find(text.strip())
        if at >= 0:
            line = source.count("\n", 0, at) + 1
            around = [symbol for symbol in symbols if symbol.start <= line <= symbol.end]
            if around:
                names[min(around, key=_length).qualname] = None
    return ", ".join(names)


def _length(symbol: Symbol) -> int:
    return symbol.end - symbol.start
