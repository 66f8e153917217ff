"""What sessions did, as text and JSON."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from engram.activity.claims import Claim, agent_name
from engram.render.claims import claim_wire, clock
from engram.store.activity import SessionRecord, Touched


def activity_text(sessions: Sequence[SessionRecord], claims: Sequence[Claim]) -> str:
    """The sessions, the last one first, each with the files it edited and read; then the open claims."""
    blocks = [_session_text(one, [claim for claim in claims if claim.session == one.id]) for one in sessions]
    others = [claim for claim in claims if claim.session not in {one.id for one in sessions}]
    blocks += [f"claimed: {claimed_line(claim)}" for claim in others]
    return "\n\n".join(blocks) or "no session has done anything here yet"


def activity_wire(sessions: Sequence[SessionRecord], claims: Sequence[Claim]) -> dict[str, Any]:
    """The same as a JSON object; times in epoch milliseconds."""
    return {
        "sessions": [
            {
                "id": one.id,
                "agents": list(one.agents),
                "began": one.began,
                "at": one.at,
                "edited": [touched.asdict() for touched in one.edited],
                "read": [touched.asdict() for touched in one.read],
            }
            for one in sessions
        ],
        "claims": [claim_wire(claim) for claim in claims],
    }


def claimed_line(claim: Claim) -> str:
    """One open claim."""
    return f"{claim.path}  by {agent_name(claim.session)} since {clock(claim.since)} in {claim.checkout}"


def claims_text(claims: Sequence[Claim]) -> str:
    """One line for each claim, or one that there is none."""
    return "\n".join([claimed_line(claim) for claim in claims]) or "no file is being edited"


def released_text(path: str, sessions: Sequence[str]) -> str:
    """Whose claims on the file were ended."""
    names = ", ".join([agent_name(session) for session in sessions])
    return f"{path}: released from {names}" if sessions else f"{path} was not claimed"


def _session_text(record: SessionRecord, claims: Sequence[Claim]) -> str:
    head = f"{record.id}  {', '.join(record.agents)}  {_moment(record.began)} to {_moment(record.at)}"
    lines = [head, *_files("edited", record.edited), *_files("read", record.read)]
    return "\n".join([*lines, *[f"  claims  {claim.path} since {clock(claim.since)}" for claim in claims]])


def _files(verb: str, touched: Sequence[Touched]) -> list[str]:
    return [f"  {verb:<7} {one.path}  {one.count} x, last {_moment(one.at)}" for one in touched]


def _moment(milliseconds: int) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(milliseconds / 1000))
