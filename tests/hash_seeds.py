"""Programs that must print the same in every process: the order of sets follows from a seed that Python draws."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.patience import LIMIT_S

_ROOT = str(Path(__file__).resolve().parent.parent)


def printed_by_any(program: str, *args: str) -> str:
    """What the Python program prints, under any of three seeds; fails where that is not the same."""
    command = [sys.executable, "-c", program, *args]
    printed = {
        subprocess.run(
            command, env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": _ROOT}, capture_output=True, text=True,
            check=True, timeout=LIMIT_S,
        ).stdout
        for seed in ("0", "1", "4242")
    }  # fmt: skip
    [same] = printed
    return same
