"""`python -m benchmarks NAME ...`: the measurements behind the numbers in the README."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path


def main() -> int:
    """Run one benchmark, or list them all with what they measure."""
    names = sorted(path.stem for path in Path(__file__).parent.glob("*.py") if not path.stem.startswith("_"))
    if len(sys.argv) > 1 and sys.argv[1] in names:
        code: int = import_module(f"benchmarks.{sys.argv[1]}").main(sys.argv[2:])
        return code
    for name in names:
        text = import_module(f"benchmarks.{name}").__doc__ or ""
        print(f"{name:<12} {text.strip().splitlines()[0]}")
    return 0 if len(sys.argv) == 1 else 2


if __name__ == "__main__":
    raise SystemExit(main())
