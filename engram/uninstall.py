"""Stops what runs, and lists or removes what engram keeps: in ENGRAM_HOME, in the socket folder, in checkouts."""

from __future__ import annotations

import os
import shutil

from engram.errors import EngramError
from engram.journal.folder import NAME, open_state
from engram.model import Value
from engram.store.address import check_folder, current_socket, server_address
from engram.store.catalog import list_checkouts
from engram.store.server import open_connection, stop_server
from engram.store.status import server_status

TYPE_CHECKING = False
if TYPE_CHECKING:
    from engram.config import Config

# What engram makes in ENGRAM_HOME.  Only these are removed there: the variable may name a folder that holds more.
KEPT_IN_HOME = ("env", "server", "machine", "memory", "sync", "hook.log", "hook.log.1", "activity.log", "refine.log")


class Remains(Value):
    """What is left: `home` and `states` map a path to its bytes; `strangers` are other things in ENGRAM_HOME.

    `states` are the `.engram` folders of the checkouts that the server knew; `unknown` says why it could not be
    asked, "" where it was.
    """

    stopped: bool
    home: dict[str, int]
    states: dict[str, int]
    strangers: tuple[str, ...]
    unknown: str = ""
    remote: bool = False


def take_down(config: Config, here: str) -> Remains:
    """Stop the server, remove its socket, and find what is left; `here` is the root of the current checkout or ""."""
    stopped = server_status(config).running and not config.falkordb_url
    roots, unknown = _known_roots(config)
    if not config.falkordb_url:
        stop_server(config)
        _remove_socket(config)
    names = sorted(os.listdir(config.home)) if os.path.isdir(config.home) else []
    home = {path: _size(path) for name in names if name in KEPT_IN_HOME and (path := os.path.join(config.home, name))}
    states = {path: _size(path) for root in sorted({*roots, here} - {""}) if (path := _state_of(root))}
    strangers = tuple([os.path.join(config.home, name) for name in names if name not in KEPT_IN_HOME])
    return Remains(stopped, home, states, strangers, unknown, bool(config.falkordb_url))


def purge(config: Config, remains: Remains) -> list[str]:
    """Remove what `remains` lists, and ENGRAM_HOME itself if that leaves it empty; returns what could not be removed.

    Symbolic links are removed, never followed; the strangers stay.
    """
    failed = []
    for path in [*remains.states, *remains.home]:
        try:
            if os.path.isdir(path) and not os.path.islink(path):
                shutil.rmtree(path)
            else:
                os.unlink(path)
        except OSError as error:
            failed.append(f"{path}: {error.strerror}")
    try:
        os.rmdir(config.home)
    except OSError:  # not empty, or not there
        pass
    return failed


def _known_roots(config: Config) -> tuple[list[str], str]:
    """The folders of the checkouts that were indexed, and why they are not known if the server cannot tell."""
    if not config.falkordb_url and not os.path.isdir(os.path.join(config.home, "server")):
        return [], ""
    try:
        with open_connection(config) as connection:
            return [checkout.root for checkout in list_checkouts(connection, config)], ""
    except EngramError as error:
        return [], error.message


def _state_of(root: str) -> str:
    """The path of the checkout's own state folder; "" where there is none, or one that is not engram's to touch."""
    try:
        state = open_state(root)
    except EngramError:
        return ""
    if state is None:
        return ""
    state.close()
    return os.path.join(root, NAME)


def _remove_socket(config: Config) -> None:
    """Remove the socket of the stopped server, and its folder if no other ENGRAM_HOME of this user has one there."""
    address = server_address(config)
    socket = current_socket(address)
    folder = os.path.dirname(socket)
    try:
        check_folder(folder, "the socket folder")
        os.unlink(socket)
    except (EngramError, FileNotFoundError):
        pass
    try:
        os.rmdir(folder)
    except OSError:  # not empty, not there, or not this user's
        pass


def _size(path: str) -> int:
    if not os.path.isdir(path) or os.path.islink(path):
        return os.lstat(path).st_size
    total = 0
    for folder, _, files in os.walk(path):
        for name in files:
            try:
                total += os.lstat(os.path.join(folder, name)).st_size
            except FileNotFoundError:  # removed meanwhile
                continue
    return total
