"""The lexical index in Redis hashes beside the graph: written in segments, read in one round trip.

`base:0`, `base:1`, ... are the segments of a full index, one for each worker that built it; `base:delta` holds what
runs since then have added; `base` itself holds the number of segments.  A field is a term or one of the other fields
that engram/extract/words.py names.  Its value is five bytes for each posting: one of impact (1 to 255 for 0 to 1),
and the document id, little end first.

An id is the number of the document's file << SLOT_BITS | slot; slot 0 is the file, slot i + 1 its definition i.  A
changed file gets a new number.  Its old postings stay until the next full index; `DEAD` lists their numbers (u32 each).
"""

from __future__ import annotations

from engram.errors import NotIndexed, StoreError
from engram.model import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from engram.store.wire import Connection

    Command = tuple[str | bytes | int, ...]

SLOT_BITS = 12
SLOT_MASK = (1 << SLOT_BITS) - 1
STATS = b"#"  # u32 files, u32 documents
DEAD = b"#dead"
RECORD = 5
MAX_FIELDS = 4_000  # per HSET: longer commands would keep other clients of the single-threaded server waiting
MAX_SEGMENTS = 64  # no index is built by more workers (config.py)
USUAL_SEGMENTS = 2  # asked for at once; more cost a second round trip


class Postings(Value):
    """What the index holds for the fields asked: field to its packed lists, one for each segment that knows it.

    `files` and `documents` count what is in the index, replaced ones included; `dead` are numbers of files whose
    postings no longer count.
    """

    files: int
    documents: int
    lists: dict[bytes, list[bytes]]
    dead: frozenset[int]

    def bearers(self, field: bytes) -> list[int]:
        """The ids of the documents that stand under `field`, those of replaced files left out."""
        found = [doc for packed in self.lists.get(field, ()) for doc in unpack(packed)[0].tolist()]
        return [doc for doc in found if doc >> SLOT_BITS not in self.dead] if self.dead else found


def segment_key(base: str, index: int) -> str:
    """The key of one segment of a full index."""
    return f"{base}:{index}"


def delta_key(base: str) -> str:
    """The key of what was added since the full index."""
    return f"{base}:delta"


def segment_commands(key: str, segment: Mapping[bytes, bytes]) -> list[Command]:
    """HSET commands that write the fields of `segment` to `key`, MAX_FIELDS at a time."""
    fields = list(segment.items())
    commands: list[Command] = []
    for start in range(0, len(fields), MAX_FIELDS):
        flat: list[str | bytes | int] = ["HSET", key]
        for pair in fields[start : start + MAX_FIELDS]:
            flat += pair
        commands.append(tuple(flat))
    return commands


def publish_commands(new_base: str, base: str, count: int) -> list[Command]:
    """Commands, for one MULTI, that put the `count` segments under `new_base` in the place of the index at `base`."""
    commands: list[Command] = [
        ("RENAME", segment_key(new_base, index), segment_key(base, index)) for index in range(count)
    ]
    surplus = [segment_key(base, index) for index in range(count, MAX_SEGMENTS)]
    return [*commands, ("DEL", delta_key(base), *surplus), ("SET", base, count)]


def update_commands(
    connection: Connection, base: str, segment: Mapping[bytes, bytes], replaced: Iterable[int]
) -> list[Command]:
    """Commands, for one MULTI, that add `segment` to the index at `base` and declare the files `replaced` dead.

    Reads the present delta, so the caller must hold the index lock until the commands have run.  `segment` comes from
    a SegmentBuilder over the changed files alone and may be empty.
    """
    key = delta_key(base)
    fields = [*segment, STATS, DEAD] if STATS not in segment else [*segment, DEAD]
    present = connection.call("HMGET", key, *fields)
    if not isinstance(present, list):
        raise StoreError(f"the lexical index answered {present!r}")
    added: dict[bytes, bytes] = {}
    for field, old in zip(fields, present, strict=True):
        new = segment.get(field, b"")
        if field == STATS:
            added[field] = _add_counts(old or b"", new)
        elif field == DEAD:
            added[field] = (old or b"") + b"".join([number.to_bytes(4, "little") for number in sorted(replaced)])
        else:
            added[field] = old + new if old else new
    return segment_commands(key, added)


def delta_size(connection: Connection, base: str) -> tuple[int, int]:
    """How many documents the delta has added, and how many files it has declared dead."""
    stats, dead = connection.pipeline([("HGET", delta_key(base), STATS), ("HGET", delta_key(base), DEAD)])
    counts = stats if isinstance(stats, bytes) else b""
    return _counts(counts)[1], len(dead) // 4 if isinstance(dead, bytes) else 0


def read_postings(connection: Connection, base: str, fields: Sequence[bytes]) -> Postings:
    """The postings of `fields` in all segments and in the delta, in one round trip (two above USUAL_SEGMENTS).

    Raises NotIndexed where no index is.
    """
    asked = [STATS, DEAD, *fields]
    keys = [*[segment_key(base, index) for index in range(USUAL_SEGMENTS)], delta_key(base)]
    commands: list[Command] = [("GET", base)]
    commands += [("HMGET", key, *asked) for key in keys]
    count, *replies = connection.pipeline(commands)
    if not isinstance(count, bytes):
        raise NotIndexed("this checkout has no index yet", "run: engram index")
    if int(count) > USUAL_SEGMENTS:
        more = [segment_key(base, index) for index in range(USUAL_SEGMENTS, int(count))]
        replies += connection.pipeline([("HMGET", key, *asked) for key in more])
    return collect(asked, replies)


def collect(asked: Sequence[bytes], replies: Sequence[object]) -> Postings:
    """Postings out of one HMGET reply per segment; each begins with STATS and DEAD."""
    lists: dict[bytes, list[bytes]] = {}
    files = documents = 0
    dead: set[int] = set()
    for reply in replies:
        if isinstance(reply, StoreError):
            raise reply
        if not isinstance(reply, list):
            raise StoreError(f"the lexical index answered {reply!r}")
        more_files, more_documents = _counts(reply[0] or b"")
        files, documents = files + more_files, documents + more_documents
        gone = reply[1] or b""
        dead.update([_u32(gone[at:]) for at in range(0, len(gone), 4)])
        for field, packed in zip(asked, reply, strict=True):
            if packed and field[:1] != STATS:
                lists.setdefault(field, []).append(packed)
    return Postings(files, documents, lists, frozenset(dead))


def unpack(packed: bytes) -> tuple[memoryview, bytes]:
    """The ids of documents and their impacts, 1 to 255, in the same order."""
    impacts = packed[::RECORD]
    ids = bytearray(4 * len(impacts))
    for byte in range(4):
        ids[byte::4] = packed[1 + byte :: RECORD]
    return memoryview(ids).cast("I"), impacts


def _u32(packed: bytes) -> int:
    return int.from_bytes(packed[:4], "little")


def _counts(stats: bytes) -> tuple[int, int]:
    return (_u32(stats), _u32(stats[4:])) if len(stats) == 8 else (0, 0)


def _add_counts(old: bytes, new: bytes) -> bytes:
    return b"".join([sum(pair).to_bytes(4, "little") for pair in zip(_counts(old), _counts(new), strict=True)])
