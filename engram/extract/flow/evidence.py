"""What call sites pass to parameters, weighed."""

from __future__ import annotations

from typing import NamedTuple

from engram.extract.resolve.values import CLASS, DECLARED, INSTANCE, NULL, OUTSIDE, Value, Values

Parameter = tuple[str, int, int]  # path, definition of the function, position

# A value that fewer of the sites pass is a special case; of the edges that such values gave on networkx, a third were
# never observed, of all others one in twelve.
MIN_SHARE = 0.1
MAX_CLEAR = 2  # a site that may pass more than so many things says little about each


class Evidence(NamedTuple):
    """Parameter -> what is passed: `strong` is good for facts, `all` holds the weak values too."""

    strong: dict[Parameter, Values]
    all: dict[Parameter, Values]


NO_EVIDENCE = Evidence({}, {})


class Tally:
    """Counts what sites pass."""

    def __init__(self) -> None:
        self._sites: dict[Parameter, int] = {}
        self._clear: dict[Parameter, dict[Value, int]] = {}
        self._vague: dict[Parameter, dict[Value, int]] = {}

    def add(self, parameter: Parameter, values: Values) -> None:
        """One site passes one of the values."""
        made = {(value.path, value.at) for value in values if value.kind in (INSTANCE, DECLARED)}
        # Where a class or an instance of it may be passed, the function makes an instance of the class first.
        known = [
            v for v in values if v.kind not in (OUTSIDE, NULL) and not (v.kind == CLASS and (v.path, v.at) in made)
        ]
        self._sites[parameter] = self._sites.get(parameter, 0) + 1
        counts = (self._clear if len(known) <= MAX_CLEAR else self._vague).setdefault(parameter, {})
        for value in known:
            counts[value] = counts.get(value, 0) + 1

    def weigh(self) -> Evidence:
        """The evidence, most frequent first."""
        strong, everything = {}, {}
        for parameter in sorted(self._sites):
            clear, vague = self._clear.get(parameter, {}), self._vague.get(parameter, {})
            least = MIN_SHARE * self._sites[parameter]
            good = _by_count({value: count for value, count in clear.items() if count >= least})
            if good:
                strong[parameter] = good
            both = {**vague, **clear}
            if both:
                everything[parameter] = tuple(dict.fromkeys([*good, *_by_count(both)]))
        return Evidence(strong, everything)


def _by_count(counts: dict[Value, int]) -> Values:
    """Most frequent first.  A class that is passed exactly says which subclasses are meant: no others are assumed."""
    exact = any(value.kind == INSTANCE for value in counts)
    ordered = sorted(counts, key=lambda value: (-counts[value], value))
    if not exact:
        return tuple(ordered)
    settled = [Value(INSTANCE, v.path, v.at) if v.kind == DECLARED else v for v in ordered]
    return tuple(dict.fromkeys(settled))
