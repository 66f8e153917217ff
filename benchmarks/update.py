"""How long it takes to bring one edited file up to date, and to see that nothing has changed.

`python -m benchmarks update FOLDER [--edits N]`: a copy of the folder is indexed; then functions are added to files of
it, one after the other.  Times are of the work itself, without the start of the process.
"""

from __future__ import annotations

import argparse
import random
import shutil
import statistics
import tempfile
import time
from pathlib import Path

from engram.config import load_config
from engram.engine import Engram
from engram.store.code import indexed_paths

_ADDED = "\n\ndef added_by_benchmark(value):\n    return value\n"


def main(args: list[str]) -> int:
    """Print the measurement."""
    parser = argparse.ArgumentParser(prog="benchmarks update", description=__doc__)
    parser.add_argument("folder")
    parser.add_argument("--edits", type=int, default=40)
    given = parser.parse_args(args)
    with tempfile.TemporaryDirectory(prefix="engram-bench-") as scratch:
        copy = Path(scratch) / "copy"
        shutil.copytree(given.folder, copy, symlinks=True)
        with Engram.open(load_config(), str(copy)) as engram:
            files = engram.sync().files
            given_ms = sorted(edit_some(engram, copy, given.edits))
            settle(engram)
            fresh_ms = sorted(timed(engram, []) for _ in range(20))
    print(f"{files:,} files")
    p90 = given_ms[len(given_ms) * 9 // 10]
    print(f"one edited file, path given: median {statistics.median(given_ms):.0f} ms, p90 {p90:.0f} ms")
    fresh = statistics.median(fresh_ms)
    print(f"nothing changed, all files looked at: median {fresh:.1f} ms, {1000 * fresh / files:.1f} ms per 1,000 files")
    return 0


def edit_some(engram: Engram, folder: Path, count: int) -> list[float]:
    """Milliseconds that it takes to bring each of some edited files up to date; what was edited is put back."""
    paths = indexed_paths(engram.graph)
    return [_edit(engram, folder / path, path) for path in random.Random(1).sample(paths, min(count, len(paths)))]


def _edit(engram: Engram, file: Path, path: str) -> float:
    before = file.read_bytes()
    file.write_bytes(before + _ADDED.encode())
    took = timed(engram, [path])
    file.write_bytes(before)
    engram.sync(only=[path])
    return took


def settle(engram: Engram) -> None:
    """Let the files get old enough to be known by their times."""
    time.sleep(2.5)  # younger files are hashed on every look
    engram.sync()
    engram.sync()


def timed(engram: Engram, only: list[str]) -> float:
    """Milliseconds of one run of the indexer."""
    began = time.perf_counter()
    engram.sync(only=only)
    return 1000 * (time.perf_counter() - began)
