"""Captured definitions -> `Definition` facts with their nesting, and the scopes that other facts are placed in."""

from __future__ import annotations

from operator import itemgetter
from typing import NamedTuple

from engram.extract.facts import MODULE, Definition
from engram.extract.grammar import Captures
from engram.extract.languages import Language
from engram.extract.nesting import Candidate, Nesting
from engram.extract.scopes import Scopes
from engram.extract.source import Source
from engram.extract.wrappers import Wrappers

_NESTING = frozenset({"definition", "holder", "implementation"})
_ANONYMOUS = -2  # the scope of a function without a name, where that matters


class Definitions(NamedTuple):
    """The definitions of a file, the scopes that they open, and these with functions without a name set apart."""

    nesting: Nesting
    scopes: Scopes
    functions: Scopes

    @property
    def found(self) -> list[Definition]:
        """By position, containers first; the constants, once they are added, after all others."""
        return self.nesting.found


def find_definitions(
    captured: dict[str, list[Captures]], source: Source, language: Language, exports: list[tuple[str, str]]
) -> Definitions:
    """All functions, classes and types of a file."""
    nesting = Nesting(source, language, Wrappers(captured, source), {local for _, local in exports})
    nesting.add(_candidates(captured))
    nesting.find_owners()
    scopes = functions = Scopes(source.text, nesting.bodies)
    if anonymous := captured.get("anonymous"):
        bodies = [match["anonymous"][0].byte_range for match in anonymous]
        unnamed = [(start, end, _ANONYMOUS) for start, end in bodies if start not in nesting.body_starts]
        functions = Scopes(source.text, nesting.bodies + unnamed)
    for match in captured.get("base", ()):
        nesting.add_base(scopes.at(match["base"][0].start_byte), source.node(match["base"][0]))
    return Definitions(nesting, scopes, functions)


def add_constants(
    definitions: Definitions, captured: dict[str, list[Captures]], source: Source, imported: set[str]
) -> None:
    """Add the simple names declared at the top level that no function, type or import by assignment has taken."""
    nesting, functions = definitions.nesting, definitions.functions
    taken = imported.union([definition.qualname for definition in nesting.found])
    rows = [(match["binding.declare"][0].start_byte, match) for match in captured.get("binding.declare", ())]
    rows.sort(key=itemgetter(0))
    for start, match in rows:
        if functions.at(start) == MODULE:
            node = match["binding.declare"][0]
            name = source.node(node)
            if name not in taken and name.replace("$", "_").isidentifier():
                taken.add(name)
                nesting.add_constant(name, node, (match.get("value") or match.get("annotation") or [node])[0])


def _candidates(captured: dict[str, list[Captures]]) -> list[Candidate]:
    candidates: list[Candidate] = []
    for fact, matches in captured.items():
        what, _, kind = fact.partition(".")
        if what in _NESTING:
            for match in matches:
                node = match[fact][0]
                start, end = node.byte_range
                candidates.append((start, -end, len(candidates), kind or what, node, match))
    candidates.sort()
    return candidates
