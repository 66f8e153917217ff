"""All facts -> edges, with the types of parameters taken from what is passed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from engram.extract.facts import FileFacts
from engram.extract.flow.collect import Collector
from engram.extract.flow.evidence import NO_EVIDENCE
from engram.extract.flow.passed import FlowTypes
from engram.extract.resolve.hierarchy import Hierarchy
from engram.extract.resolve.names import Names
from engram.extract.resolve.resolver import Resolver, index_files
from engram.extract.resolve.sites import CallEdge

ROUNDS = 4  # of evidence that flows on from function to function; on networkx the fourth adds 0.4 points of recall
WEAK = 0.65  # confidence of what only weak evidence shows


def refine(facts: Iterable[FileFacts], arguments: Mapping[str, list[str]]) -> dict[str, list[CallEdge]]:
    """The calls that leave each file, by path: those of `resolve`, and those that only the passed values explain.

    `arguments` holds, by path, what `call_arguments` read; a file without them gives no evidence.  Calls in tests count
    as evidence.  What is passed only seldom or vaguely gives possible edges.  Takes some ten times as long as
    `resolve`; equal facts give equal edges.  IMPORTS and INHERITS edges, and what a file asked, are not affected.
    """
    files = {one.path: one for one in facts}
    index = index_files(files)

    def paths_of(key: str) -> list[str]:
        return index.get(key, [])

    evidence = NO_EVIDENCE
    for _ in range(ROUNDS):
        names = Names(files.get, paths_of)
        hierarchy = Hierarchy(names, paths_of)
        types = FlowTypes(names, hierarchy, evidence.strong)
        views = [view for path in sorted(files) if (view := names.view(path))]
        earlier, evidence = evidence, Collector(names, hierarchy, types, views, arguments).collect()
        if evidence == earlier:
            break
    sure = Resolver(files.get, paths_of, lambda names, hierarchy: FlowTypes(names, hierarchy, evidence.strong))
    weak = Resolver(files.get, paths_of, lambda names, hierarchy: FlowTypes(names, hierarchy, evidence.all))
    return {path: _with_weak(sure.resolve_calls(path), weak.resolve_calls(path)) for path in sorted(files)}


def _with_weak(sure: list[CallEdge], weak: list[CallEdge]) -> list[CallEdge]:
    known = {(call.caller, call.path, call.callee) for call in sure}
    more = [
        call._replace(confidence=min(call.confidence, WEAK))
        for call in weak
        if (call.caller, call.path, call.callee) not in known
    ]
    return sorted([*sure, *more])
