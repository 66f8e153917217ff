"""What a graph consists of: labels, edge types, their properties, indexes, and the version of all this.

```
(File)-[:DEFINES]->(Symbol)        (Symbol)-[:CALLS {line, confidence}]->(Symbol)
(Symbol)-[:INHERITS]->(Symbol)     (File)-[:IMPORTS]->(File)
(Person {id, email, name})-[:AUTHORED]->(Commit {sha, at, subject, files})-[:TOUCHED]->(File)
(File)-[:CO_CHANGES {count, weight}]->(File)
(Agent)-[:RAN]->(Session)-[:READ|EDITED {count, at}]->(File)      (Session)-[:CLAIMS {since, ...}]->(File)
(Session)-[:LEARNED]->(Lesson)-[:ABOUT]->(File|Symbol)            (Session)-[:RAN_COMMAND]->(Run)
(Session)-[:DECIDED]->(Decision)-[:ABOUT]->(File|Symbol)          (Decision)-[:SUPERSEDES]->(Decision)
```
Code and history are derived from the checkout and rebuilt at will; activity is not, so a rebuild carries it over.
A commit's `files` counts the paths it changed, and `at` is when it was written; CO_CHANGES has both directions, and
leads from each file to those it changes with the most (`history.cochange`).
Every file has a Symbol of kind `module`, which calls at module level start from.
"""

from __future__ import annotations

# The version of a graph and of what lies beside it; one of another version is rebuilt, never read.
# 1: File, Symbol; DEFINES, CALLS, INHERITS, IMPORTS; history and activity labels reserved
# 2: who asked of what (`files.ASKERS`)
SCHEMA_VERSION = 2

FILE, SYMBOL = "File", "Symbol"
DEFINES, CALLS, INHERITS, IMPORTS = "DEFINES", "CALLS", "INHERITS", "IMPORTS"
PERSON, COMMIT = "Person", "Commit"
AUTHORED, TOUCHED, CO_CHANGES = "AUTHORED", "TOUCHED", "CO_CHANGES"
AGENT, SESSION, LESSON, DECISION, RUN = "Agent", "Session", "Lesson", "Decision", "Run"
INDEX_LOCK = "IndexLock"

# Times are integers: nanoseconds where the name says so, else milliseconds of the server's clock.
FILE_PROPERTIES = (
    "path",
    "language",
    "lines",
    "size",
    "hash",
    "mtime_ns",
    "ctime_ns",
    "inode",
    "status",
    "indexed_at",
    "number",
)
# `doc` is the id of the symbol's document in the lexical index; `summary` the first line of its docstring.  How many
# calls it has is asked of the engine (`indegree(s, 'CALLS')`): stored, an edit would change it in other files' symbols
SYMBOL_PROPERTIES = (
    "id",
    "name",
    "qualname",
    "kind",
    "path",
    "start",
    "end",
    "signature",
    "summary",
    "exported",
    "doc",
)
CALL_PROPERTIES = ("line", "confidence")

# An index costs 0.05 s of the first load and its share of memory: only what some query starts from has one.
INDEXES = ((FILE, "path"), (FILE, "number"), (SYMBOL, "id"), (SYMBOL, "name"), (SYMBOL, "path"), (SYMBOL, "doc"))

# What the agents did: nodes with an `id`, and the edges that start at such nodes.
ACTIVITY_NODES = (AGENT, SESSION, LESSON, DECISION, RUN)
ACTIVITY_EDGES = (
    "RAN",
    "READ",
    "EDITED",
    "CLAIMS",
    "LEARNED",
    "DECIDED",
    "ABOUT",
    "SUPERSEDES",
    "RAN_COMMAND",
)
# Where activity points into the code: label -> the property by which the same place is found after a rebuild.
ANCHORS = {FILE: "path", SYMBOL: "id"}
ANCHORED_EDGES = ("READ", "EDITED", "CLAIMS", "ABOUT")  # the types of ACTIVITY_EDGES that point there
# A place that is not in the code any more and to which activity still points: {was: its label, id: its path or id}.
GONE = "Gone"


class Keys:
    """The names of everything that belongs to one checkout on the server; `base` is the graph's own."""

    __slots__ = ("base",)

    def __init__(self, base: str) -> None:
        self.base = base

    @property
    def graph(self) -> str:
        """The graph that readers see."""
        return self.base

    @property
    def new(self) -> str:
        """The graph that a rebuild fills."""
        return f"{self.base}:new"

    @property
    def facts(self) -> str:
        """Hash: path -> the packed facts of the file."""
        return self.side("facts")

    @property
    def lexical(self) -> str:
        """The stem of the lexical index's keys."""
        return self.side("lexical")

    @property
    def meta(self) -> str:
        """Hash: schema version, times and counts of the index."""
        return self.side("meta")

    @property
    def activity(self) -> str:
        """Counter that every write of activity increments in its own MULTI."""
        return self.side("activity")

    @property
    def gate(self) -> str:
        """Set, for some 100 ms, while a swap asks the writers of activity to wait."""
        return self.side("gate")

    @property
    def fence(self) -> str:
        """The number of the last grant of the index lock."""
        return self.side("fence")

    def side(self, name: str) -> str:
        """The key of something beside the graph."""
        return f"{self.base}:{name}"

    def side_new(self, name: str) -> str:
        """The key under which a rebuild prepares the same thing."""
        return f"{self.base}:new:{name}"

    def __repr__(self) -> str:
        return f"Keys({self.base!r})"


def index_queries() -> list[str]:
    """The statements that make all indexes; each is its own command, run once per graph."""
    return [f"CREATE INDEX FOR (n:{label}) ON (n.{name})" for label, name in INDEXES]


def activity_index_queries() -> list[str]:
    """The indexes of the activity part; the engine refuses those that exist already."""
    nodes = [f"CREATE INDEX FOR (n:{label}) ON (n.id)" for label in (*ACTIVITY_NODES, GONE)]
    return [*nodes, "CREATE INDEX FOR ()-[e:CLAIMS]-() ON (e.path)"]  # a claim asks for others on its path
