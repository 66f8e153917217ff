"""The text of one file, and slices of it in the shape that facts carry."""

from __future__ import annotations

import re

from tree_sitter import Node

from engram.extract.facts import CUT, MAX_EXPRESSION

_MAX_RAW = 4 * MAX_EXPRESSION  # how much of a long slice is folded before it is cut: indentation is mostly space
_LAST_NAME = re.compile(r"[\w$#]{1,80}$")


class Source:
    """The bytes of a file as a string of one character per byte, so that slices by byte offset cost no decoding."""

    __slots__ = ("is_ascii", "is_utf8", "text")

    def __init__(self, source: bytes) -> None:
        self.text = source.decode("latin-1")
        self.is_ascii = source.isascii()
        self.is_utf8 = self.is_ascii or _decodes(source)

    def slice(self, start: int, end: int) -> str:
        """The text between two byte offsets, as it stands; bytes that are no UTF-8 become U+FFFD."""
        text = self.text[start:end]
        return text if self.is_ascii or text.isascii() else text.encode("latin-1").decode("utf-8", "replace")

    def above(self, start: int, size: int) -> str:
        """The text of at most `size` bytes that ends at `start`, without white space at its end."""
        return self.slice(max(0, start - size), start).rstrip()

    def expression(self, node: Node) -> str:
        """A node as facts carry it: white space folded, cut at MAX_EXPRESSION characters."""
        start = node.start_byte
        end = node.end_byte
        if end - start > MAX_EXPRESSION:
            return self.folded(start, end)
        text = self.text[start:end]
        return text if "\n" not in text and text.isascii() else self.folded(start, end)

    def callee(self, node: Node) -> str:
        """A node as `expression` gives it; one that is cut keeps its last name."""
        text = self.expression(node)
        if not text.endswith(CUT):
            return text
        end = node.end_byte
        name = _LAST_NAME.search(self.slice(end - MAX_EXPRESSION // 2, end))
        if name is None:
            return text
        return f"{text[: MAX_EXPRESSION - len(name[0]) - 2]}{CUT}.{name[0]}"

    def arguments(self, node: Node) -> str:
        """What stands between the brackets of an argument list; "" where there are none."""
        start = node.start_byte
        if self.text[start : start + 1] != "(":
            return ""
        end = node.end_byte - 1
        text = self.text[start + 1 : end]
        return (
            text if len(text) <= MAX_EXPRESSION and "\n" not in text and text.isascii() else self.folded(start + 1, end)
        )

    def folded(self, start: int, end: int, limit: int = MAX_EXPRESSION) -> str:
        """The text between two offsets with each run of white space as one blank, at most `limit` characters."""
        text = self.slice(start, min(end, start + _MAX_RAW))
        folded = " ".join(text.split())
        if end - start > _MAX_RAW or len(folded) > limit:
            return folded[: limit - 1].rstrip("\ufffd") + CUT
        return folded


def _decodes(source: bytes) -> bool:
    try:
        source.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
