"""Where this user's server keeps its state and its socket, and whether that socket folder can be trusted.

The state is in ENGRAM_HOME/server.  The socket is elsewhere, because its path may have no more than 107 bytes (103 on
macOS; see unix(7)): in XDG_RUNTIME_DIR, else in /tmp, in a folder of this user's own.
"""

from __future__ import annotations

import os
import stat
from _blake2 import blake2b

from engram.errors import ConfigError
from engram.model import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from engram.config import Config

_MAX_SOCKET_PATH = 103  # sizeof(sockaddr_un.sun_path) is 104 on macOS and 108 on Linux, with a NUL at the end
_PROBE_BYTES = 1 << 16  # a start writes a few kB; where this does not fit, no recovery can succeed either


class Address(Value):
    """The files of one server: `state` is its folder, `lock` is held as long as it lives, `log` is what it says.

    `pointer` holds the path of the socket that the running server was given; it may differ from the `socket` that
    this process would choose, as a login session and a cron job differ in XDG_RUNTIME_DIR.
    """

    state: str
    lock: str
    pointer: str
    failure: str
    recovery: str
    log: str
    socket: str


def server_address(config: Config, environ: Mapping[str, str] = os.environ) -> Address:
    """The files of the server of this ENGRAM_HOME; looks at the file system, changes nothing.

    Raises ConfigError if no folder for the socket has a path that is short enough.
    """
    state = os.path.join(config.home, "server")
    files = {name: os.path.join(state, name) for name in ("lock", "failure", "recovery")}
    name = blake2b(os.fsencode(os.path.realpath(state)), digest_size=8).hexdigest()
    folder = f"engram-{os.getuid()}"
    for parent in (environ.get("XDG_RUNTIME_DIR", ""), "/tmp"):
        path = os.path.join(parent, folder, name)
        if os.path.isabs(path) and os.path.isdir(parent) and len(os.fsencode(path)) <= _MAX_SOCKET_PATH:
            return Address(
                state,
                pointer=os.path.join(state, "socket"),
                log=os.path.join(state, "server.log"),
                socket=path,
                **files,
            )
    raise ConfigError("no folder for the server's socket: neither XDG_RUNTIME_DIR nor /tmp can be used")


def current_socket(address: Address) -> str:
    """The path of the socket of the server that runs, or last ran; the one to choose where none ever did."""
    try:
        with open(address.pointer, encoding="utf-8", errors="surrogateescape") as file:
            return file.read(4096) or address.socket
    except OSError:
        return address.socket


def check_folder(path: str, what: str) -> None:
    """Raises ConfigError unless `path` is a folder of this user's that no other user can enter or change.

    Whoever else could write there could put a socket of their own in place of the server's.
    """
    try:
        found = os.lstat(path)
    except FileNotFoundError:
        return
    problem = ""
    if not stat.S_ISDIR(found.st_mode):
        problem = "is not a folder"
    elif found.st_uid != os.getuid():
        problem = f"belongs to user {found.st_uid}"
    elif found.st_mode & 0o077:
        problem = f"is open to other users (mode {stat.S_IMODE(found.st_mode):03o})"
    if problem:
        raise ConfigError(
            f"{what} {path} {problem}",
            "give it mode 700 and make it yours, or choose others by ENGRAM_HOME and XDG_RUNTIME_DIR",
        )


def make_folders(address: Address) -> None:
    """Make the folders of state and socket with mode 700 where they are missing.

    Raises ConfigError where they cannot be made, or are not this user's alone.
    """
    for path, what in ((address.state, "the server's folder"), (os.path.dirname(address.socket), "the socket folder")):
        try:
            os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
            os.mkdir(path, 0o700)
        except FileExistsError:
            pass
        except OSError as error:
            raise ConfigError(f"{what} {path} cannot be made: {error.strerror}") from error
        check_folder(path, what)


def why_unwritable(state: str) -> str:
    """Why nothing can be written in the folder; "" if something can."""
    path = os.path.join(state, "probe")
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        try:
            written = os.write(descriptor, bytes(_PROBE_BYTES))
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
            os.unlink(path)
    except OSError as error:
        return f"{state} cannot be written ({error.strerror})"
    return "" if written == _PROBE_BYTES else f"{state} cannot be written (no space is left)"
