"""Nothing that a repository or a variable of the caller names is run or read by the git that engram starts."""

from __future__ import annotations

from pathlib import Path

import pytest

from engram.errors import GitError, InvalidArgument
from engram.gitrun import run_git
from engram.primitives.base import Scope

from .conftest import answer, commit, git, write


@pytest.fixture
def trap(repo: Path) -> Path:
    """A file that exists as soon as any of the planted programs has run."""
    return repo.parent / "trap"


def planted(trap: Path) -> str:
    program = trap.parent / "planted"
    program.write_text(f"#!/bin/sh\necho x >> '{trap}'\ncat\n")
    program.chmod(0o755)
    return str(program)


def views(scope: Scope) -> None:
    for arguments in (
        {"view": "log"},
        {"view": "log", "file": "src/app.py"},
        {"view": "diff"},
        {"view": "blame", "file": "src/app.py"},
    ):
        answer(scope, "git", **arguments)
    answer(scope, "git", view="diff", ref="HEAD~1..HEAD")


@pytest.mark.parametrize(
    "settings",
    [
        {"core.fsmonitor": "PROGRAM"},
        {"core.hooksPath": "FOLDER"},
        {"diff.external": "PROGRAM"},
        {"diff.evil.command": "PROGRAM"},
        {"diff.evil.textconv": "PROGRAM", "diff.evil.cachetextconv": "true"},
        {"filter.evil.clean": "PROGRAM", "filter.evil.smudge": "PROGRAM"},
        {"filter.evil.process": "PROGRAM", "filter.evil.required": "true"},
        {"filter.a=b.clean": "PROGRAM"},
        {"log.showSignature": "true", "gpg.program": "PROGRAM"},
        {"core.pager": "PROGRAM", "pager.log": "PROGRAM", "pager.diff": "PROGRAM"},
        {"core.sshCommand": "PROGRAM", "core.askPass": "PROGRAM"},
        {"alias.log": "!PROGRAM", "alias.diff": "!PROGRAM"},
        {"interactive.diffFilter": "PROGRAM"},
    ],
    ids=lambda settings: next(iter(settings)),
)
def test_programs_named_by_the_repository_do_not_run(
    settings: dict[str, str], scope: Scope, repo: Path, trap: Path
) -> None:
    program = planted(trap)
    commit(repo, "Two", {".gitattributes": "*.py diff=evil filter=evil\n*.md filter=a=b\n"})
    for name, value in settings.items():
        git(repo, "config", name, value.replace("PROGRAM", program).replace("FOLDER", str(trap.parent)))
    write(repo, {"src/app.py": "changed = 1\n", "README.md": "changed\n"})
    views(scope)
    assert not trap.exists()


def test_filters_of_an_included_configuration_do_not_run(scope: Scope, repo: Path, trap: Path) -> None:
    commit(repo, "Two", {".gitattributes": "*.py filter=evil\n"})
    write(repo.parent, {"more.cfg": f'[filter "evil"]\n\tclean = {planted(trap)}\n'})
    git(repo, "config", "include.path", str(repo.parent / "more.cfg"))
    write(repo, {"src/app.py": "changed = 1\n"})
    views(scope)
    assert not trap.exists()


def test_filters_of_a_worktree_configuration_do_not_run(scope: Scope, repo: Path, trap: Path) -> None:
    commit(repo, "Two", {".gitattributes": "*.py filter=evil\n"})
    git(repo, "config", "extensions.worktreeConfig", "true")
    git(repo, "config", "--worktree", "filter.evil.clean", planted(trap))
    write(repo, {"src/app.py": "changed = 1\n"})
    views(scope)
    assert not trap.exists()


def test_filters_of_the_user_do_run(scope: Scope, repo: Path, trap: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(repo.parent, {"home/.gitconfig": f'[filter "mine"]\n\tclean = {planted(trap)}\n'})
    monkeypatch.setenv("HOME", str(repo.parent / "home"))
    commit(repo, "Two", {".gitattributes": "*.py filter=mine\n"})
    write(repo, {"src/app.py": "changed = 1\n"})
    answer(scope, "git", view="diff")
    assert trap.exists()


def test_a_submodule_is_not_looked_into(scope: Scope, repo: Path, trap: Path) -> None:
    library = repo.parent / "library"
    library.mkdir()
    git(library, "init", "-q", "-b", "main")
    commit(library, "Library", {"lib.py": "x = 1\n", ".gitattributes": "*.py filter=evil\n"})
    git(repo, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(library), "lib")
    commit(repo, "Use it")
    git(repo / "lib", "config", "filter.evil.clean", planted(trap))
    git(repo, "config", "diff.submodule", "diff")
    git(repo, "config", "submodule.lib.ignore", "none")
    write(repo, {"lib/lib.py": "x = 2\n", "README.md": "changed\n"})
    views(scope)
    assert not trap.exists()


def test_a_work_tree_set_elsewhere_is_not_read(scope: Scope, repo: Path) -> None:
    commit(repo, "Two")
    write(repo.parent, {"elsewhere/README.md": "private\n"})
    git(repo, "config", "core.worktree", str(repo.parent / "elsewhere"))
    assert answer(scope, "git", view="diff")["lines"] == []


def test_a_bare_repository_inside_a_checkout_is_not_used(scope: Scope, repo: Path, trap: Path) -> None:
    git(repo, "init", "-q", "--bare", "src/bare")
    git(repo / "src" / "bare", "config", "core.fsmonitor", planted(trap))
    with pytest.raises(GitError):
        run_git(str(repo / "src" / "bare"), "status")
    assert not trap.exists()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(
            ("GIT_DIR", "/nonexistent"),
            ("GIT_WORK_TREE", "/etc"),
            ("GIT_INDEX_FILE", "/nonexistent"),
            ("GIT_CONFIG", "/x"),
        ),
        *(("GIT_EXTERNAL_DIFF", "PROGRAM"), ("GIT_PAGER", "PROGRAM"), ("GIT_OBJECT_DIRECTORY", "/nonexistent")),
        *(
            ("GIT_CONFIG_PARAMETERS", "'core.fsmonitor'='PROGRAM'"),
            ("GIT_TRACE", "/dev/stdout"),
            ("GIT_NAMESPACE", "x"),
        ),
        *(("GIT_CEILING_DIRECTORIES", "/"), ("GIT_LITERAL_PATHSPECS", "1"), ("GIT_EXEC_PATH", "/nonexistent")),
    ],
)
def test_variables_of_the_caller_change_nothing(
    name: str, value: str, scope: Scope, repo: Path, trap: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit(repo, "Two")
    monkeypatch.setenv(name, value.replace("PROGRAM", planted(trap)))
    views(scope)
    assert not trap.exists()


def test_a_partial_clone_fetches_nothing(scope: Scope, repo: Path, trap: Path) -> None:
    commit(repo, "Two", {"src/app.py": "two = 2\n"})
    git(repo, "config", "uploadpack.allowFilter", "true")
    git(repo.parent, "clone", "-q", "--no-checkout", "--filter=blob:none", f"file://{repo}", "partial")
    partial = repo.parent / "partial"
    git(partial, "config", "remote.origin.url", f"ext::{planted(trap)}")
    git(partial, "config", "protocol.ext.allow", "always")
    inside = scope.replace(root=str(partial))
    assert len(answer(inside, "git", view="log")["commits"]) == 2
    with pytest.raises(GitError):
        run_git(str(partial), "diff", "HEAD~1", "HEAD")
    assert not trap.exists()


def test_a_git_in_the_current_folder_is_not_started(repo: Path, trap: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (repo / "git").write_text(f"#!/bin/sh\ntouch '{trap}'\n")
    (repo / "git").chmod(0o755)
    monkeypatch.chdir(repo)
    monkeypatch.setenv("PATH", ".::relative")
    with pytest.raises(GitError, match="not installed"):
        run_git(str(repo), "status")
    assert not trap.exists()


def test_an_argument_with_a_nul_is_refused(repo: Path) -> None:
    with pytest.raises(InvalidArgument):
        run_git(str(repo), "log", "--format=%H\0")


def test_nothing_is_written_to_the_repository(scope: Scope, repo: Path) -> None:
    commit(repo, "Two")
    (repo / "README.md").touch()  # an index that git would like to refresh
    index = (repo / ".git" / "index").read_bytes()
    views(scope)
    assert (repo / ".git" / "index").read_bytes() == index


def test_output_is_cut_at_its_bound(repo: Path) -> None:
    assert len(run_git(str(repo), "log", "-p", max_bytes=100)) == 100
