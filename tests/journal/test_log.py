"""Appending: what an entry holds, how lines are chained, found, rotated, and what a torn line leaves."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from engram.errors import InvalidArgument, JournalUnwritable, UnknownRequest, UnsafeState
from engram.journal.digest import sha256_hex
from engram.journal.entry import GENESIS, complaint
from engram.journal.log import Journal
from engram.journal.schema import ENTRY_SCHEMA, RECEIPT_SCHEMA

from .conftest import check, draft, state

ENTRY = Draft202012Validator(ENTRY_SCHEMA)


def _lines(journal: Journal) -> list[dict[str, object]]:
    return [json.loads(line) for line in (state(journal) / "journal.jsonl").read_text("ascii").splitlines()]


def test_an_entry_says_what_was_asked_and_seen(journal: Journal) -> None:
    entry = journal.append(draft(4, agent="a-1", commit="c" * 40, truncated=True))
    (wire,) = _lines(journal)
    assert wire == entry.to_wire()
    assert list(wire) == [
        *("v", "id", "seq", "at", "session", "agent", "primitive", "args", "ok", "resultHash", "bytes", "truncated"),
        *("preview", "durationMs", "commit", "files", "redacted", "prev", "hash"),
    ]
    canonical = json.dumps(draft(4).result, sort_keys=True, separators=(",", ":"))
    assert wire["resultHash"] == sha256_hex(canonical.encode())
    assert wire["preview"] == canonical
    assert wire["bytes"] == len(canonical)
    assert (wire["seq"], wire["prev"], wire["agent"], wire["truncated"]) == (1, GENESIS, "a-1", True)
    ENTRY.validate(wire)


def test_the_hash_can_be_computed_from_the_line_by_the_rule_in_the_documentation(journal: Journal) -> None:
    journal.append(draft(1))
    journal.append(draft(2, args={"b": [1, {"y": None, "x": "é"}], "a": "\udc80"}))
    prev = GENESIS
    for wire in _lines(journal):
        body = {name: value for name, value in wire.items() if name not in ("prev", "hash")}
        digest = sha256_hex(json.dumps(body, separators=(",", ":")).encode())
        assert wire["hash"] == sha256_hex((prev + digest).encode())
        prev = str(wire["hash"])


def test_what_the_plain_check_refuses_the_schema_refuses(journal: Journal) -> None:
    Draft202012Validator.check_schema(ENTRY_SCHEMA)
    Draft202012Validator.check_schema(RECEIPT_SCHEMA)
    wire = journal.append(draft()).to_wire()
    for name in wire:
        for value in (None, 1, "x", True, [], {}, 1.5):
            changed = {**wire, name: value}
            if complaint(changed):
                assert not ENTRY.is_valid(changed), (name, value)
        missing = {other: value for other, value in wire.items() if other != name}
        assert complaint(missing)
        assert not ENTRY.is_valid(missing)
    assert complaint({**wire, "more": 1})
    assert not ENTRY.is_valid({**wire, "more": 1})


def test_long_values_are_bounded_and_the_entry_says_so(journal: Journal) -> None:
    files = {f"f{number:03}.py": "0" * 64 for number in range(300)}
    entry = journal.append(
        draft(args={"content": "x" * 10_000, "many": ["y" * 4000] * 3}, files=files, session="s" * 999)
    )
    assert set(entry.redacted) == {"long-argument", "many-files"}
    assert len(entry.files) == 128
    assert "[10000 characters, sha256 " in entry.args["content"]
    huge = journal.append(draft(args={"many": ["y" * 4000] * 10}, result="z" * 5000))
    assert set(huge.args) == {"sha256", "bytes"}
    assert len(huge.preview) == 500
    for wire in _lines(journal):
        ENTRY.validate(wire)
        assert len(json.dumps(wire)) < 1 << 16
    assert check(journal).broken is None


def test_found_by_its_id_or_the_start_of_it(journal: Journal) -> None:
    first = journal.append(draft(1, args={"id": "", "note": '"id":"aaaaaaaa'}))
    # The id of the first stands in the arguments of the second, as a member and as text.
    journal.append(draft(2, args={"id": first.id, "text": f'"id":"{first.id}"'}))
    assert journal.find(first.id) == first
    assert journal.find(first.id[:6]) == first
    with pytest.raises(UnknownRequest):
        journal.find("00000000-0000-4000-8000-000000000000")
    with pytest.raises(InvalidArgument):
        journal.find("a")
    with pytest.raises(UnknownRequest):
        Journal.open(os.path.dirname(journal.root)).find("abcdef")


def test_a_prefix_of_several_ids_is_refused(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(2):
        monkeypatch.setattr(os, "urandom", lambda size, number=number: bytes([7] * (size - 1) + [number]))
        journal.append(draft(number))
    with pytest.raises(InvalidArgument, match="2 entries start"):
        journal.find("070707")


def test_an_empty_journal_has_no_entries_and_makes_nothing(journal: Journal) -> None:
    assert list(journal.entries()) == []
    assert journal.head() is None
    assert not state(journal).exists()


def test_entries_come_in_order_and_in_reverse_over_segments(tmp_path: Path) -> None:
    journal = Journal(str(tmp_path), segment_bytes=3000)
    for number in range(20):
        journal.append(draft(number))
    names = sorted(path.name for path in state(journal).glob("journal.*jsonl"))
    assert len(names) > 3
    assert "journal.1.jsonl" in names
    assert [entry.seq for entry in journal.entries()] == list(range(1, 21))
    assert [entry.seq for entry in journal.entries(newest_first=True)] == list(range(20, 0, -1))
    report = check(journal)
    assert (report.broken, report.entries, report.head) == (None, 20, journal.head())
    assert journal.find(next(journal.entries()).id).seq == 1


def test_segments_are_in_the_order_of_their_numbers_not_of_their_names(tmp_path: Path) -> None:
    journal = Journal(str(tmp_path), segment_bytes=1)
    for number in range(13):
        journal.append(draft(number))
    assert (state(journal) / "journal.12.jsonl").exists()
    assert [entry.seq for entry in journal.entries()] == list(range(1, 14))
    assert check(journal).broken is None


def test_the_chain_goes_on_when_only_full_segments_are_left(tmp_path: Path) -> None:
    journal = Journal(str(tmp_path))
    journal.append(draft(1))
    (state(journal) / "journal.jsonl").rename(state(journal) / "journal.1.jsonl")  # died in the middle of a rotation
    assert journal.append(draft(2)).seq == 2
    assert check(journal).entries == 2


@pytest.mark.parametrize("left", [1, 60, 400, -1])
def test_a_torn_line_is_kept_apart_and_accounted_for(journal: Journal, left: int) -> None:
    path = state(journal) / "journal.jsonl"
    journal.append(draft(1))
    whole = path.read_bytes()
    journal.append(draft(2))
    torn = path.read_bytes()[len(whole) :][:left]
    path.write_bytes(whole + torn)
    report = check(journal)
    if left == -1:  # a whole line that lost nothing but its newline is still an entry
        assert journal.append(draft(3)).seq == 3
        assert check(journal).torn == 0
        return
    assert (report.broken, report.entries, report.torn_tail) == (None, 1, len(torn))
    after = journal.append(draft(3))
    note = next(entry for entry in journal.entries() if entry.primitive == "journal")
    assert (note.seq, after.seq) == (2, 3)
    assert note.args == {"event": "torn-line", "bytes": len(torn), "sha256": sha256_hex(torn), "kept": "journal.torn"}
    assert (state(journal) / "journal.torn").read_bytes() == torn + b"\n"
    report = check(journal)
    assert (report.broken, report.entries, report.torn, report.torn_tail) == (None, 3, 1, 0)


def test_zeros_that_a_power_failure_leaves_are_a_torn_line(journal: Journal) -> None:
    journal.append(draft(1))
    with open(state(journal) / "journal.jsonl", "ab") as file:
        file.write(b"\0" * 40_000)
    assert journal.append(draft(2)).seq == 3
    assert check(journal).broken is None


def test_a_foreign_line_in_the_middle_is_left_and_the_chain_goes_on_after_it(journal: Journal) -> None:
    first = journal.append(draft(1))
    with open(state(journal) / "journal.jsonl", "ab") as file:
        file.write(b'{"hello": 1}\n\n')
    second = journal.append(draft(2))
    assert (second.seq, second.prev) == (2, first.hash)
    report = check(journal)
    assert report.broken is not None
    assert (report.broken.file, report.broken.line) == ("journal.jsonl", 2)
    assert [entry.seq for entry in journal.entries()] == [1, 2]


def test_a_journal_of_a_newer_version_is_not_written_to(journal: Journal) -> None:
    journal.append(draft(1))
    path = state(journal) / "journal.jsonl"
    with open(path, "ab") as file:
        file.write(b'{"v":2,"whatever":true}\n')
    before = path.read_bytes()
    with pytest.raises(JournalUnwritable, match="newer engram"):
        journal.append(draft(2))
    assert path.read_bytes() == before
    broken = check(journal).broken
    assert broken is not None
    assert "version 2" in broken.what


def test_waits_for_the_lock_for_a_bounded_time(tmp_path: Path) -> None:
    journal = Journal(str(tmp_path), wait_s=0.2)
    journal.append(draft(1))
    with open(state(journal) / "journal.lock", "rb+") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        with pytest.raises(JournalUnwritable, match=r"has held .* for 0.2 s"):
            journal.append(draft(2))
        assert [entry.seq for entry in journal.entries()] == [1]  # reading does not depend on it
    assert journal.append(draft(3)).seq == 2


@pytest.mark.parametrize("name", ["journal.jsonl", "journal.lock"])
def test_a_journal_that_is_a_folder_is_not_used(journal: Journal, name: str) -> None:
    (state(journal) / name).mkdir(parents=True)
    with pytest.raises(UnsafeState, match="not a regular file"):
        journal.append(draft())


def test_a_result_without_a_json_form_is_refused_before_anything_is_written(journal: Journal) -> None:
    with pytest.raises(TypeError):
        journal.append(draft(result=b"x"))
    assert not state(journal).exists()


def test_the_folder_ignores_itself_and_is_for_this_user_alone(journal: Journal, git) -> None:
    git("init", "-q")
    journal.append(draft())
    assert (state(journal) / ".gitignore").read_text() == "*\n"
    assert git("status", "--porcelain", "--ignored=no", "-uall") == ""
    for path in [state(journal), *state(journal).iterdir()]:
        assert path.stat().st_mode & 0o077 == 0, path


def test_a_reader_of_json_lines_reads_the_journal(journal: Journal) -> None:
    for number in range(3):
        journal.append(draft(number, args={"pattern": "\udcff \u2028 é \x00"}))
    with open(state(journal) / "journal.jsonl", "rb") as file:
        reader = ["jq", "."] if shutil.which("jq") else [sys.executable, "-m", "json.tool", "--json-lines"]
        done = subprocess.run(reader, stdin=file, capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.count(b'"resultHash"') == 3


def test_appending_imports_nothing_that_is_slow(tmp_path: Path) -> None:
    program = (
        "import sys\n"
        "from engram.journal.log import Journal\n"
        "from engram.journal.entry import Draft\n"
        "from engram.journal.session import session_id\n"
        "from engram.journal.commit import current_commit\n"
        "draft = Draft('read', {'a': 'token = \"0123456789\"'}, True, {'b': 1}, False, {}, 1, session_id())\n"
        "Journal.open(sys.argv[1]).append(draft)\n"
        "print(*sys.modules)"
    )
    root = str(Path(__file__).parents[2])
    run = [sys.executable, "-S", "-c", program, str(tmp_path)]
    loaded = subprocess.run(run, env={"PYTHONPATH": root}, capture_output=True, text=True, check=True).stdout.split()
    slow = {"dataclasses", "typing", "re", "json", "subprocess", "socket", "pathlib", "contextlib", "uuid", "secrets"}
    assert slow & set(loaded) == set()
    assert {"datetime", "hashlib", "collections", "functools", "enum", "tempfile", "random"} & set(loaded) == set()
