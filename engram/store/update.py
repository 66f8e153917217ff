"""The writes of an incremental run, as commands that one MULTI runs: readers see all of them or none."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from engram.store.graph import Graph
from engram.store.schema import FILE_PROPERTIES, SYMBOL_PROPERTIES

if TYPE_CHECKING:
    from engram.store.cypher import Parameter
    from engram.store.wire import Part

type Row = Sequence[Parameter]
type Command = tuple[Part, ...]

_ROWS = 1000  # rows of one query: the engine holds its lock for each query, not between two (falkordb: 5 ms at 1,000)

DROP_SYMBOLS = "UNWIND $rows AS id MATCH (s:Symbol {id: id}) DETACH DELETE s"
DROP_FILES = "UNWIND $rows AS path MATCH (f:File {path: path}) DETACH DELETE f"
PUT_FILES = "UNWIND $rows AS r MERGE (f:File {path: r.path}) SET f += r"
PUT_SYMBOLS = "UNWIND $rows AS r MERGE (s:Symbol {id: r.id}) SET s = r"
PUT_DEFINES = "UNWIND $rows AS r MATCH (f:File {path: r[0]}) MATCH (s:Symbol {id: r[1]}) CREATE (f)-[:DEFINES]->(s)"
MARK_UNRESOLVED = "UNWIND $rows AS path MATCH (f:File {path: path}) SET f.status = 'not-resolved'"
DROP_CALLS = "UNWIND $rows AS path MATCH (:Symbol {path: path})-[e:CALLS]->() DELETE e"
DROP_INHERITS = "UNWIND $rows AS path MATCH (:Symbol {path: path})-[e:INHERITS]->() DELETE e"
DROP_IMPORTS = "UNWIND $rows AS path MATCH (:File {path: path})-[e:IMPORTS]->() DELETE e"
PUT_CALLS = (
    "UNWIND $rows AS r MATCH (a:Symbol {id: r[0]}) MATCH (b:Symbol {id: r[1]}) "
    "CREATE (a)-[:CALLS {line: r[2], confidence: r[3]}]->(b)"
)
PUT_INHERITS = "UNWIND $rows AS r MATCH (a:Symbol {id: r[0]}) MATCH (b:Symbol {id: r[1]}) CREATE (a)-[:INHERITS]->(b)"
PUT_IMPORTS = "UNWIND $rows AS r MATCH (a:File {path: r[0]}) MATCH (b:File {path: r[1]}) CREATE (a)-[:IMPORTS]->(b)"


class CodeChange(NamedTuple):
    """What an incremental run does to the graph.

    `gone_files` and `gone_symbols` disappear with their edges; `files` and `symbols` are put, keeping what points at
    them; `defines` are the symbols that are new.  All edges that leave `redone` files are replaced by the given ones.
    Edges name symbols by id and files by path.
    """

    gone_files: list[str]
    gone_symbols: list[str]
    files: list[Row]
    symbols: list[Row]
    defines: list[tuple[str, str]]
    redone: list[str]
    calls: list[tuple[str, str, int, float]]
    inherits: list[tuple[str, str]]
    imports: list[tuple[str, str]]


def change_commands(graph: Graph, change: CodeChange) -> list[Command]:
    """The commands that carry the change out, in their order; none for an empty change."""
    files = [dict(zip(FILE_PROPERTIES, row, strict=True)) for row in change.files]
    symbols = [dict(zip(SYMBOL_PROPERTIES, row, strict=True)) for row in change.symbols]
    steps: list[tuple[str, Sequence[Parameter]]] = [
        (DROP_SYMBOLS, change.gone_symbols),
        (DROP_FILES, change.gone_files),
        (PUT_FILES, files),
        (PUT_SYMBOLS, symbols),
        (PUT_DEFINES, change.defines),
        (DROP_CALLS, change.redone),
        (DROP_INHERITS, change.redone),
        (DROP_IMPORTS, change.redone),
        (PUT_CALLS, change.calls),
        (PUT_INHERITS, change.inherits),
        (PUT_IMPORTS, change.imports),
    ]
    return [graph.command(query, {"rows": part}) for query, rows in steps for part in _parts(rows)]


def mark_unresolved(graph: Graph, paths: list[str]) -> list[Command]:
    """The commands that say of files that their edges could not be found; none for no files."""
    return [graph.command(MARK_UNRESOLVED, {"rows": paths})] if paths else []


def replace_calls(graph: Graph, paths: list[str], calls: Sequence[Row]) -> list[Command]:
    """The commands that put `calls`, as in `CodeChange`, in the place of all calls that leave the files."""
    steps: list[tuple[str, Sequence[Parameter]]] = [(DROP_CALLS, paths), (PUT_CALLS, calls)]
    return [graph.command(query, {"rows": part}) for query, rows in steps for part in _parts(rows)]


def _parts(rows: Sequence[Parameter]) -> Iterable[Sequence[Parameter]]:
    return [rows[start : start + _ROWS] for start in range(0, len(rows), _ROWS)]
