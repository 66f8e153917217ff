"""read: a range of the lines of a file."""

from __future__ import annotations

from engram.errors import FileUnavailable, InvalidArgument
from engram.primitives.check import shown
from engram.primitives.outcome import Answer
from engram.primitives.paths import read_file
from engram.primitives.text import cut_around, decode, is_binary

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from engram.primitives.base import Scope

MAX_LINES = 400  # the bound of the design: a whole file is never asked for
MAX_TEXT = 2000  # characters of a line, where the client's own Read cuts, too
_MAX_LINE = 1 << 31

ARGUMENTS: dict[str, Any] = {
    "type": "object",
    "properties": {
        "file": {"type": "string", "minLength": 1, "maxLength": 4096, "description": "path from the root"},
        "from": {"type": "integer", "minimum": 1, "maximum": _MAX_LINE, "description": "first line, 1-based"},
        "to": {"type": "integer", "minimum": 1, "maximum": _MAX_LINE, "description": "last line, inclusive"},
        "secrets": {"type": "boolean", "default": False, "description": "read a file that holds keys, too"},
    },
    "required": ["file", "from", "to"],
    "additionalProperties": False,
}
DATA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "file": {"type": "string"},
        "sha256": {"type": "string", "description": "of the bytes of the whole file"},
        "totalLines": {"type": "integer"},
        "encoding": {"enum": ["utf-8", "utf-16", "not utf-8"], "description": "not utf-8: bytes were replaced"},
        "lines": {
            "type": "array",
            "maxItems": MAX_LINES,
            "items": {
                "type": "object",
                "properties": {
                    "line": {"type": "integer", "minimum": 1},
                    "text": {"type": "string"},
                    "length": {"type": "integer", "description": "characters of the line, where it was cut"},
                },
                "required": ["line", "text"],
                "additionalProperties": False,
            },
        },
    },
    "required": ["file", "sha256", "totalLines", "encoding", "lines"],
    "additionalProperties": False,
}


def run(scope: Scope, arguments: dict[str, Any]) -> Answer:
    """The lines `from` to `to`, at most MAX_LINES of them; a range that ends behind the file ends with it."""
    first, last = arguments["from"], arguments["to"]
    if last < first:
        raise InvalidArgument(f"the range {first} to {last} is reversed", "the first line comes first")
    content = read_file(scope.root, arguments["file"], secrets=arguments["secrets"])
    if is_binary(content.data):
        raise FileUnavailable(f"{shown(content.path)} is binary: it has no lines")
    text = decode(content.data)
    total = len(text.lines)
    if first > max(total, 1):
        raise InvalidArgument(f"line {first} is beyond the end: {shown(content.path)} has {total} lines")
    last = min(last, total)
    items = [_line(number, text.lines[number - 1]) for number in range(first, min(last, first + MAX_LINES - 1) + 1)]
    head = {"file": content.path, "sha256": content.sha256, "totalLines": total, "encoding": text.encoding}

    def left_out(count: int) -> dict[str, Any]:
        following = first + count
        return {"lines": last - following + 1, "from": following, "to": last} if following <= last else {}

    return Answer(head, "lines", items, {content.path: content.sha256}, left_out)


def _line(number: int, text: str) -> dict[str, Any]:
    if len(text) <= MAX_TEXT:
        return {"line": number, "text": text}
    return {"line": number, "text": cut_around(text, 1, MAX_TEXT), "length": len(text)}
