"""Writing what differs between the history that the graph shows and the one it should, by the quicker of two ways."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from engram.store.files import Command
from engram.store.graph import Graph, rows
from engram.store.history import (
    NO_NUMBER,
    Change,
    Present,
    bulk_edges,
    bulk_nodes,
    commit_commands,
    cut_commands,
    edge_commands,
    is_dense,
    name_commands,
    people_commands,
    read_commit_numbers,
    read_present,
)

if TYPE_CHECKING:
    from engram.store.wire import Reply

type Write = Callable[[Sequence[Command]], list[Reply]]

_MANY = 2000  # nodes and edges to add from which on a bulk load is quicker, its look at the whole graph included


def apply_change(graph: Graph, change: Change, present: Present, write: Write) -> None:
    """Carry the change out; `write` runs commands as one, raises where the graph is not as `present` says any more.

    What breaks off in between leaves a graph from which the same change can be found out, and carried out, again.
    """
    is_many = change.added >= _MANY and is_dense(graph)
    present = _with_numbers(graph, change, present, ask_all=is_many)
    for command in (*cut_commands(graph, change, present), *name_commands(graph, change, present)):
        write([command])
    if is_many:
        _add_by_bulk(graph, change, present, write)
    else:
        _add_by_queries(graph, change, present, write)


def _with_numbers(graph: Graph, change: Change, present: Present, *, ask_all: bool) -> Present:
    """What is present, with the numbers of the commits that the change names."""
    if NO_NUMBER not in present.commits.values():
        return present
    if ask_all:
        return read_present(graph)._replace(files=present.files)
    named = {*change.cut_commits, *[row[0] for row in change.commits], *[sha for _, sha in change.authored]}
    named.update(sha for sha, _ in [*change.touched, *change.cut_touched])
    return present._replace(commits=read_commit_numbers(graph, named))


def _add_by_bulk(graph: Graph, change: Change, present: Present, write: Write) -> None:
    """Two bulk loads: the engine numbers the nodes of the first, which the edges then name."""
    unauthored = present.unauthored.union([row[0] for row in change.commits if row[0] not in present.commits])
    change = change._replace(authored=[edge for edge in change.authored if edge[1] in unauthored])
    if nodes := bulk_nodes(graph, change, present):
        write(nodes)
        people = read_present(graph, known=()).people
        present = present._replace(commits=read_commit_numbers(graph), people=people)
    if edges := bulk_edges(graph, change, present):
        write(edges)


def _add_by_queries(graph: Graph, change: Change, present: Present, write: Write) -> None:
    people, commits = dict(present.people), dict(present.commits)
    for command in people_commands(graph, change, present):
        people.update(dict(rows(write([command])[0])))
    for command in commit_commands(graph, change, present):
        commits.update(dict(rows(write([command])[0])))
    for command in edge_commands(graph, change, present._replace(people=people, commits=commits)):
        write([command])
