"""How a repository's tests are run, by the files at its root: fixed commands, nothing of what the files say."""

from __future__ import annotations

import os

from engram.journal.jsonlight import loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_MAX_BYTES = 1 << 18  # of a file that is looked at
_PYTEST = (("pytest.ini", "[pytest]"), ("pyproject.toml", "[tool.pytest"), ("setup.cfg", "[tool:pytest]"))
_BY_FILE = (
    ("tox.ini", "tox"),
    ("noxfile.py", "nox"),
    ("Cargo.toml", "cargo test"),
    ("go.mod", "go test ./..."),
    ("pom.xml", "mvn test"),
    ("gradlew", "./gradlew test"),
    ("build.gradle", "gradle test"),
)
_NODE = (("pnpm-lock.yaml", "pnpm test"), ("yarn.lock", "yarn test"), ("bun.lock", "bun run test"))
_NO_TEST = "no test specified"  # what `npm init` writes


def find_test_command(root: str) -> str:
    """The command; "" where the files at `root` tell none.  What names the tests outright comes first."""
    if any(line.startswith(("test:", "test ")) and ":" in line for line in _read(root, "Makefile").splitlines()):
        return "make test"
    for name, section in _PYTEST:
        if section in _read(root, name):
            return "pytest"
    if _has_node_test(root):
        return next((command for lock, command in _NODE if os.path.exists(os.path.join(root, lock))), "npm test")
    if "pytest" in _read(root, "tox.ini"):
        return "pytest"
    return next((command for name, command in _BY_FILE if os.path.isfile(os.path.join(root, name))), "")


def _has_node_test(root: str) -> bool:
    try:
        package: Any = loads(_read(root, "package.json"))
    except (ValueError, RecursionError):
        return False
    scripts = package.get("scripts") if isinstance(package, dict) else None
    test = scripts.get("test") if isinstance(scripts, dict) else None
    return isinstance(test, str) and bool(test) and _NO_TEST not in test


def _read(root: str, name: str) -> str:
    """The start of a regular file; "" where there is none.  A FIFO put there must not hang a hook."""
    try:
        descriptor = os.open(os.path.join(root, name), os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return ""
    try:
        return os.read(descriptor, _MAX_BYTES).decode("utf-8", "replace")
    except OSError:
        return ""
    finally:
        os.close(descriptor)
