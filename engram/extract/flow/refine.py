"""All facts -> edges, with the types of parameters taken from what is passed."""

from __future__ import annotations

from collections.abc import Iterable

from engram.extract.facts import FileFacts
from engram.extract.flow.collect import Collector
from engram.extract.flow.evidence import NO_EVIDENCE
from engram.extract.flow.passed import FlowTypes
from engram.extract.resolve.calls import CallEdge
from engram.extract.resolve.hierarchy import Hierarchy
from engram.extract.resolve.names import Names
from engram.extract.resolve.resolver import FileEdges, Resolver, index_files

ROUNDS = 3  # of evidence that flows on from function to function; a fourth adds less than 1 % (networkx)
WEAK = 0.65  # confidence of what only weak evidence shows


def refine(facts: Iterable[FileFacts]) -> dict[str, FileEdges]:
    """The edges of all files by path, as `resolve` gives them but with more calls found.

    Calls in tests count as evidence.  What is passed only seldom or vaguely gives possible edges.
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
        evidence = Collector(names, hierarchy, types, views).collect()
    sure = Resolver(files.get, paths_of, lambda names, hierarchy: FlowTypes(names, hierarchy, evidence.strong))
    weak = Resolver(files.get, paths_of, lambda names, hierarchy: FlowTypes(names, hierarchy, evidence.all))
    return {path: _with_weak(sure.resolve_file(path), weak.resolve_file(path)) for path in sorted(files)}


def _with_weak(sure: FileEdges, weak: FileEdges) -> FileEdges:
    known = {(call.caller, call.path, call.callee) for call in sure.calls}
    more = [
        call._replace(confidence=min(call.confidence, WEAK))
        for call in weak.calls
        if (call.caller, call.path, call.callee) not in known
    ]
    calls: list[CallEdge] = sorted([*sure.calls, *more])
    return sure._replace(calls=calls)
