"""The session of a call: the client's, or the terminal's."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from engram.journal import session as module
from engram.journal.session import session_id

PROGRAM = "from engram.journal.session import session_id; print(session_id({}))"
RUN = [sys.executable, "-c", PROGRAM]
ENVIRON = {"PYTHONPATH": str(Path(__file__).parents[2]), "PATH": os.environ["PATH"]}


def test_the_clients_session_counts() -> None:
    assert session_id({"CLAUDE_CODE_SESSION_ID": "5b1c-7"}) == "5b1c-7"


@pytest.mark.parametrize("value", ["", "x" * 129, "a\nb", "\x1b[2J"])
def test_a_value_that_is_no_id_does_not(value: str) -> None:
    assert session_id({"CLAUDE_CODE_SESSION_ID": value}).startswith("term-")


def _in_new_session(command: list[str]) -> list[str]:
    return subprocess.run(
        command, env=ENVIRON, capture_output=True, text=True, check=True, start_new_session=True
    ).stdout.split()


def test_one_session_per_session_leader() -> None:
    shell = ["sh", "-c", '"$@"; "$@"; ("$@")', "sh", *RUN]
    first, second = _in_new_session(shell), _in_new_session(shell)
    assert len(first) == 3
    assert len(set(first)) == len(set(second)) == 1
    assert first[0] != second[0]
    assert first[0].startswith("term-")
    assert len(first[0]) == len("term-") + 16


def test_a_terminal_is_a_session() -> None:
    child, terminal = pty.fork()
    if child == 0:
        os.execvpe("sh", ["sh", "-c", '"$@"; "$@" < /dev/null', "sh", *RUN], ENVIRON)
    output = b""
    try:
        while data := os.read(terminal, 4096):
            output += data
    except OSError:  # how Linux says that the other end of a terminal was closed
        pass
    finally:
        os.close(terminal)
    os.waitpid(child, 0)
    first, second = output.decode().split()
    assert first == second
    assert first not in (session_id({}), *_in_new_session(RUN))


def test_systems_without_proc_ask_ps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_first_line", lambda path: "")
    monkeypatch.setattr(os.path, "isdir", lambda path: False)
    first = session_id({})
    assert first == session_id({})
    assert first.startswith("term-")
