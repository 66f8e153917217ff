"""A state folder that is not this user's own is neither read nor written."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from engram.errors import UnsafeState
from engram.journal.folder import make_state, open_state
from engram.journal.gitindex import tracks_folder
from engram.journal.log import Journal

from .conftest import draft, state

Git = Callable[..., str]


def _refused(journal: Journal, match: str) -> None:
    """Neither written to nor read from, and nothing in it is changed."""
    before = _contents(Path(journal.root))
    for use in (
        lambda: journal.append(draft()),
        lambda: list(journal.entries()),
        journal.head,
        lambda: journal.find("abcdef"),
    ):
        with pytest.raises(UnsafeState, match=match):
            use()
    assert _contents(Path(journal.root)) == before


def _contents(root: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in root.rglob("*") if path.is_file() and ".git/" not in str(path)}


def test_a_link_to_a_folder(journal: Journal, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / ".engram").symlink_to("elsewhere")
    _refused(journal, "a link or a file")


def test_a_link_to_nowhere_and_a_file(journal: Journal, tmp_path: Path) -> None:
    (tmp_path / ".engram").symlink_to("missing")
    _refused(journal, "a link or a file")
    (tmp_path / ".engram").unlink()
    (tmp_path / ".engram").write_text("x")
    _refused(journal, "a link or a file")


@pytest.mark.parametrize("name", ["journal.jsonl", "journal.lock", ".gitignore"])
def test_a_link_inside_is_not_followed(journal: Journal, tmp_path: Path, name: str) -> None:
    target = tmp_path / "target"
    target.write_text("precious\n")
    state(journal).mkdir()
    (state(journal) / name).symlink_to(target)
    with pytest.raises(UnsafeState):
        journal.append(draft())
    assert target.read_text() == "precious\n"


def test_a_fifo_does_not_hang(journal: Journal) -> None:
    state(journal).mkdir()
    os.mkfifo(state(journal) / "journal.jsonl")
    for use in (lambda: journal.append(draft()), lambda: list(journal.entries())):
        with pytest.raises(UnsafeState, match="not a regular file"):
            use()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_another_users_folder_and_file(journal: Journal) -> None:
    journal.append(draft())
    os.chown(state(journal) / "journal.jsonl", 65534, 65534)
    _refused(journal, "not a regular file of this user")
    os.chown(state(journal), 65534, 65534)
    _refused(journal, "belongs to another user")


@pytest.mark.parametrize("version", ["2", "4"])
@pytest.mark.parametrize("name", [".engram/journal.jsonl", ".engram/deep/x", ".Engram/x"])
def test_files_that_git_tracks(journal: Journal, tmp_path: Path, git: Git, version: str, name: str) -> None:
    git("init", "-q")
    git("config", "index.version", version)
    for other in (
        "-x",
        ".a/1",
        ".editorconfig",
        ".engine",
        ".engram-notes",
        ".engrams/y",
        ".enh",
        "README",
        "src/a.py",
    ):
        (tmp_path / other).parent.mkdir(exist_ok=True)
        (tmp_path / other).write_text("x")
    git("add", ".")
    journal.append(draft())
    shutil.rmtree(state(journal))
    (tmp_path / name).parent.mkdir(parents=True)
    (tmp_path / name).write_text("x")
    git("add", "-f", name)
    state(journal).mkdir(exist_ok=True)
    _refused(journal, "git tracks files")
    git("rm", "-q", "-r", "--cached", name)
    journal.append(draft())


@pytest.mark.parametrize("form", ["sha256", "split", "submodule", "worktree", "many"])
def test_files_that_git_tracks_in_less_usual_repositories(
    journal: Journal, tmp_path: Path, git: Git, form: str
) -> None:
    git("init", "-q", *(["--object-format=sha256"] if form == "sha256" else []))
    if form == "many":
        (tmp_path / "-many").mkdir()
        for number in range(3000):
            (tmp_path / "-many" / f"{number:060}").write_text("")
        git("add", "--", "-many")
    if form == "split":
        (tmp_path / "a").write_text("x")
        git("add", "a")
        git("update-index", "--split-index")
    journal.append(draft())
    if form == "submodule":
        git("update-index", "--add", "--cacheinfo", "160000," + "1" * 40 + ",.engram")
    else:
        git("add", "-f", ".engram/journal.jsonl")
    if form == "worktree":
        git("commit", "-qm", "x")
        git("worktree", "add", "-q", "other")
        journal = Journal.open(str(tmp_path / "other"))
        assert state(journal).is_dir()
    _refused(journal, "git tracks files")


def test_an_index_is_read_without_git(tmp_path: Path, git: Git, monkeypatch: pytest.MonkeyPatch) -> None:
    git("init", "-q")
    (tmp_path / "a").write_text("x")
    git("add", "a")
    monkeypatch.setenv("PATH", "/nowhere")
    assert not tracks_folder(str(tmp_path), str(tmp_path / ".git"), ".engram")
    (tmp_path / ".git" / "index").write_bytes(b"DIRC\0\0\0\x09\0\0\0\1" + b"x" * 200)  # a version of the future
    with pytest.raises(UnsafeState, match="cannot tell"):
        make_state(str(tmp_path))


def test_a_subfolder_is_as_safe(tmp_path: Path) -> None:
    with make_state(str(tmp_path)) as folder:
        assert folder.subfolder("recurse", create=False) is None
        made = folder.subfolder("recurse", create=True)
        assert made is not None
        with made:
            os.close(made.open_file("x", os.O_WRONLY | os.O_CREAT))
            assert made.names() == ["x"]
        (tmp_path / ".engram" / "link").symlink_to(tmp_path)
        with pytest.raises(UnsafeState):
            folder.subfolder("link", create=True)
    assert open_state(str(tmp_path / "none")) is None
