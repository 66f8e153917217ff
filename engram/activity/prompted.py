"""When a session's last turn began: what an earlier one has asked subagents, nobody waits for any more."""

from __future__ import annotations

import os
import time

from engram.journal.digest import sha256_hex
from engram.journal.folder import NAME, open_state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from engram.journal.folder import StateFolder

RECURSE = "recurse"  # the folder of the requests, in the state folder
TURNS = "turns"  # in there: a file for each session, which holds the time in milliseconds since 1970
_MAX_NAME = 64


def note_prompt(root: str, session: str) -> None:
    """Note that a turn of the session begins now; nothing is done where nobody has ever asked a subagent.

    Raises JournalError, OSError where that cannot be written.
    """
    if not os.path.isdir(os.path.join(root, NAME, RECURSE)):
        return
    state = open_state(root)
    if state is None:
        return
    with state:
        requests = state.subfolder(RECURSE, create=False)
        if requests is None:
            return
        with requests:
            turns = requests.subfolder(TURNS, create=True)
            if turns is not None:
                with turns:
                    _write(turns, session_key(session), str(int(time.time() * 1000)))


def prompted_at(turns: StateFolder, session: str) -> float:
    """When the last turn of the session began, in epoch seconds; 0 where that is unknown or, by a clock that was set
    back, to come.
    """
    try:
        descriptor = turns.open_file(session_key(session), os.O_RDONLY)
    except FileNotFoundError:
        return 0.0
    try:
        text = os.read(descriptor, 32)
    finally:
        os.close(descriptor)
    at = int(text) / 1000 if text.isdigit() else 0.0
    return at if at <= time.time() else 0.0


def session_key(session: str) -> str:
    """What names a session's file: its id, or the hash of an id that could name something else."""
    return session if is_name(session) else sha256_hex(session.encode("utf-8", "surrogateescape"))


def is_name(text: str) -> bool:
    """Whether a text can name a file of the state: ids and hashes are of these characters."""
    plain = text.replace("-", "a").replace(".", "a")
    return 0 < len(text) <= _MAX_NAME and text.isascii() and plain.isalnum() and text[0] != "."


def _write(folder: StateFolder, name: str, text: str) -> None:
    descriptor = folder.open_file(name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    try:
        os.write(descriptor, text.encode("ascii"))
    finally:
        os.close(descriptor)
