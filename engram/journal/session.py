"""Which session a call belongs to: the client's, or one per terminal."""

from __future__ import annotations

import os

from engram.journal.digest import sha256_hex
from engram.spawn import run_bounded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

CLIENT_VARIABLE = "CLAUDE_CODE_SESSION_ID"
_MAX_CHARS = 128  # a client's id is a UUID
_PS_TIMEOUT_S = 2.0


def session_id(environ: Mapping[str, str] = os.environ) -> str:
    """The client's session id, else `term-` and 16 hexadecimal digits, the same for all calls of one terminal.

    A terminal is its session leader (the shell): the leader's process id, when it started, its controlling
    terminal, and the boot of the machine, so that a process id that comes again means another session.
    """
    given = environ.get(CLIENT_VARIABLE, "")
    if given and len(given) <= _MAX_CHARS and given.isprintable():
        return given
    leader = os.getsid(0)
    facts = f"{leader} {_started_with_terminal(leader)} {_boot()}"
    return "term-" + sha256_hex(facts.encode("utf-8", "surrogateescape"))[:16]


def _started_with_terminal(pid: int) -> str:
    """When the process started, and its terminal; "" if the leader is gone, as under some job runners."""
    stat = _first_line(f"/proc/{pid}/stat")
    if stat:
        # proc_pid_stat(5): the command (field 2) may contain anything and ends with the last parenthesis;
        # after it come state (3), ppid, pgrp, session, tty_nr (7) ... starttime (22).
        fields = stat.rpartition(")")[2].split()
        return f"{fields[19]} {fields[4]}" if len(fields) > 19 else ""
    if os.path.isdir("/proc/self"):
        return ""
    ran = run_bounded(
        ["ps", "-o", "lstart=,tty=", "-p", str(pid)],
        {**os.environ, "LC_ALL": "C"},
        timeout_s=_PS_TIMEOUT_S,
        max_bytes=4096,
    )
    return ran.output.decode("utf-8", "replace").strip()


def _boot() -> str:
    return _first_line("/proc/sys/kernel/random/boot_id")


def _first_line(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            return file.readline().strip()
    except OSError:
        return ""
