"""Sessions of a client in a small repository; the checkouts of the indexer's tests serve here as well."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engram.config import Config
from tests.activity.session import Session
from tests.ingest.checkout import Checkout
from tests.ingest.conftest import checkout, make_checkout

__all__ = ["checkout", "make_checkout"]

PRICES = """def unit_price(article):
    return {"apple": 40}[article]


def order_total(articles):
    total = sum(unit_price(article) for article in articles)
    return total
"""
CHECKOUT = """from prices import order_total


def checkout_order(articles):
    return f"to pay: {order_total(articles)}"
"""
TEST = """from prices import order_total


def test_total():
    assert order_total(["apple"]) == 40
"""


@pytest.fixture
def shop(checkout: Checkout) -> Checkout:
    """A repository of three files, indexed."""
    for name, text in (("prices.py", PRICES), ("checkout.py", CHECKOUT), ("tests/test_prices.py", TEST)):
        checkout.write(name, text)
    checkout.sync()
    return checkout


@pytest.fixture
def open_session(shop: Checkout, server: Config) -> Callable[[str], Session]:
    """Makes sessions in `shop` by their ids."""
    return lambda name: Session(shop.root, server.home, name)
