"""The command line of the primitives: exit codes, flags, which repository, what people see."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from engram.cli.arguments import Command, Flag, Positional, UsageError, help_text, parse, whole_number
from engram.cli.primitives import COMMANDS
from engram.cli.recurse import ANSWER, ASK, COLLECT
from engram.journal.log import Journal
from engram.primitives.registry import PRIMITIVES

from .conftest import SOURCE_ROOT, Ran, commit, git, write

Engram = Callable[..., Ran]


def test_each_primitive_prints_one_line_and_exits_0(engram: Engram) -> None:
    for args in (
        ("grep", "class App"),
        ("read", "src/app.py", "1", "3"),
        ("ast", "src/app.py", "symbol-at:6:1"),
        ("git", "log", "--max", "1"),
        ("recurse", "collect"),
    ):
        ran = engram(*args)
        assert (ran.code, ran.err, len(ran.out.splitlines())) == (0, "", 1)
        assert list(ran.wire) == ["primitive", "ok", "data", "truncated", "bytes", "durationMs", "journalId"]
        assert ran.wire["primitive"] == args[0]


def test_recurse_prints_requests_before_the_envelope(engram: Engram) -> None:
    ran = engram("recurse", "What is it?", "--over", "src/app.py:1-3", "src/app.py#main", "--batch")
    *lines, envelope = ran.out.splitlines()
    assert [line.split(" ")[0] for line in lines] == ["ENGRAM-RECURSE-REQUEST"] * 2
    first = json.loads(lines[0].partition(" ")[2])["id"]
    assert engram("recurse", "answer", first, "It", "is.").wire["data"]["answered"] == 1
    batch = json.loads(envelope)["data"]["batch"]
    assert engram("recurse", "collect", batch).wire["data"]["answers"][0]["text"] == "It is."
    assert engram("recurse", "Deeper?", "--parent", first).wire["data"]["depth"] == 3
    spent = engram("recurse", "Deeper?", ENGRAM_RECURSE_DEPTH="0")
    assert (spent.code, spent.wire["error"]["kind"]) == (1, "depth-spent")


@pytest.mark.parametrize(
    "args",
    [
        *(["grep"], ["grep", "x", "y"], ["grep", "x", "--nope"], ["grep", "--pre=cat", "x"], ["grep", "x", "--max"]),
        *(
            ["grep", "x", "--case=1"],
            ["grep", "x", "--max", "1", "--max", "2"],
            ["read", "a", "1"],
            ["read"],
            ["ast", "a"],
        ),
        *(["git"], ["recurse"], ["recurse", "a", "b"], ["recurse", "answer", "x"], ["recurse", "collect", "a", "b"]),
        *(["read", "a", "1", "2", "-x"], ["grep", "-e", "x"]),
    ],
)
def test_a_wrong_use_exits_2_and_says_how_it_is_used(args: list[str], engram: Engram, repo: Path) -> None:
    ran = engram(*args)
    assert (ran.code, ran.out) == (2, "")
    assert f"usage: engram {args[0]}" in ran.err
    assert not (repo / ".engram").exists()


@pytest.mark.parametrize(
    ("args", "kind"),
    [
        (["read", "src/app.py", "x", "2"], "invalid-argument"),
        (["read", "src/app.py", "-3", "2"], "invalid-argument"),
        (["read", "src/app.py", "3", "2"], "invalid-argument"),
        (["read", "src/app.py", "9" * 50, "2"], "invalid-argument"),
        (["read", "../x", "1", "2"], "path-outside-root"),
        (["read", "nope", "1", "2"], "file-unavailable"),
        (["grep", "("], "invalid-pattern"),
        (["grep", ""], "invalid-pattern"),
        (["grep", "x", "--max", "51"], "invalid-argument"),
        (["grep", "x", "--max", "many"], "invalid-argument"),
        (["grep", "x", "--budget", "10"], "invalid-argument"),
        (["grep", "x", "--budget", "x"], "invalid-argument"),
        (["ast", "src/app.py", "methods"], "invalid-argument"),
        (["ast", "src/app.py", "symbol-at:1"], "invalid-argument"),
        (["ast", "src/app.py", "symbol-at:a:b"], "invalid-argument"),
        (["git", "show"], "invalid-argument"),
        (["git", "log", "--ref", "--all"], "invalid-argument"),
        (["git", "log", "--ref=--output=x"], "invalid-argument"),
        (["recurse", "answer", "x", "It is."], "unknown-id"),
        (["recurse", ""], "invalid-argument"),
    ],
)
def test_a_bad_value_exits_1_with_an_envelope_and_is_journaled(
    args: list[str], kind: str, engram: Engram, repo: Path
) -> None:
    ran = engram(*args)
    assert (ran.code, ran.wire["error"]["kind"]) == (1, kind)
    assert Journal.open(str(repo)).find(ran.wire["journalId"]).ok is False


def test_values_that_begin_with_a_dash(engram: Engram, repo: Path) -> None:
    write(repo, {"-odd": "use --pre=cat or -x\n"})
    assert engram("grep", "--", "--pre=cat").wire["data"]["total"] == 1
    assert engram("grep", "-", "--path", "-odd").wire["data"]["total"] == 1
    assert engram("read", "--", "-odd", "1", "1").code == 0


def test_arguments_that_are_not_utf8(engram: Engram, repo: Path) -> None:
    write(repo, {b"\xff.txt".decode("utf-8", "surrogateescape"): "x\n"})
    ran = engram("read", b"\xff.txt", "1", "1")
    assert (ran.code, ran.wire["data"]["lines"]) == (0, [{"line": 1, "text": "x"}])
    assert engram("grep", b"\xff").code in (0, 1)


def test_output_is_utf8_whatever_the_locale(engram: Engram, repo: Path) -> None:
    write(repo, {"a.txt": "\u00e4\u2028\n"})
    ran = engram("read", "a.txt", "1", "1", LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")
    assert ran.wire["data"]["lines"][0]["text"] == "\u00e4\u2028"


def test_outside_of_a_client_any_repository_may_be_named(engram: Engram, repo: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    write(other, {"b.txt": "there\n", ".engram/.gitignore": "*\n"})
    ran = engram("read", "b.txt", "1", "1", "--repo", str(other))
    assert ran.code == 0
    assert (other / ".engram" / "journal.jsonl").exists()
    assert not (repo / ".engram").exists()
    assert (
        engram("read", "b.txt", "1", "1", "--repo", str(tmp_path / "nowhere")).wire["error"]["kind"]
        == "not-a-repository"
    )


def test_inside_a_client_another_repository_is_refused_and_journaled_here(
    engram: Engram, repo: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    git(other, "init", "-q")
    commit(other, "x", {"b.txt": "there\n"})
    for folder in (str(other), "/", str(tmp_path), os.path.expanduser("~"), ""):
        ran = engram("read", "b.txt", "1", "1", "--repo", folder, CLAUDECODE="1", CLAUDE_CODE_SESSION_ID="abc")
        assert ran.code == 1
        assert ran.wire["error"]["kind"] in ("path-outside-root", "not-a-repository", "invalid-argument")
        assert Journal.open(str(repo)).find(ran.wire["journalId"]).session == "abc"
    assert not (other / ".engram").exists()


def test_inside_a_client_worktrees_of_the_repository_are_its_own(engram: Engram, repo: Path, tmp_path: Path) -> None:
    git(repo, "worktree", "add", "-q", str(tmp_path / "tree"))
    tree = tmp_path / "tree"
    assert engram("git", "log", "--repo", str(tree), CLAUDECODE="1").code == 0
    assert engram("git", "log", "--repo", str(repo), cwd=tree, CLAUDECODE="1").code == 0
    assert engram("git", "log", "--repo", str(repo / "src"), cwd=repo / "src", CLAUDECODE="1").code == 0


def test_inside_a_client_a_git_file_alone_makes_no_worktree(engram: Engram, repo: Path, tmp_path: Path) -> None:
    """A checkout may bring a `.git` file that points to any repository of this user."""
    hostile = tmp_path / "hostile"
    write(hostile, {".git": f"gitdir: {repo}/.git\n", "a.txt": "x\n"})
    ran = engram("read", "README.md", "1", "1", "--repo", str(repo), cwd=hostile, CLAUDECODE="1")
    assert (ran.code, ran.wire["error"]["kind"]) == (1, "path-outside-root")


def test_the_root_is_the_checkout_around_the_current_folder(engram: Engram, repo: Path) -> None:
    assert engram("read", "README.md", "1", "1", cwd=repo / "src" / "web").code == 0
    assert (repo / ".engram" / "journal.jsonl").exists()


def test_the_home_folder_is_no_repository(engram: Engram, tmp_path: Path) -> None:
    ran = engram("grep", "x", cwd=tmp_path, HOME=str(tmp_path))
    assert (ran.code, ran.wire["error"]["kind"], ran.wire["journalId"]) == (1, "not-a-repository", None)


def test_a_setting_that_cannot_be_used_is_an_error(engram: Engram) -> None:
    ran = engram("recurse", "Why?", ENGRAM_RECURSE_DEPTH="deep")
    assert (ran.code, ran.wire["error"]["kind"]) == (1, "config")


def test_a_current_folder_that_is_gone_is_an_error(repo: Path) -> None:
    """Started by a shell that removes its own folder: Python cannot be started in one that is not there."""
    (repo / "gone").mkdir()
    script = f'cd gone && rmdir ../gone && exec "{sys.executable}" -m engram grep x'
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": SOURCE_ROOT, "HOME": str(repo.parent)}
    ran = subprocess.run(["/bin/sh", "-c", script], cwd=repo, env=environment, capture_output=True, check=False)
    assert ran.returncode == 1
    assert json.loads(ran.stdout)["error"]["kind"] == "not-a-repository"


@pytest.mark.parametrize("redirection", [">/dev/full", ">&-"])
def test_an_answer_that_cannot_be_printed_is_an_error(redirection: str, repo: Path) -> None:
    script = f'exec "{sys.executable}" -m engram read README.md 1 1 {redirection}'
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": SOURCE_ROOT, "HOME": str(repo.parent)}
    ran = subprocess.run(["/bin/sh", "-c", script], cwd=repo, env=environment, capture_output=True, check=False)
    assert (ran.returncode, ran.stderr.decode().split(":")[0]) == (1, "engram")


def test_a_reader_that_has_seen_enough_is_no_error(repo: Path) -> None:
    write(repo, {"a.txt": f"{'needle ' * 40}\n" * 400})
    script = f'"{sys.executable}" -m engram read a.txt 1 400 | head -c 5; echo " ${{PIPESTATUS[0]}}"'
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": SOURCE_ROOT, "HOME": str(repo.parent)}
    ran = subprocess.run(["bash", "-c", script], cwd=repo, env=environment, capture_output=True, check=True)
    assert (ran.stdout.decode(), ran.stderr.decode()) == ('{"pri 0\n', "")


def test_strict_and_budget_reach_the_runner(engram: Engram, repo: Path) -> None:
    write(repo, {"a.txt": "needle here\n" * 50})
    assert engram("grep", "needle", "--budget", "2000").wire["truncated"]
    (repo / ".engram" / "journal.jsonl").write_text('{"v":99}\n')
    assert engram("read", "a.txt", "1", "1").wire["warning"]
    assert engram("read", "a.txt", "1", "1", "--strict").code == 1


def test_text_for_people(engram: Engram, repo: Path) -> None:
    commit(repo, "\u001b[31mRed", {"esc.txt": "a\u001b[2Jb\tc\n"})
    assert engram("read", "esc.txt", "1", "1", "--human").out == "     1  a\\x1b[2Jb\tc\nesc.txt: 1 lines\n"
    grep = engram("grep", "class App", "--human", "--ctx", "1").out
    assert grep == "src/app.py\n     3- \n     4: class App:\n     5-     def run(self):\n\n1 of 1 hits in 1 file\n"
    assert "src/app.py:5-6  method App.run" in engram("ast", "src/app.py", "functions", "--human").out
    assert "\x1b" not in engram("git", "log", "--human").out
    assert "src/app.py: none" in engram("ast", "src/web/list.ts", "classes", "--human").out.replace(
        "web/list.ts", "app.py"
    )
    failed = engram("read", "nope", "1", "1", "--human")
    assert (failed.code, failed.out.splitlines()[0]) == (1, "engram read: 'nope' does not exist")
    assert "[left out: at least 1 commits]" in engram("git", "log", "--max", "1", "--human").out
    assert "0 of 1 requests" in (engram("recurse", "Why?").out and engram("recurse", "collect", "--human").out)


@pytest.mark.parametrize("command", [*COMMANDS.values(), ASK, ANSWER, COLLECT], ids=lambda command: command.name)
def test_help_names_every_argument(command: Command, engram: Engram) -> None:
    ran = engram(*command.name.split(" "), "--help")
    assert (ran.code, ran.out) == (0, help_text(command) + "\n")
    for flag in command.flags:
        assert flag.name in ran.out
        assert flag.help in ran.out
    assert all(len(line) < 140 for line in ran.out.splitlines()[3:])


@pytest.mark.parametrize("name", list(COMMANDS))
def test_every_argument_of_a_primitive_can_be_given(name: str) -> None:
    fields = {one.field for one in (*COMMANDS[name].positionals, *COMMANDS[name].flags)}
    assert set(PRIMITIVES[name].arguments["properties"]) - {"line", "column"} <= fields


def test_flags_stand_anywhere_and_dashes_end_them() -> None:
    command = Command(
        "x",
        "",
        (Positional("a", ""), Positional("b", "", optional=True)),
        (Flag("--n", "n", "", "N"), Flag("--f", "f", "")),
    )
    assert parse(command, ["--n=1=2", "p", "--f"]) == {"n": "1=2", "f": True, "a": "p"}
    assert parse(command, ["--n", "--f", "p"]) == {"n": "--f", "a": "p"}
    assert parse(command, ["--", "--f", "--n"]) == {"a": "--f", "b": "--n"}
    assert parse(command, ["", "-1"]) == {"a": "", "b": "-1"}
    with pytest.raises(UsageError):
        parse(command, ["p", "--f", "--f=1"])


def test_numbers_are_decimal_digits_alone() -> None:
    assert [whole_number(text) for text in ("12", "-3", "+1", "1_0", "\u0661", "", None, "1" * 21)] == [
        *(12, -3, "+1", "1_0", "\u0661", "", None, "1" * 21)
    ]


SLOW = {
    "dataclasses",
    "typing",
    "re",
    "subprocess",
    "socket",
    "json",
    "argparse",
    "pathlib",
    "contextlib",
    "hashlib",
    "signal",
    "functools",
    "collections",
    "enum",
}


@pytest.mark.parametrize(
    ("args", "allowed"),
    [
        (["read", "src/app.py", "1", "3"], set()),
        (["git", "log"], set()),
        (["grep", "class App"], set()),
        (["recurse", "Why?", "--over", "src/app.py:1-2"], set()),
        (
            ["ast", "src/app.py", "functions"],
            {"typing", "re", "json", "contextlib", "functools", "collections", "enum"},
        ),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else None,
)
def test_nothing_slow_is_imported(args: list[str], allowed: set[str], repo: Path) -> None:
    packages = [path for path in sys.path if path.endswith("site-packages")]
    script = (
        f"import sys\nsys.path += {[SOURCE_ROOT, *packages]!r}\n"
        f"from engram.cli.main import main\ncode = main({args!r})\n"
        "print(code, *sorted(sys.modules))"
    )
    environment = {"PATH": os.environ["PATH"], "HOME": str(repo.parent)}
    ran = subprocess.run(
        [sys.executable, "-I", "-S", "-c", script], cwd=repo, env=environment, capture_output=True, check=True
    )
    code, *modules = ran.stdout.decode().splitlines()[-1].split()
    assert code == "0"
    assert (SLOW - allowed) & set(modules) == set()
