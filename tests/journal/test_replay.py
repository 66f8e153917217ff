"""Replaying: same, changed, or cannot; on the tree, or on what git still has."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engram.journal.content import MAX_FILES
from engram.journal.digest import sha256_hex
from engram.journal.entry import JournalEntry
from engram.journal.log import Journal
from engram.journal.replay import Replayed, replay
from engram.primitives.base import Scope, run
from engram.primitives.registry import PRIMITIVES, REPLAYABLE

from .conftest import draft

Git = Callable[..., str]
SOURCE = "def one():\n    return 1\n\n\ndef two():\n    return one()\n"


@pytest.fixture
def asked(tmp_path: Path, journal: Journal, git: Git) -> Callable[..., JournalEntry]:
    """Asks a primitive in a small repository with one commit; the journaled entry."""
    git("init", "-q")
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.py").write_text(SOURCE)
    git("add", ".")
    git("commit", "-qm", "one")
    commit = git("rev-parse", "HEAD")

    def ask(primitive: str, **arguments: Any) -> JournalEntry:
        outcome = run(PRIMITIVES[primitive], Scope(str(tmp_path), "s-1", commit=commit), arguments)
        return journal.find(outcome.journal_id)

    return ask


def _again(journal: Journal, entry: JournalEntry) -> Replayed:
    return replay(journal.root, entry, REPLAYABLE)


CALLS: list[tuple[str, dict[str, Any]]] = [
    ("read", {"file": "src/a.py", "from": 1, "to": 3}),
    ("ast", {"file": "src/a.py", "query": "functions"}),
    ("grep", {"pattern": "return"}),
    ("git", {"view": "log"}),
    ("read", {"file": "missing.py", "from": 1, "to": 3}),
    ("read", {"file": "src/a.py", "from": 3, "to": 1}),
    ("grep", {"pattern": "nowhere"}),
]


@pytest.mark.parametrize(("primitive", "arguments"), CALLS)
def test_an_unchanged_tree_gives_the_same(
    journal: Journal, asked: Any, primitive: str, arguments: dict[str, Any]
) -> None:
    entry = asked(primitive, **arguments)
    count = len(list(journal.entries()))
    assert _again(journal, entry) == Replayed(entry, "same", "tree")
    assert len(list(journal.entries())) == count  # a replay is not a call


@pytest.mark.parametrize(("primitive", "arguments"), CALLS[:2])
def test_a_changed_file_is_replayed_on_the_blob_with_its_hash(
    journal: Journal, asked: Any, tmp_path: Path, git: Git, primitive: str, arguments: dict[str, Any]
) -> None:
    entry = asked(primitive, **arguments)
    (tmp_path / "src" / "a.py").write_text("x = 1\n")
    found = _again(journal, entry)
    assert (found.verdict, found.on, found.stale) == ("same", str(entry.commit)[:12], ("src/a.py",))
    git("rm", "-q", "-f", "src/a.py")
    git("commit", "-qm", "gone")
    assert _again(journal, entry).verdict == "same"


def test_a_version_that_was_committed_later_is_found(journal: Journal, asked: Any, tmp_path: Path, git: Git) -> None:
    (tmp_path / "src" / "a.py").write_text(SOURCE + "# more\n")
    entry = asked("read", file="src/a.py", **{"from": 7, "to": 7})
    git("commit", "-qam", "two")
    (tmp_path / "src" / "a.py").write_text("x = 1\n")
    git("commit", "-qam", "three")
    found = _again(journal, entry)
    assert (found.verdict, found.on) == ("same", git("rev-parse", "HEAD~1")[:12])


def test_a_version_that_was_never_committed_cannot_be_replayed(journal: Journal, asked: Any, tmp_path: Path) -> None:
    (tmp_path / "src" / "a.py").write_text("draft = 1\n")
    entry = asked("read", file="src/a.py", **{"from": 1, "to": 1})
    (tmp_path / "src" / "a.py").write_text(SOURCE)
    found = _again(journal, entry)
    assert (found.verdict, found.stale) == ("cannot", ("src/a.py",))
    assert "no version of src/a.py" in found.why


def test_a_changed_tree_changes_what_depends_on_all_of_it(
    journal: Journal, asked: Any, tmp_path: Path, git: Git
) -> None:
    grep, log = asked("grep", pattern="return"), asked("git", view="log")
    (tmp_path / "src" / "b.py").write_text("def three():\n    return 3\n")
    found = _again(journal, grep)
    assert (found.verdict, found.stale) == ("changed", ())
    git("add", ".")
    git("commit", "-qm", "two")
    assert _again(journal, log).verdict == "changed"
    (tmp_path / "src" / "b.py").unlink()
    (tmp_path / "src" / "a.py").write_text(SOURCE.replace("1", "2"))
    found = _again(journal, grep)
    assert (found.verdict, found.stale) == ("changed", ("src/a.py",))
    assert "src/a.py is not what it was" in found.why


def test_a_result_that_was_not_the_files_is_found(journal: Journal, asked: Any, tmp_path: Path) -> None:
    """An entry that claims, with a valid hash, that the file held something else."""
    honest = asked("read", file="src/a.py", **{"from": 1, "to": 1})
    lie = journal.append(
        draft(args=honest.args, files=honest.files, result={"lines": [{"line": 1, "text": "import os"}]})
    )
    found = _again(journal, lie)
    assert (found.verdict, found.why) == (
        "changed",
        "the files that were shown are what they were, the result is another",
    )


def test_a_redacted_result_is_compared_redacted(journal: Journal, asked: Any, tmp_path: Path) -> None:
    (tmp_path / "src" / "a.py").write_text('password = "hunter22hunter"\n')
    entry = asked("read", file="src/a.py", **{"from": 1, "to": 1})
    assert entry.redacted == ("assigned-secret",)
    assert "hunter22" not in entry.preview
    assert _again(journal, entry).verdict == "same"


def test_what_is_not_known_whole_cannot_be_replayed(journal: Journal, asked: Any, tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("A=1\n")
    token = "ghp_" + "a1B2" * 9
    many = {f"f{number}": "0" * 64 for number in range(MAX_FILES + 1)}
    for entry, why in (
        (asked("read", file=".env", **{"from": 1, "to": 1, "secrets": True}), "secrets"),
        (asked("grep", pattern=token), "its arguments had a secret"),
        (journal.append(draft(args={"file": "x" * 5000})), "too long"),
        (journal.append(draft(files=many)), "more files"),
        (journal.append(draft(primitive="Bash", args={"command": "ls"})), "Bash is not run again"),
    ):
        found = _again(journal, entry)
        assert found.verdict == "cannot"
        assert why in found.why


@pytest.mark.parametrize("path", ["../outside", "/etc/hostname", "a/../../b", "link/x"])
def test_paths_out_of_the_checkout_are_not_read(journal: Journal, tmp_path: Path, path: str) -> None:
    (tmp_path / "link").symlink_to(tmp_path.parent)
    (tmp_path.parent / "x").write_text("secret")
    entry = journal.append(draft(args={"file": path, "from": 1, "to": 1}, files={path: sha256_hex(b"secret")}))
    assert _again(journal, entry).verdict == "cannot"
    (tmp_path.parent / "x").unlink()


def test_without_git_only_the_tree_is_looked_at(journal: Journal, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(SOURCE)
    outcome = run(PRIMITIVES["read"], Scope(str(tmp_path), "s-1"), {"file": "a.py", "from": 1, "to": 2})
    entry = journal.find(outcome.journal_id)
    assert _again(journal, entry).verdict == "same"
    (tmp_path / "a.py").write_text("")
    assert _again(journal, entry).verdict == "cannot"
