"""The commit of a checkout, as git tells it, read without git."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from engram.journal.commit import current_commit
from engram.worktree import find_worktree

Git = Callable[..., str]


def _current(path: Path) -> str:
    return current_commit(find_worktree(str(path)))


def test_branches_detached_heads_packed_refs_and_worktrees(tmp_path: Path, git: Git) -> None:
    assert _current(tmp_path) == ""
    git("init", "-q")
    assert _current(tmp_path) == ""
    git("commit", "-q", "--allow-empty", "-m", "one")
    first = git("rev-parse", "HEAD")
    assert _current(tmp_path) == first
    git("worktree", "add", "-q", "-b", "deep/branch", "other")
    git("commit", "-q", "--allow-empty", "-m", "two")
    assert _current(tmp_path) == git("rev-parse", "HEAD") != first
    assert _current(tmp_path / "other") == first
    git("pack-refs", "--all")
    assert _current(tmp_path) == git("rev-parse", "HEAD")
    assert _current(tmp_path / "other") == first
    git("checkout", "-q", "--detach", "HEAD~1")
    assert _current(tmp_path) == first


def test_a_hostile_head_leads_nowhere(tmp_path: Path, git: Git) -> None:
    git("init", "-q")
    (tmp_path / "outside").write_text("0" * 40)
    for text in (
        "ref: refs/../../outside",
        "ref: /etc/hostname",
        "ref: refs/heads/main\nx",
        "x",
        "ref: HEAD",
        "0" * 39,
    ):
        (tmp_path / ".git" / "HEAD").write_text(text)
        assert _current(tmp_path) == ""
    (tmp_path / ".git" / "refs" / "heads" / "main").write_text("ref: refs/heads/main")  # a loop
    (tmp_path / ".git" / "HEAD").write_text("ref: refs/heads/main")
    assert _current(tmp_path) == ""
