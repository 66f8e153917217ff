"""All evidence for a file and for a function, each kind a number between 0 and 1 (under 0 for none), before any weight.

Pure.  The kinds of signals.py, and what only a path, a name, a length or the graph tells.
"""

from __future__ import annotations

from engram.paths import is_aside_path, stem_of
from engram.store.lexical import SLOT_BITS
from engram.terms import split_words, terms_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from engram.model import Symbol
    from engram.orient.query import Query
    from engram.orient.signals import Signals

    type Evidence = dict[str, float]

LONG = 60  # lines; faults lie in long functions more often than in short ones that share as many words
BARE = 0.5  # of a name that differs from the written one by case or underscores
OUTER_KINDS = frozenset(["class", "interface", "enum", "struct", "trait", "record", "impl", "type"])


def evidence_of_files(
    query: Query, signals: Signals, paths: Mapping[int, str], lifted: Mapping[int, float]
) -> dict[int, Evidence]:
    """File number -> its evidence; `lifted` are the functions that likely ones call, from `called_by`."""
    called: dict[int, float] = {}
    for doc, score in lifted.items():
        number = doc >> SLOT_BITS
        called[number] = max(score, called.get(number, 0.0))
    found: dict[int, Evidence] = {}
    for number, path in paths.items():
        evidence = _of(signals.of_files, number)
        evidence["stem"] = coverage(stem_of(path), query.title)
        evidence["callee"] = called.get(number, 0.0)
        evidence["aside"] = float(is_aside_path(path))
        evidence["package"] = float(path.endswith("__init__.py"))
        found[number] = {kind: value for kind, value in evidence.items() if value}
    return found


def evidence_of_functions(
    query: Query,
    signals: Signals,
    places: Mapping[int, Symbol],
    shares: Mapping[str, float],
    lifted: Mapping[int, float],
) -> dict[int, Evidence]:
    """Document -> its evidence; `shares` are the scores of files by path, the best one's 1."""
    written = {mention.name: mention.weight for mention in query.names}
    bare = {_bare(mention.name): mention.weight for mention in reversed(query.names)}
    found: dict[int, Evidence] = {}
    for doc, place in places.items():
        evidence = _of(signals.of_functions, doc)
        owner, _, name = place.qualname.rpartition(".")
        owner = owner.rpartition(".")[2]
        evidence["callee"] = lifted.get(doc, 0.0)
        evidence["file"] = shares.get(place.path, 0.0)
        evidence["length"] = min(1.0, (place.end - place.start) / LONG) ** 0.5
        evidence["outer"] = float(place.kind in OUTER_KINDS)
        evidence["handler"] = max(
            _handled(name, written), 0.0 if name in written else BARE * bare.get(_bare(name), 0.0)
        )
        evidence["private"] = float(name.startswith("_") and not name.startswith("__"))
        evidence["operator"] = float(name in query.operators)
        evidence["named"] = (coverage(name, query.terms) + coverage(name, query.title)) / 2
        evidence["owner"] = (coverage(owner, query.terms) + coverage(owner, query.title)) / 2
        found[doc] = {kind: value for kind, value in evidence.items() if value}
    return found


def _bare(name: str) -> str:
    """The name without what says who may call it."""
    return name.strip("_").lower()


def _handled(name: str, written: Mapping[str, float]) -> float:
    """The weight of the written name that a method is there for, as `visit_Name` is for `Name`."""
    rest, _, last = name.rpartition("_")
    return written.get(last, 0.0) if rest and len(last) > 2 else 0.0


def called_by(seeds: Mapping[int, float], callees: Mapping[int, Sequence[int]]) -> dict[int, float]:
    """Function -> the best of its callers' scores, each over the root of how many it calls; the best caller has 1."""
    best = max(seeds.values(), default=0.0)
    reached: dict[int, float] = {}
    for seed, targets in callees.items():
        score = seeds.get(seed, 0.0) / best / (len(targets) or 1) ** 0.5 if best > 0 else 0.0
        for target in targets:
            reached[target] = max(score, reached.get(target, 0.0))
    return reached


def coverage(name: str, terms: Collection[bytes]) -> float:
    """Which part of the words of a name are among `terms`; 0 for a name without words."""
    words = {term for word in split_words(name.encode("utf-8", "replace")) for term in terms_of(word)}
    return len([word for word in words if word in terms]) / len(words) if words else 0.0


def _of(signals: Mapping[str, Mapping[int, float]], key: int) -> Evidence:
    return {kind: scores[key] for kind, scores in signals.items() if key in scores}
