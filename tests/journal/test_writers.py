"""Many processes at once, processes that are killed, disks that are full: no line is lost, mixed up or half written."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engram.errors import JournalUnwritable
from engram.journal.log import Journal
from tests.patience import wait_until

from .conftest import check, draft, state

ROOT = str(Path(__file__).parents[2])
WRITER = """
import sys
from engram.journal.log import Journal
from engram.journal.entry import Draft
root, name, count, size, segment = sys.argv[1], sys.argv[2], *map(int, sys.argv[3:])
journal = Journal(root, wait_s=600, segment_bytes=segment)
for number in range(count):
    call = Draft("read", {"n": number, "pad": "p" * (size * (number % 3))}, True, number, False, {}, 1, name)
    print(journal.append(call).id, flush=True)
"""


def _start(root: str, name: str, count: int, size: int = 50, segment: int = 1 << 24) -> subprocess.Popen[str]:
    command = [sys.executable, "-S", "-c", WRITER, root, name, str(count), str(size), str(segment)]
    return subprocess.Popen(command, env={"PYTHONPATH": ROOT}, stdout=subprocess.PIPE, text=True)


def _assert_each_in_order(journal: Journal, counts: dict[str, int]) -> None:
    written: dict[str, list[int]] = {}
    for entry in journal.entries():
        written.setdefault(entry.session, []).append(entry.args["n"])
    assert written == {name: list(range(count)) for name, count in counts.items()}


def test_eight_processes_lose_no_line(tmp_path: Path) -> None:
    journal = Journal.open(str(tmp_path))
    writers = [_start(journal.root, f"s-{number}", 200) for number in range(8)]
    told = [identifier for writer in writers for identifier in writer.communicate(timeout=600)[0].split()]
    assert [writer.returncode for writer in writers] == [0] * 8
    report = check(journal)
    assert (report.broken, report.entries, report.torn_tail) == (None, 1600, 0)
    assert sorted(entry.id for entry in journal.entries()) == sorted(told)
    _assert_each_in_order(journal, {f"s-{number}": 200 for number in range(8)})


@settings(max_examples=8, deadline=None)
@given(st.lists(st.tuples(st.integers(1, 30), st.integers(0, 1200)), min_size=2, max_size=4), st.integers(500, 20_000))
def test_the_chain_verifies_after_any_interleaving_of_writers(plans: list[tuple[int, int]], segment: int) -> None:
    with tempfile.TemporaryDirectory() as root:
        journal = Journal.open(root)
        writers = [_start(root, f"s-{n}", count, size, segment) for n, (count, size) in enumerate(plans)]
        for writer in writers:
            writer.communicate(timeout=600)
            assert writer.returncode == 0
        report = check(journal)
        assert (report.broken, report.entries) == (None, sum(count for count, _ in plans))
        _assert_each_in_order(journal, {f"s-{n}": count for n, (count, _) in enumerate(plans)})


def test_readers_see_a_whole_chain_while_others_write_and_rotate(tmp_path: Path) -> None:
    journal = Journal.open(str(tmp_path))
    journal.append(draft())
    writers = [_start(journal.root, f"s-{number}", 150, segment=4000) for number in range(2)]
    seen = []
    while any(writer.poll() is None for writer in writers):
        report = check(journal)
        assert report.broken is None
        assert report.torn_tail == 0
        seen.append(report.entries)
        assert journal.head() is not None
    for writer in writers:
        writer.communicate()
    assert seen == sorted(seen)
    assert check(journal).entries == 301


@pytest.mark.parametrize("wait_s", [0.05, 0.08, 0.11, 0.14, 0.17])
def test_killed_writers_leave_a_journal_that_goes_on(tmp_path: Path, wait_s: float) -> None:
    journal = Journal.open(str(tmp_path))
    writers = [_start(journal.root, f"s-{number}", 100_000, size=400, segment=30_000) for number in range(3)]
    wait_until(lambda: list(journal.entries()), "nobody writes")
    time.sleep(wait_s)
    for writer in writers:
        writer.send_signal(signal.SIGKILL)
    told = [identifier for writer in writers for identifier in writer.communicate()[0].split("\n")[:-1]]
    journal.append(draft(1))
    report = check(journal)
    assert (report.broken, report.torn_tail) == (None, 0)
    assert set(told) <= {entry.id for entry in journal.entries()}  # what was acknowledged is there


def _in_child_with_file_limit(limit: int, journal: Journal) -> int:
    """Appends in a child process that may not write files larger than `limit`; its exit status."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    status = 9
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        journal.append(draft(2))
        status = 0
    except JournalUnwritable:
        status = 7
    finally:
        os._exit(status)


@pytest.mark.parametrize("room", [0, 1, 100])
def test_a_full_disk_leaves_no_part_of_a_line(tmp_path: Path, room: int) -> None:
    journal = Journal.open(str(tmp_path))
    journal.append(draft(1))
    path = state(journal) / "journal.jsonl"
    before = path.read_bytes()
    assert _in_child_with_file_limit(len(before) + room, journal) == 7
    assert path.read_bytes() == before
    assert journal.append(draft(3)).seq == 2
    assert check(journal).broken is None


def test_a_full_disk_at_the_first_entry(tmp_path: Path) -> None:
    journal = Journal.open(str(tmp_path))
    assert _in_child_with_file_limit(0, journal) == 7
    assert journal.append(draft(1)).seq == 1
    assert (state(journal) / ".gitignore").read_text() == "*\n"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    journal = Journal.open(str(tmp_path))
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(JournalUnwritable, match="cannot be made"):
            journal.append(draft())
    finally:
        tmp_path.chmod(0o700)


def test_a_folder_on_a_read_only_file_system() -> None:
    with pytest.raises(JournalUnwritable, match="cannot be made"):
        Journal.open("/proc").append(draft())
