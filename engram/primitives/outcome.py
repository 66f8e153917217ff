"""What a primitive hands to the runner, and what the runner hands to the shell: the envelope of every answer."""

from __future__ import annotations

from engram.errors import EngramError
from engram.model import Value
from engram.primitives.wire import encode, size

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

ENVELOPE_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "primitive": {"type": "string"},
        "ok": {"type": "boolean"},
        "data": {"type": "object"},
        "error": {
            "type": "object",
            "properties": {"kind": {"type": "string"}, "message": {"type": "string"}, "hint": {"type": "string"}},
            "required": ["kind", "message", "hint"],
            "additionalProperties": False,
        },
        "truncated": {"type": "boolean"},
        "leftOut": {"type": "object", "description": "counts of what is not shown; there where truncated is true"},
        "bytes": {"type": "integer", "description": "of data, or of error, as printed in UTF-8"},
        "durationMs": {"type": "integer"},
        "journalId": {"type": ["string", "null"]},
        "warning": {"type": "string", "description": "why the call is not in the journal"},
    },
    "required": ["primitive", "ok", "truncated", "bytes", "durationMs", "journalId"],
    "additionalProperties": False,
    "oneOf": [{"required": ["data"]}, {"required": ["error"]}],
}
NOTHING: Mapping[str, Any] = {}
MAX_WARNING = 160  # characters; a reason from the system, its path included


def nothing(_shown: int) -> dict[str, Any]:
    """What is left out of an answer that is never cut."""
    return {}


class Answer(Value):
    """What a primitive found: `head`, and under the key `key` the `items` that may be cut from the end.

    `left_out(n)` says what is missing once the first n items are shown, {} for nothing.  `files` maps each path that
    was looked into to the SHA-256 of its bytes; where items name a file ("file"), only theirs are journaled.
    `recorded` is what the journal keeps beside the arguments; `lines` are printed before the envelope.
    """

    head: dict[str, Any]
    key: str
    items: list[Any]
    files: Mapping[str, str] = NOTHING
    left_out: Callable[[int], dict[str, Any]] = nothing
    recorded: Mapping[str, Any] = NOTHING
    lines: tuple[str, ...] = ()

    def data(self, count: int) -> dict[str, Any]:
        """The wire form with the first `count` items."""
        return {**self.head, self.key: self.items[:count]}

    def shown_files(self, count: int) -> dict[str, str]:
        """Path to hash of what the first `count` items were shown from."""
        if not any(isinstance(item, dict) and "file" in item for item in self.items):
            return dict(self.files)
        shown = {item["file"] for item in self.items[:count] if isinstance(item, dict) and "file" in item}
        return {path: digest for path, digest in self.files.items() if path in shown}


class Outcome(Value):
    """One finished call: `result` is the data, or the error where not `ok`; `journal_id` is "" if not journaled.

    `lines` are printed before the envelope.
    """

    primitive: str
    ok: bool
    result: dict[str, Any]
    left_out: dict[str, Any]
    duration_ms: int = 0
    journal_id: str = ""
    warning: str = ""
    lines: tuple[str, ...] = ()

    def to_wire(self) -> dict[str, Any]:
        """The envelope of DESIGN.md section 6, keys in its order."""
        out = {"primitive": self.primitive, "ok": self.ok, ("data" if self.ok else "error"): self.result}
        out["truncated"] = bool(self.left_out)
        if self.left_out:
            out["leftOut"] = self.left_out
        out["bytes"] = size(self.result)
        out["durationMs"] = self.duration_ms
        out["journalId"] = self.journal_id or None
        if self.warning:
            out["warning"] = self.warning[:MAX_WARNING]
        return out

    def to_line(self) -> str:
        """The envelope as one line of JSON, without its end."""
        return encode(self.to_wire())


def failure(error: EngramError) -> dict[str, Any]:
    """The error as it goes on the wire; long texts are cut, so that it fits the smallest budget."""
    return {"kind": error.kind, "message": _short(error.message, 400), "hint": _short(error.hint, 160)}


def _short(text: str, limit: int) -> str:
    """`text` cut to `limit` bytes of its JSON form."""
    if size(text) <= limit:
        return text
    while size(text) > limit - 3:
        text = text[: max(0, len(text) - 1 - (size(text) - limit) // 6)]
    return text + "..."
