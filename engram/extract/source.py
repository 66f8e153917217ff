"""The text of one file, and slices of it in the shape that facts carry."""

from __future__ import annotations

import re
from functools import cache

from tree_sitter import Node

from engram.extract.facts import CUT, MAX_EXPRESSION
from engram.extract.languages import Language

_MAX_RAW = 2 * MAX_EXPRESSION  # how much of a long slice is folded before it is cut: indentation is mostly space


class Source:
    """The bytes of a file as a string of one character per byte, so that slices by byte offset cost no decoding."""

    __slots__ = ("_comment", "_comments", "chain_marks", "is_ascii", "is_utf8", "respelled", "spelling", "text")

    def __init__(self, source: bytes, language: Language) -> None:
        self._comment = language.comment
        self._comments = _comments(language.comment)
        self.text = source.decode("latin-1")
        self.is_ascii = source.isascii()
        self.chain_marks = [mark for mark in language.chain_marks if mark in self.text]
        self.spelling = [(re.compile(pattern), instead) for pattern, instead in language.spelling]
        self.respelled = bool(self.chain_marks or self.spelling)  # facts carry another text than the source
        self.is_utf8 = self.is_ascii or _decodes(source)

    def slice(self, start: int, end: int) -> str:
        """The text between two byte offsets, as it stands; bytes that are no UTF-8 become U+FFFD."""
        text = self.text[start:end]
        return text if self.is_ascii or text.isascii() else text.encode("latin-1").decode("utf-8", "replace")

    def above(self, start: int, size: int) -> str:
        """The text of at most `size` bytes that ends at `start`, without white space at its end."""
        return self.slice(max(0, start - size), start).rstrip()

    def expression(self, start: int, end: int, limit: int = MAX_EXPRESSION) -> str:
        """An expression as facts carry it: white space folded, cut at `limit` characters."""
        if end - start <= limit:  # no longer slice is taken whole: chains of calls would make that quadratic
            text = self.text[start:end]
            if text.isascii() and (is_plain(text) if self.respelled else "\n" not in text):
                return text
        return self.folded(start, end, limit)

    def chain(self, start: int, end: int) -> str:
        """An expression that may be a chain over several lines: no blanks before its dots."""
        text = self.expression(start, end)
        return text.replace(" .", ".") if " ." in text else text

    def node(self, node: Node) -> str:
        """The expression that a node is."""
        start, end = node.byte_range
        if end - start <= MAX_EXPRESSION:
            text = self.text[start:end]
            if text.isidentifier() and text.isascii():  # most nodes that are asked for are names
                return text
        return self.expression(start, end)

    def folded(self, start: int, end: int, limit: int = MAX_EXPRESSION, *, spelled: bool = True) -> str:
        """The text between two offsets with each run of white space as one blank, at most `limit` characters.

        With `spelled` as expressions are spelled in facts, else as it is written.
        """
        text = self.text[start : start + _MAX_RAW] if end - start > _MAX_RAW else self.text[start:end]
        if not text.isascii():
            text = text.encode("latin-1").decode("utf-8", "replace")
        if self._comment in text and "\n" in text:
            text = self._comments.sub("", text)
        folded = " ".join(text.split())
        if self.respelled and spelled:
            folded = self._spelled(folded)
        if end - start > _MAX_RAW or len(folded) > limit:
            return folded[: limit - 1].rstrip("\ufffd") + CUT
        return folded

    def _spelled(self, text: str) -> str:
        for mark in self.chain_marks:
            text = text.replace(mark, ".")
        for pattern, instead in self.spelling:
            text = pattern.sub(instead, text)
        return text


def is_plain(text: str) -> bool:
    """Whether an expression is only names with dots between them, which no spelling changes."""
    return text.replace(".", "_").isidentifier() and ".await" not in text


@cache
def _comments(mark: str) -> re.Pattern[str]:
    """Comments to the end of their line, as far as they hold no quote that might say they stand in a string."""
    return re.compile(rf"(?m)(?:^|(?<=\s)){re.escape(mark)}[^'\"\n]*$")


def _decodes(source: bytes) -> bool:
    try:
        source.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
