"""`engram journal receipt ID...` and `engram journal verify RECEIPT`."""

from __future__ import annotations

import argparse

from engram.cli.journal import read_head
from engram.errors import InvalidArgument, UnknownRequest
from engram.journal.folder import open_state
from engram.journal.jsonlight import dumps, loads
from engram.journal.log import Journal
from engram.journal.receipt import make_receipt, verify_receipt
from engram.journal.segments import Snapshot
from engram.render import journal as render

# The receipt of a journal at its size limit has 250,000 links of 100 bytes each.
_MAX_RECEIPT = 64 << 20


def run(options: argparse.Namespace, journal: Journal) -> int:
    """Print the receipt of the entries that are named."""
    ids = [journal.find(entry_id).id for entry_id in options.ids]
    folder = open_state(journal.root)
    if folder is None:
        raise UnknownRequest("the journal is empty")
    with folder, Snapshot(folder) as snapshot:
        print(dumps(make_receipt(snapshot, ids)))
    return 0


def check(options: argparse.Namespace) -> int:
    """Print whether a receipt holds; 1 where it does not."""
    try:
        with open(options.receipt, encoding="utf-8") as file:
            receipt = loads(file.read(_MAX_RECEIPT))
    except (OSError, ValueError, RecursionError) as error:
        raise InvalidArgument(f"{options.receipt} cannot be read as a receipt: {error}") from error
    report = verify_receipt(receipt)
    if not report.problem and options.expected_head is not None:
        expected = read_head(options.expected_head)
        if expected.hash != report.head.hash:
            report = report.replace(problem=f"leads to another head than the expected {expected.hash[:16]}...")
    wire = {**report.asdict(), "head": report.head.asdict(), "ok": not report.problem}
    print(dumps(wire) if options.json else render.receipt_text(report))
    return 1 if report.problem else 0
