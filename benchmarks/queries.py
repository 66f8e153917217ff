"""How long questions to the graph take, and what memory the server holds.

`python -m benchmarks queries FOLDER [FOLDER ...]`: the folders are indexed; then callers, callees and symbols of each
of 300 symbols are asked for.  Memory is that of the server's process, 10 s after the last index.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time

from engram.config import load_config
from engram.engine import Engram
from engram.store.code import find_callees, find_callers, symbols_of_file
from engram.store.status import server_status


def main(args: list[str]) -> int:
    """Print the measurement."""
    parser = argparse.ArgumentParser(prog="benchmarks queries", description=__doc__)
    parser.add_argument("folders", nargs="+", metavar="FOLDER")
    given = parser.parse_args(args)
    config = load_config()
    times: list[float] = []
    for folder in given.folders:
        with Engram.open(config, folder) as engram:
            report = engram.sync()
            name = folder.rstrip("/").rsplit("/", 1)[-1]
            print(f"{name}: {report.files:,} files, {report.symbols:,} symbols, {report.calls:,} calls")
            times += ask(engram, 300)
    times.sort()
    p95 = times[len(times) * 95 // 100]
    print(f"{len(times):,} queries: median {statistics.median(times):.2f} ms, p95 {p95:.1f} ms, max {times[-1]:.1f} ms")
    time.sleep(10)
    print(f"server: {_resident_mb(server_status(config).pid):.0f} MB resident")
    return 0


def ask(engram: Engram, count: int) -> list[float]:
    """Milliseconds of each question about `count` symbols of the index."""
    rows = engram.graph.read("MATCH (s:Symbol) RETURN s.id, s.path ORDER BY s.id", timeout_ms=10_000)
    times = []
    for symbol_id, path in random.Random(1).sample(rows, min(count, len(rows))):
        for ask in (
            lambda s=symbol_id: find_callers(engram.graph, s, limit=50),
            lambda s=symbol_id: find_callees(engram.graph, s, limit=50),
            lambda p=path: symbols_of_file(engram.graph, p, limit=50),
        ):
            began = time.perf_counter()
            ask()
            times.append(1000 * (time.perf_counter() - began))
    return times


def _resident_mb(pid: int) -> float:
    with open(f"/proc/{pid}/status", encoding="ascii") as status:
        kilobytes = next(line.split()[1] for line in status if line.startswith("VmRSS:"))
    return int(kilobytes) / 1024
