"""Looks at everything that engram needs, and says for each thing that fails what to do about it."""

from __future__ import annotations

import os
import shutil
import sys
import time
from importlib import metadata

from engram.config import load_config, unknown_variables
from engram.environment.installed import find_installed
from engram.environment.platforms import engine_problem, missing_tools, must_compile_engine, this_platform
from engram.errors import ConfigError, EngineMissing, EngramError, ServerUnavailable
from engram.gitrun import run_git
from engram.ingest.history import is_history_current, read_report
from engram.journal.folder import open_state
from engram.model import Value
from engram.render.history import reading_text
from engram.store.address import check_folder, current_socket, make_folders, server_address
from engram.store.graph import Graph
from engram.store.keys import graph_keys, machine_key
from engram.store.server import open_connection
from engram.store.state import read_state
from engram.worktree import find_worktree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from engram.config import Config
    from engram.store.wire import Connection

OK, WARNING, FAILED = "ok", "warning", "failed"
_LOW_DISK_BYTES = 512 << 20  # a large repository's index and the compaction of its log take less
_OLD_INDEX_S = 7 * 86_400.0
_NAMED = 5  # missing packages that are named: one is a puzzle, all of them are an environment that is not made yet
_LOCK = os.path.join(os.path.dirname(os.path.abspath(__file__)), "locks", "wheels.txt")


class Check(Value):
    """What was looked at, how it is (`ok`, `warning`, `failed`), what was found, and what to do ("" where nothing)."""

    name: str
    state: str
    found: str
    hint: str = ""


class Fault(EngramError):
    """A check that did not pass; `state` says how bad that is."""

    def __init__(self, message: str, hint: str = "", state: str = FAILED) -> None:
        super().__init__(message, hint)
        self.state = state


def examine(folder: str, environ: Mapping[str, str] = os.environ) -> list[Check]:
    """All checks, in the order in which one rests on another; `folder` is somewhere in the repository.

    Starts the graph server if it does not run.  Raises nothing of what it finds.
    """
    try:
        config = load_config(environ)
    except ConfigError as error:
        return [Check("settings", FAILED, error.message, error.hint or "correct the variable or unset it")]
    checks: list[tuple[str, Callable[[], str]]] = [
        ("settings", lambda: _settings(environ)),
        ("packages", _packages),
        ("engine", lambda: _engine(config)),
        ("disk", lambda: _disk(config, folder)),
        ("socket folder", lambda: _socket_folder(config)),
        ("server", lambda: _server(config)),
        ("git", lambda: _git(folder)),
        ("repository", lambda: _repository(folder)),
        ("index", lambda: _index(config, folder)),
        ("history", lambda: _history(config, folder)),
    ]
    return [_outcome(name, look) for name, look in checks]


def _outcome(name: str, look: Callable[[], str]) -> Check:
    try:
        return Check(name, OK, look())
    except Fault as fault:
        return Check(name, fault.state, fault.message, fault.hint)
    except EngramError as error:
        return Check(name, FAILED, error.message, error.hint)


def _settings(environ: Mapping[str, str]) -> str:
    if unknown := unknown_variables(environ):
        names = ", ".join(unknown)
        raise Fault(f"unknown variables: {names}", "correct their names, if they are meant for engram", WARNING)
    return "no unknown ENGRAM_ variables"


def _packages() -> str:
    missing = []
    with open(_LOCK, encoding="ascii") as lock:
        pinned = [line.split()[0].split("==") for line in lock if "==" in line and ";" not in line]
    for name, _ in pinned:
        try:
            metadata.version(name)
        except metadata.PackageNotFoundError:
            missing.append(name)
    python = ".".join(map(str, sys.version_info[:3]))
    if missing:
        more = f" and {len(missing) - _NAMED} more" if len(missing) > _NAMED else ""
        raise Fault(
            f"not installed: {', '.join(missing[:_NAMED])}{more}",
            "run `engram setup`, which says what stands in its way",
        )
    return f"Python {python} at {sys.executable}, {len(pinned)} packages"


def _engine(config: Config) -> str:
    if config.falkordb_url:
        return "not needed: ENGRAM_FALKORDB_URL names another server"
    if engine := find_installed().engine:
        return engine
    machine = this_platform()
    if problem := engine_problem(machine):
        raise Fault(problem, "grep, read, ast, git, recurse and journal work without it")
    missing = missing_tools() if must_compile_engine(machine) else ""
    if missing:
        hint = "install them, then run `engram setup` (Debian, Ubuntu: apt-get install gcc make libc6-dev)"
        raise Fault(f"not installed; it must be compiled here, and {missing} cannot be found", hint)
    raise Fault("not installed yet", "run `engram setup`, which says what stands in its way")


def _disk(config: Config, folder: str) -> str:
    for place in (_existing(config.home), _existing(folder)):
        free = shutil.disk_usage(place).free
        if free < _LOW_DISK_BYTES:
            raise Fault(f"{free >> 20} MB free at {place}", "make room: writing the graph or the journal may fail")
    home = _existing(config.home)
    if not os.access(home, os.W_OK):
        raise Fault(f"{home} cannot be written", "set ENGRAM_HOME to a folder that can")
    return f"{shutil.disk_usage(home).free >> 30} GB free at {config.home}"


def _socket_folder(config: Config) -> str:
    if config.falkordb_url:
        return "not needed: ENGRAM_FALKORDB_URL names another server"
    address = server_address(config)
    make_folders(address)
    folder = os.path.dirname(current_socket(address))
    check_folder(folder, "the socket folder")
    return f"{folder} is this user's alone"


def _server(config: Config) -> str:
    began = time.perf_counter()
    try:
        opening = open_connection(config)
    except EngineMissing as error:
        raise Fault("cannot start without the engine") from error
    with opening as connection:
        opened = time.perf_counter()
        key = machine_key(config, "doctor")
        rows = Graph(connection, key).write("RETURN 6 * 7")
        took = time.perf_counter() - opened
        connection.call("DEL", key)
        if rows != [[42]]:
            raise Fault(f"a query was answered with {rows!r}", "run `engram server stop`, then try again")
    return f"a query took {took * 1e3:.1f} ms, reaching the server {(opened - began) * 1e3:.0f} ms"


def _git(folder: str) -> str:
    return run_git(_existing(folder), "version").decode("utf-8", "replace").strip()


def _repository(folder: str) -> str:
    worktree = find_worktree(folder)
    state = open_state(worktree.root)
    if state is not None:
        state.close()
    if not os.access(worktree.root, os.W_OK):
        raise Fault(f"{worktree.root} cannot be written", "the journal in .engram is not kept there", WARNING)
    if not worktree.git_dir:
        raise Fault(f"{worktree.root} is no git repository", "it is indexed without history", WARNING)
    return worktree.root


def _index(config: Config, folder: str) -> str:
    root = find_worktree(folder).root
    try:
        opening = open_connection(config, start=False)
    except ServerUnavailable as error:
        raise Fault("not looked at: the server does not answer", state=WARNING) from error
    with opening as connection:
        files, changed = _indexed(connection, config, folder)
    if not changed:
        raise Fault(f"{root} has no index yet", "run `engram index`", WARNING)
    age = time.time() - changed / 1e3
    found = f"{files} files, last changed {_ago(age)} ago"
    if age > _OLD_INDEX_S:
        raise Fault(found, "run `engram index`, unless nothing was edited since", WARNING)
    return found


def _history(config: Config, folder: str) -> str:
    worktree = find_worktree(folder)
    if not worktree.git_dir:
        return "none: this is no git repository"
    try:
        opening = open_connection(config, start=False)
    except ServerUnavailable as error:
        raise Fault("not looked at: the server does not answer", state=WARNING) from error
    with opening as connection:
        keys = graph_keys(config, worktree)
        report = read_report(connection, keys)
        current = is_history_current(connection, keys, worktree)
    found = reading_text(report)
    if report.failure:
        raise Fault(found, "what git says there has to be mended first", WARNING)
    if not current:
        raise Fault(found, "run `engram refine`, or wait for what an index starts in the background", WARNING)
    return found


def _indexed(connection: Connection, config: Config, folder: str) -> tuple[int, float]:
    """How many files the index of the checkout has, and when it last changed (epoch milliseconds); 0 where none is."""
    keys = graph_keys(config, find_worktree(folder))
    state = read_state(connection, keys)
    if state is None:
        return 0, 0.0
    rows = Graph(connection, keys.graph).read("MATCH (f:File) RETURN count(f)", timeout_ms=2000)
    return int(rows[0][0]), float(state.indexed_at)


def _ago(seconds: float) -> str:
    for size, unit in ((86_400, "days"), (3_600, "hours"), (60, "minutes")):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {unit}"
    return f"{max(seconds, 0):.0f} seconds"


def _existing(path: str) -> str:
    """The path itself, or its nearest parent that exists."""
    path = os.path.abspath(path)
    while not os.path.isdir(path):
        path = os.path.dirname(path)
    return path
