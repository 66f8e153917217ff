"""Where should I look?  The map of a text: read the index, rank, check what is shown, cut.

Five round trips to the server (six where a test bears the name of a place), no other import than these: a hook comes
here without the engine.
"""

from __future__ import annotations

import os

from engram import __version__
from engram.errors import NotIndexed, SchemaMismatch
from engram.model import Location, Map, Symbol
from engram.orient.commits import similar_commits, touched_files
from engram.orient.query import parse_query
from engram.orient.rank import Ranking, Scored, choose_places, rank, shortlist
from engram.orient.signals import fields_of, read_signals
from engram.orient.tests import choose_tests, test_names
from engram.orient.why import explain
from engram.store.graph import Graph
from engram.store.lexical import SLOT_BITS, read_postings
from engram.store.messages import name_commits, read_messages
from engram.store.places import Bearings, find_bearings, find_paths, find_surroundings
from engram.store.schema import SCHEMA_VERSION
from engram.store.state import read_state
from engram.terms import WORDS_VERSION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from engram.orient.query import Query
    from engram.store.schema import Keys
    from engram.store.wire import Connection

DEFAULT_LIMIT = 6  # places and files: with the head and the tests that makes the eight lines of a map
MAX_LIMIT = 50
CHECKED = 3  # times the limit: so many files are checked, so that stale ones leave no gap
HIGH, MEDIUM = 0.30, 0.10  # margins: of unseen issues 95 % and 81 % had a gold file in three, of those below 62 %
FIT = 0.22  # below it stand 5 % of issues of their own repository and two thirds of those of others (90 of each)


def find_map(connection: Connection, keys: Keys, root: str, text: str, *, limit: int = DEFAULT_LIMIT) -> Map:
    """The places of the repository at `root` that `text` is about; none, at low confidence, where nothing fits.

    A file that changed since it was indexed is not shown: its lines may be wrong; `stale` names it.
    Raises NotIndexed where no index is, StoreError where the server fails.
    """
    query = parse_query(text)
    state = read_state(connection, keys)
    if state is None:
        raise NotIndexed("this checkout is not indexed yet", "run: engram index")
    if not _is_readable(state.version):
        raise SchemaMismatch("the index was written by another version of engram", "run: engram index")
    signals = read_signals(query, read_postings(connection, keys.lexical, fields_of(query)))
    graph = Graph(connection, keys.graph)
    short = shortlist(signals, limit)
    numbers = {*short.files, *[doc >> SLOT_BITS for doc in short.functions]}
    modules = [number << SLOT_BITS for number in short.files[:limit]]
    commits = _similar_commits(connection, keys, query)
    around = find_surroundings(graph, [*short.functions, *modules], sorted(numbers), [*short.seeds], [*commits])
    by_commits = touched_files(commits, around.touched, around.paths)
    signals = signals.replace(of_files={**signals.of_files, "commit": by_commits})
    paths = {**{doc >> SLOT_BITS: place.path for doc, place in around.places.items()}, **around.paths}
    ranking = rank(query, signals, around.places, paths, around.callees, short.seeds)
    docs = {place: doc for doc, place in around.places.items()}
    return _cut(graph, keys, root, ranking, docs, limit, signals.fit, state.indexed_at / 1000)


def _similar_commits(connection: Connection, keys: Keys, query: Query) -> dict[str, float]:
    """Id of a commit -> how well its message fits the text; none as long as no history was read."""
    messages = read_messages(connection, keys, [*query.terms])
    fitting = similar_commits(query, messages)
    names = name_commits(connection, keys, messages, [*fitting])
    return {sha: score for sha, score in zip(names, fitting.values(), strict=True) if sha}


def _cut(
    graph: Graph,
    keys: Keys,
    root: str,
    ranking: Ranking,
    docs: dict[Symbol, int],
    limit: int,
    fit: float,
    indexed_at: float,
) -> Map:
    """The best of the ranking whose files are as they were indexed, with the tests of its first places."""
    first = [scored.place for scored in ranking.functions[:limit]]
    wanted = [scored.place.path for scored in ranking.functions[: CHECKED * limit]]
    wanted = [*dict.fromkeys(wanted + [file.path for file in ranking.files[: CHECKED * limit]])]
    bearings = find_bearings(graph, wanted, [docs[place] for place in first])
    stale = {path for path in wanted if not is_current(root, path, bearings)}
    modules = {place.path: place for place in docs if place.kind == "module"}
    locations = choose_places(ranking, modules, {*wanted} - stale, limit)
    return Map(
        confidence=confidence_of(ranking, fit),
        locations=tuple([_location(scored) for scored in locations]),
        files=tuple([file for file in ranking.files if file.path not in stale][:limit]),
        tests=_tests(graph, keys, first, docs, bearings),
        indexed_at=indexed_at,
        stale=tuple(sorted(stale)),
    )


def _is_readable(version: str) -> bool:
    """Whether graph and words are of this version; that of the facts, between theirs, does not matter here."""
    return version.startswith(f"{__version__}/{SCHEMA_VERSION}.") and version.endswith(f".{WORDS_VERSION}")


def confidence_of(ranking: Ranking, fit: float) -> str:
    """high, medium or low: by how far the best file stands before the next, m = 1 - second / first.

    Low, too, where the text does not fit: it is about something else.
    """
    if not ranking.files or fit < FIT:
        return "low"
    first = ranking.files[0].score
    second = ranking.files[1].score if len(ranking.files) > 1 else 0.0
    margin = 1 - second / first
    return "high" if margin >= HIGH else "medium" if margin >= MEDIUM else "low"


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
