"""Whether a journal is still what was written: every entry, every link between them, and the prunings.

That finds accidents and partial tampering.  Whoever can write the files can also make the whole chain anew; a head
that was kept elsewhere shows that.
"""

from __future__ import annotations

from engram.errors import InvalidArgument
from engram.journal.digest import sha256_hex
from engram.journal.entry import GENESIS, complaint, digest_of, link, split_line
from engram.journal.jsonlight import loads
from engram.journal.log import OWN
from engram.journal.segments import CURRENT, PRUNED
from engram.journal.tail import Head
from engram.model import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from engram.journal.segments import Segment, Snapshot

_HEX = frozenset("0123456789abcdef")


class Broken(Value):
    """The first thing that is wrong: file, line (1-based; 0 stands for the file as a whole), and what it is."""

    file: str
    line: int
    what: str


class Report(Value):
    """What was verified: `entries` in full, `pruned` by their digests; `head` is the last one that still follows.

    `torn` is the number of lines that were cut off while they were written and are accounted for by an entry;
    `torn_tail` the length in bytes of a last line that is not accounted for yet (the next append does it).
    `expected` is the entry that has the expected hash, None where none has or none was expected.
    """

    entries: int
    pruned: int
    head: Head
    broken: Broken | None = None
    torn: int = 0
    torn_tail: int = 0
    expected: Head | None = None


def verify(snapshot: Snapshot, expected: Head | None = None) -> Report:
    """The report on a journal, up to its first broken link."""
    checker = _Checker(expected)
    broken = checker.read_pruned(snapshot.pruned)
    for segment in snapshot.segments if broken is None else []:
        broken = checker.read_segment(segment)
        if broken is not None:
            break
    return checker.report(broken or checker.unaccounted())


def parse_head(text: str) -> Head:
    """The head that `engram journal head` printed: a number and a hash, or the hash alone (number 0).

    Raises InvalidArgument for anything else.
    """
    words = text.split()
    number, own = words if len(words) == 2 else ["0", *words] if len(words) == 1 else ["", ""]
    if not number.isascii() or not number.isdigit() or len(own) != len(GENESIS) or not _HEX.issuperset(own):
        raise InvalidArgument(f"{text[:100]!r} is not a head", "give what `engram journal head` printed, or its file")
    return Head(int(number), own)


class _Checker:
    def __init__(self, expected: Head | None) -> None:
        self._wanted = expected
        self._expected: Head | None = None
        self._hashes: list[str] = []  # of the pruned entries; number n is at n - 1
        self._pruned_text = b""
        self._noted = 0  # entries up to this number may be missing: an entry in the chain says so
        self._note: Broken | None = None
        self._first = 0
        self._entries = self._torn = self._torn_tail = 0
        self._seq, self._prev = 0, GENESIS

    def read_pruned(self, pruned: Segment | None) -> Broken | None:
        if pruned is None:
            return None
        self._pruned_text = pruned.read()
        for number, line in enumerate(self._pruned_text.splitlines(), 1):
            seq, _, digest = line.decode("ascii", "replace").partition(" ")
            if seq != str(number) or len(digest) != len(GENESIS) or not _HEX.issuperset(digest):
                return Broken(PRUNED, number, f"is not the digest of entry {number}")
            self._advance(number, link(self._prev, digest))
            self._hashes.append(self._prev)
        return None

    def read_segment(self, segment: Segment) -> Broken | None:
        lines = segment.read().split(b"\n")
        rest = lines.pop()
        for number, line in enumerate(lines, 1):
            wrong = self._line(line)
            if wrong:
                return Broken(segment.name, number, wrong)
        if rest and segment.name == CURRENT:
            self._torn_tail = len(rest)
        elif rest:
            return Broken(segment.name, len(lines) + 1, "is cut off, although more lines were written after it")
        return None

    def unaccounted(self) -> Broken | None:
        """What is wrong with the prunings as a whole."""
        if self._note is not None:
            return self._note
        kept_from = self._first or len(self._hashes) + 1
        if kept_from > self._noted + 1:
            return Broken(
                PRUNED, 0, f"stands for entries up to {kept_from - 1}, but no entry says that they were pruned"
            )
        return None

    def report(self, broken: Broken | None) -> Report:
        return Report(
            entries=self._entries,
            pruned=(self._first - 1) if self._first else len(self._hashes),
            head=Head(self._seq, self._prev),
            broken=broken,
            torn=self._torn,
            torn_tail=self._torn_tail,
            expected=self._expected,
        )

    def _line(self, line: bytes) -> str:
        """What is wrong with the next line; "" if it follows."""
        parts = split_line(line)
        try:
            wire = loads(line.decode("ascii"))
        except (ValueError, RecursionError):
            return "is not an entry: no JSON"
        wrong = complaint(wire)
        if wrong or parts is None:
            return f"is not an entry of this journal: it {wrong or 'is not in its canonical form'}"
        body, prev, own = parts
        made = link(prev.decode("ascii"), digest_of(body))
        if made != own.decode("ascii"):
            return f"was changed: its content gives {made[:16]}..., its hash says {wire['hash'][:16]}..."
        wrong = self._link(wire)
        if not wrong:
            self._entries += 1
            self._advance(wire["seq"], made)
            if wire["primitive"] == OWN:
                self._read_note(wire["args"])
        return wrong

    def _link(self, wire: dict[str, Any]) -> str:
        seq: int = wire["seq"]
        if not self._first:
            self._first = seq
            if seq - 1 > len(self._hashes):
                return f"is entry {seq}, and nothing is left of entries {len(self._hashes) + 1} to {seq - 1}"
            if seq < 1:
                return f"is entry {seq}; the first is 1"
            self._seq, self._prev = seq - 1, (self._hashes[seq - 2] if seq > 1 else GENESIS)
        if seq != self._seq + 1:
            return f"is entry {seq}, but {self._seq + 1} is due: lines were removed, added or moved before it"
        if wire["prev"] != self._prev:
            return f"does not follow: it names {wire['prev'][:16]}..., entry {self._seq} is {self._prev[:16]}..."
        if seq <= len(self._hashes) and wire["hash"] != self._hashes[seq - 1]:
            return f"is not the entry {seq} whose digest {PRUNED} has"
        return ""

    def _advance(self, seq: int, own: str) -> None:
        self._seq, self._prev = seq, own
        if self._wanted is not None and own == self._wanted.hash and self._wanted.seq in (0, seq):
            self._expected = Head(seq, own)

    def _read_note(self, args: dict[str, Any]) -> None:
        if args.get("event") == "torn-line":
            self._torn += 1
        if args.get("event") != "prune" or not isinstance(args.get("to"), int):
            return
        self._noted = args["to"]
        covered = b"".join(self._pruned_text.splitlines(keepends=True)[: self._noted])
        self._note = None
        if sha256_hex(covered) != args.get("sha256"):
            self._note = Broken(PRUNED, 0, f"is not what entry {self._seq} says of the pruning of 1 to {self._noted}")
