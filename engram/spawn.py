"""Run one program to its end, with bounds on time and output; without `subprocess`, whose import costs 10 ms."""

from __future__ import annotations

import os
import select
import sys
import time

from engram.model import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator, Mapping

NOT_FOUND = 127  # the status that a shell gives for a program that is not there
_CHUNK = 1 << 16
_MAX_ERRORS = 1 << 16  # a complaint is quoted by its first lines; the rest is read and dropped, so that nobody waits
_SIGKILL = 9  # the number in POSIX; the module `signal` costs 6 ms to import
_SIGPIPE = 13  # Python ignores it, and a child would inherit that


class Finished(Value):
    """How a program ended: `cut` when it printed more than was asked for, `status` NOT_FOUND when it was not there."""

    status: int
    output: bytes
    errors: bytes
    cut: bool = False
    timed_out: bool = False


def find_program(name: str, path: str | None = None) -> str:
    """The absolute path of the program `name` in the absolute folders of PATH; "" if there is none.

    Relative folders of PATH are passed over: they would run what the current folder, a checkout, calls `name`.
    """
    for folder in (os.environ.get("PATH", os.defpath) if path is None else path).split(os.pathsep):
        candidate = os.path.join(folder, name)
        if os.path.isabs(folder) and os.path.isfile(candidate) and os.access(candidate, os.X_OK):
            return candidate
    return ""


# The interpreter's path is handed over as it is: a wheel, a checkout and the launcher's environment all have their own.
_BOOT = (
    "import sys; n = int(sys.argv[1]); sys.path[:] = sys.argv[2:n + 2]; sys.argv[:n + 2] = ['engram']; "
    "from engram.cli.main import main; raise SystemExit(main())"
)


def start_detached(args: list[str], log: str | int) -> None:
    """Start `engram ARGS` in a session of its own, with nothing of this process's input and output; not waited for.

    What it prints replaces the content of the file `log`, whose folder must exist, or goes to the open file `log`; the
    new process keeps that open, and a lock on it, until it ends.
    """
    cache = ["-X", f"pycache_prefix={sys.pycache_prefix}"] if sys.pycache_prefix else []
    flags = ["-I", "-S", *cache, *(["-B"] if sys.dont_write_bytecode else [])]
    argv = [sys.executable, *flags, "-c", _BOOT, str(len(sys.path)), *sys.path, *args]
    write = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    printed = (os.POSIX_SPAWN_DUP2, log, 1) if isinstance(log, int) else (os.POSIX_SPAWN_OPEN, 1, log, write, 0o600)
    actions = [(os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0), printed, (os.POSIX_SPAWN_DUP2, 1, 2)]
    os.posix_spawn(sys.executable, argv, dict(os.environ), file_actions=actions, setsid=True)


def run_bounded(argv: list[str], env: Mapping[str, str], *, timeout_s: float, max_bytes: int) -> Finished:
    """Start `argv` with an empty stdin and collect what it prints; it is killed past `timeout_s` or `max_bytes`.

    A name without "/" is looked for by `find_program`.  The program and what it starts are one process group, and
    end together.
    """
    started = _start(argv, env)
    return started if isinstance(started, Finished) else _collect(*started, timeout_s, max_bytes)


def stream_bounded(argv: list[str], env: Mapping[str, str], *, timeout_s: float) -> Generator[bytes, None, Finished]:
    """Like `run_bounded`, but yields what is printed as it comes; at the end returns the rest, without output.

    The program waits while its reader is busy, which counts as its time.  It is killed when the generator is closed.
    """
    started = _start(argv, env)
    if isinstance(started, Finished):
        return started
    pid, out, err = started
    errors: list[bytes] = []
    complete = False
    deadline = time.monotonic() + timeout_s
    try:
        yield from _chunks(out, err, errors, deadline)
        complete = time.monotonic() < deadline
    finally:
        if not complete:
            _kill_group(pid)
        os.close(out)
        os.close(err)
        _, status = os.waitpid(pid, 0)
    return Finished(os.waitstatus_to_exitcode(status), b"", b"".join(errors), timed_out=not complete)


def _start(argv: list[str], env: Mapping[str, str]) -> tuple[int, int, int] | Finished:
    """The process id of the program, and the ends of its output and of its complaints."""
    program = argv[0] if "/" in argv[0] else find_program(argv[0])
    if not program:
        return Finished(NOT_FOUND, b"", b"")
    out_read, out_write = os.pipe()
    err_read, err_write = os.pipe()
    actions = [
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_DUP2, out_write, 1),
        (os.POSIX_SPAWN_DUP2, err_write, 2),
    ]
    try:
        pid = os.posix_spawn(program, argv, env, file_actions=actions, setpgroup=0, setsigdef=[_SIGPIPE])
    except OSError as error:
        os.close(out_read)
        os.close(err_read)
        return Finished(NOT_FOUND, b"", str(error).encode("utf-8", "replace"))
    finally:
        os.close(out_write)
        os.close(err_write)
    return pid, out_read, err_read


def _chunks(out: int, err: int, errors: list[bytes], deadline: float) -> Generator[bytes, None, None]:
    """What comes from `out`, until both ends are closed or the time is over; what comes from `err` goes to `errors`."""
    open_ends = [out, err]
    poller = select.poll()
    for end in open_ends:
        poller.register(end, select.POLLIN)
    while open_ends:
        ready = poller.poll(max(0, int((deadline - time.monotonic()) * 1000) + 1))
        if not ready or time.monotonic() >= deadline:
            return
        for end, _ in ready:
            data = os.read(end, _CHUNK)
            if not data:
                open_ends.remove(end)
                poller.unregister(end)
            elif end == out:
                yield data
            elif sum(map(len, errors)) < _MAX_ERRORS:
                errors.append(data)


def _collect(pid: int, out: int, err: int, timeout_s: float, max_bytes: int) -> Finished:
    parts: dict[int, list[bytes]] = {out: [], err: []}
    complete = False
    cut = timed_out = False
    try:
        cut, timed_out = _drain(parts, out, err, time.monotonic() + timeout_s, max_bytes)
        complete = not (cut or timed_out)
    finally:  # also on ^C, which a process group of its own does not see
        if not complete:
            _kill_group(pid)
        os.close(out)
        os.close(err)
        _, status = os.waitpid(pid, 0)
    output = b"".join(parts[out])[:max_bytes]
    return Finished(os.waitstatus_to_exitcode(status), output, b"".join(parts[err]), cut, timed_out)


def _drain(parts: dict[int, list[bytes]], out: int, err: int, deadline: float, max_bytes: int) -> tuple[bool, bool]:
    sizes = {out: 0, err: 0}
    open_ends = [out, err]
    poller = select.poll()  # select() cannot take descriptors of 1,024 and more
    for end in open_ends:
        poller.register(end, select.POLLIN)
    while open_ends:
        left = deadline - time.monotonic()
        ready = poller.poll(max(0, int(left * 1000) + 1)) if left > 0 else []
        if not ready:
            return False, True
        for end, _ in ready:
            data = os.read(end, _CHUNK)
            if not data:
                open_ends.remove(end)
                poller.unregister(end)
            elif end == out or sizes[err] < _MAX_ERRORS:
                parts[end].append(data)
                sizes[end] += len(data)
        if sizes[out] > max_bytes:
            return True, False
    return False, False


def _kill_group(pid: int) -> None:
    try:
        os.killpg(pid, _SIGKILL)
    except ProcessLookupError:  # ended meanwhile; it is not reaped yet, so the number is still its own
        return
