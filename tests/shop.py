"""A small repository that tests of hooks and of the client work in, and a task that is about it."""

from __future__ import annotations

SHOP = {
    "shop/prices.py": '''"""Prices of orders."""


def unit_price(article: str) -> int:
    """The price of one article, in cents."""
    return {"apple": 40, "pear": 55}[article]


def order_total(articles: list[str], discount: int = 0) -> int:
    """The price of an order after its discount in per cent, in cents."""
    total = sum(unit_price(article) for article in articles)
    return total - total * discount // 100
''',
    "shop/checkout.py": '''"""Checking an order out."""

from shop.prices import order_total


def checkout_order(articles: list[str], coupon: str = "") -> str:
    """The receipt of an order."""
    discount = 10 if coupon == "TEN" else 0
    return f"to pay: {order_total(articles, discount)}"
''',
    "shop/__init__.py": "",
    "tests/test_prices.py": """from shop.prices import order_total


def test_discount():
    assert order_total(["apple", "pear"], 10) == 86
""",
}
# The same with one more caller, and a file that tells how its tests are run.
SHOP_WITH_REFUNDS = {
    **SHOP,
    "shop/refund.py": '''"""Giving money back."""

from shop.prices import order_total


def refund_order(articles: list[str]) -> int:
    """What a customer gets back."""
    return -order_total(articles)
''',
    "pyproject.toml": "[tool.pytest.ini_options]\n",
}
TASK = "order_total in shop/prices.py rounds the discount of an order the wrong way"
