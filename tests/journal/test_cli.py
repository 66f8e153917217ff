"""`engram journal` and `engram session`, as processes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from engram.journal.entry import JournalEntry
from engram.journal.log import Journal
from tests.patience import LIMIT_S

from .conftest import draft, state

Run = Callable[..., subprocess.CompletedProcess[str]]
COMMAND = [sys.executable, "-m", "engram"]
ENVIRON = {
    "PYTHONPATH": str(Path(__file__).parents[2]),
    "PATH": os.environ["PATH"],
    "ENGRAM_HOME": "/dev/null/none",
    "TZ": "UTC",
}


@pytest.fixture
def engram(tmp_path: Path) -> Run:
    def run(*args: str, **environ: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*COMMAND, *args], cwd=tmp_path, env={**ENVIRON, **environ}, capture_output=True, text=True, timeout=LIMIT_S
        )

    return run


@pytest.fixture
def entries(journal: Journal) -> list[JournalEntry]:
    """Twelve calls of three sessions, one of which failed."""
    return [
        journal.append(draft(number, session=f"s-{number % 3}", ok=number != 5, bytes=1000 * number))
        for number in range(12)
    ]


def test_tail_prints_the_last_calls(engram: Run, entries: list[JournalEntry]) -> None:
    lines = engram("journal", "tail", "-n", "3").stdout.splitlines()
    assert [line.split()[2] for line in lines] == ["#10", "#11", "#12"]
    assert "read file=src/a.py from=12 to=12 (11.0 KB, 3 ms)" in lines[-1]
    assert len(engram("journal", "tail").stdout.splitlines()) == 10
    wires = [json.loads(line) for line in engram("journal", "tail", "-n", "2", "--json").stdout.splitlines()]
    assert wires == [entry.to_wire() for entry in entries[-2:]]
    assert "ERROR" in engram("journal", "tail", "-n", "99").stdout.splitlines()[5]


def test_tail_tells_sessions_apart(engram: Run, entries: list[JournalEntry]) -> None:
    lines = engram("journal", "tail", "-n", "3", "--session", "s-1").stdout.splitlines()
    assert [line.split()[2] for line in lines] == ["#5", "#8", "#11"]
    assert engram("journal", "tail", "--session", "s-9").stdout == "nothing was asked in that session\n"


def test_tail_follows_over_rotations(tmp_path: Path, entries: list[JournalEntry]) -> None:
    journal = Journal(str(tmp_path), segment_bytes=2500)
    command = [*COMMAND, "journal", "tail", "-f", "-n", "1", "--json"]
    with subprocess.Popen(command, cwd=tmp_path, env=ENVIRON, stdout=subprocess.PIPE, text=True) as follower:
        assert follower.stdout is not None
        assert json.loads(follower.stdout.readline())["seq"] == 12
        seen = []
        for number in range(8):
            seq = journal.append(draft(number)).seq
            seen.append(json.loads(follower.stdout.readline())["seq"])
            assert seen[-1] == seq
            if number == 4:
                time.sleep(0.6)  # an idle look or two in between
        follower.send_signal(signal.SIGINT)
        assert follower.wait(timeout=LIMIT_S) == 130
    assert seen == list(range(13, 21))


def test_show_prints_all_of_an_entry(engram: Run, entries: list[JournalEntry]) -> None:
    shown = engram("journal", "show", entries[3].id[:8])
    assert entries[3].hash in shown.stdout
    assert json.loads(engram("journal", "show", entries[3].id, "--json").stdout) == entries[3].to_wire()
    missing = engram("journal", "show", "00000000")
    assert (missing.returncode, missing.stdout) == (1, "")
    assert "no entry '00000000'" in missing.stderr


def test_what_was_asked_cannot_drive_the_terminal(engram: Run, journal: Journal) -> None:
    entry = journal.append(draft(args={"pattern": "\x1b[2J\nfake line"}, result="\x1b]0;x\x07"))
    for args in (("tail",), ("show", entry.id)):
        assert "\x1b" not in engram("journal", *args).stdout
    assert len(engram("journal", "tail").stdout.splitlines()) == 1


def test_at_prints_what_was_asked_last_up_to_a_time(engram: Run, entries: list[JournalEntry]) -> None:
    now = time.gmtime()
    here = time.strftime("%H:%M", now)
    lines = engram("journal", "at", here, "-n", "2").stdout.splitlines()
    assert [line.split()[2] for line in lines] == ["#11", "#12"]
    assert engram("journal", "at", "2001-01-01").stdout.startswith("nothing was asked up to 2001-01-01")
    assert engram("journal", "at", "later").returncode == 1


def test_head_and_verify_with_it(engram: Run, entries: list[JournalEntry], tmp_path: Path, journal: Journal) -> None:
    head = engram("journal", "head").stdout
    assert head == f"12 {entries[-1].hash}\n"
    (tmp_path / "head.txt").write_text(head)
    for given in (head.strip(), entries[-1].hash, "head.txt"):
        verified = engram("journal", "verify", "--expected-head", given)
        assert (verified.returncode, verified.stdout.splitlines()[0]) == (
            0,
            f"ok: 12 entries, each follows from the one before; head {head.strip()}",
        )
    path = state(journal) / "journal.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:-1]))
    assert engram("journal", "verify").returncode == 0
    shortened = engram("journal", "verify", "--expected-head", "head.txt")
    assert (shortened.returncode, shortened.stdout[:7]) == (1, "BROKEN:")
    path.write_bytes(b"".join(lines[:4] + lines[5:]))
    broken = engram("journal", "verify", "--json")
    assert broken.returncode == 1
    assert (json.loads(broken.stdout)["ok"], json.loads(broken.stdout)["broken"]["line"]) == (False, 5)
    assert "BROKEN at journal.jsonl:5: it is entry 6, but 5 is due" in engram("journal", "verify").stdout


def test_a_receipt_verifies_elsewhere(engram: Run, entries: list[JournalEntry], tmp_path: Path) -> None:
    receipt = engram("journal", "receipt", entries[4].id, entries[7].id[:8]).stdout
    (tmp_path / "r.json").write_text(receipt)
    # Elsewhere: in the root of the file system, which is no repository.
    command = [*COMMAND, "journal", "verify", str(tmp_path / "r.json")]
    verified = subprocess.run(command, cwd="/", env=ENVIRON, capture_output=True, text=True)
    assert (verified.returncode, verified.stdout[:25]) == (0, "ok: 2 entries in one chai")
    assert engram("journal", "verify", "r.json", "--expected-head", entries[-1].hash).returncode == 0
    assert engram("journal", "verify", "r.json", "--expected-head", entries[-2].hash).returncode == 1
    (tmp_path / "r.json").write_text(receipt.replace('"ok":true', '"ok":false', 1))
    tampered = engram("journal", "verify", "r.json", "--json")
    assert (tampered.returncode, json.loads(tampered.stdout)["ok"]) == (1, False)
    (tmp_path / "r.json").write_text("{")
    assert engram("journal", "verify", "r.json").returncode == 1
    assert engram("journal", "verify", "missing.json").returncode == 1


def test_replay_needs_to_know_what(engram: Run, entries: list[JournalEntry]) -> None:
    assert "nothing to replay" in engram("journal", "replay").stderr
    replayed = engram("journal", "replay", entries[0].id, "--json")
    assert json.loads(replayed.stdout)["verdict"] == "cannot"  # no such file, and no git
    assert len(engram("journal", "replay", "--since", "1h").stdout.splitlines()) == 12


def test_stats_count_by_primitive_and_session(engram: Run, entries: list[JournalEntry]) -> None:
    stats = json.loads(engram("journal", "stats", "--json").stdout)
    assert (stats["total"]["calls"], stats["total"]["errors"], stats["total"]["bytes"]) == (12, 1, 66_000)
    assert [count["name"] for count in stats["sessions"]] == ["s-2", "s-1", "s-0"]
    assert stats["total"]["last"] == entries[-1].at
    assert "66.0 KB" in engram("journal", "stats").stdout
    assert json.loads(engram("journal", "stats", "--since", "2001-01-01", "--json").stdout) == stats


def test_prune_by_age_and_size(engram: Run, entries: list[JournalEntry]) -> None:
    assert engram("journal", "prune").stdout == "nothing to prune\n"
    assert "pruned" in engram("journal", "prune", "--max-bytes", "3000").stdout
    assert "pruned" in engram("journal", "prune", "--days", "0").stdout
    verified = engram("journal", "verify")
    assert verified.returncode == 0
    assert "were pruned; their digests are kept" in verified.stdout
    assert engram("journal", "prune", "--days", "999999999999").returncode == 1


def test_an_empty_journal(engram: Run, tmp_path: Path) -> None:
    assert engram("journal", "tail").stdout == "the journal is empty\n"
    assert engram("journal", "tail", "--json").stdout == ""
    assert engram("journal", "head").stdout == "the journal is empty\n"
    assert engram("journal", "head", "--json").stdout == "null\n"
    assert engram("journal", "verify").returncode == 0
    assert engram("journal", "verify", "--expected-head", "0" * 64).returncode == 1
    assert engram("journal", "stats").returncode == 0
    assert not (tmp_path / ".engram").exists()


def test_session_prints_the_id_and_the_path(engram: Run, tmp_path: Path) -> None:
    ran = engram("session", CLAUDE_CODE_SESSION_ID="5b1c-7")
    assert ran.stdout.splitlines() == ["5b1c-7", str(tmp_path / ".engram" / "journal.jsonl")]
    assert json.loads(engram("session", "--json").stdout)["session"].startswith("term-")


def test_inside_a_client_no_other_repository_is_read(engram: Run, entries: list[JournalEntry], tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (tmp_path / "other" / ".git").mkdir(parents=True)
    (tmp_path / "other" / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    assert engram("journal", "tail", "--repo", "other").returncode == 0
    assert engram("journal", "tail", "--repo", ".", CLAUDECODE="1").returncode == 0
    refused = engram("journal", "tail", "--repo", "other", CLAUDECODE="1")
    assert (refused.returncode, refused.stdout) == (1, "")
    assert "is not this repository" in refused.stderr


@pytest.mark.parametrize("args", [(), ("nothing",), ("tail", "-n", "x"), ("show",), ("tail", "--what"), ("receipt",)])
def test_wrong_usage(engram: Run, args: tuple[str, ...]) -> None:
    assert engram("journal", *args).returncode == 2


def test_a_folder_that_is_not_ours_is_an_error_with_a_reason(engram: Run, tmp_path: Path) -> None:
    (tmp_path / ".engram").symlink_to("/etc")
    for args in (("tail",), ("verify",), ("head",), ("stats",), ("prune",)):
        ran = engram("journal", *args)
        assert (ran.returncode, ran.stdout) == (1, "")
        assert "is a link or a file, not a folder" in ran.stderr
