"""What grows with the repository: times and memory of a small one against those of larger ones.

`python -m benchmarks scale SMALL LARGE [LARGE ...] [--no-refine]`: each folder is copied and indexed on a server of its
own.  Measured are: the processor time of parsing alone, the first index (seconds, processor time of all processes, the
most memory that indexer, workers and server hold together, each shared page counted once), the server's memory 10 s
later; callers, callees and symbols of 100 symbols; `orient` in process and as a whole process; one edited file with its
path given; a look that finds nothing changed; the pass that refines calls (time, memory); a second index beside the
first one (memory); the server's stop, with its copy to disk, and its start up to the first answer.
Prints a column for each folder, and in brackets how often that of the first one.  Needs Linux, and a folder of its
own for ENGRAM_HOME is made.  Processor times tell more than seconds on a machine with other work.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks._memory import PeakMemory, cpu_seconds, resident_mb
from benchmarks.index import parse_seconds
from benchmarks.orient import sample_texts
from benchmarks.queries import ask
from benchmarks.update import edit_some, settle, timed
from engram.config import Config, load_config
from engram.engine import Engram
from engram.store.server import open_connection, stop_server
from engram.store.status import server_status

Row = tuple[str, float, str]  # what, how much, the unit
_SETTLED_S = 10.0
_EDITS = 15


def main(args: list[str]) -> int:
    """Print the measurement."""
    parser = argparse.ArgumentParser(prog="benchmarks scale", description=__doc__)
    parser.add_argument("folders", nargs="+", metavar="FOLDER")
    parser.add_argument("--no-refine", action="store_true", help="leave the pass over calls out")
    given = parser.parse_args(args)
    columns = [_measure(folder, refine=not given.no_refine) for folder in given.folders]
    print("".join([f"{'':<40}", *[f"{Path(folder).name[:20]:>24}" for folder in given.folders]]))
    for rows in zip(*columns, strict=True):
        first = rows[0][1]
        cells = [f"{value:,.1f} {unit} ({value / first if first else 0:.2f})" for _, value, unit in rows]
        print("".join([f"{rows[0][0]:<40}", *[f"{cell:>24}" for cell in cells]]))
    return 0


def _measure(folder: str, *, refine: bool) -> list[Row]:
    with tempfile.TemporaryDirectory(prefix="engram-scale-") as scratch:
        copy = os.path.join(scratch, "copy")
        shutil.copytree(folder, copy, symlinks=True)
        settings = {"ENGRAM_HOME": os.path.join(scratch, "home"), "ENGRAM_REFINE": "0"}
        os.environ.update(settings, PYTHONPYCACHEPREFIX=os.path.join(scratch, "compiled"))
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        config = load_config()
        try:
            return list(_rows(config, copy, refine=refine))
        finally:
            stop_server(config)


def _rows(config: Config, folder: str, *, refine: bool) -> Iterator[Row]:
    subprocess.run([sys.executable, "-m", "engram", "index", "--help"], check=True, capture_output=True)  # compiled now
    began = _own_cpu()
    parse_seconds(folder)
    yield "parse alone, with reading", _own_cpu() - began, "CPU s"
    yield from _first_index(config, folder)
    with Engram.open(config, folder) as engram:
        times = sorted(ask(engram, 100))
        yield "graph query, median", statistics.median(times), "ms"
        yield "graph query, 95th percentile", times[len(times) * 95 // 100], "ms"
        texts = sample_texts(engram, 20)
        answers = sorted(_milliseconds(lambda text=text: engram.orient(text)) for text in texts)
        yield "orient in process, median", statistics.median(answers), "ms"
        yield "orient in process, highest", answers[-1], "ms"
        yield "orient as a process, median", statistics.median(_whole(folder, text) for text in texts[-10:]), "ms"
        began = _own_cpu()
        edits = sorted(edit_some(engram, Path(folder), _EDITS))
        yield "one edited file, median", statistics.median(edits), "ms"
        yield "one edited file, CPU of two such runs", 1000 * (_own_cpu() - began) / len(edits), "ms"
        settle(engram)
        files = engram.sync().files
        fresh = statistics.median(timed(engram, []) for _ in range(9))
        yield "nothing changed, per 1,000 files", 1000 * fresh / files, "ms"
    if refine:
        yield from _observed(config, folder, "refine", ["refine"])
    yield from _observed(config, folder, "second index", ["index", "--rebuild"])
    yield "stop of the server", _milliseconds(lambda: stop_server(config)) / 1000, "s"
    yield "start of the server", _milliseconds(lambda: open_connection(config).close()) / 1000, "s"


def _first_index(config: Config, folder: str) -> Iterator[Row]:
    open_connection(config).close()
    yield from _observed(config, folder, "first index", ["index"])
    with Engram.open(config, folder) as engram:
        report = engram.sync()
    yield "files", report.files, ""
    yield "symbols", report.symbols, ""
    yield "calls", report.calls, ""
    time.sleep(_SETTLED_S)
    yield "server, 10 s later", resident_mb(server_status(config).pid), "MB"


def _observed(config: Config, folder: str, what: str, command: list[str]) -> Iterator[Row]:
    """Seconds, processor time and memory of a command, the server's included."""
    server = server_status(config).pid
    used = _children_cpu() + cpu_seconds(server)
    with PeakMemory([os.getpid(), server]) as peak:
        own = resident_mb(os.getpid())
        took = _milliseconds(lambda: _engram([*command, "--repo", folder]))
    yield what, took / 1000, "s"
    yield f"{what}, all processes", _children_cpu() + cpu_seconds(server) - used, "CPU s"
    yield f"{what}, most memory", peak.mb - own, "MB"


def _engram(args: list[str]) -> None:
    subprocess.run([sys.executable, "-m", "engram", *args], check=True, capture_output=True)


def _whole(folder: str, text: str) -> float:
    command = [sys.executable, "-m", "engram", "orient", "--repo", folder]
    return _milliseconds(lambda: subprocess.run(command, input=text, check=True, capture_output=True, text=True))


def _milliseconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return 1000 * (time.perf_counter() - began)


def _own_cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def _children_cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
