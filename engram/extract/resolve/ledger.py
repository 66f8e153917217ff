"""Remembers answers together with what was asked to find them, so that an edit knows whom it concerns."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any


class Ledger:
    """`asked` collects `name<TAB>path` (a name looked up in a file) and `key<TAB>` (an entry of the name index).

    An answer that is taken from memory hands on what was asked when it was found; so what a file asked does not
    depend on which files were resolved before it.
    """

    def __init__(self) -> None:
        self.asked: set[str] = set()
        self._answers: dict[Hashable, tuple[Any, set[str]]] = {}

    def remember[T](self, key: Hashable, find: Callable[..., T], *arguments: Any) -> T:
        """The answer of `find(*arguments)`, found once per key."""
        known = self._answers.get(key)
        if known is not None:
            self.asked |= known[1]
            return known[0]  # type: ignore[no-any-return]
        outer, self.asked = self.asked, set()
        try:
            answer = find(*arguments)
            self._answers[key] = (answer, self.asked)
            outer |= self.asked
        finally:
            self.asked = outer
        return answer

    def collect(self, work: Callable[[], None]) -> set[str]:
        """What `work` asked."""
        outer, self.asked = self.asked, set()
        try:
            work()
            return self.asked
        finally:
            self.asked = outer
