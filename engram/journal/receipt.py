"""A receipt: some entries of a journal and the chain between them, to be checked without the journal.

The entries between the chosen ones, and those up to the head, appear by their digests only: enough to recompute
every hash, and nothing of their content is given away.
"""

from __future__ import annotations

import os

from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match

from engram.errors import BrokenChain, UnknownRequest
from engram.journal.content import utc_now
from engram.journal.entry import body_bytes, digest_of, link, parse_line, split_line
from engram.journal.schema import RECEIPT_SCHEMA
from engram.journal.tail import Head
from engram.journal.verify import verify
from engram.model import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from engram.journal.segments import Snapshot

FORMAT = "engram-receipt"
VERSION = 1


class ReceiptReport(Value):
    """What a receipt proves: `entries` stand in one chain that ends in `head`; else `problem` says what is wrong."""

    entries: int
    links: int
    head: Head
    problem: str = ""


def make_receipt(snapshot: Snapshot, ids: list[str]) -> dict[str, Any]:
    """The receipt, as a JSON object, of the entries with these (full) ids; what it is made from is on the disk.

    Raises BrokenChain if the journal does not verify, UnknownRequest if an entry is not kept.
    """
    report = verify(snapshot)
    if report.broken is not None:
        raise BrokenChain(f"{report.broken.file}:{report.broken.line} {report.broken.what}")
    entries: list[dict[str, Any]] = []
    links: list[dict[str, Any]] = []
    seq = 0
    missing = {entry_id.encode("ascii", "replace") for entry_id in ids}
    for segment in snapshot.segments:
        os.fsync(segment.fd)
        for line in segment.lines():
            entry = parse_line(line) if any(map(line.__contains__, missing)) else None
            if entry is not None and entry.id.encode() in missing:
                missing.discard(entry.id.encode())
                entries.append(entry.to_wire())
                seq = entry.seq
            elif entries and (parts := split_line(line)):
                seq += 1  # verified: without gaps
                links.append({"seq": seq, "digest": digest_of(parts[0])})
    if missing:
        raise UnknownRequest(f"the journal has no entry {sorted(missing)[0].decode()!r}")
    head = {"seq": report.head.seq, "hash": report.head.hash}
    return {"format": FORMAT, "v": VERSION, "at": utc_now(), "entries": entries, "links": links, "head": head}


def verify_receipt(receipt: Any) -> ReceiptReport:
    """The report on a receipt; needs nothing but the receipt."""
    error = best_match(Draft202012Validator(RECEIPT_SCHEMA).iter_errors(receipt))
    if error is not None:
        return ReceiptReport(0, 0, Head(), f"is no receipt: {error.json_path}: {error.message[:200]}")
    head = Head(receipt["head"]["seq"], receipt["head"]["hash"])
    problem = _walk(receipt["entries"], receipt["links"], head)
    return ReceiptReport(len(receipt["entries"]), len(receipt["links"]), head, problem)


def _walk(entries: list[dict[str, Any]], links: list[dict[str, Any]], head: Head) -> str:
    """What is wrong with the chain; "" if it holds from the first entry to the head."""
    by_number: dict[int, dict[str, Any]] = {}
    for item in [*links, *entries]:
        if item["seq"] in by_number:
            return f"has entry {item['seq']} twice"
        by_number[item["seq"]] = item
    first = min(entry["seq"] for entry in entries)
    if sorted(by_number) != list(range(first, head.seq + 1)):
        return f"does not have every entry from {first} to its head {head.seq}"
    prev: str = by_number[first]["prev"]
    for seq in range(first, head.seq + 1):
        item = by_number[seq]
        digest = item["digest"] if "digest" in item else digest_of(body_bytes(item))
        own = link(prev, digest)
        if "digest" not in item and (item["prev"] != prev or item["hash"] != own):
            return f"does not hold at entry {seq}: it, or one before it, was changed"
        prev = own
    return "" if prev == head.hash else f"does not lead to its head {head.hash[:16]}..."
