"""Which test files to run for the places of a map: by what they call, what they import, and how they are named.

Pure; engram/orient/map.py asks the graph.
"""

from __future__ import annotations

from engram.paths import is_test_path, stem_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from engram.model import Symbol

MAX_TESTS = 3
CALLS, IMPORTS, NAMED = 2.0, 1.0, 2.0  # a test that calls the place, imports its file, bears its name
FURTHER_PLACE = 0.5  # the weight of each next place beside the one before it
_PATTERNS = ("test_{}", "{}_test", "{}.test", "{}.spec", "test-{}", "{}Test", "{}_tests", "test_{}s")


def test_names(places: Sequence[Symbol]) -> list[str]:
    """The stems that test files of these places would have, the first place's first."""
    names: dict[str, None] = {}
    for place in places:
        for subject in (stem_of(place.path), place.qualname.partition(".")[0]):
            for name in (subject, subject.lower(), subject.lstrip("_")):
                for pattern in _PATTERNS if len(name) > 1 else ():
                    names[pattern.format(name)] = None
    return [*names]


def choose_tests(
    places: Sequence[Symbol],
    docs: Mapping[int, Symbol],
    callers: Iterable[tuple[str, int]],
    importers: Iterable[tuple[str, str]],
    named: Iterable[str],
) -> tuple[str, ...]:
    """At most MAX_TESTS paths, the most telling first.

    `callers` are (path, document called), `importers` (path, path imported), `named` files with one of `test_names`.
    """
    weights: dict[str, float] = {}
    for at, place in enumerate(places):
        weights.setdefault(place.path, FURTHER_PLACE**at)
    scores: dict[str, float] = {}

    def add(path: str, score: float) -> None:
        if is_test_path(path):
            scores[path] = scores.get(path, 0.0) + score

    for path, doc in callers:
        add(path, CALLS * weights.get(docs[doc].path, 0.0) if doc in docs else 0.0)
    for path, imported in importers:
        add(path, IMPORTS * weights.get(imported, 0.0))
    stems = {name: at for at, name in reversed([*enumerate(test_names(places))])}
    for path in named:
        add(
            path,
            NAMED * FURTHER_PLACE ** (stems.get(stem_of(path), 0) / (6 * len(_PATTERNS))) + _nearness(path, places),
        )
    return tuple(
        sorted([path for path in scores if scores[path] > 0], key=lambda path: (-scores[path], path))[:MAX_TESTS]
    )


def _nearness(path: str, places: Sequence[Symbol]) -> float:
    """How many folders the test shares with the first place, as a fraction: names repeat across packages."""
    mine, its = set(path.split("/")[:-1]), places[0].path.split("/")[:-1] if places else []
    return len(mine.intersection(its)) / (1 + len(its))
