"""grep: hits, what is skipped, what is said about the rest, and patterns that are none."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage

import pytest

from engram.primitives import ripgrep
from engram.primitives.base import Scope

from .conftest import answer, call, commit, git, refused, write


def test_a_hit_has_its_place_and_the_lines_around(scope: Scope) -> None:
    data = answer(scope, "grep", pattern="class (App)", ctx=1)
    assert data["hits"] == [
        {
            "file": "src/app.py",
            "line": 4,
            "column": 1,
            "text": "class App:",
            "before": [""],
            "after": ["    def run(self):"],
        }
    ]
    assert (data["total"], data["files"]) == (1, 1)


def test_nothing_found_is_an_answer(scope: Scope) -> None:
    wire = call(scope, "grep", {"pattern": "nowhere"})
    assert wire["data"] == {"total": 0, "files": 0, "hits": []}
    assert not wire["truncated"]


def test_case_counts_only_if_asked(scope: Scope) -> None:
    assert answer(scope, "grep", pattern="CLASS APP")["total"] == 1
    assert answer(scope, "grep", pattern="CLASS APP", case=True)["total"] == 0


def test_columns_count_characters(scope: Scope, repo: Path) -> None:
    write(
        repo,
        {"a.txt": "\u00e4\u00f6\U0001f600 here\n", "b.txt": "\ufeffhere\n", "c.txt": "\u00e4 here\n".encode("utf-16")},
    )
    found = {hit["file"]: (hit["column"], hit["text"]) for hit in answer(scope, "grep", pattern="here")["hits"]}
    assert found == {"a.txt": (5, "\u00e4\u00f6\U0001f600 here"), "b.txt": (1, "here"), "c.txt": (3, "\u00e4 here")}


def test_neighbours_show_no_line_twice(scope: Scope, repo: Path) -> None:
    write(repo, {"n.txt": "1\n2 x\n3\n4 x\n5 x\n6\n7\n8\n"})
    hits = answer(scope, "grep", pattern="x", path="n.txt")["hits"]
    shown = [line for hit in hits for line in (*hit["before"], hit["text"], *hit["after"])]
    assert shown == ["1", "2 x", "3", "4 x", "5 x", "6", "7"]


def test_at_most_50_hits_and_how_many_more_there_are(scope: Scope, repo: Path) -> None:
    write(repo, {f"many/{number:02}.txt": "needle\n" * 30 for number in range(4)})
    wire = call(scope, "grep", {"pattern": "needle", "ctx": 0})
    assert len(wire["data"]["hits"]) == 50
    assert (wire["data"]["total"], wire["data"]["files"]) == (120, 4)
    assert wire["leftOut"] == {
        "hits": 70,
        "files": 3,
        "most": [
            {"file": "many/02.txt", "hits": 30},
            {"file": "many/03.txt", "hits": 30},
            {"file": "many/01.txt", "hits": 10},
        ],
    }
    assert len(answer(scope, "grep", pattern="needle", max=3)["hits"]) == 3
    assert refused(scope, "grep", pattern="needle", max=51) == "invalid-argument"


def test_hits_come_in_the_same_order_every_time(scope: Scope, repo: Path) -> None:
    write(repo, {f"many/{number:03}.txt": "needle\n" for number in range(80)})
    runs = [answer(scope, "grep", pattern="needle")["hits"] for _ in range(3)]
    assert runs[0] == runs[1] == runs[2]
    assert [hit["file"] for hit in runs[0]] == [f"many/{number:03}.txt" for number in range(50)]


@pytest.mark.parametrize(
    "path",
    [
        *(
            "ignored/a.txt",
            "x.log",
            "node_modules/a.js",
            "lib/node_modules/a.js",
            "dist/a.js",
            "build/a.js",
            "app.min.js",
        ),
        *(".git/notes.txt", ".engram/notes.txt", ".claude/worktrees/w/a.py"),
    ],
)
def test_what_git_ignores_or_nobody_wrote_is_skipped(path: str, scope: Scope, repo: Path) -> None:
    write(repo, {path: "needle\n", "src/kept.txt": "needle\n"})
    assert [hit["file"] for hit in answer(scope, "grep", pattern="needle")["hits"]] == ["src/kept.txt"]
    globbed = answer(scope, "grep", pattern="needle", glob="*." + path.rpartition(".")[2])["hits"]
    assert path not in [hit["file"] for hit in globbed]


def test_a_skipped_folder_that_is_named_is_searched(scope: Scope, repo: Path) -> None:
    write(repo, {"build/a.txt": "needle\n", "ignored/a.txt": "needle\n"})
    assert answer(scope, "grep", pattern="needle", path="build")["total"] == 1
    assert answer(scope, "grep", pattern="needle", path="ignored")["total"] == 1


def test_hidden_files_are_searched(scope: Scope, repo: Path) -> None:
    write(repo, {".github/workflows/ci.yml": "needle\n"})
    assert answer(scope, "grep", pattern="needle")["total"] == 1


def test_binary_minified_and_large_files_are_not_shown(scope: Scope, repo: Path) -> None:
    write(
        repo,
        {
            "late.bin": b"needle\n" * 20000 + b"\0",
            "bundle.js": "a" * 6000 + " needle\n",
            "huge.txt": "needle\n" + "x" * (2 << 20),
            "fine.txt": "needle\n",
        },
    )
    data = answer(scope, "grep", pattern="needle")
    assert [hit["file"] for hit in data["hits"]] == ["fine.txt"]
    assert data["total"] == 1
    assert data["skipped"]["minified"] == 1
    assert refused(scope, "read", **{"file": "late.bin", "from": 1, "to": 1}) == "file-unavailable"


def test_long_lines_are_cut_around_the_match(scope: Scope, repo: Path) -> None:
    write(repo, {"wide.txt": "a" * 3000 + "needle" + "b" * 3000 + "\n"})
    hit = answer(scope, "grep", pattern="needle")["hits"][0]
    assert hit["column"] == 3001
    assert "needle" in hit["text"]
    assert len(hit["text"]) < 250


def test_only_what_the_glob_takes_is_searched(scope: Scope, repo: Path) -> None:
    write(repo, {"src/b.py": "needle\n", "tests/b.py": "needle\n", "src/b.ts": "needle\n"})

    def files(glob: str) -> list[str]:
        return [hit["file"] for hit in answer(scope, "grep", pattern="needle", glob=glob)["hits"]]

    assert files("*.py") == ["src/b.py", "tests/b.py"]
    assert files("src/**") == ["src/b.py", "src/b.ts"]
    assert files("!*.py") == ["src/b.ts"]
    assert files("*.{py,ts}") == ["src/b.py", "src/b.ts", "tests/b.py"]


@pytest.mark.parametrize("pattern", ["(", "[", "a{2", "*a", "(?=a)", "(a)\\1", "a\\", "x{1000000000}", "a\nb"])
def test_patterns_that_are_none_are_named(pattern: str, scope: Scope) -> None:
    wire = call(scope, "grep", {"pattern": pattern})
    if pattern == "a{2":  # Rust's regex reads it as text or refuses it, by version
        return
    assert wire["error"]["kind"] == "invalid-pattern"
    assert wire["error"]["hint"]


@pytest.mark.parametrize("pattern", ["", "a\0b"])
def test_empty_patterns_and_those_with_a_nul_are_refused(pattern: str, scope: Scope) -> None:
    assert refused(scope, "grep", pattern=pattern) == "invalid-pattern"


def test_a_pattern_of_1000_characters_is_the_longest(scope: Scope) -> None:
    assert answer(scope, "grep", pattern="x" * 1000)["total"] == 0
    assert refused(scope, "grep", pattern="x" * 1001) == "invalid-argument"


@pytest.mark.parametrize("pattern", ["--pre=cat", "-", "-e", "--files", "-rf", "--", "--pre=/bin/sh"])
def test_options_in_place_of_patterns_are_searched_for(pattern: str, scope: Scope, repo: Path) -> None:
    write(repo, {"flags.txt": f"use {pattern} here\n"})
    data = answer(scope, "grep", pattern=pattern, path="flags.txt")
    assert [hit["column"] for hit in data["hits"]] == [5]


@pytest.mark.parametrize("pattern", ["(a*)*b", "(a|a)*b", "(a+)+$", "(.*)*x", "(?:a?){60}a{60}b", "\\w{1000}{100}"])
def test_patterns_built_to_explode_do_not(pattern: str, scope: Scope, repo: Path) -> None:
    write(repo, {"a.txt": "a" * 100_000 + "\n"})
    before = getrusage(RUSAGE_CHILDREN).ru_utime
    call(scope, "grep", {"pattern": pattern, "path": "a.txt"})
    assert getrusage(RUSAGE_CHILDREN).ru_utime - before < 10


def test_a_search_that_takes_too_long_is_ended(scope: Scope, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ripgrep, "TIMEOUT_S", 0.0)
    assert refused(scope, "grep", pattern="x") == "search-unfinished"


def test_the_users_configuration_of_ripgrep_changes_nothing(
    scope: Scope, repo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = repo.parent / "ripgreprc"
    config.write_text("--invert-match\n--pre=false\n")
    monkeypatch.setenv("RIPGREP_CONFIG_PATH", str(config))
    assert answer(scope, "grep", pattern="class App")["total"] == 1


def test_rules_that_git_does_not_know_hide_nothing(scope: Scope, repo: Path) -> None:
    write(repo, {".ignore": "src/\n", ".rgignore": "src/\n"})
    assert answer(scope, "grep", pattern="class App")["total"] == 1


def test_folders_without_git_are_searched_with_their_own_ignore_rules(tmp_path: Path) -> None:
    write(
        tmp_path,
        {".gitignore": "plain/\n", "plain/.gitignore": "*.log\n", "plain/a.txt": "needle\n", "plain/a.log": "needle\n"},
    )
    data = answer(Scope(str(tmp_path / "plain"), "s"), "grep", pattern="needle")
    assert [hit["file"] for hit in data["hits"]] == ["a.txt"]


def test_a_linked_worktree_inside_an_ignored_folder_is_searched(scope: Scope, repo: Path) -> None:
    git(repo, "worktree", "add", "-q", "ignored/tree")
    data = answer(scope.replace(root=str(repo / "ignored" / "tree")), "grep", pattern="class App")
    assert [hit["file"] for hit in data["hits"]] == ["src/app.py"]


def test_file_names_with_odd_characters(scope: Scope, repo: Path) -> None:
    names = ["a b.txt", "a:1:b.txt", "a\nb.txt", "-x.txt", b"\xff.txt".decode("utf-8", "surrogateescape"), "\u00fc.txt"]
    write(repo, dict.fromkeys(names, "needle\n"))
    outcome = [hit["file"] for hit in answer(scope, "grep", pattern="needle")["hits"]]
    assert sorted(outcome) == sorted(name for name in names if "\n" not in name)


def test_files_that_cannot_be_read_are_passed_over(scope: Scope, repo: Path) -> None:
    write(repo, {"locked.txt": "needle\n", "open.txt": "needle\n"})
    (repo / "locked.txt").chmod(0)
    if os.access(repo / "locked.txt", os.R_OK):  # root reads everything
        (repo / "locked.txt").unlink()
    assert [hit["file"] for hit in answer(scope, "grep", pattern="needle")["hits"]] == ["open.txt"]


def test_a_journaled_grep_names_the_files_shown(scope: Scope, repo: Path) -> None:
    from engram.journal.log import Journal

    commit(repo, "more", {"b.txt": "needle\n", "c.txt": "needle\n"})
    wire = call(scope, "grep", {"pattern": "needle", "max": 1})
    assert list(Journal.open(str(repo)).find(wire["journalId"]).files) == ["b.txt"]


def test_ripgrep_is_found_beside_the_python_that_runs() -> None:
    program = ripgrep.find_ripgrep()
    assert subprocess.run([program, "--version"], capture_output=True, check=True).stdout.startswith(b"ripgrep 14.1.0")


def test_ripgrep_is_found_in_a_package_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(
        tmp_path, {"bin/rg": "#!/bin/sh\n", "site-packages/ripgrep-14.1.0.dist-info/RECORD": "../bin/rg,sha256=x,1\n"}
    )
    (tmp_path / "bin" / "rg").chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    monkeypatch.setattr(sys, "path", [str(tmp_path / "site-packages")])
    assert ripgrep.find_ripgrep() == str(tmp_path / "bin" / "rg")


@pytest.mark.parametrize(
    ("version", "taken"), [("ripgrep 15.0.1", True), ("ripgrep 12.1.1", False), ("other 14", False), ("", False)]
)
def test_ripgrep_on_path_is_taken_if_it_is_new_enough(
    version: str, taken: bool, tmp_path: Path, scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, {"tools/rg": f"#!/bin/sh\necho {version}\n"})
    (tmp_path / "tools" / "rg").chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    monkeypatch.setenv("PATH", f".:tools:{tmp_path / 'tools'}")
    monkeypatch.chdir(tmp_path)
    if taken:
        assert ripgrep.find_ripgrep() == str(tmp_path / "tools" / "rg")
    else:
        wire = call(scope, "grep", {"pattern": "x"})
        assert wire["error"]["kind"] == "config"
        assert "pip install ripgrep==14.1.0" in wire["error"]["hint"]
