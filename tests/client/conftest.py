"""The real clients that are found, each with a home of its own; without any, these tests are skipped."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.client.driver import ROOT, Client, copy_plugin
from tests.leftovers import take_down
from tests.shop import SHOP

# Read while tests are collected: afterwards no variable of the user's client is left.
_ASKED = os.environ.get("CLAUDE_BIN", "")
_MADE = Path(os.environ.get("ENGRAM_TEST_HOME") or ROOT / "build" / "home") / "env"
_KEY = (ROOT / "engram" / "locks" / "KEY").read_text().strip()


def _clients() -> list[str]:
    """Paths of the clients: those of CLAUDE_BIN (separated by colons), else what `make clients` has installed."""
    if _ASKED:
        return [os.path.realpath(path) for path in _ASKED.split(os.pathsep)]
    return sorted(map(str, ROOT.glob("build/claude/*/node_modules/@anthropic-ai/claude-code-*/claude")))


def _name(program: str) -> str:
    """The version in the path of a client that `make clients` has installed, else its position among CLAUDE_BIN."""
    parts = Path(program).parts
    return parts[parts.index("node_modules") - 1] if "node_modules" in parts else Path(program).name


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "claude" in metafunc.fixturenames:
        none = pytest.mark.skip(reason="no Claude Code client: `make clients` installs two, or set CLAUDE_BIN")
        found = [pytest.param(program, id=_name(program)) for program in _clients()]
        metafunc.parametrize("claude", found or [pytest.param("", marks=none, id="no client")])


@pytest.fixture
def private_home() -> Iterator[str]:
    """An ENGRAM_HOME of this test alone with the packages and the engine that were made before."""
    if not (_MADE / _KEY / "engine").is_dir():
        pytest.skip(f"no environment {_KEY} in {_MADE}: `make develop` makes it")
    folder = os.path.realpath(tempfile.mkdtemp(prefix="eg-", dir="/tmp"))  # short: a socket's path has 107 bytes
    os.symlink(_MADE, f"{folder}/env")
    yield folder
    log = Path(folder, "hook.log")
    print(log.read_text() if log.exists() else "hook.log: nothing")  # pytest shows it where the test has failed
    take_down(folder)
    shutil.rmtree(folder)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """The shop in a git checkout, committed."""
    root = tmp_path / "repository"
    for name, text in SHOP.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    identity = ["-c", "user.name=Ann", "-c", "user.email=ann@example.org"]
    for words in (["init", "-q"], ["add", "."], [*identity, "commit", "-q", "-m", "A shop"]):
        subprocess.run(["git", *words], cwd=root, check=True)
    return root


@pytest.fixture(scope="session")
def plugin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """This checkout as a plugin that gives its hooks more time."""
    return copy_plugin(tmp_path_factory.mktemp("plugin"), whole=False)


@pytest.fixture
def client(claude: str, private_home: str, repository: Path, plugin: Path, tmp_path: Path) -> Client:
    """A client of each version that is found, in `repository`, with this checkout as its plugin."""
    return Client(claude, tmp_path / "user", private_home, repository, plugin)
