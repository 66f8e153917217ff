"""Work on many items in forked processes: no queue server, no pickling, a crash costs only what crashed.

A pipe filled with numbers is the queue: a worker's 4-byte read of it is atomic.  Results travel as marshal frames,
which is safe here, because both ends are one program and the pipe is private.
"""

from __future__ import annotations

import gc
import marshal
import os
import selectors
import signal
import struct
import sys
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO

_NUMBER = struct.Struct("<I")
_QUEUED = 8192  # numbers a worker pool is given at once: half of what a pipe holds on Linux, an eighth on macOS
_STARTED = b"\0" * 4  # an empty frame: the worker has taken the number that it was given last
FINISHED = -1
ITEM_SECONDS = 60  # an item that takes longer ends its worker and counts as crashed; ordinary ones take 0.1 s

Work = Callable[[int], object]


def run_forked(
    count: int, workers: int, work: Work, finish: Work, meanwhile: Callable[[], object] | None = None
) -> Iterator[tuple[int, Any]]:
    """Yield (number, work(number)) for the numbers below `count`, in the order in which they get done.

    After its last number each worker yields (FINISHED, finish(worker)).  A number whose worker died or hung is
    yielded with None; what that worker had done before is the caller's to judge, as its finish never ran.
    `meanwhile` is called once, when workers have started.
    """
    left = list(range(count))
    started = 0
    while left:
        batch, left = left[:_QUEUED], left[_QUEUED:]
        seen = set()
        pool = _Pool(min(workers, len(batch)), started, batch, work, finish)
        started += len(pool.pids)
        if meanwhile is not None:
            meanwhile()
            meanwhile = None
        for number, result in pool.results():
            seen.add(number)
            yield number, result
        left = [number for number in batch if number not in seen] + left


class _Pool:
    """One generation of workers over one filled queue."""

    def __init__(self, workers: int, first: int, numbers: list[int], work: Work, finish: Work) -> None:
        queue, queue_write = os.pipe()
        os.write(queue_write, b"".join([_NUMBER.pack(number) for number in numbers]))
        os.close(queue_write)
        self.pids: list[int] = []
        self.ends: list[int] = []
        gc.freeze()  # keeps the children's collector from touching, and so copying, the pages they share
        for worker in range(first, first + workers):
            self._fork(worker, queue, work, finish)
        gc.unfreeze()
        os.close(queue)

    def _fork(self, worker: int, queue: int, work: Work, finish: Work) -> None:
        end, write_end = os.pipe()
        pid = os.fork()
        if pid:
            os.close(write_end)
            self.pids.append(pid)
            self.ends.append(end)
            return
        status = 1
        try:
            for other in (end, *self.ends):
                os.close(other)
            _serve(queue, write_end, worker, work, finish)
            status = 0
        finally:
            if status:
                sys.excepthook(*sys.exc_info())
            os._exit(status)

    def results(self) -> Iterator[tuple[int, Any]]:
        buffers = {end: bytearray() for end in self.ends}
        taken: dict[int, int] = {}
        with selectors.DefaultSelector() as selector:
            for end in self.ends:
                selector.register(end, selectors.EVENT_READ)
            while buffers:
                for key, _ in selector.select():
                    end = key.fd
                    if data := os.read(end, 1 << 20):
                        buffers[end] += data
                        yield from _frames(buffers[end], end, taken)
                        continue
                    selector.unregister(end)
                    os.close(end)
                    del buffers[end]
                    if end in taken:
                        yield taken[end], None
        for pid in self.pids:
            os.waitpid(pid, 0)


def _serve(queue: int, write_end: int, worker: int, work: Work, finish: Work) -> None:
    gc.disable()
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    with os.fdopen(write_end, "wb") as out:
        while number := os.read(queue, _NUMBER.size):
            index = _NUMBER.unpack(number)[0]
            out.write(_STARTED + number)
            out.flush()
            signal.alarm(ITEM_SECONDS)
            _send(out, (index, work(index)))
        signal.alarm(0)
        _send(out, (FINISHED, finish(worker)))


def _send(out: BinaryIO, value: Any) -> None:
    frame = marshal.dumps(value)
    out.write(_NUMBER.pack(len(frame)) + frame)
    out.flush()


def _frames(buffer: bytearray, end: int, taken: dict[int, int]) -> Iterator[tuple[int, Any]]:
    start = 0
    while len(buffer) - start >= 2 * _NUMBER.size:
        length = _NUMBER.unpack_from(buffer, start)[0]
        stop = start + _NUMBER.size + (length or _NUMBER.size)
        if len(buffer) < stop:
            break
        if length:
            taken.pop(end, None)
            yield marshal.loads(bytes(buffer[start + _NUMBER.size : stop]))
        else:
            taken[end] = _NUMBER.unpack_from(buffer, start + _NUMBER.size)[0]
        start = stop
    del buffer[:start]
