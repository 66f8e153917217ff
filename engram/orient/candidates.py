"""What the index and the graph have on a text: the candidates for its places, before they are weighed."""

from __future__ import annotations

from engram.gitrun import is_reached
from engram.journal.commit import current_commit
from engram.model import Symbol, Value
from engram.orient.commits import similar_commits, touched_files
from engram.orient.query import Query, parse_query
from engram.orient.rank import shortlist
from engram.orient.signals import Signals, fields_of, read_signals
from engram.store.graph import Graph
from engram.store.lexical import SLOT_BITS, read_postings
from engram.store.messages import name_commits, read_messages
from engram.store.places import find_surroundings
from engram.worktree import find_worktree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from engram.store.schema import Keys
    from engram.store.wire import Connection


class Candidates(Value):
    """Places by document, paths by file number, and the documents that likely functions (`seeds`, scored) call.

    `modules` are the places of whole files, by path.
    """

    query: Query
    signals: Signals
    places: dict[int, Symbol]
    paths: dict[int, str]
    callees: dict[int, list[int]]
    seeds: dict[int, float]
    modules: dict[str, Symbol]


def find_candidates(connection: Connection, keys: Keys, root: str, text: str, limit: int) -> Candidates:
    """The candidates for a map of `limit` places in the checkout at `root`, in four round trips.

    Raises NotIndexed where no index is.
    """
    query = parse_query(text)
    signals = read_signals(query, read_postings(connection, keys.lexical, fields_of(query)))
    short = shortlist(signals, limit)
    numbers = {*short.files, *[doc >> SLOT_BITS for doc in short.functions]}
    modules = [number << SLOT_BITS for number in short.files[:limit]]
    commits = _similar_commits(connection, keys, root, query)
    graph = Graph(connection, keys.graph)
    around = find_surroundings(graph, [*short.functions, *modules], sorted(numbers), [*short.seeds], [*commits])
    by_commits = touched_files(commits, around.touched, around.paths)
    return Candidates(
        query,
        signals.replace(of_files={**signals.of_files, "commit": by_commits}),
        around.places,
        {**{doc >> SLOT_BITS: place.path for doc, place in around.places.items()}, **around.paths},
        around.callees,
        short.seeds,
        {place.path: place for place in around.places.values() if place.kind == "module"},
    )


def _similar_commits(connection: Connection, keys: Keys, root: str, query: Query) -> dict[str, float]:
    """Id of a commit -> how well its message fits the text; none before the history of what is checked out was read.

    What other branches did is no evidence: the code that they changed is not here.
    """
    messages = read_messages(connection, keys, [*query.terms])
    if not (messages.head and _leads_here(root, messages.head)):
        return {}
    fitting = similar_commits(query, messages)
    names = name_commits(connection, keys, messages, [*fitting])
    return {sha: score for sha, score in zip(names, fitting.values(), strict=True) if sha}


def _leads_here(root: str, commit: str) -> bool:
    return current_commit(find_worktree(root)) == commit or is_reached(root, commit)
