"""Real git repositories made in the test, and two ways into the primitives: the runner, and the command line."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import jsonschema
import pytest

from engram.budget import MAX_BYTES, Budget
from engram.journal.log import Journal
from engram.primitives.base import Scope, run
from engram.primitives.outcome import ENVELOPE_SCHEMA
from engram.primitives.registry import PRIMITIVES
from tests.patience import LIMIT_S

SOURCE_ROOT = str(Path(__file__).parents[2])
GIT_ENVIRONMENT = {
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_CONFIG_NOSYSTEM": "1",
    **{
        f"GIT_{who}_{what}": text
        for who in ("AUTHOR", "COMMITTER")
        for what, text in (("NAME", "Ada"), ("EMAIL", "a@x"))
    },
    **{f"GIT_{who}_DATE": "2024-05-31T12:00:00+02:00" for who in ("AUTHOR", "COMMITTER")},
}


APP = """\
import os


class App:
    def run(self):
        return os.name


def main():
    App().run()
"""


def git(folder: Path, *args: str, **environment: str) -> str:
    """What a git of the test itself prints; fixed author and date, no configuration of the user."""
    env = {**os.environ, **GIT_ENVIRONMENT, **environment}
    done = subprocess.run(["git", *args], cwd=folder, env=env, check=True, capture_output=True)
    return done.stdout.decode("utf-8", "surrogateescape")


def write(folder: Path, files: Mapping[str, str | bytes]) -> None:
    """Write files below `folder`, folders included."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())


def commit(folder: Path, message: str, files: Mapping[str, str | bytes] | None = None) -> str:
    """Write the files and commit everything; returns the id."""
    write(folder, files or {})
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "--allow-empty", "-m", message)
    return git(folder, "rev-parse", "HEAD").strip()


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    """A repository with one commit of a few files."""
    folder = tmp_path / "repo"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    commit(
        folder,
        "Start",
        {
            "src/app.py": APP,
            "src/web/list.ts": "export function list(): void {}\n",
            "README.md": "# App\n\nRuns the app.\n",
            ".gitignore": "ignored/\n*.log\n",
        },
    )
    return folder


@pytest.fixture
def scope(repo: Path) -> Scope:
    return Scope(str(repo), "test-session")


def call(scope: Scope, name: str, arguments: object) -> dict[str, Any]:
    """The envelope of one call, checked against its schemas, the budget and the journal."""
    outcome = run(PRIMITIVES[name], scope, arguments)
    line = outcome.to_line()
    assert "\n" not in line
    wire: dict[str, Any] = json.loads(line)
    jsonschema.validate(wire, ENVELOPE_SCHEMA)
    if wire["ok"]:
        jsonschema.validate(wire["data"], PRIMITIVES[name].data)
    printed = "\n".join([*outcome.lines, line]).encode()
    assert len(printed) <= scope.budget.max_bytes
    start = line.index('"data":' if wire["ok"] else '"error":')
    assert wire["bytes"] == len(line[line.index("{", start) : line.rindex(',"truncated":')].encode())
    if wire["journalId"]:
        entry = Journal.open(scope.root).find(wire["journalId"])
        assert (entry.primitive, entry.ok, entry.truncated) == (name, wire["ok"], wire["truncated"])
    return wire


def answer(scope: Scope, name: str, **arguments: Any) -> dict[str, Any]:
    """The data of a call that must work."""
    wire = call(scope, name, arguments)
    assert wire["ok"], wire["error"]
    return dict(wire["data"])


def refused(scope: Scope, name: str, **arguments: Any) -> str:
    """The kind of the error of a call that must fail."""
    wire = call(scope, name, arguments)
    assert not wire["ok"], wire
    assert wire["journalId"]
    return str(wire["error"]["kind"])


def with_budget(scope: Scope, max_bytes: int = MAX_BYTES) -> Scope:
    return scope.replace(budget=Budget(max_bytes))


class Ran(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def wire(self) -> dict[str, Any]:
        """The envelope: the last line printed."""
        return dict(json.loads(self.out.splitlines()[-1]))


@pytest.fixture
def engram(repo: Path) -> Callable[..., Ran]:
    """Runs `engram ARGS` as a process of its own in the repository, outside of any client."""

    def start(*args: str | bytes, cwd: Path = repo, timeout: float = LIMIT_S, **environment: str) -> Ran:
        clean = {
            name: value for name, value in os.environ.items() if not name.startswith(("ENGRAM_", "CLAUDE", "GIT_"))
        }
        env = {**clean, "PYTHONPATH": SOURCE_ROOT, "GIT_CONFIG_GLOBAL": "/dev/null", **environment}
        command = [sys.executable, "-m", "engram", *args]
        done = subprocess.run(command, cwd=cwd, env=env, capture_output=True, timeout=timeout, check=False)
        return Ran(done.returncode, done.stdout.decode("utf-8", "surrogateescape"), done.stderr.decode())

    return start
