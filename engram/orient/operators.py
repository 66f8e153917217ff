"""The methods that run where code has no call of them: Python's operators and built-in functions.

docs.python.org/3/reference/datamodel.html names them.  A fault in `a + b` lies in some `__add__`, which no text names.
"""

from __future__ import annotations

from engram.terms import split_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

# What has other uses, too (a minus in a name, an angle in a tag), counts only between spaces.
_OPERATORS = {
    "+": "__add__",
    " - ": "__sub__",
    "*": "__mul__",
    "**": "__pow__",
    " / ": "__truediv__",
    "//": "__floordiv__",
    "%": "__mod__",
    "@": "__matmul__",
    "==": "__eq__",
    "!=": "__ne__",
    "<=": "__le__",
    ">=": "__ge__",
    " < ": "__lt__",
    " > ": "__gt__",
    "&": "__and__",
    " | ": "__or__",
    "^": "__xor__",
    "~": "__invert__",
    "[": "__getitem__",
    " in ": "__contains__",
    "with ": "__enter__",
}
_FUNCTIONS = {
    "abs": "__abs__",
    "bool": "__bool__",
    "complex": "__complex__",
    "copy": "__copy__",
    "deepcopy": "__deepcopy__",
    "float": "__float__",
    "format": "__format__",
    "getattr": "__getattr__",
    "hasattr": "__getattr__",
    "hash": "__hash__",
    "int": "__int__",
    "isinstance": "__instancecheck__",
    "iter": "__iter__",
    "len": "__len__",
    "next": "__next__",
    "print": "__str__",
    "repr": "__repr__",
    "reversed": "__reversed__",
    "round": "__round__",
    "setattr": "__setattr__",
    "str": "__str__",
    "sum": "__add__",
}
_LONGEST = 16  # characters before a parenthesis that are looked at: more than any of these names has


def methods_behind(code: Iterable[str]) -> frozenset[str]:
    """The names of the methods that the operators and built-in functions in these lines call."""
    found: set[str] = set()
    for line in code:
        found.update([method for mark, method in _OPERATORS.items() if mark in line])
        for before in line.split("(")[:-1]:
            words = split_words(before[-_LONGEST:].encode("utf-8", "replace"))
            if words and before[-1].isidentifier():
                found.add(_FUNCTIONS.get(words[-1].decode("utf-8", "replace"), ""))
    found.discard("")
    return frozenset(found)
