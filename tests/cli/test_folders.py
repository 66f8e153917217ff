"""Every kind of folder that a command can be started in, and repositories whose configuration names programs."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from engram.cli.main import main
from engram.worktree import find_worktree

AUTHOR = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgSign=false"]
SOURCE = "def greet(name):\n    return f'hello {name}'\n"


def git(folder: Path, *args: str, check: bool = True) -> str:
    argv = ["git", *AUTHOR, "-C", str(folder), *args]
    return subprocess.run(argv, check=check, capture_output=True, text=True).stdout


def make_repository(folder: Path, *, commit: bool = True) -> Path:
    folder.mkdir(parents=True)
    git(folder, "init", "-q", "-b", "main")
    (folder / "greet.py").write_text(SOURCE)
    if commit:
        git(folder, "add", ".")
        git(folder, "commit", "-qm", "Greet")
    return folder


@pytest.fixture
def answer(server, capsys: pytest.CaptureFixture[str]) -> Callable[..., dict]:
    """Run a command that prints JSON, and return what it printed with its exit code."""

    def ask(*args: str) -> dict:
        capsys.readouterr()
        code = main(list(args))
        printed = capsys.readouterr()
        return {"code": code, "errors": printed.err, **(json.loads(printed.out) if printed.out else {})}

    return ask


def hits(found: dict) -> list[str]:
    return [hit["file"] for hit in found["data"]["hits"]]


def indexed(answer, folder: Path) -> int:
    """How many files the index of the folder has."""
    made = answer("index", "--json", "--repo", str(folder))
    assert made["code"] == 0, made
    return made["files"]


def test_a_folder_without_git_is_searched(answer, tmp_path: Path):
    (tmp_path / "plain").mkdir()
    (tmp_path / "plain" / "greet.py").write_text(SOURCE)
    found = answer("grep", "hello", "--repo", str(tmp_path / "plain"))
    assert (found["code"], hits(found)) == (0, ["greet.py"])
    assert indexed(answer, tmp_path / "plain") == 1


@pytest.mark.parametrize("where", ["/", "~"])
def test_the_root_and_the_home_folder_are_no_repositories(
    answer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str
):
    monkeypatch.setenv("HOME", str(tmp_path))
    found = answer("grep", "hello", "--repo", os.path.expanduser(where))
    assert found["code"] == 1
    assert "is not a repository" in json.dumps(found)
    assert "is not a repository" in answer("index", "--json", "--repo", os.path.expanduser(where))["errors"]


def test_a_folder_that_is_not_there(answer, tmp_path: Path):
    found = answer("grep", "hello", "--repo", str(tmp_path / "nowhere"))
    assert found["code"] == 1
    assert "is not a folder" in json.dumps(found)


def test_an_empty_repository_and_one_without_commit(answer, tmp_path: Path):
    (tmp_path / "empty").mkdir()
    git(tmp_path / "empty", "init", "-q")
    assert hits(answer("grep", "hello", "--repo", str(tmp_path / "empty"))) == []
    assert indexed(answer, tmp_path / "empty") == 0
    assert answer("orient", "--json", "greet", "--repo", str(tmp_path / "empty"))["locations"] == []
    unborn = make_repository(tmp_path / "unborn", commit=False)
    assert hits(answer("grep", "hello", "--repo", str(unborn))) == ["greet.py"]
    assert indexed(answer, unborn) == 1
    log = answer("git", "log", "--repo", str(unborn))
    assert (log["code"], log["ok"]) in ((0, True), (1, False))
    assert "Traceback" not in log["errors"]


def test_a_bare_repository_is_refused_with_advice(answer, tmp_path: Path):
    make_repository(tmp_path / "one")
    git(tmp_path, "clone", "-q", "--bare", "one", "bare.git")
    for inside in ("bare.git", "bare.git/refs"):
        found = answer("grep", "hello", "--repo", str(tmp_path / inside))
        assert found["code"] == 1
        assert "is a bare repository" in json.dumps(found)
        assert "is a bare repository" in answer("index", "--json", "--repo", str(tmp_path / inside))["errors"]


def test_a_submodule_is_a_repository_of_its_own(answer, tmp_path: Path):
    make_repository(tmp_path / "inner")
    outer = make_repository(tmp_path / "outer")
    git(outer, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(tmp_path / "inner"), "sub")
    git(outer, "commit", "-qm", "Add a submodule")
    assert find_worktree(str(outer / "sub")).root == os.path.realpath(outer / "sub")
    assert hits(answer("grep", "hello", "--repo", str(outer / "sub"))) == ["greet.py"]
    assert (indexed(answer, outer), indexed(answer, outer / "sub")) == (1, 1)
    assert answer("git", "log", "--repo", str(outer / "sub"))["data"]["commits"][0]["subject"] == "Greet"


def test_a_worktree_inside_of_its_repository_is_one_of_its_own(answer, tmp_path: Path):
    outer = make_repository(tmp_path / "outer")
    git(outer, "worktree", "add", "-q", "-b", "side", "nested")
    (outer / "nested" / "only_here.py").write_text("hello = 1\n")
    assert hits(answer("grep", "hello", "--repo", str(outer / "nested"))) == ["greet.py", "only_here.py"]
    assert (indexed(answer, outer), indexed(answer, outer / "nested")) == (1, 2)
    assert find_worktree(str(outer / "nested")).common_dir == os.path.realpath(outer / ".git")


# What a repository or the caller's variables can make git run: how it is planted, and the plain git command by which
# the test knows that the trap is set.

Plant = Callable[[Path, str], list[str]]


def fsmonitor(folder: Path, trap: str) -> list[str]:
    git(folder, "config", "core.fsmonitor", trap)
    return ["status"]


def fsmonitor_included(folder: Path, trap: str) -> list[str]:
    (folder / "more").write_text(f"[core]\n\tfsmonitor = {trap}\n")
    git(folder, "config", "include.path", str(folder / "more"))
    return ["status"]


def external_diff(folder: Path, trap: str) -> list[str]:
    git(folder, "config", "diff.external", trap)
    return ["diff"]


def diff_driver(folder: Path, trap: str) -> list[str]:
    (folder / ".gitattributes").write_text("*.py diff=trap\n")
    git(folder, "config", "diff.trap.command", trap)
    return ["diff"]


def textconv(folder: Path, trap: str) -> list[str]:
    (folder / ".gitattributes").write_text("*.py diff=trap\n")
    git(folder, "config", "diff.trap.textconv", trap)
    return ["log", "-p"]


def clean_filter(folder: Path, trap: str) -> list[str]:
    (folder / ".gitattributes").write_text("*.py filter=trap\n")
    git(folder, "config", "filter.trap.clean", trap)
    os.utime(folder / "greet.py", (1, 1))  # so that git must hash it again
    return ["diff"]


def hook(folder: Path, trap: str) -> list[str]:
    path = folder / ".git" / "hooks" / "post-index-change"
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"#!/bin/sh\n{trap}\n")
    path.chmod(0o755)
    os.utime(folder / "greet.py", (1, 1))
    return ["status"]


def signature_program(folder: Path, trap: str) -> list[str]:
    git(folder, "config", "gpg.program", trap)
    git(folder, "config", "log.showSignature", "true")
    commit = git(folder, "cat-file", "commit", "HEAD")
    head, _, message = commit.partition("\n\n")
    signed = f"{head}\ngpgsig -----BEGIN PGP SIGNATURE-----\n x\n -----END PGP SIGNATURE-----\n\n{message}"
    argv = ["git", "-C", str(folder), "hash-object", "-t", "commit", "-w", "--stdin"]
    made = subprocess.run(argv, input=signed, text=True, capture_output=True, check=True)
    git(folder, "reset", "-q", "--soft", made.stdout.strip())
    return ["log"]


def pager(folder: Path, trap: str) -> list[str]:
    git(folder, "config", "core.pager", trap)
    return ["-p", "log"]


def alias(folder: Path, trap: str) -> list[str]:
    git(folder, "config", "alias.trap", f"!{trap}")
    return ["trap"]


PLANTS: list[Plant] = [
    *(fsmonitor, fsmonitor_included, external_diff, diff_driver, textconv, clean_filter, hook, signature_program),
    *(pager, alias),
]


def run_everything(answer, folder: Path) -> None:
    """Each command that starts git, in a repository with a change that is not committed."""
    for args in (
        *(["git", "log"], ["git", "log", "--file", "greet.py"], ["git", "blame", "--file", "greet.py"]),
        *(["git", "diff"], ["git", "diff", "--file", "greet.py"], ["grep", "hello"], ["read", "greet.py", "1", "2"]),
        *(["ast", "greet.py", "functions"], ["doctor", "--json"]),
        *(["index", "--json"], ["orient", "--json", "greet"]),
    ):
        assert answer(*args, "--repo", str(folder))["code"] in (0, 1), args


@pytest.fixture
def trap(tmp_path: Path) -> tuple[str, Path]:
    """A program that leaves a trace, and where."""
    trace = tmp_path / "trace"
    program = tmp_path / "trap"
    program.write_text(f"#!/bin/sh\n: >'{trace}'\nexit 1\n")
    program.chmod(0o755)
    return str(program), trace


@pytest.mark.parametrize("plant", PLANTS, ids=lambda plant: plant.__name__)
def test_nothing_that_a_repository_names_is_run(answer, tmp_path: Path, trap: tuple[str, Path], plant: Plant):
    program, trace = trap
    folder = make_repository(tmp_path / "hostile")
    (folder / "greet.py").write_text(SOURCE + "\n")
    spring = plant(folder, program)
    git(folder, *spring, check=False)
    if plant is not pager:  # git starts one on a terminal only
        assert trace.exists(), "the trap is not set"
        trace.unlink()
    (folder / "greet.py").write_text(SOURCE + "\n\n")
    run_everything(answer, folder)
    assert not trace.exists()


def test_an_embedded_bare_repository_is_not_entered(answer, tmp_path: Path, trap: tuple[str, Path]):
    program, trace = trap
    folder = make_repository(tmp_path / "outer")
    embedded = folder / "docs" / "theme"
    shutil.copytree(folder / ".git", embedded)
    settings = ["repositoryformatversion = 0", "bare = false", f"worktree = {folder}", f"fsmonitor = {program}"]
    (embedded / "config").write_text("[core]\n" + "".join([f"\t{line}\n" for line in settings]))
    git(embedded, "status", check=False)
    assert trace.exists(), "the trap is not set"
    trace.unlink()
    for args in (["git", "log"], ["git", "diff"], ["grep", "hello"], ["index", "--json"], ["doctor", "--json"]):
        assert answer(*args, "--repo", str(embedded))["code"] in (0, 1), args
        assert answer(*args, "--repo", str(folder))["code"] == 0, args
    assert not trace.exists()


def test_variables_of_the_caller_lead_nowhere_else(
    answer, tmp_path: Path, trap: tuple[str, Path], monkeypatch: pytest.MonkeyPatch
):
    program, trace = trap
    folder = make_repository(tmp_path / "mine")
    other = make_repository(tmp_path / "other")
    (folder / "greet.py").write_text(SOURCE + "\n")
    git(other, "commit", "-q", "--allow-empty", "-m", "Not mine")
    fsmonitor(other, program)
    hostile = {
        "GIT_DIR": str(other / ".git"),
        "GIT_WORK_TREE": str(other),
        "GIT_INDEX_FILE": str(other / ".git" / "index"),
        "GIT_EXTERNAL_DIFF": program,
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "core.fsmonitor",
        "GIT_CONFIG_VALUE_0": program,
        "GIT_CONFIG_PARAMETERS": f"'core.fsmonitor={program}'",
        "GIT_SSH_COMMAND": program,
        "GIT_PAGER": program,
    }
    for name, value in hostile.items():
        monkeypatch.setenv(name, value)
    run_everything(answer, folder)
    assert [entry["subject"] for entry in answer("git", "log", "--repo", str(folder))["data"]["commits"]] == ["Greet"]
    assert not trace.exists()


def test_the_worktree_that_a_configuration_names_is_not_read(answer, tmp_path: Path):
    folder = make_repository(tmp_path / "hostile")
    private = tmp_path / "private"
    private.mkdir()
    (private / "greet.py").write_text("hello = 'a secret'\n")
    git(folder, "config", "core.worktree", str(private))
    for args in (["grep", "hello"], ["git", "diff"], ["index", "--json"], ["orient", "--json", "secret"]):
        assert "a secret" not in json.dumps(answer(*args, "--repo", str(folder)))
