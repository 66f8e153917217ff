"""JSON Schemas (draft 2020-12) of what the journal writes: entries, version 1, and receipts, version 1.

`complaint` in entry.py is the plain check beside the first; a test runs both over the same entries.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_HASH = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
_COUNT = {"type": "integer", "minimum": 0}

ENTRY_SCHEMA: dict[str, Any] = {
    "$schema": _DIALECT,
    "title": "engram journal entry, version 1",
    "type": "object",
    "properties": {
        "v": {"const": 1},
        "id": {"type": "string", "pattern": "^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$"},
        "seq": {"type": "integer", "minimum": 1, "description": "number in the chain, without gaps"},
        "at": {
            "type": "string",
            "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}[.][0-9]{3}Z$",
            "description": "UTC, when the line was written",
        },
        "session": {"type": "string", "maxLength": 256},
        "agent": {"type": ["string", "null"], "maxLength": 256},
        "primitive": {"type": "string", "minLength": 1, "maxLength": 256},
        "args": {"type": "object"},
        "ok": {"type": "boolean"},
        "resultHash": {**_HASH, "description": "SHA-256 over the key-sorted JSON of the redacted result"},
        "bytes": _COUNT,
        "truncated": {"type": "boolean"},
        "preview": {"type": "string", "maxLength": 500},
        "durationMs": _COUNT,
        "commit": {"anyOf": [{"type": "null"}, {"type": "string", "pattern": "^([0-9a-f]{40}|[0-9a-f]{64})$"}]},
        "files": {"type": "object", "additionalProperties": _HASH, "maxProperties": 128},
        "redacted": {"type": "array", "items": {"type": "string"}, "uniqueItems": True},
        "prev": _HASH,
        "hash": _HASH,
    },
    "additionalProperties": False,
}
ENTRY_SCHEMA["required"] = list(ENTRY_SCHEMA["properties"])

_HEAD = {
    "type": "object",
    "properties": {"seq": _COUNT, "hash": _HASH},
    "required": ["seq", "hash"],
    "additionalProperties": False,
}

RECEIPT_SCHEMA: dict[str, Any] = {
    "$schema": _DIALECT,
    "title": "engram receipt, version 1",
    "type": "object",
    "properties": {
        "format": {"const": "engram-receipt"},
        "v": {"const": 1},
        "at": ENTRY_SCHEMA["properties"]["at"],
        "entries": {"type": "array", "items": ENTRY_SCHEMA, "minItems": 1},
        "links": {
            "type": "array",
            "description": "the entries between those, each by its number and the SHA-256 of its canonical bytes",
            "items": {
                "type": "object",
                "properties": {"seq": {"type": "integer", "minimum": 1}, "digest": _HASH},
                "required": ["seq", "digest"],
                "additionalProperties": False,
            },
        },
        "head": {**_HEAD, "description": "the last entry that the receipt proves: links go up to it"},
    },
    "required": ["format", "v", "at", "entries", "links", "head"],
    "additionalProperties": False,
}
