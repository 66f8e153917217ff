"""Checkouts for tests of the indexer."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from engram.config import Config
from engram.store.wire import Connection
from tests.ingest.checkout import Checkout


@pytest.fixture
def make_checkout(tmp_path: Path, connection: Connection, server: Config) -> Callable[..., Checkout]:
    """Makes checkouts by name, each in its own folder."""

    def make(name: str = "repo", *, with_git: bool = True) -> Checkout:
        return Checkout(tmp_path / name, connection, server, with_git=with_git)

    return make


@pytest.fixture
def checkout(make_checkout: Callable[..., Checkout]) -> Checkout:
    """An empty repository."""
    return make_checkout()
