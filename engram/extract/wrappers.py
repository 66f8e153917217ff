"""What stands around a definition and belongs to its lines: decorators, `export`, the `const` of a function."""

from __future__ import annotations

from typing import NamedTuple

from tree_sitter import Node

from engram.extract.grammar import Captures
from engram.extract.source import Source


class Wrapper(NamedTuple):
    """The first node that belongs to a definition, its decorators, and its variety ("export", or "")."""

    outer: Node
    decorators: list[str]
    variety: str


class Wrappers:
    """The wrappers of one file, found by the first byte of what they wrap."""

    def __init__(self, captured: dict[str, list[Captures]], source: Source) -> None:
        self._by_start: dict[int, Wrapper] = {}
        for fact, matches in captured.items():
            what, _, variety = fact.partition(".")
            if what == "wrapper":
                for match in matches:
                    decorators = [source.node(node).lstrip("@ ") for node in match.get("decorator", ())]
                    self._add(match["wrapped"][0].start_byte, Wrapper(match[fact][0], decorators, variety))

    def _add(self, start: int, wrapper: Wrapper) -> None:
        known = self._by_start.get(start)
        if known is None or known.outer.start_byte >= wrapper.outer.start_byte:
            self._by_start[start] = wrapper

    def around(self, node: Node) -> Wrapper | None:
        """All that wraps a node, as one; None where nothing does."""
        found = wrapper = self._by_start.get(node.start_byte)
        while wrapper is not None and found is not None:
            inner_start = wrapper.outer.start_byte
            wrapper = self._by_start.get(inner_start)
            if wrapper is None or wrapper.outer.start_byte == inner_start:
                break
            found = Wrapper(wrapper.outer, wrapper.decorators + found.decorators, wrapper.variety or found.variety)
        return found
