"""A journal entry: its fields, its one form as bytes, and its place in the chain.

Canonical bytes: the members in the order of `BODY_FIELDS`, each value as key-sorted ASCII JSON without spaces.
`digest` is the SHA-256 of these bytes, `hash` the SHA-256 of the 128 characters `prev` + `digest`.  The two steps
let the chain be checked where only the digests of some entries are left: after pruning, and inside a receipt.

Format versions: 1 (the first).
"""

from __future__ import annotations

from engram.journal.digest import sha256_hex
from engram.journal.jsonlight import dumps, loads
from engram.model import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

VERSION = 1
GENESIS = "0" * 64

# wire name -> (field of JournalEntry, types of its JSON value)
_INT, _STR, _BOOL = (int,), (str,), (bool,)
BODY_FIELDS: dict[str, tuple[str, tuple[type, ...]]] = {
    "v": ("v", _INT),
    "id": ("id", _STR),
    "seq": ("seq", _INT),
    "at": ("at", _STR),
    "session": ("session", _STR),
    "agent": ("agent", (str, type(None))),
    "primitive": ("primitive", _STR),
    "args": ("args", (dict,)),
    "ok": ("ok", _BOOL),
    "resultHash": ("result_hash", _STR),
    "bytes": ("bytes", _INT),
    "truncated": ("truncated", _BOOL),
    "preview": ("preview", _STR),
    "durationMs": ("duration_ms", _INT),
    "commit": ("commit", (str, type(None))),
    "files": ("files", (dict,)),
    "redacted": ("redacted", (list,)),
}
CHAIN_FIELDS = ("prev", "hash")

_PREV, _HASH, _END = b',"prev":"', b'","hash":"', b'"}'
_HEX = 64
_PREV_START = len(_PREV)
_PREV_END = _PREV_START + _HEX
_HASH_START = _PREV_END + len(_HASH)
_HASH_END = _HASH_START + _HEX
_TAIL = _HASH_END + len(_END)


class Draft(Value):
    """A call that is to be journaled.

    `result` is what the caller was shown: the envelope's `data` or, where `ok` is False, its `error`; anything
    with a JSON form.  `files` maps each path shown from to the SHA-256 of the whole file.  `bytes` is the size
    that the envelope tells; -1 stands for the length of the result's canonical JSON.
    """

    primitive: str
    args: dict[str, Any]
    ok: bool
    result: Any
    truncated: bool
    files: dict[str, str]
    duration_ms: int
    session: str
    agent: str | None = None
    commit: str | None = None
    bytes: int = -1


class JournalEntry(Value):
    """One line of the journal; `at` is UTC with milliseconds, `redacted` names what was kept out of the entry."""

    v: int
    id: str
    seq: int
    at: str
    session: str
    agent: str | None
    primitive: str
    args: dict[str, Any]
    ok: bool
    result_hash: str
    bytes: int
    truncated: bool
    preview: str
    duration_ms: int
    commit: str | None
    files: dict[str, str]
    redacted: tuple[str, ...]
    prev: str
    hash: str

    def to_wire(self) -> dict[str, Any]:
        """The entry as a JSON object, its members in the order of the line."""
        body = {name: getattr(self, field) for name, (field, _) in BODY_FIELDS.items()}
        return {**body, "redacted": list(self.redacted), "prev": self.prev, "hash": self.hash}


def body_bytes(wire: dict[str, Any]) -> bytes:
    """The canonical bytes of an entry, from its JSON object with or without `prev` and `hash`."""
    return ("{" + ",".join([f'"{name}":{dumps(wire[name])}' for name in BODY_FIELDS]) + "}").encode("ascii")


def digest_of(body: bytes) -> str:
    """The hexadecimal digest of canonical bytes."""
    return sha256_hex(body)


def link(prev: str, digest: str) -> str:
    """The hash of the entry with that digest behind the entry with the hash `prev`."""
    return sha256_hex((prev + digest).encode("ascii"))


def to_line(wire: dict[str, Any], prev: str) -> tuple[bytes, str]:
    """The line (newline included) and the hash of an entry behind `prev`."""
    body = body_bytes(wire)
    own = link(prev, digest_of(body))
    return b"".join([body[:-1], _PREV, prev.encode("ascii"), _HASH, own.encode("ascii"), _END, b"\n"]), own


# A line taken apart without parsing it: canonical bytes, `prev`, `hash`.  A plain tuple: `verify` makes 100,000.
Parts = tuple[bytes, bytes, bytes]


def split_line(line: bytes) -> Parts | None:
    """The parts of a line without its newline; None if it does not end as an entry does."""
    tail = line[-_TAIL:]
    if tail[:_PREV_START] != _PREV or tail[_PREV_END:_HASH_START] != _HASH or tail[_HASH_END:] != _END:
        return None
    return line[:-_TAIL] + b"}", tail[_PREV_START:_PREV_END], tail[_HASH_START:_HASH_END]


def complaint(wire: Any) -> str:
    """What makes an object no entry of a version that is known here; "" for an entry."""
    if not isinstance(wire, dict):
        return "is not an object"
    version = wire.get("v")
    if isinstance(version, int) and version > VERSION:
        return f"is of version {version}, which a newer engram wrote"
    if tuple(wire) != (*BODY_FIELDS, *CHAIN_FIELDS):
        missing = [name for name in (*BODY_FIELDS, *CHAIN_FIELDS) if name not in wire]
        return f"lacks {missing[0]!r}" if missing else "has other members, or in another order, than an entry"
    for name, (_, types) in BODY_FIELDS.items():
        if type(wire[name]) not in types:
            return f"has no {types[0].__name__} as {name!r}"
    return ""


def parse_line(line: bytes) -> JournalEntry | None:
    """The entry in a line; None for anything else.  Its hash is not checked."""
    try:
        wire = loads(line.decode("ascii"))
    except (ValueError, RecursionError):
        return None
    return None if complaint(wire) else from_wire(wire)


def from_wire(wire: dict[str, Any]) -> JournalEntry:
    """The entry that a JSON object without `complaint` stands for."""
    # In the order of the fields, which is that of the members.
    *body, redacted = [wire[name] for name in BODY_FIELDS]
    values = [*body, tuple(redacted), wire["prev"], wire["hash"]]
    return JournalEntry(*values)
