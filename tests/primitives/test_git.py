"""git: bounded views in every kind of checkout, and names that are no options."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engram.errors import RequestError
from engram.primitives.base import Scope
from engram.primitives.blame import iso_time
from engram.primitives.revisions import check_date

from .conftest import answer, call, commit, git, refused, write


def test_the_log_has_ids_times_authors_and_subjects_newest_first(scope: Scope, repo: Path) -> None:
    second = commit(repo, "Say more\n\nIn many words.", {"README.md": "# App\n"})
    commits = answer(scope, "git", view="log")["commits"]
    assert [one["subject"] for one in commits] == ["Say more", "Start"]
    assert commits[0] == {"sha": second, "at": "2024-05-31T12:00:00+02:00", "author": "Ada", "subject": "Say more"}


def test_the_log_of_a_file_follows_its_renames(scope: Scope, repo: Path) -> None:
    git(repo, "mv", "src/app.py", "src/main.py")
    commit(repo, "Rename")
    commit(repo, "Other", {"other.txt": "x"})
    commits = answer(scope, "git", view="log", file="src/main.py")["commits"]
    assert [one["subject"] for one in commits] == ["Rename", "Start"]
    assert [one["subject"] for one in answer(scope, "git", view="log", file="src")["commits"]] == ["Rename", "Start"]


def test_the_log_of_a_deleted_file_is_there(scope: Scope, repo: Path) -> None:
    (repo / "README.md").unlink()
    commit(repo, "Delete")
    commits = answer(scope, "git", view="log", file="README.md")["commits"]
    assert [one["subject"] for one in commits] == ["Delete", "Start"]


def test_a_file_that_never_was_is_named(scope: Scope, repo: Path) -> None:
    assert refused(scope, "git", view="log", file="nothing.py") == "file-unavailable"
    assert answer(scope, "git", view="log", file="nothing.py", since="2024-01-01")["commits"] == []
    write(repo, {"new.py": "x = 1\n"})
    assert answer(scope, "git", view="log", file="new.py")["commits"] == []


def test_at_most_30_commits_and_that_there_are_more(scope: Scope, repo: Path) -> None:
    for number in range(32):
        commit(repo, f"Commit {number}")
    wire = call(scope, "git", {"view": "log"})
    assert len(wire["data"]["commits"]) == 30
    assert wire["leftOut"] == {"commits": 1, "atLeast": True}
    wire = call(scope, "git", {"view": "log", "max": 2})
    assert [one["subject"] for one in wire["data"]["commits"]] == ["Commit 31", "Commit 30"]
    assert refused(scope, "git", view="log", max=31) == "invalid-argument"


def test_the_log_between_two_commits(scope: Scope, repo: Path) -> None:
    first = git(repo, "rev-parse", "HEAD").strip()
    commit(repo, "Two")
    commit(repo, "Three")
    for ref, subjects in ((f"{first}..HEAD", ["Three", "Two"]), ("..HEAD~1", []), (f"{first}..main~1", ["Two"])):
        assert [one["subject"] for one in answer(scope, "git", view="log", ref=ref)["commits"]] == subjects


def test_since_takes_dates_and_refuses_what_git_would_misread(scope: Scope) -> None:
    assert answer(scope, "git", view="log", since="2024-01-01")["commits"]
    assert answer(scope, "git", view="log", since="40 years ago")["commits"]
    assert answer(scope, "git", view="log", since="2024-06-02")["commits"] == []
    for since in ("last tuesdya", "--all", "x", "-1; rm", "\u202e"):
        assert refused(scope, "git", view="log", since=since) == "invalid-argument"


@given(st.text(max_size=20))
@settings(deadline=None)
def test_every_date_is_taken_as_it_is_or_refused(text: str) -> None:
    try:
        taken = check_date(text)
    except RequestError:
        return
    assert taken == text
    assert text.isprintable()


@pytest.mark.parametrize(
    "ref",
    [
        *("-x", "--all", "--output=/tmp/x", "-", "nope", "HEAD~99", "HEAD^{tree}", "HEAD:README.md", "a\0b", "a\nb"),
        *(
            "main..-x",
            "-x..main",
            "nope...main",
            "main main",
            ":/nope",
            "\u202emain",
            "x" * 300,
            "--end-of-options",
        ),
    ],
)
@pytest.mark.parametrize("view", ["log", "diff", "blame"])
def test_what_is_no_revision_is_refused(ref: str, view: str, scope: Scope, repo: Path) -> None:
    kind = refused(scope, "git", view=view, ref=ref, **({"file": "README.md"} if view == "blame" else {}))
    assert kind in ("invalid-argument", "unknown-revision")


def test_a_branch_named_like_a_file_is_a_revision(scope: Scope, repo: Path) -> None:
    git(repo, "branch", "README.md")
    commit(repo, "Two")
    assert len(answer(scope, "git", view="log", ref="README.md")["commits"]) == 1


@pytest.mark.parametrize("name", ["--output=x", "-", ":(glob)*", "*.py", "!x", ":/"])
def test_files_named_like_options_and_patterns_are_files(name: str, scope: Scope, repo: Path) -> None:
    commit(repo, "Odd", {f"./{name}": "x\n"} if not name.endswith("/") else {f"{name}x": "x\n"})
    commits = answer(scope, "git", view="log", file=name)["commits"]
    assert [one["subject"] for one in commits] == ["Odd"]


def test_a_diff_has_its_files_and_the_lines_of_the_patch(scope: Scope, repo: Path) -> None:
    write(repo, {"README.md": "# App\n\nRuns it.\n", "image.bin": b"\0\1"})
    git(repo, "add", "image.bin")
    data = answer(scope, "git", view="diff")
    assert data["files"] == [
        {"file": "README.md", "added": 1, "removed": 1},
        {"file": "image.bin", "added": None, "removed": None},
    ]
    assert data["changed"] == 2
    assert {"-Runs the app.", "+Runs it."} <= set(data["lines"])
    assert [one["file"] for one in answer(scope, "git", view="diff", file="README.md")["files"]] == ["README.md"]


def test_a_diff_between_commits_and_since_they_parted(scope: Scope, repo: Path) -> None:
    git(repo, "checkout", "-q", "-b", "side")
    commit(repo, "Side", {"side.txt": "x\n"})
    git(repo, "checkout", "-q", "main")
    commit(repo, "Main", {"main.txt": "of main alone\n"})
    two = [one["file"] for one in answer(scope, "git", view="diff", ref="main..side")["files"]]
    three = [one["file"] for one in answer(scope, "git", view="diff", ref="main...side")["files"]]
    assert (two, three) == (["main.txt", "side.txt"], ["side.txt"])
    assert [one["file"] for one in answer(scope, "git", view="diff", ref="side")["files"]] == two


def test_a_rename_in_a_diff_has_both_names(scope: Scope, repo: Path) -> None:
    git(repo, "mv", "src/app.py", "src/main.py")
    commit(repo, "Rename")
    files = answer(scope, "git", view="diff", ref="HEAD~1..HEAD")["files"]
    assert files == [{"file": "src/main.py", "from": "src/app.py", "added": 0, "removed": 0}]


def test_a_diff_is_cut_at_400_lines_and_at_32_kilobytes(scope: Scope, repo: Path) -> None:
    write(repo, {"README.md": "".join(f"line {number}\n" for number in range(1000))})
    wire = call(scope, "git", {"view": "diff"})
    assert len(wire["data"]["lines"]) == 400
    assert wire["leftOut"]["lines"] > 600
    write(repo, {"README.md": "".join(f"{number} {'x' * 300}\n" for number in range(1000))})
    wire = call(scope, "git", {"view": "diff"})
    assert 50 < len(wire["data"]["lines"]) < 150
    assert wire["bytes"] <= 32 * 1024


def test_a_blame_has_spans_by_commit(scope: Scope, repo: Path) -> None:
    first = git(repo, "rev-parse", "HEAD").strip()
    second = commit(repo, "Say more", {"README.md": "# App\n\nRuns it.\nTwice.\n"})
    spans = answer(scope, "git", view="blame", file="README.md")["spans"]
    assert [(one["line"], one["endLine"], one["sha"], one["subject"]) for one in spans] == [
        (1, 2, first, "Start"),
        (3, 4, second, "Say more"),
    ]
    assert spans[0]["at"] == "2024-05-31T12:00:00+02:00"
    assert [one["sha"] for one in answer(scope, "git", view="blame", file="README.md", ref=first)["spans"]] == [first]
    part = answer(scope, "git", view="blame", file="README.md", **{"from": 4, "max": 1})["spans"]
    assert [(one["line"], one["endLine"]) for one in part] == [(4, 4)]


def test_a_long_blame_says_what_is_left(scope: Scope, repo: Path) -> None:
    commit(repo, "Long", {"long.txt": "x\n" * 900})
    wire = call(scope, "git", {"view": "blame", "file": "long.txt"})
    assert [(one["line"], one["endLine"]) for one in wire["data"]["spans"]] == [(1, 400)]
    assert wire["leftOut"] == {"from": 401, "atLeast": True}
    assert not call(scope, "git", {"view": "blame", "file": "long.txt", "from": 501})["truncated"]


def test_a_blame_needs_a_file_that_git_knows(scope: Scope, repo: Path) -> None:
    assert refused(scope, "git", view="blame") == "invalid-argument"
    assert refused(scope, "git", view="blame", file="nothing.py") == "git"
    assert refused(scope, "git", view="blame", file="README.md", ref="HEAD~0..HEAD") == "invalid-argument"
    assert refused(scope, "git", view="diff", since="yesterday") == "invalid-argument"
    assert refused(scope, "git", view="show") == "invalid-argument"


def test_a_linked_worktree_has_its_own_head(scope: Scope, repo: Path) -> None:
    git(repo, "worktree", "add", "-q", "-b", "side", "../tree")
    tree = repo.parent / "tree"
    commit(tree, "Side", {"side.txt": "x\n"})
    write(tree, {"side.txt": "y\n"})
    inside = scope.replace(root=str(tree))
    assert [one["subject"] for one in answer(inside, "git", view="log")["commits"]] == ["Side", "Start"]
    assert [one["file"] for one in answer(inside, "git", view="diff")["files"]] == ["side.txt"]
    assert (
        answer(inside, "git", view="blame", file="side.txt")["spans"][0]["subject"]
        == "Version of side.txt from side.txt"
    )
    assert len(answer(scope, "git", view="log")["commits"]) == 1


def test_a_submodule_is_a_checkout_of_its_own(scope: Scope, repo: Path) -> None:
    library = repo.parent / "library"
    library.mkdir()
    git(library, "init", "-q", "-b", "main")
    commit(library, "Library", {"lib.py": "x = 1\n"})
    git(repo, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(library), "lib")
    commit(repo, "Use the library")
    write(repo, {"lib/lib.py": "x = 2\n"})
    inside = scope.replace(root=str(repo / "lib"))
    assert [one["subject"] for one in answer(inside, "git", view="log")["commits"]] == ["Library"]
    assert [one["file"] for one in answer(inside, "git", view="diff")["files"]] == ["lib.py"]
    assert answer(scope, "git", view="diff")["files"] == []


def test_a_shallow_clone_answers_and_says_why_older_commits_are_missing(scope: Scope, repo: Path) -> None:
    for number in range(3):
        commit(repo, f"Commit {number}")
    git(repo.parent, "clone", "-q", "--depth", "2", f"file://{repo}", "shallow")
    inside = scope.replace(root=str(repo.parent / "shallow"))
    assert [one["subject"] for one in answer(inside, "git", view="log")["commits"]] == ["Commit 2", "Commit 1"]
    wire = call(inside, "git", {"view": "log", "ref": "HEAD~3"})
    assert wire["error"]["kind"] == "unknown-revision"
    assert "shallow" in wire["error"]["hint"]


def test_a_detached_head_answers(scope: Scope, repo: Path) -> None:
    commit(repo, "Two")
    git(repo, "checkout", "-q", "--detach", "HEAD~1")
    assert [one["subject"] for one in answer(scope, "git", view="log")["commits"]] == ["Start"]


def test_an_empty_repository_has_no_commits_and_a_diff(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    scope = Scope(str(tmp_path), "s")
    assert answer(scope, "git", view="log")["commits"] == []
    assert answer(scope, "git", view="diff")["lines"] == []
    write(tmp_path, {"a.txt": "x\n"})
    git(tmp_path, "add", "a.txt")
    assert [one["file"] for one in answer(scope, "git", view="diff")["files"]] == ["a.txt"]
    assert refused(scope, "git", view="log", ref="HEAD") == "unknown-revision"


def test_a_folder_without_git_is_named(tmp_path: Path) -> None:
    assert refused(Scope(str(tmp_path), "s"), "git", view="log") == "not-a-repository"


def test_texts_that_are_not_utf8_are_shown_with_replacements(scope: Scope, repo: Path) -> None:
    git(repo, "-c", "i18n.commitEncoding=latin1", "commit", "-q", "--allow-empty", "-m", "caf\u00e9")
    commit(repo, "Bytes", {b"\xff.txt".decode("utf-8", "surrogateescape"): b"\xe9\n"})
    assert len(answer(scope, "git", view="log")["commits"]) == 3
    diff = answer(scope, "git", view="diff", ref="HEAD~1..HEAD")
    assert "+\ufffd" in diff["lines"]


@pytest.mark.parametrize(
    ("seconds", "zone", "shown"),
    [
        ("0", "+0000", "1970-01-01T00:00:00+00:00"),
        ("1717149600", "+0200", "2024-05-31T12:00:00+02:00"),
        ("1717149600", "-0330", "2024-05-31T06:30:00-03:30"),
    ],
)
def test_times_are_shown_in_their_own_zone(seconds: str, zone: str, shown: str) -> None:
    assert iso_time(seconds, zone) == shown
