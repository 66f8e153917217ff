"""Evidence to order: one score per file and per function, each a weighted sum of signals between 0 and 1.

Pure.  Sums of normalised scores beat the fusion of ranks by five points at the first place (measured on 330 issues);
seven to twelve signals were as good as twenty-six.  The weights are round: refits moved single ones by factors.
"""

from __future__ import annotations

from engram.model import RankedFile, Symbol, Value
from engram.orient.signals import Signals
from engram.paths import is_aside_path, is_test_path, stem_of
from engram.store.lexical import SLOT_BITS
from engram.terms import split_words, terms_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from engram.orient.query import Query

# localisation.md section 2 (forward selection on 291 issues); "text" and "stem" from its leave-group-out check.
FILE_WEIGHTS = {
    "words": 1.0,
    "text": 0.3,
    "title": 0.3,
    "name": 0.42,
    "title name": 0.2,
    "string": 0.2,
    "path": 1.5,
    "frame": 0.35,
    "stem": 0.2,
}
FUNCTION_WEIGHTS = {
    "words": 1.0,
    "title": 0.3,
    "name": 0.15,
    "title name": 0.3,
    "string": 0.5,
    "frame": 0.3,
    "callee": 0.4,
    "length": 0.2,
    "file": 0.84,
}
CLASS_PENALTY = 0.5  # methods are ranked, not the class around them
ASIDE_SHARE = 0.6  # of the score of a file beside the product: docs, examples, setup
MAX_FUNCTIONS = 80  # that go on to the second round, where the graph can lift them; and twice as many as are shown
MAX_FILES = 40
MAX_SEEDS = 20  # functions whose callees are looked at
LONG = 60  # lines; faults lie in long functions more often than in short ones that share as many words
WRAPPER_LINES = 8  # at most so long is a function that only hands on to the one that it calls

_OUTER_KINDS = frozenset(["class", "interface", "enum", "struct", "trait", "record", "impl", "type"])
_NEVER_SHOWN = frozenset(["constant", "variable", "module"])


class Shortlist(Value):
    """What to ask the graph about: documents of functions, numbers of files, functions whose callees count."""

    functions: tuple[int, ...]
    files: tuple[int, ...]
    seeds: tuple[int, ...]


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
    return Shortlist(tuple(top), tuple(_top(files, max(MAX_FILES, 2 * limit))), tuple(top[:MAX_SEEDS]))


def rank(
    query: Query,
    signals: Signals,
    places: Mapping[int, Symbol],
    paths: Mapping[int, str],
    callees: Mapping[int, Sequence[int]],
) -> Ranking:
    """The order of what the graph still knows: `places` by document, `paths` by number, `callees` of seeds by document.

    Ties go by path and line, so equal input gives equal output.  Tests are left out unless the title is about them.
    """
    asked_for_tests = asks_for_tests(query)
    evidence = _evidence(signals.of_files, FILE_WEIGHTS, paths)
    files: list[RankedFile] = []
    for number, path in paths.items():
        score = sum(evidence.get(number, {}).values()) + FILE_WEIGHTS["stem"] * _coverage(path, query.title)
        if is_aside_path(path):
            score *= ASIDE_SHARE
        if score > 0 and (asked_for_tests or not is_test_path(path)):
            files.append(RankedFile(path, score))
    files.sort(key=lambda file: (-file.score, file.path))
    best = files[0].score if files else 1.0
    shares = {file.path: file.score / best for file in files}
    return Ranking(tuple(_rank_functions(signals, places, shares, callees)), tuple(files))


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


def _rank_functions(
    signals: Signals, places: Mapping[int, Symbol], shares: Mapping[str, float], callees: Mapping[int, Sequence[int]]
) -> list[Scored]:
    own = _evidence(signals.of_functions, FUNCTION_WEIGHTS, {**places, **callees})
    called = _called(own, callees)
    scored: dict[int, Scored] = {}
    for doc, place in places.items():
        if place.kind in _NEVER_SHOWN or place.path not in shares:
            continue
        evidence = dict(own.get(doc, {}))
        if called.get(doc):
            evidence["callee"] = FUNCTION_WEIGHTS["callee"] * called[doc]
        evidence["file"] = FUNCTION_WEIGHTS["file"] * shares[place.path]
        evidence["length"] = FUNCTION_WEIGHTS["length"] * min(1.0, (place.end - place.start) / LONG) ** 0.5
        penalty = CLASS_PENALTY if place.kind in _OUTER_KINDS else 0.0
        scored[doc] = Scored(place, sum(evidence.values()) - penalty, evidence)
    _pass_on(scored, places, callees)
    order = sorted(scored.values(), key=lambda one: (-one.score, one.place.path, one.place.start, one.place.qualname))
    return _without_overloads(order)


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


def _called(own: Mapping[int, Mapping[str, float]], callees: Mapping[int, Sequence[int]]) -> dict[int, float]:
    """Function -> the best of its callers' scores, each over the root of how many it calls; the best caller has 1."""
    scores = {seed: sum(own.get(seed, {}).values()) for seed in callees}
    best = max(scores.values(), default=0.0) or 1.0
    reached: dict[int, float] = {}
    for seed, targets in callees.items():
        score = scores[seed] / best / (len(targets) or 1) ** 0.5
        for target in targets:
            reached[target] = max(score, reached.get(target, 0.0))
    return reached


def _pass_on(scored: dict[int, Scored], places: Mapping[int, Symbol], callees: Mapping[int, Sequence[int]]) -> None:
    """A short function that calls one other hands its place on: the callee stands directly before it."""
    for doc, targets in callees.items():
        wrapper = scored.get(doc)
        if wrapper is None or len(targets) != 1 or targets[0] not in scored:
            continue
        place, callee = places[doc], scored[targets[0]]
        thin = _OUTER_KINDS.isdisjoint((place.kind, callee.place.kind)) and place.end - place.start < WRAPPER_LINES
        if thin and callee.place.name != place.name and callee.score < wrapper.score:  # equal names: an override
            evidence = {**callee.evidence, "wrapped": wrapper.score - callee.score}
            scored[targets[0]] = Scored(callee.place, wrapper.score + 1e-9, evidence)


def _sums(signals: Mapping[str, Mapping[int, float]], weights: Mapping[str, float]) -> dict[int, float]:
    sums: dict[int, float] = {}
    for kind, scores in signals.items():
        weight = weights[kind]
        for key, score in scores.items():
            sums[key] = sums.get(key, 0.0) + weight * score
    return sums


def _evidence(
    signals: Mapping[str, Mapping[int, float]], weights: Mapping[str, float], wanted: Iterable[int]
) -> dict[int, dict[str, float]]:
    """What speaks for those that are wanted: a text of many words finds something in half of all documents."""
    evidence: dict[int, dict[str, float]] = {}
    for key in wanted:
        found = {kind: weights[kind] * scores[key] for kind, scores in signals.items() if key in scores}
        if found:
            evidence[key] = found
    return evidence


def _top(scores: Mapping[int, float], limit: int) -> list[int]:
    """The keys of the highest scores; bare numbers sort five times as fast as what a key function makes of them."""
    if len(scores) > limit:
        least = sorted(scores.values())[-limit]
        scores = {key: score for key, score in scores.items() if score >= least}
    return sorted(scores, key=lambda key: (-scores[key], key))[:limit]


def _coverage(path: str, title: frozenset[bytes]) -> float:
    """Which part of the words of the file's stem the title has."""
    words = {term for word in split_words(stem_of(path).encode("utf-8", "replace")) for term in terms_of(word)}
    return len(words & title) / len(words) if words else 0.0
