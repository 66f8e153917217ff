"""Which definition a byte of the file belongs to."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable

from engram.extract.facts import MODULE


class Scopes:
    """The bodies of a file's definitions as a flat list of boundaries, for one bisection per question."""

    __slots__ = ("_positions", "_scopes")

    def __init__(self, bodies: Iterable[tuple[int, int, int, int]]) -> None:
        """`bodies` are (start, end, scope, scope around it), in bytes; they nest, and an inner scope counts higher."""
        edges = []
        for start, end, scope, parent in bodies:
            if start < end:
                edges.append((start, 1, scope, scope))
                edges.append((end, 0, -scope, parent))
        edges.sort()  # at one byte the inner body closes before the outer, and closes before others open
        self._positions = [-1, *[edge[0] for edge in edges]]
        self._scopes = [MODULE, *[edge[3] for edge in edges]]

    def at(self, position: int) -> int:
        """The innermost scope whose body holds this byte; MODULE outside of all."""
        return self._scopes[bisect_right(self._positions, position) - 1]
