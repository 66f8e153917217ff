"""Remembers answers together with what was asked to find them, so that an edit knows whom it concerns."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

_UNKNOWN = object()


class Ledger:
    """`asked` collects `name<TAB>path` (a name looked up in a file) and `key<TAB>` (an entry of the name index).

    Answers about other files are kept with what was asked when they were found and hand that on whenever they are used:
    so what a file asks does not depend on which files were resolved before it.  Answers about the file that is being
    resolved are forgotten with it, and need no such list: what they asked, the file asked.
    """

    def __init__(self) -> None:
        self.asked: set[str] = set()
        self._root = ""
        self._apart = False  # inside of an answer about another file
        self._own: dict[Hashable, Any] = {}
        self._shared: dict[Hashable, tuple[Any, tuple[str, ...]]] = {}

    def begin(self, path: str) -> None:
        """From here on, `path` is the file being resolved, and nothing was asked yet."""
        self._root, self._own, self.asked = path, {}, set()

    def forget(self) -> None:
        """Drop all answers."""
        self._own, self._shared, self.asked = {}, {}, set()

    def remember[T](self, path: str, key: Hashable, find: Callable[..., T], *arguments: Any) -> T:
        """The answer of `find(*arguments)`, which is about the file at `path`; found once per key."""
        if not self._apart:
            answer: T = self._own.get(key, _UNKNOWN)
            if answer is not _UNKNOWN:
                return answer
            answer = find(*arguments) if path == self._root else self._from_elsewhere(key, find, arguments)
            self._own[key] = answer
            return answer
        return self._from_elsewhere(key, find, arguments)  # type: ignore[no-any-return]

    def set_apart[T](self, find: Callable[..., T], *arguments: Any) -> tuple[T, set[str]]:
        """The answer of `find(*arguments)` and what was asked for it, none of which counts for the file."""
        outer, was_apart = self.asked, self._apart
        self.asked, self._apart = set(), True
        try:
            return find(*arguments), self.asked
        finally:
            self.asked, self._apart = outer, was_apart

    def _from_elsewhere(self, key: Hashable, find: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
        known = self._shared.get(key)
        if known is None:
            answer, asked = self.set_apart(find, *arguments)
            known = self._shared[key] = answer, tuple(asked)  # a set takes four times the memory
        self.asked.update(known[1])
        return known[0]
