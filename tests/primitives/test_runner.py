"""Every call leaves a receipt, and there is no way around it."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Any

import pytest

from engram.budget import Budget
from engram.errors import PathOutsideRoot
from engram.journal.log import Journal
from engram.primitives.base import Scope, run
from engram.primitives.registry import PRIMITIVES, REPLAYABLE

from .conftest import answer, call, git, write

CALLS: list[tuple[str, dict[str, Any]]] = [
    ("grep", {"pattern": "App", "ctx": 1}),
    ("read", {"file": "src/app.py", "from": 1, "to": 3}),
    ("ast", {"file": "src/app.py", "query": "functions"}),
    ("git", {"view": "log"}),
    ("recurse", {"prompt": "Why?", "over": ["src/app.py:1-2"]}),
]


def canonical_hash(value: object) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


@pytest.mark.parametrize(("name", "arguments"), CALLS)
def test_an_answer_is_journaled_with_the_hash_of_what_was_shown(
    name: str, arguments: dict[str, Any], scope: Scope
) -> None:
    wire = call(scope, name, arguments)
    entry = Journal.open(scope.root).find(wire["journalId"])
    assert entry.result_hash == canonical_hash(wire["data"])
    assert (entry.session, entry.agent, entry.bytes) == ("test-session", None, wire["bytes"])
    assert arguments.items() <= entry.args.items()


@pytest.mark.parametrize("name", [name for name, _ in CALLS])
@pytest.mark.parametrize("arguments", [None, [], "x", 3, {"unknown": 1}, {"file": "x" * 99_999}, {"a": {"b": [1]}}])
def test_wrong_arguments_are_errors_and_journaled(name: str, arguments: object, scope: Scope) -> None:
    wire = call(scope, name, arguments)
    assert wire["error"]["kind"] == "invalid-argument"
    entry = Journal.open(scope.root).find(wire["journalId"])
    assert entry.result_hash == canonical_hash(wire["error"])
    assert not entry.ok
    assert len(json.dumps(entry.args)) < 10_000


def test_the_files_shown_from_are_journaled_with_their_hashes(scope: Scope, repo: Path) -> None:
    digest = hashlib.sha256((repo / "src/app.py").read_bytes()).hexdigest()
    for name, arguments in CALLS[:3]:
        wire = call(scope, name, arguments)
        assert Journal.open(scope.root).find(wire["journalId"]).files["src/app.py"] == digest


def test_a_lower_budget_is_journaled_and_replayed(scope: Scope, repo: Path) -> None:
    write(repo, {"a.txt": "needle here\n" * 60})
    wire = call(scope.replace(budget=Budget(3000)), "grep", {"pattern": "needle"})
    entry = Journal.open(scope.root).find(wire["journalId"])
    assert entry.args["budget"] == 3000
    assert canonical_hash(REPLAYABLE["grep"](scope.root, entry.args)) == entry.result_hash


@pytest.mark.parametrize("name", list(REPLAYABLE))
def test_replaying_gives_the_same_and_journals_nothing(name: str, scope: Scope, repo: Path) -> None:
    arguments = dict(CALLS)[name]
    wire = call(scope, name, arguments)
    entries = list(Journal.open(scope.root).entries())
    assert canonical_hash(REPLAYABLE[name](scope.root, entries[-1].args)) == entries[-1].result_hash
    failed = call(scope, name, {"wrong": 1})
    assert REPLAYABLE[name](scope.root, {"wrong": 1}) == failed["error"]
    assert len(list(Journal.open(scope.root).entries())) == len(entries) + 1
    assert wire["ok"]


def test_a_refusal_of_the_shell_is_journaled(scope: Scope) -> None:
    outcome = run(PRIMITIVES["read"], scope, {"file": "a"}, PathOutsideRoot("not this repository"))
    entry = Journal.open(scope.root).find(outcome.journal_id)
    assert (entry.ok, outcome.result["kind"]) == (False, "path-outside-root")


def test_without_a_journal_the_answer_is_given_with_a_warning(scope: Scope, repo: Path) -> None:
    block_journal(repo)
    wire = call(scope, "read", CALLS[1][1])
    assert wire["ok"]
    assert wire["journalId"] is None
    assert wire["warning"].startswith("not journaled: ")


def test_strict_gives_no_answer_without_a_journal(scope: Scope, repo: Path) -> None:
    block_journal(repo)
    wire = call(scope.replace(strict=True), "read", CALLS[1][1])
    assert wire["error"]["kind"] == "journal-unwritable"
    assert "data" not in wire


def block_journal(repo: Path) -> None:
    """Make the journal one that a newer engram wrote, which this one must not append to."""
    (repo / ".engram").mkdir()
    write(repo, {".engram/journal.jsonl": '{"v":99,"prev":"x"}\n'})
    os.chmod(repo / ".engram" / "journal.jsonl", 0o600)


def test_a_hostile_state_folder_is_an_error_and_nothing_is_shown(scope: Scope, repo: Path) -> None:
    (repo.parent / "elsewhere").mkdir()
    (repo / ".engram").symlink_to(repo.parent / "elsewhere")
    for name, arguments in CALLS:
        wire = call(scope, name, arguments)
        assert wire["error"]["kind"] == "unsafe-state"
        assert "data" not in wire
    assert os.listdir(repo.parent / "elsewhere") == []


def test_a_tracked_state_folder_is_an_error(scope: Scope, repo: Path) -> None:
    write(repo, {".engram/journal.jsonl": ""})
    git(repo, "add", "-f", ".engram")
    assert call(scope, "read", CALLS[1][1])["error"]["kind"] == "unsafe-state"


def test_the_journal_itself_is_not_found_by_a_search(scope: Scope) -> None:
    answer(scope, "grep", pattern="needle-in-the-journal")
    assert answer(scope, "grep", pattern="needle-in-the-journal")["total"] == 0
