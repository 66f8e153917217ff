"""What an expression may stand for: classes, instances, functions, modules, containers, or something outside."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

CLASS, INSTANCE, DECLARED, FUNCTION = "class", "instance", "declared", "function"
MODULE, SUPER, CONTAINER, CALLABLE, OUTSIDE = "module", "super", "container", "callable", "outside"
NULL = "null"  # a parameter that is known to be None in the call at hand
VARIABLE, PARAMETER = "variable", "parameter"  # a name that stands for a value, not yet evaluated

MAX_VALUES = 12  # more classes at one place than this are kin of one family, and add nothing but cost


class Value(NamedTuple):
    """One possibility.

    `path` and `at` say which definition (of the class for an instance).  INSTANCE was seen constructed, so it is
    exactly that class; DECLARED (annotations, `self`) may be a subclass.  `inner` is what a container holds, or the
    receiver a method was taken from, or what a CALLABLE returns.  A MODULE has a dotted `name` where one was written,
    and a path unless it is a bare folder.  A VARIABLE's `at` is that of its binding; a PARAMETER's that of its
    function, with its position as the name.
    """

    kind: str
    path: str = ""
    at: int = -1
    inner: tuple[Value, ...] = ()
    name: str = ""


Values = tuple[Value, ...]
NOTHING: Values = ()
EXTERNAL: Values = (Value(OUTSIDE),)  # known to be of no repository class


def union(groups: Iterable[Values]) -> Values:
    """All values of the groups, each once, in a stable order; None and what is outside only where nothing else is."""
    found: dict[Value, None] = {}
    for group in groups:
        for value in group:
            found[value] = None
    if len(found) > 1:
        inside = [value for value in found if value.kind not in (OUTSIDE, NULL)]
        return tuple(inside[:MAX_VALUES] or found)
    return tuple(found)


class Context(NamedTuple):
    """The call for which a function's body is read: what `self` is in it, and what its parameters are.

    `arguments` are by position, None where the call passes nothing that is known; they count for `function` alone
    (path and definition), and only where it is set.
    """

    receiver: Values = NOTHING
    function: tuple[str, int] = ("", -1)
    arguments: tuple[Values | None, ...] = ()


ANY_CALL = Context()
