"""Evidence to order: one score per file and per function, each a weighted sum of signals between 0 and 1.

Pure.  Sums of normalised scores beat the fusion of ranks by five points at the first place (measured on 330 issues);
seven to twelve signals were as good as twenty-six.  The weights are round: refits moved single ones by factors.
"""

from __future__ import annotations

from engram.model import RankedFile, Symbol, Value
from engram.orient.evidence import OUTER_KINDS, called_by, evidence_of_files, evidence_of_functions
from engram.orient.signals import Signals
from engram.paths import is_test_path
from engram.store.lexical import SLOT_BITS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from engram.orient.query import Query

# Fitted by benchmarks/localisation.py and rounded; a kind that all fits left at nothing is not here.
FILE_WEIGHTS = {
    "words": 1.0,
    "title": 0.35,
    "inline": 0.5,
    "name": 0.12,
    "string": 0.2,
    "path": 1.0,
    "frame": 0.8,
    "stem": 0.2,
    "commit": 0.3,
    "callee": 0.5,
    "aside": -0.8,
    "package": -0.15,
}
FUNCTION_WEIGHTS = {
    "words": 1.0,
    "inline": 0.15,
    "name": 0.1,
    "string": 0.13,
    "frame": 0.35,
    "callee": 0.28,
    "length": 0.25,
    "outer": -0.8,
    "operator": 0.35,
    "handler": 0.25,
    "private": 0.1,
    "named": 0.15,
    "owner": 0.2,
    "file": 1.05,
}
MAX_FUNCTIONS = 80  # that go on to the second round, where the graph can lift them; and twice as many as are shown
MAX_FILES = 40
MAX_SEEDS = 20  # functions whose callees are looked at
WRAPPER_LINES = 8  # at most so long is a function that only hands on to the one that it calls

NEVER_SHOWN = frozenset(["constant", "variable", "module"])


class Shortlist(Value):
    """What to ask the graph about: documents of functions, numbers of files, and functions whose callees count.

    These seeds come with their scores.
    """

    functions: tuple[int, ...]
    files: tuple[int, ...]
    seeds: dict[int, float]


class Scored(Value):
    """A place with its score and its evidence: kind -> share of the score."""

    place: Symbol
    score: float
    evidence: dict[str, float]


class Ranking(Value):
    """Functions and files, best first."""

    functions: tuple[Scored, ...]
    files: tuple[RankedFile, ...]


def shortlist(signals: Signals, limit: int) -> Shortlist:
    """The candidates worth a look into the graph, for a map of `limit` places."""
    files = _sums(signals.of_files, FILE_WEIGHTS)
    best = max(files.values(), default=1.0)
    functions = _sums(signals.of_functions, FUNCTION_WEIGHTS)
    for doc in functions:
        functions[doc] += FUNCTION_WEIGHTS["file"] * files.get(doc >> SLOT_BITS, 0.0) / best
    top = _top(functions, max(MAX_FUNCTIONS, 3 * limit))
    seeds = {doc: functions[doc] for doc in top[:MAX_SEEDS]}
    return Shortlist(tuple(top), tuple(_top(files, max(MAX_FILES, 2 * limit))), seeds)


def rank(
    query: Query,
    signals: Signals,
    places: Mapping[int, Symbol],
    paths: Mapping[int, str],
    callees: Mapping[int, Sequence[int]],
    seeds: Mapping[int, float],
) -> Ranking:
    """The order of what the graph still knows: `places` by document, `paths` by number, `callees` of `seeds`.

    Ties go by path and line, so equal input gives equal output.  Tests are left out unless the title is about them.
    """
    lifted = called_by(seeds, callees)
    asked_for_tests = asks_for_tests(query)
    files: list[RankedFile] = []
    for number, evidence in evidence_of_files(query, signals, paths, lifted).items():
        score = sum(_weighted(evidence, FILE_WEIGHTS).values())
        if score > 0 and (asked_for_tests or not is_test_path(paths[number])):
            files.append(RankedFile(paths[number], score))
    files.sort(key=lambda file: (-file.score, file.path))
    best = files[0].score if files else 1.0
    shares = {file.path: file.score / best for file in files}
    shown = {doc: place for doc, place in places.items() if place.kind not in NEVER_SHOWN and place.path in shares}
    scored = {
        doc: _scored(shown[doc], evidence)
        for doc, evidence in evidence_of_functions(query, signals, shown, shares, lifted).items()
    }
    _pass_on(scored, callees)
    order = sorted(scored.values(), key=lambda one: (-one.score, one.place.path, one.place.start, one.place.qualname))
    return Ranking(tuple(_without_overloads(order)), tuple(files))


def choose_places(
    ranking: Ranking, modules: Mapping[str, Symbol], current: Collection[str], limit: int
) -> list[Scored]:
    """The first `limit` places in the files `current`, the last of them in the best file if no other is.

    It is that file's best place, or, where it defines nothing, all of it (`modules` by path).  One line for the best
    file put the changed one on one map more of a hundred, and cost no function.
    """
    chosen = [scored for scored in ranking.functions if scored.place.path in current][:limit]
    best = next((file.path for file in ranking.files if file.path in current), "")
    if not best or (chosen and limit < 2) or any(scored.place.path == best for scored in chosen):
        return chosen
    stand_in = next((scored for scored in ranking.functions if scored.place.path == best), None)
    if stand_in is None and best in modules:
        weight = FUNCTION_WEIGHTS["file"]
        stand_in = Scored(modules[best], weight, {"file": weight})
    return [*chosen[: limit - 1], stand_in] if stand_in else chosen


def asks_for_tests(query: Query) -> bool:
    """Whether the title names a test file or a test function."""
    return any(map(is_test_path, query.paths)) and any(term.startswith(b"test") for term in query.title)


def _scored(place: Symbol, evidence: Mapping[str, float]) -> Scored:
    weighted = _weighted(evidence, FUNCTION_WEIGHTS)
    return Scored(place, sum(weighted.values()), weighted)


def _weighted(evidence: Mapping[str, float], weights: Mapping[str, float]) -> dict[str, float]:
    return {kind: weights[kind] * value for kind, value in evidence.items() if kind in weights}


def _without_overloads(order: list[Scored]) -> list[Scored]:
    """One place for each qualified name of a file, where its best stood: the longest, as overloads have no body."""
    longest: dict[tuple[str, str], Scored] = {}
    for scored in order:
        key = (scored.place.path, scored.place.qualname)
        known = longest.get(key)
        if known is None:
            longest[key] = scored
        elif scored.place.end - scored.place.start > known.place.end - known.place.start:
            longest[key] = known.replace(place=scored.place)
    return list(longest.values())


def _pass_on(scored: dict[int, Scored], callees: Mapping[int, Sequence[int]]) -> None:
    """A short function that calls one other hands its place on: the callee stands directly before it."""
    for doc, targets in callees.items():
        wrapper = scored.get(doc)
        if wrapper is None or len(targets) != 1 or targets[0] not in scored:
            continue
        place, callee = wrapper.place, scored[targets[0]]
        thin = OUTER_KINDS.isdisjoint((place.kind, callee.place.kind)) and place.end - place.start < WRAPPER_LINES
        if thin and callee.place.name != place.name and callee.score < wrapper.score:  # equal names: an override
            evidence = {**callee.evidence, "wrapped": wrapper.score - callee.score}
            scored[targets[0]] = Scored(callee.place, wrapper.score + 1e-9, evidence)


def _sums(signals: Mapping[str, Mapping[int, float]], weights: Mapping[str, float]) -> dict[int, float]:
    sums: dict[int, float] = {}
    for kind, scores in signals.items():
        weight = weights.get(kind, 0.0)
        if weight:
            for key, score in scores.items():
                sums[key] = sums.get(key, 0.0) + weight * score
    return sums


def _top(scores: Mapping[int, float], limit: int) -> list[int]:
    """The keys of the highest scores; bare numbers sort five times as fast as what a key function makes of them."""
    if len(scores) > limit:
        least = sorted(scores.values())[-limit]
        scores = {key: score for key, score in scores.items() if score >= least}
    return sorted(scores, key=lambda key: (-scores[key], key))[:limit]
