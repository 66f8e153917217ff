"""What is kept beside the graph for each indexed file: its record, its facts, and what asks for it by name.

All of it is a function of the files' contents, and is swapped and updated together with the graph.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from engram.store.schema import Keys
    from engram.store.wire import Connection, Part

RECORDS, FACTS, NAMES, ASKED, ASKERS = "records", "facts", "names", "asked", "askers"
LEXICAL, NUMBERS = "lexical", "numbers"
SIDES = (RECORDS, FACTS, NAMES, ASKED, ASKERS)
_FIELDS = 2000  # of one HSET: keeps a command to some 5 MB of facts

type Command = tuple[Part, ...]


class FileRecord(NamedTuple):
    """What tells whether a file is still the one that was read; `number` is that of its documents.

    `settled` is 0 for a file that may have changed since without a trace in its times.  `skipped` is the reason why a
    file that was read is not indexed (number 0 then), "" for an indexed one.
    """

    settled: int
    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int
    number: int
    indexed_ns: int
    sha256: str
    skipped: str = ""


def is_settled_as(packed: bytes, size: int, mtime_ns: int, ctime_ns: int, inode: int) -> bool:
    """Whether a packed record is that of a file with this `stat`, settled: it need not be read again."""
    return packed.startswith(b"1 %d %d %d %d " % (size, mtime_ns, ctime_ns, inode))


def encode_path(path: str) -> bytes:
    """A path as it crosses the wire; names that are not UTF-8 keep their bytes apart as lone surrogates."""
    return path.encode("utf-8", "surrogatepass")


def decode_path(raw: bytes) -> str:
    """The inverse of `encode_path`."""
    return raw.decode("utf-8", "surrogatepass")


def set_command(key: str, values: Mapping[bytes, bytes]) -> list[Command]:
    """HSETs that write all of `values` under `key`; none for no values."""
    items = list(values.items())
    return [
        ("HSET", key, *[part for item in items[start : start + _FIELDS] for part in item])
        for start in range(0, len(items), _FIELDS)
    ]


def delete_command(key: str, fields: Iterable[bytes]) -> list[Command]:
    """The HDEL of `fields` under `key`; none for no fields."""
    doomed = list(fields)
    return [("HDEL", key, *doomed)] if doomed else []


def pack_record(record: FileRecord) -> bytes:
    """The record as one value of the records' hash."""
    return " ".join([str(field) for field in record]).encode()


def read_records(connection: Connection, keys: Keys, only: Sequence[str] = ()) -> dict[str, bytes]:
    """The packed records of all files that were read, by path; of `only` these, where they are given."""
    if only:
        found = connection.call("HMGET", keys.side(RECORDS), *[encode_path(path) for path in only])
        return {path: raw for path, raw in zip(only, found, strict=True) if raw}
    flat = connection.call("HGETALL", keys.side(RECORDS))
    return {decode_path(flat[i]): flat[i + 1] for i in range(0, len(flat), 2)}


def unpack_record(packed: bytes) -> FileRecord:
    """The inverse of `pack_record`."""
    *numbers, sha256, skipped = packed.decode().split(" ")
    settled, size, mtime_ns, ctime_ns, inode, number, indexed_ns = [int(text) for text in numbers]
    return FileRecord(settled, size, mtime_ns, ctime_ns, inode, number, indexed_ns, sha256, skipped)


def pack_paths(paths: Iterable[str]) -> bytes:
    """The paths under one name, as one value of the names' hash: sorted, whatever order they come in."""
    return b"\0".join(sorted([encode_path(path) for path in paths]))


def unpack_paths(raw: bytes | None) -> list[str]:
    """The inverse of `pack_paths`; empty for a name that no file has."""
    return [decode_path(path) for path in raw.split(b"\0")] if raw else []
