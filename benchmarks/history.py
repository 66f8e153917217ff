"""How long the newest 5,000 commits take into the graph, against `git log --name-only` over the same.

`python -m benchmarks history FOLDER [--rounds N]`: the folder is indexed; then git, Engram, git, Engram, ...: prints
the seconds, without the start of the process and with it, the median of the ratios of each to the runs of git around it
(the aim: at most 3), how long the rest of the history takes, and looking for new commits where there are none, and the
memory of the largest process.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from itertools import pairwise

from engram.config import load_config
from engram.engine import Engram
from engram.ingest.history import FIRST_SLICE
from engram.store.server import stop_server


def main(args: list[str]) -> int:
    """Print the measurement."""
    parser = argparse.ArgumentParser(prog="benchmarks history", description=__doc__)
    parser.add_argument("folder")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--read", type=int, help=argparse.SUPPRESS)
    given = parser.parse_args(args)
    if given.read is not None:
        return _read(given.folder, given.read or None)
    with tempfile.TemporaryDirectory(prefix="eg-", dir="/tmp") as home:
        os.environ.update({"ENGRAM_HOME": home, "ENGRAM_REFINE": "0"})
        try:
            _measure(given.folder, given.rounds)
        finally:
            stop_server(load_config())
    return 0


def _measure(folder: str, rounds: int) -> None:
    _index(folder)
    _git(folder)
    _engram(folder, 1)  # not counted: modules are compiled
    logs, reads = [_git(folder)], []
    for _ in range(rounds):
        _index(folder)
        reads.append(_engram(folder, 1))
        logs.append(_git(folder))
    print(f"git log      {' '.join(f'{seconds:.2f}' for seconds in logs)} s ({FIRST_SLICE:,} commits)")
    for name, seconds in (("into graph", [work for _, work in reads]), ("with start", [whole for whole, _ in reads])):
        ratios = [2 * took / sum(pair) for took, pair in zip(seconds, pairwise(logs), strict=True)]
        listed = " ".join(f"{took:.2f}" for took in seconds)
        print(f"{name}   {listed} s: {statistics.median(ratios):.2f} x git, {min(ratios):.2f} to {max(ratios):.2f}")
    print(f"the rest     {_engram(folder, 0)[1]:.2f} s")
    print(f"nothing new  {_engram(folder, 0)[1]:.2f} s")
    print(f"largest process {resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024:.0f} MB")


def _index(folder: str) -> None:
    """A new index, and nothing of the history."""
    with Engram.open(load_config(), folder) as engram:
        keys = engram.keys
        engram.connection.call("DEL", *[keys.side(name) for name in ("history", "history-shown", "history-at")])
        engram.sync(rebuild=True)


def _git(folder: str) -> float:
    command = ["git", "-C", folder, "log", "--name-only", f"--max-count={FIRST_SLICE}"]
    began = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - began


def _engram(folder: str, slices: int) -> tuple[float, float]:
    """Seconds of the whole process that reads so many slices (0: all), and of the reading in it."""
    command = [sys.executable, "-m", "benchmarks", "history", folder, "--read", str(slices)]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    began = time.perf_counter()
    run = subprocess.run(command, check=True, stdout=subprocess.PIPE, env=environment)
    return time.perf_counter() - began, float(run.stdout)


def _read(folder: str, slices: int | None) -> int:
    with Engram.open(load_config(), folder, start=False) as engram:
        began = time.perf_counter()
        engram.read_history(most_slices=slices)
        print(time.perf_counter() - began)
    return 0
