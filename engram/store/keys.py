"""Which keys on the server belong to this machine and to a checkout.

A key is `engram:<machine>:<short name>-<hash of the real path>`.  The machine's id is random and kept in
ENGRAM_HOME, so that two machines with equal paths never share an index on a common server.
"""

from __future__ import annotations

import os
from _blake2 import blake2b

from engram.errors import ConfigError
from engram.store.schema import Keys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from engram.config import Config
    from engram.worktree import Worktree

PREFIX = "engram"
_MACHINE_BYTES = 6  # 48 random bits: among a thousand machines on one server, a collision has odds of 2e-9
_PATH_BYTES = 8  # 64 bits of the path's hash: the checkouts of one machine
_NAME_LENGTH = 24  # enough to recognise a repository in a list of keys


def graph_keys(config: Config, worktree: Worktree) -> Keys:
    """The keys of a checkout, the same for every way to reach its folder.

    Raises ConfigError if ENGRAM_HOME cannot be written when the machine's id is made.
    """
    root = os.path.realpath(worktree.root)
    digest = blake2b(os.fsencode(root), digest_size=_PATH_BYTES).hexdigest()
    return Keys(f"{PREFIX}:{machine_id(config)}:{_short_name(root)}-{digest}")


def machine_key(config: Config, name: str) -> str:
    """The key of something that belongs to the machine, not to one checkout."""
    return f"{PREFIX}:{machine_id(config)}:{name}"


def machine_id(config: Config) -> str:
    """The id of this machine, 12 hex digits, made at the first call and then the same for all processes."""
    path = os.path.join(config.home, "machine")
    found = _read_id(path)
    if found:
        return found
    try:
        os.makedirs(config.home, mode=0o700, exist_ok=True)
        _publish(path, os.urandom(_MACHINE_BYTES).hex())
    except OSError as error:
        raise ConfigError(f"{path} cannot be written: {error.strerror}", "set ENGRAM_HOME to another folder") from error
    return _read_id(path)


def _read_id(path: str) -> str:
    try:
        with open(path, encoding="ascii") as file:
            text = file.read(_MACHINE_BYTES * 2)
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} cannot be read: {error}") from error
    if len(text) != _MACHINE_BYTES * 2 or not text.isalnum():
        raise ConfigError(f"{path} holds no machine id", "remove the file; the next run indexes anew")
    return text


def _publish(path: str, text: str) -> None:
    """Write the file whole or, where another process was first, not at all: link(2) never replaces.

    A file system without hard links leaves rename(2): of two first processes in the same instant, the last one wins.
    """
    draft = f"{path}.{os.getpid()}"
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        os.write(descriptor, text.encode("ascii"))
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    try:
        os.link(draft, path)
    except FileExistsError:
        pass
    except OSError:
        os.rename(draft, path)
        return
    os.unlink(draft)


def _short_name(root: str) -> str:
    """The folder's name without what would be awkward in a key."""
    name = "".join([c if (c.isalnum() and c.isascii()) or c in "-_." else "-" for c in os.path.basename(root)])
    return name[:_NAME_LENGTH].strip("-") or "root"
