"""What tests share: a private ENGRAM_HOME, and a graph server of its own for each test process."""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from engram.config import Config, load_config
from engram.store.server import open_connection
from engram.store.wire import Connection
from tests.leftovers import take_down
from tests.patience import PATIENCE

# A machine on which everything takes ten times as long for a while is no failure.
settings.register_profile("unhurried", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("unhurried")

# A shell has its background jobs ignore ^C, and so would all that the tests start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def _no_home_by_accident(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """No test reads or writes the user's own state: without the fixtures below, ENGRAM_HOME cannot be made."""
    for name in [name for name in os.environ if name.startswith(("ENGRAM_", "CLAUDE"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("ENGRAM_REFINE", "0")  # nothing is left running behind a test
    monkeypatch.setenv("ENGRAM_PATIENCE", PATIENCE)
    monkeypatch.setenv("ENGRAM_HOME", "/dev/null/choose-a-home-explicitly")


def _short_folder() -> str:
    """A new folder with a short path: pytest's own are too long for a socket's 107 bytes on some machines."""
    return os.path.realpath(tempfile.mkdtemp(prefix="eg-", dir="/tmp"))


def _remove(folder: str) -> None:
    """Remove a home, once nothing is at work in it any more."""
    take_down(folder)
    shutil.rmtree(folder)


@pytest.fixture(scope="session")
def _shared_home() -> Iterator[str]:
    folder = _short_folder()
    yield folder
    _remove(folder)


@pytest.fixture(scope="session")
def _shared_server(_shared_home: str) -> str:
    open_connection(Config(home=_shared_home)).close()
    return _shared_home


@pytest.fixture
def engram_home(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A fresh ENGRAM_HOME of this test alone; a server that it starts is stopped afterwards."""
    folder = _short_folder()
    monkeypatch.setenv("ENGRAM_HOME", folder)
    yield folder
    _remove(folder)


@pytest.fixture
def server(_shared_server: str, monkeypatch: pytest.MonkeyPatch) -> Config:
    """The Config of a running server that all tests of this process share; ENGRAM_HOME names it.

    It may hold what other tests left: use a folder of your own (`tmp_path`), whose path makes the keys.
    """
    monkeypatch.setenv("ENGRAM_HOME", _shared_server)
    return load_config()


@pytest.fixture
def connection(server: Config) -> Iterator[Connection]:
    """A connection to the shared server."""
    with open_connection(server) as opened:
        yield opened
