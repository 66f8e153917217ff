"""Where should I look?  The map of a text: read the index, rank, check what is shown, cut.

Five round trips to the server (six where a test bears the name of a place), no other import than these: a hook comes
here without the engine.
"""

from __future__ import annotations

import os

from engram import __version__
from engram.errors import NotIndexed, SchemaMismatch
from engram.model import Location, Map, Symbol
from engram.orient.candidates import Candidates, find_candidates
from engram.orient.confidence import confidence_of
from engram.orient.rank import Ranking, Scored, choose_places, rank
from engram.orient.tests import choose_tests, test_names
from engram.orient.why import explain
from engram.store.graph import Graph
from engram.store.lexical import SLOT_BITS, read_postings
from engram.store.places import Bearings, find_bearings, find_paths
from engram.store.schema import SCHEMA_VERSION
from engram.store.state import read_state
from engram.terms import WORDS_VERSION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from engram.store.schema import Keys
    from engram.store.wire import Connection

DEFAULT_LIMIT = 6  # places and files: with the head and the tests that makes the eight lines of a map
MAX_LIMIT = 50
CHECKED = 3  # times the limit: so many files are checked, so that stale ones leave no gap


def find_map(connection: Connection, keys: Keys, root: str, text: str, *, limit: int = DEFAULT_LIMIT) -> Map:
    """The places of the repository at `root` that `text` is about; none, at low confidence, where nothing fits.

    A file that changed since it was indexed is not shown: its lines may be wrong; `stale` names it.
    Raises NotIndexed where no index is, StoreError where the server fails.
    """
    state = read_state(connection, keys)
    if state is None:
        raise NotIndexed("this checkout is not indexed yet", "run: engram index")
    if not _is_readable(state.version):
        raise SchemaMismatch("the index was written by another version of engram", "run: engram index")
    found = find_candidates(connection, keys, root, text, limit)
    ranking = rank(found.query, found.signals, found.places, found.paths, found.callees, found.seeds)
    confidence = confidence_of([file.score for file in ranking.files], found.signals, len(found.query.terms))
    return _cut(Graph(connection, keys.graph), keys, root, found, ranking, confidence, limit, state.indexed_at / 1000)


def _cut(
    graph: Graph,
    keys: Keys,
    root: str,
    found: Candidates,
    ranking: Ranking,
    confidence: str,
    limit: int,
    indexed_at: float,
) -> Map:
    """The best of the ranking whose files are as they were indexed, with the tests of its first places."""
    docs = {place: doc for doc, place in found.places.items()}
    first = [scored.place for scored in ranking.functions[:limit]]
    wanted = [scored.place.path for scored in ranking.functions[: CHECKED * limit]]
    wanted = [*dict.fromkeys(wanted + [file.path for file in ranking.files[: CHECKED * limit]])]
    bearings = find_bearings(graph, wanted, [docs[place] for place in first])
    stale = {path for path in wanted if not is_current(root, path, bearings)}
    locations = choose_places(ranking, found.modules, {*wanted} - stale, limit)
    return Map(
        confidence=confidence,
        locations=tuple([_location(scored) for scored in locations]),
        files=tuple([file for file in ranking.files if file.path not in stale][:limit]),
        tests=_tests(graph, keys, first, docs, bearings),
        indexed_at=indexed_at,
        stale=tuple(sorted(stale)),
    )


def _is_readable(version: str) -> bool:
    """Whether graph and words are of this version; that of the facts, between theirs, does not matter here."""
    return version.startswith(f"{__version__}/{SCHEMA_VERSION}.") and version.endswith(f".{WORDS_VERSION}")


def is_current(root: str, path: str, bearings: Bearings) -> bool:
    """Whether the file has the size and the time of change that it had when it was indexed."""
    try:
        found = os.stat(os.path.join(root, path))
    except (OSError, ValueError):
        return False
    return bearings.states.get(path) == (found.st_size, found.st_mtime_ns)


def _location(scored: Scored) -> Location:
    place = scored.place
    return Location(place.path, place.start, place.end, place.qualname, place.kind, scored.score, explain(scored))


def _tests(
    graph: Graph, keys: Keys, places: list[Symbol], docs: dict[Symbol, int], bearings: Bearings
) -> tuple[str, ...]:
    fields = [b"/" + name.encode("utf-8", "replace") for name in test_names(places)]
    numbers: set[int] = set()
    if fields:
        postings = read_postings(graph.connection, keys.lexical, fields)
        numbers = {doc >> SLOT_BITS for field in fields for doc in postings.bearers(field)}
    named = find_paths(graph, sorted(numbers)[:MAX_LIMIT])
    by_doc = {docs[place]: place for place in places}
    return choose_tests(places, by_doc, bearings.callers, bearings.importers, named)
