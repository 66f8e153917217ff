"""Run one program to its end, with bounds on time and output; without `subprocess`, whose import costs 10 ms."""

from __future__ import annotations

import os
import select
import signal
import time

from engram.model import Value

_CHUNK = 1 << 16
_MAX_ERRORS = 1 << 16


class Finished(Value):
    """How a program ended: `cut` when it printed more than was asked for, `status` 127 when it was not found."""

    status: int
    output: bytes
    errors: bytes
    cut: bool = False
    timed_out: bool = False


def run_bounded(argv: list[str], env: dict[str, str], *, timeout_s: float, max_bytes: int) -> Finished:
    """Start `argv` with an empty stdin and collect what it prints; it is killed past `timeout_s` or `max_bytes`."""
    out_read, out_write = os.pipe()
    err_read, err_write = os.pipe()
    actions = [
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_DUP2, out_write, 1),
        (os.POSIX_SPAWN_DUP2, err_write, 2),
    ]
    try:
        pid = os.posix_spawnp(argv[0], argv, env, file_actions=actions)
    except FileNotFoundError:
        os.close(out_read)
        os.close(err_read)
        return Finished(127, b"", b"")
    finally:
        os.close(out_write)
        os.close(err_write)
    return _collect(pid, out_read, err_read, timeout_s, max_bytes)


def _collect(pid: int, out: int, err: int, timeout_s: float, max_bytes: int) -> Finished:
    deadline = time.monotonic() + timeout_s
    parts: dict[int, list[bytes]] = {out: [], err: []}
    sizes = {out: 0, err: 0}
    open_ends = {out, err}
    cut = timed_out = False
    while open_ends and not cut and not timed_out:
        ready, _, _ = select.select(list(open_ends), [], [], max(0.0, deadline - time.monotonic()))
        timed_out = not ready
        for end in ready:
            data = os.read(end, _CHUNK)
            if not data:
                open_ends.discard(end)
            elif end == out or sizes[err] < _MAX_ERRORS:
                parts[end].append(data)
                sizes[end] += len(data)
        cut = sizes[out] > max_bytes
    if cut or timed_out:
        os.kill(pid, signal.SIGKILL)
    os.close(out)
    os.close(err)
    _, status = os.waitpid(pid, 0)
    return Finished(
        os.waitstatus_to_exitcode(status), b"".join(parts[out])[:max_bytes], b"".join(parts[err]), cut, timed_out
    )
