"""Values that more than one layer speaks of, and `Value`, the base of all of them.

Lines are 1-based and inclusive everywhere; columns are 1-based and count characters.  Paths are relative to
the root of the checkout, with `/` between their parts.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Self, dataclass_transform
else:

    def dataclass_transform(**_options):
        return lambda made: made


@dataclass_transform(frozen_default=True)
class _Record(type):
    def __new__(mcs, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> type:
        own = tuple(namespace.get("__annotations__", {}))
        inherited = next((base.fields for base in bases if isinstance(base, _Record)), ())
        defaults = {field: namespace.pop(field) for field in own if field in namespace}
        made = super().__new__(mcs, name, bases, {**namespace, "__slots__": own})
        made.fields = inherited + own
        made.defaults = {**getattr(bases[0] if bases else None, "defaults", {}), **defaults}
        return made

    fields: tuple[str, ...]
    defaults: dict[str, Any]


class Value(metaclass=_Record):
    """A frozen record: its annotations are its fields, in order, with class attributes as their defaults.

    Stands where `dataclass(frozen=True, slots=True)` would: importing dataclasses costs a hook twice the time
    in which bare Python starts (measured with `python -I -S`: 8 ms bare, 21 ms more for dataclasses).
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        cls = type(self)
        if len(args) > len(cls.fields):
            raise TypeError(f"{cls.__name__} takes {len(cls.fields)} values, got {len(args)}")
        given = dict(zip(cls.fields, args, strict=False))
        for field in kwargs:
            if field in given or field not in cls.fields:
                raise TypeError(f"{cls.__name__}: unexpected field {field!r}")
        given = {**cls.defaults, **given, **kwargs}
        for field in cls.fields:
            if field not in given:
                raise TypeError(f"{cls.__name__}: missing field {field!r}")
            object.__setattr__(self, field, given[field])

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen")

    def astuple(self) -> tuple[Any, ...]:
        """The values of the fields, in their order."""
        return tuple([getattr(self, field) for field in type(self).fields])

    def asdict(self) -> dict[str, Any]:
        """Field name to value, one level deep."""
        return {field: getattr(self, field) for field in type(self).fields}

    def replace(self, **changes: Any) -> Self:
        """A copy in which the named fields have other values."""
        return type(self)(**{**self.asdict(), **changes})

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self.astuple() == other.astuple()

    def __hash__(self) -> int:
        return hash((type(self).__name__, self.astuple()))

    def __repr__(self) -> str:
        inner = ", ".join([f"{field}={getattr(self, field)!r}" for field in type(self).fields])
        return f"{type(self).__name__}({inner})"


class Symbol(Value):
    """A named thing in the code, as the graph holds it; `id` is `path#qualname`, a repeated one ends in `~2`."""

    id: str
    name: str
    qualname: str
    kind: str
    path: str
    start: int
    end: int
    signature: str = ""
    exported: bool = False


class Call(Value):
    """One call edge: `line` is where the caller writes it; `confidence` of 0.8 and more is shown as a fact."""

    caller: Symbol
    callee: Symbol
    line: int
    confidence: float


class Location(Value):
    """A place to look at; `score` is comparable within one map only, `why` names the evidence."""

    file: str
    start: int
    end: int
    qualname: str
    kind: str
    score: float
    why: tuple[str, ...] = ()


class RankedFile(Value):
    """A file with its score in one map."""

    path: str
    score: float


class Map(Value):
    """The answer to "where should I look?": best first; `indexed_at` in epoch seconds, `stale` paths are left out."""

    confidence: str
    locations: tuple[Location, ...]
    files: tuple[RankedFile, ...]
    tests: tuple[str, ...]
    indexed_at: float
    stale: tuple[str, ...] = ()
