"""Small projects written in a test: path -> source, resolved without a server."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping

from engram.extract.facts import MODULE, FileFacts
from engram.extract.parse import extract_facts, language_of
from engram.extract.resolve import FileEdges, resolve

Named = tuple[str, str, str, str]  # caller path, caller, callee path, callee


def facts_of(path: str, source: str) -> FileFacts:
    """The facts of a source, its common indentation taken away."""
    text = textwrap.dedent(source).encode()
    language = language_of(path, text)
    assert language is not None, path
    return extract_facts(path, text, language)


def project(sources: Mapping[str, str]) -> dict[str, FileFacts]:
    """The facts of a project's files."""
    return {path: facts_of(path, source) for path, source in sources.items()}


def symbol(facts: FileFacts, index: int) -> str:
    """The name of a definition within its file, the second of a name ending in ~2."""
    if index == MODULE:
        return "<module>"
    qualname = facts.definitions[index].qualname
    count = sum(definition.qualname == qualname for definition in facts.definitions[: index + 1])
    return qualname if count == 1 else f"{qualname}~{count}"


def named_calls(files: Mapping[str, FileFacts], edges: Mapping[str, FileEdges]) -> dict[Named, float]:
    """All calls by name, with their confidence."""
    return {
        (path, symbol(files[path], call.caller), call.path, symbol(files[call.path], call.callee)): call.confidence
        for path, found in edges.items()
        for call in found.calls
    }


def calls_of(sources: Mapping[str, str]) -> dict[str, float]:
    """`caller -> callee` of a project as `file:name -> file:name` without endings, with confidence."""
    files = project(sources)
    return {
        f"{_short(a)}:{b} -> {_short(c)}:{d}": confidence
        for (a, b, c, d), confidence in named_calls(files, resolve(files.values())).items()
    }


def facts_only(sources: Mapping[str, str]) -> set[str]:
    """The calls of a project that are shown as facts."""
    return {call for call, confidence in calls_of(sources).items() if confidence >= 0.8}


def _short(path: str) -> str:
    return path.rpartition(".")[0]
