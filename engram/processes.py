"""Which process it was, so that somebody else can later tell whether it still lives."""

from __future__ import annotations

import os


def this_host() -> str:
    """Where process ids mean the same as here: this boot of this machine, and this container of it."""
    try:
        with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:
            boot = file.read(36)
        return f"{boot}:{os.readlink('/proc/self/ns/pid')}"
    except OSError:  # macOS: no containers that share it
        return os.uname().nodename.replace("/", "-")


def started(pid: int) -> str:
    """What tells a process from a later one with the same id; "" if none lives under it.

    On Linux the start time in clock ticks, field 22 of /proc/<pid>/stat (see proc(5)); elsewhere "alive".
    """
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            fields = file.read(4096).rpartition(b")")[2].split()
        return "" if fields[0] in (b"Z", b"X") else fields[19].decode("ascii")
    except FileNotFoundError:
        if os.path.isdir("/proc/self"):
            return ""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return ""
    except PermissionError:
        pass
    return "alive"
