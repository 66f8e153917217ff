"""Where a byte of the file stands: its line, and the definition it belongs to."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable

from engram.extract.facts import MODULE

_BEYOND = 1 << 62  # past the end of any file


class Scopes:
    """The bodies of a file's definitions as a flat list of boundaries."""

    __slots__ = ("_positions", "_scopes", "_text")

    def __init__(self, text: str, bodies: Iterable[tuple[int, int, int]]) -> None:
        """`bodies` are (start, end, scope), in bytes; they nest."""
        self._text = text
        positions, scopes = [-1], [MODULE]
        ends, around = [_BEYOND], [MODULE]
        for start, negated_end, scope in sorted([(start, -end, scope) for start, end, scope in bodies]):
            while ends[-1] <= start:
                positions.append(ends.pop())
                around.pop()
                scopes.append(around[-1])
            ends.append(-negated_end)
            around.append(scope)
            positions.append(start)
            scopes.append(scope)
        while len(ends) > 1:
            positions.append(ends.pop())
            around.pop()
            scopes.append(around[-1])
        positions.append(_BEYOND)
        self._positions = positions  # of equal positions the last one counts, for bisection and walker alike
        self._scopes = scopes

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
