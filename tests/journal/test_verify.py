"""Verifying: whatever is changed, removed, added or moved shows, with the place and what is wrong there."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engram.errors import InvalidArgument
from engram.journal.log import Journal
from engram.journal.tail import Head
from engram.journal.verify import parse_head

from .conftest import check, draft, state


def _journal(root: str, count: int = 6, segment_bytes: int = 1500) -> Journal:
    journal = Journal(root, segment_bytes=segment_bytes)
    for number in range(count):
        journal.append(draft(number, args={"pattern": "x" * (number * 7), "n": number}))
    return journal


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_any_single_changed_byte_in_any_line_is_found(data: st.DataObject) -> None:
    with tempfile.TemporaryDirectory() as root:
        journal = _journal(root)
        files = sorted(state(journal).glob("journal*.jsonl"))
        assert len(files) > 1
        path = data.draw(st.sampled_from(files))
        before = path.read_bytes()
        at = data.draw(st.integers(0, len(before) - 1))
        byte = data.draw(st.integers(0, 255).filter(lambda value: value != before[at]))
        path.write_bytes(before[:at] + bytes([byte]) + before[at + 1 :])
        report = check(journal)
        line = before[:at].count(b"\n") + 1
        if at == len(before) - 1 and path.name == "journal.jsonl":  # the last newline of all: a line cut off
            assert (report.broken, report.entries) == (None, 5)
            assert report.torn_tail
            return
        assert report.broken is not None
        assert (report.broken.file, report.broken.line) == (path.name, line)
        assert report.entries < 6


@pytest.mark.parametrize("change", ["remove", "swap", "double", "blank", "foreign", "empty object"])
@pytest.mark.parametrize("number", [0, 1, 3])
def test_removed_moved_and_added_lines_are_found(tmp_path: Path, change: str, number: int) -> None:
    journal = _journal(str(tmp_path), segment_bytes=1 << 20)
    path = state(journal) / "journal.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    changed = {
        "remove": lines[:number] + lines[number + 1 :],
        "swap": [*lines[:number], lines[number + 1], lines[number], *lines[number + 2 :]],
        "double": [*lines[: number + 1], lines[number], *lines[number + 1 :]],
        "blank": [*lines[: number + 1], b"\n", *lines[number + 1 :]],
        "foreign": [*lines[: number + 1], b"not json\n", *lines[number + 1 :]],
        "empty object": [*lines[: number + 1], b"{}\n", *lines[number + 1 :]],
    }[change]
    path.write_bytes(b"".join(changed))
    broken = check(journal).broken
    assert broken is not None
    assert (broken.file, broken.line) == ("journal.jsonl", number + (1 if change in ("remove", "swap") else 2))
    assert broken.what


def test_a_removed_segment_is_found(tmp_path: Path) -> None:
    journal = _journal(str(tmp_path))
    (state(journal) / "journal.1.jsonl").unlink()
    broken = check(journal).broken
    assert broken is not None
    assert "nothing is left of entries 1 to" in broken.what


def test_a_removed_segment_in_the_middle_is_found(tmp_path: Path) -> None:
    journal = _journal(str(tmp_path), count=12)
    (state(journal) / "journal.2.jsonl").unlink()
    broken = check(journal).broken
    assert broken is not None
    assert (broken.file, broken.line) == ("journal.3.jsonl", 1)


def test_a_kept_head_shows_that_the_last_lines_were_removed(tmp_path: Path) -> None:
    journal = _journal(str(tmp_path), segment_bytes=1 << 20)
    head = journal.head()
    assert head is not None
    path = state(journal) / "journal.jsonl"
    whole = path.read_bytes()
    journal.append(draft(9))
    assert check(journal, head).expected == head  # more came since
    assert check(journal, Head(0, head.hash)).expected == head
    path.write_bytes(b"".join(whole.splitlines(keepends=True)[:-1]))
    report = check(journal, head)
    assert report.broken is None
    assert report.expected is None
    journal.append(draft(9))  # another entry with the number of the removed one
    assert check(journal, head).expected is None


def test_a_journal_made_anew_has_another_head(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    first, second = _journal(str(tmp_path / "a")), _journal(str(tmp_path / "b"))
    assert check(second, first.head()).expected is None


def test_an_unfinished_line_in_a_full_segment_is_found(tmp_path: Path) -> None:
    journal = _journal(str(tmp_path))
    with open(state(journal) / "journal.1.jsonl", "ab") as file:
        file.write(b'{"v":1')
    broken = check(journal).broken
    assert broken is not None
    assert "cut off" in broken.what


def test_reads_the_head_that_is_printed() -> None:
    own = "0f" * 32
    assert parse_head(f"12 {own}\n") == Head(12, own)
    assert parse_head(own) == Head(0, own)
    for text in ("", "x", f"-1 {own}", f"1 {own} 2", own[:-1], own.upper(), f"\u0661 {own}"):
        with pytest.raises(InvalidArgument):
            parse_head(text)
