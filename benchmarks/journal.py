"""How fast the journal appends and verifies: `python -m benchmarks journal` prints one line of JSON.

- `append_us`: processor time of one append in a running process, median of batches.
- `append_process_ratio`: processor time of a whole process that appends one entry, against that of
  `python -I -S -c pass` (the least of several of both).
- `writers`: wall time of 8 processes with 200 appends each, and whether all 1,600 lines are chained.
- `verify_s`: processor time of verifying 100,000 lines (the aim: at most 3 s).
- `find_s`: wall time of finding an entry in the newest and in the oldest of these lines.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from engram.journal.content import wire_of
from engram.journal.entry import GENESIS, Draft, to_line
from engram.journal.folder import make_state, open_state
from engram.journal.log import SEGMENT_BYTES, Journal
from engram.journal.segments import CURRENT, Snapshot, segment_name
from engram.journal.verify import Report, verify

ROOT = str(Path(__file__).parents[1])
LINES = 100_000
ONE = """
import sys
from engram.journal.entry import Draft
from engram.journal.log import Journal
for number in range(int(sys.argv[2])):
    lines = [{"line": line, "text": f"value_{line} = compute(token, key, {line})"} for line in range(40)]
    call = Draft("read", {"file": "src/a.py", "from": 1, "to": 40}, True, {"lines": lines}, False, {}, 1, "s")
    Journal.open(sys.argv[1]).append(call)
"""


def _draft(number: int) -> Draft:
    lines = [{"line": line, "text": f"value_{line} = compute(token, key, {number})"} for line in range(40)]
    arguments = {"file": "src/module/file.py", "from": 1, "to": 40}
    files = {"src/module/file.py": "ab" * 32}
    return Draft("read", arguments, True, {"lines": lines}, False, files, 3, "5b1c7d1e", commit="c" * 40)


def append_us(root: str) -> float:
    """Microseconds of processor time for one append."""
    journal = Journal.open(root)
    batches = []
    for batch in range(10):
        started = time.process_time()
        for number in range(100):
            journal.append(_draft(batch * 100 + number))
        batches.append((time.process_time() - started) * 1e4)
    return statistics.median(batches)


def append_process_ratio(root: str) -> float:
    """A process that appends one entry, in units of a process that does nothing."""
    nothing = [sys.executable, "-I", "-S", "-c", "pass"]
    one = [sys.executable, "-S", "-c", ONE, root, "1"]
    return _least(one) / _least(nothing)


def _least(command: list[str]) -> float:
    times = []
    for _ in range(25):
        pid = os.posix_spawn(command[0], command, {"PYTHONPATH": ROOT})
        _, status, used = os.wait4(pid, 0)
        if status:
            raise SystemExit(f"{command} failed")
        times.append(used.ru_utime + used.ru_stime)
    return min(times)


def writers(root: str) -> dict[str, object]:
    """8 processes x 200 appends."""
    started = time.perf_counter()
    command = [sys.executable, "-S", "-c", ONE, root, "200"]
    running = [subprocess.Popen(command, env={"PYTHONPATH": ROOT}) for _ in range(8)]
    failed = sum(process.wait() != 0 for process in running)
    seconds = time.perf_counter() - started
    report = _verified(root)
    chained = report.broken is None and not failed and report.entries == 1600
    return {"wall_s": round(seconds, 2), "lines": report.entries, "chained": chained}


def _verified(root: str) -> Report:
    folder = open_state(root)
    if folder is None:
        raise SystemExit(f"no journal in {root}")
    with folder, Snapshot(folder) as snapshot:
        return verify(snapshot)


def _write_lines(root: str) -> None:
    """A journal of LINES entries in segments of the usual size."""
    wire, prev, size, number = wire_of(_draft(0)), GENESIS, 0, 0
    parts: list[bytes] = []
    with make_state(root) as state:
        folder = Path(state.path)
    for seq in range(1, LINES + 1):
        identifier = f"{seq:08x}-0000-4000-8000-000000000000"
        line, prev = to_line({**wire, "id": identifier, "seq": seq, "at": "2026-01-01T00:00:00.000Z"}, prev)
        parts.append(line)
        size += len(line)
        if size >= SEGMENT_BYTES:
            number += 1
            (folder / segment_name(number)).write_bytes(b"".join(parts))
            parts, size = [], 0
    (folder / CURRENT).write_bytes(b"".join(parts))


def verify_and_find(root: str) -> dict[str, object]:
    """Seconds for verifying and for finding an entry in LINES lines."""
    _write_lines(root)
    started = time.process_time()
    report = _verified(root)
    seconds = time.process_time() - started
    if report.broken is not None or report.entries != LINES:
        raise SystemExit(f"the journal does not verify: {report}")
    found = []
    for seq in (LINES, 1):
        started = time.perf_counter()
        Journal.open(root).find(f"{seq:08x}-0000-4000-8000-000000000000")
        found.append(round(time.perf_counter() - started, 3))
    return {"verify_s": round(seconds, 2), "find_s": found}


def main(_args: list[str]) -> int:
    """Print the numbers as one line of JSON."""
    numbers: dict[str, object] = {}
    with tempfile.TemporaryDirectory() as folder:
        for name in ("append", "process", "writers", "verify"):
            (Path(folder) / name).mkdir()
        numbers["append_us"] = round(append_us(f"{folder}/append"))
        numbers["append_process_ratio"] = round(append_process_ratio(f"{folder}/process"), 2)
        numbers["writers"] = writers(f"{folder}/writers")
        numbers.update(verify_and_find(f"{folder}/verify"))
    print(json.dumps(numbers))
    return 0
