from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engram.config import Config
from engram.store.wire import Connection
from tests import leftovers
from tests.hooks.runner import Hooks, settle
from tests.ingest.checkout import Checkout
from tests.shop import SHOP_WITH_REFUNDS


@pytest.fixture
def checkout(tmp_path: Path, connection: Connection, server: Config) -> Checkout:
    """The shop under git, committed and not indexed."""
    made = Checkout(tmp_path / "shop", connection, server)
    for path, text in SHOP_WITH_REFUNDS.items():
        made.write(path, text)
    made.commit()
    return made


@pytest.fixture
def hooks(checkout: Checkout, server: Config) -> Iterator[Hooks]:
    """Runs hooks in the checkout; what they start has ended when the test has."""
    yield Hooks(str(checkout.root), server.home)
    settle(server.home, str(checkout.root))
    leftovers.settle(server.home)


@pytest.fixture
def indexed(checkout: Checkout) -> Checkout:
    """The checkout, indexed."""
    checkout.sync()
    return checkout
