"""All facts -> edges, with the types of parameters taken from what is passed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from engram.extract.facts import FileFacts
from engram.extract.flow.collect import Collector
from engram.extract.flow.evidence import NO_EVIDENCE, Evidence, Parameter
from engram.extract.flow.passed import FlowTypes
from engram.extract.resolve.hierarchy import Hierarchy
from engram.extract.resolve.names import Names
from engram.extract.resolve.resolver import Resolver, index_files
from engram.extract.resolve.sites import CallEdge
from engram.extract.resolve.values import Values

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
        earlier, evidence = evidence, _collect(files, paths_of, arguments, evidence)
        if evidence == earlier:
            break
    sure = _resolve(files, paths_of, evidence.strong)
    weak = _resolve(files, paths_of, evidence.all)
    return {path: _with_weak(calls, weak[path]) for path, calls in sure.items()}


def _collect(
    files: Mapping[str, FileFacts],
    paths_of: Callable[[str], Sequence[str]],
    arguments: Mapping[str, list[str]],
    evidence: Evidence,
) -> Evidence:
    """What one more round over all calls finds, by what the rounds before have found."""
    names = Names(files.get, paths_of)
    hierarchy = Hierarchy(names, paths_of)
    types = FlowTypes(names, hierarchy, evidence.strong)
    views = [view for path in sorted(files) if (view := names.view(path))]
    found = Collector(names, hierarchy, types, views, arguments).collect()
    names.forget(answers=True)  # they are in a circle, so that nothing else frees them soon
    return found


def _resolve(
    files: Mapping[str, FileFacts], paths_of: Callable[[str], Sequence[str]], known: Mapping[Parameter, Values]
) -> dict[str, list[CallEdge]]:
    """The calls that leave each file, by path in order, where parameters hold what is known."""
    resolver = Resolver(files.get, paths_of, lambda names, hierarchy: FlowTypes(names, hierarchy, known))
    found = {path: resolver.resolve_calls(path) for path in sorted(files)}
    resolver.forget(answers=True)
    return found


def _with_weak(sure: list[CallEdge], weak: list[CallEdge]) -> list[CallEdge]:
    known = {(call.caller, call.path, call.callee) for call in sure}
    more = [
        call._replace(confidence=min(call.confidence, WEAK))
        for call in weak
        if (call.caller, call.path, call.callee) not in known
    ]
    return sorted([*sure, *more])
