"""From files to a map: a small repository, the real server, the real index."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from engram.cli.main import main
from engram.config import Config
from engram.engine import Engram
from engram.errors import NotIndexed, SchemaMismatch
from engram.orient.map import find_map
from engram.render.map import render_map

FILES = {
    "src/shop/__init__.py": "from .api import total\n",
    "src/shop/cart.py": '''\
"""The shopping cart."""

from .pricing import discount_price, round_price


class Cart:
    """Lines of a purchase, in order."""

    def __init__(self):
        self.lines = []

    def add(self, product, quantity=1):
        """Put a product into the cart."""
        if quantity < 1:
            raise ValueError("the quantity must be positive")
        self.lines.append((product, quantity))

    def sum_up(self, voucher=None):
        """The sum of all lines, with the voucher applied."""
        amount = 0
        for product, quantity in self.lines:
            amount += round_price(product.price * quantity)
        return discount_price(amount, voucher)
''',
    "src/shop/pricing.py": '''\
"""Money."""


def round_price(amount):
    """To whole cents, half a cent upwards."""
    return int(amount * 100 + 0.5) / 100


def discount_price(amount, voucher):
    """The amount less what the voucher grants."""
    if voucher is None:
        return amount
    if voucher.percent > 100:
        raise ValueError("a voucher cannot grant more than everything")
    return amount - amount * voucher.percent / 100
''',
    "src/shop/api.py": '''\
"""What callers import."""


def total(cart, voucher=None):
    return cart.sum_up(voucher)
''',
    "src/shop/report.py": '''\
"""Reports of sales as plain text."""


def monthly_report(sales):
    rows = [f"{sale.day}: {sale.amount}" for sale in sales]
    return "\\n".join(rows)
''',
    "docs/conf.py": "project = 'shop'\nvoucher = 'voucher voucher'\n",
    "tests/test_pricing.py": """\
from shop.pricing import discount_price


def test_discount_of_a_voucher():
    assert discount_price(10, None) == 10
""",
    "tests/test_cart.py": """\
from shop.cart import Cart


def test_add():
    cart = Cart()
    cart.add("apple")
""",
}
ISSUE = """\
Voucher of 100 percent grants a negative amount

Calling `discount_price(10, voucher)` in pricing.py with a voucher of more than 100 percent says
"a voucher cannot grant more than everything", but exactly 100 fails, too.
"""


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    for path, text in FILES.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    (tmp_path / ".engram").mkdir()
    return tmp_path


@pytest.fixture
def engram(repository: Path, server: Config) -> Iterator[Engram]:
    with Engram.open(server, str(repository)) as opened:
        yield opened


def test_the_map_of_a_bug_report(engram: Engram) -> None:
    engram.sync()
    lines = render_map(engram.orient(ISSUE)).splitlines()
    assert lines[0] == "[engram] Likely locations for this task (code graph, confidence high):"
    assert lines[1] == "- src/shop/pricing.py:9-15 discount_price"
    assert lines[-1] == "Tests: tests/test_pricing.py, tests/test_cart.py"
    assert not any("docs/" in line or "- tests/" in line for line in lines)


def test_evidence_is_kept_for_every_place(engram: Engram) -> None:
    engram.sync()
    found = engram.orient(ISSUE)
    assert all(place.why for place in found.locations)
    assert any("name is written" in reason for reason in found.locations[0].why)
    assert any("string in it is quoted" in reason for reason in found.locations[0].why)
    assert found.files[0].path == "src/shop/pricing.py"
    assert found.indexed_at > 0


def test_a_traceback_leads_to_its_innermost_frame(engram: Engram) -> None:
    engram.sync()
    text = (
        'it crashes\n\nTraceback (most recent call last):\n  File "app.py", line 3, in <module>\n    run()\n'
        '  File "/site-packages/shop/report.py", line 5, in monthly_report\n    rows\nAttributeError: day\n'
    )
    assert engram.orient(text).locations[0].qualname == "monthly_report"


def test_the_same_question_has_the_same_answer(engram: Engram) -> None:
    engram.sync()
    first = engram.orient(ISSUE)
    engram.sync(rebuild=True)
    assert engram.orient(ISSUE).replace(indexed_at=first.indexed_at) == first


def test_limit_cuts_places_and_files(engram: Engram) -> None:
    engram.sync()
    found = engram.orient(ISSUE, limit=1)
    assert (len(found.locations), len(found.files)) == (1, 1)


def test_a_file_that_changed_since_is_named_and_not_shown(engram: Engram, repository: Path) -> None:
    engram.sync()
    (repository / "src/shop/pricing.py").write_text("# moved\n" + FILES["src/shop/pricing.py"])
    found = find_map(engram.connection, engram.keys, str(repository), ISSUE)
    assert "src/shop/pricing.py" in found.stale
    assert all(place.file != "src/shop/pricing.py" for place in found.locations)
    engram.sync()
    place = engram.orient(ISSUE).locations[0]
    assert (place.qualname, place.start) == ("discount_price", 10)


def test_many_edits_leave_no_ghosts(engram: Engram, repository: Path) -> None:
    engram.sync()
    for count in range(1, 6):
        (repository / "src/shop/pricing.py").write_text("# moved\n" * count + FILES["src/shop/pricing.py"])
        engram.sync()
    places = [place for place in engram.orient(ISSUE, limit=50).locations if place.qualname == "discount_price"]
    assert [place.start for place in places] == [14]
    os.remove(repository / "src/shop/pricing.py")
    engram.sync()
    assert all(place.file != "src/shop/pricing.py" for place in engram.orient(ISSUE, limit=50).locations)


@pytest.mark.parametrize(
    "text", ["zzzz qqqq", "'\"`\\ ) MATCH (n) DELETE n", "\x00\x01", ".*[", "a" * 100_000, "💥 🎉"]
)
def test_a_text_about_nothing_here_gets_low_confidence(engram: Engram, text: str) -> None:
    engram.sync()
    found = engram.orient(text)
    assert found.confidence == "low"
    assert render_map(found).startswith("[engram]")


def test_before_the_first_index_there_is_no_map(engram: Engram) -> None:
    with pytest.raises(NotIndexed):
        engram.orient(ISSUE)


def test_the_command_prints_text_evidence_or_json(
    repository: Path, server: Config, capsys: pytest.CaptureFixture[str]
) -> None:
    repo = ["--repo", str(repository)]
    assert main(["orient", *repo, "discount_price is wrong"]) == 0
    assert capsys.readouterr().out.startswith("[engram] Likely locations for this task (code graph, confidence ")
    assert main(["orient", *repo, "--explain", "discount_price", "is", "wrong"]) == 0
    assert "its name shares words with the text" in capsys.readouterr().out
    assert main(["orient", *repo, "--json", "--limit", "2", "discount_price is wrong"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["locations"][0]["qualname"] == "discount_price"
    assert answer["indexedAt"].endswith("Z")
    assert len(answer["files"]) <= 2


def test_the_text_may_come_from_standard_input(
    repository: Path, server: Config, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    raw = io.BytesIO("monthly_report \udcff".encode("utf-8", "surrogateescape"))
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=raw, isatty=lambda: False))
    assert main(["orient", "--repo", str(repository)]) == 0
    assert "monthly_report" in capsys.readouterr().out


@pytest.mark.parametrize("args", [["orient", "--limit", "0", "x"], ["orient", "--limit", "51", "x"], ["orient", "  "]])
def test_bad_values_are_named(
    args: list[str], repository: Path, server: Config, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*args, "--repo", str(repository)]) == 1
    assert capsys.readouterr().err.startswith("engram: ")


@pytest.mark.parametrize("version", ["0.0.0/1.1.1", "nonsense"])
def test_an_index_of_another_version_is_not_read(engram: Engram, version: str) -> None:
    engram.sync()
    engram.connection.call("HSET", engram.keys.meta, "version", version)
    with pytest.raises(SchemaMismatch):
        engram.orient(ISSUE)


def test_a_text_about_another_project_gets_low_confidence(engram: Engram) -> None:
    engram.sync()
    foreign = (
        "LaTeX printer drops brackets around nested fractions in matrix expressions, total amount of braces is wrong"
    )
    assert engram.orient(foreign).confidence == "low"


def test_a_file_that_defines_nothing_can_be_a_place(engram: Engram, repository: Path) -> None:
    (repository / "src/shop/currencies.py").write_text("register('euro')\nregister('krona')\n")
    engram.sync()
    assert "- src/shop/currencies.py:1-2 <module>" in render_map(engram.orient("krona and euro have no symbol"))
