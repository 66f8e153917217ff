"""The first line of what a definition says about itself."""

from __future__ import annotations

import re

from engram.extract.source import Source

MAX_DOC = 200  # characters of the first line; longer ones are prose that is no summary
_WINDOW = 2_000  # bytes looked at: a summary stands at the beginning
_STRING = re.compile(r"[rRuU]?(\"\"\"|'''|\"|')")
_FIRST = frozenset("\"'rRuU")
_BLOCK_LINE = re.compile(r"^[\s*/!]+|[\s*/]+$")


def doc_in_body(source: Source, start: int, end: int) -> str:
    """The first line with text of the string that a body begins with; "" without one."""
    if source.text[start : start + 1] not in _FIRST:
        return ""
    opening = _STRING.match(source.text, start, end)
    if opening is None:
        return ""
    text = source.slice(opening.end(), min(end, start + _WINDOW)).partition(opening[1])[0]
    return _first(text.split("\n"))


def doc_above(source: Source, start: int) -> str:
    """The first line with text of the documentation comment that ends right above `start`; "" without one."""
    above = source.above(start, _WINDOW)
    if not above.endswith("*/"):
        return ""
    opening = above.rfind("/*")
    if opening < 0 or not above.startswith("/**", opening):
        return ""
    return _first([_BLOCK_LINE.sub("", line) for line in above[opening:].split("\n")])


def _first(lines: list[str]) -> str:
    for line in lines:
        if text := line.strip():
            return text[:MAX_DOC]
    return ""
