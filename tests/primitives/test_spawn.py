"""Programs that are started end in time, with everything that they started."""

from __future__ import annotations

import contextlib
import gc
import os
from pathlib import Path

import pytest

from engram.processes import started
from engram.spawn import NOT_FOUND, Finished, find_program, run_bounded, stream_bounded
from tests.patience import LIMIT_S, wait_until

ENVIRONMENT = {"PATH": os.environ["PATH"]}


def run(script: str, timeout_s: float = LIMIT_S, max_bytes: int = 1 << 20):  # type: ignore[no-untyped-def]
    return run_bounded(["/bin/sh", "-c", script], ENVIRONMENT, timeout_s=timeout_s, max_bytes=max_bytes)


def test_status_and_both_outputs_are_kept_apart() -> None:
    ran = run("echo out; echo err >&2; exit 3")
    assert (ran.status, ran.output, ran.errors, ran.cut, ran.timed_out) == (3, b"out\n", b"err\n", False, False)


def test_standard_input_is_empty() -> None:
    assert run("cat; echo done").output == b"done\n"


def test_a_slow_program_is_ended_with_what_it_started() -> None:
    ran = run("sleep 3600 & echo $!; wait", timeout_s=5.0)  # with time to start on a busy machine
    assert ran.timed_out
    assert ran.status < 0
    wait_until(lambda: not started(int(ran.output)), "what it started goes on")


def test_a_program_that_prints_without_end_is_ended() -> None:
    ran = run("yes", max_bytes=1000)
    assert ran.cut
    assert len(ran.output) == 1000
    assert ran.status < 0


def test_complaints_without_end_are_read_and_dropped() -> None:
    ran = run("head -c 3000000 /dev/zero >&2; echo done")
    assert ran.output == b"done\n"
    assert len(ran.errors) < 200_000


def test_a_closed_reader_ends_the_writer_as_in_a_shell() -> None:
    assert run("yes | head -n 1").output == b"y\n"


def test_what_is_not_there_or_no_program_is_not_found(tmp_path: Path) -> None:
    assert run_bounded(["no-such-program"], ENVIRONMENT, timeout_s=1, max_bytes=1).status == NOT_FOUND
    (tmp_path / "text").write_text("x")
    assert run_bounded([str(tmp_path / "text")], ENVIRONMENT, timeout_s=1, max_bytes=1).status == NOT_FOUND


def test_no_descriptor_and_no_child_is_left_behind() -> None:
    gc.collect()  # what another test left behind may be closed in between, but nothing new stays open
    descriptors, children = set(os.listdir("/proc/self/fd")), _children()
    for script in ("true", "yes", "sleep 5"):
        run(script, timeout_s=0.2, max_bytes=10)
    run_bounded(["no-such-program"], ENVIRONMENT, timeout_s=1, max_bytes=1)
    assert set(os.listdir("/proc/self/fd")) <= descriptors
    assert _children() <= children


def _children() -> set[str]:
    """Of this process, those that ended and were not waited for among them."""
    children = set()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # it ended while we looked
            if stat.read_text().rpartition(")")[2].split()[1] == str(os.getpid()):
                children.add(stat.parent.name)
    return children


def test_programs_are_looked_for_in_absolute_folders_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "tool").write_text("#!/bin/sh\n")
    (tmp_path / "tool").chmod(0o755)
    monkeypatch.chdir(tmp_path)
    assert find_program("tool", ".:") == ""
    assert find_program("tool", f".:{tmp_path}") == str(tmp_path / "tool")
    (tmp_path / "tool").chmod(0o644)
    assert find_program("tool", str(tmp_path)) == ""


def streamed(program: str, timeout_s: float = LIMIT_S) -> tuple[list[bytes], Finished]:
    """The pieces that a shell program prints, and how it ended."""
    pieces = []
    stream = stream_bounded(["/bin/sh", "-c", program], os.environ, timeout_s=timeout_s)
    while True:
        try:
            pieces.append(next(stream))
        except StopIteration as end:
            return pieces, end.value


def test_a_stream_is_all_that_is_printed():
    pieces, end = streamed("head -c 300000 /dev/zero; echo why >&2; exit 3")
    assert len(pieces) > 1
    assert b"".join(pieces) == bytes(300_000)
    assert (end.status, end.errors, end.timed_out) == (3, b"why\n", False)


def test_a_stream_that_takes_too_long_is_ended():
    pieces, end = streamed("echo here; sleep 1000", timeout_s=0.2)
    assert (b"".join(pieces), end.timed_out) in ((b"here\n", True), (b"", True))


def test_a_stream_that_nobody_reads_any_more_ends_its_program(tmp_path):
    program = f"echo $$ > {tmp_path}/pid; yes"
    stream = stream_bounded(["/bin/sh", "-c", program], os.environ, timeout_s=LIMIT_S)
    next(stream)
    stream.close()
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pid").read_text()), 0)


def test_a_stream_of_no_program():
    stream = stream_bounded(["no-such-program-anywhere"], os.environ, timeout_s=1)
    with pytest.raises(StopIteration) as end:
        next(stream)
    assert end.value.value.status == NOT_FOUND
