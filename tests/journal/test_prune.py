"""Pruning: the rest still verifies, what went is accounted for, and a process that dies halfway breaks nothing."""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path

import pytest

from engram.errors import BrokenChain
from engram.journal import prune as pruning
from engram.journal.log import Journal
from engram.journal.prune import Pruned, prune

from .conftest import check, dies_after, draft, state

FOREVER = 1 << 40


def _aged(root: str, segment_bytes: int = 2500) -> tuple[Journal, str]:
    """Twelve entries in several segments, and a time between the seventh and the eighth."""
    journal = Journal(root, segment_bytes=segment_bytes)
    between = ""
    for number in range(12):
        if number == 7:
            time.sleep(0.005)
            between = journal.append(draft(number)).at
        else:
            journal.append(draft(number))
    return journal, between


@pytest.mark.parametrize("segment_bytes", [1, 2500, 1 << 20])
def test_old_entries_go_and_the_rest_verifies(tmp_path: Path, segment_bytes: int) -> None:
    journal, between = _aged(str(tmp_path), segment_bytes)
    head = journal.head()
    before = list(journal.entries())
    kept = [entry for entry in before if entry.at >= between]
    pruned = prune(journal, before=between, keep_bytes=FOREVER)
    assert (pruned.entries, pruned.last) == (len(before) - len(kept), before.index(kept[0]))
    assert list(journal.entries())[: len(kept)] == kept
    report = check(journal, head)
    assert (report.broken, report.pruned, report.entries, report.expected) == (None, pruned.last, len(kept) + 1, head)
    assert check(journal, journal.head()).expected == journal.head()
    assert journal.append(draft(50)).seq == 14
    assert check(journal).broken is None


def test_entries_go_until_the_rest_fits(tmp_path: Path) -> None:
    journal, _ = _aged(str(tmp_path))
    head = next(journal.entries()).hash
    prune(journal, before="", keep_bytes=4000)
    assert sum(path.stat().st_size for path in state(journal).glob("journal*.jsonl")) < 4000 + 1000  # and the note
    again = prune(journal, before="", keep_bytes=2000)
    assert again.entries
    report = check(journal)
    assert (report.broken, report.pruned) == (None, again.last)
    assert head not in {entry.hash for entry in journal.entries()}
    assert prune(journal, before="", keep_bytes=FOREVER) == Pruned(0, 0, 0)


def test_everything_may_go(tmp_path: Path) -> None:
    journal, _ = _aged(str(tmp_path))
    assert prune(journal, before="9999", keep_bytes=FOREVER).entries == 12
    assert [entry.primitive for entry in journal.entries()] == ["journal"]
    report = check(journal)
    assert (report.broken, report.pruned, report.entries) == (None, 12, 1)
    assert prune(journal, before="9999", keep_bytes=FOREVER).entries == 1
    assert check(journal).broken is None


def test_a_broken_journal_is_not_pruned(tmp_path: Path) -> None:
    journal, _ = _aged(str(tmp_path))
    path = state(journal) / "journal.1.jsonl"
    path.write_bytes(path.read_bytes().replace(b'"ok":true', b'"ok":false', 1))
    with pytest.raises(BrokenChain, match=r"journal\.1\.jsonl:1"):
        prune(journal, before="9999", keep_bytes=FOREVER)
    assert path.exists()


@pytest.mark.parametrize("step", ["keep_digests", "append", "unlink", "rename"])
def test_dying_between_two_steps_breaks_nothing(tmp_path: Path, step: str) -> None:
    journal, between = _aged(str(tmp_path))
    with dies_after({"keep_digests": pruning, "append": pruning.Appender}.get(step, os), step):
        prune(journal, before=between, keep_bytes=FOREVER)
    assert check(journal).broken is None
    journal.append(draft(30))
    assert check(journal).broken is None
    prune(journal, before=between, keep_bytes=FOREVER)
    report = check(journal)
    assert (report.broken, report.pruned) == (None, 7)


@pytest.mark.parametrize("change", ["digest", "remove last", "remove first", "remove file", "unnoted", "garbage"])
def test_changed_digests_are_found(tmp_path: Path, change: str) -> None:
    journal, between = _aged(str(tmp_path))
    copies = tmp_path / "copies"
    shutil.copytree(state(journal), copies)
    prune(journal, before=between, keep_bytes=FOREVER)
    path = state(journal) / "journal.pruned"
    lines = path.read_bytes().splitlines(keepends=True)
    if change == "digest":
        lines[2] = lines[2].replace(lines[2][5:6], b"0" if lines[2][5:6] != b"0" else b"1", 1)
    elif change == "remove last":
        lines = lines[:-1]
    elif change == "remove first":
        lines = lines[1:]
    elif change == "garbage":
        lines[1] = b"\xff\n"
    path.write_bytes(b"".join(lines))
    if change == "remove file":
        path.unlink()
    if change == "unnoted":  # entries removed by hand, with digests in their place, but no entry that says so
        for name in state(journal).iterdir():
            name.unlink()
        for name in copies.iterdir():
            shutil.copy(name, state(journal))
        path.write_bytes(b"".join(lines))
        (state(journal) / "journal.1.jsonl").unlink()
    assert check(journal).broken is not None
