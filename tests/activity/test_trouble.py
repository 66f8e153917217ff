"""The hooks when something is wrong around them: nobody notices, and nothing is lost that could be kept."""

from __future__ import annotations

import subprocess
import time

import pytest

from engram.config import Config
from engram.engine import Engram
from engram.store.server import open_connection
from tests.activity.session import Session, hook_command, workers
from tests.leftovers import kill_server
from tests.patience import LIMIT_S


@pytest.fixture
def project(tmp_path):
    """A repository that was never indexed."""
    root = tmp_path / "project"
    root.mkdir()
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    (root / "a.py").write_text("def f():\n    return 1\n")
    return root


def touched(home, root):
    """(session, kind, path, count) of all that the graph tells."""
    with Engram.open(Config(home=home, refine=False), str(root)) as engram:
        engram.follow(unasked=True, wait_s=LIMIT_S)
        found = engram.sessions(limit=20, files=20)
    return [
        (record.id, kind, file.path, file.count)
        for record in found
        for kind, files in (("read", record.read), ("edited", record.edited))
        for file in files
    ]


def test_a_server_that_is_killed_between_two_hooks(engram_home, project):
    one = Session(project, engram_home, "one")
    open_connection(Config(home=engram_home)).close()
    assert one.before_edit("a.py") == ""
    kill_server(engram_home)
    assert Session(project, engram_home, "two").before_edit("a.py") == ""  # nobody can tell: fail open
    assert one.edit("a.py", "return 1", "return 2") == ""
    one.settle()
    assert "Claude Code one" in Session(project, engram_home, "two").before_edit("a.py")  # the claim was kept
    assert touched(engram_home, project) == [("one", "edited", "a.py", 1)]


def test_a_home_that_cannot_be_written(project):
    one = Session(project, "/proc/no-home", "one")
    assert one.before_edit("a.py") == ""
    assert one.edit("a.py", "return 1", "return 2") == ""
    assert one.send("SessionEnd", reason="other") == {}
    assert [entry.primitive for entry in one.entries()] == ["Edit"]


def test_two_clients_at_once_where_nothing_was_indexed(engram_home, project):
    sessions = [Session(project, engram_home, name) for name in ("one", "two")]
    given = {"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_response": {"stdout": ""}}
    running = []
    for session in sessions * 3:
        process = subprocess.Popen(
            hook_command("PostToolUse"), stdin=subprocess.PIPE, env=session.environ(), cwd=project, text=True
        )
        process.stdin.write(session.payload("PostToolUse", **given))
        process.stdin.close()
        running.append(process)
    assert [process.wait() for process in running] == [0] * 6
    sessions[0].settle()
    with Engram.open(Config(home=engram_home, refine=False), str(project)) as engram:
        assert [symbol.id for symbol in engram.symbols("f", limit=5)] == ["a.py#f"]
        assert sorted(record.id for record in engram.sessions(limit=5, files=5)) == ["one", "two"]


def test_a_clock_that_jumps_back_takes_nothing_back(server, project):
    root = project
    session = Session(root, server.home, "one")
    session.read("a.py")
    with Engram.open(server, str(root)) as engram:
        engram.follow(unasked=True)
        [before] = engram.sessions(limit=1, files=1)
        text = (root / ".engram/journal.jsonl").read_text()
        year = time.strftime("%Y", time.gmtime())
        session.read("a.py")
        lines = (root / ".engram/journal.jsonl").read_text()[len(text) :]
        (root / ".engram/journal.jsonl").write_text(text + lines.replace(f'"at":"{year}', '"at":"2001'))
        engram.follow(unasked=True)
        [after] = engram.sessions(limit=1, files=1)
    assert after.read[0].count == 2
    assert (after.at, after.read[0].at) == (before.at, before.read[0].at)


def test_a_journal_that_was_removed_begins_anew(server, project):
    session = Session(project, server.home, "one")
    for _ in range(3):
        session.read("a.py")
    assert touched(server.home, project) == [("one", "read", "a.py", 3)]
    (project / ".engram/journal.jsonl").unlink()
    session.read("a.py")
    assert touched(server.home, project) == [("one", "read", "a.py", 4)]


def test_a_session_that_has_gone_to_another_repository(engram_home, project, tmp_path):
    """The client starts hooks where it was started itself, and tells them where the session is now."""
    session = Session(project, engram_home, "one")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    given = {"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_response": {"stdout": ""}}
    payload = session.payload("PostToolUse", **given)
    subprocess.run(
        hook_command("PostToolUse"), input=payload, cwd=elsewhere, env=session.environ(), text=True, check=True
    )
    session.settle()
    with Engram.open(Config(home=engram_home, refine=False), str(project)) as engram:
        assert [symbol.id for symbol in engram.symbols("f", limit=5)] == ["a.py#f"]


def test_a_large_folder_without_git_is_not_indexed_for_a_command(engram_home, tmp_path):
    root = tmp_path / "large"
    root.mkdir()
    for number in range(10_001):
        (root / str(number)).touch()
    session = Session(root, engram_home, "one")
    session.bash("true")
    assert [entry.primitive for entry in session.entries()] == ["Bash"]
    assert not workers(root)
    assert not (root / ".engram" / "activity.lock").exists()


def test_a_folder_that_is_removed_under_the_client(server, project):
    session = Session(project, server.home, "one")
    payload = project.parent / "payload.json"
    given = {"file_path": str(project / "a.py")}
    payload.write_text(session.payload("PreToolUse", tool_name="Edit", tool_input=given))
    script = f'rm -r "{project}"; "$@" <"{payload}"'
    ran = subprocess.run(
        ["sh", "-c", script, "sh", *hook_command("PreToolUse")],
        cwd=project, env=session.environ(), capture_output=True, text=True,
    )  # fmt: skip
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")
