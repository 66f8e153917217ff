"""How long a first index takes, against one thread that only parses the same bytes.

`python -m benchmarks index FOLDER [--rounds N]`: parse, first index, parse, first index, ... each in a process of its
own; prints the seconds, the median of the ratios of each index to the parses around it, and the memory of the largest
process.  An index that is not counted comes first: it starts the server, and leaves Engram's modules compiled, as they
are where it is installed.  The pass that refines calls in the background afterwards is switched off: it would run into
the next round.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from itertools import pairwise

from engram.extract.grammar import parse_tree
from engram.extract.languages import language_of
from engram.ingest.discover import find_files
from engram.ingest.source import read_source
from engram.worktree import find_worktree


def parse_seconds(folder: str) -> float:
    """The time in which this thread parses all files of the folder that would be indexed; reading is not in it."""
    worktree = find_worktree(folder)
    sources = []
    for path in find_files(worktree).files:
        source = read_source(worktree.root, path)
        language = language_of(path)
        if source is not None and not source.reason and language is not None:
            sources.append((source.content, language))
    for language in {language for _, language in sources}:
        parse_tree(b"", language)
    began = time.perf_counter()
    for content, language in sources:
        parse_tree(content, language)
    return time.perf_counter() - began


def main(args: list[str]) -> int:
    """Print the measurement."""
    parser = argparse.ArgumentParser(prog="benchmarks index", description=__doc__)
    parser.add_argument("folder")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--parse-only", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args(args)
    if given.parse_only:
        print(parse_seconds(given.folder))
        return 0
    with tempfile.TemporaryDirectory() as compiled:
        environment = {**os.environ, "ENGRAM_REFINE": "0", "PYTHONPYCACHEPREFIX": compiled}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        _index(given.folder, environment)
        parses, indexes = [_parse(given.folder)], []
        for _ in range(given.rounds):
            indexes.append(_index(given.folder, environment))
            parses.append(_parse(given.folder))
    ratios = [2 * took / sum(pair) for took, pair in zip(indexes, pairwise(parses), strict=True)]
    print("parse alone  ", " ".join(f"{seconds:.2f}" for seconds in parses), "s")
    print("first index  ", " ".join(f"{seconds:.2f}" for seconds in indexes), "s (whole process)")
    print(f"ratio         median {statistics.median(ratios):.2f}, {min(ratios):.2f} to {max(ratios):.2f}")
    print(f"largest process {resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024:.0f} MB")
    return 0


def _parse(folder: str) -> float:
    command = [sys.executable, "-m", "benchmarks", "index", folder, "--parse-only"]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def _index(folder: str, environment: dict[str, str]) -> float:
    command = [sys.executable, "-m", "engram", "index", "--repo", folder, "--rebuild", "--json"]
    began = time.perf_counter()
    run = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
    took = time.perf_counter() - began
    assert json.loads(run.stdout)["mode"] == "built"
    return took
