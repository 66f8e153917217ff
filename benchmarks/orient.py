"""How long an answer of orient takes: the whole process, and the ranking in it.

`python -m benchmarks orient FOLDER [--texts N]`: the folder is indexed; the texts are names and first lines of
documentation of its own functions, and one long report made of many of them.
"""

from __future__ import annotations

import argparse
import random
import statistics
import subprocess
import sys
import time

from engram.config import load_config
from engram.engine import Engram

_TEXTS = "MATCH (s:Symbol) WHERE s.summary <> '' RETURN s.qualname, s.summary ORDER BY s.id"
_LONG = 40  # texts in the long report: some 300 words, as in a bug report with a log


def main(args: list[str]) -> int:
    """Print the measurement."""
    parser = argparse.ArgumentParser(prog="benchmarks orient", description=__doc__)
    parser.add_argument("folder")
    parser.add_argument("--texts", type=int, default=40)
    given = parser.parse_args(args)
    with Engram.open(load_config(), given.folder) as engram:
        engram.sync()
        texts = sample_texts(engram, given.texts)
        ranking = [_timed(lambda text=text: engram.orient(text)) for text in texts]
    whole = [_timed(lambda text=text: _process(given.folder, text)) for text in texts[-10:]]
    ranking_p95 = sorted(ranking)[len(ranking) * 95 // 100]
    print(f"{len(texts)} texts, in process: median {statistics.median(ranking):.0f} ms, p95 {ranking_p95:.0f} ms")
    print(f"a report of {len(texts[-1].split())} words: {ranking[-1]:.0f} ms")
    print(f"whole process: median {statistics.median(whole):.0f} ms, max {max(whole):.0f} ms")
    return 0


def sample_texts(engram: Engram, count: int) -> list[str]:
    """So many short texts, and a long one made of them."""
    rows = engram.graph.read(_TEXTS, timeout_ms=30_000)
    chosen = [f"{name}: {summary}" for name, summary in random.Random(1).sample(rows, min(count, len(rows)))]
    return [*chosen, "\n".join(chosen[:_LONG])]


def _process(folder: str, text: str) -> None:
    command = [sys.executable, "-m", "engram", "orient", "--repo", folder]
    subprocess.run(command, input=text, check=True, capture_output=True, text=True)


def _timed(work: object) -> float:
    assert callable(work)
    began = time.perf_counter()
    work()
    return 1000 * (time.perf_counter() - began)
