"""The first line of what a definition says about itself."""

from __future__ import annotations

import re

from engram.extract.source import Source

MAX_DOC = 200  # characters of the first line; longer ones are prose that is no summary
_WINDOW = 2_000  # bytes looked at: a summary stands at the beginning
_LINES_WINDOW = 8_000  # the same for comments of single lines: their beginning is only found from their end
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


def doc_above(source: Source, start: int, line_mark: str = "") -> str:
    """The first line with text of the documentation comment that ends right above `start`; "" without one.

    `line_mark` begins the lines of such a comment, where the language has any.
    """
    above = source.above(start, _WINDOW)
    if line_mark and above.rpartition("\n")[2].lstrip().startswith(line_mark):
        return _lines_above(source, start, line_mark)
    if not above.endswith("*/"):
        return ""
    opening = above.rfind("/*")
    if opening < 0 or not above.startswith("/**", opening):
        return ""
    return _first([_BLOCK_LINE.sub("", line) for line in above[opening:].split("\n")])


def _lines_above(source: Source, start: int, mark: str) -> str:
    """The first line of the block of comments that ends on the line above `start`."""
    lines = source.slice(max(0, start - _LINES_WINDOW), start).rstrip(" \t").split("\n")
    if lines.pop() or not lines:
        return ""
    found: list[str] = []
    for line in reversed(lines):
        text = line.strip()
        if not text.startswith(mark):
            break
        found.append(text[len(mark) :])
    return _first([line for line in reversed(found) if not line.startswith("go:")])  # not prose but for the compiler


def _first(lines: list[str]) -> str:
    for line in lines:
        if text := line.strip():
            return text[:MAX_DOC]
    return ""
