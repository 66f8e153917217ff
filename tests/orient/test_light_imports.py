from __future__ import annotations

import subprocess
import sys

SLOW = {
    "dataclasses",
    "typing",
    "re",
    "json",
    "subprocess",
    "socket",
    "functools",
    "collections",
    "pathlib",
    "contextlib",
    "enum",
}


def test_orienting_and_rendering_import_nothing_slow() -> None:
    program = (
        "import sys; sys.path.insert(0, sys.argv[1]); import engram.orient.map, engram.render.map; print(*sys.modules)"
    )
    root = __file__.rsplit("/tests/", 1)[0]
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program, root], capture_output=True, text=True, check=True, timeout=300
    )
    assert SLOW.isdisjoint(done.stdout.split())
