"""Slices to groups of the size that one request may point to."""

from __future__ import annotations

from engram.primitives.slices import MAX_SLICE_BYTES, Slice

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_SLICES = 16  # what one request may point to, by the design
Group = tuple[Slice, ...]


class Groups:
    """Groups in the order of the slices: at most MAX_SLICES and MAX_SLICE_BYTES each, or one slice each.

    Slices are taken from their source as they are needed; one that came before is passed over.
    """

    def __init__(self, slices: Iterator[Slice], *, each: bool) -> None:
        self._slices = slices
        self._most = 1 if each else MAX_SLICES
        self._seen: set[str] = set()
        self._waiting: list[Group] = []

    @classmethod
    def of_nothing(cls) -> Groups:
        """One group without slices: a question about no place in particular."""
        groups = cls(iter(()), each=True)
        groups._waiting.append(())
        return groups

    def take(self) -> Group | None:
        """The next group; None where there is no more."""
        group: list[Slice] = []
        total = 0
        if self._waiting:
            group = list(self._waiting.pop())
            total = sum(one.size for one in group)
            if len(group) != 1:  # one that was given back, whole; a single slice may be the start of one
                return tuple(group)
        while (one := self._next()) is not None:
            if group and (len(group) == self._most or total + one.size > MAX_SLICE_BYTES):
                self._waiting.append((one,))
                break
            group.append(one)
            total += one.size
        return tuple(group) or None

    def give_back(self, group: Group) -> None:
        """Put a group back: it was not used."""
        self._waiting.append(group)

    def rest(self, limit: int) -> tuple[int, bool]:
        """How many slices are left, and whether that is all: counting ends at `limit`."""
        count = sum(len(group) for group in self._waiting)
        while count < limit:
            if self._next() is None:
                return count, True
            count += 1
        return count, False

    def _next(self) -> Slice | None:
        for one in self._slices:
            if one.handle not in self._seen:
                self._seen.add(one.handle)
                return one
        return None
