"""Pruning that nobody asked for: when it is due, what goes, and that nobody who appends meanwhile waits for it."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from engram.errors import BrokenChain, JournalUnwritable
from engram.journal import prune as pruning
from engram.journal import upkeep
from engram.journal.content import format_time
from engram.journal.folder import make_state
from engram.journal.lock import PRUNING, JournalLock
from engram.journal.log import Journal
from engram.journal.prune import Pruned
from engram.journal.upkeep import PAUSE_S, prune_if_due

from .conftest import check, dies_after, draft, state

NOTHING = Pruned(0, 0, 0)
FUTURE = "9999"


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    """Twelve entries in six full segments and the current one."""
    made = Journal(str(tmp_path), segment_bytes=1000)
    for number in range(12):
        made.append(draft(number))
    return made


def segments(journal: Journal) -> list[str]:
    return sorted(path.name for path in state(journal).glob("journal*.jsonl"))


def looked_long_ago(journal: Journal, seconds: float = PAUSE_S + 60) -> None:
    at = time.time() - seconds
    os.utime(state(journal) / "journal.looked", (at, at))


def test_full_segments_go_and_the_rest_verifies(journal: Journal) -> None:
    head, full = journal.head(), segments(journal)[1:]
    assert len(full) > 2
    pruned = prune_if_due(journal, before=FUTURE)
    assert segments(journal) == ["journal.jsonl"]
    report = check(journal, head)
    assert (report.broken, report.pruned, report.expected) == (None, pruned.entries, head)
    assert pruned.entries == pruned.last > 0
    assert journal.append(draft(50)).seq == 14
    assert check(journal).broken is None


def test_the_oldest_go_until_the_rest_fits(journal: Journal) -> None:
    sizes = {path.name: path.stat().st_size for path in state(journal).glob("journal*.jsonl")}
    first = sizes["journal.1.jsonl"]
    assert prune_if_due(journal, before="", keep_bytes=sum(sizes.values()) - 1) == NOTHING  # a part of it would do
    looked_long_ago(journal)
    assert prune_if_due(journal, before="", keep_bytes=sum(sizes.values()) - first).bytes == first
    assert segments(journal) == sorted(sizes.keys() - {"journal.1.jsonl"})
    assert check(journal).broken is None


def test_what_is_young_and_little_stays(journal: Journal) -> None:
    assert prune_if_due(journal) == NOTHING
    assert len(segments(journal)) > 3


def test_it_is_looked_at_once_a_day(journal: Journal) -> None:
    assert prune_if_due(journal) == NOTHING
    assert prune_if_due(journal, before=FUTURE) == NOTHING
    looked_long_ago(journal, -3600)  # the clock was set back
    assert prune_if_due(journal, before=FUTURE).entries
    for _ in range(4):
        journal.append(draft())
    assert prune_if_due(journal, before=FUTURE) == NOTHING
    looked_long_ago(journal)
    assert prune_if_due(journal, before=FUTURE).entries
    assert check(journal).broken is None


def test_only_segments_that_are_old_as_a_whole_go(journal: Journal) -> None:
    entries = list(journal.entries())
    pruned = prune_if_due(journal, before=entries[5].at)
    assert pruned.last <= 5
    assert next(entry.seq for entry in journal.entries()) == pruned.last + 1
    assert check(journal).broken is None


def test_who_appends_meanwhile_does_not_wait(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whenever something is forced to the disk, and while all is verified, another process can append at once."""
    impatient = Journal(journal.root, wait_s=0.0)
    appended = []

    def meanwhile(real):  # type: ignore[no-untyped-def]
        def call(*args):  # type: ignore[no-untyped-def]
            if len(appended) < 20:
                appended.append(0)
                appended[-1] = impatient.append(draft(len(appended))).seq
            return real(*args)

        return call

    monkeypatch.setattr(pruning, "verify", meanwhile(pruning.verify))
    monkeypatch.setattr(os, "fsync", meanwhile(os.fsync))
    pruned = prune_if_due(journal, before=FUTURE)
    monkeypatch.undo()
    assert pruned.entries
    assert len(appended) >= 4
    assert check(journal).broken is None
    assert set(appended) <= {entry.seq for entry in journal.entries()}


@pytest.mark.parametrize("step", ["keep_digests", "append", "unlink"])
def test_dying_between_two_steps_breaks_nothing(journal: Journal, step: str) -> None:
    with dies_after({"keep_digests": upkeep, "append": pruning.Appender}.get(step, os), step):
        prune_if_due(journal, before=FUTURE)
    assert check(journal).broken is None
    journal.append(draft(30))
    assert check(journal).broken is None
    looked_long_ago(journal)
    prune_if_due(journal, before=FUTURE)
    assert check(journal).broken is None
    assert segments(journal) == ["journal.jsonl"]


def test_two_at_once_are_refused(journal: Journal) -> None:
    with make_state(journal.root) as folder, JournalLock(folder, 1.0, PRUNING):
        with pytest.raises(JournalUnwritable, match=r"journal\.pruning"):
            prune_if_due(journal, before=FUTURE)
        assert journal.append(draft()).seq == 13
    assert len(segments(journal)) > 3


def test_a_broken_journal_is_not_pruned(journal: Journal) -> None:
    path = state(journal) / "journal.1.jsonl"
    path.write_bytes(path.read_bytes().replace(b'"ok":true', b'"ok":false', 1))
    with pytest.raises(BrokenChain, match=r"journal\.1\.jsonl:1"):
        prune_if_due(journal, before=FUTURE)
    assert path.exists()


def test_where_there_is_no_journal_nothing_is_made(tmp_path: Path) -> None:
    assert prune_if_due(Journal(str(tmp_path))) == NOTHING
    assert list(tmp_path.iterdir()) == []


def test_ninety_days_are_kept(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    in_ninety_days = time.time() + 90 * 86_400 + 3600
    monkeypatch.setattr("engram.journal.upkeep.time.time", lambda: in_ninety_days)
    assert format_time(int(in_ninety_days * 1000)) > list(journal.entries())[-1].at
    assert prune_if_due(journal).entries
