"""Repositories for tests of the history."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from engram.config import Config
from engram.store.wire import Connection
from tests.history.repository import Repository


@pytest.fixture
def make_repository(tmp_path: Path, connection: Connection, server: Config) -> Callable[..., Repository]:
    """Makes repositories by name, each in its own folder; one that a test has cloned there is taken as it is."""

    def make(name: str = "repo") -> Repository:
        return Repository(tmp_path / name, connection, server)

    return make


@pytest.fixture
def repository(make_repository: Callable[..., Repository]) -> Repository:
    """An empty repository."""
    return make_repository()
