"""How much one answer may say, and the cutting of a list of whole items to that much."""

from __future__ import annotations

from engram.model import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

MAX_BYTES = 64 * 1024
# One answer of a primitive, its envelope included: some 16,000 tokens, above which a client shows a preview only.
MIN_BYTES = 1024
# Room for an envelope and the explanation of an error; less could not even say what was left out.


class Budget(Value):
    """The bytes that one printed answer may have, as UTF-8."""

    max_bytes: int = MAX_BYTES


def count_fitting(sizes: Sequence[int], fixed: Callable[[int], int], budget: Budget) -> int | None:
    """How many of the items of `sizes` (bytes each) fit from the first on; None if not even none of them does.

    `fixed(n)` is the size of everything around the first n items, which may grow as more is left out.
    """
    total, count = 0, 0
    for size in sizes:
        if total + size > budget.max_bytes:
            break
        total += size
        count += 1
    while total + fixed(count) > budget.max_bytes:
        if not count:
            return None
        count -= 1
        total -= sizes[count]
    return count
