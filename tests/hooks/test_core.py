"""The core files on the card: by how many other files call into them."""

from __future__ import annotations

from engram.engine import Engram
from engram.store.core import CoreFile, note_core, read_core
from engram.store.keys import graph_keys
from engram.worktree import find_worktree
from tests.hooks.runner import Hooks
from tests.ingest.checkout import Checkout

PRICES = CoreFile("shop/prices.py", ("order_total", "unit_price"))


def test_callers_count_by_file_and_tests_are_no_core(checkout: Checkout) -> None:
    checkout.write("shop/money.py", "class Money:\n    def __init__(self): ...\n    def add(self): ...\n")
    use = "from shop.money import Money\nmoney = Money()\nmoney.add()\n"
    checkout.write("shop/checkout.py", use + (checkout.root / "shop/checkout.py").read_text())
    checkout.write("tests/helper.py", "def make(): ...\n")
    for number in range(5):
        checkout.write(f"tests/test_{number}.py", "from tests.helper import make\nmake()\n")
    checkout.sync()
    keys = graph_keys(checkout.config, find_worktree(str(checkout.root)))
    note_core(checkout.connection, keys)
    assert read_core(checkout.connection, keys) == [PRICES, CoreFile("shop/money.py", ("Money",))]


def test_until_they_are_noted_importers_count(indexed: Checkout) -> None:
    keys = graph_keys(indexed.config, find_worktree(str(indexed.root)))
    assert read_core(indexed.connection, keys) == [PRICES]


def test_the_deeper_pass_notes_them_and_the_card_leaves_out_what_is_gone(hooks: Hooks, indexed: Checkout) -> None:
    with Engram.open(indexed.config, str(indexed.root)) as engram:
        engram.refine()
    assert "- shop/prices.py order_total, unit_price" in hooks.start().context
    indexed.remove("shop/prices.py")
    assert "shop/prices.py" not in hooks.start().context
