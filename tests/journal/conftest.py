"""What the journal's tests share."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from engram.journal.entry import Draft
from engram.journal.folder import open_state
from engram.journal.log import Journal
from engram.journal.segments import Snapshot
from engram.journal.tail import Head
from engram.journal.verify import Report, verify

GIT = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    **{
        f"GIT_{role}_{field}": value
        for role in ("AUTHOR", "COMMITTER")
        for field, value in (("NAME", "T"), ("EMAIL", "t@example.com"))
    },
}


def draft(number: int = 0, **changes: Any) -> Draft:
    """A call as the primitives journal it."""
    lines = [{"line": number + 1, "text": f"value = {number}"}]
    made = Draft(
        primitive="read",
        args={"file": "src/a.py", "from": number + 1, "to": number + 1},
        ok=True,
        result={"file": "src/a.py", "lines": lines},
        truncated=False,
        files={"src/a.py": "ab" * 32},
        duration_ms=3,
        session="s-1",
    )
    return made.replace(**changes)


def check(journal: Journal, expected: Head | None = None) -> Report:
    """The report of `verify` on a journal that exists."""
    folder = open_state(journal.root)
    assert folder is not None
    with folder, Snapshot(folder) as snapshot:
        return verify(snapshot, expected)


def state(journal: Journal) -> Path:
    """The state folder of a journal."""
    return Path(journal.root) / ".engram"


class Died(Exception):
    """A process that ends in the middle of something."""


@contextmanager
def dies_after(owner: object, step: str) -> Iterator[None]:
    """Inside of the `with`, which expects it, whoever has done that step of `owner` dies."""
    real = getattr(owner, step)

    def die(*args: object, **kwargs: object) -> None:
        real(*args, **kwargs)
        raise Died

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(owner, step, die)
        with pytest.raises(Died):
            yield


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    """An empty journal."""
    return Journal.open(str(tmp_path))


@pytest.fixture
def git(tmp_path: Path) -> Callable[..., str]:
    """Runs git in the folder of the test."""

    def run(*args: str) -> str:
        command = ["git", "-c", "init.defaultBranch=main", *args]
        done = subprocess.run(command, cwd=tmp_path, env={**os.environ, **GIT}, capture_output=True, check=True)
        return done.stdout.decode().strip()

    return run
