"""Decide whether a query that somebody typed may be sent: a read of this graph, and nothing else.

The engine itself refuses writes (GRAPH.RO_QUERY), but runs LOAD CSV, which opens files and network connections, and
any procedure.  The text is split into tokens as openCypher defines them, so that comments, case, white space, string
literals and quoted names neither hide such a clause nor pretend one.  What the tokens do not make plain is refused.
"""

from __future__ import annotations

import re

from engram.errors import QueryRefused
from engram.model import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from engram.store.graph import Graph

# What CALL dbms.procedures() of FalkorDB 4.22 lists with mode READ, in lower case.
ALLOWED_PROCEDURES = frozenset(
    {
        "algo.astar",
        "algo.betweenness",
        "algo.bfs",
        "algo.harmoniccentrality",
        "algo.labelpropagation",
        "algo.maxflow",
        "algo.msf",
        "algo.pagerank",
        "algo.sppaths",
        "algo.sspaths",
        "algo.wcc",
        "db.constraints",
        "db.idx.cch.query",
        "db.idx.fulltext.querynodes",
        "db.idx.fulltext.queryrelationships",
        "db.idx.vector.querynodes",
        "db.idx.vector.queryrelationships",
        "db.indexes",
        "db.labels",
        "db.meta.stats",
        "db.propertykeys",
        "db.relationshiptypes",
        "dbms.functions",
        "dbms.procedures",
    }
)
MAX_LENGTH = 100_000  # characters: no timeout bounds the time in which the engine reads and plans a text
MAX_ROWS = 10_000
TIMEOUT_MS = 5_000
_MAX_BYTES = 64 << 20  # of an answer: rows beyond the limit are read and thrown away

# Engine and tokens must agree on where a comment or a literal ends, or one of them would see a clause where the other
# sees none.  FalkorDB 4.22 ends `//` at a line feed only, does not nest `/* */`, knows no doubled quotes, lets a clause
# follow a digit (`LIMIT 1CALL`), and takes blank, tab and line ends alone for white space; all this is tested.
_TOKEN = re.compile(
    r"""
    (?P<space>   [ \t\r\n]+ | //[^\n]* | /\*.*?\*/ )
  | (?P<text>    '(?:[^'\\]|\\.)*' | "(?:[^"\\]|\\.)*" )
  | (?P<quoted>  `[^`]*` )
  | (?P<word>    [^\W\d]\w* )
  | (?P<number>  \d+ )
  | (?P<open>    /\* | ['"`] )
  | (?P<sign>    . )
    """,
    re.VERBOSE | re.DOTALL,
)


# In a literal, escaped; a backslash before a line end is one itself.
_LINE_ENDS = {"\n": "\\n", "\r": "\\r", "\\\n": "\\\\\\n", "\\\r": "\\\\\\r"}


class Answer(Value):
    """The rows of a query that somebody typed; `cut` when there were more than the limit."""

    columns: tuple[str, ...]
    rows: list[list[Any]]
    cut: bool


def run_query(graph: Graph, query: str, *, limit: int, timeout_ms: int = TIMEOUT_MS) -> Answer:
    """The first `limit` rows of a permitted read, nodes and edges as dicts of labels or type and properties.

    Raises QueryRefused, QueryTimedOut, NotIndexed, and StoreError for a text that is no Cypher.
    """
    permitted = check_query(query)
    graph.connection.max_bytes = _MAX_BYTES
    table = graph.table(permitted, timeout_ms=timeout_ms, names=graph.names())
    return Answer(table.columns, table.rows[:limit], len(table.rows) > limit)


def check_query(query: str) -> str:
    """The query as it may be sent: on one line, without its comments.  Raises QueryRefused if it may not be.

    Refused are LOAD CSV, a CALL of anything but ALLOWED_PROCEDURES, a parameter header (`CYPHER name=value`), and
    texts on whose tokens the engine might disagree: with a literal or comment that does not end, or control characters.
    """
    if len(query) > MAX_LENGTH:
        raise QueryRefused(f"the query has more than {MAX_LENGTH:,} characters")
    if re.search(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]|\r(?!\n)", query):
        raise QueryRefused("the query holds control characters")
    tokens = _tokens(query)
    if not tokens:
        raise QueryRefused("the query is empty")
    if tokens[0] == ("word", "cypher"):
        raise QueryRefused("the query begins with a parameter header", "write values into the query itself")
    for index, token in enumerate(tokens):
        if token == ("word", "load") and tokens[index + 1 : index + 2] == [("word", "csv")]:
            raise QueryRefused("LOAD CSV reads files and opens network connections", "query the graph only")
        if token == ("word", "call"):
            _check_call(tokens, index + 1)
    return _TOKEN.sub(_on_one_line, query)


def _on_one_line(token: re.Match[str]) -> str:
    """The token without line ends, of which FalkorDB 4.22 may die: it does of `x/*\\n*/yz`, a syntax error before what
    looks like a comment of two lines, be it in a literal.
    """
    text = token.group()
    if token.lastgroup == "space":
        return " "
    if token.lastgroup == "text":
        return re.sub(r"\\.|[\r\n]", lambda part: _LINE_ENDS.get(part.group(), part.group()), text, flags=re.DOTALL)
    return text


def _check_call(tokens: list[tuple[str, str]], at: int) -> None:
    """Refuse what may be a CALL of a procedure that is not allowed.

    `call` is also a name that a query may give; what follows it then is no dotted name, and no opening parenthesis.
    """
    name = ""
    while at < len(tokens) and (tokens[at][0] in ("word", "quoted") or tokens[at] == ("sign", ".")):
        if tokens[at][1] != "." and name and not name.endswith("."):
            break
        name += tokens[at][1].lower()
        at += 1
    called = tokens[at : at + 1] == [("sign", "(")]
    if name and not name.startswith(".") and ("." in name or called) and name not in ALLOWED_PROCEDURES:
        raise QueryRefused(f"the procedure {name} is not on the list of those that only read")


def _tokens(query: str) -> list[tuple[str, str]]:
    """(kind, text) of every token but white space and comments; words in lower case, quoted names without quotes."""
    found = []
    for match in _TOKEN.finditer(query):
        kind, text = str(match.lastgroup), match.group()
        if kind == "open":
            raise QueryRefused(f"what begins with {text} at character {match.start() + 1} does not end")
        if kind == "word":
            text = text.lower()
        elif kind == "quoted":
            text = text[1:-1]
            if "\n" in text:
                raise QueryRefused("a quoted name holds a line end")
        if kind != "space":
            found.append((kind, text))
    return found
