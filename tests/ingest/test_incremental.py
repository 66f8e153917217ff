"""Any sequence of edits: what updates leave is what one build of the last state gives."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.ingest.checkout import Checkout

MODULES = ("alpha", "beta", "gamma", "pack/__init__", "pack/delta", "pack/test_delta")
NAMES = ("run", "make", "Node", "Leaf", "size", "main")
IMPORTS = (
    "from alpha import *",
    "from alpha import Node",
    "from beta import make as run",
    "import gamma",
    "from pack import delta",
    "from . import delta",
    "from .delta import Leaf",
    "from pack.delta import Node as Leaf",
    "import alpha as beta",
)
BODIES = (
    "return run()",
    "return gamma.size()",
    "node = Node()\n    return node.size()",
    "return delta.make(Leaf())",
    "return self.size()",
    "return super().run()",
    "return Leaf().make().size",
    "yield main()",
)


@st.composite
def sources(draw: st.DrawFn) -> str:
    """A small module: imports, functions, classes with methods; sometimes one that does not parse."""
    lines = draw(st.lists(st.sampled_from(IMPORTS), max_size=3))
    for name, body in draw(st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from(BODIES)), max_size=3)):
        returns = draw(st.sampled_from(["", " -> Node", " -> 'Leaf'"]))
        lines.append(f"def {name}(self=None){returns}:\n    {body}\n")
    for name, base in draw(
        st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from(["", "Node", "Leaf"])), max_size=2)
    ):
        lines.append(f"class {name}({base}):\n    kind = Node()")
        for method, body in draw(st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from(BODIES)), max_size=2)):
            indented = body.replace("\n", "\n    ")
            lines.append(f"    def {method}(self):\n        {indented}")
    lines += draw(st.sampled_from([[], ["main()"], ["def broken(:"], ["__all__ = ['Node']"]]))
    return "\n".join(lines) + "\n"


edits = st.dictionaries(st.sampled_from(MODULES), st.one_of(st.none(), sources()), min_size=1, max_size=3)


def _apply(checkout: Checkout, edit: dict[str, str | None]) -> None:
    for module, source in edit.items():
        path = f"{module}.py"
        if source is not None:
            checkout.write(path, source)
        elif (checkout.root / path).exists():
            checkout.remove(path)


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(st.lists(edits, min_size=2, max_size=5))
def test_updates_leave_what_a_build_gives(connection, server, steps):
    folder = Path(tempfile.mkdtemp(prefix="eg-edits-"))
    try:
        checkout = Checkout(folder, connection, server)
        checkout.write("keep.py", "def keep():\n    pass\n")
        checkout.sync()
        for edit in steps:
            _apply(checkout, edit)
            report = checkout.sync()
            assert report.mode != "built"
        updated = checkout.contents()
        checkout.sync(rebuild=True)
        built = checkout.contents()
        for part, expected in built.items():
            assert updated[part] == expected, part
    finally:
        shutil.rmtree(folder)


@pytest.mark.parametrize("order", [("alpha", "beta"), ("beta", "alpha")])
def test_the_order_of_additions_does_not_matter(make_checkout, order):
    texts = {
        "alpha": "def make():\n    return 1\n",
        "beta": "from alpha import make\n\n\ndef run():\n    return make()\n",
    }
    checkout = make_checkout()
    checkout.write("keep.py", "x = 1\n")
    checkout.sync()
    for module in order:
        checkout.write(f"{module}.py", texts[module])
        checkout.sync()
    assert ("beta.py#run", "alpha.py#make") in checkout.calls()
