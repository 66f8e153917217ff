"""A claim: the word of a session that it is editing a file right now."""

from __future__ import annotations

from engram.model import Value
from engram.processes import started, this_host

CLIENT = "Claude Code"  # the one client whose hooks ask; terminals do not claim
_SESSION_SHOWN = 8  # characters of a session's id that tell it from the few others of a checkout


class Claimant(Value):
    """Who asks: a session, and the client's process that it lives in; a `pid` of 0 is one that is not known."""

    session: str
    host: str
    pid: int
    started: str


class Claim(Value):
    """One file claimed by one session since `since`, last confirmed `at` (epoch milliseconds of the server)."""

    path: str
    session: str
    since: int
    at: int
    checkout: str
    host: str
    pid: int
    started: str

    @property
    def is_over(self) -> bool:
        """Whether the client's process was one of this host and has ended."""
        return self.pid > 0 and self.host == this_host() and started(self.pid) != self.started


def claimant(session: str, pid: int) -> Claimant:
    """The session as one that lives in the process `pid` of this host."""
    since = started(pid) if pid > 1 else ""  # 1: whoever started this process has ended, and init took it over
    return Claimant(session, this_host(), pid if since else 0, since)


def agent_name(session: str) -> str:
    """How other sessions are told of this one: the client's name and the start of the session's id."""
    return f"{CLIENT} {session[:_SESSION_SHOWN]}"
