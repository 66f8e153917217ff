"""Bytes of a file to its lines, as they are shown."""

from __future__ import annotations

from engram.model import Value

ELLIPSIS = "\u2026"
_BOM_UTF8 = b"\xef\xbb\xbf"
_BOMS_UTF16 = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}


class Text(Value):
    """The lines of a file without their ends; `encoding` is "utf-8", "utf-16" or, where bytes were replaced,
    "not utf-8"."""

    lines: list[str]
    encoding: str


def is_binary(data: bytes) -> bool:
    """Whether `data` has a NUL and is no UTF-16 with a mark: ripgrep's test, over the whole file."""
    return b"\0" in data and data[:2] not in _BOMS_UTF16


def decode(data: bytes) -> Text:
    r"""The lines of `data`, split at "\n" alone, as ripgrep, git and tree-sitter count them; a final "\r" is dropped.

    The end of the last line begins no further one; no bytes are no lines.  What is not UTF-8 becomes U+FFFD.
    """
    codec = _BOMS_UTF16.get(data[:2])
    if codec:
        return Text(_split(data[2:].decode(codec, "replace")), "utf-16")
    data = data.removeprefix(_BOM_UTF8)
    try:
        return Text(_split(data.decode()), "utf-8")
    except UnicodeDecodeError:
        return Text(_split(data.decode("utf-8", "replace")), "not utf-8")


def _split(text: str) -> list[str]:
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    return [line[:-1] if line.endswith("\r") else line for line in lines]


def cut_around(line: str, column: int, width: int) -> str:
    """`line` cut to `width` characters around `column` (1-based), an ellipsis wherever something is missing."""
    if len(line) <= width:
        return line
    start = max(0, min(column - 1 - width // 3, len(line) - width))
    end = start + width
    return (ELLIPSIS if start else "") + line[start:end] + (ELLIPSIS if end < len(line) else "")
