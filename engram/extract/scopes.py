"""Where a byte of the file stands: its line, and the definition it belongs to."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable

from engram.extract.facts import MODULE

_BEYOND = 1 << 62  # past the end of any file


class Scopes:
    """The bodies of a file's definitions as a flat list of boundaries."""

    __slots__ = ("_positions", "_scopes", "_text")

    def __init__(self, text: str, bodies: Iterable[tuple[int, int, int, int]]) -> None:
        """`bodies` are (start, end, scope, scope around it), in bytes; they nest, and an inner scope counts higher."""
        edges = []
        for start, end, scope, parent in bodies:
            if start < end:
                edges.append((start, 1, scope, scope))
                edges.append((end, 0, -scope, parent))
        edges.sort()  # at one byte the inner body closes before the outer, and closes before others open
        self._positions = [-1, *[edge[0] for edge in edges], _BEYOND]
        self._scopes = [MODULE, *[edge[3] for edge in edges]]
        self._text = text

    def at(self, position: int) -> int:
        """The innermost scope whose body holds this byte; MODULE outside of all."""
        return self._scopes[bisect_right(self._positions, position) - 1]

    def walker(self) -> Callable[[int], tuple[int, int]]:
        """A function from byte to (scope, line) for bytes that never decrease: a third of the cost of two look-ups."""
        positions, scopes, count = self._positions, self._scopes, self._text.count
        edge = previous = 0
        line = 1

        def place(position: int) -> tuple[int, int]:
            nonlocal edge, previous, line
            line += count("\n", previous, position)
            previous = position
            while positions[edge + 1] <= position:
                edge += 1
            return scopes[edge], line

        return place
