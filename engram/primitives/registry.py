"""The primitives, each listed once; what runs them is in base.py."""

from __future__ import annotations

from importlib import import_module

from engram.primitives.base import Primitive, Scope, replay

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any


_ROWS = {
    "grep": ("engram.primitives.grep", "search the text of files for a regular expression"),
    "read": ("engram.primitives.read", "read a range of the lines of a file"),
    "ast": ("engram.primitives.syntax", "list the functions, classes, exports or imports of a file"),
    "git": ("engram.primitives.git", "see the log, the blame of a file, or a diff"),
    "recurse": ("engram.primitives.recurse", "ask subagents about slices of the code"),
}


class _Registry:
    """Name -> Primitive; a module is imported when its primitive is asked for, since parsing costs 60 ms to import."""

    def __getitem__(self, name: str) -> Primitive:
        module, summary = _ROWS[name]
        loaded = import_module(module)
        return Primitive(name, summary, loaded.ARGUMENTS, loaded.DATA, loaded.run)

    def __iter__(self) -> Iterator[str]:
        return iter(_ROWS)

    def __contains__(self, name: object) -> bool:
        return name in _ROWS


PRIMITIVES = _Registry()


def _replayer(name: str) -> Callable[[str, dict[str, Any]], object]:
    return lambda root, arguments: replay(PRIMITIVES[name], Scope(root, ""), arguments)


REPLAYABLE: dict[str, Callable[[str, dict[str, Any]], object]] = {
    # what only looks; a recursion request is an act, not a look
    name: _replayer(name)
    for name in ("grep", "read", "ast", "git")
}
"""Primitive -> (root, the arguments as journaled) -> the `result` that the journal hashed; nothing is journaled."""
