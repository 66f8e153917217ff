"""No path leads out of the repository, and nothing but a regular file is opened."""

from __future__ import annotations

import os
import socket
import tempfile
import threading
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engram.errors import FileUnavailable, PathOutsideRoot, RequestError
from engram.primitives import paths
from engram.primitives.base import Scope
from tests.patience import LIMIT_S

from .conftest import answer, call, git, refused, write

PRIMITIVE_WITH_PATH = [
    ("read", {"from": 1, "to": 1}, "file"),
    ("ast", {"query": "functions"}, "file"),
    ("grep", {"pattern": "x"}, "path"),
    ("git", {"view": "diff"}, "file"),
]


@pytest.mark.parametrize(("name", "others", "field"), PRIMITIVE_WITH_PATH)
@pytest.mark.parametrize(
    "path",
    [
        *(
            "../secret.py",
            "src/../../secret.py",
            "src/../README.md",
            "..",
            "/etc/passwd",
            "/",
            "out.py",
            "outdir/secret.py",
        ),
        *("\u2024\u2024/secret.py", "\uff0e\uff0e/secret.py", "src/\u2025/secret.py"),
    ],
)
def test_paths_that_lead_out_are_refused(
    name: str, others: dict[str, object], field: str, path: str, scope: Scope, repo: Path
) -> None:
    write(repo.parent, {"secret.py": "x = 1\n"})
    (repo / "out.py").symlink_to(repo.parent / "secret.py")
    (repo / "outdir").symlink_to(repo.parent)
    assert refused(scope, name, **others, **{field: path}) == "path-outside-root"


@pytest.mark.parametrize(("name", "others", "field"), PRIMITIVE_WITH_PATH)
@pytest.mark.parametrize("path", ["a\0b", "src/app\u200b.py", "src\u202e/app.py", "a\nb", "\u2066x", "x" * 4097, ""])
def test_paths_that_no_file_can_have_are_invalid(
    name: str, others: dict[str, object], field: str, path: str, scope: Scope
) -> None:
    assert refused(scope, name, **others, **{field: path}) == "invalid-argument"


@pytest.mark.parametrize("path", ["--pre=cat", "-", "-rf", "--", "--output=/tmp/x", "nothing.py"])
def test_options_in_place_of_paths_are_names_of_files(path: str, scope: Scope, repo: Path) -> None:
    assert refused(scope, "read", file=path, **{"from": 1, "to": 1}) == "file-unavailable"
    assert refused(scope, "grep", pattern="x", path=path) == "file-unavailable"
    write(repo, {path: "found = 1\n"})
    assert answer(scope, "read", file=path, **{"from": 1, "to": 1})["lines"][0]["text"] == "found = 1"
    assert answer(scope, "grep", pattern="found", path=path)["hits"][0]["file"] == path


def test_absolute_paths_and_links_that_stay_inside_are_taken(scope: Scope, repo: Path) -> None:
    (repo / "link.py").symlink_to("src/app.py")
    for path in (str(repo / "src" / "app.py"), "link.py", "./src//app.py"):
        assert answer(scope, "read", file=path, **{"from": 1, "to": 1})["file"] == "src/app.py"


def test_a_root_reached_through_a_link_is_the_same_root(scope: Scope, repo: Path) -> None:
    alias = repo.parent / "alias"
    alias.symlink_to(repo)
    assert paths.resolve(str(alias), "src/app.py") == "src/app.py"
    assert paths.read_file(str(alias), str(repo / "src/app.py")).path == "src/app.py"


@pytest.mark.parametrize("name", ["read", "ast", "grep"])
def test_fifos_sockets_and_devices_are_refused_at_once(name: str, scope: Scope, repo: Path) -> None:
    os.mkfifo(repo / "pipe.py")
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(os.path.relpath(repo / "sock.py"))
    others = {"read": {"from": 1, "to": 1}, "ast": {"query": "functions"}, "grep": {"pattern": "x"}}[name]
    field = "path" if name == "grep" else "file"
    done: list[str] = []
    for path in ("pipe.py", "sock.py"):
        worker = threading.Thread(
            target=lambda path=path: done.append(refused(scope, name, **others, **{field: path})), daemon=True
        )
        worker.start()
        worker.join(timeout=LIMIT_S)
    listener.close()
    assert done == ["file-unavailable", "file-unavailable"]


def test_a_search_passes_over_fifos(scope: Scope, repo: Path) -> None:
    os.mkfifo(repo / "src" / "pipe.py")
    assert answer(scope, "grep", pattern="class App")["total"] == 1


@pytest.mark.parametrize("name", ["read", "ast"])
def test_a_folder_is_no_file(name: str, scope: Scope) -> None:
    others = {"read": {"from": 1, "to": 1}, "ast": {"query": "functions"}}[name]
    wire = call(scope, name, {"file": "src", **others})
    assert wire["error"]["kind"] == "file-unavailable"
    assert "a folder" in wire["error"]["message"]


def test_a_file_that_becomes_a_link_after_the_check_is_not_followed(
    repo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(repo.parent, {"secret.py": "x = 1\n"})
    resolved = paths.resolve

    def swap(root: str, path: str) -> str:
        inside = resolved(root, path)
        os.replace(repo / "src" / "app.py", repo / "src" / "old.py")
        (repo / "src" / "app.py").symlink_to(repo.parent / "secret.py")
        return inside

    monkeypatch.setattr(paths, "resolve", swap)
    with pytest.raises(FileUnavailable):
        paths.read_file(str(repo), "src/app.py")


def test_a_folder_that_becomes_a_link_after_the_check_is_not_followed(
    repo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(repo.parent, {"elsewhere/app.py": "x = 1\n"})
    resolved = paths.resolve

    def swap(root: str, path: str) -> str:
        inside = resolved(root, path)
        (repo / "src").rename(repo / "old")
        (repo / "src").symlink_to(repo.parent / "elsewhere")
        return inside

    monkeypatch.setattr(paths, "resolve", swap)
    with pytest.raises(FileUnavailable):
        paths.read_file(str(repo), "src/app.py")


def test_a_file_that_vanishes_after_the_check_is_unavailable(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    resolved = paths.resolve

    def remove(root: str, path: str) -> str:
        inside = resolved(root, path)
        (repo / "src" / "app.py").unlink()
        return inside

    monkeypatch.setattr(paths, "resolve", remove)
    with pytest.raises(FileUnavailable):
        paths.read_file(str(repo), "src/app.py")


def test_devices_are_recognised_without_opening_them() -> None:
    with pytest.raises(FileUnavailable, match="device"):
        paths.read_file("/dev", "null")


def test_files_over_the_limit_are_refused(repo: Path) -> None:
    with pytest.raises(FileUnavailable, match="bytes"):
        paths.read_file(str(repo), "README.md", max_bytes=5)


@pytest.mark.parametrize(
    "path", [".env", "config/.env.production", "id_rsa", "deploy/server.pem", ".git/config", ".engram/journal.jsonl"]
)
def test_files_that_hold_keys_are_kept_back_unless_asked_for(path: str, scope: Scope, repo: Path) -> None:
    if path.startswith(".engram"):
        answer(scope, "grep", pattern="App")
    else:
        write(repo, {path: "TOKEN=hunter2\n"})
    assert refused(scope, "read", file=path, **{"from": 1, "to": 1}) == "secret-refused"
    assert refused(scope, "ast", file=path, query="functions") == "secret-refused"
    assert refused(scope, "grep", pattern="TOKEN", path=path) == "secret-refused"
    assert answer(scope, "read", file=path, secrets=True, **{"from": 1, "to": 1})["lines"]


def test_a_link_to_a_file_that_holds_keys_is_kept_back(scope: Scope, repo: Path) -> None:
    write(repo, {".env": "TOKEN=hunter2\n"})
    (repo / "notes.txt").symlink_to(".env")
    assert refused(scope, "read", file="notes.txt", **{"from": 1, "to": 1}) == "secret-refused"


def test_searches_and_diffs_leave_files_that_hold_keys_out(scope: Scope, repo: Path) -> None:
    write(repo, {".env": "TOKEN=old\n", "a.txt": "TOKEN\n"})
    git(repo, "add", "-A", "-f")
    git(repo, "commit", "-qm", "two")
    write(repo, {".env": "TOKEN=new\n", "a.txt": "TOKEN, too\n"})
    assert [hit["file"] for hit in answer(scope, "grep", pattern="TOKEN")["hits"]] == ["a.txt"]
    assert len(answer(scope, "grep", pattern="TOKEN", secrets=True)["hits"]) == 2
    diff = answer(scope, "git", view="diff")
    assert [one["file"] for one in diff["files"]] == ["a.txt"]
    assert diff["withheld"] == 1
    assert not any("new" in line for line in diff["lines"])
    assert any("TOKEN=new" in line for line in answer(scope, "git", view="diff", secrets=True)["lines"])


PARTS = st.sampled_from(
    ["src", "in", "out", "deep", "a.txt", "secret.txt", "..", ".", "", "loop", "\u2024\u2024", "ROOT", "OUTSIDE"]
)


@given(parts=st.lists(PARTS, min_size=1, max_size=6), absolute=st.booleans())
@settings(deadline=None, max_examples=300)
def test_no_combination_of_links_and_dots_leads_out(parts: list[str], absolute: bool) -> None:
    with tempfile.TemporaryDirectory() as name:
        base = Path(name).resolve()
        root, outside = base / "root", base / "outside"
        write(root, {"src/deep/a.txt": "inside", "a.txt": "inside"})
        write(outside, {"secret.txt": "outside", "a.txt": "outside", "deep/a.txt": "outside"})
        (root / "out").symlink_to(outside)
        (root / "in").symlink_to("src")
        (root / "src" / "out").symlink_to("../../outside/deep")
        (root / "src" / "secret.txt").symlink_to(outside / "secret.txt")
        (root / "loop").symlink_to("loop")
        path = "/".join(parts).replace("ROOT", str(root)).replace("OUTSIDE", str(outside))
        try:
            content = paths.read_file(str(root), "/" + path if absolute else path)
        except RequestError:
            return
        assert content.data == b"inside"
        assert (root / content.path).resolve().is_relative_to(root)


def test_resolving_names_what_it_refuses(repo: Path) -> None:
    with pytest.raises(PathOutsideRoot, match="'\\.\\.'"):
        paths.resolve(str(repo), "../x")
